/** Woods: a tint, a scalloped edge, and crowns set one by one. */
import { beyond, organicRing } from "./curve";
import type { Field } from "./field";
import { boxOf, dist, holds, inside, meets, SegmentIndex, type Box } from "./geometry";
import { op, type PathOp } from "./ops";
import { between, mulberry32, noise2, randomFor, type Random } from "./random";
import type { Point, Wood } from "./survey";

export interface Grove {
  name: string;
  ring: Point[];
  box: Box;
}

export function groves(woods: Wood[], size: Point): Grove[] {
  return woods.map(({ name, outline }) => {
    const ring = organicRing(beyond(outline, size, 60), 16, name, [[16, 130]]);
    return { name, ring, box: boxOf(ring) };
  });
}

export const f = (v: number) => Math.round(v * 10) / 10;

/** Edge of arcs bulging out, 22 to 42 long. */
function scallops(ring: Point[], random: Random): string {
  const clockwise = ring.reduce((sum, p, i) => {
    const q = ring[(i + 1) % ring.length];
    return sum + p[0] * q[1] - q[0] * p[1];
  }, 0) > 0;
  const knots: Point[] = [ring[0]];
  let due = between(random, 22, 42);
  let walked = 0;
  for (let i = 1; i < ring.length; i++) {
    walked += dist(ring[i - 1], ring[i]);
    if (walked >= due) {
      knots.push(ring[i]);
      walked = 0;
      due = between(random, 22, 42);
    }
  }
  let d = `M${f(knots[0][0])} ${f(knots[0][1])}`;
  for (let i = 1; i <= knots.length; i++) {
    const p = knots[i % knots.length];
    const r = f(dist(knots[i - 1], p) * between(random, 0.56, 0.66));
    d += `A${r} ${r} 0 0 ${clockwise ? 1 : 0} ${f(p[0])} ${f(p[1])}`;
  }
  return d + "Z";
}

/** All woods as one path, painted thrice: shadow, edge, fill that hides the inner half of the edge and every seam. */
export function woodBase(list: Grove[]): { shadow: PathOp[]; base: PathOp[] } {
  const paths = list.map((g) => ({ d: scallops(g.ring, randomFor(`${g.name} edge`)), ring: g.ring }));
  return {
    shadow: paths.map(({ d, ring }) => op(d, ring, { fill: "crownshade", alpha: 0.42, shift: [8, 10] })),
    base: [
      ...paths.map(({ d, ring }) => op(d, ring, { stroke: "woodedge", width: 6.5, join: "round" })),
      ...paths.map(({ d, ring }) => op(d, ring, { fill: "wood" })),
    ],
  };
}

interface Stamp {
  radius: number;
  crown: string;
  shade: string;
  curl: string;
}

/** Eight crowns as relative paths that begin at their centre. */
function stamps(): Stamp[] {
  return [14, 17, 19, 22, 13, 18, 24, 15].map((radius, n) => {
    const random = mulberry32(7100 + n);
    const lobes = 6 + Math.floor(random() * 3);
    const points: Point[] = Array.from({ length: lobes }, (_, i) => {
      const angle = ((i + between(random, -0.27, 0.27)) / lobes) * 2 * Math.PI;
      const r = radius * between(random, 0.82, 1.12);
      return [Math.cos(angle) * r, Math.sin(angle) * r * 0.86];
    });
    let crown = `m${f(points[0][0])} ${f(points[0][1])}`;
    points.forEach((p, i) => {
      const q = points[(i + 1) % lobes];
      const a = f(dist(p, q) * 0.53);
      crown += `a${a} ${a} 0 0 1 ${f(q[0] - p[0])} ${f(q[1] - p[1])}`;
    });
    crown += "z";
    const r = radius;
    const shade = `m${f(-0.55 * r)} ${f(0.72 * r)}a${f(r * 1.02)} ${f(r * 0.9)} 0 0 0 ${f(1.45 * r)} ${f(-1.05 * r)}a${f(r * 1.15)} ${f(r * 1.0)} 0 0 1 ${f(-1.45 * r)} ${f(1.05 * r)}z`;
    const a = between(random, -0.6, 0.6);
    const curl =
      `m${f(-0.42 * r + a * 3)} ${f(-0.12 * r)}a${f(r * 0.36)} ${f(r * 0.32)} 0 0 1 ${f(r * 0.62)} ${f(-0.16 * r)}` +
      `m${f(-0.12 * r)} ${f(0.52 * r)}a${f(r * 0.3)} ${f(r * 0.26)} 0 0 0 ${f(r * 0.5)} ${f(-0.2 * r)}`;
    return { radius, crown, shade, curl };
  });
}

const HEART = 150;

interface Tree {
  at: Point;
  stamp: number;
}

export interface Obstacles {
  roads: SegmentIndex;
  water: SegmentIndex;
  field: Field;
  size: Point;
  /** A field in a wood is a clearing. */
  clearings: Point[][];
}

