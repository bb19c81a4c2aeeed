/** Where the labels of units stand: each with its own unit, off the others, inside the view, and steady from look to look. */

export type Point = [number, number];

export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Size {
  w: number;
  h: number;
}

/** A plate tells all, a tag a short name and the hits, a badge stands on the block itself. */
export type Level = "plate" | "tag" | "badge";

export interface Wanted {
  id: number;
  /** The block as upright boxes that together cover it. */
  parts: Rect[];
  /** The middle of its front edge and of its rear edge. */
  front: Point;
  rear: Point;
  /** The length of its front. */
  frontage: number;
  sizes: Record<Level, Size>;
  /** Always a plate: the unit in hand, a target. */
  must?: boolean;
  /** Chooses before the others of its rank: a commander. */
  early?: boolean;
}

export interface Placed extends Rect {
  level: Level;
  /** Which of its places it is, so that it is found again. */
  spot: number;
  /** Where a line from the label meets the block, if it stands apart from it. */
  line?: Point;
}

export interface Room {
  /** What of the window is free, in the same px. */
  view: Rect;
  /** Objectives, map names, distance pills. */
  others: Rect[];
}

interface Spot {
  at: Point;
  cost: number;
  line?: Point;
  docked?: boolean;
}

const COST = { label: 100, block: 2, blockShare: 40, ownShare: 8, crossing: 30, other: 12, outside: 1000, same: -12, moved: 0.05, mostMoved: 6 };
/** Dearer than this a plate becomes a tag, and a tag a badge. */
const DEAR: Record<Level, number> = { plate: 14, tag: 34, badge: Infinity };
const BELOW: Record<Level, Level | undefined> = { plate: "tag", tag: "badge", badge: undefined };
const RINGS = [24, 48, 72, 104];
const DIRECTIONS = 16;
/** Room around a label, px. */
const GAP = 2;

const centre = (r: Rect): Point => [r.x + r.w / 2, r.y + r.h / 2];
const around = ([x, y]: Point, { w, h }: Size): Rect => ({ x: x - w / 2, y: y - h / 2, w, h });
const grown = (r: Rect, by: number): Rect => ({ x: r.x - by, y: r.y - by, w: r.w + 2 * by, h: r.h + 2 * by });
const shared = (a: Rect, b: Rect): number => Math.max(0, Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)) * Math.max(0, Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y));
const inside = (r: Rect, view: Rect): boolean => r.x >= view.x && r.y >= view.y && r.x + r.w <= view.x + view.w && r.y + r.h <= view.y + view.h;
const hull = (parts: Rect[]): Rect => {
  const [x, y] = [Math.min(...parts.map((p) => p.x)), Math.min(...parts.map((p) => p.y))];
  return { x, y, w: Math.max(...parts.map((p) => p.x + p.w)) - x, h: Math.max(...parts.map((p) => p.y + p.h)) - y };
};

