/** Lettering: what is written on the sheet, where, and in which face. */
import { clamp, dist, inside, lengthOf, resample, type Box, SegmentIndex, boxOf, grow } from "./geometry";
import type { Paint } from "./palette";
import type { Point } from "./survey";
import type { Zoom } from "./ops";
import { smooth } from "./curve";

export type Face = "regular" | "italic" | "bold";

export interface LetterClass {
  face: Face;
  caps?: boolean;
  size: number;
  /** In em. */
  spacing: number;
  paint: Paint;
  halo: Paint;
  haloWidth: number;
  haloAlpha: number;
  from: Zoom;
  /** At the far zoom. */
  far?: { size: number; spacing: number };
}

const hill = { paint: "inkhill", halo: "halo" } as const;
const ink = { paint: "ink", halo: "halo" } as const;
const wet = { paint: "inkwater", halo: "halo" } as const;

export const CLASSES = {
  town: { ...ink, face: "bold", caps: true, size: 72, spacing: 0.1, haloWidth: 16, haloAlpha: 0.92, from: 0, far: { size: 96, spacing: 0.06 } },
  ridge: { ...hill, face: "regular", caps: true, size: 74, spacing: 0.12, haloWidth: 9, haloAlpha: 0.62, from: 0, far: { size: 104, spacing: 0.15 } },
  smallRidge: { ...hill, face: "regular", caps: true, size: 56, spacing: 0.12, haloWidth: 9, haloAlpha: 0.62, from: 0, far: { size: 90, spacing: 0.1 } },
  summit: { ...hill, face: "bold", caps: true, size: 62, spacing: 0, haloWidth: 9, haloAlpha: 0.75, from: 0, far: { size: 84, spacing: 0 } },
  creek: { ...wet, face: "italic", size: 60, spacing: 0.3, haloWidth: 8, haloAlpha: 0.8, from: 0, far: { size: 96, spacing: 0.1 } },
  road: { ...ink, face: "italic", size: 42, spacing: 0.06, haloWidth: 7, haloAlpha: 0.85, from: 1 },
  wood: { paint: "inkwood", halo: "woodhalo", face: "italic", size: 42, spacing: 0.05, haloWidth: 9, haloAlpha: 0.9, from: 1 },
  railroad: { ...ink, face: "regular", size: 36, spacing: 0.1, haloWidth: 7, haloAlpha: 0.85, from: 1 },
  knoll: { ...hill, face: "italic", size: 46, spacing: 0, haloWidth: 8, haloAlpha: 0.8, from: 1 },
  chiefRun: { ...wet, face: "italic", size: 44, spacing: 0.1, haloWidth: 7, haloAlpha: 0.8, from: 1 },
  run: { ...wet, face: "italic", size: 38, spacing: 0.1, haloWidth: 7, haloAlpha: 0.8, from: 2 },
  lane: { ...ink, face: "italic", size: 36, spacing: 0.1, haloWidth: 7, haloAlpha: 0.8, from: 2 },
  chief: { ...ink, face: "regular", size: 40, spacing: 0, haloWidth: 8, haloAlpha: 0.85, from: 1 },
  farm: { ...ink, face: "regular", size: 40, spacing: 0, haloWidth: 8, haloAlpha: 0.85, from: 2 },
} satisfies Record<string, LetterClass>;

export type ClassName = keyof typeof CLASSES;

export interface Glyph {
  text: string;
  x: number;
  y: number;
  angle: number;
}

export interface Label {
  class: ClassName;
  text: string;
  size: number;
  glyphs: Glyph[];
  box: Box;
  from: Zoom;
  upTo: Zoom;
}

/** Width of a text in em for a face. */
export type Measure = (text: string, face: Face) => number;

/** Enough for tests and for a worker whose fonts did not load. */
export const roughMeasure: Measure = (text, face) => text.length * (face === "bold" ? 0.58 : 0.5);

