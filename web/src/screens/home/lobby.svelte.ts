/** The games this browser plays, and those anybody may watch. */
import { api, Refused } from "../../lib/api";
import { watching } from "../../lib/watching.svelte";
import { progress } from "../../school/progress.svelte";
import { vault } from "../../lib/vault";
import type { GameFace } from "../../wire";

const EVERY = 10_000;

export class Lobby {
  #mine = $state.raw<GameFace[]>([]);
  #listed = $state.raw<GameFace[]>([]);
  #followed = $state.raw<GameFace[]>([]);
  /** Games that were followed and are no longer there. */
  gone = $state.raw<string[]>([]);

  readonly going = $derived(this.#mine.filter((g) => g.status.kind === "deciding").sort((a, b) => Number(this.yours(b)) - Number(this.yours(a)) || b.touched - a.touched));
  readonly ended = $derived(this.#mine.filter((g) => g.status.kind === "over").sort((a, b) => b.touched - a.touched).slice(0, 8));

  readonly followed = $derived(this.#followed.filter((g) => watching.has(g.id)));
  /** Public games that one neither plays nor follows. */
  readonly listed = $derived(this.#listed.filter((g) => !watching.has(g.id)));

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

  follow(id: string): void {
    watching.turn(id);
    this.gone = this.gone.filter((x) => x !== id);
    void this.#refresh();
  }

  /** The games that one follows: of those not listed each by itself. */
  async #follow(listed: GameFace[]): Promise<void> {
    const gone: string[] = [];
    const look = (id: string) =>
      api.game(id).catch((error: unknown) => {
        if (error instanceof Refused) gone.push(id);
        return undefined;
      });
    const found = await Promise.all(watching.ids.map((id) => listed.find((g) => g.id === id) ?? look(id)));
    this.#followed = found.filter((g) => g !== undefined);
    this.gone = gone;
  }

  async #refresh(): Promise<void> {
    try {
      // Lessons have a list of their own.
      const seats = vault.seats().filter((s) => progress.lessonIn(s.game) === undefined).map(({ game, token }) => ({ game, token }));
      const found = seats.length > 0 ? await api.mine(seats) : [];
      this.#mine = [...new Map(found.map((g) => [g.id, g])).values()];
      const listed = (await api.listed()).games;
      this.#listed = listed.filter((g) => !this.#mine.some((m) => m.id === g.id));
      await this.#follow(listed);
    } catch {
      // The next round will tell.
    }
  }
}
