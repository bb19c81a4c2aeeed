/**
 * Standing orders: decisions a player has said not to be asked, declined in their name, marked as ordered in the journal and
 * listed. An order may hold only below a chance, beyond a distance, for a roll that may stand or until contact; where that cannot
 * be told, the player is asked. Another has every unit that could act do one thing: hold.
 */
import type { Offer, Position, Side } from "../wire";
import { api } from "./api";
import type { Sheet } from "./ground";
import { bulks, partOf } from "./bulk";
import { choices, ending } from "./offers";
import type { GameSession } from "./session.svelte";
import { harm, inContact, MOST_WEIGHED, nearest, type Thresholds } from "./thresholds";
import { percent } from "./words";

export interface StandingOrder extends Thresholds {
  /** The kind of decision that is declined: `opportunity-fire`. */
  kind: string;
  /** What is said each time: `Hold fire`. */
  label: string;
  /** What every unit does, one after the other, where nothing is declined: `hold`. */
  each?: string;
  /** The turn it holds for; none until it is lifted. */
  turn?: number;
  /** What was not asked, in the words of the prompts. */
  declined: string[];
}

/** What can be said about the decision at hand. */
export interface Sayable {
  decline?: Offer;
  /** The same was declined before in this turn. */
  again: boolean;
  /** Something rolls dice, so that a chance can be named. */
  chance: boolean;
  /** Everything has a target at a known distance. */
  unit?: "hexes" | "inches";
  /** A roll is asked about again though it may well stand. */
  stands: boolean;
  /** An enemy moves past, and may be let by. */
  contact?: Offer;
  /** Two units or more could hold. */
  holds: boolean;
}

/** What an order is given for. */
export interface Terms extends Thresholds {
  each?: string;
}

/** One word lets the whole move of an enemy go by. */
const BY = /^wave$/;
const HOLD = "hold";

const KEY = (game: string) => `linstock.standing.${game}`;
/** How much of what was not asked is kept. */
const KEPT = 50;

/** The present turn, by its place on the track. */
const turnOf = (position: Position) => position.view.track.findIndex((c) => c.now);

export class StandingOrders {
  orders = $state<StandingOrder[]>([]);
  /** Kinds of decision that were declined by hand, and when. */
  #byHand = $state.raw<{ kind: string; turn: number }[]>([]);
  /** The latest moment answered or left to the player: what a player takes back to is asked. */
  #answered = -1;

  constructor(
    private readonly session: GameSession,
    private readonly sheet: () => Sheet | undefined = () => undefined,
  ) {
    try {
      this.orders = JSON.parse(localStorage.getItem(KEY(session.id)) ?? "[]") as StandingOrder[];
    } catch {
      this.orders = [];
    }
  }