export interface Surroundings {
  window: Box;
  hexes: Point[];
  hexSize: number;
  objectives: Point[];
  roads: SegmentIndex;
  water: SegmentIndex;
  measure: Measure;
  /** Lettering for one range of zooms alone, of its own size. */
  letters?: Letters;
}

export interface Letters {
  by: number;
  from: Zoom;
  upTo: Zoom;
}

export type Request =
  | { kind: "along"; class: ClassName; text: string; line: Point[]; lift: number }
  | { kind: "spine"; class: ClassName; text: string; ring: Point[]; span?: [number, number] }
  | { kind: "within"; class: ClassName; text: string; ring: Point[] }
  | { kind: "point"; class: ClassName; text: string; at: Point; only?: "above-below" | "centre" };

const PI = Math.PI;
const COLUMN = 100;

export class Lettering {
  private readonly taken: { x: number; y: number; r: number }[] = [];
  private readonly s: Surroundings;
  readonly labels: Label[] = [];
  private readonly columns = new Map<number, Point[]>();

  constructor(s: Surroundings) {
    this.s = s;
    for (const hex of s.hexes)
      for (let c = Math.floor((hex[0] - 100) / COLUMN); c <= Math.floor((hex[0] + 100) / COLUMN); c++) {
        const list = this.columns.get(c);
        if (list) list.push(hex);
        else this.columns.set(c, [hex]);
      }
    for (const [x, y] of s.objectives) for (const dx of [-50, 0, 50]) this.taken.push({ x: x + dx, y: y + 131 * (s.hexSize / 300), r: 34 });
  }

  private hexesNear(x: number): Point[] {
    return this.columns.get(Math.floor(x / COLUMN)) ?? [];
  }

  add(request: Request): void {
    const style: LetterClass = CLASSES[request.class];
    const text = style.caps ? capitals(request.text) : request.text;
    if (text === "") return;
    const { letters } = this.s;
    if (letters) {
      // What is large on a map need not grow as much as what is small.
      const size = (style.caps ? 0.8 : 1) * (letters.by > 1 ? Math.min(style.size * letters.by, Math.max(style.size, 40 * letters.by)) : style.size * letters.by);
      const placed = this.place(request, text, size, style.spacing, true);
      if (placed) this.labels.push({ ...placed, class: request.class, from: letters.from, upTo: letters.upTo });
      return;
    }
    const middle = this.place(request, text, style.size, style.spacing, true);
    if (middle) this.labels.push({ ...middle, class: request.class, from: Math.max(style.from, style.far ? 1 : style.from) as Zoom, upTo: 2 });
    if (style.far) {
      const far = this.place(request, text, style.far.size, style.far.spacing, false);
      if (far) this.labels.push({ ...far, class: request.class, from: 0, upTo: 0 });
    }
  }

  private place(request: Request, text: string, size: number, spacing: number, keep: boolean) {
    const style: LetterClass = CLASSES[request.class];
    switch (request.kind) {
      case "point":
        return this.atPoint(request, text, size, spacing, style.face, keep);
      case "along":
        return this.alongLine(text, size, spacing, style.face, request.line, [request.lift, -request.lift], keep, 40);
      case "within": {
        const spine = spineOf(request.ring);
        return spine && this.alongLine(text, size, spacing, style.face, extend(spine, 0.4), [0], keep, 14, request.ring);
      }
      case "spine": {
        const whole = spineOf(request.ring);
        if (!whole) return undefined;
        const spine = request.span ? slice(whole, ...request.span) : whole;
        const natural = this.s.measure(text, style.face) * size;
        const gaps = Math.max(1, [...text].length - 1);
        const span = lengthOf(spine);
        const stretched = keep ? clamp((0.62 * span - natural) / gaps / size, 0.12, 0.7) : spacing;
        const shifts = [0, 22, -22, 44, -44, 66, -66, 90, -90, 110, -110, 130, -130];
        return this.alongLine(text, size, stretched, style.face, extend(spine, keep ? 0.05 : 0.4), shifts, keep, 60, undefined, 1 / 60);
      }
    }
  }

