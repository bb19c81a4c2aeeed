/** Hands for lessons: what the files say is played, on the board, by mouse or by keyboard. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";
import { handChanged, look, played } from "./hands.mjs";
import { assert } from "./lib.mjs";

const folder = fileURLToPath(new URL("../../lessons", import.meta.url));

/** A lesson as its file has it: its solution, and the named wrong try, which the board takes back. */
export function lesson(id, wrong) {
  const file = parse(readFileSync(join(folder, `${id}.toml`), "utf8"));
  const named = (name) => file.try.find((t) => t.name === name)?.play;
  return { solution: named("solution"), erring: named(wrong) };
}

export async function openLesson(page, id) {
  await page.goto(`${page.base}/#/learn/${id}`);
  await page.waitForSelector("#map[data-drawn]");
  await page.locator("[aria-label^='Page 1 of']").waitFor();
}

/** Turns the pages up to the task. */
export async function readPages(page, keys) {
  for (let i = 0; i < 12; i++) {
    const next = page.locator("#decision button.brass:has(.words)", { hasText: /^\s*Next(?! lesson)/ });
    if ((await next.count()) === 0) return i;
    if (keys) await page.keyboard.press("Enter");
    else await next.click();
    await page.waitForTimeout(60);
  }
  throw new Error("The pages do not end.");
}

/** An action as the server offers it, and the name of the piece that acts. */
const offered = (page, action) =>
  page.evaluate(async (act) => {
    const id = location.hash.split("/")[2];
    const { token } = JSON.parse(localStorage.getItem("linstock.vault")).seats.find((s) => s.game === id);
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const { state, view } = await (await fetch(`/api/v1/games/${id}/position?log_from=999999`, { headers })).json();
    const answer = await fetch(`/api/v1/games/${id}/check`, { method: "POST", headers, body: JSON.stringify({ state, action: act }) });
    if (!answer.ok) return undefined;
    const offer = await answer.json();
    return { ...offer, name: view.pieces.find((p) => p.id === offer.piece)?.name };
  }, action);

const chosenIs = (page, { label }) => page.evaluate((l) => document.querySelector("#decision button.brass .words")?.textContent?.trim() === l, label);

/** Points at the piece and at the place. */
async function point(page, offer) {
  const centre = (selector) => page.evaluate((s) => {
    const el = document.querySelector(s);
    const r = el?.getBoundingClientRect();
    return r && { x: r.x + r.width / 2, y: r.y + r.height / 2 };
  }, selector);
  for (let i = 0; i < 5 && offer.piece !== null; i++) {
    const now = await look(page);
    if ((await page.locator(".battle").getAttribute("data-picked")) === String(offer.piece)) break;
    const at = await centre(`.piece[data-piece="${offer.piece}"]`);
    if (!at) return;
    await page.mouse.click(at.x, at.y);
    await handChanged(page, now);
  }
  if (await chosenIs(page, offer)) return;
  const goal = offer.place && "hex" in offer.place ? await centre(`[data-goal="${offer.place.hex}"]`) : offer.targets.length > 0 ? await centre(`.piece[data-piece="${offer.targets[0]}"]`) : undefined;
  if (!goal) return;
  const now = await look(page);
  await page.mouse.click(goal.x, goal.y);
  await handChanged(page, now);
}

/** Everything on the map stands in the list too: under the head of its piece, below “Show all”. */
async function listed(page, offer) {
  await page.locator("#tab-now").click();
  const mark = () =>
    page.evaluate(({ label, name }) => {
      const words = (b) => (b.querySelector("span, b")?.textContent ?? "").trim().replace(/^\d+\. /, "");
      const row = [...document.querySelectorAll(".choices ul button")].find((b) => words(b) === label);
      const head = [...document.querySelectorAll(".choices button.head[aria-expanded=false]")].find((b) => words(b) === name);
      const next = row ?? head ?? document.querySelector(".choices button.more");
      document.querySelectorAll("[data-wanted]").forEach((b) => b.removeAttribute("data-wanted"));
      next?.setAttribute("data-wanted", "");
      return next === undefined || next === null ? "none" : next === row ? "row" : "way";
    }, offer);
  for (let i = 0; i < 4; i++) {
    const found = await mark();
    assert(found !== "none", `“${offer.label}” (${offer.action}, ${offer.name}) is not in the list.`);
    const now = await look(page);
    await page.locator("[data-wanted]").click();
    await handChanged(page, now);
    if (found === "row") return;
  }
  throw new Error(`“${offer.label}” (${offer.action}) cannot be reached in the list.`);
}

/** Waits for something on the screen; what the dice decide before it is read and put away, by its button or by Enter. */
export async function whenRead(page, selector, keys) {
  const goOn = "#decision button.brass:has-text('Go on')";
  for (;;) {
    await page.locator(`${selector}, ${goOn}`).first().waitFor({ timeout: 30_000 });
    const on = page.locator(goOn);
    if ((await on.count()) === 0) return;
    if (keys) await page.keyboard.press("Enter");
    else await on.click();
    await on.waitFor({ state: "detached" });
  }
}

/** The learner is to act. */
const TURN = ".battle[data-turn='mine']";

/** Plays an action with the mouse: on the map if it can be pointed at, else by its button or its row. */
export async function byMouse(page, action) {
  await whenRead(page, TURN, false);
  const offer = await offered(page, action);
  assert(offer, `${action} is not allowed.`);
  const was = await look(page);
  const button = page.locator("#decision .acts button", { hasText: offer.label });
  if (offer.button && (await button.count()) > 0) await button.first().click();
  else {
    await point(page, offer);
    if (!(await chosenIs(page, offer))) await listed(page, offer);
    const now = await look(page);
    if (now.state === was.state) await page.locator("#decision button.brass").click();
  }
  assert(await played(page, was), `${action} was not played.`);
}

/** Plays an action with keys alone: C goes to the list, arrows walk it, Enter opens, chooses and plays. */
export async function byKeys(page, action) {
  await whenRead(page, TURN, true);
  const offer = await offered(page, action);
  assert(offer, `${action} is not allowed.`);
  const was = await look(page);
  await page.keyboard.press("c");
  const here = () =>
    page.evaluate(() => {
      const el = document.activeElement;
      return { words: (el?.querySelector("span, b")?.textContent ?? el?.textContent ?? "").trim().replace(/^\d+\. /, ""), head: el?.classList.contains("head") ?? false, open: el?.getAttribute("aria-expanded") === "true", more: el?.classList.contains("more") ?? false, chosen: el?.getAttribute("aria-pressed") === "true", lost: el === document.body };
    });
  for (let i = 0; i < 300; i++) {
    const at = await here();
    assert(!at.lost, `The keyboard has lost its place on the way to “${offer.label}”.`);
    if (!at.head && at.words === offer.label) {
      if (!at.chosen) {
        await page.keyboard.press("Enter");
        await handChanged(page, was);
      }
      if ((await look(page)).state === was.state) await page.keyboard.press("Enter");
      assert(await played(page, was), `${action} was not played.`);
      return;
    }
    // “Show all” opens the rest of the list, and the focus goes to the first row of it.
    const opens = at.more || (at.head && !at.open && at.words === offer.name);
    await page.keyboard.press(opens ? "Enter" : "ArrowDown");
    if (opens) await page.waitForTimeout(50);
  }
  throw new Error(`“${offer.label}” (${action}) is not in the list.`);
}

export const solved = (page, keys = false) => whenRead(page, ".task.solved", keys);
