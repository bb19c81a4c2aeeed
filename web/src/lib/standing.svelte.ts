/** Standing orders: decisions a player has said not to be asked, declined in their name and listed. */
import type { Offer, Position } from "../wire";
import { choices, ending } from "./offers";
import type { GameSession } from "./session.svelte";

export interface StandingOrder {
  /** The kind of decision that is declined: `opportunity-fire`. */
  kind: string;
  /** What is said each time: `Hold fire`. */
  label: string;
  /** The turn it holds for; none until it is lifted. */
  turn?: number;
  /** What was not asked, in the words of the prompts. */
  declined: string[];
}

const KEY = (game: string) => `linstock.standing.${game}`;
/** How much of what was not asked is kept. */
const KEPT = 50;

/** The present turn, by its place on the track. */
const turnOf = (position: Position) => position.view.track.findIndex((c) => c.now);

export class StandingOrders {
  orders = $state<StandingOrder[]>([]);
  /** Kinds of decision that were declined by hand, and when. */
  #byHand = $state.raw<{ kind: string; turn: number }[]>([]);
  /** The latest moment answered: what a player takes back to is asked. */
  #answered = -1;

  constructor(private readonly session: GameSession) {
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

  /** What an order given now would say: offered where the same was declined before in this turn. */
  readonly possible = $derived.by<Offer | undefined>(() => {
    const { position, mine } = this.session;
    if (!mine || !position?.prompt) return undefined;
    const { kind } = position.prompt;
    const before = this.#byHand.some((d) => d.kind === kind && d.turn === turnOf(position));
    return before ? this.#decline(position) : undefined;
  });

  /** Declines what is asked now, and whatever of its kind comes in this turn. */
  async give(): Promise<void> {
    const { position } = this.session;
    const offer = this.#decline(position);
    if (!position?.prompt || !offer) return;
    this.orders = [...this.orders.filter((o) => o.kind !== position.prompt!.kind), { kind: position.prompt.kind, label: offer.label, turn: turnOf(position), declined: [] }];
    this.#keep();
    await this.consider();
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
    const { position, mine } = this.session;
    if (!mine || !position?.prompt || this.session.busy) return false;
    const turn = turnOf(position);
    const lapsed = this.orders.some((o) => o.turn !== undefined && o.turn !== turn);
    if (lapsed) this.orders = this.orders.filter((o) => o.turn === undefined || o.turn === turn);
    const order = this.orders.find((o) => o.kind === position.prompt!.kind);
    const offer = this.#decline(position);
    if (!order || !offer || position.moment <= this.#answered) {
      if (lapsed) this.#keep();
      return false;
    }
    this.#answered = position.moment;
    order.declined = [...order.declined, position.prompt.sentence].slice(-KEPT);
    this.#keep();
    return this.session.act(offer.action);
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
