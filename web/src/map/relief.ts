/** Relief: contour tints, brow lines, hachures, escarpments, cuts, and the shaded image beneath the trees. */
import { contours } from "./contour";
import { CELL, MARGIN, type Field } from "./field";
import { clamp, dist, lengthOf, normals, resample, resampleRing, SegmentIndex, signedArea, simplifyRing } from "./geometry";
import { Chunks, op, polyline, softLine, softRing, type PathOp, type ReliefImage } from "./ops";
import { between, noise2, randomFor } from "./random";
import type { Escarpment, Line, Point } from "./survey";
import { smooth } from "./curve";

interface Tint {
  height: number;
  paint: "lv1" | "lv2" | "form";
  alpha: number;
}

const TINTS: Tint[] = [
  { height: 0.22, paint: "lv1", alpha: 0.32 },
  { height: 0.5, paint: "lv1", alpha: 0.5 },
  { height: 0.82, paint: "lv1", alpha: 0.4 },
  { height: 1.3, paint: "lv2", alpha: 0.3 },
  { height: 1.58, paint: "lv2", alpha: 0.4 },
  { height: 1.9, paint: "lv2", alpha: 0.35 },
  { height: 2.5, paint: "lv2", alpha: 0.5 },
  { height: 2.9, paint: "form", alpha: 0.25 },
  { height: 3.6, paint: "form", alpha: 0.25 },
];

const WOOD_TINTS: Tint[] = [
  { height: 0.5, paint: "lv2", alpha: 0.2 },
  { height: 1.58, paint: "lv2", alpha: 0.24 },
];

function tint(field: Field, { height, paint, alpha }: Tint): PathOp[] {
  const rings = contours(field, height).rings.filter((r) => Math.abs(signedArea(r)) > 4000);
  if (rings.length === 0) return [];
  const d = rings.map((r) => softRing(simplifyRing(r, 4))).join("");
  return [op(d, rings.flat(), { fill: paint, alpha, evenOdd: true })];
}

export const tints = (field: Field) => TINTS.flatMap((t) => tint(field, t));

/** Woods turn browner as they climb. */
export const woodTints = (field: Field) => WOOD_TINTS.flatMap((t) => tint(field, t));

const BROWS = [
  { brow: 0.84, foot: 0.14 },
  { brow: 1.9, foot: 1.22 },
  { brow: 2.95, foot: 2.3 },
  { brow: 4.0, foot: 3.4 },
];

export function browLines(field: Field): PathOp[] {
  return BROWS.flatMap(({ brow }) => {
    const rings = contours(field, brow).rings.filter((r) => r.length > 12);
    const d = rings.map((r) => softRing(simplifyRing(r, 3))).join("");
    return rings.length > 0 ? [op(d, rings.flat(), { stroke: "form", width: 2, alpha: 0.38, from: 1 })] : [];
  });
}

const perHundred = (field: Field, p: Point) => 100 * Math.hypot(...field.slope(p));

/** One wedge from brow to foot: two quadratics through its middle. */
function wedge(line: Point[], width: number): string {
  const a = line[0];
  const z = line[line.length - 1];
  const m = line[line.length >> 1];
  const d = dist(a, z) || 1;
  const nx = -(z[1] - a[1]) / d;
  const ny = (z[0] - a[0]) / d;
  const h = width / 2;
  const q = width / 3.2;
  const f = (v: number) => Math.round(v * 10) / 10;
  return (
    `M${f(a[0] + nx * h)} ${f(a[1] + ny * h)}Q${f(m[0] + nx * q)} ${f(m[1] + ny * q)} ${f(z[0])} ${f(z[1])}` +
    `Q${f(m[0] - nx * q)} ${f(m[1] - ny * q)} ${f(a[0] - nx * h)} ${f(a[1] - ny * h)}Z`
  );
}

/** Light from the north-west: the south-eastern fall is the heavy one. */
const SOUTH_EAST: Point = [Math.SQRT1_2, Math.SQRT1_2];

/** How the strokes of a hill are drawn: their width and distance as parts of a map's. */
export interface Stroke {
  width: number;
  apart: number;
  alpha: number;
}

const ENGRAVED: Stroke = { width: 1, apart: 1, alpha: 0.66 };

/** On a table, looked at from so near that a map's strokes would be spikes. */
export const BRUSHED: Stroke = { width: 0.34, apart: 0.42, alpha: 0.5 };

export function hachures(field: Field, scarps: Point[][], stroke: Stroke = ENGRAVED): PathOp[] {
  const long = new Chunks({ fill: "hach", alpha: stroke.alpha });
  const short = new Chunks({ fill: "hach", alpha: stroke.alpha, from: 1 });
  const nearScarp = new SegmentIndex(scarps, 200);
  for (const { brow, foot } of BROWS) {
    const random = randomFor(`hachures ${brow}`);
    for (const raw of contours(field, brow).rings) {
      if (raw.length < 12) continue;
      const ring = resampleRing(raw, 6);
      let due = 0;
      let odd = true;
      for (let i = 0; i < ring.length; i++) {
        due -= 6;
        if (due > 0) continue;
        const p = ring[i];
        const grade0 = field.slope(p);
        const steep0 = Math.hypot(...grade0);
        if (steep0 === 0) continue;
        const down: Point = [-grade0[0] / steep0, -grade0[1] / steep0];
        const g = Math.max(100 * steep0, perHundred(field, [p[0] + down[0] * 30, p[1] + down[1] * 30]));
        const s = clamp(g - 0.4);
        due = (24 - 14 * s) * stroke.apart * between(random, 0.8, 1.2);
        odd = !odd;
        const reach = (odd ? 170 : 90) * between(random, 0.75, 1.25);
        const shift = between(random, -5, 11);
        if (g < 0.12 || (scarps.length > 0 && nearScarp.distance(p, 95) < 95)) continue;
        const line = fall(field, [p[0] + down[0] * shift, p[1] + down[1] * shift], odd ? foot : foot + 0.18, reach);
        if (lengthOf(line) < 20) continue;
        const lit = down[0] * SOUTH_EAST[0] + down[1] * SOUTH_EAST[1];
        const width = (3.6 + 3.6 * s) * (1 + 0.45 * lit) * stroke.width;
        (odd ? long : short).add(wedge(line, width), line);
      }
    }
  }
  return [...long.ops(), ...short.ops()];
}