  private cost(p: Point, size: number): number {
    const { s } = this;
    const [x, y] = p;
    let cost = 0;
    const r = 0.45 * size;
    for (const t of this.taken) {
      const reach = t.r + r;
      const dx = t.x - x;
      const dy = t.y - y;
      if (dx * dx + dy * dy < reach * reach) {
        cost += 5;
        break;
      }
    }
    const w = s.window;
    if (x < w.x0 + 30 || y < w.y0 + 30 || x > w.x1 - 30 || y > w.y1 - 30) cost += 8;
    const k = s.hexSize / 300;
    for (const [ox, oy] of s.objectives) {
      const d = Math.hypot(ox - x, oy - y);
      if (d > 105 * k && d < 175 * k) cost += 0.9;
    }
    for (const [hx, hy] of this.hexesNear(x)) {
      const dx = Math.abs(hx - x);
      const dy = y - hy;
      if (dx < 40 && Math.abs(dy + 122 * k) < 22) cost += 0.55;
      if (dx < 95 * k && Math.abs(dy) < 95 * k) cost += 0.22;
    }
    if (s.roads.distance(p, 22) < 22) cost += 0.35;
    if (s.water.distance(p, 18) < 18) cost += 0.25;
    return cost;
  }

  private alongLine(
    text: string,
    size: number,
    spacing: number,
    face: Face,
    line: Point[],
    lifts: number[],
    keep: boolean,
    limit: number,
    within?: Point[],
    liftCost = 0,
  ) {
    const letters = [...text];
    const widths = letters.map((c) => this.s.measure(c, face) * size + spacing * size);
    const wide = widths.reduce((a, b) => a + b, 0) - spacing * size;
    const fine = resample(line, 20);
    const step = lengthOf(fine) / Math.max(1, fine.length - 1);
    const need = Math.ceil(wide / step) + 1;
    if (fine.length < need) return undefined;
    let best: { cost: number; window: Point[]; lift: number } | undefined;
    const last = fine.length - need;
    const stride = Math.max(1, Math.round((size * 0.6) / step));
    for (let start = 0; start <= last; start++) {
      const raw = fine.slice(start, start + need);
      const window = readable(raw);
      for (const lift of lifts) {
        const samples = shifted(window, lift, size);
        let cost = 1.5 * (last === 0 ? 0 : Math.abs(start - last / 2) / (last / 2 || 1)) + Math.abs(lift) * liftCost;
        let turning = 0;
        for (let i = 2; i < samples.length; i += 2) {
          const a = Math.atan2(samples[i][1] - samples[i - 1][1], samples[i][0] - samples[i - 1][0]);
          const b = Math.atan2(samples[i - 1][1] - samples[i - 2][1], samples[i - 1][0] - samples[i - 2][0]);
          let t = Math.abs(a - b);
          if (t > PI) t = 2 * PI - t;
          turning += t * t;
        }
        cost += 9 * turning;
        if (best && cost >= best.cost) continue;
        for (let i = 0; i < samples.length; i += stride) {
          const n = normalAt(samples, i);
          const heart: Point = [samples[i][0] + n[0] * size * 0.3, samples[i][1] + n[1] * size * 0.3];
          cost += this.cost(heart, size);
          if (within && !inside(within, heart)) cost += 1.2;
          if (best && cost > best.cost) break;
        }
        if (!best || cost < best.cost) best = { cost, window: samples, lift };
      }
    }
    if (!best || best.cost > limit) return undefined;
    return this.set(best.window, letters, widths, wide, size, keep, text);
  }

