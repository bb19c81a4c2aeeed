/** What somebody points at on the map: a lesson's numbered places, a coach's choices. */
import { pointOf, type Sheet } from "../lib/ground";
import type { Point } from "../map/survey";
import type { Board, LookAt, Piece, Place } from "../wire";

export interface MapNote {
  place: Place;
  /** `number` is a place spoken of, `letter` a choice offered, `goal` where to go, `spot` is only left in the light, `cross` where a try went wrong. */
  tone: "number" | "letter" | "goal" | "spot" | "cross";
  /** The number or letter. */
  sign: string;
  label?: string;
  /** The disc stands at the corner of the piece there, not over it. */
  piece: boolean;
}

export interface MapNotes {
  notes: MapNote[];
  /** Everything else lies under a veil. */
  veil: boolean;
}

/** The middle of a named piece of terrain, thousandths of an inch. */
function terrain(board: Board, name: string): Place | undefined {
  if (!("table" in board.ground)) return undefined;
  const found = board.ground.table.terrain.find((t) => t.name === name || t.kind === name);
  if (!found || found.points.length === 0) return undefined;
  const mean = (axis: 0 | 1) => Math.round(found.points.reduce((s, p) => s + p[axis], 0) / found.points.length);
  return { pose: { x: mean(0), y: mean(1), facing: 0 } };
}

/** Where something spoken of lies on the map; nowhere for a part of the screen. */
export function placeOf(at: LookAt, board: Board, sheet: Sheet, pieces: Iterable<Piece>): Place | undefined {
  if ("piece" in at) {
    const found = [...pieces].find((p) => p.slug === at.piece)?.place;
    return found && !("box" in found) ? found : undefined;
  }
  if ("hex" in at) return { hex: at.hex };
  if ("point" in at) return { pose: { x: at.point[0], y: at.point[1], facing: 0 } };
  if ("panel" in at) return undefined;
  const low = at.place.toLowerCase();
  const hex = [...sheet.faces.values()].find((f) => f.hex === at.place || f.name?.toLowerCase() === low);
  return hex ? { hex: hex.hex } : terrain(board, at.place);
}

/** Where a caption may stand, hexes below the middle of its place: under it, else above it, else a little lower. */
const SPOTS = [0.52, -0.52, 0.86, -0.86];

/** The first of those spots at which a caption so wide (in hexes) covers no counter. */
export function captionSpot(at: Point, hex: number, wide: number, counters: Point[]): number {
  const [halfWide, halfHigh, half] = [wide / 2, 0.13, 0.31];
  const free = (dy: number) => !counters.some(([x, y]) => Math.abs(x - at[0]) / hex < halfWide + half && Math.abs(y - (at[1] + dy * hex)) / hex < halfHigh + half);
  return SPOTS.find(free) ?? SPOTS[0];
}

/** The notes that lie on the sheet, each with its point; one place bears its discs side by side. */
export function laid(sheet: Sheet, notes: MapNote[]): { note: MapNote; at: Point; nth: number }[] {
  const there = new Map<string, number>();
  return notes.flatMap((note) => {
    const at = pointOf(sheet, note.place);
    if (!at) return [];
    const key = at.map(Math.round).join();
    const nth = there.get(key) ?? 0;
    if (note.sign !== "") there.set(key, nth + 1);
    return [{ note, at, nth }];
  });
}
