/**
 * Unpacks LZMA in its plain format (`xz --format=lzma`), with the size in the head. The modules of the rules are a quarter
 * smaller so than with what browsers unpack themselves, and a host need not know anything about it.
 */

/** Where each kind of probability begins in the one table of them. */
const IS_MATCH = 0;
const IS_REPEAT = IS_MATCH + 192;
const IS_FIRST = IS_REPEAT + 12;
const IS_SECOND = IS_FIRST + 12;
const IS_THIRD = IS_SECOND + 12;
const IS_LONG = IS_THIRD + 12;
const SLOT = IS_LONG + 192;
const SPECIAL = SLOT + 256;
const ALIGN = SPECIAL + 115;
const LENGTH = ALIGN + 16;
const REPEATED_LENGTH = LENGTH + 514;
const LITERAL = REPEATED_LENGTH + 514;

const HEAD = 13;
/** The shortest match. */
const SHORTEST = 2;

export function unpack(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (packed.length < HEAD + 5 || packed[0]! >= 225 || head.getUint32(9, true) !== 0) throw new Error("this is not LZMA with its size");
  const literalBits = packed[0]! % 9;
  const literalPositions = (1 << (Math.floor(packed[0]! / 9) % 5)) - 1;
  const positions = (1 << Math.floor(packed[0]! / 45)) - 1;
  const out = new Uint8Array(head.getUint32(5, true));
  const chances = new Uint16Array(LITERAL + (0x300 << (literalBits + Math.floor(Math.log2(literalPositions + 1))))).fill(1024);

  // The range decoder.
  let at = HEAD + 5;
  let range = 0xffffffff;
  let code = head.getUint32(HEAD + 1);

  function bit(index: number): 0 | 1 {
    const chance = chances[index]!;
    const bound = (range >>> 11) * chance;
    let drawn: 0 | 1;
    if (code < bound) {
      range = bound;
      chances[index] = chance + ((2048 - chance) >> 5);
      drawn = 0;
    } else {
      range -= bound;
      code -= bound;
      chances[index] = chance - (chance >> 5);
      drawn = 1;
    }
    if (range < 0x1000000) more();
    return drawn;
  }

  function more(): void {
    if (at >= packed.length) throw new Error("the packed file is cut short");
    range = (range << 8) >>> 0;
    code = ((code << 8) | packed[at++]!) >>> 0;
  }

  function even(bits: number): number {
    let number = 0;
    for (; bits > 0; bits--) {
      range >>>= 1;
      const high = code >= range;
      if (high) code -= range;
      number = (number << 1) | (high ? 1 : 0);
      if (range < 0x1000000) more();
    }
    return number;
  }

  function tree(base: number, bits: number): number {
    let node = 1;
    for (let i = 0; i < bits; i++) node = (node << 1) | bit(base + node);
    return node - (1 << bits);
  }

  function reversed(base: number, bits: number): number {
    let node = 1;
    let number = 0;
    for (let i = 0; i < bits; i++) {
      const drawn = bit(base + node);
      node = (node << 1) | drawn;
      number |= drawn << i;
    }
    return number;
  }

  function length(base: number, position: number): number {
    if (bit(base) === 0) return tree(base + 2 + (position << 3), 3);
    if (bit(base + 1) === 0) return 8 + tree(base + 130 + (position << 3), 3);
    return 16 + tree(base + 258, 8);
  }

  function distance(matched: number): number {
    const slot = tree(SLOT + (Math.min(matched, 3) << 6), 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const far = (2 | (slot & 1)) << bits;
    if (slot < 14) return far + reversed(SPECIAL + far - slot, bits);
    return ((far + (even(bits - 4) << 4)) >>> 0) + reversed(ALIGN, 4);
  }

  let state = 0;
  let to = 0;
  let [first, second, third, fourth] = [0, 0, 0, 0];

  function literal(): void {
    const before = to > 0 ? out[to - 1]! : 0;
    const base = LITERAL + 0x300 * (((to & literalPositions) << literalBits) + (before >> (8 - literalBits)));
    let symbol = 1;
    if (state >= 7) {
      let match = out[to - first - 1]!;
      while (symbol < 0x100) {
        const expected = (match >> 7) & 1;
        match <<= 1;
        const drawn = bit(base + ((1 + expected) << 8) + symbol);
        symbol = (symbol << 1) | drawn;
        if (drawn !== expected) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | bit(base + symbol);
    out[to++] = symbol;
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  }

  function copy(count: number): void {
    if (first >= to) throw new Error("the packed file is damaged");
    const end = Math.min(to + count, out.length);
    for (; to < end; to++) out[to] = out[to - first - 1]!;
  }

  /** A match at one of the last distances: which, and it becomes the first of them. One byte of the last alone is short. */
  function repeat(position: number): void {
    if (bit(IS_FIRST + state) === 0) {
      if (bit(IS_LONG + (state << 4) + position) === 0) {
        state = state < 7 ? 9 : 11;
        return copy(1);
      }
    } else if (bit(IS_SECOND + state) === 0) {
      [first, second] = [second, first];
    } else if (bit(IS_THIRD + state) === 0) {
      [first, second, third] = [third, first, second];
    } else {
      [first, second, third, fourth] = [fourth, first, second, third];
    }
    const count = length(REPEATED_LENGTH, position);
    state = state < 7 ? 8 : 11;
    copy(count + SHORTEST);
  }

  while (to < out.length) {
    const position = to & positions;
    if (bit(IS_MATCH + (state << 4) + position) === 0) {
      literal();
    } else if (bit(IS_REPEAT + state) === 1) {
      repeat(position);
    } else {
      [second, third, fourth] = [first, second, third];
      const count = length(LENGTH, position);
      first = distance(count);
      state = state < 7 ? 7 : 10;
      copy(count + SHORTEST);
    }
  }
  return out;
}
