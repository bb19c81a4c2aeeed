/** Randomness that is the same on every machine: one generator a feature. */

export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

export type Random = () => number;

export function mulberry32(seed: number): Random {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function randomFor(name: string): Random {
  return mulberry32(fnv1a(name));
}

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

function hash2(x: number, y: number, seed: number): number {
  let h = (Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ seed) | 0;
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2147483648 - 1;
}

const fade = (t: number) => t * t * (3 - 2 * t);

/** Value noise of the plane, -1 to 1. */
export function noise2(x: number, y: number, seed = 0): number {
  const xi = Math.floor(x);
  const yi = Math.floor(y);
  const u = fade(x - xi);
  const v = fade(y - yi);
  const a = hash2(xi, yi, seed);
  const b = hash2(xi + 1, yi, seed);
  const c = hash2(xi, yi + 1, seed);
  const d = hash2(xi + 1, yi + 1, seed);
  return a + (b - a) * u + (c - a + (a - b - c + d) * u) * v;
}

/** Value noise of the line, -1 to 1, repeating every `period` whole steps when one is given. */
export function noise1(x: number, seed = 0, period = 0): number {
  const i = Math.floor(x);
  const wrap = (n: number) => (period > 0 ? ((n % period) + period) % period : n);
  const a = hash2(wrap(i), 0, seed);
  const b = hash2(wrap(i + 1), 0, seed);
  return a + (b - a) * fade(x - i);
}
