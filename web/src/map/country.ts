/** Fields, orchards, marsh: the dressing of the country, and what of it the survey names. */
import { organicRing } from "./curve";
import { boxOf, clamp, inside, mix, simplifyRing } from "./geometry";
import { Chunks, circle, op, polyline, softRing, type PathOp } from "./ops";
import { between, noise2, randomFor } from "./random";
import type { Area, Place, Point } from "./survey";

const TURN = (-27 * Math.PI) / 180;

const turned = ([x, y]: Point): Point => [x * Math.cos(TURN) - y * Math.sin(TURN), x * Math.sin(TURN) + y * Math.cos(TURN)];

/** Parcels of a turned frame: one in five tilled, most fenced, some furrowed, some with tufts. */
export function parcels(size: Point): PathOp[] {
  const random = randomFor("parcels");
  const tilled = new Chunks({ fill: "tilth", alpha: 0.45 });
  const fences = new Chunks({ stroke: "field", width: 1.8, alpha: 0.22, from: 1 });
  const furrows = new Chunks({ stroke: "field", width: 1.8, alpha: 0.2, from: 1 });
  const tufts = new Chunks({ stroke: "field", width: 1.6, alpha: 0.42, from: 2 });
  const reach = Math.hypot(size[0], size[1]);
  const onSheet = (p: Point) => p[0] > -300 && p[1] > -300 && p[0] < size[0] + 300 && p[1] < size[1] + 300;
  for (let v = -reach; v < reach * 1.6; ) {
    const deep = between(random, 330, 560);
    for (let u = -reach; u < reach * 1.6; ) {
      const wide = between(random, 330, 560);
      const corner = (a: number, b: number) => turned([u + a * wide, v + b * deep]);
      const ring = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
      const dice = [random(), random(), random(), random(), random()];
      if (ring.some(onSheet)) {
        if (dice[0] < 0.2) tilled.add(polyline(ring, true), ring);
        if (dice[1] < 0.62) fences.add(polyline(ring, true), ring);
        if (dice[2] < 0.3) furrow(ring, dice[3] < 0.5, furrows);
        if (dice[4] < 0.24) tuft(ring, tufts, `${Math.round(u)} ${Math.round(v)}`);
      }
      u += wide;
    }
    v += deep;
  }
  return [...tilled.ops(), ...fences.ops(), ...furrows.ops(), ...tufts.ops()];
}

function furrow([a, b, c, d]: Point[], across: boolean, into: Chunks): void {
  const [p, q, r, s] = across ? [a, b, d, c] : [a, d, b, c];
  const rows = Math.floor(Math.hypot(r[0] - p[0], r[1] - p[1]) / 24);
  for (let i = 1; i < rows; i++) {
    const line = [mix(mix(p, r, i / rows), mix(q, s, i / rows), 0.05), mix(mix(p, r, i / rows), mix(q, s, i / rows), 0.95)];
    into.add(polyline(line), line);
  }
}

function tuft([a, b, c, d]: Point[], into: Chunks, name: string): void {
  const random = randomFor(name);
  for (let i = 0; i < 7; i++) {
    const p = mix(mix(a, b, random()), mix(d, c, random()), random());
    const [x, y] = [Math.round(p[0]), Math.round(p[1])];
    into.add(`M${x - 7} ${y - 6}l4 8M${x} ${y - 9}l0 11M${x + 7} ${y - 6}l-4 8`, [p]);
  }
}

