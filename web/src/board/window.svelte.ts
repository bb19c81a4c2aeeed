/** The window on the map: what it shows, where it may go, and how it gets there. */
import { between, clampCamera, fit, panBy, zoomAt, type Limits, type Pad } from "../map/camera";
import { MARGINS, UNIT_HEX, UNIT_INCH, windowOf } from "../map/frame";
import { boxOf, grow, type Box } from "../map/geometry";
import { clear, freeRooms, type Room } from "../map/rooms";
import type { Point } from "../map/survey";
import { layerTransform, type Camera } from "../map/tiles";
import { pointOf, unitsPerThousandth, type Sheet } from "../lib/ground";
import { settings } from "../lib/settings.svelte";
import type { Rect } from "../table/labels";
import type { Place } from "../wire";
import type { Covers } from "./covers";

/** What carries a piece over the map that was taken up beside it. */
export interface Carrier {
  carryFrom(piece: number, e: PointerEvent): void;
  putDown(e: PointerEvent): void;
}

/** What the battle screen may ask of the map. */
export interface MapHandle {
  zoomBy(factor: number): void;
  fitAll(): void;
  frame(hexes: string[], most?: number): void;
  /** On a table: those places, near enough to read. */
  framePlaces(places: Place[]): void;
  reveal(hex: string): void;
  /** Brings places into the free part of the map, if one of them is not there: by a pan if that will do, else from farther off. They are kept there, whatever panels come, until somebody looks elsewhere. */
  bring(places: Place[]): void;
  /** All of the field, if its counters can still be read then. */
  whole(): void;
  /** The player has moved the map since this was last set to false. */
  byHand: boolean;
  /** A pointer is at work on the map: nothing moves under it until another decision comes. */
  steady: boolean;
  focus(): void;
  /** A piece from beside the map in the player's hand. */
  carrier: Carrier;
  centreOn(x: number, y: number): void;
}

/** What the window looks at. */
export interface Scene {
  readonly sheet: Sheet;
  /** Room that furniture takes at the edges, px. */
  readonly inset: Pad;
  /** The panels themselves. */
  readonly covers?: Covers;
  /** Where those stand that may act. */
  readonly acting: Place[];
  readonly everybody: Place[];
}

/** What is drawn through the window. */
export interface Panes {
  /** Marks and counters, moved by one transform. */
  layer: HTMLElement;
  root: HTMLElement;
  /** The camera moved. */
  looked(camera: Camera): void;
  /** A zoom has come to rest. */
  settled(): void;
}

/** Px an inch at which a table can be read. */
const READABLE = 12;
/** Px a hex at which a counter can be read. */
const LEGIBLE = 62;
/** Room at the edges of the window, px. */
const EDGE = 6;
/** Room round a place that is brought into view: a hex, and on a table the plate of a unit. */
const AROUND_HEX = UNIT_HEX * 0.58;
const AROUND_SPOT = UNIT_INCH * 0.7;
/** Sizes of a hex that a double click steps through, px. */
const STOPS = [52, 84, 104, 166];

export class MapWindow implements MapHandle {
  width = $state(0);
  height = $state(0);
  /** The scale the marks are laid out for. */
  k = $state(0.28);
  /** What of the window is free of prompt and tools, in the layer's px, when the map has come to rest. */
  free = $state.raw<Rect>({ x: 0, y: 0, w: 0, h: 0 });
  byHand = false;
  steady = false;
  carrier: Carrier = { carryFrom: () => {}, putDown: () => {} };
  /** What panels leave free of the window, in the layer's px, when the map has come to rest. */
  rooms = $state.raw<Room[]>([]);
  /** The part of the window that the map was last brought into: the sheet can be moved clear of all that lies round it. */
  #room = $state.raw<Room>();
  /** Where a flight leads, while there is one. */
  #bound: Camera | undefined;
  /** What was brought into view last and stays there. */
  #kept: Point[] = [];

