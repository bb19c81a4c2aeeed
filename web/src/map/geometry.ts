import type { Point } from "./survey";

export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Math.hypot is far slower than this and guards against overflow that yards never reach. */
export function dist(a: Point, b: Point): number {
  const dx = a[0] - b[0];
  const dy = a[1] - b[1];
  return Math.sqrt(dx * dx + dy * dy);
}

export const mix = (a: Point, b: Point, t: number): Point => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
];

export const clamp = (v: number, low = 0, high = 1) => Math.min(high, Math.max(low, v));

export const smoothstep = (t: number) => {
  const u = clamp(t);
  return u * u * (3 - 2 * u);
};

export function boxOf(points: Point[]): Box {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (const [x, y] of points) {
    box.x0 = Math.min(box.x0, x);
    box.y0 = Math.min(box.y0, y);
    box.x1 = Math.max(box.x1, x);
    box.y1 = Math.max(box.y1, y);
  }
  return box;
}

export const grow = (b: Box, by: number): Box => ({
  x0: b.x0 - by,
  y0: b.y0 - by,
  x1: b.x1 + by,
  y1: b.y1 + by,
});

export const meets = (a: Box, b: Box) => a.x0 <= b.x1 && a.x1 >= b.x0 && a.y0 <= b.y1 && a.y1 >= b.y0;

export const holds = (b: Box, [x, y]: Point) => x >= b.x0 && x <= b.x1 && y >= b.y0 && y <= b.y1;

export function lengthOf(line: Point[]): number {
  let sum = 0;
  for (let i = 1; i < line.length; i++) sum += dist(line[i - 1], line[i]);
  return sum;
}

export function signedArea(ring: Point[]): number {
  let sum = 0;
  for (let i = 0; i < ring.length; i++) {
    const a = ring[i];
    const b = ring[(i + 1) % ring.length];
    sum += a[0] * b[1] - b[0] * a[1];
  }
  return sum / 2;
}

/** One directed side of an outline: where it begins, and the name of the corner it leads to. */
export interface Edge<Name> {
  from: Point;
  to: Name;
}

export function addEdge<Name>(next: Map<Name, Edge<Name>[]>, at: Name, edge: Edge<Name>): void {
  const list = next.get(at);
  if (list) list.push(edge);
  else next.set(at, [edge]);
}

/** The rings that edges make, kept by the corner they begin at. They are used up. */
export function rings<Name>(next: Map<Name, Edge<Name>[]>): Point[][] {
  const found: Point[][] = [];
  for (const start of next.keys()) {
    while ((next.get(start)?.length ?? 0) > 0) {
      const ring: Point[] = [];
      let at = start;
      for (;;) {
        const edge = next.get(at)?.pop();
        if (!edge) break;
        ring.push(edge.from);
        at = edge.to;
        if (at === start) break;
      }
      found.push(ring);
    }
  }
  return found;
}

export function inside(ring: Point[], [x, y]: Point): boolean {
  let odd = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i];
    const [xj, yj] = ring[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
  }
  return odd;
}

