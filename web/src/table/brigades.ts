/** The ground a brigade holds: a field round those of its units that stand together, so that formations are seen from afar. */
import type { Point, Rect } from "./labels";

export interface Member {
  /** Which formation, of which side. */
  key: string;
  parts: Rect[];
}

export interface BrigadeField {
  key: string;
  d: string;
}

/** The convex hull, turning one way round. */
export function hullOf(points: Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o: Point, a: Point, b: Point) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list: Point[]) => {
    const out: Point[] = [];
    for (const p of list) {
      while (out.length > 1 && turn(out[out.length - 2], out[out.length - 1], p) <= 0) out.pop();
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

const n = (v: number) => v.toFixed(1);

/** The hull with round corners, so many px wider on all sides. */
export function grownHull(hull: Point[], by: number): string {
  const out = hull.map((p, i) => {
    const q = hull[(i + 1) % hull.length];
    const long = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1;
    return { p, q, nx: ((q[1] - p[1]) / long) * by, ny: (-(q[0] - p[0]) / long) * by };
  });
  const sides = out.map(({ p, q, nx, ny }, i) => `${i === 0 ? "M" : `A${by} ${by} 0 0 1 `}${n(p[0] + nx)} ${n(p[1] + ny)}L${n(q[0] + nx)} ${n(q[1] + ny)}`);
  const { p, nx, ny } = out[0];
  return `${sides.join("")}A${by} ${by} 0 0 1 ${n(p[0] + nx)} ${n(p[1] + ny)}Z`;
}

const apart = (a: Rect, b: Rect) => Math.hypot(Math.max(0, a.x - b.x - b.w, b.x - a.x - a.w), Math.max(0, a.y - b.y - b.h, b.y - a.y - a.h));
const near = (a: Member, b: Member, by: number) => a.parts.some((p) => b.parts.some((q) => apart(p, q) <= by));

/** Members of one formation that stand within reach of each other, from one to the next. */
function together(members: Member[], reach: number): Member[][] {
  const left = [...members];
  const groups: Member[][] = [];
  while (left.length > 0) {
    const group = [left.pop()!];
    for (let i = 0; i < group.length; i++)
      for (let k = left.length - 1; k >= 0; k--) if (near(group[i], left[k], reach)) group.push(...left.splice(k, 1));
    groups.push(group);
  }
  return groups;
}

/** The fields of all formations with two units or more together; `reach` and `margin` in px. */
export function brigadeFields(members: Member[], reach: number, margin: number): BrigadeField[] {
  const keys = [...new Set(members.map((m) => m.key))];
  return keys.flatMap((key) =>
    together(members.filter((m) => m.key === key), reach)
      .filter((group) => group.length > 1)
      .map((group) => ({ key, d: grownHull(hullOf(group.flatMap((m) => m.parts.flatMap(({ x, y, w, h }): Point[] => [[x, y], [x + w, y], [x, y + h], [x + w, y + h]]))), margin) })),
  );
}

/** Where the plaque of an objective lies about its ring: below it, unless units stand there. */
export function plaqueAt([x, y]: Point, radius: number, size: { w: number; h: number }, blocks: Rect[]): Point {
  const around: Point[] = [[0, 1], [0, -1], [1, 0], [-1, 0], [0.71, 0.71], [-0.71, 0.71], [0.71, -0.71], [-0.71, -0.71]];
  const covered = ([px, py]: Point) =>
    blocks.reduce((sum, b) => sum + Math.max(0, Math.min(px + size.w / 2, b.x + b.w) - Math.max(px - size.w / 2, b.x)) * Math.max(0, Math.min(py + size.h / 2, b.y + b.h) - Math.max(py - size.h / 2, b.y)), 0);
  const places = around.map(([dx, dy]): Point => [x + dx * radius, y + dy * radius]);
  return places.reduce((best, at) => (covered(at) < covered(best) ? at : best));
}