function plant(grove: Grove, earlier: Grove[], { roads, water, field, size, clearings }: Obstacles, kinds: Stamp[]): Tree[] {
  const random = randomFor(grove.name);
  const { box, ring } = grove;
  const edge = new SegmentIndex([[...ring, ring[0]]], 60);
  const rivals = earlier.filter((o) => o.box.x0 < box.x1 && o.box.x1 > box.x0 && o.box.y0 < box.y1 && o.box.y1 > box.y0);
  const open = clearings.map((ring) => ({ ring, box: boxOf(ring) })).filter((c) => meets(c.box, box));
  const clearingEdges = new SegmentIndex(open.map((c) => [...c.ring, c.ring[0]]), 60);
  const trees: Tree[] = [];
  const cells = new Map<string, Tree[]>();
  const cellOf = (p: Point) => [Math.floor(p[0] / 50), Math.floor(p[1] / 50)];
  const crowded = (p: Point, r: number) => {
    const [i, j] = cellOf(p);
    for (let a = i - 1; a <= i + 1; a++)
      for (let b = j - 1; b <= j + 1; b++)
        for (const t of cells.get(`${a},${b}`) ?? []) if (dist(t.at, p) < 0.82 * (r + kinds[t.stamp].radius)) return true;
    return false;
  };
  let row = 0;
  for (let y = Math.max(box.y0, -40); y < Math.min(box.y1, size[1] + 40); y += 37, row++) {
    for (let x = Math.max(box.x0, -40) + (row % 2) * 22; x < Math.min(box.x1, size[0] + 40); x += 44) {
      const p: Point = [x + between(random, -0.31, 0.31) * 44, y + between(random, -0.25, 0.25) * 37];
      const stamp = Math.floor(random() * kinds.length);
      const luck = random();
      if (!inside(ring, p) || rivals.some((o) => inside(o.ring, p))) continue;
      if (open.some((c) => holds(c.box, p) && inside(c.ring, p))) continue;
      if (edge.distance(p, 15) < 15 || roads.distance(p, 26) < 26 || water.distance(p, 24) < 24) continue;
      const [gx, gy] = field.slope(p);
      const glade = 0.05 + 0.16 * Math.max(0, noise2(p[0] / 230, p[1] / 230, 77));
      const steep = Math.hypot(gx, gy) * 100 > 0.42 ? 0.45 : 0;
      // The heart of a great forest is drawn sparse: its edge tells what it is, and the grid stays legible.
      const deep = edge.distance(p, HEART) >= HEART && clearingEdges.distance(p, HEART) >= HEART;
      const heart = deep ? 0.56 + 0.34 * noise2(p[0] / 330, p[1] / 330, 78) : 0;
      if (luck < Math.max(glade, steep, heart)) continue;
      if (crowded(p, kinds[stamp].radius)) continue;
      const tree = { at: p, stamp };
      trees.push(tree);
      const key = cellOf(p).join();
      const cell = cells.get(key);
      if (cell) cell.push(tree);
      else cells.set(key, [tree]);
    }
  }
  return trees.sort((a, b) => a.at[1] - b.at[1]);
}

/** Four paths for each wood: shadows, crowns, paler crowns, curls. */
export function trees(list: Grove[], obstacles: Obstacles): PathOp[] {
  const kinds = stamps();
  return list.flatMap((grove, n) => {
    const standing = plant(grove, list.slice(0, n), obstacles, kinds);
    if (standing.length === 0) return [];
    const at = standing.map((t) => t.at);
    const write = (part: "crown" | "shade" | "curl", which: (i: number) => boolean, dx = 0, dy = 0) =>
      standing
        .map((t, i) => (which(i) ? `M${Math.round(t.at[0] + dx)} ${Math.round(t.at[1] + dy)}${kinds[t.stamp][part]}` : ""))
        .join("");
    const pale = (i: number) => (standing[i].stamp + i) % 3 === 0;
    const pad = { width: 28 };
    return [
      op(write("crown", () => true, 4, 5), at, { ...pad, width: undefined, fill: "crownshade", alpha: 0.5 }),
      op(write("crown", (i) => !pale(i)), at, { fill: "crown", stroke: "crownink", width: 2.2, join: "round" }),
      op(write("crown", pale), at, { fill: "crown2", stroke: "crownink", width: 2.2, join: "round" }),
      op(write("shade", () => true), at, { fill: "crownshade", alpha: 0.6, from: 1 }),
      op(write("curl", () => true), at, { stroke: "crownink", width: 1.8, cap: "round", from: 2 }),
    ].map((o) => ({ ...o, box: { x0: o.box.x0 - 30, y0: o.box.y0 - 30, x1: o.box.x1 + 30, y1: o.box.y1 + 30 } }));
  });
}
