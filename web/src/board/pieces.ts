/** From wire pieces to counter faces and stacks. */
import type { CounterFace } from "../counters/face";
import { LIVERIES, type Livery } from "../counters/livery";
import type { BySide, Piece } from "../wire";
import { hexOf } from "../lib/offers";

export function faceOf(piece: Piece, liveries: BySide<Livery>): CounterFace {
  return {
    livery: LIVERIES[piece.livery ?? ""] ?? liveries[piece.side],
    name: piece.name,
    arm: piece.arm,
    band: piece.band ?? undefined,
    big: piece.big,
    small: piece.small,
    gauge: piece.gauge ?? undefined,
    state: piece.state ?? undefined,
    badges: piece.badges,
    spent: piece.spent,
    hidden: piece.hidden,
  };
}

/** Pieces by hex, leaders last. */
export function stacks(pieces: Piece[]): Map<string, Piece[]> {
  const out = new Map<string, Piece[]>();
  for (const p of pieces) {
    const hex = hexOf(p.place);
    if (hex === undefined) continue;
    const list = out.get(hex);
    if (list) list.push(p);
    else out.set(hex, [p]);
  }
  for (const list of out.values()) list.sort((a, b) => Number(a.arm === "leader") - Number(b.arm === "leader"));
  return out;
}

export interface Placed {
  piece: Piece;
  /** Offset of its corner from the hex's middle, px. */
  dx: number;
  dy: number;
  size: number;
}

/** A closed stack: steps up and right, the top whole, a leader's disc over the lower right corner, where no number stands. */
export function layStack(list: Piece[], side: number): { placed: Placed[]; more: number } {
  const step = side >= 60 ? 10 : side >= 38 ? 7 : 4;
  const troops = list.filter((p) => p.arm !== "leader");
  const leaders = list.filter((p) => p.arm === "leader");
  const shown = troops.slice(0, 3).reverse();
  const shift = ((shown.length - 1) * step) / 2;
  const placed: Placed[] = shown.map((piece, i) => {
    // The first of the troops, which a click picks up first, lies whole on top; the others step up to the right below it.
    const depth = shown.length - 1 - i;
    return { piece, size: side, dx: -side / 2 - shift + depth * step, dy: -side / 2 + shift - depth * step };
  });
  const disc = troops.length > 0 ? side * 0.6 : side;
  leaders.slice(-1).forEach((piece) =>
    placed.push({
      piece,
      size: disc,
      dx: troops.length > 0 ? side / 2 - shift - disc * 0.62 : -disc / 2,
      dy: troops.length > 0 ? side / 2 + shift - disc * 0.55 : -disc / 2,
    }),
  );
  const hidden = troops.length - shown.length + Math.max(0, leaders.length - 1);
  return { placed, more: hidden > 0 ? list.length : 0 };
}
