/** What ending a phase would leave undone that matters: units that could still enter the map, rally or fire. It is said once. */
import type { Offer, Piece } from "../wire";
import type { Command } from "./command.svelte";
import type { GameSession } from "./session.svelte";

export interface Left {
  piece: Piece;
  deed: Deed;
}

export type Deed = "enter" | "rally" | "fire";

const FIRE = /^(fire|shoot|bombard|volley)$/;

/** Who could still come from beside the map, rally or fire, by these offers; each once. */
export function leftUndone(offers: Offer[], pieces: ReadonlyMap<number, Piece>): Left[] {
  const found = new Map<number, Left>();
  for (const o of offers) {
    const piece = o.piece === null ? undefined : pieces.get(o.piece);
    if (!piece || found.has(piece.id)) continue;
    const enters = o.verb === "enter" || ("box" in piece.place && o.place !== null && !("box" in o.place));
    const deed = enters ? "enter" : o.verb === "rally" ? "rally" : FIRE.test(o.verb) ? "fire" : undefined;
    if (deed) found.set(piece.id, { piece, deed });
  }
  return [...found.values()];
}

export class Undone {
  /** The state in which somebody was about to end the phase. */
  #said = $state<number>();
  /** The kind of phase and the turn in which fire was last spoken of: who holds fire on purpose is not told again. */
  #ofFire?: string;

  constructor(
    private readonly command: Command,
    private readonly session: GameSession,
  ) {}

  /** Who was about to be forgotten, while that is told. */
  readonly told = $derived.by<Left[]>(() => (this.#said !== undefined && this.#said === this.session.position?.state ? this.#left() : []));

  #left(): Left[] {
    return leftUndone(this.command.choices.onMap, this.command.pieces);
  }

  #phase(): string {
    const { prompt, view } = this.session.position ?? {};
    return `${prompt?.kind} ${view?.track?.findIndex((cell) => cell.now)}`;
  }

  /** Whether this press only says what would be left undone; the next one ends the phase. */
  holdsBack(offer: Offer): boolean {
    const state = this.session.position?.state;
    if (offer !== this.command.ending || this.#said === state) return false;
    const left = this.#left();
    const phase = this.#phase();
    if (left.every((l) => l.deed === "fire" && this.#ofFire === phase)) return false;
    if (left.some((l) => l.deed === "fire")) this.#ofFire = phase;
    this.#said = state;
    return true;
  }
}
