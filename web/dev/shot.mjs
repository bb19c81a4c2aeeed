// node dev/shot.mjs URL out.png [width height [wait-expression]]
import { chromium } from "playwright-core";

const [url, out, width = "1440", height = "900", wait = "window.state?.idle"] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
const page = await browser.newPage({ viewport: { width: Number(width), height: Number(height) }, deviceScaleFactor: Number(process.env.DPR ?? 1) });
page.on("console", (m) => console.log("console:", m.text()));
page.on("pageerror", (e) => console.log("error:", e.message));
await page.goto(url);
try { await page.waitForFunction(wait, undefined, { timeout: 30000 }); } catch (e) { console.log("gave up waiting"); }
await page.waitForTimeout(300);
console.log(await page.evaluate(() => JSON.stringify({ engraved: window.state?.engraved })));
await page.screenshot({ path: out });
await browser.close();
