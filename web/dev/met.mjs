// Which rules are met in which battles: plays each battle of the library once, computer against computer, and writes what the log
// cites into rules/<system>/met.tsv. node dev/met.mjs, with a server at LINSTOCK_SERVER.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";

const server = process.env.LINSTOCK_SERVER ?? "http://127.0.0.1:1863";
const get = async (path) => (await fetch(server + path)).json();
const post = async (path, body) => (await fetch(server + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })).json();

/** Rules that an entry of the log rests on. */
const cited = (entry) => [...entry.rules, ...(entry.roll ? [entry.roll.rule, ...entry.roll.modifiers.map((m) => m.rule)] : [])];

async function play(scenario) {
  const ensign = { kind: "computer", level: "ensign" };
  const { game } = await post("/api/v1/games", { scenario, seats: { first: ensign, second: ensign }, salt: randomBytes(16).toString("hex"), public: true });
  while ((await get(`/api/v1/games/${game}`)).status.kind !== "over") await new Promise((r) => setTimeout(r, 500));
  const { log } = await get(`/api/v1/games/${game}/position?log_from=0`);
  return new Set(log.flatMap((line) => line.entries.flatMap(cited)));
}

const met = new Map();
for (const { id, system } of await get("/api/v1/scenarios")) {
  const rules = await play(id);
  const book = met.get(system) ?? new Map();
  for (const rule of rules) book.set(rule, [...(book.get(rule) ?? []), id]);
  met.set(system, book);
  console.log(`${id}: ${rules.size} rules`);
}
for (const [system, book] of met) {
  const order = (await get(`/api/v1/systems/${system}/rules`)).map((r) => r.id).filter((id) => book.has(id));
  const head = "# Battles in which a rule was met, by web/dev/met.mjs: one play of each, computer against computer.\n";
  writeFileSync(new URL(`../../rules/${system}/met.tsv`, import.meta.url), head + order.map((id) => [id, ...book.get(id)].join("\t")).join("\n") + "\n");
}
