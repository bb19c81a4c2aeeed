/** When a choice is worth a warning, by its worth beside the best and by the odds of the pieces. */
import type { Choice, Hint, OddsReport, Piece, PieceId, Refusal, Side } from "../wire";

/** Warned of when it costs more than this, points. */
const COSTS = 5;
/** Or when a unit of one's own is lost as often as this. */
const OFTEN = 0.25;
/** Nothing is better that is not better by so much, points. */
const BETTER = 1;
/** The best is clear when the second is so far behind, points. */
const CLEAR = 2;
/** Shares of plays that differ by less, of 100, decide nothing. */
const TELLS = 3;

/** A unit of one's own that may be lost. */
export interface Loss {
  piece: Piece;
  p: number;
}

/** The unit of this side that is likeliest to be lost. */
export function worstLoss(report: OddsReport | undefined, pieces: Map<PieceId, Piece>, side: Side): Loss | undefined {
  const losses = (report?.pieces ?? []).flatMap((odds) => {
    const piece = pieces.get(odds.piece);
    const p = odds.fates.reduce((sum, { fate, share }) => (fate.tone === "gone" ? sum + share.p : sum), 0);
    return piece?.side === side && p > 0 ? [{ piece, p }] : [];
  });
  return losses.sort((a, b) => b.p - a.p)[0];
}

export interface Blunder {
  action: string;
  better: Choice;
  told: Refusal;
}

/** The choices that may be called sensible: never one that would be warned of. Where choices are sealed, all of them. */
export const sensible = (hint: Hint): Choice[] => hint.choices.filter((c) => c.often !== null || c.behind <= COSTS);

/** What a choice is measured by: the best that the same unit can do, where that is nearly the best of all. */
function rival(hint: Hint, chosen: Choice): Choice | undefined {
  const own = hint.choices.find((c) => c !== chosen && c.offer.piece === chosen.offer.piece && chosen.behind - c.behind > COSTS);
  return own ?? hint.choices[0];
}

/** Whether an action is a blunder, with what to say of it. Sealed choices are none: there no choice is best. */
export function blunder(hint: Hint, action: string, loss: Loss | undefined): Blunder | undefined {
  const chosen = hint.choices.find((c) => c.offer.action === action);
  const better = chosen && rival(hint, chosen);
  if (!chosen || !better || chosen === better || better.often !== null) return undefined;
  const dangerous = loss !== undefined && loss.p >= OFTEN && chosen.behind > BETTER;
  if (chosen.behind <= COSTS && !dangerous) return undefined;
  const reply = chosen.line.find((step) => step.side !== hint.side);
  const then = reply ? ` A typical reply: “${reply.title}”.` : "";
  const lost = dangerous ? `${loss.piece.name} is lost in ${Math.round(loss.p * 100)} of 100 plays. ` : "";
  return {
    action,
    better,
    told: { what: `${chosen.title}: a costly choice`, why: `${lost}It costs you about ${Math.round(chosen.behind - better.behind)} points against “${better.title}”.${then}`, rule: null },
  };
}

/** Whether a choice shows that its kind of decision is understood: it costs nothing beside the best that could be seen. */
export function answeredWell(hint: Hint, action: string): boolean {
  const chosen = hint.choices.find((c) => c.offer.action === action);
  if (!chosen) return false;
  return chosen.often !== null ? chosen.often >= 0.2 : chosen.behind < BETTER;
}

/** What decides between the two best, said of the first: a reason for it, or else its price. */
function decides(hint: Hint, pieces: Map<PieceId, Piece>): string | undefined {
  const [first, second] = hint.decides?.shares ?? [];
  const piece = hint.decides?.piece === null ? undefined : pieces.get(hint.decides?.piece ?? -1);
  if (!piece || first === undefined || second === undefined) return undefined;
  // A unit that neither choice is about tells nothing of them.
  const about = hint.choices.slice(0, 2).flatMap(({ offer }) => [offer.piece, ...offer.targets]);
  const [a, b] = [Math.round(first * 100), Math.round(second * 100)];
  if (!about.includes(piece.id) || Math.abs(a - b) < TELLS) return undefined;
  const own = piece.side === hint.side;
  if (own === first < second) return own ? `Keeps ${piece.name} safer: lost in ${a} of 100 plays, otherwise in ${b}.` : `${piece.name} is destroyed in ${a} of 100 plays, otherwise in ${b}.`;
  return own ? `Worth its price: ${piece.name} is lost in ${a} of 100 plays.` : undefined;
}

/** Why a choice is sensible, in a sentence. */
export function reason(hint: Hint, c: Choice, nth: number, pieces: Map<PieceId, Piece> = new Map()): string {
  const told = nth === 0 ? decides(hint, pieces) : undefined;
  if (told) return told;
  const note = c.offer.notes.find((n) => n.warning || n.stop) ?? c.offer.notes[0];
  if (note) return note.text;
  if (c.often !== null) return "";
  const [best, second] = hint.choices;
  if (nth === 0) return hint.clear && (second?.behind ?? 0) >= CLEAR ? "Clearly the best here." : "The best here, by a little.";
  // The same numbers as stand beside the choices.
  const behind = Math.round(best.margin) - Math.round(c.margin);
  return behind >= 1 ? `${behind} ${behind === 1 ? "point" : "points"} behind A.` : "As good as A.";
}
