// Looks at the fixture: march chosen, dark, tablet and phone. node dev/look.mjs outdir
import { chromium } from "playwright-core";
const out = process.argv[2];
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
for (const [name, width, height, theme, ratio] of [["march", 1440, 900, "light", 1], ["march-dark", 1440, 900, "dark", 1], ["tablet", 820, 1180, "light", 1], ["phone", 390, 844, "light", 2]]) {
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: ratio });
  page.on("pageerror", (e) => console.log(name, "error:", e.message));
  await page.goto(`http://127.0.0.1:5179/dev/battle.html?theme=${theme}`);
  await page.waitForSelector("[data-drawn]");
  const at = async (slug) => { const b = await page.locator(`[data-slug="${slug}"]`).boundingBox(); return [b.x + b.width / 2, b.y + b.height / 2]; };
  const [mx, my] = await at("meredith");
  await page.mouse.click(mx, my);
  await page.waitForTimeout(300);
  await page.keyboard.press("ArrowLeft"); await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(900);
  await page.screenshot({ path: `${out}/look-${name}.png` });
  await page.close();
}
await browser.close();
