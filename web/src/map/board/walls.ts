/** Walls of the painted board, stone by stone: masonry, mealie bags, biscuit boxes, rails, worm fences, works, hedges. */
import { dist, mix, normals, resample } from "../geometry";
import { Chunks, circle, op, polyline, rectangle, softLine, type PathOp, type Style } from "../ops";
import { between, mulberry32, randomFor, type Random } from "../random";
import type { Point, Wall } from "../survey";
import { f } from "../woods";

/** A thing laid along a line. */
interface Laid {
  at: Point;
  /** Along the line, radians. */
  turn: number;
}

/** Points so far apart along a line, moved to its left by so much; corners stay corners. */
function along(line: Point[], step: number, aside = 0, start = 0): Laid[] {
  const out: Laid[] = [];
  let due = start;
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1], line[i]];
    const long = dist(a, b) || 1;
    const [ux, uy] = [(b[0] - a[0]) / long, (b[1] - a[1]) / long];
    for (; due < long; due += step) out.push({ at: [a[0] + ux * due - uy * aside, a[1] + uy * due + ux * aside], turn: Math.atan2(uy, ux) });
    due -= long;
  }
  return out;
}

/** A cobble: a rectangle with its corners off. */
function cobble(random: Random, { at, turn }: Laid, long: number, deep: number): { d: string; points: Point[] } {
  const points = rectangle(at, long, deep, turn + between(random, -0.12, 0.12));
  const soft = points.flatMap((p, i): Point[] => {
    const [before, after] = [points[(i + 3) % 4], points[(i + 1) % 4]];
    return [mix(p, before, between(random, 0.15, 0.3)), mix(p, after, between(random, 0.15, 0.3))];
  });
  return { d: polyline(soft, true, true), points };
}

const CAST: Style = { stroke: "cast", alpha: 0.34, shift: [7, 10], join: "round", cap: "round" };

/** So broad, and its foot dark, with the shadow it casts. */
function foot(line: Point[], width: number, ink: Style["stroke"]): PathOp[] {
  const d = polyline(line, false, true);
  return [op(d, line, { ...CAST, width }), op(d, line, { stroke: ink, width, join: "round", cap: "round", alpha: 0.9 })];
}

/** What is laid in courses, in several tones. */
function courses(name: string, line: Point[], { long, deep, aside, tones, ink, width }: { long: number; deep: number; aside: number[]; tones: Style["fill"][]; ink: Style["stroke"]; width: number }): PathOp[] {
  const random = randomFor(name);
  const chunks = tones.map((fill) => new Chunks({ fill, stroke: ink, width, join: "round" }));
  aside.forEach((by, row) => {
    for (const laid of along(line, long, by, row % 2 === 0 ? long / 2 : long)) {
      const { d, points } = cobble(random, laid, long * between(random, 0.82, 1), deep * between(random, 0.85, 1.1));
      chunks[Math.floor(random() * chunks.length)].add(d, points);
    }
  });
  return chunks.flatMap((c) => c.ops());
}

const masonry = (name: string, line: Point[]): PathOp[] => [
  ...foot(line, 22, "stoneink"),
  ...courses(name, line, { long: 13, deep: 10, aside: [-5.4, 5.4], tones: ["stone", "stone2", "stone3"], ink: "stoneink", width: 1.1 }),
];

const bags = (name: string, line: Point[]): PathOp[] => [
  ...foot(line, 30, "sackink"),
  ...courses(name, line, { long: 25, deep: 15, aside: [-7.5, 7.5], tones: ["sack", "sack2"], ink: "sackink", width: 1.3 }),
  ...courses(`${name} top`, line, { long: 25, deep: 15, aside: [0], tones: ["sack"], ink: "sackink", width: 1.3 }),
];

function boxes(name: string, line: Point[]): PathOp[] {
  const random = randomFor(name);
  const chests = new Chunks({ fill: "plank", stroke: "plankink", width: 1.4 });
  const lids = new Chunks({ stroke: "plankink", width: 1, alpha: 0.7, from: 1 });
  for (const { at, turn } of along(line, 24, 0, 12)) {
    const ring = rectangle(at, 21, 20, turn + between(random, -0.1, 0.1));
    chests.add(polyline(ring, true, true), ring);
    for (const t of [0.34, 0.67]) lids.add(polyline([mix(ring[0], ring[1], t), mix(ring[3], ring[2], t)], false, true), ring);
  }
  return [...foot(line, 16, "plankink"), ...chests.ops(), ...lids.ops()];
}

/** Posts and two rails. */
function railFence(line: Point[]): PathOp[] {
  const normal = normals(line, false);
  const side = (by: number) => line.map((p, i): Point => [p[0] + normal[i][0] * by, p[1] + normal[i][1] * by]);
  const posts = along(line, 48, 0, 2).map(({ at, turn }) => rectangle(at, 8, 10, turn));
  const rails = [-2.6, 2.6].map((by) => polyline(side(by), false, true)).join("");
  return [
    op(polyline(line, false, true), line, { ...CAST, width: 7 }),
    op(rails, line, { stroke: "plankink", width: 4.4 }),
    op(rails, line, { stroke: "rail2", width: 2.4 }),
    op(posts.map((p) => polyline(p, true, true)).join(""), line, { fill: "plank", stroke: "plankink", width: 1.6 }),
  ];
}

