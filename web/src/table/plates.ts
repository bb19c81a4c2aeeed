/** Where the name plates of units stand, so that none hides another or a block, as far as there is room. */

export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Wanted {
  id: number;
  /** The block's outline on the screen. */
  block: Rect;
  /** Unit vector to the unit's rear, screen. */
  rear: [number, number];
  w: number;
  h: number;
  /** Shown though it hides something: the unit in hand, a target. */
  must?: boolean;
}

/** A plate that would hide more than this part of its own size is left out: nearer, or with the unit in hand, it is shown. */
const CROWDED = 0.15;

const overlap = (a: Rect, b: Rect): number => Math.max(0, Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)) * Math.max(0, Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y));

/** The middle of each plate that finds room. Those that must be shown choose first, then in their order. */
export function layPlates(wanted: Wanted[]): Map<number, [number, number]> {
  const out = new Map<number, [number, number]>();
  const taken: Rect[] = [];
  for (const p of [...wanted].sort((a, b) => Number(b.must ?? false) - Number(a.must ?? false))) {
    const [cx, cy] = [p.block.x + p.block.w / 2, p.block.y + p.block.h / 2];
    const below = p.block.y + p.block.h + p.h / 2 + 5;
    const above = p.block.y - p.h / 2 - 5;
    const rearBelow = p.rear[1] >= -0.3;
    const rows = rearBelow ? [below, above] : [above, below];
    const sides = [p.block.x + p.block.w + p.w / 2 + 6, p.block.x - p.w / 2 - 6];
    const spots: [number, number][] = [
      [cx, rows[0]], [sides[0], cy], [sides[1], cy], [cx, rows[1]],
      [cx - p.w * 0.45, rows[0]], [cx + p.w * 0.45, rows[0]], [cx, rows[0] + (rearBelow ? p.h : -p.h) * 1.05],
      [cx - p.w * 0.45, rows[1]], [cx + p.w * 0.45, rows[1]],
    ];
    let best = spots[0];
    let least = Infinity;
    let hides = 0;
    spots.forEach(([x, y], i) => {
      const here = { x: x - p.w / 2, y: y - p.h / 2, w: p.w, h: p.h };
      const [plates, blocks] = [taken.reduce((sum, t) => sum + overlap(here, t), 0), wanted.reduce((sum, o) => sum + (o.id === p.id ? 0 : overlap(here, o.block)), 0)];
      const cost = i * p.w * p.h * 0.06 + 2 * plates + blocks;
      if (cost < least) {
        least = cost;
        best = [x, y];
        hides = plates + blocks;
      }
    });
    if (!p.must && hides > CROWDED * p.w * p.h) continue;
    taken.push({ x: best[0] - p.w / 2, y: best[1] - p.h / 2, w: p.w, h: p.h });
    out.set(p.id, best);
  }
  return out;
}
