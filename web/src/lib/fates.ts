/** What may become of the pieces, for the panel of odds: words and tones come from the rules, not from here. */
import type { Share } from "../parts/OddsBar.svelte";
import type { PieceOdds } from "../wire";
import { binomial } from "./words";

/** The bar of one piece, from the best to the worst. */
export function shares(piece: PieceOdds): Share[] {
  return piece.fates.map(({ fate, share }) => ({ label: fate.word, tone: fate.tone, value: share.p }));
}

/** How likely it is that a piece stays as it was, or does as it was told. */
function steady(piece: PieceOdds): number {
  return piece.fates.reduce((sum, { fate, share }) => (fate.tone === "holds" ? sum + share.p : sum), 0);
}

/** How many pieces a panel shows. */
const SHOWN = 6;

/** Those to whom most can happen first; whom next to nothing can happen to is left out, unless it is so for all. */
export function ofConcern(pieces: PieceOdds[]): PieceOdds[] {
  const all = [...pieces].sort((a, b) => steady(a) - steady(b));
  const some = all.filter((piece) => steady(piece) < 0.99);
  return (some.length > 0 ? some : all).slice(0, SHOWN);
}

/** What a fire of so many dice may do, in the fewest words: nothing, one hit, or more. */
export function hits(dice: number, p: number): Share[] {
  const [none, one, ...more] = binomial(dice, p);
  return [
    { label: "no hit", tone: "holds", value: none },
    { label: "1 hit", tone: "hurt", value: one ?? 0 },
    ...(more.length > 0 ? [{ label: "2 or more", tone: "yields" as const, value: more.reduce((sum, share) => sum + share, 0) }] : []),
  ];
}
