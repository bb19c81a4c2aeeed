/** Mouse and fingers on the map: one pans or carries a piece, two pinch. */
import { UNIT_HEX } from "../map/frame";
import type { Point } from "../map/survey";
import type { Command } from "../lib/command.svelte";
import type { Sheet } from "../lib/ground";
import { hexOf } from "../lib/offers";
import type { TablePointer } from "../table/pointer";
import type { Piece } from "../wire";
import type { MapWindow } from "./window.svelte";

interface Grip {
  id: number;
  x: number;
  y: number;
}

/** What the pointers work on. */
export interface Field {
  readonly sheet: Sheet;
  readonly command: Command;
  readonly piles: Map<string, Piece[]>;
  /** An inch table takes what is done on it itself. */
  readonly table?: TablePointer;
  /** The picture of the piece in the hand. */
  readonly ghost: HTMLElement;
  readonly root: HTMLElement;
  hovered(hex: string | undefined): void;
  /** A touch puts away what was said about the last one. */
  touched(): void;
}

/** So far a press may slip and still be a click, px. */
const SLIP = 6;
/** Under a finger nothing can be seen: a piece carried by touch rides so many px above it. */
const LIFT = 72;
/** A finger that rests shows the hex; a mouse that rests on a stack spreads it, ms. */
const LONG_PRESS = 350;
const REST = 250;

export class Pointers {
  /** The stack that is spread. */
  fan = $state<string>();
  /** The hex a finger rests on. */
  pressed = $state<string>();

  #grips: Grip[] = [];
  #moved = 0;
  #carried?: number;
  #lift = 0;
  /** The table has the pointer: a block is carried or turned. */
  #taken = false;
  #hoverTimer = 0;
  #pressTimer = 0;

  constructor(
    private readonly window: MapWindow,
    private readonly field: Field,
  ) {}

  wheel = (e: WheelEvent): void => {
    e.preventDefault();
    if (this.field.table?.wheel(Math.sign(e.deltaY))) return;
    this.window.stop();
    this.window.byHand = true;
    const step = e.deltaMode === 1 ? e.deltaY * 18 : e.deltaY;
    this.window.zoomTo(Math.exp(-step * (e.ctrlKey ? 0.009 : 0.0022)), ...this.window.local(e));
  };

  down = (e: PointerEvent): void => {
    if (e.button > 0 || (e.target as Element).closest("button, a, input, .toast")) return;
    this.window.stop();
    this.window.steady = true;
    const at = this.window.local(e);
    this.#grips = [...this.#grips, { id: e.pointerId, x: at[0], y: at[1] }];
    this.field.root.setPointerCapture(e.pointerId);
    this.#moved = 0;
    this.#carried = undefined;
    const alone = this.#grips.length === 1;
    if (this.field.table) this.#taken = alone && this.field.table.down(this.window.toTable(at), e.pointerType === "touch");
    else if (alone) this.#grasp(at, e.pointerType === "touch");
  };

  #grasp(at: Point, finger: boolean): void {
    const { command, sheet } = this.field;
    const hex = this.window.hexAt(at);
    const able = hex === undefined ? [] : command.at(hex).filter((p) => command.choices.actors.includes(p.id));
    // Of a stack the one that was picked comes along, else the top one.
    const actor = able.find((p) => p.id === command.selected) ?? able.find((p) => p.arm !== "leader") ?? able[0];
    const middle = hex === undefined ? undefined : sheet.grid?.hex(hex)?.at;
    if (actor && middle && this.#onCounter(at, middle)) this.#carried = actor.id;
    if (finger) this.#pressTimer = window.setTimeout(() => (this.pressed = hex), LONG_PRESS);
  }

