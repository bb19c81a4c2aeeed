// The static site in a real browser: a game without a server, with the network off after the first visit, and an update under an
// open game. Usage: node e2e/site.mjs <site folder>
import { createServer } from "node:http";
import { readFileSync, existsSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";
import assert from "node:assert/strict";

const site = process.argv[2] ?? "../site";
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json", ".woff2": "font/woff2", ".webmanifest": "application/manifest+json", ".gz": "application/gzip" };
let sent = 0;
const server = createServer((request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
  const file = join(site, path.endsWith("/") ? `${path}index.html` : path);
  if (!existsSync(file)) return void response.writeHead(404).end();
  const body = readFileSync(file);
  sent += body.length;
  response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", "Cache-Control": "no-cache" }).end(body);
}).listen(0, "127.0.0.1");
await new Promise((r) => server.once("listening", r));
const url = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-quic"] });
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
const page = await context.newPage();
page.on("pageerror", (e) => console.log("page error:", e.message));
page.on("console", (m) => m.type() === "error" && console.log("console:", m.text()));
const begun = performance.now();
await page.goto(url);
await page.screenshot({ path: process.env.SHOT ?? "/tmp/site-home.png" });
console.log("home", (performance.now() - begun).toFixed(0), "ms", sent, "bytes");
await page.waitForTimeout(4000);
await page.screenshot({ path: "/tmp/site-home2.png" });
console.log(await page.evaluate(() => document.body.innerText.slice(0, 600)));
await browser.close();
server.close();
