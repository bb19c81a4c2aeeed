/** A seat's conditional orders: kept by the server, sealed, for this player's eyes alone. */
import { api, Refused } from "../lib/api";
import type { GameSession } from "../lib/session.svelte";
import type { Order } from "../wire";
import { metIn, remembered, type Met } from "./words";

export class Orders {
  orders = $state.raw<Order[]>([]);
  used = $state(0);
  turn = $state(0);
  problem = $state("");
  met = $state.raw<Met[]>([]);

  constructor(private readonly session: GameSession) {
    this.met = remembered.read(session.id);
  }

  /** Remembers what is asked, so that an order for it can be given. */
  notice(name: (id: number) => string | undefined): void {
    const { position, mine } = this.session;
    const met = mine && position ? metIn(position, name) : undefined;
    if (!met) return;
    const before = this.met.find((m) => m.kind === met.kind);
    const verbs = [...met.verbs, ...(before?.verbs ?? []).filter((v) => !met.verbs.some((n) => n.verb === v.verb))];
    const units = [...met.units, ...(before?.units ?? []).filter((u) => !met.units.some((n) => n.id === u.id))];
    const whole: Met = { ...met, decline: met.decline ?? before?.decline, verbs, units };
    if (before && JSON.stringify(before) === JSON.stringify(whole)) return;
    this.met = [...this.met.filter((m) => m.kind !== met.kind), whole];
    remembered.keep(this.session.id, this.met);
  }

  async load(): Promise<void> {
    const { id, token } = this.session;
    if (token) await this.#take(api.orders(id, token));
  }

  async give(orders: Order[]): Promise<void> {
    const { id, token } = this.session;
    if (token) await this.#take(api.giveOrders(id, token, { orders }));
  }

  async #take(answer: ReturnType<typeof api.orders>): Promise<void> {
    try {
      const { orders, used, turn } = await answer;
      this.orders = orders;
      this.used = used;
      this.turn = turn;
      this.problem = "";
    } catch (error) {
      this.problem = error instanceof Refused ? error.message : "The server is not answering.";
    }
  }
}
