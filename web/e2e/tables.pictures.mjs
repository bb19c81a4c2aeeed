/** Pictures of both miniatures systems, wide, tablet and phone, light and dark: a move in hand, and a charge or a shot. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { begin, dice, sentence, visit, waitForTurn } from "./lib.mjs";
import { note, test } from "./runner.mjs";
import { CROSSROADS, decideByMouse, drag, DRILL_GROUND, untilMoves } from "./tables.mjs";

const SIZES = [
  { name: "wide", width: 1440, height: 900, ratio: 1 },
  { name: "tablet", width: 820, height: 1180, ratio: 1 },
  { name: "phone", width: 390, height: 844, ratio: 2 },
];

/** The same moment at every size and in both themes. */
async function take(page, dir, what) {
  const lens = await page.context().newCDPSession(page);
  let n = 0;
  for (const size of SIZES)
    for (const dark of [false, true]) {
      await page.setViewportSize({ width: size.width, height: size.height });
      await lens.send("Emulation.setDeviceMetricsOverride", { width: size.width, height: size.height, deviceScaleFactor: size.ratio, mobile: false });
      await page.emulateMedia({ colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
      await page.waitForTimeout(300);
      await page.evaluate(() => document.activeElement?.blur());
      await page.keyboard.press("0");
      await page.waitForTimeout(1400);
      await page.screenshot({ path: join(dir, `${what}-${size.name}${dark ? "-dark" : ""}.png`) });
      n++;
    }
  await page.setViewportSize({ width: 1440, height: 900 });
  await lens.send("Emulation.setDeviceMetricsOverride", { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.waitForTimeout(300);
  await page.keyboard.press("0");
  await page.waitForTimeout(300);
  return n;
}

async function story({ browser, server }, dir, battle, name, slug, by, seed) {
  const page = await visit(browser, server, { width: 1440, height: 900 });
  await begin(page, battle);
  await untilMoves(page);
  await drag(page, slug, ...by);
  await page.locator(".tape text.inches").waitFor();
  await page.mouse.up();
  await page.locator("#decision button.brass").waitFor();
  let n = await take(page, dir, `${name}-move`);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  const roll = dice(seed);
  for (let i = 0; i < 220; i++) {
    if ((await waitForTurn(page, ["mine", "over"])) === "over") break;
    if (/declare a charge/i.test(await sentence(page)) && (await page.locator(".piece[data-may]").count()) > 0) {
      // A unit that can charge, and its line.
      await page.locator("#map").focus();
      for (let k = 0; k < 6; k++) {
        await page.keyboard.press("Space");
        await page.waitForTimeout(80);
        if ((await page.locator(".piece[data-target]").count()) > 0) break;
      }
      if ((await page.locator(".piece[data-target]").count()) > 0) {
        if ((await page.locator("#decision button.brass").count()) === 0) await page.keyboard.press("Tab");
        await page.waitForTimeout(900);
        n += await take(page, dir, `${name}-charge`);
        break;
      }
      await page.keyboard.press("Escape");
    }
    await decideByMouse(page, roll);
  }
  await page.context().close();
  return n;
}

test("pictures of the tables", async ({ browser, server }) => {
  const dir = process.env.SHOTS ?? "../target/pictures";
  mkdirSync(dir, { recursive: true });
  const a = await story({ browser, server }, dir, CROSSROADS, "hallowed-ground", "2nd-blue", [70, -90], 3);
  const b = await story({ browser, server }, dir, DRILL_GROUND, "fields-of-honor", "r1", [30, -110], 5);
  note(`${a + b} pictures`);
});