/** Follows the fall of the ground in steps of 10 down to a height. */
function fall(field: Field, from: Point, foot: number, reach: number): Point[] {
  const line: Point[] = [from];
  let p = from;
  for (let walked = 0; walked < reach; walked += 10) {
    const [gx, gy] = field.slope(p);
    const g = Math.hypot(gx, gy);
    if (g < 0.0004 || field.at(p) <= foot) break;
    p = [p[0] - (gx / g) * 10, p[1] - (gy / g) * 10];
    line.push(p);
  }
  return line;
}

/** Crest line and solid ticks on the falling side. */
export function escarpments(list: Escarpment[]): PathOp[] {
  return list.flatMap(({ name, line, falls }) => {
    const random = randomFor(name);
    const crest = resample(smooth(line, 20, false), 9);
    const normal = normals(crest, false);
    // `left` is told with y to the north; the sheet's y runs south, so normals point to the right hand.
    const side = falls === "left" ? -1 : 1;
    let d = "";
    const touched: Point[] = [];
    crest.forEach((p, i) => {
      const fromEnd = Math.min(i, crest.length - 1 - i);
      const base = i % 3 === 0 ? 62 : 42;
      const long = base * between(random, 0.85, 1.15) * Math.min(1, (fromEnd + 1) / 6);
      const tip: Point = [p[0] + normal[i][0] * side * long, p[1] + normal[i][1] * side * long];
      d += wedge([p, [(p[0] + tip[0]) / 2, (p[1] + tip[1]) / 2], tip], 5.2);
      touched.push(p, tip);
    });
    return [op(d, touched, { fill: "scarp" }), op(softLine(crest), crest, { stroke: "scarp", width: 7, cap: "round" })];
  });
}

/** Railroad cuts: two banks bowing off the axis, ticks from bank to bed. */
export function cuts(list: Line[], beds: Point[][]): PathOp[] {
  const ops: PathOp[] = [];
  for (const { line } of list) {
    const axis = line.length > 1 ? resample(smooth(line, 12, false), 9) : aroundPoint(line[0], beds);
    if (axis.length < 3) continue;
    const normal = normals(axis, false);
    const n = axis.length - 1;
    let ticks = "";
    const banks: Point[][] = [[], []];
    axis.forEach((p, i) => {
      const bow = 10 + 15 * Math.sin((Math.PI * i) / n);
      ([1, -1] as const).forEach((side, k) => {
        const bank: Point = [p[0] + normal[i][0] * side * bow, p[1] + normal[i][1] * side * bow];
        const bed: Point = [p[0] + normal[i][0] * side * 8, p[1] + normal[i][1] * side * 8];
        banks[k].push(bank);
        if (bow > 12) ticks += polyline([bank, bed]);
      });
    });
    const touched = banks.flat();
    ops.push(op(ticks, touched, { stroke: "scarp", width: 3 }));
    ops.push(op(banks.map((b) => softLine(b)).join(""), touched, { stroke: "scarp", width: 3.4, cap: "round" }));
  }
  return ops;
}

function aroundPoint(at: Point, beds: Point[][]): Point[] {
  for (const bed of beds) {
    const fine = resample(bed, 9);
    const near = fine.reduce((best, p, i) => (dist(p, at) < dist(fine[best], at) ? i : best), 0);
    if (dist(fine[near], at) < 120) return fine.slice(Math.max(0, near - 12), near + 13);
  }
  return [];
}

/** Light and shade, and the mottling of the paper: one pixel a cell. */
export function reliefImage(field: Field): ReliefImage {
  const { cols, rows, values } = field;
  const pixels = new Uint8ClampedArray(cols * rows * 4);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < cols; i++) {
      const at = (a: number, b: number) => values[Math.min(rows - 1, Math.max(0, b)) * cols + Math.min(cols - 1, Math.max(0, a))];
      const hx = (at(i + 1, j) - at(i - 1, j)) / (2 * CELL);
      const hy = (at(i, j + 1) - at(i, j - 1)) / (2 * CELL);
      const [x, y] = field.point(i, j);
      const v =
        0.22 * Math.tanh((105 * (hx + hy)) / Math.SQRT2) + 0.035 * noise2(x / 900, y / 900, 8) + 0.02 * noise2(x / 260, y / 260, 9);
      const k = (j * cols + i) * 4;
      const shade = v < 0;
      pixels[k] = shade ? 74 : 255;
      pixels[k + 1] = shade ? 50 : 250;
      pixels[k + 2] = shade ? 26 : 232;
      pixels[k + 3] = 255 * (shade ? -v : 0.9 * v);
    }
  }
  const half = CELL / 2;
  return {
    width: cols,
    height: rows,
    pixels,
    box: { x0: -MARGIN - half, y0: -MARGIN - half, x1: -MARGIN - half + cols * CELL, y1: -MARGIN - half + rows * CELL },
  };
}
