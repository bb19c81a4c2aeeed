/** A unit's state and badges in the board's own signs; the words are the engine's. */
import type { Badge, Piece } from "../wire";

export interface UnitState {
  kind: "shaken" | "suppressed" | "routed";
  word: string;
  /** For its badge. Shaken and Suppressed begin alike: they have two letters. */
  sign: string;
}

export function stateOf(piece: Piece): UnitState | undefined {
  if (!piece.state) return undefined;
  const word = piece.state.charAt(0).toUpperCase() + piece.state.slice(1);
  if (/^(rout|broken|shatter)/i.test(piece.state)) return { kind: "routed", word, sign: word.charAt(0) };
  return { kind: /^suppress/i.test(piece.state) ? "suppressed" : "shaken", word, sign: word.slice(0, 2) };
}

/** The order given: its letter, for a black disc. */
export const orderOf = (badges: Badge[]): Badge | undefined => badges.find((b) => b.sign.startsWith("order-"));
export const letterOf = (badge: Badge): string => ({ "order-reform": "F" })[badge.sign] ?? (badge.sign.split("-")[1] ?? "").charAt(0).toUpperCase();

/** Other badges, except those that the block itself shows. */
export const badgesOf = (badges: Badge[]): Badge[] => badges.filter((b) => !b.sign.startsWith("order-") && !/smoke|fired|attached/.test(b.sign));

const SIGNS: Record<string, string> = { moved: "✓", prone: "▁", halt: "■", cautious: "½", halved: "½", barred: "✕", box: "▣", "out-of-command": "⚑", "broken-brigade": "✕" };
export const signOf = (badge: Badge): string => SIGNS[badge.sign] ?? badge.sign.charAt(0).toUpperCase();
export const isTrouble = (badge: Badge): boolean => /halt|cautious|halved|barred|out-of|broken/.test(badge.sign);

/** At how many hits a unit is Shaken and at how many it breaks, where its card says so: "3 (Shaken from 18, Broken from 20)". */
export interface Points {
  shaken?: number;
  broken?: number;
}

const numberAfter = (word: string, text: string): number | undefined => {
  const found = new RegExp(`${word}(?: from| at)? (\\d+)`, "i").exec(text);
  return found ? Number(found[1]) : undefined;
};

export function pointsOf(piece: Piece): Points {
  const text = piece.figures.map((f) => f.value).find((value) => /(shaken|broken)(?: from| at)? \d/i.test(value)) ?? "";
  return { shaken: numberAfter("shaken", text), broken: numberAfter("broken", text) };
}
