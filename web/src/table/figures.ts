/** Small figures seen from above, as paths in px, facing up: who stands on the bases of a unit, and who has fallen there. */

/** One path a layer, drawn in this order. */
export interface Figures {
  /** On the ground. */
  shadows: string;
  /** Men and horses that lie where they fell. */
  fallen: string;
  /** Horses, carriages, packs. */
  dark: string;
  /** Coats and saddle cloths, in the side's colour. */
  coats: string;
  /** Belts, shields, light straps. */
  light: string;
  /** Muskets, barrels, wheels: strokes. */
  lines: string;
  /** Hats and heads. */
  hats: string;
}

export interface Base {
  x: number;
  y: number;
  w: number;
  d: number;
}

/** How the men hold themselves. */
export type Bearing = "steady" | "suppressed" | "shaken" | "routed" | "prone";

export interface Muster {
  arm: string;
  formation: string;
  bases: Base[];
  /** Px an inch. */
  inch: number;
  bearing: Bearing;
  /** The part of its figures that has fallen, 0 to 1. */
  lost: number;
}

/** Below this width of shoulders, px, only dots are worth drawing. */
export const DETAIL = 4.3;
/** Shoulders of a man, inches. */
const SHOULDERS = 0.36;

const n = (v: number) => v.toFixed(1);

/** Draws about a point that is turned. */
class Pen {
  private readonly c: number;
  private readonly s: number;
  constructor(
    private readonly x: number,
    private readonly y: number,
    turn: number,
  ) {
    this.c = Math.cos(turn);
    this.s = Math.sin(turn);
  }

  private at(x: number, y: number): [number, number] {
    return [this.x + x * this.c - y * this.s, this.y + x * this.s + y * this.c];
  }

  shape(points: [number, number][]): string {
    return "M" + points.map(([x, y]) => this.at(x, y).map(n).join(" ")).join("L") + "Z";
  }

  line(x0: number, y0: number, x1: number, y1: number): string {
    return `M${this.at(x0, y0).map(n).join(" ")}L${this.at(x1, y1).map(n).join(" ")}`;
  }

  /** An oval with axes along and across the turn. */
  oval(x: number, y: number, rx: number, ry: number): string {
    const steps = 8;
    const around = Array.from({ length: steps }, (_, i): [number, number] => {
      const a = (i * 2 * Math.PI) / steps;
      return [x + rx * Math.cos(a), y + ry * Math.sin(a)];
    });
    return this.shape(around);
  }
}

/** The same scatter for the same figure every time. */
function scatter(i: number): number {
  const v = Math.sin(i * 12.9898 + 4.1414) * 43758.5453;
  return v - Math.floor(v);
}

/** How far a figure is turned from the front, radians. */
function turn(bearing: Bearing, i: number): number {
  const wild = scatter(i) - 0.5;
  if (bearing === "suppressed") return wild * 1.05;
  if (bearing === "shaken") return (i % 2 === 0 ? 1 : -1) * (0.9 + wild);
  if (bearing === "routed") return Math.PI + wild * 0.9;
  return wild * 0.1;
}

function man(x: number, y: number, s: number, i: number, bearing: Bearing, fallen: boolean, out: Figures): void {
  if (fallen) {
    const pen = new Pen(x, y, scatter(i) * 6.28);
    out.fallen += pen.oval(0, 0, s * 0.26, s * 0.62) + pen.oval(0, -s * 0.72, s * 0.2, s * 0.2);
    return;
  }
  const pen = new Pen(x, y, turn(bearing, i));
  const low = bearing === "prone";
  out.shadows += new Pen(x + s * 0.1, y + s * 0.16, 0).oval(0, 0, s * 0.52, s * 0.42);
  out.dark += pen.shape([[-s * 0.24, s * 0.14], [s * 0.24, s * 0.14], [s * 0.22, s * (low ? 0.9 : 0.42)], [-s * 0.22, s * (low ? 0.9 : 0.42)]]);
  out.coats += pen.oval(0, 0, s * 0.5, s * 0.27);
  out.light += pen.shape([[-s * 0.3, -s * 0.12], [-s * 0.2, -s * 0.16], [s * 0.2, s * 0.16], [s * 0.1, s * 0.2]]);
  if (bearing !== "routed") out.lines += pen.line(s * 0.3, s * 0.16, s * 0.16, -s * 1.02);
  out.hats += pen.oval(0, -s * 0.04, s * 0.25, s * 0.25);
}

function rider(x: number, y: number, long: number, i: number, bearing: Bearing, fallen: boolean, out: Figures, mounted = true): void {
  const pen = new Pen(x, y, fallen ? 1.4 + scatter(i) : turn(bearing, i) * 0.6);
  const horse = pen.oval(0, 0, long * 0.17, long * 0.42) + pen.oval(0, -long * 0.5, long * 0.09, long * 0.17);
  if (fallen) {
    out.fallen += horse;
    return;
  }
  out.shadows += new Pen(x + long * 0.06, y + long * 0.09, 0).oval(0, 0, long * 0.2, long * 0.45);
  out.dark += horse;
  if (!mounted) return;
  out.coats += pen.oval(0, long * 0.02, long * 0.2, long * 0.13);
  out.hats += pen.oval(0, 0, long * 0.09, long * 0.09);
}

