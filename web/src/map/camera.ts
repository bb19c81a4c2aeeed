/** The window on the sheet: pan, zoom around a point, fit. */
import type { Box } from "./geometry";
import type { Camera } from "./tiles";

/** Room at the edges of the window, css px. */
export interface Pad {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export const NO_PAD: Pad = { top: 0, right: 0, bottom: 0, left: 0 };

export interface Limits {
  /** The sheet with its margins, units. */
  extent: Box;
  width: number;
  height: number;
  /** What prompt, tools and cards cover of the window: the sheet can be moved clear of them. */
  pad: Pad;
  /** Css px a unit. */
  least: number;
  most: number;
}

/** The free part of a window never leaves the sheet; a sheet smaller than it stands in its middle. */
export function clampCamera(c: Camera, l: Limits): Camera {
  const k = Math.min(l.most, Math.max(l.least, c.k));
  const axis = (at: number, from: number, to: number, px: number, before: number, after: number) => {
    const free = Math.max(1, px - before - after) / k;
    const start = at + before / k;
    const kept = free >= to - from ? (from + to - free) / 2 : Math.min(to - free, Math.max(from, start));
    return kept - before / k;
  };
  return {
    k,
    x: axis(c.x, l.extent.x0, l.extent.x1, l.width, l.pad.left, l.pad.right),
    y: axis(c.y, l.extent.y0, l.extent.y1, l.height, l.pad.top, l.pad.bottom),
  };
}

/** Zooms so that the point of the sheet under (px, py) stays there. */
export function zoomAt(c: Camera, factor: number, px: number, py: number, l: Limits): Camera {
  const k = Math.min(l.most, Math.max(l.least, c.k * factor));
  return clampCamera({ k, x: c.x + px / c.k - px / k, y: c.y + py / c.k - py / k }, l);
}

export function panBy(c: Camera, dx: number, dy: number, l: Limits): Camera {
  return clampCamera({ ...c, x: c.x - dx / c.k, y: c.y - dy / c.k }, l);
}

/** The window that holds a box with room at the edges. */
export function fit(box: Box, l: Limits, pad: Pad, most = l.most): Camera {
  const w = Math.max(1, l.width - pad.left - pad.right);
  const h = Math.max(1, l.height - pad.top - pad.bottom);
  const k = Math.min(most, Math.max(l.least, Math.min(w / (box.x1 - box.x0), h / (box.y1 - box.y0))));
  const cx = (box.x0 + box.x1) / 2;
  const cy = (box.y0 + box.y1) / 2;
  return clampCamera({ k, x: cx - (pad.left + w / 2) / k, y: cy - (pad.top + h / 2) / k }, l);
}

export function between(a: Camera, b: Camera, t: number): Camera {
  const e = t < 0.5 ? 2 * t * t : 1 - (-2 * t + 2) ** 2 / 2;
  const k = a.k * (b.k / a.k) ** e;
  return { k, x: a.x + (b.x - a.x) * e, y: a.y + (b.y - a.y) * e };
}
