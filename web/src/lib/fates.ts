/** What may become of the pieces, for the panel of odds: words and tones come from the rules, not from here. */
import type { Share } from "../parts/OddsBar.svelte";
import type { PieceOdds } from "../wire";

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
