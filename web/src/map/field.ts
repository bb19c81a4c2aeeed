/** The height field: how high the ground lies at any yard, from the survey alone. Sheet coordinates. */
import { beyond, organicRing } from "./curve";
import { boxOf, clamp, smoothstep } from "./geometry";
import { noise2 } from "./random";
import type { High, Point } from "./survey";

export const CELL = 20;
export const MARGIN = 120;

/** Samples on a square lattice, one value every 20 yards, 120 beyond the sheet. */
export class Field {
  readonly cols: number;
  readonly rows: number;
  readonly values: Float32Array;

  constructor(size: Point) {
    this.cols = Math.ceil((size[0] + 2 * MARGIN) / CELL) + 1;
    this.rows = Math.ceil((size[1] + 2 * MARGIN) / CELL) + 1;
    this.values = new Float32Array(this.cols * this.rows);
  }

  point(i: number, j: number): Point {
    return [i * CELL - MARGIN, j * CELL - MARGIN];
  }

  at([x, y]: Point): number {
    const u = clamp((x + MARGIN) / CELL, 0, this.cols - 1.001);
    const v = clamp((y + MARGIN) / CELL, 0, this.rows - 1.001);
    const i = Math.floor(u);
    const j = Math.floor(v);
    const s = u - i;
    const t = v - j;
    const k = j * this.cols + i;
    const z = this.values;
    return (
      z[k] * (1 - s) * (1 - t) + z[k + 1] * s * (1 - t) + z[k + this.cols] * (1 - s) * t + z[k + this.cols + 1] * s * t
    );
  }

  /** Rise for each yard to the east and to the south. */
  slope([x, y]: Point): Point {
    const d = CELL;
    return [(this.at([x + d, y]) - this.at([x - d, y])) / (2 * d), (this.at([x, y + d]) - this.at([x, y - d])) / (2 * d)];
  }
}

/** Distance from each cell to the nearest of the lines, `reach` where none is nearer. */
export function distances(field: Field, lines: Point[][], reach: number): Float32Array {
  const out = new Float32Array(field.values.length).fill(reach);
  const square = (v: number) => v * v;
  for (const line of lines) {
    for (let s = 1; s < line.length; s++) {
      const [ax, ay] = line[s - 1];
      const [bx, by] = line[s];
      const i0 = Math.max(0, Math.floor((Math.min(ax, bx) - reach + MARGIN) / CELL));
      const i1 = Math.min(field.cols - 1, Math.ceil((Math.max(ax, bx) + reach + MARGIN) / CELL));
      const j0 = Math.max(0, Math.floor((Math.min(ay, by) - reach + MARGIN) / CELL));
      const j1 = Math.min(field.rows - 1, Math.ceil((Math.max(ay, by) + reach + MARGIN) / CELL));
      const dx = bx - ax;
      const dy = by - ay;
      const long = dx * dx + dy * dy || 1;
      for (let j = j0; j <= j1; j++) {
        const y = j * CELL - MARGIN;
        for (let i = i0; i <= i1; i++) {
          const x = i * CELL - MARGIN;
          const t = clamp(((x - ax) * dx + (y - ay) * dy) / long);
          const d = square(x - ax - t * dx) + square(y - ay - t * dy);
          const k = j * field.cols + i;
          if (d < out[k] * out[k]) out[k] = Math.sqrt(d);
        }
      }
    }
  }
  return out;
}

/** Which cells lie inside the ring, by crossings along each row. */
function fillInside(field: Field, ring: Point[], mark: Uint8Array): void {
  const box = boxOf(ring);
  const j0 = Math.max(0, Math.ceil((box.y0 + MARGIN) / CELL));
  const j1 = Math.min(field.rows - 1, Math.floor((box.y1 + MARGIN) / CELL));
  for (let j = j0; j <= j1; j++) {
    const y = j * CELL - MARGIN;
    const cuts: number[] = [];
    for (let a = 0, b = ring.length - 1; a < ring.length; b = a++) {
      const [xa, ya] = ring[a];
      const [xb, yb] = ring[b];
      if (ya > y !== yb > y) cuts.push(((xb - xa) * (y - ya)) / (yb - ya) + xa);
    }
    cuts.sort((p, q) => p - q);
    for (let c = 0; c + 1 < cuts.length; c += 2) {
      const i0 = Math.max(0, Math.ceil((cuts[c] + MARGIN) / CELL));
      const i1 = Math.min(field.cols - 1, Math.floor((cuts[c + 1] + MARGIN) / CELL));
      for (let i = i0; i <= i1; i++) mark[j * field.cols + i] = 1;
    }
  }
}