/** Whether two stretches cross. */
function cross(a: Point, b: Point, c: Point, d: Point): boolean {
  const turn = (p: Point, q: Point, r: Point) => (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  return turn(a, b, c) > 0 !== turn(a, b, d) > 0 && turn(c, d, a) > 0 !== turn(c, d, b) > 0;
}

function crosses(a: Point, b: Point, r: Rect): boolean {
  const [l, t, rr, bb] = [r.x, r.y, r.x + r.w, r.y + r.h];
  const within = (p: Point) => p[0] > l && p[0] < rr && p[1] > t && p[1] < bb;
  return within(a) || within(b) || cross(a, b, [l, t], [rr, bb]) || cross(a, b, [rr, t], [l, bb]);
}

/** Boxes by the squares of a grid they touch. */
class Near {
  private readonly cells = new Map<number, number[]>();

  constructor(boxes: Rect[]) {
    boxes.forEach((box, i) =>
      this.each(box, (key) => {
        const cell = this.cells.get(key);
        if (cell) cell.push(i);
        else this.cells.set(key, [i]);
      }),
    );
  }

  private each(r: Rect, visit: (key: number) => void): void {
    for (let x = Math.floor(r.x / 64); x <= Math.floor((r.x + r.w) / 64); x++) for (let y = Math.floor(r.y / 64); y <= Math.floor((r.y + r.h) / 64); y++) visit(x * 65_536 + y);
  }

  /** The numbers of the boxes that may touch this one, each once. */
  of(r: Rect): Set<number> {
    const found = new Set<number>();
    this.each(r, (key) => this.cells.get(key)?.forEach((i) => found.add(i)));
    return found;
  }
}

/** The places a label may stand at, with what each costs by itself. */
function spots(p: Wanted, level: Level): Spot[] {
  const box = hull(p.parts);
  const mid = centre(box);
  const { w, h } = p.sizes[level];
  if (level === "badge") return [{ at: mid, cost: 9, docked: true }];
  const back: Point = [p.rear[0] - p.front[0], p.rear[1] - p.front[1]];
  const long = Math.hypot(...back) || 1;
  const [rx, ry] = [back[0] / long, back[1] / long];
  const reach = (Math.abs(rx) * w + Math.abs(ry) * h) / 2;
  const [right, left] = [box.x + box.w + w / 2 + 4, box.x - w / 2 - 4];
  const [below, above] = [box.y + box.h + h / 2 + 4, box.y - h / 2 - 4];
  const out: Spot[] = [];
  // On its own back: inside a deep block, astride the rear edge of a thin one.
  const within = long >= 1.5 * h ? -h / 2 - 1 : 0;
  // A commander is seen on his horse: nothing lies on his disc.
  if (!p.early && w <= p.frontage + 4 && Math.abs(ry) > 0.7) out.push({ at: [p.rear[0] + rx * within, p.rear[1] + ry * within], cost: 0, docked: true });
  out.push({ at: [p.rear[0] + rx * (3 + reach), p.rear[1] + ry * (3 + reach)], cost: 1 });
  out.push({ at: [right, mid[1]], cost: 2.5 }, { at: [left, mid[1]], cost: 2.5 });
  for (const x of [right, left]) for (const y of [below, above]) out.push({ at: [x, y], cost: 3 });
  out.push({ at: [p.front[0] - rx * (12 + reach), p.front[1] - ry * (12 + reach)], cost: 6 });
  for (const d of RINGS)
    for (let i = 0; i < DIRECTIONS; i++) {
      const [c, s] = [Math.cos((i * 2 * Math.PI) / DIRECTIONS), Math.sin((i * 2 * Math.PI) / DIRECTIONS)];
      const edge: Point = [mid[0] + (c * box.w) / 2, mid[1] + (s * box.h) / 2];
      const off = d + (Math.abs(c) * w + Math.abs(s) * h) / 2;
      out.push({ at: [edge[0] + c * off, edge[1] + s * off], cost: 5 + 0.12 * d, line: edge });
    }
  return out;
}

/** A place with what it costs before other labels are looked at. */
interface Option {
  label: Placed;
  middle: Point;
  base: number;
}

class Layout {
  readonly placed = new Map<number, Placed>();
  private readonly blocks: { id: number; box: Rect }[];
  private readonly near: Near;
  private readonly options = new Map<Wanted, Partial<Record<Level, Option[]>>>();

  constructor(
    wanted: Wanted[],
    private readonly room: Room,
    private readonly before: ReadonlyMap<number, Placed>,
  ) {
    this.blocks = wanted.flatMap((p) => p.parts.map((box) => ({ id: p.id, box })));
    this.near = new Near(this.blocks.map((b) => b.box));
  }

  /** The places of a label, the cheapest first. Worked out once: only other labels come and go. */
  private optionsOf(p: Wanted, level: Level): Option[] {
    let levels = this.options.get(p);
    if (!levels) this.options.set(p, (levels = {}));
    return (levels[level] ??= spots(p, level)
      .map((spot, index) => {
        const label: Placed = { ...around(spot.at, p.sizes[level]), level, spot: index, line: spot.line };
        return { label, middle: spot.at, base: spot.cost + this.ground(p, spot, label) + this.unrest(p, spot, label) };
      })
      .sort((a, b) => a.base - b.base));
  }

  /** What a label hides of the table, and whether it leaves the view. */
  private ground(p: Wanted, spot: Spot, label: Placed): number {
    const area = label.w * label.h;
    let sum = inside(label, this.room.view) ? 0 : COST.outside;
    for (const i of this.near.of(label)) {
      const { id, box } = this.blocks[i];
      const share = shared(label, box) / area;
      if (share === 0 || (id === p.id && spot.docked)) continue;
      sum += id === p.id ? COST.ownShare * share : COST.block + COST.blockShare * share;
    }
    for (const other of this.room.others) if (shared(label, other) > 0) sum += COST.other;
    return sum;
  }

  /** A label that stays where it was is welcome. */
  private unrest(p: Wanted, spot: Spot, label: Placed): number {
    const was = this.before.get(p.id);
    if (!was) return 0;
    if (was.level === label.level && was.spot === label.spot) return COST.same;
    const [x, y] = centre(was);
    return Math.min(COST.mostMoved, COST.moved * Math.hypot(spot.at[0] - x, spot.at[1] - y));
  }

  /** What a place costs because of the labels that stand already. */
  private clash(p: Wanted, { label, middle }: Option): number {
    const wide = grown(label, GAP);
    let sum = 0;
    for (const [id, other] of this.placed) {
      if (id === p.id) continue;
      const covered = shared(wide, other);
      if (covered > 0) sum += COST.label + covered;
      if (label.line && (crosses(label.line, middle, other) || (other.line && cross(label.line, middle, other.line, centre(other))))) sum += COST.crossing;
      if (other.line && crosses(other.line, centre(other), label)) sum += COST.crossing;
    }
    return sum;
  }

  private best(p: Wanted, level: Level): { label: Placed; cost: number } {
    let found = { label: undefined as Placed | undefined, cost: Infinity };
    for (const option of this.optionsOf(p, level)) {
      if (option.base >= found.cost) break;
      const cost = option.base + this.clash(p, option);
      if (cost < found.cost) found = { label: option.label, cost };
    }
    return { label: found.label!, cost: found.cost };
  }

  /** Puts a label where it costs least, at the highest level it can afford. */
  choose(p: Wanted, highest: Level): void {
    this.placed.delete(p.id);
    let level: Level = p.must ? "plate" : highest;
    for (;;) {
      const { label, cost } = this.best(p, level);
      const lower = BELOW[level];
      if (p.must || lower === undefined || cost <= DEAR[level]) {
        this.placed.set(p.id, label);
        return;
      }
      level = lower;
    }
  }

  /** No label lies on another or outside the view: what would is made smaller, and at last left out. */
  settle(order: Wanted[]): void {
    const kept = new Map<number, Placed>();
    const fits = (label: Placed) => inside(label, this.room.view) && [...kept.values()].every((k) => shared(label, k) === 0);
    for (const p of order) {
      const label = this.fitting(p, this.placed.get(p.id)!, fits);
      if (label) kept.set(p.id, label);
    }
    this.placed.clear();
    kept.forEach((label, id) => this.placed.set(id, label));
  }

  /** The label where it is, else the first place at its level or a lower one that fits. */
  private fitting(p: Wanted, label: Placed, fits: (label: Placed) => boolean): Placed | undefined {
    if (fits(label)) return label;
    for (let level: Level | undefined = label.level; level; level = BELOW[level]) {
      const found = this.optionsOf(p, level).find((option) => fits(option.label));
      if (found) return found.label;
    }
    return undefined;
  }
}

/** Who chooses first: those that must be read, commanders, then the most crowded. */
function inOrder(wanted: Wanted[]): Wanted[] {
  const mids = new Map(wanted.map((p) => [p.id, centre(hull(p.parts))]));
  const neighbours = (p: Wanted) => {
    const [x, y] = mids.get(p.id)!;
    return wanted.filter((o) => o !== p && Math.hypot(mids.get(o.id)![0] - x, mids.get(o.id)![1] - y) < 120).length;
  };
  const rank = (p: Wanted) => Number(p.must ?? false) * 2 + Number(p.early ?? false);
  const keyed = wanted.map((p) => ({ p, rank: rank(p), near: neighbours(p) }));
  return keyed.sort((a, b) => b.rank - a.rank || b.near - a.near || a.p.id - b.p.id).map((k) => k.p);
}

/** The label of each unit that has room for one. `highest` follows from the zoom; `before` is where the labels stood last. */
export function placeLabels(wanted: Wanted[], room: Room, highest: Level, before: ReadonlyMap<number, Placed> = new Map()): Map<number, Placed> {
  const seen = wanted.filter((p) => p.parts.some((part) => shared(part, room.view) > 0));
  const layout = new Layout(seen, room, before);
  const order = inOrder(seen);
  for (let pass = 0; pass < 3; pass++) for (const p of order) layout.choose(p, highest);
  layout.settle(order);
  return layout.placed;
}

/** The level of labels at this many px an inch; near a limit it stays what it was. */
export function levelAt(inch: number, was?: Level): Level {
  const limit = (at: number, above: Level[]) => at + (was === undefined ? 0 : above.includes(was) ? -1.5 : 1.5);
  if (inch >= limit(24, ["plate"])) return "plate";
  return inch >= limit(11, ["plate", "tag"]) ? "tag" : "badge";
}

/** A turned block as upright boxes along its length. */
export function slices(corners: Point[]): Rect[] {
  const [a, b, c, d] = corners;
  const long = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const deep = Math.hypot(d[0] - a[0], d[1] - a[1]);
  const upright = Math.min(Math.abs(b[0] - a[0]), Math.abs(b[1] - a[1])) < 1;
  const count = upright ? 1 : Math.min(12, Math.max(1, Math.ceil(Math.max(long, deep) / Math.max(6, Math.min(long, deep)))));
  const byFront = long >= deep;
  const mix = (p: Point, q: Point, t: number): Point => [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t];
  return Array.from({ length: count }, (_, i) => {
    const [s, t] = [i / count, (i + 1) / count];
    const four = byFront ? [mix(a, b, s), mix(a, b, t), mix(d, c, s), mix(d, c, t)] : [mix(a, d, s), mix(a, d, t), mix(b, c, s), mix(b, c, t)];
    const [x, y] = [Math.min(...four.map((p) => p[0])), Math.min(...four.map((p) => p[1]))];
    return { x, y, w: Math.max(...four.map((p) => p[0])) - x, h: Math.max(...four.map((p) => p[1])) - y };
  });
}
