/** The map on the screen: one canvas, tiles drawn by the worker, moved at the pointer's speed. */
import { MARGINS, UNIT_HEX, windowOf } from "./frame";
import type { Box } from "./geometry";
import { zoomLevel } from "./zoom";
import type { Theme } from "./palette";
import type { Zoom } from "./ops";
import { palette } from "./palette";
import type { SheetRequest } from "./survey";
import type { FromShop, ToShop } from "./worker";

const TILE = 512;
const KEEP = 90;
const REST = 160;

/** Upper left corner of the window on the sheet (units), and css px a unit. */
export interface Camera {
  x: number;
  y: number;
  k: number;
}

interface Tile {
  bitmap?: ImageBitmap;
  used: number;
}

interface TileSet {
  key: string;
  /** Device px a unit. */
  scale: number;
  zoom: Zoom;
  tiles: Map<string, Tile>;
}

export class MapCanvas {
  private readonly canvas: HTMLCanvasElement;
  private readonly ctx: CanvasRenderingContext2D;
  private readonly worker: Worker;
  private sets: TileSet[] = [];
  private overview?: ImageBitmap;
  private theme: Theme;
  private numbers = true;
  private camera: Camera = { x: 0, y: 0, k: 0.28 };
  private readonly window: Box;
  private gone = false;
  private frame = 0;
  private clock = 0;
  private rest = 0;
  private zoom?: Zoom;
  private waiting = 0;
  ready = false;
  /** Called with the whole sheet, small: for the minimap. */
  onOverview?: (bitmap: ImageBitmap) => void;
  onReady?: (milliseconds: number) => void;
  onIdle?: () => void;

  constructor(canvas: HTMLCanvasElement, request: SheetRequest, theme: Theme) {
    this.canvas = canvas;
    this.ctx = canvas.getContext("2d", { alpha: false })!;
    this.theme = theme;
    this.window = windowOf(request);
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
    if (message.kind === "ready") {
      this.ready = true;
      this.onReady?.(message.milliseconds);
      this.redraw();
      return;
    }
    if (message.id.startsWith("overview")) {
      if (message.id === `overview ${this.theme}`) {
        this.overview = message.bitmap;
        this.onOverview?.(message.bitmap);
        this.redraw();
      }
      return;
    }
    this.waiting--;
    const [key, place] = message.id.split("#");
    const tile = this.sets.find((s) => s.key === key)?.tiles.get(place);
    if (tile) {
      tile.bitmap = message.bitmap;
      this.redraw();
    } else message.bitmap.close();
    if (this.waiting === 0) {
      this.onIdle?.();
      this.redraw();
    }
  }

  resize(width: number, height: number): void {
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.redraw();
  }

  setTheme(theme: Theme): void {
    if (theme === this.theme) return;
    this.theme = theme;
    this.askOverview();
    this.redraw();
  }

  setNumbers(on: boolean): void {
    this.numbers = on;
    this.redraw();
  }

  /** Moves the window. While a zoom is under way old tiles are stretched; new ones are asked for when it rests. */
  look(camera: Camera): void {
    const zooming = Math.abs(camera.k / this.camera.k - 1) > 1e-6;
    this.camera = camera;
    if (zooming) {
      window.clearTimeout(this.rest);
      this.rest = window.setTimeout(() => {
        this.rest = 0;
        this.redraw();
      }, REST);
    }
    this.redraw();
  }