const DEEP = 300;

/** The largest signed distance (inside above 0) to the rings. */
export function signedDistances(field: Field, rings: Point[][]): Float32Array {
  const out = new Float32Array(field.values.length).fill(-DEEP);
  for (const ring of rings) {
    const mark = new Uint8Array(out.length);
    fillInside(field, ring, mark);
    const d = distances(field, [[...ring, ring[0]]], DEEP);
    for (let k = 0; k < out.length; k++) out[k] = Math.max(out[k], mark[k] ? d[k] : -d[k]);
  }
  return out;
}

function blur(field: Field, radius: number): void {
  const { cols, rows, values } = field;
  const pass = (count: number, length: number, at: (line: number, i: number) => number) => {
    const line = new Float32Array(length);
    for (let n = 0; n < count; n++) {
      for (let i = 0; i < length; i++) line[i] = values[at(n, i)];
      for (let i = 0; i < length; i++) {
        let sum = 0;
        for (let k = -radius; k <= radius; k++) sum += line[Math.min(length - 1, Math.max(0, i + k))];
        values[at(n, i)] = sum / (2 * radius + 1);
      }
    }
  };
  for (let twice = 0; twice < 2; twice++) {
    pass(rows, cols, (j, i) => j * cols + i);
    pass(cols, rows, (i, j) => j * cols + i);
  }
}

/** Hollows go down within a few steps of their edge. */
export function sink(field: Field, rings: Point[][], depth: number): void {
  if (rings.length === 0) return;
  const d = signedDistances(field, rings);
  for (let k = 0; k < d.length; k++) field.values[k] -= depth * smoothstep((d[k] + 8) / 34);
}

export interface Ground {
  size: Point;
  high: High[];
  creeks: Point[][];
  streams: Point[][];
}

/** Rings of the high ground as they are drawn. */
export function highRings(high: High[], size: Point): { name: string; level: number; ring: Point[] }[] {
  return high.map(({ name, level, outline }) => ({
    name,
    level,
    ring: organicRing(beyond(outline, size, 220), 24, name, [
      [30, 520],
      [20, 170],
    ]),
  }));
}

const steepness = (h: High): number | undefined => {
  if (h.steep === true || h.steep === "steep") return 70;
  if (h.steep === "gentle") return 220;
  return undefined;
};

export function heightField({ size, high, creeks, streams }: Ground): Field {
  const field = new Field(size);
  const rings = highRings(high, size);
  const top = Math.max(0, ...high.map((h) => h.level));
  const byLevel = Array.from({ length: top }, (_, n) =>
    signedDistances(field, rings.filter((r) => r.level >= n + 1).map((r) => r.ring)),
  );
  const set = high
    .map((h, i) => ({ width: steepness(h), ring: rings[i].ring }))
    .filter((s) => s.width !== undefined)
    .map((s) => ({ width: s.width!, near: distances(field, [[...s.ring, s.ring[0]]], 260) }));
  const creek = distances(field, creeks, 420);
  const stream = distances(field, streams, 340);
  const ramp = (d: number, w: number) => smoothstep((d + 0.62 * w) / w);
  for (let j = 0; j < field.rows; j++) {
    for (let i = 0; i < field.cols; i++) {
      const k = j * field.cols + i;
      const [x, y] = field.point(i, j);
      let w = clamp(140 + 95 * noise2(x / 560, y / 560, 1) + 22 * noise2(x / 190, y / 190, 2), 62, 240);
      for (const s of set) if (s.near[k] < 260) w = s.width;
      let h = 0.05 * noise2(x / 420, y / 420, 3);
      byLevel.forEach((d, n) => {
        const width = n === 0 ? w : 0.8 * w;
        const swell = n === 0 ? 0.16 * clamp(d[k] / 260) : 0.12 * clamp(d[k] / 200);
        h += ramp(d[k], width) + swell;
      });
      const valley = Math.max(
        creek[k] < 420 ? 0.34 * Math.exp(-((creek[k] / 150) ** 2)) : 0,
        stream[k] < 340 ? 0.2 * Math.exp(-((stream[k] / 120) ** 2)) : 0,
      );
      field.values[k] = h - valley;
    }
  }
  blur(field, 2);
  return field;
}
