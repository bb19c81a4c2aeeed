/** Which overlays the table shows by itself for the decision at hand. */
import type { Command } from "../lib/command.svelte";
import type { Board } from "../wire";

export function ownOverlays(board: Board | undefined, command: Command): string[] {
  if (!board || !("table" in board.ground) || !command.piece) return [];
  const has = (id: string) => board.overlays.some((o) => o.id === id);
  const wanted: string[] = [];
  if (command.piece.arm === "leader") wanted.push("command");
  else if (has("moves")) wanted.push("moves");
  // Who shoots sees how far: arcs with range bands, or rings.
  if (command.mine.some((o) => /shoot|fire|snap|support/.test(o.verb))) wanted.push(has("range") ? "range" : "arcs");
  return wanted.filter(has);
}
