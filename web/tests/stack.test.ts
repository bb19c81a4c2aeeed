import { expect, test } from "vitest";
import { layStack } from "../src/board/pieces";
import type { Piece } from "../src/wire";

const piece = (id: number, arm = "infantry") => ({ id, arm }) as unknown as Piece;

test("the first of a stack lies on top, where a click picks it up, and a leader's disc over the corner", () => {
  const drawn = (list: Piece[]) => layStack(list, 60).placed.map((p) => p.piece.id);
  expect(drawn([piece(1), piece(2), piece(3)])).toEqual([3, 2, 1]);
  expect(drawn([piece(1), piece(2), piece(3), piece(4), piece(9, "leader")])).toEqual([3, 2, 1, 9]);
  expect(layStack([piece(1), piece(2), piece(3), piece(4)], 60).more).toBe(4);
});