  redraw(): void {
    if (this.gone) return;
    if (this.frame === 0) this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  /** Nothing is drawn after this, whatever is still in flight. */
  destroy(): void {
    this.gone = true;
    cancelAnimationFrame(this.frame);
    window.clearTimeout(this.rest);
    this.worker.terminate();
    for (const set of this.sets) for (const t of set.tiles.values()) t.bitmap?.close();
  }

  private present(): TileSet {
    const ratio = window.devicePixelRatio || 1;
    const scale = this.camera.k * ratio;
    this.zoom = zoomLevel(this.camera.k * UNIT_HEX, this.zoom);
    const key = `${this.theme}/${scale.toFixed(6)}/${this.zoom}/${this.numbers ? 1 : 0}`;
    let set = this.sets.find((s) => s.key === key);
    if (!set) {
      set = { key, scale, zoom: this.zoom, tiles: new Map() };
      this.sets.push(set);
      this.dropOld(set);
    }
    return set;
  }

  /** Wishes of other scales are void; their finished tiles stay as a stopgap. */
  private dropOld(now: TileSet): void {
    const ids: string[] = [];
    for (const set of this.sets) {
      if (set === now) continue;
      for (const [place, tile] of set.tiles)
        if (!tile.bitmap) {
          ids.push(`${set.key}#${place}`);
          set.tiles.delete(place);
        }
    }
    this.waiting -= ids.length;
    if (ids.length > 0) this.send({ kind: "forget", ids });
    const all = this.sets.flatMap((set) => [...set.tiles].map(([place, tile]) => ({ set, place, tile })));
    all.sort((a, b) => a.tile.used - b.tile.used);
    for (const { set, place, tile } of all.slice(0, Math.max(0, all.length - KEEP))) {
      tile.bitmap?.close();
      set.tiles.delete(place);
    }
    this.sets = this.sets.filter((s) => s === now || s.tiles.size > 0);
  }

  private draw(): void {
    const { ctx, canvas, camera } = this;
    const ratio = window.devicePixelRatio || 1;
    const [ox, oy] = [Math.round(camera.x * camera.k * ratio), Math.round(camera.y * camera.k * ratio)];
    this.clock++;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    const ink = palette(this.theme);
    const now = this.rest === 0 ? this.present() : undefined;
    const whole = now ? this.cover(now, ox, oy) : false;
    if (!whole) {
      ctx.fillStyle = ink.sheet;
      ctx.fillRect(0, 0, canvas.width, canvas.height);
      this.stopgap(ox, oy, ratio);
    }
    if (now) this.drawSet(now, ox, oy);
  }

  private range(ox: number, oy: number) {
    return {
      i0: Math.floor(ox / TILE),
      j0: Math.floor(oy / TILE),
      i1: Math.floor((ox + this.canvas.width - 1) / TILE),
      j1: Math.floor((oy + this.canvas.height - 1) / TILE),
    };
  }

  /** Asks for what is missing, nearest the middle first, and tells whether the window is fully covered. */
  private cover(set: TileSet, ox: number, oy: number): boolean {
    const { i0, j0, i1, j1 } = this.range(ox, oy);
    const { x0, y0, x1, y1 } = this.extent;
    const side = TILE / set.scale;
    const missing: { i: number; j: number; d: number }[] = [];
    let whole = true;
    for (let j = j0 - 1; j <= j1 + 1; j++)
      for (let i = i0 - 1; i <= i1 + 1; i++) {
        if ((i + 1) * side < x0 || i * side > x1 || (j + 1) * side < y0 || j * side > y1) {
          if (i >= i0 && i <= i1 && j >= j0 && j <= j1) whole = false;
          continue;
        }
        const visible = i >= i0 && i <= i1 && j >= j0 && j <= j1;
        const tile = set.tiles.get(`${i},${j}`);
        if (visible && !tile?.bitmap) whole = false;
        if (!tile) missing.push({ i, j, d: Math.hypot(i - (i0 + i1) / 2, j - (j0 + j1) / 2) + (visible ? 0 : 100) });
      }
    missing.sort((a, b) => a.d - b.d);
    // The ring outside the window is drawn ahead only when nothing is waited for.
    const now = missing.filter((m) => m.d < 100);
    for (const { i, j } of now.length > 0 || this.waiting > 0 ? now : missing) {
      const place = `${i},${j}`;
      set.tiles.set(place, { used: this.clock });
      this.waiting++;
      this.send({
        kind: "tile",
        id: `${set.key}#${place}`,
        width: TILE,
        height: TILE,
        view: {
          scale: set.scale,
          box: { x0: i * side, y0: j * side, x1: (i + 1) * side, y1: (j + 1) * side },
          theme: this.theme,
          zoom: set.zoom,
          numbers: this.numbers,
        },
      });
    }
    return whole;
  }

  private drawSet(set: TileSet, ox: number, oy: number): void {
    const { i0, j0, i1, j1 } = this.range(ox, oy);
    for (let j = j0; j <= j1; j++)
      for (let i = i0; i <= i1; i++) {
        const tile = set.tiles.get(`${i},${j}`);
        if (!tile?.bitmap) continue;
        tile.used = this.clock;
        this.ctx.drawImage(tile.bitmap, i * TILE - ox, j * TILE - oy);
      }
  }

  /** The overview, and over it the latest finished tiles of another scale. */
  private stopgap(ox: number, oy: number, ratio: number): void {
    const { ctx, camera, extent } = this;
    ctx.imageSmoothingEnabled = true;
    ctx.imageSmoothingQuality = "low";
    const scale = camera.k * ratio;
    const set = this.sets.filter((s) => s.key.startsWith(`${this.theme}/`) && [...s.tiles.values()].some((t) => t.bitmap)).at(-1);
    const side = set ? (TILE * scale) / set.scale : 0;
    const [w, h] = [this.canvas.width, this.canvas.height];
    const needed = set ? (Math.floor((ox + w - 1) / side) - Math.floor(ox / side) + 1) * (Math.floor((oy + h - 1) / side) - Math.floor(oy / side) + 1) : 1;
    const there: { tile: Tile; x: number; y: number }[] = [];
    for (const [place, tile] of set?.tiles ?? []) {
      if (!tile.bitmap) continue;
      const [i, j] = place.split(",").map(Number);
      const x = i * side - ox;
      const y = j * side - oy;
      if (x <= w && y <= h && x + side >= 0 && y + side >= 0) there.push({ tile, x, y });
    }
    // The overview only where tiles leave gaps: each covered pixel is drawn once.
    if (this.overview && there.length < needed)
      ctx.drawImage(this.overview, extent.x0 * scale - ox, extent.y0 * scale - oy, (extent.x1 - extent.x0) * scale, (extent.y1 - extent.y0) * scale);
    for (const { tile, x, y } of there) {
      tile.used = this.clock;
      ctx.drawImage(tile.bitmap!, x, y, side + 0.5, side + 0.5);
    }
  }
}
