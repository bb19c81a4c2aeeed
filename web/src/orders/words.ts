/** Conditional orders in the board's own words. */
import { ending, isButton } from "../lib/offers";
import type { Offer, Order, Position, Then } from "../wire";

/** A kind of decision that this player has met, and what could be done. */
export interface Met {
  kind: string;
  /** What can be done besides declining, by verb, in the words of an offer. */
  verbs: { verb: string; label: string; rolls: boolean }[];
  /** How it is declined, if it can be. */
  decline?: string;
  /** Units that could act. */
  units: { id: number; name: string }[];
}

const KEY = (game: string) => `linstock.met.${game}`;

/** `opportunity-fire` as a person says it. */
export const kindWords = (kind: string) => kind.replaceAll("-", " ");

export function metIn(position: Position, name: (id: number) => string | undefined): Met | undefined {
  const { prompt, offers } = position;
  if (!prompt || offers.length === 0) return undefined;
  const decline = offers.length > 1 ? ending(offers.filter(isButton)) : undefined;
  const verbs = new Map<string, { verb: string; label: string; rolls: boolean }>();
  const units = new Map<number, { id: number; name: string }>();
  for (const o of offers.filter((o: Offer) => o !== decline)) {
    if (!verbs.has(o.verb)) verbs.set(o.verb, { verb: o.verb, label: kindWords(o.verb), rolls: o.rolls });
    if (o.piece !== null) units.set(o.piece, { id: o.piece, name: name(o.piece) ?? "" });
  }
  return { kind: prompt.kind, verbs: [...verbs.values()], decline: decline?.label, units: [...units.values()].filter((u) => u.name !== "") };
}

export function thenWords(then: Then, met: Met | undefined): string {
  if (then.kind === "captain") return "let the captain decide";
  if (then.kind === "decline") return (met?.decline ?? "decline").toLowerCase();
  return `${kindWords(then.verb)}, the first that is offered`;
}

export function sentenceOf(order: Omit<Order, "words">, met: Met | undefined): string {
  const given = order.if;
  const unit = given.kind === "unit" ? met?.units.find((u) => u.id === given.piece)?.name : undefined;
  const when = given.kind === "unit" ? ` and ${unit ?? "the unit"} could act` : given.kind === "odds" ? ` and it harms an enemy with at least ${given.least} %` : "";
  return `If I am asked for ${kindWords(order.kind)}${when}, then ${thenWords(order.then, met)}${order.turn === undefined ? "" : ", this turn only"}.`.slice(0, 200);
}

export const remembered = {
  read(game: string): Met[] {
    try {
      return JSON.parse(localStorage.getItem(KEY(game)) ?? "[]") as Met[];
    } catch {
      return [];
    }
  },
  keep(game: string, all: Met[]): void {
    try {
      localStorage.setItem(KEY(game), JSON.stringify(all));
    } catch {
      // Nothing is kept in a private window.
    }
  },
};