function gun(b: Base, inch: number, bearing: Bearing, lost: number, out: Figures): void {
  const [x, y] = [b.x + b.w / 2, b.y + b.d * 0.45];
  const s = Math.min(b.w * 0.26, b.d * 0.3, inch * 0.6);
  const pen = new Pen(x, y, 0);
  out.shadows += pen.oval(s * 0.1, s * 0.3, s * 0.95, s * 0.8);
  out.dark += pen.shape([[-s * 0.12, 0], [s * 0.12, 0], [s * 0.1, s * 1.5], [-s * 0.1, s * 1.5]]) + pen.shape([[-s * 0.16, -s * 1.15], [s * 0.16, -s * 1.15], [s * 0.22, s * 0.4], [-s * 0.22, s * 0.4]]);
  out.lines += pen.line(-s * 0.72, -s * 0.45, -s * 0.72, s * 0.45) + pen.line(s * 0.72, -s * 0.45, s * 0.72, s * 0.45) + pen.line(-s * 0.72, 0, s * 0.72, 0);
  const size = Math.min(inch * SHOULDERS * 0.8, b.w * 0.2);
  const crew: [number, number][] = [[-0.36, -0.1], [0.36, -0.1], [-0.3, 0.42], [0.3, 0.42]];
  crew.forEach(([dx, dy], i) => man(x + dx * b.w, y + dy * b.d, size, i + Math.round(x), bearing, i >= Math.round(crew.length * (1 - lost)), out));
}

function team(b: Base, inch: number, i: number, bearing: Bearing, out: Figures): void {
  const long = Math.min(b.d * 0.3, b.w * 0.56, inch * 1.1);
  const pairs = b.d > long * 4.4 ? 2 : 1;
  for (let p = 0; p < pairs; p++) [-1, 1].forEach((side) => rider(b.x + b.w / 2 + side * long * 0.32, b.y + long * (0.9 + p * 1.2), long, i + p, bearing === "suppressed" ? "steady" : bearing, false, out, side < 0));
  const y = b.y + long * (0.9 + pairs * 1.2);
  if (y + long * 0.4 >= b.y + b.d) return;
  const pen = new Pen(b.x + b.w / 2, y, 0);
  out.dark += pen.shape([[-long * 0.34, -long * 0.25], [long * 0.34, -long * 0.25], [long * 0.34, long * 0.25], [-long * 0.34, long * 0.25]]);
  out.lines += pen.line(-long * 0.5, -long * 0.24, -long * 0.5, long * 0.24) + pen.line(long * 0.5, -long * 0.24, long * 0.5, long * 0.24);
}

/** Where figures stand on a base: in ranks, or two apart from each other. */
function posts(b: Base, across: number, deep: number, loose: boolean): [number, number][] {
  if (loose) return [[0.27, 0.36], [0.72, 0.64]].map(([fx, fy]) => [b.x + fx * b.w, b.y + fy * b.d]);
  return Array.from({ length: across * deep }, (_, i) => [b.x + (((i % across) + 0.5) / across) * b.w, b.y + ((Math.floor(i / across) + 0.5) / deep) * b.d]);
}

/** Who stands on the bases of a unit. Limbered guns are a team; deployed ones show their guns in the front row. */
export function figures({ arm, formation, bases, inch, bearing, lost }: Muster): Figures {
  const out: Figures = { shadows: "", fallen: "", dark: "", coats: "", light: "", lines: "", hats: "" };
  const front = Math.min(...bases.map((b) => b.y));
  const size = inch * SHOULDERS;
  const guns = /artillery|gun/.test(arm);
  const limbered = /limbered/.test(formation) && !/un/.test(formation);
  const loose = /skirmish/.test(arm) || /skirmish|open|extended/.test(formation);
  const mounted = arm === "cavalry" && !/dismount/.test(formation);
  const whole: [number, number, Base][] = [];
  bases.forEach((b, i) => {
    if (guns && (limbered || b.y - front >= b.d * 0.5)) team(b, inch, i * 7, bearing, out);
    else if (guns) gun(b, inch, bearing, lost, out);
    else {
      const across = Math.max(loose ? 1 : 2, Math.round(b.w / (mounted ? inch * 0.45 : size * 1.02)));
      const deep = !mounted && b.d > size * 2.6 ? 2 : 1;
      whole.push(...posts(b, across, deep, loose).map(([x, y]): [number, number, Base] => [x, y, b]));
    }
  });
  // The rear falls first, as its stands come off first.
  const standing = Math.ceil(whole.length * (1 - lost));
  whole.sort((a, b) => a[1] - b[1]);
  whole.forEach(([x, y, b], i) => {
    const fallen = i >= standing;
    const shoulders = Math.min(size, b.d * 0.62);
    if (mounted) rider(x, y, Math.min(b.d * 0.9, inch * 0.85), i, bearing, fallen, out);
    else man(x, y, shoulders, i, bearing, fallen, out);
  });
  return out;
}

/** A commander on his horse, about the middle of his disc. */
export function horseman(long: number): Figures {
  const out: Figures = { shadows: "", fallen: "", dark: "", coats: "", light: "", lines: "", hats: "" };
  rider(0, 0, long, 0, "steady", false, out);
  return out;
}

/** The same from afar: a dot a man. */
export function dots({ bases, inch, arm }: Pick<Muster, "bases" | "inch" | "arm">): string {
  const r = Math.max(0.8, inch * 0.09);
  const step = arm === "cavalry" ? inch * 0.42 : inch * 0.26;
  return bases
    .flatMap((b) => posts(b, Math.max(2, Math.round(b.w / step)), b.d > inch * 0.4 && arm !== "cavalry" ? 2 : 1, false).map(([x, y]) => new Pen(x, y, 0).oval(0, 0, r, r * (arm === "cavalry" ? 1.7 : 0.7))))
    .join("");
}
