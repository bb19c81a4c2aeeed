/** When a standing order applies: how likely the best of the offers harms an enemy, and how far the nearest target is. */
import { corners, poseOf, sizeOf } from "../table/pose";
import type { OddsReport, Offer, Piece, Side, View } from "../wire";
import type { Sheet } from "./ground";
import { hexOf } from "./offers";

/** More offers than these are not weighed one by one: the player is asked. */
export const MOST_WEIGHED = 16;

export interface Thresholds {
  /** Only below this chance of harming an enemy, in per cent. */
  below?: number;
  /** Only beyond this distance, in hexes or inches. */
  beyond?: number;
  /** Only a roll that may well stand is not rolled again. */
  stands?: true;
  /** Until a target is in contact; then the order is lifted. */
  contact?: true;
}

type Point = [number, number];

const HARMED = new Set(["hurt", "yields", "gone"]);

/** How likely an action harms an enemy of `side` at most; of a sample the upper end of its interval. */
export function harm(report: OddsReport, view: View, side: Side): number {
  const enemies = new Set(view.pieces.filter((p) => p.side !== side).map((p) => p.id));
  const of = (fates: OddsReport["pieces"][number]["fates"]) =>
    fates.filter((f) => HARMED.has(f.fate.tone)).reduce((sum, f) => sum + f.share.p + f.share.within, 0);
  return Math.min(1, Math.max(0, ...report.pieces.filter((p) => enemies.has(p.piece)).map((p) => of(p.fates))));
}

function toSegment([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

/** Between the edges of two blocks that do not overlap. */
function gap(a: Point[], b: Point[]): number {
  const one = (from: Point[], to: Point[]) => Math.min(...from.flatMap((p) => to.map((q, i) => toSegment(p, q, to[(i + 1) % to.length]))));
  return Math.min(one(a, b), one(b, a));
}

/** How far two pieces are apart, in hexes or, on a table, inches; unknown beside the map. */
export function apart(a: Piece, b: Piece, sheet: Sheet): number | undefined {
  if (sheet.grid) {
    const [from, to] = [a, b].map((p) => sheet.grid!.hex(hexOf(p.place) ?? ""));
    return from && to ? sheet.grid.distance(from, to) : undefined;
  }
  const [from, to] = [a, b].map((p) => poseOf(p.place));
  return from && to ? gap(corners(from, sizeOf(a.footprint)), corners(to, sizeOf(b.footprint))) / 1000 : undefined;
}

/** Closer than this is contact: the next hex, or bases that touch. */
export const inContact = (distance: number, sheet: Sheet): boolean => distance <= (sheet.grid ? 1 : 0.1);

/** The distance of the nearest target of any of these offers; unknown where one of them has none. */
export function nearest(offers: Offer[], view: View, sheet: Sheet): number | undefined {
  const piece = (id: number | null) => view.pieces.find((p) => p.id === id);
  const all = offers.flatMap((o) => {
    const by = piece(o.piece);
    const at = o.targets.map(piece);
    return by && at.length > 0 ? at.map((t) => (t ? apart(by, t, sheet) : undefined)) : [undefined];
  });
  return all.length > 0 && all.every((d) => d !== undefined) ? Math.min(...all) : undefined;
}
