/** Roads, lanes, railroads, bridges and fords. */
import { runOn, smooth, unkink } from "./curve";
import { dist, mix, nearestOn, resample } from "./geometry";
import { circle, op, polyline, softLine, type PathOp } from "./ops";
import type { Point, Road, Spot } from "./survey";

export interface Way {
  name: string;
  kind: "road" | "lane" | "railroad" | "unfinished";
  axis: Point[];
  width?: number;
}

export function ways(roads: Road[], size: Point): Way[] {
  const lines = roads.map((r) => unkink(r.line));
  return roads.map(({ name, kind, width }, n) => {
    const whole = runOn(n, lines, size);
    const known = kind === "minor road" || kind === "trail" || kind === "path" ? "lane" : kind === "pike" ? "road" : kind;
    return { name, kind: known as Way["kind"], axis: resample(smooth(whole, 24, false), 24), width };
  });
}

function merged(list: Way[], kind: Way["kind"]): { d: string; points: Point[] } | undefined {
  const mine = list.filter((w) => w.kind === kind);
  if (mine.length === 0) return undefined;
  return { d: mine.map((w) => softLine(w.axis)).join(""), points: mine.flatMap((w) => w.axis) };
}

export function railroads(list: Way[]): PathOp[] {
  const ops: PathOp[] = [];
  const bed = merged(list, "unfinished");
  if (bed) {
    ops.push(op(bed.d, bed.points, { stroke: "rail", width: 22, dash: [4, 50] }));
    ops.push(op(bed.d, bed.points, { stroke: "rail", width: 12, join: "round" }));
    ops.push(op(bed.d, bed.points, { stroke: "railbed", width: 6.5, join: "round" }));
  }
  const rail = merged(list, "railroad");
  if (rail) {
    ops.push(op(rail.d, rail.points, { stroke: "railbed", width: 15 }));
    ops.push(op(rail.d, rail.points, { stroke: "rail", width: 22, dash: [4.5, 27] }));
    ops.push(op(rail.d, rail.points, { stroke: "rail", width: 6, join: "round" }));
  }
  return ops;
}

/** All casings first, so that crossings open. */
export function roads(list: Way[]): PathOp[] {
  const ops: PathOp[] = [];
  const lane = merged(list, "lane");
  const road = merged(list, "road");
  if (lane) {
    ops.push(op(lane.d, lane.points, { stroke: "roadcase", width: 15, dash: [16, 7] }));
    ops.push(op(lane.d, lane.points, { stroke: "lane", width: 8 }));
  }
  if (road) {
    ops.push(op(road.d, road.points, { stroke: "roadcase", width: 25, cap: "round", join: "round" }));
    ops.push(op(road.d, road.points, { stroke: "road", width: 15, cap: "round", join: "round" }));
  }
  return ops;
}

/** Direction of the nearest line through a spot. */
function heading(at: Point, lines: Point[][]): Point | undefined {
  let best: { d: number; v: Point } | undefined;
  for (const line of lines) {
    for (let i = 1; i < line.length; i++) {
      const d = nearestOn([line[i - 1], line[i]], at).distance;
      const l = dist(line[i - 1], line[i]) || 1;
      if (!best || d < best.d) best = { d, v: [(line[i][0] - line[i - 1][0]) / l, (line[i][1] - line[i - 1][1]) / l] };
    }
  }
  return best && best.d < 200 ? best.v : undefined;
}

/** Where the way nearest to a spot meets the water nearest to it. */
function crossing(at: Point, lines: Point[][], courses: Point[][]): Point {
  let best: { d: number; p: Point } | undefined;
  for (const line of lines)
    for (const p of line) {
      if (dist(p, at) > 180) continue;
      for (const course of courses) {
        const near = nearestOn(course, p);
        const d = near.distance + dist(p, at) * 0.05;
        if (near.distance < 30 && (!best || d < best.d)) best = { d, p: mix(near.point, p, 0.3) };
      }
    }
  return best?.p ?? at;
}

export function bridges(list: Spot[], ways: Way[], courses: Point[][]): PathOp[] {
  const lines = ways.map((w) => resample(w.axis, 8));
  return list.flatMap(({ at, burnt }) => {
    const p = crossing(at, lines, courses);
    const v = heading(p, lines) ?? [1, 0];
    const n: Point = [-v[1], v[0]];
    const place = (u: number, w: number): Point => [p[0] + v[0] * u + n[0] * w, p[1] + v[1] * u + n[1] * w];
    if (burnt) {
      const d = polyline([place(-17, -17), place(17, 17)]) + polyline([place(-17, 17), place(17, -17)]);
      const touched = [place(-20, -20), place(20, 20)];
      return [op(d, touched, { stroke: "halo", width: 13, cap: "round" }), op(d, touched, { stroke: "obj", width: 6, cap: "round" })];
    }
    const d = [1, -1].map((s) => polyline([place(-33, 22 * s), place(-25, 13 * s), place(25, 13 * s), place(33, 22 * s)])).join("");
    return [op(d, [place(-40, -30), place(40, 30)], { stroke: "rail", width: 6, join: "round", cap: "round" })];
  });
}

/** Three dots across the creek. */
export function fords(list: Spot[], courses: Point[][]): PathOp[] {
  return list.flatMap(({ at }) => {
    const near = courses.map((c) => nearestOn(c, at)).sort((a, b) => a.distance - b.distance)[0];
    const p = near && near.distance < 150 ? near.point : at;
    const v = heading(p, courses) ?? [0, 1];
    const dots: Point[] = [-1, 0, 1].map((k) => [p[0] - v[1] * k * 20, p[1] + v[0] * k * 20]);
    return [
      op(dots.map((q) => circle(q, 8)).join(""), dots, { fill: "halo" }),
      op(dots.map((q) => circle(q, 5)).join(""), dots, { fill: "bank" }),
    ];
  });
}

