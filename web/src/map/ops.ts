/** What the engraver hands to the painter: paths with palette names, bottom up. */
import { boxOf, grow, type Box } from "./geometry";
import type { Paint } from "./palette";
import type { Point } from "./survey";

/** 0 far, 1 middle, 2 near. */
export type Zoom = 0 | 1 | 2;

export interface PathOp {
  d: string;
  box: Box;
  fill?: Paint;
  stroke?: Paint;
  width?: number;
  alpha?: number;
  dash?: number[];
  cap?: "round" | "butt";
  join?: "round" | "miter";
  shift?: Point;
  /** Seen from this zoom level on, and up to that one. */
  from?: Zoom;
  upTo?: Zoom;
  /** Compound paths whose parts overlap are filled whole. */
  evenOdd?: boolean;
}

export interface ReliefImage {
  width: number;
  height: number;
  pixels: Uint8ClampedArray;
  box: Box;
}

const r = (v: number) => Math.round(v);
const r1 = (v: number) => Math.round(v * 10) / 10;

export function polyline(points: Point[], closed = false, fine = false): string {
  const f = fine ? r1 : r;
  let d = "";
  points.forEach(([x, y], i) => (d += `${i === 0 ? "M" : "L"}${f(x)} ${f(y)}`));
  return closed ? d + "Z" : d;
}

/** An area as quadratics through the midpoints. */
export function softRing(ring: Point[]): string {
  const n = ring.length;
  const mid = (i: number): Point => {
    const a = ring[i % n];
    const b = ring[(i + 1) % n];
    return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  };
  const [sx, sy] = mid(n - 1);
  let d = `M${r(sx)} ${r(sy)}`;
  for (let i = 0; i < n; i++) {
    const [mx, my] = mid(i);
    d += `Q${r(ring[i][0])} ${r(ring[i][1])} ${r(mx)} ${r(my)}`;
  }
  return d + "Z";
}

/** A line as cubics, control points at one sixth. */
export function softLine(line: Point[]): string {
  const n = line.length;
  let d = `M${r(line[0][0])} ${r(line[0][1])}`;
  for (let i = 0; i < n - 1; i++) {
    const a = line[Math.max(0, i - 1)];
    const b = line[i];
    const c = line[i + 1];
    const e = line[Math.min(n - 1, i + 2)];
    d += `C${r(b[0] + (c[0] - a[0]) / 6)} ${r(b[1] + (c[1] - a[1]) / 6)} ${r(c[0] - (e[0] - b[0]) / 6)} ${r(c[1] - (e[1] - b[1]) / 6)} ${r(c[0])} ${r(c[1])}`;
  }
  return d;
}

export function circle([x, y]: Point, radius: number): string {
  return `M${r1(x - radius)} ${r1(y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
}

export function rectangle([x, y]: Point, w: number, h: number, angle: number): Point[] {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  return ([[-w / 2, -h / 2], [w / 2, -h / 2], [w / 2, h / 2], [-w / 2, h / 2]] as Point[]).map(([a, b]) => [
    x + a * c - b * s,
    y + a * s + b * c,
  ]);
}

export type Style = Omit<PathOp, "d" | "box">;

/** Gathers strokes that share a paint into few paths, cut by cells so that a tile draws only what it shows. */
export class Chunks {
  private readonly cells = new Map<string, { d: string[]; box: Box }>();
  private readonly style: Style;
  private readonly cell: number;

  constructor(style: Style, cell = 900) {
    this.style = style;
    this.cell = cell;
  }

  add(d: string, points: Point[]): void {
    const box = boxOf(points);
    const key = `${Math.floor((box.x0 + box.x1) / 2 / this.cell)},${Math.floor((box.y0 + box.y1) / 2 / this.cell)}`;
    const chunk = this.cells.get(key);
    if (!chunk) {
      this.cells.set(key, { d: [d], box });
      return;
    }
    chunk.d.push(d);
    chunk.box = {
      x0: Math.min(chunk.box.x0, box.x0),
      y0: Math.min(chunk.box.y0, box.y0),
      x1: Math.max(chunk.box.x1, box.x1),
      y1: Math.max(chunk.box.y1, box.y1),
    };
  }

  ops(): PathOp[] {
    const pad = (this.style.width ?? 0) + 4;
    return [...this.cells.values()].map(({ d, box }) => ({ ...this.style, d: d.join(""), box: grow(box, pad) }));
  }
}

export function op(d: string, points: Point[], style: Style): PathOp {
  const shift = style.shift ?? [0, 0];
  return { ...style, d, box: grow(boxOf(points), (style.width ?? 0) + 6 + Math.abs(shift[0]) + Math.abs(shift[1])) };
}