  /** Sets letters one by one along a path, in its middle. */
  private set(path: Point[], letters: string[], widths: number[], wide: number, size: number, keep: boolean, text: string) {
    const total = lengthOf(path);
    let s = Math.max(0, (total - wide) / 2);
    const glyphs: Glyph[] = [];
    letters.forEach((letter, i) => {
      const w = widths[i];
      const at = pointAt(path, s + w / 2);
      // A letter leans with the chord under it and not with one segment.
      const before = pointAt(path, s);
      const after = pointAt(path, s + w);
      const angle = Math.atan2(after[1] - before[1], after[0] - before[0]);
      if (letter !== " ") glyphs.push({ text: letter, x: at[0], y: at[1], angle });
      if (keep && letter !== " ") this.taken.push({ x: at[0] + Math.sin(angle) * size * 0.3, y: at[1] - Math.cos(angle) * size * 0.3, r: 0.42 * size });
      s += w;
    });
    return { text, size, glyphs, box: grow(boxOf(glyphs.map((g) => [g.x, g.y] as Point)), size * 1.2) };
  }

  private atPoint(request: Request & { kind: "point" }, text: string, size: number, spacing: number, face: Face, keep: boolean) {
    const { at, only } = request;
    const letters = [...text];
    const widths = letters.map((c) => this.s.measure(c, face) * size + spacing * size);
    const wide = widths.reduce((a, b) => a + b, 0) - spacing * size;
    const up = -0.3 * size;
    const spots: Point[] = [];
    if (only === "centre") spots.push([-wide / 2, -up], [-wide / 2, -up + size * 0.6], [-wide / 2, -up - size * 0.6], [-wide / 2 - 60, -up], [-wide / 2 + 60, -up], [-wide / 2 - 160, -up], [-wide / 2 - 160, -up + size]);
    else if (only === "above-below")
      for (let k = 0; k < 6; k++) spots.push([-wide / 2, -size * (0.35 + 0.5 * k)], [-wide / 2, size * (1.0 + 0.5 * k)]);
    else
      spots.push(
        [32, -up], [-wide - 32, -up], [24, -24], [24, 24 + size * 0.6], [-wide - 24, -24], [-wide - 24, 24 + size * 0.6],
        [-wide / 2, -32], [-wide / 2, 32 + size * 0.7],
      );
    let best: { cost: number; path: Point[] } | undefined;
    spots.forEach(([dx, dy], order) => {
      const a: Point = [at[0] + dx, at[1] + dy];
      const path: Point[] = [a, [a[0] + wide, a[1]]];
      let cost = order * 0.12;
      for (let x = 0; x <= wide; x += size * 0.5) cost += this.cost([a[0] + x, a[1] + up], size);
      if (!best || cost < best.cost) best = { cost, path };
    });
    return best ? this.set(best.path, letters, widths, wide, size, keep, text) : undefined;
  }
}

/** McPherson keeps its small c. */
export function capitals(text: string): string {
  return text
    .split(" ")
    .map((w) => (/^Mc[A-Z]/.test(w) ? `Mc${w.slice(2).toUpperCase()}` : w.toUpperCase()))
    .join(" ");
}

/** Left to right; steeper than about 75 degrees from foot to head. */
function readable(window: Point[]): Point[] {
  const a = window[0];
  const z = window[window.length - 1];
  const steep = Math.abs(z[0] - a[0]) < Math.abs(z[1] - a[1]) * Math.tan((15 * PI) / 180);
  const backwards = steep ? z[1] > a[1] : z[0] < a[0];
  return backwards ? window.slice().reverse() : window;
}

/** Unit vector to the upper side of the text. */
function normalAt(path: Point[], i: number): Point {
  const a = path[Math.max(0, i - 1)];
  const b = path[Math.min(path.length - 1, i + 1)];
  const d = dist(a, b) || 1;
  return [(b[1] - a[1]) / d, -(b[0] - a[0]) / d];
}

