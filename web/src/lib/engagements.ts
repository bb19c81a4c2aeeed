/** Engagements to choose from: each a unit with the enemies it would fight, numbered as they are listed. */
import type { Offer, PieceId } from "../wire";

export interface Engagement {
  /** From 1, as on the map and in the list. */
  number: number;
  offer: Offer;
  pieces: PieceId[];
}

/** More would hide the map they are drawn on. */
const MOST = 12;

/** What there is to choose from, if the choice is between fights in different places; else none. */
export function engagements(onMap: Offer[]): Engagement[] {
  const fights = onMap.every((o) => o.piece !== null && o.place === null && o.targets.length > 0 && o.shares.length === 0);
  if (!fights || onMap.length < 2 || onMap.length > MOST) return [];
  const all = onMap.map((offer, i) => ({ number: i + 1, offer, pieces: [offer.piece!, ...offer.targets] }));
  const counted = new Set(all.flatMap((e) => e.pieces));
  // Fights that share a unit are ways to fight the same one.
  return counted.size === all.reduce((n, e) => n + new Set(e.pieces).size, 0) ? all : [];
}
