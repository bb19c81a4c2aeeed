/** Trees of the painted board: each with its cast shadow and four tones, light from the north-west; orchards in rows. */
import { boxOf, dist, inside, SegmentIndex } from "../geometry";
import { Chunks, circle, type PathOp } from "../ops";
import { between, mulberry32, noise2, randomFor } from "../random";
import type { Point, Wood } from "../survey";
import { f, type Grove } from "../woods";

interface Stamp {
  radius: number;
  /** Paths that begin at the middle of the tree. */
  crown: string;
  body: string;
  lit: string;
  glint: string;
}

/** A ring of bulges about a point. */
function bulges(random: () => number, [x, y]: Point, radius: number, count: number): string {
  const points = Array.from({ length: count }, (_, i): Point => {
    const angle = ((i + between(random, -0.2, 0.2)) / count) * 2 * Math.PI;
    const r = radius * between(random, 0.88, 1.06);
    return [x + Math.cos(angle) * r, y + Math.sin(angle) * r];
  });
  let d = `m${f(points[0][0])} ${f(points[0][1])}`;
  points.forEach((p, i) => {
    const q = points[(i + 1) % count];
    const a = f(dist(p, q) * 0.56);
    d += `a${a} ${a} 0 0 1 ${f(q[0] - p[0])} ${f(q[1] - p[1])}`;
  });
  // Back to where it began, for the next ring of the same path.
  return `${d}zm${f(-points[0][0])} ${f(-points[0][1])}`;
}

const STAMPS: Stamp[] = [25, 29, 33, 37, 23, 31, 40, 27].map((radius, n) => {
  const random = mulberry32(9300 + n);
  const clump = (cx: number, cy: number, r: number, lobes: number) => bulges(random, [cx * radius, cy * radius], r * radius, lobes);
  const scattered = (count: number, far: number, size: number) =>
    Array.from({ length: count }, () => {
      const [a, r] = [between(random, 2.4, 5.6), between(random, 0.1, far)];
      return clump(Math.cos(a) * r - 0.08, Math.sin(a) * r - 0.08, between(random, size * 0.8, size * 1.2), 5);
    }).join("");
  return { radius, crown: clump(0, 0, 1, 10), body: clump(-0.08, -0.1, 0.82, 9), lit: scattered(4, 0.48, 0.3), glint: scattered(5, 0.55, 0.13) };
});

interface Tree {
  at: Point;
  stamp: Stamp;
}

/** So far from its edge a wood is drawn sparse, units. */
const HEART = 190;
const ORCHARD = /orchard|garden|grove of fruit/i;

function planted(grove: Grove, closed: (p: Point) => boolean): Tree[] {
  const random = randomFor(`${grove.name} trees`);
  const { box, ring } = grove;
  const edge = new SegmentIndex([[...ring, ring[0]]], 60);
  const out: Tree[] = [];
  let row = 0;
  for (let y = box.y0; y < box.y1; y += 42, row++)
    for (let x = box.x0 + (row % 2) * 25; x < box.x1; x += 50) {
      const p: Point = [x + between(random, -15, 15), y + between(random, -11, 11)];
      const stamp = STAMPS[Math.floor(random() * STAMPS.length)];
      const luck = random();
      if (!inside(ring, p) || edge.distance(p, 14) < 14 || closed(p)) continue;
      // The heart of a great forest is drawn sparse, so that who fights there can be seen.
      const heart = edge.distance(p, HEART) >= HEART ? 0.4 : 0;
      if (luck < heart + 0.04 + 0.2 * Math.max(0, noise2(p[0] / 260, p[1] / 260, 77))) continue;
      if (out.some((t) => Math.abs(t.at[1] - p[1]) < 80 && dist(t.at, p) < 0.66 * (t.stamp.radius + stamp.radius))) continue;
      out.push({ at: p, stamp });
    }
  return out;
}

/** Rows of small trees, a little unruly. */
function rows(grove: Grove, closed: (p: Point) => boolean): Tree[] {
  const random = randomFor(`${grove.name} rows`);
  const out: Tree[] = [];
  for (let y = grove.box.y0 + 36; y < grove.box.y1 - 20; y += 66)
    for (let x = grove.box.x0 + 36; x < grove.box.x1 - 20; x += 66) {
      const p: Point = [x + between(random, -7, 7), y + between(random, -7, 7)];
      if (inside(grove.ring, p) && !closed(p)) out.push({ at: p, stamp: STAMPS[random() < 0.5 ? 0 : 4] });
    }
  return out;
}

export function boardTrees(woods: Wood[], groves: Grove[], closed: (p: Point) => boolean): PathOp[] {
  const trees: Tree[] = [];
  const fruit = new Chunks({ fill: "fruit", from: 1 });
  groves.forEach((grove, n) => {
    const orchard = ORCHARD.test(woods[n].name);
    const own = (orchard ? rows : planted)(grove, (p) => closed(p) || groves.slice(0, n).some((g) => inside(g.ring, p)));
    trees.push(...own);
    if (orchard) for (const { at, stamp: { radius: r } } of own) for (const [dx, dy] of [[-0.35, -0.2], [0.3, 0.1], [0, 0.42], [0.2, -0.4]]) fruit.add(circle([at[0] + dx * r, at[1] + dy * r], 3), [at]);
  });
  trees.sort((a, b) => a.at[1] - b.at[1]);
  const layer = (style: ConstructorParameters<typeof Chunks>[0], part: (s: Stamp) => string, [dx, dy]: Point = [0, 0]) => {
    const chunks = new Chunks(style);
    for (const { at, stamp } of trees) {
      const [x, y] = [at[0] + dx, at[1] + dy];
      chunks.add(`M${f(x)} ${f(y)}${part(stamp)}`, boxCorners([x, y], stamp.radius * 1.2));
    }
    return chunks.ops();
  };
  return [
    ...layer({ fill: "cast", alpha: 0.34 }, (s) => s.crown, [9, 13]),
    ...layer({ fill: "leaf", stroke: "leafink", width: 2.4, join: "round" }, (s) => s.crown),
    ...layer({ fill: "leaf2" }, (s) => s.body),
    ...layer({ fill: "leaf3" }, (s) => s.lit),
    ...layer({ fill: "leaf4", alpha: 0.85, from: 1 }, (s) => s.glint),
    ...fruit.ops(),
  ];
}

export const boxCorners = ([x, y]: Point, r: number): Point[] => {
  const b = boxOf([[x - r, y - r], [x + r, y + r]]);
  return [[b.x0, b.y0], [b.x1, b.y1]];
};
