/** From the server's offers to what can be touched. Nothing here decides what is legal. */
import type { Offer, Piece, PieceId, Place } from "../wire";

/** One word for a place, to find it again. */
export function placeKey(place: Place): string {
  if ("hex" in place) return place.hex;
  if ("box" in place) return `box ${place.box}`;
  return `${place.pose.x},${place.pose.y},${place.pose.facing}`;
}

export const hexOf = (place: Place | null | undefined): string | undefined => (place && "hex" in place ? place.hex : undefined);

/** A blow struck across a table: somebody goes in, and dice decide. */
export const charges = (offer: Offer): boolean => offer.rolls && offer.targets.length > 0 && offer.place !== null && "pose" in offer.place;

export interface Choices {
  /** Pieces that may act. */
  actors: PieceId[];
  /** Offers drawn as buttons only. */
  buttons: Offer[];
  /** Everything that is not a button. */
  onMap: Offer[];
}

export function choices(offers: Offer[]): Choices {
  const onMap = offers.filter((o) => !isButton(o));
  const actors: PieceId[] = [];
  for (const o of onMap) if (o.piece !== null && !actors.includes(o.piece)) actors.push(o.piece);
  return { actors, buttons: offers.filter(isButton), onMap };
}

/** An offer that touches nothing on the map is a button whatever it says. */
export const isButton = (o: Offer) => o.button || (o.piece === null && o.place === null && o.targets.length === 0 && o.shares.length === 0);

/** What the selected piece (or nobody) may do. */
export function ofActor(onMap: Offer[], actor: PieceId | undefined): Offer[] {
  return onMap.filter((o) => (actor === undefined ? o.piece === null : o.piece === actor));
}

/** Offers by the place they lead to, the cheapest first. */
export function goals(offers: Offer[]): Map<string, Offer[]> {
  const out = new Map<string, Offer[]>();
  for (const o of offers) {
    if (!o.place || "box" in o.place || strikes(o)) continue;
    const key = placeKey(o.place);
    const list = out.get(key);
    if (list) list.push(o);
    else out.set(key, [o]);
  }
  for (const list of out.values()) list.sort((a, b) => price(a) - price(b));
  return out;
}

const price = (o: Offer) => (o.cost === null ? 0 : Number.parseFloat(o.cost) || 0);

/** Done to a piece: without a way of its own, or on a table, where the pose follows from the target. */
export const strikes = (o: Offer) => o.targets.length > 0 && (o.path.length === 0 || (o.place !== null && "pose" in o.place));

/** Its place is where the horses go: the piece itself stays where it is. */
export const leavesHorses = (o: Offer) => o.verb === "dismount";

/** Offers by the piece they are done to; those that also lead somewhere belong to the place. */
export function targets(offers: Offer[]): Map<PieceId, Offer[]> {
  const out = new Map<PieceId, Offer[]>();
  for (const o of offers) {
    if (!strikes(o)) continue;
    for (const t of new Set(o.targets)) {
      const list = out.get(t);
      if (list) list.push(o);
      else out.set(t, [o]);
    }
  }
  return out;
}

/** What can be done without pointing at anything: mount, unlimber, give an order. */
export function plain(offers: Offer[]): Offer[] {
  return offers.filter((o) => (o.place === null || "box" in o.place) && o.targets.length === 0);
}

/** The offer next to this one in which one share is larger or smaller by one. */
export function stepShare(offers: Offer[], from: Offer, share: number, by: 1 | -1): Offer | undefined {
  const want = from.shares[share];
  const amount = (o: Offer, at: { by: number; at: number }) => o.shares.find((s) => s.by === at.by && s.at === at.at)?.amount ?? 0;
  const distance = (o: Offer) =>
    from.shares.reduce((sum, s) => sum + Math.abs(amount(o, s) - s.amount), 0);
  return offers
    .filter((o) => o.verb === from.verb && o.piece === from.piece && amount(o, want) === want.amount + by)
    .sort((a, b) => distance(a) - distance(b))[0];
}

/** The action as it would be written for a place never offered: the server says why not. */
export function attempt(offers: Offer[], piece: Piece, hex: string): string | undefined {
  const model = offers.find((o) => o.piece === piece.id && hexOf(o.place) !== undefined);
  if (!model) return undefined;
  const goal = hexOf(model.place)!;
  const words = model.action.split(" ");
  const last = words.lastIndexOf(goal);
  if (last < 0) return undefined;
  // The words before the first hex are the verb and the piece; then the way, of which only its end is known.
  const first = words.findIndex((w) => /^\d{4}$/.test(w));
  return [...words.slice(0, first), hex, ...words.slice(last + 1)].join(" ");
}

/** The offer that Enter plays: the chosen one, or the only one there is. */
export function brass(offers: Offer[], chosen: Offer | undefined): Offer | undefined {
  if (chosen) return chosen;
  if (offers.length === 1) return offers[0];
  const { onMap, buttons } = choices(offers);
  if (onMap.length === 0) return buttons[0];
  // Others may still join, but the word can be given: the one button that rolls.
  const rolling = buttons.filter((o) => o.rolls);
  return rolling.length === 1 && onMap.every((o) => o.place === null && o.targets.length === 0 && o.shares.length === 0) ? rolling[0] : undefined;
}

const ENDING = /^(pass|end|done|stop|decline|no-more|finish|no more|none)/i;

/** The button the key E presses. */
export const ending = (buttons: Offer[]) => buttons.find((b) => ENDING.test(b.verb)) ?? buttons.find((b) => /^(End|Pass|No more|Done)/.test(b.label));
