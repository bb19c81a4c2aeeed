/** The games this browser plays, and those anybody may watch. */
import { api } from "../../lib/api";
import { progress } from "../../school/progress.svelte";
import { vault } from "../../lib/vault";
import type { GameFace } from "../../wire";

const EVERY = 10_000;

export class Lobby {
  #mine = $state.raw<GameFace[]>([]);
  listed = $state.raw<GameFace[]>([]);

  readonly going = $derived(this.#mine.filter((g) => g.status.kind === "deciding").sort((a, b) => Number(this.yours(b)) - Number(this.yours(a)) || b.touched - a.touched));
  readonly ended = $derived(this.#mine.filter((g) => g.status.kind === "over").sort((a, b) => b.touched - a.touched).slice(0, 8));

  /** A game is yours to move when a seat of this browser decides. */
  yours(g: GameFace): boolean {
    const { status } = g;
    return status.kind === "deciding" && vault.seatsOf(g.id).some((s) => s.side === status.side);
  }

  /** Looks now and from time to time; gives back how to stop. */
  watch(): () => void {
    void this.#refresh();
    const timer = window.setInterval(() => void this.#refresh(), EVERY);
    return () => window.clearInterval(timer);
  }

  async #refresh(): Promise<void> {
    try {
      // Lessons have a list of their own.
      const seats = vault.seats().filter((s) => progress.lessonIn(s.game) === undefined).map(({ game, token }) => ({ game, token }));
      const found = seats.length > 0 ? await api.mine(seats) : [];
      this.#mine = [...new Map(found.map((g) => [g.id, g])).values()];
      this.listed = (await api.listed()).games.filter((g) => !this.#mine.some((m) => m.id === g.id));
    } catch {
      // The next round will tell.
    }
  }
}
