/** The log as it is read: the newest first, under the time at which it happened. */
import { inches, poseOf } from "../table/pose";
import type { Entry, LogLine } from "../wire";

export interface Row {
  key: string;
  moment: number;
  entry: Entry;
  /** A prepared order decided it; said once a moment. */
  ordered: boolean;
}

export interface Group {
  title: string;
  rows: Row[];
}

/** A march that the other side could have broken off goes on: it is one march to the reader. */
const goesOn = (row: Row | undefined, entry: Entry): boolean =>
  row !== undefined && entry.kind === "march" && row.entry.kind === "march" && row.entry.text === entry.text && row.entry.side === entry.side && row.entry.pieces[0] === entry.pieces[0];

/** On a table a march tells how far it went: `Red Cavalry moves 4.5 in.` */
function told(entry: Entry): Entry {
  if (entry.kind !== "march" || !/\b(moves?|rides)\.$/.test(entry.text)) return entry;
  const poses = entry.places.map(poseOf).filter((p) => p !== undefined);
  const far = poses.slice(1).reduce((sum, p, i) => sum + Math.hypot(p.x - poses[i].x, p.y - poses[i].y), 0) / 1000;
  return far < 0.05 ? entry : { ...entry, text: entry.text.replace(/\.$/, ` ${inches(far)} in.`) };
}

/** Entries of time are the heads of what follows; the newest group first, and of it no more than so many rows in all. */
export function groupsOf(log: LogLine[], last?: number): Group[] {
  const out: Group[] = [{ title: "", rows: [] }];
  for (const line of log)
    line.entries.forEach((entry, i) => {
      const { rows } = out[out.length - 1];
      if (entry.kind === "time") out.push({ title: entry.text.replace(/\.$/, ""), rows: [] });
      else if (goesOn(rows.at(-1), entry)) {
        const row = rows.pop()!;
        rows.push({ ...row, entry: { ...row.entry, places: [...row.entry.places, ...entry.places] } });
      }
      else rows.push({ key: `${line.moment}.${i}`, moment: line.moment, entry, ordered: (line.ordered ?? false) && i === 0 });
    });
  // A phase in which nothing happened is told only while it lasts.
  const full = out.filter((g, i) => g.rows.length > 0 || (g.title !== "" && i === out.length - 1)).reverse().map((g) => ({ ...g, rows: g.rows.map((row) => ({ ...row, entry: told(row.entry) })).reverse() }));
  if (last === undefined) return full;
  let left = last;
  const short: Group[] = [];
  for (const g of full) {
    if (left <= 0) break;
    short.push({ ...g, rows: g.rows.slice(0, left) });
    left -= Math.max(1, g.rows.length);
  }
  return short;
}
