/** Town blocks and houses, farms and large buildings, walls, fences and works. */
import { organicRing, smooth } from "./curve";
import { boxOf, dist, inside, normals, resample, SegmentIndex, simplifyRing } from "./geometry";
import { Chunks, circle, op, polyline, rectangle, softLine, softRing, type PathOp } from "./ops";
import { between, randomFor } from "./random";
import type { Area, Place, Point, Wall } from "./survey";

const BLOCK = 112;
const STREET = 16;

export interface TownPlan {
  ground: PathOp[];
  houses: PathOp[];
}

function centroid(ring: Point[]): Point {
  const box = boxOf(ring);
  return [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2];
}

export function town(list: Area[], squares: Point[], ways: SegmentIndex, water: SegmentIndex): TownPlan {
  const ground: PathOp[] = [];
  const houses: PathOp[] = [];
  for (const { name, outline } of list) {
    const random = randomFor(name);
    const ring = organicRing(outline, 20, name, [[14, 190]]);
    const square = squares.find((s) => inside(outline, s));
    const heart = square ?? centroid(outline);
    ground.push(op(softRing(simplifyRing(ring, 4)), ring, { fill: "block", alpha: 0.45 }));
    const blocks = new Chunks({ fill: "block", alpha: 0.8 }, 2000);
    const edges = new Chunks({ stroke: "house", width: 1.6, alpha: 0.45 }, 2000);
    const roofs = new Chunks({ fill: "house" }, 2000);
    const clear = (p: Point) => ways.distance(p, 20) > 19 && water.distance(p, 16) > 15;
    const box = boxOf(ring);
    const pitch = BLOCK + STREET;
    const first = (low: number, middle: number) => middle - Math.ceil((middle - low) / pitch) * pitch;
    for (let y = first(box.y0, heart[1]); y < box.y1; y += pitch) {
      for (let x = first(box.x0, heart[0]); x < box.x1; x += pitch) {
        const block: Point[] = [
          [x + STREET / 2, y + STREET / 2],
          [x + pitch - STREET / 2, y + STREET / 2],
          [x + pitch - STREET / 2, y + pitch - STREET / 2],
          [x + STREET / 2, y + pitch - STREET / 2],
        ];
        const within = block.filter((p) => inside(ring, p)).length;
        if (within === 0) continue;
        if (within === 4) {
          blocks.add(polyline(block, true), block);
          edges.add(polyline(block, true), block);
        }
        const core = dist([x + pitch / 2, y + pitch / 2], heart) < 330;
        fronts(block, core, random, (at, w, h) => {
          if (inside(ring, at) && clear(at) && (core || random() < 0.72)) roofs.add(polyline(rectangle(at, w, h, 0), true), rectangle(at, w, h, 0));
        });
      }
    }
    ground.push(...blocks.ops(), ...edges.ops());
    houses.push(...roofs.ops());
    if (square) {
      const market = rectangle(square, 44, 44, 0);
      houses.push(op(polyline(market, true), market, { fill: "road", stroke: "roadcase", width: 3.5 }));
    }
  }
  return { ground, houses };
}

