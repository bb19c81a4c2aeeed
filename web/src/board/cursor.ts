/** The keyboard on the map: a cursor that walks hex by hex and says where it is. */
import type { Command } from "../lib/command.svelte";
import type { Sheet } from "../lib/ground";
import { hexOf } from "../lib/offers";
import { hexWords, offerWords, pieceWords } from "../lib/words";
import type { TablePointer } from "../table/pointer";
import type { Board } from "../wire";
import type { MapWindow } from "./window.svelte";

/** What the keys work on. */
export interface Walk {
  readonly board: Board;
  readonly sheet: Sheet;
  readonly command: Command;
  readonly table?: TablePointer;
  say(text: string): void;
}

/** Directions of a hex, clockwise from the lower right. */
const STEPS: Record<string, number> = {
  ArrowUp: 4, ArrowDown: 1, ArrowRight: 5, ArrowLeft: 3,
  "S-ArrowRight": 0, "S-ArrowLeft": 2, "S-ArrowUp": 4, "S-ArrowDown": 1,
  Numpad8: 4, Numpad2: 1, Numpad9: 5, Numpad3: 0, Numpad7: 3, Numpad1: 2,
};

export class Cursor {
  constructor(
    private readonly window: MapWindow,
    private readonly walk: Walk,
  ) {}

  key = (e: KeyboardEvent): void => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const { command, table } = this.walk;
    if (table) {
      if (!table.key(e)) return;
      e.preventDefault();
      e.stopPropagation();
      // What the keyboard has chosen on a table comes into the window.
      const place = command.chosen?.place ?? command.piece?.place;
      if (place) this.window.revealPlace(place);
      return;
    }
    const step = STEPS[e.code.startsWith("Numpad") ? e.code : `${e.shiftKey ? "S-" : ""}${e.key}`];
    if (step !== undefined) {
      e.preventDefault();
      this.#step(step);
    } else if (e.key === "Enter" && command.cursor !== undefined && command.chosen === undefined) {
      e.preventDefault();
      e.stopPropagation();
      void command.touch(command.cursor);
      this.#say();
    } else if (e.key === "Tab" && this.#tab(e.shiftKey ? -1 : 1)) e.preventDefault();
  };

  #step(direction: number): void {
    const { command, sheet } = this.walk;
    const { grid } = sheet;
    if (!grid) return;
    const from = command.cursor ?? hexOf(command.piece?.place);
    const hex = grid.hex(from ?? grid.hexes[Math.floor(grid.hexes.length / 2)]?.id ?? "");
    // Without a cursor the first key puts it on the map.
    const next = from === undefined ? hex : hex && grid.neighbour(hex, direction);
    if (next) this.#to(next.id);
  }

  /** Tab walks what may be touched and leaves the map after the last. */
  #tab(by: 1 | -1): boolean {
    const { command } = this.walk;
    const places = command.goals.size > 0 || command.targets.size > 0;
    const ring = places ? [...this.#hexesOf([...command.targets.keys()]), ...command.goals.keys()] : this.#hexesOf(command.choices.actors);
    const now = command.cursor === undefined ? -1 : ring.indexOf(command.cursor);
    const next = ring[now + by];
    if (next === undefined) return false;
    this.#to(next);
    if (!places) command.pick(command.choices.actors[now + by]);
    return true;
  }

  #hexesOf(pieces: number[]): string[] {
    return pieces.map((id) => hexOf(this.walk.command.pieces.get(id)?.place)).filter((h) => h !== undefined);
  }

  #to(hex: string): void {
    this.walk.command.walkTo(hex);
    this.window.reveal(hex);
    this.#say();
  }

  #say(): void {
    const { board, command, sheet } = this.walk;
    const hex = command.cursor;
    if (hex === undefined) return;
    const open = command.goals.get(hex)?.[0];
    const here = command.at(hex).map((p) => {
      const may = [...new Set(command.choices.onMap.filter((o) => o.piece === p.id).map((o) => o.verb))];
      return pieceWords(p, board, hex, may) + (command.targets.has(p.id) ? " A target." : "");
    });
    const ground = hexWords(sheet.faces.get(hex), hex);
    this.walk.say([open ? `${ground}. ${offerWords(open)}` : ground, ...here].join(". "));
  }
}
