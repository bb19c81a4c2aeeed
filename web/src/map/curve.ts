/** The shared recipes: smooth, wobble, beyond, unkink, run on. Sheet coordinates (y down) or survey alike. */
import { dist, lengthOf, nearestOn, normals, resample, resampleRing } from "./geometry";
import { fnv1a, noise1 } from "./random";
import type { Point } from "./survey";

function hermite(p0: Point, p1: Point, m0: Point, m1: Point, t: number): Point {
  const t2 = t * t;
  const t3 = t2 * t;
  const a = 2 * t3 - 3 * t2 + 1;
  const b = t3 - 2 * t2 + t;
  const c = -2 * t3 + 3 * t2;
  const d = t3 - t2;
  return [a * p0[0] + b * m0[0] + c * p1[0] + d * m1[0], a * p0[1] + b * m0[1] + c * p1[1] + d * m1[1]];
}

/** Catmull-Rom through the surveyed points, sampled about every `step`. */
export function smooth(line: Point[], step: number, closed: boolean): Point[] {
  const n = line.length;
  if (n < 3) return closed ? line.slice() : resample(line, step);
  const at = (i: number) => (closed ? line[(i + n) % n] : line[Math.min(n - 1, Math.max(0, i))]);
  const out: Point[] = [];
  for (let i = 0; i < (closed ? n : n - 1); i++) {
    const p0 = at(i);
    const p1 = at(i + 1);
    const before = at(i - 1);
    const after = at(i + 2);
    const m0: Point = [(p1[0] - before[0]) / 2, (p1[1] - before[1]) / 2];
    const m1: Point = [(after[0] - p0[0]) / 2, (after[1] - p0[1]) / 2];
    const pieces = Math.max(1, Math.round(dist(p0, p1) / step));
    for (let k = 0; k < pieces; k++) out.push(hermite(p0, p1, m0, m1, k / pieces));
  }
  if (!closed) out.push(line[n - 1]);
  return out;
}

export interface Wobble {
  amp: number;
  wave: number;
  name: string;
}

/** Moves each sample along its normal by value noise; rings close, open lines fade out over 120 at the ends. */
export function wobble(line: Point[], closed: boolean, { amp, wave, name }: Wobble): Point[] {
  const seed = fnv1a(`${name}/${wave}`);
  const total = lengthOf(closed ? [...line, line[0]] : line);
  const period = closed ? Math.max(2, Math.round(total / wave)) : 0;
  const unit = closed ? total / period : wave;
  const normal = normals(line, closed);
  let s = 0;
  return line.map((p, i) => {
    if (i > 0) s += dist(line[i - 1], p);
    const fade = closed ? 1 : Math.min(1, s / 120, (total - s) / 120);
    const n = 0.65 * noise1(s / unit, seed, period) + 0.35 * noise1((3 * s) / unit, seed + 1, period * 3);
    const move = amp * n * Math.max(0, fade);
    return [p[0] + normal[i][0] * move, p[1] + normal[i][1] * move];
  });
}

/** The outline of an area as an engraver would draw it. */
export function organicRing(ring: Point[], step: number, name: string, wobbles: [number, number][]): Point[] {
  let out = resampleRing(smooth(ring, step, true), step);
  for (const [amp, wave] of wobbles) out = wobble(out, true, { amp, wave, name });
  return out;
}

/** Vertices on the sheet's edge move outside it, so that no edge is drawn along the neatline. */
export function beyond(ring: Point[], size: Point, by: number): Point[] {
  const near = 25;
  return ring.map(([x, y]) => [
    x <= near ? -by : x >= size[0] - near ? size[0] + by : x,
    y <= near ? -by : y >= size[1] - near ? size[1] + by : y,
  ]);
}

/** Merges vertices closer than 70 and drops one that turns more than 105 degrees. */
export function unkink(line: Point[]): Point[] {
  const merged: Point[] = [];
  line.forEach((p, i) => {
    const last = merged[merged.length - 1];
    if (last && i < line.length - 1 && dist(last, p) < 70) return;
    if (last && i === line.length - 1 && dist(last, p) < 70 && merged.length > 1) merged.pop();
    merged.push(p);
  });
  return merged.filter((p, i) => {
    const a = merged[i - 1];
    const b = merged[i + 1];
    if (!a || !b) return true;
    const turn = (p[0] - a[0]) * (b[0] - p[0]) + (p[1] - a[1]) * (b[1] - p[1]);
    return turn / (dist(a, p) * dist(p, b) || 1) > Math.cos((105 * Math.PI) / 180);
  });
}

/**
 * An end within 250 of the edge and not at another line runs on across it.
 * Where two lines end together, the one surveyed first carries on.
 */
export function runOn(n: number, all: Point[][], size: Point): Point[] {
  const out = all[n].slice();
  const others = all.map((o, i) => (i > n ? o.slice(1, -1) : o)).filter((o, i) => i !== n && o.length > 0);
  const extend = (end: Point, before: Point): Point | undefined => {
    const [x, y] = end;
    const gap = Math.min(x, y, size[0] - x, size[1] - y);
    if (gap < 0 || gap > 250) return undefined;
    if (others.some((o) => nearestOn(o, end).distance < 60)) return undefined;
    const d = dist(before, end) || 1;
    const step = 420;
    return [x + ((x - before[0]) / d) * step, y + ((y - before[1]) / d) * step];
  };
  const tail = extend(out[out.length - 1], out[out.length - 2]);
  if (tail) out.push(tail);
  const head = extend(out[0], out[1]);
  if (head) out.unshift(head);
  return out;
}
