/**
 * Standing orders: decisions a player has said not to be asked, declined in their name, marked as ordered in the journal and
 * listed. An order may hold only below a chance or beyond a distance; where that cannot be told, the player is asked.
 */
import type { Offer, Position, Side } from "../wire";
import { api } from "./api";
import type { Sheet } from "./ground";
import { choices, ending } from "./offers";
import type { GameSession } from "./session.svelte";
import { harm, MOST_WEIGHED, nearest, type Thresholds } from "./thresholds";
import { percent } from "./words";

export interface StandingOrder extends Thresholds {
  /** The kind of decision that is declined: `opportunity-fire`. */
  kind: string;
  /** What is said each time: `Hold fire`. */
  label: string;
  /** The turn it holds for; none until it is lifted. */
  turn?: number;
  /** What was not asked, in the words of the prompts. */
  declined: string[];
}

/** What can be said about the decision at hand. */
export interface Sayable {
  decline: Offer;
  /** Something rolls dice, so that a chance can be named. */
  chance: boolean;
  /** Everything has a target at a known distance. */
  unit?: "hexes" | "inches";
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

  /** What an order given now would say: offered where the same was declined before in this turn. */
  readonly possible = $derived.by<Sayable | undefined>(() => {
    const { position, mine } = this.session;
    if (!mine || !position?.prompt) return undefined;
    const { kind } = position.prompt;
    const before = this.#byHand.some((d) => d.kind === kind && d.turn === turnOf(position));
    const decline = before ? this.#decline(position) : undefined;
    if (!decline) return undefined;
    const rest = position.offers.filter((o) => o !== decline);
    const sheet = this.sheet();
    const far = sheet && nearest(rest, position.view, sheet) !== undefined;
    return { decline, chance: rest.length <= MOST_WEIGHED && rest.every((o) => o.rolls), unit: far ? (sheet.grid ? "hexes" : "inches") : undefined };
  });

  /** Declines what is asked now if the order applies to it, and whatever of its kind comes: in this turn, or with thresholds until lifted. */
  async give(only: Thresholds = {}): Promise<void> {
    const { position } = this.session;
    const offer = this.#decline(position);
    if (!position?.prompt || !offer) return;
    const { kind } = position.prompt;
    const always = only.below !== undefined || only.beyond !== undefined;
    this.orders = [...this.orders.filter((o) => o.kind !== kind), { kind, label: offer.label, ...only, turn: always ? undefined : turnOf(position), declined: [] }];
    this.#keep();
    this.#answered = position.moment - 1;
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
    const { position, mine, side } = this.session;
    if (!mine || !side || !position?.prompt || this.session.busy) return false;
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
    const why = await this.#applies(order, position, offer, side);
    // Weighing takes a moment: the player may have lifted the order, or played, meanwhile.
    if (why === undefined || !this.orders.some((o) => o.kind === order.kind) || this.session.position?.state !== position.state || this.session.busy) return false;
    order.declined = [...order.declined, position.prompt.sentence + why].slice(-KEPT);
    this.#keep();
    return this.session.actAsOrdered(offer.action);
  }

  /** What of the order's conditions holds, in words; nothing where none does or it cannot be told. */
  async #applies(order: StandingOrder, position: Position, decline: Offer, side: Side): Promise<string | undefined> {
    const { below, beyond } = order;
    if (below === undefined && beyond === undefined) return "";
    const rest = position.offers.filter((o) => o.action !== decline.action);
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
