/** The same thing done by several units, one after the other. Nothing here decides what is legal: each is played as an offer of its own. */
import type { Offer, PieceId } from "../wire";
import { isButton, plain } from "./offers";

/** What several units could each do without pointing at anything: hold, rally, take a test. */
export interface Bulk {
  verb: string;
  /** On the button: `Hold: all 4`. */
  label: string;
  pieces: PieceId[];
}

/** What one unit would do as its part. */
export const partOf = (offers: Offer[], verb: string, piece: PieceId): Offer | undefined =>
  plain(offers).find((o) => o.verb === verb && o.piece === piece && !isButton(o) && o.shares.length === 0);

/** The kinds of things that two or more units could do in the same words, each in one way only. */
export function bulks(offers: Offer[]): Bulk[] {
  const byVerb = new Map<string, Offer[]>();
  for (const o of plain(offers)) {
    if (o.piece === null || isButton(o) || o.shares.length > 0) continue;
    byVerb.set(o.verb, [...(byVerb.get(o.verb) ?? []), o]);
  }
  return [...byVerb].flatMap(([verb, list]) => {
    const pieces = [...new Set(list.map((o) => o.piece!))];
    const same = pieces.length === list.length && list.every((o) => o.label === list[0].label);
    return same && pieces.length > 1 ? [{ verb, label: `${list[0].label}: all ${pieces.length}`, pieces }] : [];
  });
}
