/** What lies and stands on the painted board besides woods and walls: roads, roofs, crops, broken ground, tufts. */
import { organicRing } from "../curve";
import { boxOf, dist, inside, mix, normals, resampleRing } from "../geometry";
import { Chunks, op, polyline, rectangle, softLine, softRing, type PathOp } from "../ops";
import { between, noise2, randomFor } from "../random";
import type { Way } from "../roads";
import type { Area, Point } from "../survey";
import { rocks } from "./walls";

/** Widths of roads without one of their own, units. */
const BROAD = { road: 40, lane: 27 };

/** Trodden earth with the ruts of wheels. */
export function boardRoads(list: Way[]): PathOp[] {
  const roads = list.filter((w) => w.kind === "road" || w.kind === "lane").map((w) => ({ axis: w.axis, width: Math.max(22, Math.min(78, w.width || BROAD[w.kind as "road" | "lane"])) }));
  const ruts = ({ axis, width }: { axis: Point[]; width: number }) => {
    const normal = normals(axis, false);
    return [-0.22, 0.22].map((by) => softLine(axis.map((p, i): Point => [p[0] + normal[i][0] * by * width, p[1] + normal[i][1] * by * width]))).join("");
  };
  return [
    ...roads.map((r) => op(softLine(r.axis), r.axis, { stroke: "rut", width: r.width + 9, cap: "round", join: "round", alpha: 0.3 })),
    ...roads.map((r) => op(softLine(r.axis), r.axis, { stroke: "rut", width: r.width + 2, cap: "round", join: "round", alpha: 0.55 })),
    ...roads.map((r) => op(softLine(r.axis), r.axis, { stroke: "earth", width: r.width - 2, cap: "round", join: "round" })),
    ...roads.map((r) => op(ruts(r), r.axis, { stroke: "rut", width: 3.4, alpha: 0.55, from: 1 })),
  ];
}

/** The rectangle about a house along its longest wall. */
function walls(outline: Point[]): { at: Point; long: number; deep: number; turn: number } {
  let [a, b] = [outline[0], outline[1]];
  outline.forEach((p, i) => {
    const q = outline[(i + 1) % outline.length];
    if (dist(p, q) > dist(a, b)) [a, b] = [p, q];
  });
  const turn = Math.atan2(b[1] - a[1], b[0] - a[0]);
  const [c, s] = [Math.cos(-turn), Math.sin(-turn)];
  const box = boxOf(outline.map(([x, y]): Point => [x * c - y * s, x * s + y * c]));
  const [u, v] = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2];
  return { at: [u * c + v * s, v * c - u * s], long: box.x1 - box.x0, deep: box.y1 - box.y0, turn };
}

/** A hipped roof: the faces towards the light are pale. */
export function roofs(list: Area[]): PathOp[] {
  return list.flatMap(({ name, outline }) => {
    const { at, long, deep, turn } = walls(outline);
    const ring = rectangle(at, long + 8, deep + 8, turn);
    const half = Math.max(0, (long - deep * 0.8) / 2);
    const ridge = rectangle(at, 2 * half, 0, turn).slice(0, 2);
    const faces: Point[][] = [[ring[0], ring[1], ridge[1], ridge[0]], [ring[1], ring[2], ridge[1]], [ring[2], ring[3], ridge[0], ridge[1]], [ring[3], ring[0], ridge[0]]];
    const lit = (face: Point[]) => {
      const m: Point = [face.reduce((sum, p) => sum + p[0], 0) / face.length - at[0], face.reduce((sum, p) => sum + p[1], 0) / face.length - at[1]];
      return m[0] + m[1] < 0;
    };
    const straw = new Chunks({ stroke: "roofink", width: 1, alpha: 0.28, from: 1 });
    for (const face of faces.filter((q) => q.length === 4)) {
      const count = Math.round(long / 9);
      for (let i = 1; i < count; i++) {
        const line = [mix(face[0], face[1], i / count), mix(face[3], face[2], i / count)];
        straw.add(polyline([line[0], mix(line[0], line[1], 0.85)], false, true), line);
      }
    }
    const random = randomFor(name);
    const chimney = rectangle(mix(ridge[0], ridge[1], random() < 0.5 ? 0.12 : 0.88), 11, 11, turn);
    return [
      op(polyline(ring, true, true), ring, { fill: "cast", alpha: 0.4, shift: [12, 17] }),
      ...faces.map((q) => op(polyline(q, true, true), q, { fill: lit(q) ? "rooflit" : "roofshade" })),
      ...straw.ops(),
      op(faces.map((q) => polyline(q, true, true)).join(""), ring, { stroke: "roofink", width: 2, join: "round" }),
      op(polyline(chimney, true, true), chimney, { fill: "stone3", stroke: "roofink", width: 1.6 }),
    ];
  });
}