/** Nearest point of the segment ab to p, as a fraction of ab. */
export function along(p: Point, a: Point, b: Point): number {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const square = dx * dx + dy * dy;
  return square === 0 ? 0 : clamp(((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square);
}

export function toSegment(p: Point, a: Point, b: Point): number {
  return dist(p, mix(a, b, along(p, a, b)));
}

export function nearestOn(line: Point[], p: Point): { point: Point; distance: number } {
  let best: Point = line[0];
  let distance = dist(p, best);
  for (let i = 1; i < line.length; i++) {
    const q = mix(line[i - 1], line[i], along(p, line[i - 1], line[i]));
    const d = dist(p, q);
    if (d < distance) {
      distance = d;
      best = q;
    }
  }
  return { point: best, distance };
}

/** Douglas-Peucker. */
export function simplify(line: Point[], tolerance: number): Point[] {
  if (line.length < 3) return line.slice();
  const keep = new Uint8Array(line.length);
  keep[0] = keep[line.length - 1] = 1;
  const open: [number, number][] = [[0, line.length - 1]];
  while (open.length > 0) {
    const [from, to] = open.pop()!;
    let far = -1;
    let worst = tolerance;
    for (let i = from + 1; i < to; i++) {
      const d = toSegment(line[i], line[from], line[to]);
      if (d > worst) {
        worst = d;
        far = i;
      }
    }
    if (far > 0) {
      keep[far] = 1;
      open.push([from, far], [far, to]);
    }
  }
  return line.filter((_, i) => keep[i] === 1);
}

/** The same for a ring (first point not repeated): cut where it is widest, so that no corner is lost. */
export function simplifyRing(ring: Point[], tolerance: number): Point[] {
  if (ring.length < 4) return ring.slice();
  let far = 0;
  for (let i = 1; i < ring.length; i++) if (dist(ring[0], ring[i]) > dist(ring[0], ring[far])) far = i;
  const first = simplify(ring.slice(0, far + 1), tolerance);
  const second = simplify([...ring.slice(far), ring[0]], tolerance);
  return [...first.slice(0, -1), ...second.slice(0, -1)];
}

/** Points `step` apart along a line; the ends stay. */
export function resample(line: Point[], step: number): Point[] {
  const total = lengthOf(line);
  const n = Math.max(1, Math.round(total / step));
  const out: Point[] = [line[0]];
  let segment = 1;
  let walked = 0;
  for (let k = 1; k < n; k++) {
    const goal = (total * k) / n;
    while (segment < line.length - 1 && walked + dist(line[segment - 1], line[segment]) < goal) {
      walked += dist(line[segment - 1], line[segment]);
      segment++;
    }
    const long = dist(line[segment - 1], line[segment]);
    out.push(mix(line[segment - 1], line[segment], long === 0 ? 0 : (goal - walked) / long));
  }
  out.push(line[line.length - 1]);
  return out;
}

export function resampleRing(ring: Point[], step: number): Point[] {
  return resample([...ring, ring[0]], step).slice(0, -1);
}

/** Unit normal to the left of travel at each point. */
export function normals(line: Point[], closed: boolean): Point[] {
  const n = line.length;
  return line.map((_, i) => {
    const a = closed ? line[(i + n - 1) % n] : line[Math.max(0, i - 1)];
    const b = closed ? line[(i + 1) % n] : line[Math.min(n - 1, i + 1)];
    const d = dist(a, b) || 1;
    return [-(b[1] - a[1]) / d, (b[0] - a[0]) / d];
  });
}

/** A grid of buckets for nearness questions over many segments. */
export class SegmentIndex {
  /** Segments as x0 y0 x1 y1, four numbers each. */
  private readonly cells = new Map<number, number[]>();
  private readonly cell: number;

  constructor(lines: Point[][], cell = 48) {
    this.cell = cell;
    for (const line of lines) {
      for (let i = 1; i < line.length; i++) {
        const pieces = resample([line[i - 1], line[i]], cell);
        for (let k = 1; k < pieces.length; k++) this.put(pieces[k - 1], pieces[k]);
      }
    }
  }

  private put([ax, ay]: Point, [bx, by]: Point): void {
    const key = this.key(Math.floor((ax + bx) / 2 / this.cell), Math.floor((ay + by) / 2 / this.cell));
    const bucket = this.cells.get(key);
    if (bucket) bucket.push(ax, ay, bx, by);
    else this.cells.set(key, [ax, ay, bx, by]);
  }

  private key(i: number, j: number): number {
    return (i + 5000) * 20000 + (j + 5000);
  }

  /** Distance to the nearest segment, or `limit` if none is nearer. */
  distance([x, y]: Point, limit: number): number {
    let best = limit * limit;
    // A piece is filed under its middle and may reach out three quarters of a cell from there.
    const far = limit + this.cell * 0.75;
    const i1 = Math.floor((x + far) / this.cell);
    const j0 = Math.floor((y - far) / this.cell);
    const j1 = Math.floor((y + far) / this.cell);
    for (let i = Math.floor((x - far) / this.cell); i <= i1; i++) {
      for (let j = j0; j <= j1; j++) {
        const s = this.cells.get(this.key(i, j));
        if (!s) continue;
        for (let k = 0; k < s.length; k += 4) {
          const dx = s[k + 2] - s[k];
          const dy = s[k + 3] - s[k + 1];
          const long = dx * dx + dy * dy || 1;
          const t = Math.min(1, Math.max(0, ((x - s[k]) * dx + (y - s[k + 1]) * dy) / long));
          const ex = x - s[k] - t * dx;
          const ey = y - s[k + 1] - t * dy;
          const d = ex * ex + ey * ey;
          if (d < best) best = d;
        }
      }
    }
    return Math.sqrt(best);
  }
}
