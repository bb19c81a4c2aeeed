/** Marching together: which pieces of a stack could go with each other, where to, and by which way. Nothing here decides what is legal. */
import type { Offer, Piece, PieceId } from "../wire";
import { goals, hexOf } from "./offers";

/** A march: it leads along a way to a hex. */
export const marches = (o: Offer) => o.piece !== null && o.path.length > 1 && hexOf(o.place) !== undefined && o.targets.length === 0;

/** The pieces of the stack that a piece lies in and that may march now, itself among them; none if it would go alone. */
export function mates(piece: Piece | undefined, offers: Offer[], pieces: Map<PieceId, Piece>): Piece[] {
  const hex = hexOf(piece?.place);
  if (!piece || hex === undefined) return [];
  const able = new Set(offers.filter(marches).map((o) => o.piece));
  const found = [...pieces.values()].filter((p) => p.side === piece.side && hexOf(p.place) === hex && able.has(p.id));
  return found.length > 1 && found.includes(piece) ? found : [];
}

/** The goals of one piece that every piece of the party can reach. */
export function commonGoals(offers: Offer[], lead: PieceId, party: PieceId[]): Map<string, Offer[]> {
  const reach = party.map((id) => new Set(offers.filter((o) => o.piece === id && marches(o)).map((o) => hexOf(o.place))));
  const own = goals(offers.filter((o) => o.piece === lead && marches(o)));
  return new Map([...own].filter(([hex]) => reach.every((r) => r.has(hex))));
}

const price = (o: Offer) => (o.cost === null ? 0 : Number.parseFloat(o.cost) || 0);

/** The way that all of them take: that of the piece that pays most for it. */
export function slowestWay(offers: Offer[], party: PieceId[], hex: string): Offer | undefined {
  const ways = party.flatMap((id) => goals(offers.filter((o) => o.piece === id && marches(o))).get(hex)?.[0] ?? []);
  return ways.reduce<Offer | undefined>((most, o) => (most === undefined || price(o) > price(most) ? o : most), undefined);
}

/** The same way in another piece's name. */
export const inTheNameOf = (way: Offer, of: Piece, to: Piece): string =>
  way.action.split(" ").map((word) => (word === of.slug ? to.slug : word)).join(" ");

export interface Weight {
  /** Strength of foot and horse. */
  strength: number;
  guns: number;
  leaders: number;
  /** The smallest movement allowance. */
  slowest: number | undefined;
}

const figure = (p: Piece, label: string): number | undefined => {
  const value = Number.parseFloat(p.figures.find((f) => f.label === label)?.value ?? "");
  return Number.isNaN(value) ? undefined : value;
};

/** What the party weighs together. */
export function weigh(party: Piece[]): Weight {
  const troops = party.filter((p) => p.arm !== "leader" && p.arm !== "artillery");
  const paces = party.map((p) => figure(p, "movement")).filter((n) => n !== undefined);
  return {
    strength: troops.reduce((sum, p) => sum + (figure(p, "strength") ?? 0), 0),
    guns: party.filter((p) => p.arm === "artillery").length,
    leaders: party.filter((p) => p.arm === "leader").length,
    slowest: paces.length > 0 ? Math.min(...paces) : undefined,
  };
}

const many = (n: number, one: string, more: string) => (n === 0 ? [] : [`${n} ${n === 1 ? one : more}`]);

export const weightWords = (w: Weight): string =>
  [...many(w.strength, "strength point", "strength points"), ...many(w.guns, "gun", "guns"), ...many(w.leaders, "leader", "leaders"), ...(w.slowest === undefined ? [] : [`slowest ${w.slowest}`])].join(" · ");