/** Houses along the four fronts of a block. */
function fronts(block: Point[], core: boolean, random: () => number, put: (at: Point, w: number, h: number) => void): void {
  for (let side = 0; side < 4; side++) {
    const a = block[side];
    const b = block[(side + 1) % 4];
    const inward = block[(side + 2) % 4];
    const horizontal = a[1] === b[1];
    for (let s = 8; s < BLOCK - 8; ) {
      const w = between(random, 9, 18);
      const deep = between(random, 9, 15);
      const t = (s + w / 2) / BLOCK;
      const at: Point = [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
      if (horizontal) at[1] += Math.sign(inward[1] - a[1]) * (deep / 2 + 2);
      else at[0] += Math.sign(inward[0] - a[0]) * (deep / 2 + 2);
      put(at, horizontal ? w : deep, horizontal ? deep : w);
      s += w + (core ? between(random, 3, 9) : between(random, 9, 25));
    }
  }
}

const LARGE = new Set(["building", "church", "school", "college", "large", "mill", "tavern", "factory"]);
const BUILT = new Set(["farm", "house", "village", ...LARGE]);

export const isBuilt = (kind: string) => BUILT.has(kind);

export function farms(places: Place[]): PathOp[] {
  const ops: PathOp[] = [];
  for (const { name, kind, at } of places) {
    const civic = kind === "landmark" && /church|college|seminary|almshouse|house|school|court|mill/i.test(name);
    if (!isBuilt(kind) && !civic) continue;
    const random = randomFor(`${name} buildings`);
    const large = civic || LARGE.has(kind);
    const angle = between(random, -0.6, 0.6) * (large ? 0.2 : 1);
    const place = (u: number, v: number): Point => [
      at[0] + u * Math.cos(angle) - v * Math.sin(angle),
      at[1] + u * Math.sin(angle) + v * Math.cos(angle),
    ];
    const rings = large
      ? [rectangle(at, 44, 18, angle), rectangle(at, 16, 28, angle)]
      : [rectangle(place(-14, -4), 19, 14, angle), rectangle(place(12, 9), 24, 15, angle), rectangle(place(9, -14), 9, 9, angle)];
    const d = rings.map((r) => polyline(r, true, true)).join("");
    ops.push(op(d, rings.flat(), { stroke: "halo", width: 6 }), op(d, rings.flat(), { fill: "farm" }));
  }
  return ops;
}

/** Wall: a line with dots. Fence: a zigzag. Works: square teeth toward the enemy. */
export function walls(list: Wall[]): PathOp[] {
  return list.flatMap(({ kind, line, protects }) => {
    const axis = resample(smooth(line, 20, false), 22);
    const normal = normals(axis, false);
    const off = (i: number, by: number): Point => [axis[i][0] + normal[i][0] * by, axis[i][1] + normal[i][1] * by];
    if (/fence|rail/.test(kind)) {
      const zig = axis.map((_, i) => off(i, i % 2 === 0 ? 4.5 : -4.5));
      return [op(polyline(zig, false, true), zig, { stroke: "scarp", width: 3, join: "miter" })];
    }
    if (/work|trench|redoubt|breast/.test(kind)) {
      const fine = resample(smooth(line, 20, false), 26);
      const n = normals(fine, false);
      const side = facing(protects, n);
      const teeth = fine.map((p, i) => {
        const at: Point = [p[0] + n[i][0] * side * 7, p[1] + n[i][1] * side * 7];
        return polyline(rectangle(at, 10, 9, Math.atan2(n[i][1], n[i][0])), true, true);
      });
      return [op(softLine(fine), fine, { stroke: "scarp", width: 9 }), op(teeth.join(""), fine, { fill: "scarp", width: 14 })].map(
        (o, i) => (i === 1 ? { ...o, width: undefined } : o),
      );
    }
    if (/hedge/.test(kind)) {
      const d = axis.map((p, i) => circle(off(i, i % 2 ? 2 : -2) ?? p, 8)).join("");
      return [op(d, axis, { fill: "crown", stroke: "crownink", width: 1.8 })];
    }
    const dots = axis.map((p) => circle(p, 5.5)).join("");
    return [op(softLine(axis), axis, { stroke: "scarp", width: 5 }), op(dots, axis, { fill: "scarp" })];
  });
}

/** Teeth point away from the side that is protected ("left", "right" of travel, or a compass point). */
function facing(protects: string | undefined, normal: Point[]): 1 | -1 {
  const way = (protects ?? "").toLowerCase();
  if (way.includes("left")) return 1;
  if (way.includes("right")) return -1;
  const y = (way.includes("n") ? -1 : 0) + (way.includes("s") ? 1 : 0);
  const x = (way.includes("e") && !way.includes("we") ? 1 : 0) + (way.includes("w") ? -1 : 0);
  const lean = normal.reduce((sum, n) => sum + n[0] * x + n[1] * y, 0);
  return lean > 0 ? -1 : 1;
}
