/** Grid, numbers, objectives, and what stands in the margin: neatline, entries, scale, title, north. */
import { UNIT_INCH } from "./frame";
import type { Grid } from "./grid";
import { Chunks, op, polyline, type PathOp } from "./ops";
import type { Paint } from "./palette";
import type { Entry, Objective, Point } from "./survey";

/** Plain words outside the lettering of the country. */
export interface Note {
  text: string;
  at: Point;
  size: number;
  font: "regular" | "italic" | "bold" | "figures";
  paint: Paint;
  align: "left" | "center" | "right";
  /** In yards. */
  spacing?: number;
  halo?: { paint: Paint; width: number; alpha: number };
  from?: 0 | 1 | 2;
  upTo?: 0 | 1 | 2;
  scaled?: boolean;
}

export function hexLines(grid: Grid): PathOp[] {
  const lines = new Chunks({ stroke: "grid", width: 2.6, alpha: 0.3, from: 1 });
  const far = new Chunks({ stroke: "grid", width: 5, alpha: 0.26, upTo: 0 });
  const ticks = new Chunks({ stroke: "grid", width: 3.6, alpha: 0.45, from: 1, cap: "round" });
  const seen = new Set<string>();
  for (const hex of grid.hexes) {
    const corners = grid.corners(hex.at);
    for (let side = 0; side < 6; side++) {
      const other = grid.neighbour(hex, side);
      if (other && seen.has(other.id)) continue;
      const a = corners[side];
      const b = corners[(side + 1) % 6];
      const line = polyline([a, b]);
      lines.add(line, [a, b]);
      far.add(line, [a, b]);
      const t = 0.13;
      const at = (k: number): Point => [a[0] + (b[0] - a[0]) * k, a[1] + (b[1] - a[1]) * k];
      ticks.add(polyline([a, at(t)]) + polyline([at(1 - t), b]), [a, b]);
    }
    seen.add(hex.id);
  }
  return [...lines.ops(), ...far.ops(), ...ticks.ops()];
}

export function numbers(grid: Grid): Note[] {
  return grid.hexes.map((hex) => ({
    text: hex.id,
    at: [hex.at[0], hex.at[1] - 115],
    size: 28,
    font: "figures",
    paint: "gridnum",
    align: "center",
    halo: { paint: "halo", width: 5, alpha: 0.55 },
    from: 1,
  }));
}

export function star([x, y]: Point, r: number): Point[] {
  return Array.from({ length: 10 }, (_, i) => {
    const a = -Math.PI / 2 + (i * Math.PI) / 5;
    const q = i % 2 === 0 ? r : r * 0.42;
    return [x + Math.cos(a) * q, y + Math.sin(a) * q];
  });
}

export interface Marked {
  rings: PathOp[];
  plaques: PathOp[];
  figures: Note[];
}

/** Red double outline, and a plaque with a star and the points on the lower side. */
export function objectives(grid: Grid, list: Objective[]): Marked {
  const out: Marked = { rings: [], plaques: [], figures: [] };
  for (const { hex: id, points } of list) {
    const hex = grid.hex(id);
    if (!hex) continue;
    const outer = grid.corners(hex.at, 0.93);
    const inner = grid.corners(hex.at, 0.885);
    out.rings.push(
      op(polyline(outer, true), outer, { stroke: "objpaper", width: 17, alpha: 0.92, join: "miter" }),
      op(polyline(outer, true), outer, { stroke: "obj", width: 7, join: "miter" }),
      op(polyline(inner, true), inner, { stroke: "obj", width: 2.5, join: "miter" }),
    );
    const text = String(points);
    const wide = text.length > 1 ? 156 : 124;
    const [x, y] = [hex.at[0], hex.at[1] + 131];
    const h = 27;
    const w = wide / 2;
    const pill = `M${x - w + h} ${y - h}H${x + w - h}A${h} ${h} 0 0 1 ${x + w - h} ${y + h}H${x - w + h}A${h} ${h} 0 0 1 ${x - w + h} ${y - h}Z`;
    const touched: Point[] = [[x - w, y - h], [x + w, y + h]];
    out.plaques.push(op(pill, touched, { fill: "objpaper", stroke: "obj", width: 5 }));
    const s = star([x - w + 34, y], 20);
    out.plaques.push(op(polyline(s, true, true), s, { fill: "obj" }));
    out.figures.push({ text, at: [x + 20, y + 16], size: 44, font: "figures", paint: "obj", align: "center", scaled: true });
  }
  return out;
}

export interface Margin {
  ops: PathOp[];
  notes: Note[];
}

const EIGHTH = 220;

