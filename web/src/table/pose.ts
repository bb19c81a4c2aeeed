/** Geometry of blocks on the inch table: thousandths of an inch, y to the north, facing in hundredths of a degree clockwise from north. */
import type { Footprint, Offer, Piece, Place } from "../wire";

export interface Pose {
  x: number;
  y: number;
  facing: number;
}

export const poseOf = (place: Place | null | undefined): Pose | undefined => (place && "pose" in place ? place.pose : undefined);

const RADIANS = Math.PI / 18_000;
const WHOLE = 36_000;

/** Between -180 and 180 degrees. */
export function shortest(hundredths: number): number {
  const h = ((hundredths % WHOLE) + WHOLE) % WHOLE;
  return h > WHOLE / 2 ? h - WHOLE : h;
}

/** A point of the block's own frame (to its right, ahead of its front) on the table. */
export function local(pose: Pose, right: number, ahead: number): [number, number] {
  const a = pose.facing * RADIANS;
  return [pose.x + right * Math.cos(a) + ahead * Math.sin(a), pose.y - right * Math.sin(a) + ahead * Math.cos(a)];
}

/** A point of the table in the block's own frame. */
export function toLocal(pose: Pose, x: number, y: number): [number, number] {
  const a = pose.facing * RADIANS;
  const [dx, dy] = [x - pose.x, y - pose.y];
  return [dx * Math.cos(a) - dy * Math.sin(a), dx * Math.sin(a) + dy * Math.cos(a)];
}

export interface Size {
  width: number;
  depth: number;
}

/** Front left, front right, rear right, rear left. */
export function corners(pose: Pose, { width, depth }: Size): [number, number][] {
  return [local(pose, -width / 2, 0), local(pose, width / 2, 0), local(pose, width / 2, -depth), local(pose, -width / 2, -depth)];
}

/** A commander's disc, from its middle to its rim with its stars: thousandths of an inch. */
const DISC = 1200;

/** Where a piece is seen at a place: its hex, the corners of its block, or round a commander's disc; nowhere in a box beside the map. */
export function spots(place: Place, piece?: Pick<Piece, "arm" | "footprint">): Place[] {
  if ("box" in place) return [];
  const pose = poseOf(place);
  if (!pose) return [place];
  const at = (x: number, y: number): Place => ({ pose: { x, y, facing: 0 } });
  if (piece?.arm === "leader") return [at(pose.x - DISC, pose.y - DISC), at(pose.x + DISC, pose.y + DISC)];
  return corners(pose, sizeOf(piece?.footprint)).map(([x, y]) => at(x, y));
}

export function within(pose: Pose, size: Size, x: number, y: number, slack = 0): boolean {
  const [right, ahead] = toLocal(pose, x, y);
  return Math.abs(right) <= size.width / 2 + slack && ahead <= slack && ahead >= -size.depth - slack;
}

/** The same block turned about its middle. */
export function turnedAbout(pose: Pose, size: Size, by: number): Pose {
  const [cx, cy] = local(pose, 0, -size.depth / 2);
  const facing = (((pose.facing + by) % WHOLE) + WHOLE) % WHOLE;
  const [x, y] = local({ x: cx, y: cy, facing }, 0, size.depth / 2);
  return { x, y, facing };
}

/** The direction from one point to another, hundredths of a degree. */
export function bearing(fromX: number, fromY: number, x: number, y: number): number {
  return ((Math.atan2(x - fromX, y - fromY) / RADIANS) % WHOLE + WHOLE) % WHOLE;
}

/** Inches along a way; turning on the spot costs none. */
export function wayInches(way: Pose[]): number {
  return way.slice(1).reduce((sum, p, i) => sum + (isTurn(way[i], p) ? 0 : Math.hypot(p.x - way[i].x, p.y - way[i].y)), 0) / 1000;
}

/** A leg that turns the block: its front may move, but nobody marches. */
export const isTurn = (a: Pose, b: Pose): boolean => a.facing !== b.facing;

export const inches = (n: number): string => (Math.abs(n - Math.round(n)) < 0.05 ? String(Math.round(n)) : n.toFixed(1));

