/** Hands for the inch table: blocks dragged and turned by mouse or keys, whole games, labels looked at. */
import { beginFixed } from "./fixed.mjs";
import { chooseFromList, decideByKeys, handChanged, look, moved, press, pressAct } from "./hands.mjs";
import { assert, dice, fingerprint, placeOf, sentence, visit, waitForTurn } from "./lib.mjs";
import { note } from "./runner.mjs";

const CROSSROADS = { system: "This Hallowed Ground", battle: "Crossroads", scenario: "hallowed-ground/crossroads", level: "Captain" };
const DRILL_GROUND = { system: "Fields of Honor", battle: "The Drill Ground", scenario: "fields-of-honor/drill-ground", level: "Captain" };

const TABLES = [
  ["This Hallowed Ground", ["Crossroads", "Brawner's Farm", "The Angle"]],
  ["Fields of Honor", ["The Drill Ground", "Buena Vista", "Snodgrass Hill", "Rorke's Drift"]],
];

/** Labels that touch each other or stand outside the map. */
async function labelFaults(page) {
  return page.evaluate(() => {
    const SLACK = 2;
    const map = document.querySelector("#map").getBoundingClientRect();
    const all = [...document.querySelectorAll("[data-label]")].map((g) => ({ id: g.textContent.trim().slice(0, 14), r: g.getBoundingClientRect() }));
    const faults = [];
    all.forEach((a, i) => {
      if (a.r.left < map.left - SLACK || a.r.top < map.top - SLACK || a.r.right > map.right + SLACK || a.r.bottom > map.bottom + SLACK) faults.push(`${a.id} leaves the map`);
      for (const b of all.slice(i + 1)) {
        const [w, h] = [Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left), Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top)];
        if (w > SLACK && h > SLACK) faults.push(`${a.id} lies on ${b.id}`);
      }
    });
    return { labels: all.length, faults };
  });
}

/** The labels once the map has come to rest. */
async function restingLabels(page) {
  let found;
  for (let i = 0; i < 20; i++) {
    await page.waitForTimeout(400);
    found = await labelFaults(page);
    if (found.labels > 0 && found.faults.length === 0) break;
  }
  return found;
}

async function changed(page, before, tries = 60) {
  for (let i = 0; i < tries; i++) {
    if ((await fingerprint(page)) !== before) return true;
    await page.waitForTimeout(25);
  }
  return false;
}

const brass = (page) => page.locator("#decision button.brass");

async function pressBrass(page) {
  const button = brass(page);
  return (await button.count()) > 0 && button.click({ timeout: 1000 }).then(() => true, () => false);
}

/** A block is pulled across the table towards its middle. */
async function pull(page, from, roll, was) {
  const map = await page.locator("#map").boundingBox();
  const ahead = from.y < map.y + map.height * 0.42 ? 1 : -1;
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + roll(30) - 15, from.y + ahead * 30, { steps: 2 });
  await page.mouse.move(from.x + roll(60) - 30, from.y + ahead * (50 + roll(60)), { steps: 2 });
  await page.mouse.up();
  // The pose is shown to the server before it is offered.
  await brass(page).waitFor({ timeout: 3000 }).catch(() => {});
  return handChanged(page, was);
}

/** One decision with the mouse: a block is dragged, a target clicked, or a button pressed. */
async function decideByMouse(page, roll) {
  const start = await look(page);
  if (start.turn !== "mine") return true;
  const pick = (list) => list[roll(list.length)];
  let now = start;
  if (now.may.length > 0 && roll(100) < 55) {
    const from = pick(now.may);
    now = await press(page, from, now);
    if (now.targets.length > 0) now = await press(page, pick(now.targets), now);
    else if (now.spots > 0) now = await pull(page, from, roll, now);
    if (moved(now, start)) return true;
    if (now.brass) return pressAct(page, now.brass, start);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    now = await look(page);
  }
  if (now.brass) return pressAct(page, now.brass, start);
  if (now.plain.length > 0) return pressAct(page, now.plain.at(-1), start);
  return chooseFromList(page, roll, start);
}

/** One decision with the keyboard alone: the next unit, so many inches ahead, a turn, go. */
async function decideWithKeys(page, roll) {
  const start = await look(page);
  if (start.turn !== "mine") return true;
  let now = start;
  const key = async (name) => {
    await page.keyboard.press(name);
    now = await handChanged(page, now);
  };
  // Where nothing can be declined a unit must be moved.
  const must = !start.brass && start.plain.length === 0;
  if (must || roll(100) < 55) {
    await focusMap(page);
    await key("Space");
    if (now.brass) {
      // One thing to do was picked together with the unit.
    } else if (now.targets.length > 0) await key("Tab");
    else if (now.spots > 0) {
      await page.keyboard.press(String(3 + roll(6)));
      if (roll(3) === 0) await page.keyboard.press(roll(2) ? "]" : "[");
      if (roll(4) === 0) await page.keyboard.press("ArrowRight");
    }
    for (let i = 0; i < 2; i++) {
      await brass(page).waitFor({ timeout: 1500 }).catch(() => {});
      await key("Enter");
      if (moved(now, start)) return true;
      // Nothing ahead: the first that is offered.
      await page.keyboard.press("Escape");
      await focusMap(page);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
  }
  return decideByKeys(page, roll, 0);
}

/** By keys: the skip link to the map stands at the top of the page. */
async function focusMap(page) {
  if (await page.evaluate(() => document.activeElement?.id === "map")) return;
  await page.evaluate(() => document.querySelectorAll(".skip")[1].focus());
  await page.keyboard.press("Enter");
}

async function playOut(page, decide, seed) {
  const roll = dice(seed);
  let idle = 0;
  for (let n = 0; n < 900; n++) {
    if ((await waitForTurn(page, ["mine", "over"])) === "over") return n;
    const began = Date.now();
    const at = process.env.TELL ? await sentence(page) : "";
    const done = await decide(page, roll);
    if (process.env.TELL) console.log(`     ${n} ${Date.now() - began} ms ${done} ${at.split("\n")[0]}`);
    if (done) idle = 0;
    else assert(++idle < 6, `nothing happens at: ${await sentence(page)}`);
  }
  throw new Error("the game did not end");
}

/** To the end against captain. The dice are fixed: the battle is the same each time. */
async function wholeGame({ browser, server }, { scenario }, decide, seed) {
  const page = await visit(browser, server);
  await beginFixed(page, { scenario });
  const n = await playOut(page, decide, seed);
  assert(/wins?\b|drawn/.test(await sentence(page)), "the prompt names the result");
  note(`${n} decisions; ${(await sentence(page)).split("\n")[0]}`);
}

/** Goes on until units may be moved. */
export async function untilMoves(page) {
  for (let i = 0; i < 20; i++) {
    await waitForTurn(page, ["mine", "over"]);
    if (/order|may move/i.test(await sentence(page))) return;
    const before = await fingerprint(page);
    if (!(await pressBrass(page))) await page.keyboard.press("e");
    await changed(page, before, 160);
  }
  throw new Error(`no moves came: ${await sentence(page)}`);
}

export async function drag(page, slug, dx, dy) {
  const from = await placeOf(page, page.locator(`.piece[data-slug="${slug}"]`));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + dx / 2, from.y + dy / 2, { steps: 3 });
  await page.mouse.move(from.x + dx, from.y + dy, { steps: 4 });
}

export { brass, CROSSROADS, decideByMouse, decideWithKeys, DRILL_GROUND, restingLabels, TABLES, wholeGame };
