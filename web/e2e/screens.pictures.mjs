/**
 * Pictures of each screen at 1440, tablet and phone, light and dark, for the manual.
 * One battle is played once; every size looks at the same seat of it.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { decideByMouse } from "./hands.mjs";
import { begin, dice, gameId, sentence, sitDown, turn, visit, waitForTurn } from "./lib.mjs";
import { note, test } from "./runner.mjs";

const SIZES = [
  { name: "wide", width: 1440, height: 900, ratio: 1 },
  { name: "tablet", width: 820, height: 1180, ratio: 1 },
  { name: "phone", width: 390, height: 844, ratio: 2, touch: true },
];

const dir = process.env.SHOTS ?? "../target/pictures";

test("pictures of every screen", async ({ browser, server }) => {
  mkdirSync(dir, { recursive: true });
  let n = 0;
  const take = async (page, what) => {
    await page.waitForTimeout(700);
    if (what !== "battle") await page.evaluate(() => document.querySelector("#panel")?.scrollTo(0, 0));
    await page.screenshot({ path: join(dir, `${what}-${page.look}.png`) });
    n++;
  };
  const pages = [];
  for (const size of SIZES)
    for (const dark of [false, true]) {
      const page = await visit(browser, server, { ...size, dark });
      page.look = `${size.name}${dark ? "-dark" : ""}`;
      pages.push(page);
    }
  const player = pages[0];
  await begin(player, { level: "Captain" });
  const seat = await player.evaluate(() => JSON.parse(localStorage.getItem("linstock.vault")).seats[0]);
  for (const page of pages.slice(1)) {
    await page.goto(`${server.url}/#/seat/${gameId(player)}/${seat.token}`);
    await page.waitForSelector("#map[data-drawn]");
  }
  const roll = dice(4);
  await onto(player, /march/i, roll);
  for (const page of pages) {
    await waitForTurn(page, ["mine"]);
    await page.waitForTimeout(400);
    await page.keyboard.press("Space");
    await page.waitForTimeout(300);
    const warned = page.locator(".choices ul button", { hasText: "!" });
    const row = (await warned.count()) > 0 ? warned.first() : page.locator(".choices ul button").nth(5);
    await row.click();
    await take(page, "battle");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
  }
  await onto(player, /odd ones|falls back|fire|Round|attack/i, roll);
  for (const page of pages) await take(page, "combat");
  for (const page of pages) {
    await page.goto(`${server.url}/`);
    await page.locator(".preview[data-drawn]").first().waitFor();
    await take(page, "home");
    await page.getByRole("radio", { name: /American Revolution/ }).first().click();
    await page.waitForTimeout(300);
    await page.locator(".preview[data-drawn]").first().waitFor();
    await take(page, "set-up");
    await page.goto(`${server.url}/#/game/${seat.game}`);
    await page.waitForSelector("#map[data-drawn]");
  }
  for (let i = 0; i < 400 && (await turn(player)) !== "over"; i++) {
    if ((await waitForTurn(player, ["mine", "over"])) === "over") break;
    await decideByMouse(player, roll, 0.3);
  }
  for (const page of pages) {
    await waitForTurn(page, ["over"]);
    await page.getByRole("button", { name: "Replay" }).click();
    await page.locator(".timeline").waitFor();
    await page.getByRole("slider", { name: "Moment" }).press("End");
    for (let i = 0; i < 9; i++) await page.getByRole("slider", { name: "Moment" }).press("ArrowLeft");
    await take(page, "replay");
  }
  for (const page of pages.slice(0, 2)) {
    await page.getByRole("tab", { name: "Dice" }).click();
    await page.locator(".verdict").waitFor();
    await take(page, "dice");
  }
  for (const page of pages) await page.context().close();
  n += await others({ browser, server }, take);
  note(`${n} pictures`);
});

/** The combats of the other hex systems, between two browsers. */
async function others({ browser, server }, take) {
  const LOOKS = [
    { what: "volley", system: "Brigade Battle Series", battle: "Sunken Road", kind: /say who else/ },
    { what: "attack", system: "American Revolution", battle: "The Cabin", kind: /who attacks whom/ },
    { what: "tactics", system: "American Revolution", battle: "The Cabin", kind: /in secret/, then: "1" },
    { what: "turned-over", system: "American Revolution", battle: "The Cabin", kind: /spend a chit/ },
  ];
  for (const [i, { what, system, battle, kind, then }] of LOOKS.entries()) {
    const ada = await visit(browser, server, { dark: i % 2 === 1 });
    await begin(ada, { system, battle, second: "By link", name: "Ada" });
    const bertram = await sitDown(browser, server, ada, "Bertram");
    const roll = dice(17);
    for (let k = 0; k < 200 && (await turn(ada)) !== "over"; k++) {
      const page = (await turn(ada)) === "mine" ? ada : (await turn(bertram)) === "mine" ? bertram : undefined;
      if (page && kind.test(await sentence(page))) {
        page.look = i % 2 === 1 ? "wide-dark" : "wide";
        if (then) await page.keyboard.press(then);
        else if (what === "attack") await page.keyboard.press("Space");
        await page.waitForTimeout(1500);
        await take(page, what);
        break;
      }
      if (page) await decideByMouse(page, roll, 0.85);
      else await ada.waitForTimeout(30);
    }
    await ada.context().close();
    await bertram.context().close();
  }
  return 0;
}

/** Plays until a decision of some kind is at hand. */
async function onto(page, kind, roll) {
  for (let i = 0; i < 120; i++) {
    if ((await waitForTurn(page, ["mine", "over"])) === "over") return;
    if (kind.test(await sentence(page))) return;
    await decideByMouse(page, roll, 0.35);
  }
}