  /** What the window shows now. */
  camera: Camera = { x: 0, y: 0, k: 0.28 };
  #panes?: Panes;
  #settleTimer = 0;
  #restTimer = 0;
  #flight = 0;
  /** What was asked for before the window is measured is done when it is. */
  #asked?: () => void;

  constructor(private readonly scene: Scene) {}

  readonly win = $derived.by(() => windowOf(this.scene.sheet.request));
  readonly extent = $derived<Box>({ x0: this.win.x0 - MARGINS.side, y0: this.win.y0 - MARGINS.side, x1: this.win.x1 + MARGINS.side, y1: this.win.y1 + MARGINS.below });
  readonly #unit = $derived.by(() => (this.scene.sheet.grid ? UNIT_HEX : UNIT_INCH * 2.4));
  readonly limits = $derived.by<Limits>(() => {
    const pad = this.#room ? this.#round(this.#room) : this.scene.inset;
    const across = (this.width - pad.left - pad.right) / (this.extent.x1 - this.extent.x0);
    const down = (this.height - pad.top - pad.bottom) / (this.extent.y1 - this.extent.y0);
    return {
      extent: this.extent, width: this.width, height: this.height, pad,
      // All of the field fits into what prompt and tools leave free of the window.
      least: Math.min(24 / this.#unit, Math.min(across, down) || 1),
      most: 166 / this.#unit,
    };
  });
  /** The whole layer, px. */
  readonly size = $derived({ w: (this.win.x1 - this.win.x0) * this.k, h: (this.win.y1 - this.win.y0) * this.k });
  /** All of the field is in the window: no need for a small picture of it. */
  readonly seenWhole = $derived(this.size.w <= this.width && this.size.h <= this.height);
  /** A hex and a counter, px. */
  readonly hexPx = $derived(UNIT_HEX * this.k);
  readonly side = $derived(Math.max(14, Math.round(this.hexPx * 0.62)));

  get inset(): Pad {
    return this.scene.inset;
  }

  /** A point of the map in the layer's px. */
  readonly px = ([x, y]: Point): Point => [(x - this.win.x0) * this.k, (y - this.win.y0) * this.k];

  /** From the pointer's place in the window to the map's units. */
  toUnits([x, y]: Point): Point {
    return [this.camera.x + x / this.camera.k, this.camera.y + y / this.camera.k];
  }

  /** The same in thousandths of an inch, y to the north. */
  toTable(p: Point): Point {
    const [x, y] = this.toUnits(p);
    return [x / unitsPerThousandth, (this.scene.sheet.request.survey.size[1] * UNIT_INCH - y) / unitsPerThousandth];
  }

  hexAt(p: Point): string | undefined {
    return this.scene.sheet.grid?.under(this.toUnits(p))?.id;
  }

  /** Where the pointer is in the window. */
  local(e: { clientX: number; clientY: number }): Point {
    const r = this.#panes?.root.getBoundingClientRect();
    return [e.clientX - (r?.left ?? 0), e.clientY - (r?.top ?? 0)];
  }

  open(panes: Panes): void {
    this.#panes = panes;
    if (this.scene.covers) this.scene.covers.changed = () => this.#keep();
  }

  close(): void {
    this.#panes = undefined;
    if (this.scene.covers) this.scene.covers.changed = () => {};
    window.clearTimeout(this.#settleTimer);
    window.clearTimeout(this.#restTimer);
    this.stop();
  }

  /** The window has another size; the first one opens the view. */
  resized(): void {
    if (!this.#panes) return;
    const first = this.width === 0;
    this.width = this.#panes.root.clientWidth;
    this.height = this.#panes.root.clientHeight;
    if (!first) {
      this.#room = undefined;
      this.apply(clampCamera(this.camera, this.limits));
      this.#keep();
      return;
    }
    const opening = this.#opening();
    this.k = opening.k;
    this.apply(opening);
    this.rest();
    this.#asked?.();
    this.#asked = undefined;
  }

  rest(): void {
    const { inset } = this.scene;
    const edge = (at: number, from: number, px: number) => (at - from + px / this.camera.k) * this.k;
    const [x, y] = [edge(this.camera.x, this.win.x0, inset.left), edge(this.camera.y, this.win.y0, inset.top)];
    this.free = { x, y, w: edge(this.camera.x, this.win.x0, this.width - inset.right) - x, h: edge(this.camera.y, this.win.y0, this.height - inset.bottom) - y };
    const scale = this.k / this.camera.k;
    const [left, top] = [(this.camera.x - this.win.x0) * this.k, (this.camera.y - this.win.y0) * this.k];
    this.rooms = freeRooms(this.#open, this.#covers()).map((r) => ({ x: left + r.x * scale, y: top + r.y * scale, w: r.w * scale, h: r.h * scale }));
  }

  apply(next: Camera): void {
    // A flight or a pinch may outlive the map by a frame.
    if (!this.#panes) return;
    this.camera = next;
    this.#panes.looked(next);
    this.#transform();
    window.clearTimeout(this.#restTimer);
    this.#restTimer = window.setTimeout(() => this.rest(), 120);
    if (Math.abs(next.k / this.k - 1) > 1e-6) {
      window.clearTimeout(this.#settleTimer);
      this.#settleTimer = window.setTimeout(() => this.#settle(), 160);
    }
  }

  /** A zoom has come to rest: marks and counters are laid out for its scale, and the art is drawn anew. */
  #settle(): void {
    if (!this.#panes) return;
    this.k = this.camera.k;
    this.#transform();
    this.rest();
    this.#panes.settled();
  }

  #transform(): void {
    if (this.#panes) this.#panes.layer.style.transform = layerTransform(this.camera, this.k, this.win.x0, this.win.y0);
  }

  /** A hand on the map ends a flight. */
  stop(): void {
    cancelAnimationFrame(this.#flight);
    this.#bound = undefined;
  }

  fly(to: Camera): void {
    this.stop();
    if (settings.data.motion === 0) {
      this.apply(to);
      return;
    }
    this.#bound = to;
    const from = this.camera;
    const start = performance.now();
    const long = 260 / settings.data.motion;
    const tick = (now: number) => {
      const t = Math.min(1, (now - start) / long);
      this.apply(between(from, to, t));
      if (t < 1) this.#flight = requestAnimationFrame(tick);
      else this.#bound = undefined;
    };
    this.#flight = requestAnimationFrame(tick);
  }

  pan(dx: number, dy: number): void {
    this.apply(panBy(this.camera, dx, dy, this.limits));
  }

  zoomTo(factor: number, x: number, y: number): void {
    this.apply(zoomAt(this.camera, factor, x, y, this.limits));
  }

  /** Two fingers: the map follows both. */
  pinch(dx: number, dy: number, factor: number, x: number, y: number): void {
    this.apply(zoomAt(panBy(this.camera, dx / 2, dy / 2, this.limits), factor, x, y, this.limits));
  }

  /** To the next readable size around a point, and from the largest back to the smallest. */
  zoomStep(x: number, y: number): void {
    const now = this.camera.k * this.#unit;
    const next = STOPS.find((s) => s > now + 2) ?? STOPS[0];
    this.fly(zoomAt(this.camera, next / now, x, y, this.limits));
  }

  zoomBy(factor: number): void {
    this.#kept = [];
    this.fly(zoomAt(this.camera, factor, this.width / 2, this.height / 2, this.limits));
  }

  fitAll(): void {
    this.#elsewhere();
    this.fly(this.scene.sheet.grid ? fit(this.extent, this.limits, this.scene.inset) : this.#opening());
  }

  framePlaces(places: Place[]): void {
    this.#measured(() => {
      this.#elsewhere();
      const { inset } = this.scene;
      const points = this.#points(places);
      if (points.length > 0) this.fly(fit(grow(boxOf(points), UNIT_INCH * 8), this.limits, { ...inset, top: inset.top + 40, bottom: inset.bottom + 52 }, 34 / UNIT_INCH));
    });
  }

  frame(hexes: string[], most = 110): void {
    this.#measured(() => {
      this.#elsewhere();
      const points = this.#points(hexes.map((hex) => ({ hex })));
      if (points.length > 0) this.fly(fit(grow(boxOf(points), UNIT_HEX * 1.8), this.limits, this.scene.inset, most / UNIT_HEX));
    });
  }

  reveal(hex: string): void {
    this.#measured(() => this.revealPlace({ hex }));
  }

  revealPlace(place: Place): void {
    const at = pointOf(this.scene.sheet, place);
    if (!at) return;
    const { inset } = this.scene;
    const [x, y] = [(at[0] - this.camera.x) * this.camera.k, (at[1] - this.camera.y) * this.camera.k];
    const m = 60;
    if (x > inset.left + m && x < this.width - inset.right - m && y > inset.top + m && y < this.height - inset.bottom - m) return;
    const cx = (inset.left + this.width - inset.right) / 2;
    const cy = (inset.top + this.height - inset.bottom) / 2;
    this.fly(clampCamera({ k: this.camera.k, x: at[0] - cx / this.camera.k, y: at[1] - cy / this.camera.k }, this.limits));
  }

  whole(): void {
    this.#measured(() => {
      const all = fit(this.win, this.limits, this.scene.inset, 104 / this.#unit);
      if (all.k * this.#unit >= LEGIBLE) this.fly(all);
    });
  }

  bring(places: Place[]): void {
    this.steady = false;
    this.#measured(() => {
      this.#kept = this.#points(places);
      this.#bring(this.#kept);
    });
  }

  #bring(points: Point[]): void {
    if (points.length === 0 || !this.#panes) return;
    const { extent } = this;
    // A panel may come while the map is still on its way: what counts is where it will come to rest.
    const camera = this.#bound ?? this.camera;
    const covers = this.#covers();
    const spread = this.scene.sheet.grid ? AROUND_HEX : AROUND_SPOT;
    const boxes = points.map(([x, y]) => ({ x0: Math.max(extent.x0, x - spread), y0: Math.max(extent.y0, y - spread), x1: Math.min(extent.x1, x + spread), y1: Math.min(extent.y1, y + spread) }));
    if (boxes.every((b) => clear(onScreen(b, camera), this.#open, covers))) return;
    const box = boxOf(boxes.flatMap((b): Point[] => [[b.x0, b.y0], [b.x1, b.y1]]));
    const rooms = freeRooms(this.#open, covers);
    if (rooms.length === 0) return;
    this.#room = roomFor(box, rooms, camera);
    this.fly(clampCamera(intoRoom(box, this.#room, camera), this.limits));
  }

  /** A panel has come, or the window has another size: what was brought into view stays there, unless the player has looked elsewhere or a pointer is about to click. */
  #keep(): void {
    if (this.width === 0) return;
    if (!this.byHand && !this.steady) this.#bring(this.#kept);
    this.rest();
  }

  /** Something else is looked at. */
  #elsewhere(): void {
    this.#kept = [];
    this.#room = undefined;
  }

  get #open(): Room {
    return { x: EDGE, y: EDGE, w: this.width - 2 * EDGE, h: this.height - 2 * EDGE };
  }

  #covers(): Room[] {
    return this.#panes ? (this.scene.covers?.on(this.#panes.root) ?? []) : [];
  }

  /** What of the window lies round a room. */
  #round(room: Room): Pad {
    return { left: room.x, top: room.y, right: this.width - room.x - room.w, bottom: this.height - room.y - room.h };
  }

  centreOn(x: number, y: number): void {
    const { k } = this.camera;
    this.apply(clampCamera({ k, x: x - this.width / 2 / k, y: y - this.height / 2 / k }, this.limits));
  }

  focus(): void {
    this.#panes?.root.focus({ preventScroll: true });
  }

  #measured(look: () => void): void {
    if (this.width > 0) look();
    else this.#asked = look;
  }

  #points(places: Place[]): Point[] {
    return places.map((place) => pointOf(this.scene.sheet, place)).filter((p): p is Point => p !== undefined);
  }

  /** Everything that may act, or the whole field. */
  #opening(): Camera {
    const { sheet, inset, acting, everybody } = this.scene;
    const points = this.#points(acting.length > 0 ? acting : everybody);
    if (points.length === 0) return fit(this.extent, this.limits, inset);
    if (!sheet.grid) return this.#openingTable(points);
    const c = fit(grow(boxOf(points), UNIT_HEX * 2.2), this.limits, inset, 96 / UNIT_HEX);
    // Faces must be legible: on a small screen rather near than whole.
    const least = 72 / UNIT_HEX;
    return c.k >= least || this.width >= 900 ? c : zoomAt(c, least / c.k, this.width / 2, this.height / 2, this.limits);
  }

  /** A table opens on those that act, near enough to read; it is seen whole where that is near enough. */
  #openingTable(points: Point[]): Camera {
    const boxes = [grow(this.win, UNIT_INCH * 0.6), grow(boxOf(this.#points(this.scene.everybody)), UNIT_INCH * 2.5), grow(boxOf(points), UNIT_INCH * 2.5)];
    const [whole, forces, near] = boxes.map((box) => fit(box, this.limits, this.scene.inset, 46 / UNIT_INCH));
    // Where those that act stand close together on a large table, the rest would make them small.
    const readable = [whole, forces].find((c) => c.k * UNIT_INCH >= READABLE && near.k < 2.5 * c.k);
    if (readable) return readable;
    return near.k * UNIT_INCH >= READABLE ? near : zoomAt(near, READABLE / (near.k * UNIT_INCH), this.width / 2, this.height / 2, this.limits);
  }
}

const onScreen = (b: Box, c: Camera): Room => ({ x: (b.x0 - c.x) * c.k, y: (b.y0 - c.y) * c.k, w: (b.x1 - b.x0) * c.k, h: (b.y1 - b.y0) * c.k });

/** The scale at which a box fits into a room, no nearer than now. */
const scaleIn = (box: Box, room: Room, camera: Camera) => Math.min(camera.k, room.w / (box.x1 - box.x0), room.h / (box.y1 - box.y0));

/** The window that holds a box in a room: moved no farther than it must where the box fits at the present scale, else in the middle. */
function intoRoom(box: Box, room: Room, camera: Camera): Camera {
  const k = scaleIn(box, room, camera);
  if (k < camera.k) return { k, x: (box.x0 + box.x1) / 2 - (room.x + room.w / 2) / k, y: (box.y0 + box.y1) / 2 - (room.y + room.h / 2) / k };
  const slide = (from: number, to: number, at: number, start: number, size: number) => Math.max(to - (start + size) / k, Math.min(at, from - start / k));
  return { k, x: slide(box.x0, box.x1, camera.x, room.x, room.w), y: slide(box.y0, box.y1, camera.y, room.y, room.h) };
}

/** The room in which a box is seen largest; of several the one that is reached by the shortest pan. */
function roomFor(box: Box, rooms: Room[], camera: Camera): Room {
  const pan = (room: Room) => {
    const to = intoRoom(box, room, camera);
    return Math.hypot(to.x - camera.x, to.y - camera.y);
  };
  return [...rooms].sort((a, b) => scaleIn(box, b, camera) - scaleIn(box, a, camera) || pan(a) - pan(b))[0];
}