  /** A counter is grasped by itself; the rest of its hex pans. */
  #onCounter([x, y]: Point, middle: Point): boolean {
    const { camera } = this.window;
    const dx = Math.abs((middle[0] - camera.x) * camera.k - x);
    const dy = Math.abs((middle[1] - camera.y) * camera.k - y);
    return Math.max(dx, dy) < (UNIT_HEX * camera.k * 0.66) / 2 + 4;
  }

  move = (e: PointerEvent): void => {
    const [x, y] = this.window.local(e);
    const grip = this.#grips.find((g) => g.id === e.pointerId);
    if (!grip) {
      if (e.pointerType !== "touch") this.#hover([x, y]);
      return;
    }
    const [dx, dy] = [x - grip.x, y - grip.y];
    this.#moved += Math.abs(dx) + Math.abs(dy);
    const meant = this.#moved > SLIP;
    if (meant) window.clearTimeout(this.#pressTimer);
    const second = this.#grips.find((g) => g.id !== e.pointerId);
    if (second) {
      const was = Math.hypot(grip.x - second.x, grip.y - second.y) || 1;
      const is = Math.hypot(x - second.x, y - second.y) || 1;
      this.window.pinch(dx, dy, is / was, (x + second.x) / 2, (y + second.y) / 2);
    } else if (this.#taken) {
      if (meant) this.field.table?.move(this.window.toTable([x, y]));
    } else if (this.#carried !== undefined) {
      if (meant) this.#carry(this.#carried, [x, y], e.pointerType === "touch");
    } else {
      if (meant) this.window.byHand = true;
      this.window.pan(dx, dy);
    }
    grip.x = x;
    grip.y = y;
  };

  #carry(piece: number, [x, y]: Point, finger: boolean): void {
    const { command, ghost } = this.field;
    if (command.selected !== piece) command.pick(piece);
    command.dragging = piece;
    this.#lift = finger ? LIFT : 0;
    // The piece in the hand follows the pointer without anything else being laid out anew.
    const half = this.window.side / 2;
    ghost.style.transform = `translate(${x - half}px, ${y - this.#lift - half}px)`;
    command.hover = this.window.hexAt([x, y - this.#lift]);
  }

  up = (e: PointerEvent): void => {
    const { command, table } = this.field;
    window.clearTimeout(this.#pressTimer);
    const alone = this.#grips.length === 1;
    this.#grips = this.#grips.filter((g) => g.id !== e.pointerId);
    if (e.type === "pointercancel") {
      command.dragging = undefined;
      return;
    }
    const at = this.window.local(e);
    const [taken, meant] = [this.#taken, this.#moved > SLIP];
    this.#taken = false;
    if (taken && meant) table?.up();
    else if (command.dragging !== undefined) this.#drop(at);
    else if (alone && !meant) this.#click(at, e);
  };

  #drop([x, y]: Point): void {
    const { command } = this.field;
    const hex = this.window.hexAt([x, y - this.#lift]);
    const from = hexOf(command.pieces.get(command.dragging!)?.place);
    command.dragging = undefined;
    command.hover = undefined;
    if (hex !== from) void command.drop(hex);
  }

  #click(at: Point, e: PointerEvent): void {
    const { command, table, piles } = this.field;
    this.window.focus();
    if (table) {
      this.field.touched();
      table.click(this.window.toTable(at), e.altKey);
      return;
    }
    const hex = this.window.hexAt(at);
    if (hex === undefined) return;
    command.cursor = undefined;
    this.field.touched();
    window.clearTimeout(this.#hoverTimer);
    if (e.pointerType === "touch") this.fan = (piles.get(hex)?.length ?? 0) > 1 && this.fan !== hex ? hex : undefined;
    void command.touch(hex);
  }

  #hover(at: Point): void {
    const { command, table, piles, root } = this.field;
    if (table) {
      table.hover(this.window.toTable(at));
      return;
    }
    const hex = this.window.hexAt(at);
    if (hex === command.hover) return;
    command.hover = hex;
    root.classList.toggle("over-piece", hex !== undefined && (piles.has(hex) || command.goals.has(hex)));
    this.field.hovered(hex);
    this.pressed = undefined;
    if (this.fan !== hex) this.fan = undefined;
    window.clearTimeout(this.#hoverTimer);
    if (hex === undefined || (piles.get(hex)?.length ?? 0) < 2) return;
    this.#hoverTimer = window.setTimeout(() => (this.fan = hex), REST);
  }

  /** A piece from beside the map is carried over it. */
  carryFrom(piece: number, e: PointerEvent): void {
    this.#carry(piece, this.window.local(e), e.pointerType === "touch");
  }

  /** It is let go: over the map it is put down there, over anything else it stays in the hand. */
  putDown(e: PointerEvent): void {
    const { command, root } = this.field;
    if (root.contains(document.elementFromPoint(e.clientX, e.clientY))) this.#drop(this.window.local(e));
    else command.dragging = undefined;
  }

  leave = (): void => {
    window.clearTimeout(this.#hoverTimer);
    this.fan = undefined;
    this.field.command.hover = undefined;
    this.field.hovered(undefined);
  };

  double = (e: MouseEvent): void => {
    const { command } = this.field;
    if (command.selected === undefined && !command.chosen) this.window.zoomStep(...this.window.local(e));
  };
}
