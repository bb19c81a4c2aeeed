/**
 * Hands for the browser tests: one decision by mouse or by keyboard, in any system.
 * What can be touched is read in one go, so that nothing moves between looking and pressing;
 * after each press the hand waits for what it changed, not for a time.
 */
import { assert, sentence, waitForTurn } from "./lib.mjs";

/** How long a press may take to show: the server answers on a loaded machine too. */
const PATIENCE = 15_000;
/** What needs no server shows within this, ms. */
const AT_ONCE = 500;

/** Everything that can be pressed, and where, as soon as the server has answered and map and prompt have come to rest: the same places in two frames that follow each other. */
export const look = (page) =>
  page.evaluate(async (patience) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => done()));
    const lies = () => {
      const prompt = document.querySelector("#decision")?.getBoundingClientRect();
      return `${document.querySelector("#map .layer")?.style.transform} ${prompt?.y} ${prompt?.height}`;
    };
    const until = performance.now() + patience;
    for (let was = lies(), now = ""; performance.now() < until; was = now) {
      await frame();
      now = lies();
      if (now === was && !document.querySelector(".battle[data-busy]")) break;
    }
    const battle = document.querySelector(".battle");
    const map = document.querySelector("#map");
    const middle = (el) => {
      const r = el.getBoundingClientRect();
      return { x: r.x + r.width / 2, y: r.y + r.height / 2, words: (el.getAttribute("aria-label") ?? el.textContent ?? "").trim() };
    };
    /** On the map a press must reach the map, not the furniture above it. */
    const reaches = ({ x, y }) => {
      const el = document.elementFromPoint(x, y);
      return el !== null && map !== null && map.contains(el) && !el.closest(".mini, .fan, .toast-at, button");
    };
    const onMap = (selector) => [...document.querySelectorAll(selector)].map(middle).filter(reaches);
    const buttons = (selector) => [...document.querySelectorAll(selector)].filter((b) => !b.disabled).map(middle);
    const chosen = document.querySelector(".choices button[aria-pressed=true], .planner button[aria-pressed=true], .hand button[aria-pressed=true]");
    const brass = buttons("#decision button.brass")[0];
    return {
      state: battle?.getAttribute("data-state") ?? "",
      turn: battle?.getAttribute("data-turn") ?? "",
      busy: battle?.hasAttribute("data-busy") ?? false,
      hand: `${battle?.getAttribute("data-picked")} ${chosen?.textContent ?? ""} ${brass?.words ?? ""} ${document.querySelectorAll(".choices button").length}`,
      brass,
      plain: buttons("#decision .acts button.plain"),
      cards: buttons(".hand button.card:not(.closed)"),
      may: onMap(".piece[data-may]"),
      targets: onMap(".piece[data-target]"),
      goals: onMap("[data-goal]"),
      close: onMap("[data-goal][data-stop]"),
      spots: document.querySelectorAll("[data-spot]").length,
      rows: document.querySelectorAll(".choices ul button").length,
      heads: document.querySelectorAll(".choices button.head").length,
    };
  }, PATIENCE);

/** Waits until the position is another, or the game out of this hand. A press that sends nothing to the server plays nothing. */
export async function played(page, was) {
  const judge = async ([state, patience, atOnce]) => {
    const [end, soon] = [performance.now() + patience, performance.now() + atOnce];
    for (;;) {
      const battle = document.querySelector(".battle");
      if ((battle?.getAttribute("data-state") ?? "") !== state || document.querySelector(".handover") !== null) return true;
      const now = performance.now();
      if (now > end || (now > soon && !battle?.hasAttribute("data-busy"))) return false;
      await new Promise((done) => setTimeout(done, 15));
    }
  };
  return page.evaluate(judge, [was.state, PATIENCE, 2 * AT_ONCE]).catch(() => false);
}

/** Waits until the hand holds something else, or the position is another; a press that changes nothing is no fault. */
export async function handChanged(page, was) {
  const [end, soon] = [Date.now() + PATIENCE, Date.now() + AT_ONCE];
  for (let i = 0; ; i++) {
    const now = await look(page);
    // What was sent to the server is waited for; else the board answers at once or not at all.
    const done = now.busy ? Date.now() > end : now.hand !== was.hand || now.state !== was.state || (i >= 5 && Date.now() > soon);
    if (done) return now;
    await page.waitForTimeout(20);
  }
}

export async function press(page, at, was) {
  await page.mouse.click(at.x, at.y);
  return handChanged(page, was);
}

