/** Small figures seen from above, as paths in px: who stands on a base, facing up. */

export interface Figures {
  /** Men, horses, carriages: filled with the plate's colour. */
  bodies: string;
  /** Heads, barrels, wheels: in the edge's colour. */
  marks: string;
}

const n = (v: number) => v.toFixed(1);
const ellipse = (x: number, y: number, rx: number, ry: number) => `M${n(x - rx)} ${n(y)}a${n(rx)} ${n(ry)} 0 1 0 ${n(2 * rx)} 0a${n(rx)} ${n(ry)} 0 1 0 ${n(-2 * rx)} 0Z`;
const bar = (x: number, y: number, w: number, h: number) => `M${n(x)} ${n(y)}h${n(w)}v${n(h)}h${n(-w)}Z`;

export interface Base {
  x: number;
  y: number;
  w: number;
  d: number;
}

function ranks(b: Base, across: number, deep: number, one: (x: number, y: number) => void): void {
  for (let r = 0; r < deep; r++) for (let f = 0; f < across; f++) one(b.x + ((f + 0.5) / across) * b.w, b.y + ((r + 0.5) / deep) * b.d);
}

function men(b: Base, inch: number, out: Figures): void {
  const across = Math.max(2, Math.round(b.w / (inch * 0.24)));
  const deep = b.d > inch * 0.36 ? 2 : 1;
  const r = Math.min(inch * 0.1, b.w / across / 2.2, b.d / deep / 2.2);
  ranks(b, across, deep, (x, y) => {
    out.bodies += ellipse(x, y, r, r * 0.62);
    out.marks += ellipse(x, y - r * 0.1, r * 0.42, r * 0.42);
  });
}

function loose(b: Base, inch: number, out: Figures): void {
  const r = inch * 0.1;
  [[0.25, 0.35], [0.72, 0.62]].forEach(([fx, fy]) => {
    out.bodies += ellipse(b.x + fx * b.w, b.y + fy * b.d, r, r * 0.62);
    out.marks += ellipse(b.x + fx * b.w, b.y + fy * b.d, r * 0.42, r * 0.42);
  });
}

function horse(x: number, y: number, long: number, out: Figures, rider: boolean): void {
  out.bodies += ellipse(x, y, long * 0.19, long * 0.5) + ellipse(x, y - long * 0.52, long * 0.1, long * 0.2);
  if (rider) out.marks += ellipse(x, y, long * 0.15, long * 0.15);
}

function horsemen(b: Base, inch: number, out: Figures): void {
  const across = Math.max(1, Math.round(b.w / (inch * 0.42)));
  const long = Math.min(b.d * 0.66, inch * 0.55);
  ranks(b, across, 1, (x, y) => horse(x, y, long, out, true));
}

function gun(b: Base, inch: number, out: Figures): void {
  const x = b.x + b.w / 2;
  const y = b.y + b.d * 0.45;
  const s = Math.min(b.w * 0.28, b.d * 0.32, inch * 0.6);
  out.bodies += bar(x - s * 0.12, y, s * 0.24, s * 1.5);
  out.marks += bar(x - s * 0.85, y - s * 0.42, s * 0.26, s * 0.9) + bar(x + s * 0.59, y - s * 0.42, s * 0.26, s * 0.9) + bar(x - s * 0.62, y - s * 0.06, s * 1.24, s * 0.16);
  out.marks += `M${n(x - s * 0.14)} ${n(y - s * 1.1)}h${n(s * 0.28)}l${n(s * 0.08)} ${n(s * 1.5)}h${n(-s * 0.44)}Z`;
  if (b.w > inch * 0.7) [-1, 1].forEach((side) => (out.bodies += ellipse(x + side * b.w * 0.36, y, inch * 0.08, inch * 0.06) + ellipse(x + side * b.w * 0.3, y + s, inch * 0.08, inch * 0.06)));
}

function team(b: Base, inch: number, out: Figures): void {
  const long = Math.min(b.d * 0.26, b.w * 0.52, inch * 1.1);
  const pairs = b.d > long * 4.4 ? 2 : 1;
  for (let i = 0; i < pairs; i++) [-1, 1].forEach((side) => horse(b.x + b.w / 2 + side * long * 0.32, b.y + long * (0.9 + i * 1.2), long, out, i === 0));
  const y = b.y + long * (0.9 + pairs * 1.2);
  if (y + long * 0.4 < b.y + b.d) {
    out.bodies += bar(b.x + b.w / 2 - long * 0.34, y - long * 0.25, long * 0.68, long * 0.5);
    out.marks += bar(b.x + b.w / 2 - long * 0.6, y - long * 0.24, long * 0.17, long * 0.5) + bar(b.x + b.w / 2 + long * 0.43, y - long * 0.24, long * 0.17, long * 0.5);
  }
}

/** Who stands on the bases of a unit. `limbered` guns are a team; deployed ones show their guns in the front row. */
export function figures(arm: string, formation: string, bases: Base[], inch: number): Figures {
  const out: Figures = { bodies: "", marks: "" };
  const front = Math.min(...bases.map((b) => b.y));
  for (const b of bases) {
    if (/artillery|gun/.test(arm)) {
      if (/limbered/.test(formation) && !/un/.test(formation)) team(b, inch, out);
      else if (b.y - front < b.d * 0.5) gun(b, inch, out);
      else team(b, inch, out);
    } else if (arm === "cavalry") horsemen(b, inch, out);
    else if (/skirmish/.test(arm) || /skirmish|open|extended/.test(formation)) loose(b, inch, out);
    else men(b, inch, out);
  }
  return out;
}
