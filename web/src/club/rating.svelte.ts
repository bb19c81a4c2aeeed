/** Whether a game that is being set up shall count for ratings. */
import { Refused } from "../lib/api";
import { accounts } from "./requests";

export class Rating {
  wanted = $state(false);
  /** In the lobby only those may accept whose rating is at most so far from one's own. */
  within = $state<number>();

  /** Agrees for a seat of a new game. Gives back why it will not count, if it will not. */
  async agree(game: string, token: string): Promise<string | undefined> {
    try {
      await accounts.rate(game, token);
      return undefined;
    } catch (error) {
      return `This game does not count for ratings: ${error instanceof Refused ? error.message : "The server is not answering."}`;
    }
  }
}
