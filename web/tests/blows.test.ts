import { describe, expect, test } from "vitest";
import { blowsOf } from "../src/board/blows";
import type { Piece, Position } from "../src/wire";

const piece = (id: number, side: "first" | "second", hex: string) => ({ id, side, name: `Regiment ${id}`, place: { hex } }) as unknown as Piece;
const pieces = new Map([piece(1, "first", "0709"), piece(2, "second", "0708")].map((p) => [p.id, p]));
const asked = (kind: string | undefined) =>
  ({ prompt: kind === undefined ? null : { kind }, view: { combat: { pieces: [1, 2], fires: [{ by: [1], at: [2], dice: 1, test: null, modifiers: [] }] } } }) as unknown as Position;

describe("the arrows of a combat", () => {
  test("stand while it is fought", () => {
    for (const kind of [undefined, "lead", "tactic"]) expect(blowsOf(asked(kind), pieces).map((m) => [m.place, m.to])).toEqual([[{ hex: "0709" }, { hex: "0708" }]]);
  });
  test("go when units fall back or walk in", () => {
    for (const kind of ["retreat", "advance", "follow", "check"]) expect(blowsOf(asked(kind), pieces)).toEqual([]);
  });
});
