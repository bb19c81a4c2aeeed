/** What is said: for screen readers and captions. */
import type { Board, BySide, GameFace, HexFace, LogLine, Modifier, Need, Offer, Piece, Side, Status, Test, Undo } from "../wire";

export const other = (side: Side): Side => (side === "first" ? "second" : "first");
export const BOTH: Side[] = ["first", "second"];

export const of = <T>(by: BySide<T>, side: Side): T => by[side];

export function signed(n: number): string {
  if (n === 0) return "0";
  return n > 0 ? `+${n}` : `−${-n}`;
}

const spoken = (text: string) => text.replace(/[−-](?=\d)/g, "minus ").replace(/\+(?=\d)/g, "plus ");

export function needWords(need: Need): string {
  return "at_most" in need ? `${need.at_most} or less` : `${need.at_least} or more`;
}

const FACES: Record<string, number[]> = {
  d6: [1, 2, 3, 4, 5, 6],
  d10: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  z10: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  d3: [1, 2, 3],
  average: [2, 3, 3, 4, 4, 5],
};

export const passes = (need: Need, face: number) => ("at_most" in need ? face <= need.at_most : face >= need.at_least);

/** Chance that one die passes. */
export function chance(test: Test): number {
  const faces = FACES[test.die] ?? FACES.d10;
  return faces.filter((f) => passes(test.need, f)).length / faces.length;
}

/** Exact chances of 0 to n passes of n dice. */
export function binomial(n: number, p: number): number[] {
  let row = [1];
  for (let i = 0; i < n; i++) {
    const next = new Array<number>(row.length + 1).fill(0);
    row.forEach((v, k) => {
      next[k] += v * (1 - p);
      next[k + 1] += v * p;
    });
    row = next;
  }
  return row;
}

export function percent(p: number): string {
  const v = p * 100;
  if (v > 0 && v < 0.05) return "<0.1";
  return v.toFixed(1);
}

export function hexWords(face: HexFace | undefined, id: string): string {
  if (!face) return id;
  const level = face.level === 0 ? "" : `, level ${face.level}`;
  return `${id}, ${face.name ? `${face.name}, ` : ""}${face.terrain}${level}`;
}

export function pieceWords(piece: Piece, board: Board, at: string | undefined, may: string[]): string {
  if (piece.hidden) return `A hidden piece, ${board.sides[piece.side].name}.${at ? ` ${at}.` : ""}`;
  const figures = piece.figures.map((f) => `${spoken(f.value)} ${f.label}`).join(", ");
  const parts = [
    `${piece.name}, ${board.sides[piece.side].name} ${piece.arm.replace(/-/g, " ")}${piece.band ? `, ${piece.band.label}` : ""}`,
    at ?? "",
    figures,
    piece.state ?? "",
    piece.badges.map((b) => b.title).join(", "),
    may.length > 0 ? `May ${may.join(" or ")}` : "",
  ];
  return parts.filter((p) => p !== "").join(". ") + ".";
}

export function offerWords(offer: Offer): string {
  const cost = offer.cost ? `, cost ${offer.cost}` : "";
  const notes = offer.notes.map((n) => n.text.replace(/\.$/, "")).join(". ");
  return `${offer.label}${cost}${notes ? `. ${notes}` : ""}`;
}

export const entryWords = (line: LogLine) => line.entries.map((e) => e.text).join(" ");

export function sum(modifiers: Modifier[]): number {
  return modifiers.reduce((s, m) => s + m.value, 0);
}

export function statusWords(game: GameFace, status: Status): string {
  if (status.kind === "over") {
    if (game.clock?.lost) return `${seatName(game, game.clock.lost)} ran out of time`;
    if (status.resigned) return `${seatName(game, status.resigned)} resigned`;
    return status.outcome === "drawn" ? "drawn" : `${seatName(game, status.outcome.won)} won`;
  }
  if (status.side === game.yours) return "Your turn";
  return status.thinking ? `${seatName(game, status.side)} is thinking` : `Waiting for ${seatName(game, status.side)}`;
}

export function seatName(game: GameFace, side: Side): string {
  const seat = game.seats[side];
  if (seat.kind === "computer") return capital(seat.name);
  return named(seat.name) ? seat.name : game.sides[side].name;
}

/** A player who gave a name; "You" is what earlier versions wrote for one who did not. */
const named = (name: string) => name !== "" && name !== "You";

/** Who plays a side, to be put into a sentence: a name, or "the Union". */
export function playerOf(game: GameFace, board: Board, side: Side): string {
  const { kind, name } = game.seats[side];
  return kind === "computer" || named(name) ? seatName(game, side) : board.sides[side].called;
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Who could still act before a phase is ended: at most three by name. */
export function stillToAct(names: string[], touch: boolean): string {
  const NAMED = 3;
  const more = names.length - NAMED;
  const who = more > 0 ? `${names.slice(0, NAMED).join(", ")} and ${more} more` : names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
  return `${who} can still act${touch ? "" : "; Space goes to the next"}.`;
}

/** Short forms of the trade, written out for those who have not learnt them. */
const SHORT: [RegExp, string][] = [
  [/\ban? (\w+ )?MP\b/g, "a $1movement point"], [/\b(one|each|per) (\w+ )?MP\b/gi, "$1 $2movement point"],
  [/\ban SP\b/g, "a strength point"], [/\b(an?|one|each|per) (\w+ )?SP\b/gi, "$1 $2strength point"],
  [/ \((?:ZOC|LOS|MP|SP|VP|DRM)s?\)/g, ""],
  // Rulings are for those who keep the rules.
  [/ \(R\d+\)/g, ""],
  [/\bZOCs\b/g, "zones of control"], [/\bZOC\b/g, "zone of control"], [/\bLOS\b/g, "line of sight"],
  [/\bMPs\b/g, "movement points"], [/\b1 MP\b/g, "1 movement point"], [/\bMP\b/g, "movement points"],
  [/\bSPs\b/g, "strength points"], [/\b1 SP\b/g, "1 strength point"], [/\bSP\b/g, "strength points"],
  [/\bVPs?\b/g, "victory points"], [/\bDRMs\b/g, "modifiers of the die"], [/\bDRM\b/g, "modifier of the die"], [/\bBMUs\b/g, "units"], [/\bBMU\b/g, "unit"],
];

/** A rule's text without its short forms. */
export const plainly = (text: string): string => SHORT.reduce((t, [short, full]) => t.replace(short, full), text);

/** Why a decision cannot be taken back by somebody who has nobody to ask. */
export function whyItStays(undo: Undo): string | undefined {
  if (undo === "rolled") return "The dice have fallen; this battle was set up so that rolls stay.";
  return undo === "revealed" ? "Something hidden has been revealed; this battle was set up so that it stays known." : undefined;
}
