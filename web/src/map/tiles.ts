/**
 * The map on the screen: tiles drawn by the worker, laid out once for a scale and then moved by one transform.
 * Panning and zooming touch nothing but that transform; new tiles are asked for when a zoom has come to rest.
 */
import { MARGINS, UNIT_HEX, windowOf } from "./frame";
import type { Box } from "./geometry";
import { zoomLevel } from "./zoom";
import type { Theme } from "./palette";
import type { Zoom } from "./ops";
import { palette } from "./palette";
import type { SheetRequest } from "./survey";
import type { FromShop, ToShop } from "./worker";

/** Device px on a side. */
const TILE = 512;
/** So many finished tiles are kept, the latest used. */
const KEEP = 90;

/** Upper left corner of the window on the sheet (units), and css px a unit. */
export interface Camera {
  x: number;
  y: number;
  k: number;
}

interface Tile {
  canvas?: HTMLCanvasElement;
  used: number;
}

interface TileSet {
  key: string;
  /** Css px a unit, and device px a unit. */
  k: number;
  scale: number;
  zoom: Zoom;
  tiles: Map<string, Tile>;
  host: HTMLDivElement;
}

/** The transform of a layer laid out for scale `k` with its corner at (x0, y0) of the sheet. */
export function layerTransform(camera: Camera, k: number, x0: number, y0: number): string {
  const x = (x0 - camera.x) * camera.k;
  const y = (y0 - camera.y) * camera.k;
  if (Math.abs(camera.k / k - 1) > 1e-6) return `translate(${x}px, ${y}px) scale(${camera.k / k})`;
  // At rest on whole device pixels, so that lines stay sharp.
  const ratio = window.devicePixelRatio || 1;
  return `translate(${Math.round(x * ratio) / ratio}px, ${Math.round(y * ratio) / ratio}px)`;
}

export class MapTiles {
  private readonly root: HTMLElement;
  private readonly world: HTMLDivElement;
  private readonly far: HTMLCanvasElement;
  private readonly worker: Worker;
  private readonly window: Box;
  /** The latest last; it alone is asked for, the others fill its gaps. */
  private sets: TileSet[] = [];
  private theme: Theme;
  private numbers = true;
  private camera: Camera = { x: 0, y: 0, k: 0.28 };
  /** The scale everything is laid out for. */
  private k = 0;
  private width = 0;
  private height = 0;
  private gone = false;
  private clock = 0;
  private zoom?: Zoom;
  private waiting = 0;
  private drawn = false;
  ready = false;
  /** Called with the whole sheet, small: for the minimap. */
  onOverview?: (picture: CanvasImageSource) => void;
  onReady?: (milliseconds: number) => void;
  onIdle?: () => void;