/** A row of a list, scrolled to and pressed; an answer that comes late may take it away, and then the next look decides. */
async function pressRow(page, selector, n, was) {
  await page.locator(selector).nth(n).click({ timeout: 3000 }).catch(() => {});
  return handChanged(page, was);
}

export const moved = (now, was) => now.state !== was.state || now.turn !== "mine";

/** One decision with the mouse: march, strike, play a card, or press what there is to press. */
export async function decideByMouse(page, roll, marches = 0.7) {
  const start = await look(page);
  if (start.turn !== "mine") return true;
  const pick = (list) => list[roll(list.length)];
  let now = start;
  if (now.goals.length + now.targets.length === 0 && now.may.length > 0 && roll(100) < marches * 100) now = await press(page, pick(now.may), now);
  if (moved(now, start)) return true;
  // Towards the enemy as often as anywhere else, or nothing would ever be fought out.
  const places = now.targets.length > 0 ? now.targets : now.close.length > 0 && roll(2) === 0 ? now.close : now.goals;
  if (places.length > 0) now = await press(page, pick(places), now);
  else if (now.cards.length > 0) now = await press(page, pick(now.cards), now);
  if (moved(now, start)) return true;
  if (now.brass) return pressAct(page, now.brass, start);
  if (now.plain.length > 0) return pressAct(page, pick(now.plain), start);
  return chooseFromList(page, roll, start);
}

/** A button that plays: the brass one carries out what the hand holds, a plain one passes or declines. */
export async function pressAct(page, at, start) {
  await page.mouse.click(at.x, at.y);
  return played(page, start);
}

/** Everything on the map is in the list too. */
export async function chooseFromList(page, roll, start) {
  let now = await look(page);
  if (now.rows === 0 && now.heads > 0) now = await pressRow(page, ".choices button.head", roll(now.heads), now);
  if (now.rows > 0) now = await pressRow(page, ".choices ul button", roll(now.rows), now);
  if (moved(now, start)) return true;
  return now.brass ? pressAct(page, now.brass, start) : false;
}

/** One decision with the keyboard alone. */
export async function decideByKeys(page, roll, marches = 0.6) {
  const start = await look(page);
  if (start.turn !== "mine") return true;
  let now = start;
  const key = async (name) => {
    await page.keyboard.press(name);
    now = await handChanged(page, now);
  };
  if (now.cards.length > 0) {
    const open = await page.$$eval(".hand button.card", (all) => all.flatMap((b, i) => (b.classList.contains("closed") ? [] : [i + 1])));
    await key(String(open[roll(open.length)]));
  } else if (roll(100) < marches * 100) {
    // The next piece that may act, some steps among what it may do, and Enter.
    await page.keyboard.press("Space");
    for (let i = 1 + roll(5); i > 0; i--) await page.keyboard.press("Tab");
    // With nothing in hand Tab leaves the map, as it does on any page; Enter would then follow a link.
    if (await onBoard(page)) await key("Enter");
  }
  if (moved(now, start)) return true;
  await toBoard(page);
  if (now.brass) await page.keyboard.press("Enter");
  else if (await page.locator("#decision .acts button[aria-keyshortcuts=E]").count()) await page.keyboard.press("e");
  else return listByKeys(page, roll, start);
  return played(page, start);
}

/** C goes to the list of choices, arrows walk it, Enter chooses and Enter again plays. */
async function listByKeys(page, roll, start) {
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  let now = await look(page);
  if (now.rows === 0) {
    for (let i = roll(now.heads); i > 0; i--) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    now = await handChanged(page, now);
  }
  for (let i = roll(Math.min(12, now.rows)); i >= 0; i--) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  now = await handChanged(page, now);
  if (moved(now, start)) return true;
  await page.keyboard.press("Enter");
  return played(page, start);
}

/** Enter belongs to a button in focus: the map gets it back by its skip link's key, Escape first. */
async function toBoard(page) {
  if (!(await onBoard(page))) await page.evaluate(() => document.activeElement?.blur());
}

const onBoard = (page) => page.evaluate(() => document.activeElement?.id === "map" || document.activeElement === document.body);

/** Plays one seat to the end of the battle. */
export async function playOut(page, decide, roll, most = 900) {
  let idle = 0;
  for (let n = 0; n < most; n++) {
    if ((await waitForTurn(page, ["mine", "over"])) === "over") return n;
    if (await decide(page, roll)) idle = 0;
    else {
      idle++;
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      assert(idle < 6, `nothing happens at: ${await sentence(page)}`);
    }
  }
  throw new Error(`the game did not end in ${most} decisions`);
}
