/** node e2e/webp.mjs from-dir to-dir: the pictures as WebP, small enough to be kept. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "./lib.mjs";

const [from, to] = process.argv.slice(2);
mkdirSync(to, { recursive: true });
const browser = await openBrowser();
const page = await browser.newPage();
for (const file of readdirSync(from).filter((f) => f.endsWith(".png"))) {
  const data = readFileSync(join(from, file)).toString("base64");
  const url = await page.evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.82);
  }, data);
  writeFileSync(join(to, file.replace(/png$/, "webp")), Buffer.from(url.split(",")[1], "base64"));
}
await browser.close();
