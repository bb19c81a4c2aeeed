/** Two units and the charts: which rows and columns speak of them. */
import type { Chart, Fire, Offer, OfferNote, Piece, Prospect } from "../wire";
import { type Sheet, pointOf } from "./ground";
import { hexOf } from "./offers";

export interface Pairing {
  by: Piece;
  at: Piece;
  /** What the engine says of this fire or fight now, if it is under way. */
  fire?: Fire;
  /** What may be done by the one to the other. */
  offers: Offer[];
  /** Hexes between them; none on a table. */
  hexes?: number;
  /** Inches between them; none on hexes. */
  inches?: number;
  /** On a table, what the engine says of the fire of the one at the other, also when it is nobody's turn to fire. */
  notes: OfferNote[];
  /** The rows and columns of the charts that the engine names for them. */
  labels: string[];
}

const plain = (text: string) => text.toLowerCase().replace(/[−–]/g, "-").replace(/[■●*]/g, "").replace(/\s+/g, " ").trim();

export function pairing(by: Piece, at: Piece, fires: Fire[], offers: Offer[], sheet: Sheet, prospects: Prospect[] = []): Pairing {
  const would = prospects.find((p) => p.at === at.id);
  const now = fires.find((f) => f.by.includes(by.id) && f.at.includes(at.id));
  const of = { by, at, fire: now ?? would?.fire ?? undefined, notes: would?.notes ?? [], labels: would?.labels ?? [], offers: offers.filter((o) => o.piece === by.id && o.targets.includes(at.id)) };
  const { grid } = sheet;
  if (grid) {
    const [a, b] = [by, at].map((p) => grid.hex(hexOf(p.place) ?? ""));
    return { ...of, hexes: a && b ? grid.distance(a, b) : undefined };
  }
  const [a, b] = [by, at].map((p) => pointOf(sheet, p.place));
  return { ...of, inches: a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) / 60 : undefined };
}

/** The words that charts may use for these two and what lies between them. */
export function words(pair: Pairing, sheet: Sheet): Set<string> {
  const { by, at, fire, offers, hexes } = pair;
  const out = new Set<string>(pair.labels.map(plain));
  // On a table the engine has named them all.
  if (!sheet.grid) return out;
  for (const piece of [by, at]) {
    out.add(plain(piece.arm.replace(/-/g, " ")));
    const figures = piece.figures.map((f) => plain(f.value));
    for (const value of figures) if (!/^[-+]?\d/.test(value)) out.add(value).add(`${plain(piece.arm)} ${value}`);
    const face = sheet.faces.get(hexOf(piece.place) ?? "");
    if (face && piece === at) out.add(plain(face.terrain));
  }
  if (hexes !== undefined) out.add(`range ${hexes}`);
  for (const m of [...(fire?.modifiers ?? [])]) out.add(plain(m.reason));
  // Odds are written as a column of their chart.
  for (const note of offers.flatMap((o) => o.notes)) for (const found of note.text.matchAll(/\b\d+-\d+\b/g)) out.add(found[0]);
  for (const m of fire?.modifiers ?? []) for (const found of m.reason.matchAll(/\b\d+-\d+\b/g)) out.add(found[0]);
  return out;
}

export interface Lit {
  rows: Set<number>;
  columns: Set<number>;
}

/** What of a chart speaks of a pair: only where its label says exactly that. */
export function lit(chart: Chart, said: Set<string>): Lit {
  const rows = new Set(chart.rows.flatMap((row, i) => (said.has(plain(row[0])) ? [i] : [])));
  const byRange = plain(chart.columns[0] ?? "") === "range";
  const columns = new Set(chart.columns.flatMap((name, i) => (i > 0 && (said.has(plain(name)) || (byRange && said.has(`range ${plain(name)}`))) ? [i] : [])));
  return { rows, columns };
}
