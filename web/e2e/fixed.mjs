/** Battles with fixed dice: the same decisions lead to the same battle on every machine, every time. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";
import { assert } from "./lib.mjs";

const scenarioOf = (id) => parse(readFileSync(fileURLToPath(new URL(`../../scenarios/${id}.toml`, import.meta.url)), "utf8"));

/** A lesson's dice are fixed. This one has nothing to teach: it is the scenario from its beginning. */
const lesson = (scenario, plays, opponent, seed) => `
system = "${scenario.split("/")[0]}"
title = "${scenarioOf(scenario).title}"
scenario = "${scenario}"

[lesson]
learns = "Nothing"
minutes = 1
plays = "${plays}"
opponent = "${opponent}"
seed = ${seed}
task = "Play."
why = "Played."
learnt = []
hints = ["Play.", "Play on."]

[[page]]
says = "Play."

[[goal]]
words = "Played"
facts = { "winner" = "nobody" }

[[try]]
name = "solution"
play = ["pass"]
expect = "solved"

[[try]]
name = "wrong"
play = ["pass"]
expect = "unsolved"
`;

const SIDES = ["first", "second"];
const TRIES = 6;

/** Begins a battle whose dice come from a seed; the computer has the other side. */
export async function fixedSeat(base, { scenario, side = 0, opponent = "captain", seed = 1 }) {
  const plays = scenarioOf(scenario).side?.[side].id ?? ["usa", "csa"][side];
  const human = { kind: "here", name: "Ada" };
  const body = { scenario: `${scenario.split("/")[0]}/fixed`, text: lesson(scenario, plays, opponent, seed), seats: { first: human, second: human }, salt: "00".repeat(16) };
  const begin = () => fetch(`${base}/api/v1/games`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  let answer = await begin();
  // A battle in a file has a few seconds to be set up in: on a crowded machine the largest ones may need another try.
  for (let tries = 1; tries < TRIES && !answer.ok; tries++) answer = await begin();
  const made = await answer.json();
  assert(answer.ok, `${scenario}: ${made.message}`);
  return { game: made.game, side: SIDES[side], token: made.seats[SIDES[side]].token };
}

/** Sits down at a battle that has begun. */
export async function sitAt(page, seat) {
  // Any page of the server's will do to put the seat into its storage.
  await page.goto(`${page.base}/healthz`);
  await page.evaluate((held) => localStorage.setItem("linstock.vault", JSON.stringify({ name: "Ada", seats: [held], invitations: [] })), seat);
  await page.goto(`${page.base}/#/game/${seat.game}`);
  await page.waitForSelector("#map[data-drawn]", { timeout: 90_000 });
}

export const beginFixed = async (page, battle) => sitAt(page, await fixedSeat(page.base, battle));
