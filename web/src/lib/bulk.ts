/** The same thing done by several units, one after the other. Nothing here decides what is legal: each is played as an offer of its own. */
import type { Offer, PieceId } from "../wire";
import { isButton, plain } from "./offers";
import { capital } from "./words";

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

/** The kinds of things that two or more units could do in the same words but for their names, each in one way only. */
export function bulks(offers: Offer[], name: (piece: PieceId) => string): Bulk[] {
  const byVerb = new Map<string, Offer[]>();
  for (const o of plain(offers)) {
    if (o.piece === null || isButton(o) || o.shares.length > 0) continue;
    byVerb.set(o.verb, [...(byVerb.get(o.verb) ?? []), o]);
  }
  return [...byVerb].flatMap(([verb, list]) => {
    const pieces = [...new Set(list.map((o) => o.piece!))];
    const words = new Set(list.map((o) => o.label.replace(name(o.piece!), "").trim()));
    if (pieces.length < 2 || pieces.length < list.length || words.size > 1 || words.has("")) return [];
    const what = list.every((o) => o.label === list[0].label) ? list[0].label : capital(verb);
    return [{ verb, label: `${what}: all ${pieces.length}`, pieces }];
  });
}