  /** How the decision at hand can be declined, if it can be anything else too. */
  #decline(position: Position | undefined): Offer | undefined {
    if (!position?.prompt || position.offers.length < 2) return undefined;
    return ending(choices(position.offers).buttons);
  }

  /** Lets the enemy's whole move go by, where that can be said. */
  #letBy(position: Position): Offer | undefined {
    return choices(position.offers).buttons.find((o) => BY.test(o.verb));
  }

  /** A roll that fell well: nothing is left but to keep it or to roll again. */
  #kept(position: Position): Offer | undefined {
    const { offers } = position;
    return offers.length === 2 && offers.every((o) => o.button) ? offers.find((o, i) => o.main && offers[1 - i].rolls) : undefined;
  }

  /** The next unit that does what all others do. */
  #next(position: Position, verb: string): Offer | undefined {
    return position.offers.map((o) => (o.piece === null ? undefined : partOf(position.offers, verb, o.piece))).find((o) => o !== undefined);
  }

  /** What an order given now would say. */
  readonly possible = $derived.by<Sayable | undefined>(() => {
    const { position, mine } = this.session;
    if (!mine || !position?.prompt) return undefined;
    const { kind } = position.prompt;
    const kept = this.#kept(position);
    const decline = kept ?? this.#decline(position);
    const again = decline !== undefined && this.#byHand.some((d) => d.kind === kind && d.turn === turnOf(position));
    const rest = position.offers.filter((o) => o !== decline && !o.button);
    const sheet = this.sheet();
    const far = decline && sheet && rest.length > 0 && nearest(rest, position.view, sheet) !== undefined;
    const sayable: Sayable = {
      decline,
      again,
      chance: decline !== undefined && rest.length > 0 && rest.length <= MOST_WEIGHED && rest.every((o) => o.rolls),
      unit: far ? (sheet.grid ? "hexes" : "inches") : undefined,
      stands: kept !== undefined,
      contact: this.#letBy(position),
      holds: bulks(position.offers, (id) => position.view.pieces.find((p) => p.id === id)?.name ?? "").some((b) => b.verb === HOLD),
    };
    return again || sayable.chance || sayable.unit || sayable.stands || sayable.contact || sayable.holds ? sayable : undefined;
  });

  /** Declines what is asked now if the order applies to it, and whatever of its kind comes: in this turn, or with thresholds until lifted. */
  async give(only: Terms = {}): Promise<void> {
    const { position } = this.session;
    const offer = position && this.#said(position, only);
    if (!position?.prompt || !offer) return;
    const { kind } = position.prompt;
    const always = only.below !== undefined || only.beyond !== undefined || only.stands || only.contact;
    const label = only.each === undefined ? offer.label : "Everyone else holds";
    this.orders = [...this.orders.filter((o) => o.kind !== kind), { kind, label, ...only, turn: always ? undefined : turnOf(position), declined: [] }];
    this.#keep();
    this.#answered = position.moment - 1;
    await this.consider();
  }

  /** What the order says to this decision, if it can say it. */
  #said(position: Position, { each, contact, stands }: Terms): Offer | undefined {
    if (each !== undefined) return this.#next(position, each);
    if (contact) return this.#letBy(position);
    return stands ? this.#kept(position) : this.#decline(position);
  }

  /** Everyone else holds, for the rest of the turn. */
  hold(): Promise<void> {
    return this.give({ each: HOLD });
  }

  lift(kind: string): void {
    this.orders = this.orders.filter((o) => o.kind !== kind);
    this.#keep();
  }

  /** An order holds for the turn, or until it is lifted. */
  extend(kind: string, always: boolean): void {
    const { position } = this.session;
    const turn = always || !position ? undefined : turnOf(position);
    this.orders = this.orders.map((o) => (o.kind === kind ? { ...o, turn } : o));
    this.#keep();
  }

  /** Something was played by hand. */
  played(offer: Offer): void {
    const { position } = this.session;
    if (position?.prompt && this.#decline(position)?.action === offer.action) this.#byHand = [...this.#byHand, { kind: position.prompt.kind, turn: turnOf(position) }].slice(-KEPT);
  }

  /** A decision has come: it is declined if an order says so. */
  async consider(): Promise<boolean> {
    const { position, mine, side } = this.session;
    if (!mine || !side || !position?.prompt || this.session.busy) return false;
    const turn = turnOf(position);
    const lapsed = this.orders.some((o) => o.turn !== undefined && o.turn !== turn);
    if (lapsed) this.orders = this.orders.filter((o) => o.turn === undefined || o.turn === turn);
    const order = this.orders.find((o) => o.kind === position.prompt!.kind);
    const offer = order && this.#said(position, order);
    if (!order || !offer || position.moment <= this.#answered) {
      if (lapsed) this.#keep();
      return false;
    }
    this.#answered = position.moment;
    if (this.#met(order, position, offer)) return this.lift(order.kind), false;
    const why = await this.#applies(order, position, offer, side);
    // Weighing takes a moment: the player may have lifted the order, or played, meanwhile.
    if (why === undefined || !this.orders.some((o) => o.kind === order.kind) || this.session.position?.state !== position.state || this.session.busy) return false;
    const what = order.each === undefined ? position.prompt.sentence : this.#nameOf(position, offer);
    order.declined = [...order.declined, what + why].slice(-KEPT);
    this.#keep();
    return this.session.actAsOrdered(offer.action);
  }

  #nameOf({ view }: Position, { piece, label }: Offer): string {
    return view.pieces.find((p) => p.id === piece)?.name ?? label;
  }

  /** It held until contact, and that has come. */
  #met({ contact }: StandingOrder, position: Position, decline: Offer): boolean {
    const sheet = this.sheet();
    if (!contact || !sheet) return false;
    const near = nearest(position.offers.filter((o) => o !== decline && !o.button), position.view, sheet);
    return near !== undefined && inContact(near, sheet);
  }

  /** What of the order's conditions holds, in words; nothing where none does or it cannot be told. */
  async #applies(order: StandingOrder, position: Position, decline: Offer, side: Side): Promise<string | undefined> {
    const { below, beyond } = order;
    if (below === undefined && beyond === undefined) return "";
    const rest = position.offers.filter((o) => o.action !== decline.action && !o.button);
    const sheet = this.sheet();
    const near = beyond !== undefined && sheet ? nearest(rest, position.view, sheet) : undefined;
    if (beyond !== undefined && near !== undefined && near > beyond) return ` (${sheet?.grid ? `${near} hexes` : `${near.toFixed(1)} inches`} away)`;
    const best = below === undefined ? undefined : await this.#best(rest, position, side);
    return best !== undefined && best * 100 < below! ? ` (at most ${percent(best)} %)` : undefined;
  }

  /** The chance of the best of these offers to harm an enemy, if it can be told. */
  async #best(offers: Offer[], { state, view }: Position, side: Side): Promise<number | undefined> {
    const { id, token } = this.session;
    if (!token || offers.length > MOST_WEIGHED || !offers.every((o) => o.rolls)) return undefined;
    try {
      const reports = await Promise.all(offers.map((o) => api.odds(id, token, { state, action: o.action, horizon: "affair" })));
      return Math.max(...reports.map((r) => harm(r, view, side)));
    } catch {
      return undefined;
    }
  }

  #keep(): void {
    try {
      if (this.orders.length > 0) localStorage.setItem(KEY(this.session.id), JSON.stringify(this.orders));
      else localStorage.removeItem(KEY(this.session.id));
    } catch {
      // Nothing is kept in a private window.
    }
  }
}
