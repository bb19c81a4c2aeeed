/** What stands in the lobby, and what one may do with it. */
import { accounts } from "../../club/requests";
import { api, freshToken, Refused } from "../../lib/api";
import { gameLink, router } from "../../lib/route.svelte";
import { vault } from "../../lib/vault";
import type { ChallengeFace, LevelRating, SystemFace } from "../../wire";

const EVERY = 4_000;
/** New challenges are announced so often at the most. */
const BATCH = 10_000;
/** How long a row says that it is gone. */
const FADES = 4_000;
const SILENT = "The server is not answering.";

export class Challenges {
  #all = $state.raw<ChallengeFace[]>([]);
  systems = $state.raw<SystemFace[]>([]);
  /** Only those of this system; all if empty. */
  system = $state("");
  name = $state(vault.name());
  problem = $state("");
  /** The first answer is there. */
  loaded = $state(false);
  busy = $state(false);
  /** Rows that are gone, with the words for it. */
  gone = $state<Record<string, string>>({});
  /** For those who listen: how many are new. */
  said = $state("");
  #known = new Set<string>();
  #fresh = 0;
  /** The same token is sent again if an answer was lost, so that it finds its own seat. */
  readonly #tokens = new Map<string, string>();

  readonly shown = $derived(this.#all.filter((c) => this.system === "" || c.system === this.system));
  readonly count = $derived(this.#all.length);
  /** The computer's levels keep their ratings. */
  levels = $state.raw<LevelRating[]>([]);
  /** Computer players are always there: those of the system looked at, or of the first. */
  readonly house = $derived.by(() => {
    const system = this.systems.find((s) => s.id === this.system) ?? this.systems[0];
    return system ? system.levels.filter((l) => l.id !== "random").map((level) => ({ system, level })) : [];
  });

  isMine(c: ChallengeFace): boolean {
    return vault.challenged(c.id) !== undefined;
  }

  levelOf(id: string): LevelRating | undefined {
    return this.levels.find((l) => l.level === id);
  }

  titleOf(system: string): string {
    return this.systems.find((s) => s.id === system)?.title ?? system;
  }

  /** Looks now and from time to time; gives back how to stop. */
  watch(): () => void {
    void api.systems().then(async (systems) => {
      this.systems = systems;
      if (systems[0]) this.levels = (await api.ratings(systems[0].id)).levels;
    }).catch(() => {});
    void this.#refresh();
    const look = window.setInterval(() => void this.#refresh(), EVERY);
    const tell = window.setInterval(() => this.#announce(), BATCH);
    return () => {
      window.clearInterval(look);
      window.clearInterval(tell);
    };
  }

  async #refresh(): Promise<void> {
    try {
      const { challenges } = await api.challenges();
      // What was taken under one's hands stays a moment and says so.
      const open = new Set(challenges.map((c) => c.id));
      const fading = this.#all.filter((c) => c.id in this.gone && !open.has(c.id));
      if (this.loaded) this.#fresh += challenges.filter((c) => !this.#known.has(c.id) && !this.isMine(c)).length;
      for (const c of challenges) this.#known.add(c.id);
      this.#all = [...challenges, ...fading];
      this.loaded = true;
      this.problem = "";
    } catch {
      this.problem = `${SILENT} Trying again.`;
    }
  }

  #announce(): void {
    if (this.#fresh > 0) this.said = this.#fresh === 1 ? "1 new challenge." : `${this.#fresh} new challenges.`;
    this.#fresh = 0;
  }

  async accept(c: ChallengeFace): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const name = this.name.trim() || "Guest";
    const token = this.#tokens.get(c.id) ?? freshToken();
    this.#tokens.set(c.id, token);
    try {
      const { game, side } = await (c.rated ? accounts : api).accept(c.id, { name, token });
      vault.setName(name);
      vault.hold({ game, side, token });
      router.go(gameLink(game));
    } catch (error) {
      const code = error instanceof Refused ? error.problem.code : undefined;
      if (code === "challenge_gone" || code === "no_such_challenge") this.#fade(c, "Taken a moment ago");
      else this.problem = error instanceof Refused ? error.message : `${SILENT} Try again; nothing is lost.`;
    } finally {
      this.busy = false;
    }
  }

  async withdraw(c: ChallengeFace): Promise<void> {
    const game = vault.challenged(c.id);
    const token = game === undefined ? undefined : vault.seatsOf(game)[0]?.token;
    if (game === undefined || token === undefined) return;
    try {
      await api.withdraw(game, token);
      this.#fade(c, "Withdrawn");
    } catch (error) {
      if (error instanceof Refused) this.#fade(c, "Taken a moment ago");
      else this.problem = SILENT;
    }
  }

  #fade(c: ChallengeFace, words: string): void {
    this.gone[c.id] = words;
    window.setTimeout(() => {
      this.#all = this.#all.filter((x) => x.id !== c.id);
      delete this.gone[c.id];
    }, FADES);
  }
}
