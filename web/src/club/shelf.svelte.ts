/** The games of an account: those that go on, the archive, and those of this browser that are not with the account yet. */
import { api, freshToken } from "../lib/api";
import { gameLink, router } from "../lib/route.svelte";
import { vault } from "../lib/vault";
import { progress } from "../school/progress.svelte";
import type { GameFace, OwnGame, SystemFace, Tally } from "../wire";
import { trouble } from "./member.svelte";
import { accounts, type Search } from "./requests";

const EVERY = 10_000;

export class Shelf {
  going = $state.raw<OwnGame[]>([]);
  archive = $state.raw<OwnGame[]>([]);
  /** How many finished games fit the search. */
  found = $state(0);
  statistics = $state.raw<Tally[]>([]);
  systems = $state.raw<SystemFace[]>([]);
  /** Games that this browser holds a seat in, though not with the account. */
  loose = $state.raw<GameFace[]>([]);
  search = $state<Omit<Search, "stage">>({ system: "", scenario: "", opponent: "", result: undefined });
  loaded = $state(false);
  problem = $state("");
  /** For those who listen: what was done. */
  said = $state("");
  /** Seats whose tokens still hold. */
  #held = new Set<string>();

  titleOf = (system: string) => this.systems.find((s) => s.id === system)?.title ?? system;
  /** Whether this browser holds the seat. */
  isHere = (own: OwnGame) => this.#held.has(own.game.id);

  /** Looks now and from time to time; gives back how to stop. */
  watch(): () => void {
    void api.systems().then((systems) => (this.systems = systems), () => {});
    void this.refresh();
    const timer = window.setInterval(() => void this.refresh(), EVERY);
    return () => window.clearInterval(timer);
  }

  async refresh(): Promise<void> {
    try {
      const [going, over] = await Promise.all([accounts.games({ stage: "going" }), accounts.games({ ...this.search, stage: "over" })]);
      const seats = vault.seats().filter((s) => progress.lessonIn(s.game) === undefined);
      const mine = seats.length > 0 ? await api.mine(seats.map(({ game, token }) => ({ game, token }))) : [];
      this.#held = new Set(mine.map((g) => g.id));
      const kept = new Set([...going.games, ...over.games].map((own) => own.game.id));
      const searched = Object.values(this.search).some((value) => value);
      // What the search leaves out is not to be told from what is not with the account.
      if (!searched) this.loose = [...new Map(mine.filter((g) => !kept.has(g.id)).map((g) => [g.id, g])).values()];
      [this.going, this.archive, this.found, this.statistics] = [going.games, over.games, over.count, over.statistics];
      this.problem = "";
    } catch (error) {
      this.problem = trouble(error);
    }
    this.loaded = true;
  }

  /** Shows more of what was found. */
  async more(): Promise<void> {
    try {
      const { games } = await accounts.games({ ...this.search, stage: "over", from: this.archive.length });
      this.archive = [...this.archive, ...games];
    } catch (error) {
      this.problem = trouble(error);
    }
  }

  /** Keeps the loose games with the account. */
  async keep(): Promise<void> {
    const games = new Set(this.loose.map((g) => g.id));
    const seats = vault.seats().filter((s) => games.has(s.game));
    try {
      const { kept } = await accounts.adopt(seats.map(({ game, token }) => ({ game, token })));
      const count = new Set(kept).size;
      await this.refresh();
      this.said = count === 1 ? "1 game is with your account now." : `${count} games are with your account now.`;
    } catch (error) {
      this.problem = trouble(error);
    }
  }

  /** Plays on in this browser. */
  async resume({ game }: OwnGame): Promise<void> {
    if (game.yours === null) return;
    const token = freshToken();
    try {
      const { side } = await accounts.resume(game.id, game.yours, token);
      vault.hold({ game: game.id, side, token });
      router.go(gameLink(game.id));
    } catch (error) {
      this.problem = trouble(error);
    }
  }
}