/** The baseline lifted off a line: above by the lift, or below by it and the height of the letters. */
function shifted(path: Point[], lift: number, size: number): Point[] {
  if (lift === 0) {
    return path.map((p, i) => {
      const n = normalAt(path, i);
      return [p[0] - n[0] * 0.32 * size, p[1] - n[1] * 0.32 * size];
    });
  }
  const by = lift > 0 ? lift : lift - 0.66 * size;
  return path.map((p, i) => {
    const n = normalAt(path, i);
    return [p[0] + n[0] * by, p[1] + n[1] * by];
  });
}

function pointAt(path: Point[], s: number): Point {
  let left = s;
  for (let i = 1; i < path.length; i++) {
    const d = dist(path[i - 1], path[i]);
    if (left <= d || i === path.length - 1) {
      const t = d === 0 ? 0 : left / d;
      return [path[i - 1][0] + (path[i][0] - path[i - 1][0]) * t, path[i - 1][1] + (path[i][1] - path[i - 1][1]) * t];
    }
    left -= d;
  }
  return path[path.length - 1];
}

/** Runs a label's path on at both ends. */
function extend(path: Point[], by: number): Point[] {
  const total = lengthOf(path) * by;
  const a = path[0];
  const b = path[Math.min(path.length - 1, 2)];
  const y = path[path.length - 1];
  const x = path[Math.max(0, path.length - 3)];
  const da = dist(a, b) || 1;
  const dy = dist(x, y) || 1;
  const head: Point = [a[0] + ((a[0] - b[0]) / da) * total, a[1] + ((a[1] - b[1]) / da) * total];
  const tail: Point = [y[0] + ((y[0] - x[0]) / dy) * total, y[1] + ((y[1] - x[1]) / dy) * total];
  return [head, ...path, tail];
}

function slice(path: Point[], from: number, to: number): Point[] {
  const fine = resample(path, 20);
  return fine.slice(Math.floor(from * fine.length), Math.ceil(to * fine.length));
}

/** The middle line of an area: slices across its long axis every 60, smoothed over seven. */
export function spineOf(ring: Point[]): Point[] | undefined {
  const n = ring.length;
  const dense = resample([...ring, ring[0]], 30);
  const mx = dense.reduce((a, p) => a + p[0], 0) / dense.length;
  const my = dense.reduce((a, p) => a + p[1], 0) / dense.length;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (const [x, y] of dense) {
    xx += (x - mx) ** 2;
    xy += (x - mx) * (y - my);
    yy += (y - my) ** 2;
  }
  const angle = 0.5 * Math.atan2(2 * xy, xx - yy);
  const u: Point = [Math.cos(angle), Math.sin(angle)];
  const v: Point = [-u[1], u[0]];
  const flat: Point[] = ring.map(([x, y]) => [(x - mx) * u[0] + (y - my) * u[1], (x - mx) * v[0] + (y - my) * v[1]]);
  const box = boxOf(flat);
  const mids: Point[] = [];
  for (let s = box.x0 + 30; s < box.x1; s += 60) {
    const cuts: number[] = [];
    for (let i = 0, j = n - 1; i < n; j = i++) {
      const [a, b] = [flat[i], flat[j]];
      if (a[0] > s !== b[0] > s) cuts.push(((b[1] - a[1]) * (s - a[0])) / (b[0] - a[0]) + a[1]);
    }
    if (cuts.length < 2) continue;
    cuts.sort((p, q) => p - q);
    let sum = 0;
    let weight = 0;
    for (let k = 0; k + 1 < cuts.length; k += 2) {
      sum += ((cuts[k] + cuts[k + 1]) / 2) * (cuts[k + 1] - cuts[k]);
      weight += cuts[k + 1] - cuts[k];
    }
    mids.push([s, sum / (weight || 1)]);
  }
  if (mids.length < 2) return undefined;
  const even = mids.map((m, i): Point => {
    const near = mids.slice(Math.max(0, i - 3), i + 4);
    return [m[0], near.reduce((a, p) => a + p[1], 0) / near.length];
  });
  return smooth(even.map(([s, t]): Point => [mx + s * u[0] + t * v[0], my + s * u[1] + t * v[1]]), 30, false);
}
