/** Looks at each kind of decision once: node e2e/tour.mjs system battle outdir [kinds]. For eyes, not for the test run. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { decideByMouse } from "./hands.mjs";
import { begin, dice, openBrowser, sentence, Server, sitDown, turn, visit } from "./lib.mjs";

const [system, battle, dir, seed = "5"] = process.argv.slice(2);
mkdirSync(dir, { recursive: true });
const browser = await openBrowser();
const server = await Server.start();
const ada = await visit(browser, server, { still: false });
await begin(ada, { system, battle, second: "By link", name: "Ada" });
const bertram = await sitDown(browser, server, ada, "Bertram");
const seen = new Map();
const roll = dice(Number(seed));
for (let i = 0; i < 400 && (await turn(ada)) !== "over"; i++) {
  const page = (await turn(ada)) === "mine" ? ada : (await turn(bertram)) === "mine" ? bertram : undefined;
  if (!page) {
    await ada.waitForTimeout(30);
    continue;
  }
  const words = (await sentence(page)).replace(/\s*\d+(\.\w+)*\s*$/, "").replace(/[^a-z ]/gi, "").trim().split(" ").slice(0, 4).join("-").toLowerCase();
  const n = (seen.get(words) ?? 0) + 1;
  seen.set(words, n);
  if (n <= 2) {
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(dir, `${words}-${n}.png`) });
    const may = page.locator(".piece[data-may]");
    if ((await may.count()) > 0) {
      const box = await may.nth(roll(await may.count())).boundingBox();
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await page.waitForTimeout(700);
      await page.screenshot({ path: join(dir, `${words}-${n}-picked.png`) });
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
    }
  }
  await decideByMouse(page, roll, 0.85);
}
console.log([...seen].map(([k, v]) => `${k} ${v}`).join("\n"), ada.faults, bertram.faults);
await browser.close();
await server.stop();
