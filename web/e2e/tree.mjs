/**
 * Hands that know only what a screen reader reads out: roles, names and states of the accessibility tree. Nothing is found by
 * class or place, and every press is Enter on what has the focus.
 */
import { expect } from "@playwright/test";
import { assert } from "./lib.mjs";

/** How long the computer may think, and the server take on a busy machine. */
const PATIENCE = 60_000;
/** A press that changes nothing is no fault: so long is waited for a change. */
const SOON = 4_000;

const decision = (page) => page.getByRole("region", { name: "Decision", exact: true });
const choices = (page) => page.getByRole("region", { name: "Choices", exact: true });

const told = async (region) => ((await region.count()) === 0 ? "" : region.ariaSnapshot());
const heard = async (page) => `${await told(decision(page))}\n${await told(choices(page))}`;

/** What does not decide anything. */
const ASIDE = /^(Rule |Undo|Ask to take back|Don't ask|Copy|Everyone else holds$|Let moves go by until|Never roll)/;

/** The names of the buttons of the decision that can be pressed. */
async function buttons(page) {
  const lines = (await told(decision(page))).split("\n").filter((line) => !line.includes("[disabled]"));
  // A line with a colon in its name stands in quotes, in which a quote is doubled.
  const plain = lines.map((line) => line.replace(/^\s*- '(.*)':?$/, (_, quoted) => `- ${quoted.replaceAll("''", "'")}`));
  return plain.flatMap((line) => /- button "((?:[^"\\]|\\.)*)"/.exec(line)?.[1].replace(/\\(.)/g, "$1") ?? []).filter((name) => !ASIDE.test(name));
}

const heading = (page) => decision(page).getByRole("heading").innerText();

const over = async (page) => (await decision(page).getByRole("button", { name: "Replay", exact: true }).count()) > 0;

/** Until something can be decided, or the battle is over. */
async function untilAsked(page) {
  await expect.poll(async () => (await over(page)) || (await choices(page).count()) > 0 || (await buttons(page)).length > 0, { timeout: PATIENCE }).toBe(true);
}

/** Presses, and waits for what is read out then; false if it stays the same. */
async function press(page, locator) {
  const before = await heard(page);
  await locator.first().press("Enter", { timeout: SOON }).catch(() => {});
  return expect.poll(() => heard(page), { timeout: SOON }).not.toBe(before).then(() => true, () => false);
}

/** One decision: a row of the list, or a button of the prompt. */
async function decide(page, roll) {
  const named = await buttons(page);
  if (named.includes("Skip to now ↵") || named.some((name) => name.startsWith("Skip to now"))) return press(page, decision(page).getByRole("button", { name: /^Skip to now/ }));
  const rows = choices(page).getByRole("listitem").getByRole("button");
  const heads = choices(page).getByRole("button", { expanded: false });
  if (named.length === 0 || roll(100) < 55) {
    if ((await rows.count()) === 0 && (await heads.count()) > 0) await press(page, heads.nth(roll(await heads.count())));
    if ((await rows.count()) > 0) {
      const changed = await press(page, rows.nth(roll(Math.min(12, await rows.count()))));
      const held = choices(page).getByRole("button", { pressed: true });
      return (await held.count()) > 0 ? press(page, held) : changed;
    }
  }
  if (named.length === 0) return false;
  const button = decision(page).getByRole("button", { name: named[roll(named.length)], exact: true });
  const changed = await press(page, button);
  // Whoever would be left out is named once; the second press ends the phase.
  return changed || press(page, button);
}

/** Plays one seat to the end of the battle; answers how many decisions that took, and the last words. */
export async function playByTree(page, roll, most = 900) {
  for (let n = 0, idle = 0; n < most; n++) {
    await untilAsked(page);
    if (await over(page)) return { n, words: await heading(page) };
    idle = (await decide(page, roll)) ? 0 : idle + 1;
    assert(idle < 8, `nothing happens at: ${await heading(page)}`);
  }
  throw new Error(`the game did not end in ${most} decisions`);
}
