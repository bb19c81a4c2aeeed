/** Pictures of each screen at 1440, tablet and phone, light and dark, for the manual. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { decideByMouse } from "./hands.mjs";
import { begin, dice, sentence, turn, visit, waitForTurn } from "./lib.mjs";

const SIZES = [
  { name: "wide", width: 1440, height: 900, ratio: 1 },
  { name: "tablet", width: 820, height: 1180, ratio: 1 },
  { name: "phone", width: 390, height: 844, ratio: 2, touch: true },
];

export async function pictures({ browser, server }, dir) {
  mkdirSync(dir, { recursive: true });
  let n = 0;
  for (const size of SIZES)
    for (const dark of [false, true]) {
      const page = await visit(browser, server, { ...size, dark });
      const take = async (what) => {
        await page.waitForTimeout(700);
        await page.screenshot({ path: join(dir, `${what}-${size.name}${dark ? "-dark" : ""}.png`) });
        n++;
      };
      await page.goto(`${server.url}/`);
      await page.getByRole("button", { name: "Begin the battle" }).waitFor();
      await page.locator(".preview [data-drawn], .preview[data-drawn]").first().waitFor();
      await take("home");
      await begin(page, { level: "Captain" });
      await onto(page, /march/i, dice(4));
      const may = page.locator(".piece:has(.may)");
      if ((await may.count()) > 0) {
        const box = await may.last().boundingBox();
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        await page.waitForTimeout(400);
        const warned = page.locator(".choices ul button", { hasText: "!" });
        const row = (await warned.count()) > 0 ? warned.first() : page.locator(".choices ul button").nth(5);
        if ((await row.count()) > 0) await row.click();
        await page.waitForTimeout(600);
      }
      await take("battle");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await onto(page, /odd ones|falls back|fire|Round|attack/i, dice(4));
      await take("combat");
      for (let i = 0; i < 400 && (await turn(page)) !== "over"; i++) {
        if ((await waitForTurn(page, ["mine", "over"])) === "over") break;
        await decideByMouse(page, dice(i * 7 + 1), 0.1);
      }
      await page.getByRole("button", { name: "Replay" }).click();
      await page.locator(".timeline").waitFor();
      await page.getByRole("slider", { name: "Moment" }).press("End");
      for (let i = 0; i < 12; i++) await page.getByRole("slider", { name: "Moment" }).press("ArrowLeft");
      await take("replay");
      await page.context().close();
    }
  return { note: `${n} pictures` };
}

/** Plays until a decision of some kind is at hand. */
async function onto(page, kind, roll) {
  for (let i = 0; i < 120; i++) {
    if ((await waitForTurn(page, ["mine", "over"])) === "over") return;
    if (kind.test(await sentence(page))) return;
    await decideByMouse(page, roll, 0.35);
  }
}
