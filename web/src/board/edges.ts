/** Which pieces lie outside the free part of the window, and beyond which edge. */
import { pointOf, type Sheet } from "../lib/ground";
import type { Point } from "../map/survey";
import type { Rect } from "../table/labels";
import type { Piece } from "../wire";

export const EDGES = ["north", "east", "south", "west"] as const;
export type Edge = (typeof EDGES)[number];

export function beyond(pieces: Piece[], sheet: Sheet, px: (p: Point) => Point, free: Rect): Record<Edge, Piece[]> {
  const out: Record<Edge, Piece[]> = { north: [], east: [], south: [], west: [] };
  for (const piece of pieces) {
    const at = pointOf(sheet, piece.place);
    const edge = at && edgeOf(px(at), free);
    if (edge) out[edge].push(piece);
  }
  return out;
}

/** The edge a point lies farthest beyond; none inside. */
export function edgeOf([x, y]: Point, { x: left, y: top, w, h }: Rect): Edge | undefined {
  const over: [Edge, number][] = [["north", top - y], ["east", x - left - w], ["south", y - top - h], ["west", left - x]];
  const [edge, by] = over.sort((a, b) => b[1] - a[1])[0];
  return by > 0 ? edge : undefined;
}