/** Rows of stalks, shoulder to shoulder, within a trodden edge. */
export function crops(list: Area[]): PathOp[] {
  return list.flatMap(({ name, outline }) => {
    const ring = organicRing(outline, 20, name, [[4, 150]]);
    const box = boxOf(ring);
    const random = randomFor(name);
    const rows = new Chunks({ stroke: "cropink", width: 5, alpha: 0.5 }, 2000);
    const stalks = (["leaf3", "cropink", "leaf2"] as const).map((stroke) => new Chunks({ stroke, width: 3, cap: "round", from: 2 }, 900));
    const lean = 0.3;
    for (let y = box.y0 - (box.x1 - box.x0) * lean; y < box.y1; y += 15) {
      let line: Point[] = [];
      for (let x = box.x0; x <= box.x1; x += 7) {
        const p: Point = [x + between(random, -2, 2), y + (x - box.x0) * lean + between(random, -1.5, 1.5)];
        if (!inside(ring, p)) continue;
        line.push(p);
        const [a, b] = [Math.round(p[0]), Math.round(p[1])];
        stalks[Math.floor(random() * 3)].add(`M${a} ${b}l${Math.round(between(random, -3, 3))} -6`, [p]);
      }
      if (line.length > 1) rows.add(polyline([line[0], line[line.length - 1]]), line);
      line = [];
    }
    const d = softRing(ring);
    return [op(d, ring, { fill: "crop", alpha: 0.75 }), ...rows.ops(), ...stalks.flatMap((s) => s.ops()), op(d, ring, { stroke: "rut", width: 5, alpha: 0.5 })];
  });
}

/** Grass that stands up, a few blades together; where the ground is lush there is more of it. */
function tufts(spots: Point[], name: string): PathOp[] {
  const random = randomFor(`${name} tufts`);
  const [dark, lit] = [new Chunks({ stroke: "blade", width: 2, alpha: 0.75, cap: "round", from: 1 }), new Chunks({ stroke: "bladelit", width: 1.8, alpha: 0.8, cap: "round", from: 1 })];
  for (const [px, py] of spots) {
    const [x, y] = [Math.round(px), Math.round(py)];
    const h = Math.round(between(random, 8, 14));
    dark.add(`M${x - 5} ${y}q-1 ${-h / 2} -5 ${-h + 3}M${x} ${y}l1 ${-h}M${x + 5} ${y}q1 ${-h / 2} 6 ${-h + 4}`, [[x, y]]);
    lit.add(`M${x - 2} ${y}q0 ${-h / 2} -3 ${-h}M${x + 3} ${y}q1 ${-h / 2} 3 ${-h + 2}`, [[x, y]]);
  }
  return [...dark.ops(), ...lit.ops()];
}

export function grass(size: Point, closed: (p: Point) => boolean): PathOp[] {
  const random = randomFor("grass");
  const spots: Point[] = [];
  const stones: Point[] = [];
  for (let y = 20; y < size[1]; y += 64)
    for (let x = 20; x < size[0]; x += 64) {
      const p: Point = [x + between(random, -30, 30), y + between(random, -30, 30)];
      const luck = random();
      if (closed(p)) continue;
      if (luck < 0.22 + 0.3 * noise2(p[0] / 500, p[1] / 500, 41)) spots.push(p);
      else if (luck > 0.988) stones.push(p);
    }
  return [...tufts(spots, "meadow"), ...rocks("meadow", stones, 4, 9)];
}

/** Bare and stony, with scrub between. */
export function broken(list: Area[]): PathOp[] {
  return list.flatMap(({ name, outline }) => {
    const ring = organicRing(outline, 20, name, [[14, 150]]);
    const box = boxOf(ring);
    const random = randomFor(name);
    const [stones, scrub]: [Point[], Point[]] = [[], []];
    for (let y = box.y0; y < box.y1; y += 34)
      for (let x = box.x0; x < box.x1; x += 34) {
        const p: Point = [x + between(random, -15, 15), y + between(random, -15, 15)];
        const luck = random();
        if (inside(ring, p)) (luck < 0.34 ? stones : luck < 0.72 ? scrub : []).push(p);
      }
    return [
      op(softRing(ring), ring, { fill: "earth", alpha: 0.4 }),
      op(softRing(ring), ring, { stroke: "rut", width: 3, alpha: 0.4, dash: [10, 9] }),
      ...tufts(scrub, name),
      ...rocks(name, stones, 5, 13),
    ];
  });
}

/** Grass along the lips of a hollow, hanging inwards. */
export function hollows(list: Area[]): PathOp[] {
  return list.flatMap(({ name, outline }) => {
    const ring = resampleRing(organicRing(outline, 20, name, [[6, 150]]), 9);
    const random = randomFor(name);
    const normal = normals(ring, true);
    const side = inside(ring, [ring[0][0] + normal[0][0] * 3, ring[0][1] + normal[0][1] * 3]) ? 1 : -1;
    const strokes = new Chunks({ stroke: "hach", width: 2.2, alpha: 0.55, cap: "round" });
    ring.forEach((p, i) => {
      const long = side * between(random, 9, 26);
      const line: Point[] = [p, [p[0] + normal[i][0] * long + between(random, -4, 4), p[1] + normal[i][1] * long]];
      strokes.add(polyline(line), line);
    });
    return [op(softRing(ring), ring, { fill: "cast", alpha: 0.1 }), ...strokes.ops()];
  });
}
