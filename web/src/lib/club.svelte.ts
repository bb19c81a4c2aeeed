/** What ties a game to the lobby: its free seat on offer, and the same battle again with the sides changed. */
import { api, freshSalt, freshToken, Refused } from "./api";
import { rememberLobby } from "./lobby";
import { gameLink, router } from "./route.svelte";
import type { GameSession } from "./session.svelte";
import { vault } from "./vault";
import { other } from "./words";
import type { ChallengeFace } from "../wire";

const SILENT = "The server is not answering. Try again; nothing is lost.";

export class Club {
  /** The free seat as it stands in the lobby; null if it does not. */
  challenge = $state.raw<ChallengeFace | null>();
  note = $state("");
  problem = $state("");
  busy = $state(false);
  readonly #live: GameSession;
  /** The same token is sent again if an answer was lost. */
  readonly #token = freshToken();

  constructor(live: GameSession) {
    this.#live = live;
  }

  /** Two people, each with a seat of their own, have come to the end. */
  readonly mayPlayAgain = $derived.by(() => {
    const { over, side, game, hotSeat } = this.#live;
    return over && side !== undefined && !hotSeat && game !== undefined && game.seats[side].kind !== "computer" && game.seats[other(side)].kind !== "computer" && game.seats[other(side)].taken;
  });

  async #do(work: (token: string) => Promise<void>): Promise<void> {
    const { token } = this.#live;
    if (this.busy || token === undefined) return;
    this.busy = true;
    this.problem = "";
    try {
      await work(token);
    } catch (error) {
      this.problem = error instanceof Refused ? error.message : SILENT;
    } finally {
      this.busy = false;
    }
  }

  look(): Promise<void> {
    return this.#do(async (token) => void (this.challenge = await api.challengeOf(this.#live.id, token)));
  }

  putUp(): Promise<void> {
    return this.#do(async (token) => {
      this.challenge = await api.putUp(this.#live.id, token, { note: this.note.trim() });
      rememberLobby();
      vault.putUp(this.challenge.id, this.#live.id);
    });
  }

  withdraw(): Promise<void> {
    return this.#do(async (token) => {
      await api.withdraw(this.#live.id, token);
      this.challenge = null;
    });
  }

  /** The first who asks sets the rematch up, the other sits down in it. */
  async rematch(): Promise<void> {
    await this.#do(async (token) => {
      const { game, side } = await api.rematch(this.#live.id, token, { token: this.#token, salt: freshSalt() });
      vault.hold({ game, side, token: this.#token });
      router.go(gameLink(game));
    });
    if (this.problem) this.#live.notice = this.problem;
  }
}
