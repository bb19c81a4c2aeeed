/** What the timeline shows, from the log alone. */
import type { Board, BySide, FairScore, LogLine, Side } from "../wire";
import type { Livery } from "../counters/livery";
import type { Event, Luck, Turn } from "../parts/Timeline.svelte";
import { BOTH, chance } from "./words";

/** Turns begin where an entry of time stands. */
export function turnsOf(log: LogLine[], last: number): Turn[] {
  const starts: { label: string; from: number }[] = [];
  for (const line of log)
    for (const e of line.entries) {
      if (e.kind !== "time") continue;
      const label = /\b(?:Hour|Turn)\s+(\d+)/i.exec(e.text)?.[1];
      if (label !== undefined && starts[starts.length - 1]?.label !== label) starts.push({ label, from: line.moment });
    }
  if (starts.length === 0) return [{ label: "", from: 0, to: last }];
  if (starts[0].from > 0) starts[0].from = 0;
  return starts.map((s, i) => ({ ...s, to: i + 1 < starts.length ? starts[i + 1].from - 1 : last }));
}

export function eventsOf(log: LogLine[], liveries: BySide<Livery>): Event[] {
  return log.flatMap((line) =>
    line.entries
      .filter((e) => e.kind === "gone" || e.kind === "score")
      .map((e) => ({
        moment: line.moment,
        text: e.text.length > 34 ? `${e.text.slice(0, 32)}…` : e.text.replace(/\.$/, ""),
        fill: e.side ? liveries[e.side].fill : "var(--line-2)",
        edge: e.side ? liveries[e.side].edge : "var(--ink)",
      })),
  );
}

export interface LuckRow {
  side: Side;
  what: string;
  due: number;
  came: number;
  /** Chance of so much or more. */
  so: number;
}

/** A roll of one piece at another is fire, unless it says otherwise. */
function kindOf(kind: string, text: string, against: boolean): string {
  if (kind === "melee") return "melee";
  if (kind === "check" || /\bcheck/i.test(text)) return "morale";
  return kind === "fire" || against ? "fire" : "other";
}

/** Every die that was tested: passes against expectation. */
export function luckOf(log: LogLine[], board: Board, liveries: BySide<Livery>, dark: boolean): { plot: Luck[]; rows: LuckRow[] } {
  const running: BySide<number> = { first: 0, second: 0 };
  const lines: BySide<[number, number][]> = { first: [], second: [] };
  const dice: Record<string, { side: Side; what: string; p: number[]; came: number }> = {};
  for (const line of log)
    for (const e of line.entries) {
      const r = e.roll;
      if (!r || !r.need || !r.die || !e.side) continue;
      const p = chance({ die: r.die, need: r.need });
      const what = kindOf(e.kind, e.text, r.by !== null && r.at !== null && r.by !== r.at);
      if (what === "fire" || what === "melee") {
        running[e.side] += r.result - p * r.faces.length;
        lines[e.side].push([line.moment, running[e.side]]);
      }
      const tally = (dice[`${e.side} ${what}`] ??= { side: e.side, what, p: [], came: 0 });
      for (let i = 0; i < r.faces.length; i++) tally.p.push(p);
      tally.came += r.result;
    }
  return {
    plot: BOTH.map((side) => ({
      name: board.sides[side].name,
      colour: dark ? liveries[side].textDark : liveries[side].text,
      dashed: liveries[side].corners === "cut",
      line: lines[side],
    })),
    rows: Object.values(dice).map((t) => ({ side: t.side, what: t.what, due: t.p.reduce((a, b) => a + b, 0), came: t.came, so: atLeast(t.p, t.came) })),
  };
}

/** The score as it stood after `moment`, what the dice had given by then, and what is left without it. */
export function fairAt(score: FairScore, moment: number, stands: BySide<number> | undefined, board: Board): { stands: string; gave: string; without: string } {
  const lead = stands ? stands.first - stands.second : score.lead;
  const luck = score.swings.reduce((sum, s) => (s.moment <= moment ? sum + s.lead : sum), 0);
  const ahead = (points: number, digits: number) => {
    const shown = Math.abs(points).toFixed(digits);
    return Number(shown) === 0 ? "even" : `${board.sides[points > 0 ? "first" : "second"].name} +${shown}`;
  };
  return { stands: ahead(lead, 0), gave: ahead(luck, 1), without: ahead(lead - luck, 1) };
}

/** Exact chance that so many or more of unequal tests pass. */
export function atLeast(p: number[], came: number): number {
  let row = [1];
  for (const q of p) {
    const next = new Array<number>(row.length + 1).fill(0);
    row.forEach((v, k) => {
      next[k] += v * (1 - q);
      next[k + 1] += v * q;
    });
    row = next;
  }
  return Math.min(1, row.slice(Math.max(0, came)).reduce((a, b) => a + b, 0));
}
