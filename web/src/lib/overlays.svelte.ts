/** Overlays of the map: asked for by name, drawn until switched off. The server answers for the present; an earlier moment is shown without. */
import type { Overlay } from "../wire";
import { api } from "./api";
import type { Command } from "./command.svelte";
import type { GameSession } from "./session.svelte";
import { ownOverlays } from "../table/overlays";

/** A pointer on its way is not asked about. */
const PAUSE = 120;

export class Overlays {
  wanted = $state<string[]>([]);
  /** What a lesson shows beside what the player wants, each of a piece or of the board. */
  lent: () => { id: string; piece?: number }[] = () => [];
  shown = $state.raw<{ id: string; overlay: Overlay }[]>([]);
  note = $derived(this.shown.map((o) => o.overlay.note).filter((n) => n !== "").join(" "));

  /** The state they speak of; none while an earlier moment is shown. */
  present = $derived.by(() => (this.command.shown === undefined ? this.session.position?.state : undefined));

  private readonly session: GameSession;
  private readonly command: Command;

  constructor(session: GameSession, command: Command) {
    this.session = session;
    this.command = command;
    $effect(() => this.ask());
  }

  toggle(id: string): void {
    if (this.present === undefined) return;
    this.wanted = this.wanted.includes(id) ? this.wanted.filter((w) => w !== id) : [...this.wanted, id];
  }

  has(id: string): boolean {
    return this.session.board?.overlays.some((o) => o.id === id) ?? false;
  }

  private of(id: string) {
    return this.session.board?.overlays.find((n) => n.id === id)?.of ?? "board";
  }

  private ask(): (() => void) | undefined {
    const lent = this.lent().filter((l) => this.has(l.id));
    const ids = [...new Set([...this.wanted, ...ownOverlays(this.session.board, this.command), ...lent.map((l) => l.id)])];
    const place = this.command.cursor ?? this.command.hover;
    const piece = this.command.selected ?? lent.find((l) => l.piece !== undefined)?.piece;
    if (ids.length === 0 || this.present === undefined) {
      this.shown = [];
      return undefined;
    }
    let stale = false;
    const timer = window.setTimeout(
      async () => {
        const found = await Promise.all(ids.map((id) => this.one(id, place, piece)));
        if (!stale) this.shown = found.filter((o) => o !== undefined);
      },
      ids.some((id) => this.of(id) !== "board") ? PAUSE : 0,
    );
    return () => {
      stale = true;
      window.clearTimeout(timer);
    };
  }

  private async one(id: string, place: string | undefined, piece: number | undefined) {
    const of = this.of(id);
    const about = piece ?? (place === undefined ? undefined : this.command.at(place)[0]?.id);
    if ((of === "place" && place === undefined) || (of === "piece" && about === undefined)) return undefined;
    try {
      const overlay = await api.overlay(this.session.id, this.session.token, {
        overlay: id,
        side: null,
        place: of === "place" ? { hex: place! } : null,
        piece: of === "piece" ? about! : null,
      });
      return { id, overlay };
    } catch {
      return undefined;
    }
  }
}
