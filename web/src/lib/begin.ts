/** Sitting down at a new game. */
import type { Created, GameFace, NewGame, Side, Sitter } from "../wire";
import { freshSalt } from "./api";
import { gameLink, router } from "./route.svelte";
import { vault } from "./vault";
import { BOTH } from "./words";

/** The seats that were handed out are kept, and the board is opened; one person may play both. */
export function enter(created: Created, solo = false): void {
  for (const side of BOTH) {
    const seat = created.seats[side];
    if (seat.token) vault.hold({ game: created.game, side, token: seat.token });
    if (seat.invitation) vault.invite({ game: created.game, side, invitation: seat.invitation });
  }
  if (solo) vault.setSolo(created.game, true);
  router.go(gameLink(created.game));
}

/** The same battle once more, as it was set up or with the seats changed. */
export function onceMore(face: GameFace, options: Record<string, boolean>, change: boolean): NewGame {
  const sitter = (side: Side): Sitter => {
    const { kind, name } = face.seats[change ? (side === "first" ? "second" : "first") : side];
    if (kind === "computer") return { kind, level: name };
    return kind === "link" ? { kind } : { kind: "here", name };
  };
  return { scenario: face.scenario, seats: { first: sitter("first"), second: sitter("second") }, options, dice: face.dice, salt: freshSalt(), public: face.public, ...(face.rolls_back ? { rolls_back: true } : {}), ...(face.clock ? { clock: face.clock.terms } : {}) };
}