const number = (thousandths: number): string => String(Math.round(thousandths) / 1000);
const degrees = (hundredths: number): string => String(Math.round(shortest(hundredths)) / 100);

/**
 * The notation for a pose that was never offered. An action that ends in its place takes another place; any other is
 * said as a goal, and the rules find the way: `advance 1st-blue toward 30 12 45`.
 */
export function asked(model: Offer, piece: Piece, goal: Pose, facing: boolean): string | undefined {
  const pose = poseOf(model.place);
  if (!pose) return undefined;
  const words = model.action.split(" ");
  if (words[1] !== piece.slug) return undefined;
  if (piece.arm === "leader" && words.length > 3 && words[0] !== "ride") return [...words.slice(0, -2), number(goal.x), number(goal.y)].join(" ");
  const place = `${words[0]} ${words[1]} toward ${number(goal.x)} ${number(goal.y)}`;
  return facing ? `${place} ${degrees(goal.facing)}` : place;
}

export interface Verb {
  /** The word that its actions share. */
  id: string;
  label: string;
  offers: Offer[];
}

/** The word that says what kind of thing an action is: its first, or the order that a leader is given (`order LEADER attack X Y`). */
function kindOf(action: string): string {
  const words = action.split(" ");
  return words[0] === "order" && words.length > 2 ? words[2] : words[0];
}

/** What a unit may do, by the kind of thing: Advance, March, Reform, Hold. */
export function verbsOf(offers: Offer[]): Verb[] {
  const by = new Map<string, Offer[]>();
  for (const o of offers) {
    const id = kindOf(o.action);
    const list = by.get(id);
    if (list) list.push(o);
    else by.set(id, [o]);
  }
  return [...by].map(([id, list]) => ({ id, label: id.charAt(0).toUpperCase() + id.slice(1).replace(/-/g, " "), offers: list }));
}

/** The offer by which a leader joins one of these units: `attach LEADER UNIT`. */
export const joining = (verb: Verb | undefined, units: Pick<Piece, "slug">[]): Offer | undefined =>
  verb?.id === "attach" ? verb.offers.find((o) => units.some((u) => u.slug === o.action.split(" ")[2])) : undefined;

/** The offer that ends nearest to a pose; a degree off counts like a fiftieth of an inch. */
export function nearest(offers: Offer[], goal: Pose, facing: boolean): Offer | undefined {
  let best: Offer | undefined;
  let least = Infinity;
  for (const o of offers) {
    const p = poseOf(o.place);
    if (!p) continue;
    const d = Math.hypot(p.x - goal.x, p.y - goal.y) + (facing ? Math.abs(shortest(p.facing - goal.facing)) * 0.2 : 0);
    if (d < least) {
      least = d;
      best = o;
    }
  }
  return best;
}

export const sizeOf = (f: Footprint | null | undefined): Size => f ?? { width: 1000, depth: 1000 };

/** The block as it takes hold on the table: leaders stand in the middle of their disc. */
export function grips(piece: Piece, x: number, y: number, slack: number): boolean {
  const pose = poseOf(piece.place);
  if (!pose) return false;
  if (piece.arm === "leader") return Math.hypot(x - pose.x, y - pose.y) <= Math.max(sizeOf(piece.footprint).width / 2, slack);
  return within(pose, sizeOf(piece.footprint), x, y, slack);
}

/** Who lies under a point, leaders first, then the nearest middle. */
export function under(pieces: Iterable<Piece>, x: number, y: number, slack: number): Piece[] {
  const middle = (p: Piece): number => {
    const pose = poseOf(p.place)!;
    const [cx, cy] = p.arm === "leader" ? [pose.x, pose.y] : local(pose, 0, -sizeOf(p.footprint).depth / 2);
    return Math.hypot(cx - x, cy - y);
  };
  return [...pieces].filter((p) => grips(p, x, y, slack)).sort((a, b) => Number(b.arm === "leader") - Number(a.arm === "leader") || middle(a) - middle(b));
}
