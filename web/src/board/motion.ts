/** Pieces go along their ways to where they now stand. */
import { settings } from "../lib/settings.svelte";
import type { Point } from "../map/survey";

/** A step takes so long, a whole way at most so long, ms. */
export const HEX_STEP = 110;
export const TABLE_STEP = 320;
const LONGEST = 900;

/** Moves the drawn piece along points of the layer that end where it stands. */
export function glide(layer: HTMLElement, piece: number, points: Point[], step: number): void {
  const el = layer.querySelector<SVGGElement>(`[data-piece="${piece}"] > .mover`);
  const end = points[points.length - 1];
  if (!el || points.length < 2 || settings.data.motion === 0) return;
  el.animate(
    points.map(([x, y]) => ({ transform: `translate(${x - end[0]}px, ${y - end[1]}px)` })),
    { duration: Math.min(LONGEST, step * (points.length - 1)) / settings.data.motion, easing: "ease-in-out" },
  );
}