export function margin(size: Point, title: string, subtitle: string, entries: Entry[], unitsPerYard: number, hexYards?: number): Margin {
  const [w, h] = size;
  const ops: PathOp[] = [];
  const notes: Note[] = [];
  const frame = (out: number): Point[] => [[-out, -out], [w + out, -out], [w + out, h + out], [-out, h + out]];
  for (const [out, width] of [[4, 5], [24, 16], [40, 3]] as const)
    ops.push(op(polyline(frame(out), true), frame(out), { stroke: "frame", width, join: "miter" }));
  for (const { letter, at } of entries) {
    const [x, y] = at;
    const gaps: [number, Point][] = [
      [x, [-1, 0]],
      [w - x, [1, 0]],
      [y, [0, -1]],
      [h - y, [0, 1]],
    ];
    const [, [dx, dy]] = gaps.sort((a, b) => a[0] - b[0])[0];
    const edge: Point = [dx === 0 ? x : dx < 0 ? 0 : w, dy === 0 ? y : dy < 0 ? 0 : h];
    const tip: Point = [edge[0] + dx * 50, edge[1] + dy * 50];
    const arrow: Point[] = [tip, [tip[0] + dx * 26 - dy * 17, tip[1] + dy * 26 - dx * 17], [tip[0] + dx * 26 + dy * 17, tip[1] + dy * 26 + dx * 17]];
    ops.push(op(polyline(arrow, true), arrow, { fill: "ink" }));
    notes.push({ text: letter, at: [edge[0] + dx * 122, edge[1] + dy * 122 + 29], size: 84, font: "bold", paint: "ink", align: "center" });
  }
  const foot = h + 280;
  // A table has its ruler along the edges instead.
  let scaled = 0;
  if (hexYards !== undefined) scaled = scale(ops, notes, [80, foot], unitsPerYard, hexYards) + 220;
  else ruler(ops, size);
  const letters = title.toUpperCase();
  // The title stands in the middle, or between the scale and the needle if it would run into them; a long one is set smaller.
  const free = w - 260 - scaled;
  const size190 = Math.min(190, Math.min(w * 0.42, free) / Math.max(6, letters.length) / 0.95);
  const middle = w / 2 - (letters.length * size190 * 0.95) / 2 >= scaled ? w / 2 : scaled + free / 2;
  notes.push({ text: letters, at: [middle, foot + 45], size: size190, font: "bold", paint: "ink", align: "center", spacing: size190 * 0.3 });
  const half = (letters.length * size190 * 0.95) / 2 + 70;
  const roomy = w > 4000 && middle === w / 2;
  if (roomy) notes.push({ text: "Survey of", at: [middle - half, foot + 30], size: 88, font: "italic", paint: "ink", align: "right" });
  if (roomy && subtitle) notes.push({ text: subtitle, at: [middle + half, foot + 30], size: 66, font: "italic", paint: "ink", align: "left" });
  const n: Point = [w - 130, foot - 100];
  const needle: Point[] = [[n[0], n[1]], [n[0] - 22, n[1] + 78], [n[0], n[1] + 62], [n[0] + 22, n[1] + 78]];
  ops.push(op(polyline([[n[0], n[1]], [n[0], n[1] + 230]]), [[n[0] - 40, n[1]], [n[0] + 40, n[1] + 230]], { stroke: "ink", width: 5 }));
  ops.push(op(polyline([[n[0] - 42, n[1] + 150], [n[0] + 42, n[1] + 150]]), [[n[0] - 42, n[1]], [n[0] + 42, n[1] + 150]], { stroke: "ink", width: 5 }));
  ops.push(op(polyline(needle, true), needle, { fill: "ink" }));
  notes.push({ text: "N", at: [n[0] + 62, n[1] + 62], size: 76, font: "bold", paint: "ink", align: "center" });
  return { ops, notes };
}

/** The same margin round a window that does not begin at the survey's corner. */
export function moved({ ops, notes }: Margin, [dx, dy]: Point): Margin {
  return {
    ops: ops.map((o) => ({
      ...o,
      shift: [dx, dy],
      box: { x0: o.box.x0 + dx, y0: o.box.y0 + dy, x1: o.box.x1 + dx, y1: o.box.y1 + dy },
    })),
    notes: notes.map((n) => ({ ...n, at: [n.at[0] + dx, n.at[1] + dy] })),
  };
}

/** Inches along the south and west edges of a table, a long tick every six. */
function ruler(ops: PathOp[], [w, h]: Point): void {
  let ticks = "";
  for (let i = 0; i * UNIT_INCH <= w; i++) ticks += polyline([[i * UNIT_INCH, h], [i * UNIT_INCH, h - (i % 6 === 0 ? 40 : 18)]]);
  for (let i = 0; i * UNIT_INCH <= h; i++) ticks += polyline([[0, h - i * UNIT_INCH], [i % 6 === 0 ? 40 : 18, h - i * UNIT_INCH]]);
  ops.push(op(ticks, [[0, 0], [w, h]], { stroke: "ink", width: 4, alpha: 0.75 }));
}

/** A mile in eighths above, hundreds of yards below. */
function scale(ops: PathOp[], notes: Note[], [x, y]: Point, k: number, hexYards: number): number {
  const mile = EIGHTH * 8 * k;
  const bars = mile <= 2600 && mile > 1200 ? 8 : 4;
  const part = (EIGHTH * k * 8) / 8;
  const total = part * bars;
  for (let i = 0; i < bars; i++) {
    const bar: Point[] = [[x + i * part, y - 30], [x + (i + 1) * part, y - 30], [x + (i + 1) * part, y - 8], [x + i * part, y - 8]];
    ops.push(op(polyline(bar, true), bar, { fill: i % 2 === 0 ? "ink" : "sheet", stroke: "ink", width: 4 }));
  }
  const word = (text: string, at: Point, align: Note["align"] = "center") => notes.push({ text, at, size: 50, font: "regular", paint: "ink", align });
  word("0", [x, y - 44]);
  if (bars === 8) {
    word("¼", [x + part * 2, y - 44]);
    word("½", [x + part * 4, y - 44]);
    word("1 mile", [x + total, y - 44]);
  } else word("½ mile", [x + total, y - 44]);
  const step = hexYards * k;
  const count = Math.floor(total / step);
  ops.push(op(polyline([[x, y + 26], [x + count * step, y + 26]]), [[x, y + 10], [x + count * step, y + 40]], { stroke: "ink", width: 4 }));
  for (let i = 0; i <= count; i++) {
    const a: Point = [x + i * step, y + 12];
    ops.push(op(polyline([a, [a[0], y + 40]]), [a, [a[0], y + 40]], { stroke: "ink", width: 4 }));
    if (count <= 6 || i % 2 === 0 || i === count) word(i === count ? `${Math.round(i * hexYards)} yards` : String(Math.round(i * hexYards)), [a[0], y + 92]);
  }
  return x + total;
}
