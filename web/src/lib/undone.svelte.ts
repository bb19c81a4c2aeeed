/** What ending a phase would leave undone that matters: units that could still enter the map or rally. It is said once. */
import type { Offer, Piece } from "../wire";
import type { Command } from "./command.svelte";
import type { GameSession } from "./session.svelte";

export interface Left {
  piece: Piece;
  deed: "enter" | "rally";
}

/** Who could still come from beside the map, or rally, by these offers; each once. */
export function leftUndone(offers: Offer[], pieces: ReadonlyMap<number, Piece>): Left[] {
  const found = new Map<number, Left>();
  for (const o of offers) {
    const piece = o.piece === null ? undefined : pieces.get(o.piece);
    if (!piece || found.has(piece.id)) continue;
    const enters = o.verb === "enter" || ("box" in piece.place && o.place !== null && !("box" in o.place));
    if (enters || o.verb === "rally") found.set(piece.id, { piece, deed: enters ? "enter" : "rally" });
  }
  return [...found.values()];
}

export class Undone {
  /** The state in which somebody was about to end the phase. */
  #said = $state<number>();

  constructor(
    private readonly command: Command,
    private readonly session: GameSession,
  ) {}

  /** Who was about to be forgotten, while that is told. */
  readonly told = $derived.by<Left[]>(() => (this.#said !== undefined && this.#said === this.session.position?.state ? this.#left() : []));

  #left(): Left[] {
    return leftUndone(this.command.choices.onMap, this.command.pieces);
  }

  /** Whether this press only says what would be left undone; the next one ends the phase. */
  holdsBack(offer: Offer): boolean {
    const state = this.session.position?.state;
    if (offer !== this.command.ending || this.#said === state || this.#left().length === 0) return false;
    this.#said = state;
    return true;
  }
}