  constructor(root: HTMLElement, request: SheetRequest, theme: Theme) {
    this.root = root;
    this.theme = theme;
    this.window = windowOf(request);
    this.world = document.createElement("div");
    this.far = document.createElement("canvas");
    Object.assign(this.world.style, { position: "absolute", left: "0", top: "0", transformOrigin: "0 0", willChange: "transform", pointerEvents: "none" });
    Object.assign(this.far.style, { position: "absolute" });
    this.world.append(this.far);
    root.prepend(this.world);
    this.paper();
    this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }: MessageEvent<FromShop>) => this.receive(data);
    this.send({ kind: "engrave", request });
    this.askOverview();
  }

  private send(message: ToShop): void {
    this.worker.postMessage(message);
  }

  /** The sheet with its margins, units. */
  get extent() {
    const { side, below } = MARGINS;
    const w = this.window;
    return { x0: w.x0 - side, y0: w.y0 - side, x1: w.x1 + side, y1: w.y1 + below };
  }

  private paper(): void {
    this.root.style.backgroundColor = palette(this.theme).sheet;
  }

  /** The whole sheet, small, once it is drawn. */
  get overview(): CanvasImageSource | undefined {
    return this.drawn ? this.far : undefined;
  }

  private askOverview(): void {
    const { x0, y0, x1, y1 } = this.extent;
    const scale = Math.min(0.16, 1400 / (x1 - x0));
    this.send({
      kind: "tile",
      id: `overview ${this.theme}`,
      width: Math.ceil((x1 - x0) * scale),
      height: Math.ceil((y1 - y0) * scale),
      view: { scale, box: this.extent, theme: this.theme, zoom: 0 },
    });
  }

  private receive(message: FromShop): void {
    if (this.gone) return;
    if (message.kind === "ready") {
      this.ready = true;
      this.onReady?.(message.milliseconds);
      return;
    }
    if (message.id.startsWith("overview")) {
      if (message.id === `overview ${this.theme}`) {
        show(this.far, message.bitmap);
        this.drawn = true;
        this.onOverview?.(this.far);
      } else message.bitmap.close();
      return;
    }
    this.waiting--;
    const [key, place] = message.id.split("#");
    const set = this.sets.find((s) => s.key === key);
    const tile = set?.tiles.get(place);
    if (set && tile) this.lay(set, tile, place, message.bitmap);
    else message.bitmap.close();
    if (this.waiting === 0) {
      this.onIdle?.();
      this.cover();
    }
  }

  /** A finished tile takes its place. */
  private lay(set: TileSet, tile: Tile, place: string, bitmap: ImageBitmap): void {
    const [i, j] = place.split(",").map(Number);
    const side = TILE / (window.devicePixelRatio || 1);
    tile.canvas = document.createElement("canvas");
    show(tile.canvas, bitmap);
    Object.assign(tile.canvas.style, { position: "absolute", left: `${i * side}px`, top: `${j * side}px`, width: `${side}px`, height: `${side}px` });
    set.host.append(tile.canvas);
    if (set === this.sets.at(-1) && this.whole(set)) this.hideStopgaps();
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.cover();
  }

  setTheme(theme: Theme): void {
    if (theme === this.theme) return;
    this.theme = theme;
    this.paper();
    this.askOverview();
    this.settle();
  }

  setNumbers(on: boolean): void {
    if (on === this.numbers) return;
    this.numbers = on;
    this.settle();
  }

  /** Moves the window: one transform, and a wish for tiles that a pan has brought in. */
  look(camera: Camera): void {
    this.camera = camera;
    if (this.k === 0) this.k = camera.k;
    this.world.style.transform = layerTransform(camera, this.k, this.window.x0, this.window.y0);
    if (camera.k === this.k) this.cover();
  }

  /** A zoom has come to rest: everything is laid out for its scale, finished tiles of another stand in meanwhile. */
  settle(): void {
    if (this.gone || this.k === 0) return;
    this.k = this.camera.k;
    const { x0, y0, x1, y1 } = this.extent;
    Object.assign(this.far.style, {
      left: `${(x0 - this.window.x0) * this.k}px`,
      top: `${(y0 - this.window.y0) * this.k}px`,
      width: `${(x1 - x0) * this.k}px`,
      height: `${(y1 - y0) * this.k}px`,
    });
    const now = this.present();
    const stopgap = this.sets.findLast((s) => s !== now && s.key.startsWith(`${this.theme}/`) && [...s.tiles.values()].some((t) => t.canvas));
    for (const set of this.sets) {
      set.host.style.transform = set === now ? "" : `scale(${this.k / set.k})`;
      set.host.style.display = set === now || set === stopgap ? "" : "none";
    }
    this.look(this.camera);
    if (this.whole(now)) this.hideStopgaps();
  }

  /** Nothing is drawn after this, whatever is still in flight. */
  destroy(): void {
    this.gone = true;
    this.worker.terminate();
    this.world.remove();
  }

  private hideStopgaps(): void {
    for (const set of this.sets.slice(0, -1)) set.host.style.display = "none";
  }

  /** The set of the present scale, made if there is none, and the latest of all. */
  private present(): TileSet {
    const scale = this.k * (window.devicePixelRatio || 1);
    this.zoom = zoomLevel(this.k * UNIT_HEX, this.zoom);
    const key = `${this.theme}/${scale.toFixed(6)}/${this.zoom}/${this.numbers ? 1 : 0}`;
    let set = this.sets.find((s) => s.key === key);
    if (!set) {
      const host = document.createElement("div");
      Object.assign(host.style, { position: "absolute", left: "0", top: "0", transformOrigin: "0 0" });
      set = { key, k: this.k, scale, zoom: this.zoom, tiles: new Map(), host };
    }
    // The same scale but for the last bits of a number is the same scale.
    set.k = this.k;
    this.sets = [...this.sets.filter((s) => s !== set), set];
    if (set.host !== this.world.lastElementChild) this.world.append(set.host);
    this.dropOld(set);
    return set;
  }

  /** Wishes of other scales are void; their finished tiles stay as a stopgap. */
  private dropOld(now: TileSet): void {
    const ids: string[] = [];
    for (const set of this.sets) {
      if (set === now) continue;
      for (const [place, tile] of set.tiles)
        if (!tile.canvas) {
          ids.push(`${set.key}#${place}`);
          set.tiles.delete(place);
        }
    }
    this.waiting -= ids.length;
    if (ids.length > 0) this.send({ kind: "forget", ids });
    const all = this.sets.flatMap((set) => [...set.tiles].map(([place, tile]) => ({ set, place, tile })));
    all.sort((a, b) => a.tile.used - b.tile.used);
    for (const { set, place, tile } of all.slice(0, Math.max(0, all.length - KEEP))) {
      tile.canvas?.remove();
      set.tiles.delete(place);
    }
    for (const set of this.sets) if (set !== now && set.tiles.size === 0) set.host.remove();
    this.sets = this.sets.filter((s) => s === now || s.tiles.size > 0);
  }

  /** The tiles in the window, by column and row from the corner of the grid. */
  private range() {
    const side = TILE / (window.devicePixelRatio || 1);
    const x = (this.camera.x - this.window.x0) * this.k;
    const y = (this.camera.y - this.window.y0) * this.k;
    return { i0: Math.floor(x / side), j0: Math.floor(y / side), i1: Math.floor((x + this.width - 1) / side), j1: Math.floor((y + this.height - 1) / side) };
  }

  /** Whether a tile would show nothing but the table beneath the sheet. */
  private outside(i: number, j: number, side: number): boolean {
    const { x0, y0, x1, y1 } = this.extent;
    const [x, y] = [this.window.x0 + i * side, this.window.y0 + j * side];
    return x + side < x0 || x > x1 || y + side < y0 || y > y1;
  }

  private whole(set: TileSet): boolean {
    const { i0, j0, i1, j1 } = this.range();
    for (let j = j0; j <= j1; j++) for (let i = i0; i <= i1; i++) if (!set.tiles.get(`${i},${j}`)?.canvas && !this.outside(i, j, TILE / set.scale)) return false;
    return true;
  }

  /** Asks for what is missing in the window, nearest the middle first; then for the ring around it. */
  private cover(): void {
    if (this.gone || this.k === 0 || this.width === 0) return;
    const set = this.sets.at(-1);
    // Scales that differ by less than a key tells apart share their tiles.
    if (!set || Math.abs(set.k / this.k - 1) > 1e-4 || !set.key.startsWith(`${this.theme}/`)) {
      this.settle();
      return;
    }
    this.clock++;
    const { i0, j0, i1, j1 } = this.range();
    const side = TILE / set.scale;
    const missing: { i: number; j: number; d: number }[] = [];
    for (let j = j0 - 1; j <= j1 + 1; j++)
      for (let i = i0 - 1; i <= i1 + 1; i++) {
        const tile = set.tiles.get(`${i},${j}`);
        if (tile) {
          tile.used = this.clock;
          continue;
        }
        if (this.outside(i, j, side)) continue;
        const visible = i >= i0 && i <= i1 && j >= j0 && j <= j1;
        missing.push({ i, j, d: Math.hypot(i - (i0 + i1) / 2, j - (j0 + j1) / 2) + (visible ? 0 : 100) });
      }
    if (missing.length === 0) return;
    missing.sort((a, b) => a.d - b.d);
    // The ring outside the window is drawn ahead only when nothing is waited for.
    const now = missing.filter((m) => m.d < 100);
    for (const { i, j } of now.length > 0 || this.waiting > 0 ? now : missing) this.ask(set, i, j, side);
  }

  private ask(set: TileSet, i: number, j: number, side: number): void {
    const place = `${i},${j}`;
    const [x0, y0] = [this.window.x0 + i * side, this.window.y0 + j * side];
    set.tiles.set(place, { used: this.clock });
    this.waiting++;
    this.send({
      kind: "tile",
      id: `${set.key}#${place}`,
      width: TILE,
      height: TILE,
      view: { scale: set.scale, box: { x0, y0, x1: x0 + side, y1: y0 + side }, theme: this.theme, zoom: set.zoom, numbers: this.numbers },
    });
  }
}

/** A bitmap on a canvas of its size, without a copy. */
function show(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("bitmaprenderer")!.transferFromImageBitmap(bitmap);
}