/** A cornfield that matters: furrows at .5 and a hedge round it. */
export function surveyedFields(fields: Area[], woods: Point[][]): PathOp[] {
  return fields.flatMap(({ name, outline }) => {
    const ring = organicRing(outline, 20, name, [[4, 150]]);
    const rows = new Chunks({ stroke: "field", width: 2.2, alpha: 0.5, dash: [9, 5] }, 4000);
    const box = boxOf(ring);
    const lean = 0.32;
    for (let y = box.y0 - (box.x1 - box.x0) * lean; y < box.y1; y += 17) {
      let start: Point | undefined;
      let last: Point | undefined;
      for (let x = box.x0; x <= box.x1; x += 8) {
        const p: Point = [x, y + (x - box.x0) * lean];
        if (inside(ring, p)) {
          start ??= p;
          last = p;
        } else if (start && last) {
          rows.add(polyline([start, last]), [start, last]);
          start = undefined;
        }
      }
      if (start && last) rows.add(polyline([start, last]), [start, last]);
    }
    const d = softRing(simplifyRing(ring, 3));
    return [
      ...(woods.some((w) => outline.some((p) => inside(w, p))) ? [op(d, ring, { fill: "ground", alpha: 0.86 })] : []),
      op(d, ring, { fill: "tilth", alpha: 0.55 }),
      ...rows.ops(),
      op(d, ring, { stroke: "field", width: 2.6, alpha: 0.6 }),
    ];
  });
}

export function orchards(list: Area[]): PathOp[] {
  return list.flatMap(({ name, outline }) => {
    const ring = organicRing(outline, 20, name, [[5, 140]]);
    const box = boxOf(ring);
    const dots = new Chunks({ fill: "crown2", stroke: "crownink", width: 1.8 }, 4000);
    for (let y = box.y0 + 12; y < box.y1; y += 30)
      for (let x = box.x0 + 12; x < box.x1; x += 30) if (inside(ring, [x, y])) dots.add(circle([x, y], 7), [[x - 8, y - 8], [x + 8, y + 8]]);
    return [op(softRing(simplifyRing(ring, 3)), ring, { stroke: "woodedge", width: 1.8, alpha: 0.7 }), ...dots.ops()];
  });
}

/** Beside a farm four by three dots. */
export function farmOrchards(places: Place[]): PathOp[] {
  const dots = new Chunks({ fill: "crown", stroke: "crownink", width: 1, alpha: 0.75, from: 1 });
  for (const { name, kind, at } of places) {
    if (kind !== "farm") continue;
    const random = randomFor(`${name} orchard`);
    if (random() < 0.3) continue;
    const angle = between(random, -0.5, 0.5);
    const side = random() < 0.5 ? -1 : 1;
    for (let i = 0; i < 4; i++)
      for (let j = 0; j < 3; j++) {
        const [u, v] = [side * (42 + i * 19), -30 + j * 19];
        const p: Point = [at[0] + u * Math.cos(angle) - v * Math.sin(angle), at[1] + u * Math.sin(angle) + v * Math.cos(angle)];
        dots.add(circle(p, 4), [p]);
      }
  }
  return dots.ops();
}

/** Groups of three strokes, staggered. */
export function marshes(list: Area[]): PathOp[] {
  return list.flatMap(({ name, outline }) => {
    const ring = organicRing(outline, 20, name, [[14, 160]]);
    const box = boxOf(ring);
    const random = randomFor(name);
    const strokes = new Chunks({ stroke: "bank", width: 3, alpha: 0.6, cap: "round" }, 4000);
    let row = 0;
    for (let y = box.y0; y < box.y1; y += 48, row++)
      for (let x = box.x0 + (row % 2) * 35; x < box.x1; x += 70) {
        const p: Point = [x + between(random, -9, 9), y + between(random, -6, 6)];
        const calm = clamp(noise2(x / 200, y / 200, 5) + 1);
        if (!inside(ring, p) || random() > 0.5 + calm / 2) continue;
        const [a, b] = [Math.round(p[0]), Math.round(p[1])];
        strokes.add(`M${a - 13} ${b}h26M${a - 9} ${b + 7}h18M${a - 5} ${b + 14}h10`, [p]);
        strokes.add(`M${a - 4} ${b - 3}l-3 -11M${a} ${b - 3}v-13M${a + 4} ${b - 3}l3 -11`, [p]);
      }
    return [op(softRing(simplifyRing(ring, 4)), ring, { fill: "water", alpha: 0.16 }), ...strokes.ops()];
  });
}
