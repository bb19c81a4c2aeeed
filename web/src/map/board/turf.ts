/** The painted board of an inch table: turf with grain and relief, as planes that either theme is coloured from. */
import { CELL, distances, MARGIN, signedDistances, type Field } from "../field";
import { clamp, smoothstep, type Box } from "../geometry";
import { noise2 } from "../random";
import type { Theme } from "../palette";
import type { Country, Point } from "../survey";

export interface Turf {
  width: number;
  height: number;
  box: Box;
  country: Country;
  /** From dry to lush, how high, how trodden, the floor of a wood: 0 to 255 each; light and shade about 128. */
  lush: Uint8Array;
  high: Uint8Array;
  worn: Uint8Array;
  wood: Uint8Array;
  light: Uint8Array;
}

export interface Cover {
  woods: Point[][];
  /** Where feet and wheels go. */
  tracks: Point[][];
  yards: Point[][];
}

/** Units a pixel: fifteen pixels an inch. */
const STEP = 4;
/** So far feet wear the turf, units. */
const TRODDEN = 70;

const octaves = (x: number, y: number, seed: number) => 0.57 * noise2(x, y, seed) + 0.28 * noise2(2 * x, 2 * y, seed + 1) + 0.15 * noise2(4 * x, 4 * y, seed + 2);

export function turf(field: Field, size: Point, cover: Cover, country: Country): Turf {
  const [width, height] = [Math.ceil(size[0] / STEP), Math.ceil(size[1] / STEP)];
  const planes = coarse(field, cover);
  const out: Turf = { width, height, box: { x0: 0, y0: 0, x1: width * STEP, y1: height * STEP }, country, ...blank(width * height) };
  for (let j = 0; j < height; j++) {
    const y = (j + 0.5) * STEP;
    for (let i = 0; i < width; i++) {
      const x = (i + 0.5) * STEP;
      const at = lattice(field, x, y);
      const k = j * width + i;
      const fine = octaves(x / 114, y / 114, 31);
      const wood = at(planes.wood);
      out.lush[k] = 255 * clamp(0.46 + at(planes.broad) + 0.34 * fine + 0.05 * noise2(x / 9, y / 9, 35));
      out.high[k] = 255 * clamp(at(field.values) / 2.2);
      out.worn[k] = 255 * clamp(at(planes.worn) * (0.75 + 0.9 * fine));
      out.wood[k] = 255 * clamp(wood + 0.5 * fine * (wood > 0 && wood < 1 ? 1 : 0));
      // Grain: the board is sanded and flocked, not printed.
      out.light[k] = 128 + 127 * clamp(at(planes.shade) + 0.07 * noise2(x / 5, y / 5, 36), -1, 1);
    }
  }
  return out;
}

const blank = (n: number) => ({ lush: new Uint8Array(n), high: new Uint8Array(n), worn: new Uint8Array(n), wood: new Uint8Array(n), light: new Uint8Array(n) });

/** What changes slowly, at the samples of the height field. */
function coarse(field: Field, cover: Cover) {
  const { cols, rows, values } = field;
  const n = values.length;
  const [broad, worn, wood, shade] = [new Float32Array(n), new Float32Array(n), new Float32Array(n), new Float32Array(n)];
  const near = distances(field, cover.tracks, TRODDEN);
  const grove = cover.woods.length > 0 ? signedDistances(field, cover.woods) : undefined;
  const yard = cover.yards.length > 0 ? signedDistances(field, cover.yards) : undefined;
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < cols; i++) {
      const k = j * cols + i;
      const [x, y] = field.point(i, j);
      const at = (a: number, b: number) => values[Math.min(rows - 1, Math.max(0, b)) * cols + Math.min(cols - 1, Math.max(0, a))];
      const rise = (at(i + 1, j) - at(i - 1, j) + at(i, j + 1) - at(i, j - 1)) / (2 * CELL);
      broad[k] = 0.62 * octaves(x / 480, y / 480, 21);
      // Light from the north-west.
      shade[k] = Math.tanh((115 * rise) / Math.SQRT2);
      worn[k] = 0.8 * Math.exp(-((near[k] / 26) ** 2)) * (near[k] < TRODDEN ? 1 : 0);
      if (yard) worn[k] = Math.max(worn[k], smoothstep((yard[k] + 16) / 30));
      if (grove) wood[k] = smoothstep((grove[k] + 26) / 40);
    }
  return { broad, worn, wood, shade };
}

/** Reads planes of the field's samples between them. */
function lattice(field: Field, x: number, y: number): (plane: Float32Array) => number {
  const u = clamp((x + MARGIN) / CELL, 0, field.cols - 1.001);
  const v = clamp((y + MARGIN) / CELL, 0, field.rows - 1.001);
  const [i, j] = [Math.floor(u), Math.floor(v)];
  const [s, t] = [u - i, v - j];
  const k = j * field.cols + i;
  const [a, b, c, d] = [(1 - s) * (1 - t), s * (1 - t), (1 - s) * t, s * t];
  return (z) => z[k] * a + z[k + 1] * b + z[k + field.cols] * c + z[k + field.cols + 1] * d;
}

type Colour = [number, number, number];
interface Tints {
  dry: Colour;
  lush: Colour;
  high: Colour;
  earth: Colour;
  floor: Colour;
}

const hex = (text: string): Colour => [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)) as Colour;
const tints = (dry: string, lush: string, high: string, earth: string, floor: string): Tints => ({ dry: hex(dry), lush: hex(lush), high: hex(high), earth: hex(earth), floor: hex(floor) });
const TINTS: Record<Country, Record<Theme, Tints>> = {
  meadow: { light: tints("#dcd19c", "#b5bd7f", "#d8c48c", "#d6bf8f", "#98a064"), dark: tints("#3a3526", "#2b3321", "#51452d", "#4a3d29", "#232b1a") },
  veldt: { light: tints("#e2ce9a", "#c6bc82", "#d5b680", "#dabf8c", "#a6a266"), dark: tints("#3d3526", "#343322", "#54442b", "#4d3e29", "#292a1a") },
};

/** Coloured for a theme, four bytes a pixel. */
export function coloured(t: Turf, theme: Theme): Uint8ClampedArray {
  const inks = TINTS[t.country][theme];
  const pixels = new Uint8ClampedArray(t.lush.length * 4);
  for (let k = 0; k < t.lush.length; k++) {
    const [lush, high, worn, wood] = [t.lush[k] / 255, (0.75 * t.high[k]) / 255, (0.85 * t.worn[k]) / 255, (0.8 * t.wood[k]) / 255];
    const s = (t.light[k] - 128) / 127;
    const light = 1 + (s < 0 ? 0.34 : 0.15) * s;
    for (let c = 0; c < 3; c++) {
      let v = inks.dry[c] + (inks.lush[c] - inks.dry[c]) * lush;
      v += (inks.high[c] - v) * high;
      v += (inks.floor[c] - v) * wood;
      v += (inks.earth[c] - v) * worn;
      pixels[4 * k + c] = v * light;
    }
    pixels[4 * k + 3] = 255;
  }
  return pixels;
}
