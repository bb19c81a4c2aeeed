/** Blades of grass as a pattern in device pixels: as fine near as far, and tiles of it meet. */
import { UNIT_INCH } from "../frame";
import { clamp } from "../geometry";
import { palette, type Theme } from "../palette";
import { between, mulberry32, noise2 } from "../random";

/** As large as a tile of the map, or a whole part of it. */
const SIDE = 512;
/** One blade stands in each cell of so many px. */
const CELL = 5;

const made = new Map<string, OffscreenCanvas>();

export function blades(theme: Theme, scale: number): OffscreenCanvas {
  const long = Math.round(clamp(scale * UNIT_INCH * 0.13, 1.6, 5.5) * 2) / 2;
  const key = `${theme} ${long}`;
  let canvas = made.get(key);
  if (!canvas) made.set(key, (canvas = draw(theme, long)));
  return canvas;
}

function draw(theme: Theme, long: number): OffscreenCanvas {
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const ctx = canvas.getContext("2d")!;
  const ink = palette(theme);
  const random = mulberry32(4711);
  ctx.lineCap = "round";
  for (let y = 0; y < SIDE; y += CELL)
    for (let x = 0; x < SIDE; x += CELL) {
      const [px, py] = [x + between(random, 0, CELL), y + between(random, 0, CELL)];
      const lit = random() < 0.34;
      // All of a place lean the same way.
      const lean = 0.9 * noise2(px / 80, py / 80, 3) + between(random, -0.35, 0.35);
      const reach = long * between(random, 0.6, 1.3);
      ctx.strokeStyle = lit ? ink.bladelit : ink.blade;
      ctx.globalAlpha = (theme === "light" ? 1 : 0.7) * (lit ? 0.34 : 0.26) * between(random, 0.5, 1);
      ctx.lineWidth = lit ? 1 : 0.9;
      // What runs over the edge comes in again on the other side.
      for (const dx of [0, -SIDE]) for (const dy of [0, SIDE]) {
        ctx.beginPath();
        ctx.moveTo(px + dx, py + dy);
        ctx.lineTo(px + dx + Math.sin(lean) * reach, py + dy - Math.cos(lean) * reach);
        ctx.stroke();
      }
    }
  return canvas;
}
