/** Streams that swell from spring to mouth, creeks with two banks, rivers with shore lines. */
import { organicRing, runOn, smooth, wobble } from "./curve";
import { dist, lengthOf, nearestOn, normals, resample } from "./geometry";
import { op, polyline, softRing, type PathOp } from "./ops";
import type { Point, Water } from "./survey";

export interface Course {
  name: string;
  kind: "stream" | "creek" | "river";
  axis: Point[];
  width?: number;
}

/** The courses as drawn; a mouth within 90 of another course is led to it. */
export function courses(water: Water[], size: Point): Course[] {
  const raw = water.map((w) => w.line);
  const mouths = water.map(({ line }, n) => {
    const others = raw.filter((_, i) => i !== n);
    const led = line.slice();
    for (const end of [0, led.length - 1]) {
      const near = others
        .map((o) => nearestOn(o, led[end]))
        .filter((x) => x.distance > 1 && x.distance < 90)
        .sort((a, b) => a.distance - b.distance)[0];
      if (near) led[end] = near.point;
    }
    return led;
  });
  return water.map(({ name, kind, width }, n) => {
    const whole = runOn(n, mouths, size);
    const kinds = { creek: "creek", river: "river", pond: "river" } as const;
    return {
      name,
      kind: kinds[kind as keyof typeof kinds] ?? "stream",
      axis: wobble(resample(smooth(whole, 24, false), 24), false, { amp: 9, wave: 110, name }),
      width,
    };
  });
}

function ribbon(axis: Point[], width: (t: number) => number): Point[] {
  const normal = normals(axis, false);
  const total = lengthOf(axis);
  let s = 0;
  const left: Point[] = [];
  const right: Point[] = [];
  axis.forEach((p, i) => {
    if (i > 0) s += dist(axis[i - 1], p);
    const h = width(s / total) / 2;
    left.push([p[0] + normal[i][0] * h, p[1] + normal[i][1] * h]);
    right.push([p[0] - normal[i][0] * h, p[1] - normal[i][1] * h]);
  });
  return [...left, ...right.reverse()];
}

/** A course that enters from beyond the sheet is already grown. */
function grownAtSource(axis: Point[], size: Point): boolean {
  const [x, y] = axis[0];
  return x < 0 || y < 0 || x > size[0] || y > size[1];
}

export function water(list: Course[], size: Point): PathOp[] {
  const ops: PathOp[] = [];
  for (const { axis } of list.filter((c) => c.kind === "stream")) {
    const grown = grownAtSource(axis, size) ? 0.3 : 0;
    const ring = ribbon(axis, (t) => 2.5 + 7.5 * Math.sqrt(grown + (1 - grown) * t));
    ops.push(op(polyline(ring, true, true), ring, { fill: "stream", stroke: "stream", width: 1.5, join: "round" }));
  }
  for (const c of list.filter((c) => c.kind === "creek")) {
    const [from, to] = c.width ? [c.width * 0.85, c.width * 1.1] : [15, 27];
    const ring = ribbon(c.axis, (t) => from + (to - from) * t);
    const d = polyline(ring, true, true);
    ops.push(op(d, ring, { stroke: "bank", width: 10, join: "round" }), op(d, ring, { fill: "water" }));
  }
  for (const c of list.filter((c) => c.kind === "river")) {
    const wide = c.width ?? 70;
    const ring = ribbon(c.axis, () => wide);
    const d = polyline(ring, true, true);
    ops.push(op(d, ring, { stroke: "bank", width: 10, join: "round" }), op(d, ring, { fill: "water" }));
    [0.5, 0.3, 0.15].forEach((alpha, i) => {
      const inner = wide - 16 * (i + 1);
      if (inner < 12) return;
      const shore = ribbon(c.axis, () => inner);
      ops.push(op(polyline(shore, true, true), shore, { stroke: "bank", width: 1.8, alpha }));
    });
  }
  return ops;
}


/** Ponds and the wide part of a river: outline and three shore lines within. */
export function standing(list: Water[]): PathOp[] {
  return list.flatMap(({ name, outline }) => {
    if (!outline) return [];
    const ring = organicRing(outline, 20, name, [[8, 160]]);
    const d = softRing(ring);
    const c = ring.reduce((s, p): Point => [s[0] + p[0] / ring.length, s[1] + p[1] / ring.length], [0, 0] as Point);
    const shrunk = (by: number) => ring.map((p): Point => {
      const far = dist(p, c) || 1;
      return [p[0] + ((c[0] - p[0]) / far) * by, p[1] + ((c[1] - p[1]) / far) * by];
    });
    return [
      op(d, ring, { stroke: "bank", width: 7, join: "round" }),
      op(d, ring, { fill: "water" }),
      ...[0.5, 0.3, 0.15].map((alpha, i) => op(softRing(shrunk(9 * (i + 1))), ring, { stroke: "bank", width: 1.8, alpha })),
    ];
  });
}