/** Split rails laid zigzag. */
function wormFence(line: Point[]): PathOp[] {
  const knees = along(line, 46).map(({ at, turn }, i): Point => [at[0] - Math.sin(turn) * (i % 2 === 0 ? 7 : -7), at[1] + Math.cos(turn) * (i % 2 === 0 ? 7 : -7)]);
  knees.push(line[line.length - 1]);
  const d = polyline(knees, false, true);
  return [
    op(d, knees, { ...CAST, width: 7, join: "miter" }),
    op(d, knees, { stroke: "plankink", width: 7, join: "miter" }),
    op(d, knees, { stroke: "rail2", width: 4, join: "miter" }),
    op(knees.map((p) => circle(p, 4.4)).join(""), knees, { fill: "plank", stroke: "plankink", width: 1.2, from: 1 }),
  ];
}

/** A bank of earth with logs on its crest. */
function works(name: string, line: Point[]): PathOp[] {
  const fine = resample(line, 20);
  const d = softLine(fine);
  const random = randomFor(name);
  const logs = new Chunks({ stroke: "plankink", width: 6.4, cap: "round" });
  const bark = new Chunks({ stroke: "plank", width: 3.6, cap: "round" });
  for (const { at, turn } of along(line, 44, 0, 24)) {
    const half = 24;
    const lean = turn + between(random, -0.08, 0.08);
    const log: Point[] = [[at[0] - Math.cos(lean) * half, at[1] - Math.sin(lean) * half], [at[0] + Math.cos(lean) * half, at[1] + Math.sin(lean) * half]];
    logs.add(polyline(log, false, true), log);
    bark.add(polyline(log, false, true), log);
  }
  return [op(d, fine, { ...CAST, width: 34 }), op(d, fine, { stroke: "rut", width: 37, cap: "round" }), op(d, fine, { stroke: "earth", width: 26, cap: "round" }), ...logs.ops(), ...bark.ops()];
}

/** Rocks of all sizes along a line. */
export function rocks(name: string, spots: Point[], least: number, most: number): PathOp[] {
  const random = randomFor(`${name} rocks`);
  const tones = (["stone", "stone2", "stone3"] as const).map((fill) => new Chunks({ fill, stroke: "stoneink", width: 1.4, join: "round" }));
  const casts = new Chunks({ fill: "cast", alpha: 0.32 });
  for (const at of spots) {
    const r = between(random, least, most);
    const sides = 6;
    const points = Array.from({ length: sides }, (_, i): Point => {
      const a = (i / sides) * 2 * Math.PI + between(random, -0.3, 0.3);
      const far = r * between(random, 0.75, 1.1);
      return [at[0] + Math.cos(a) * far * 1.2, at[1] + Math.sin(a) * far];
    });
    casts.add(polyline(points.map(([x, y]): Point => [x + r * 0.35, y + r * 0.5]), true, true), points);
    tones[Math.floor(random() * tones.length)].add(polyline(points, true, true), points);
  }
  return [...casts.ops(), ...tones.flatMap((t) => t.ops())];
}

function ledge(name: string, line: Point[]): PathOp[] {
  const random = mulberry32(line.length + Math.round(line[0][0]));
  return rocks(name, along(line, 17).map(({ at: [x, y] }): Point => [x + between(random, -7, 7), y + between(random, -9, 9)]), 6, 14);
}

function hedge(name: string, line: Point[]): PathOp[] {
  const random = randomFor(name);
  const bush = (fill: Style["fill"], r: number, by: number) => {
    const chunks = new Chunks({ fill, ...(fill === "leaf" ? { stroke: "leafink" as const, width: 2 } : {}) });
    for (const { at } of along(line, 17, 0, 8)) chunks.add(circle([f(at[0] + by + between(random, -2, 2)), f(at[1] + by)], f(r * between(random, 0.85, 1.15))), [at]);
    return chunks.ops();
  };
  return [op(polyline(line, false, true), line, { ...CAST, width: 24 }), ...bush("leaf", 14, 0), ...bush("leaf2", 10, -2), ...bush("leaf3", 5, -4)];
}

/** By what it is called before what kind it is: a barricade of mealie bags is a wall to the rules. */
export function boardWalls(list: Wall[]): PathOp[] {
  return list.flatMap(({ name, kind, line }) => {
    const words = `${name} ${kind}`.toLowerCase();
    if (/biscuit|box/.test(words)) return boxes(name, line);
    if (/barricade|mealie|bags/.test(words)) return bags(name, line);
    if (/ledge|rocks/.test(words)) return ledge(name, line);
    if (/work|trench|redoubt|embankment/.test(words)) return works(name, line);
    if (/hedge/.test(words)) return hedge(name, line);
    if (/kraal|rail|roadside/.test(words) && !/stone/.test(words)) return railFence(line);
    if (/fence|worm/.test(words)) return wormFence(line);
    return masonry(name, line);
  });
}
