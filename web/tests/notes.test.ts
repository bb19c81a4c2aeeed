import { describe, expect, test } from "vitest";
import { captionSpot, laid, placeOf, type MapNote } from "../src/board/notes";
import type { Sheet } from "../src/lib/ground";
import type { Board, HexFace, Piece } from "../src/wire";

const sheet = {
  faces: new Map<string, HexFace>([["0909", { hex: "0909", terrain: "woods", level: 0, name: "Herbst Woods" }]]),
  grid: { hex: (id: string) => (id === "0909" ? { at: [10, 20] } : undefined) },
} as unknown as Sheet;
const hexes = { ground: { hexes: {} } } as unknown as Board;
const table = { ground: { table: { terrain: [{ kind: "building", name: "Hospital", points: [[0, 0], [2000, 0], [2000, 4000], [0, 4000]] }] } } } as unknown as Board;
const pieces = [{ slug: "weed", place: { hex: "0909" } }, { slug: "held", place: { box: "Reserve" } }] as unknown as Piece[];

describe("what a page points at", () => {
  test("is found by piece, hex, name and point", () => {
    expect(placeOf({ piece: "weed" }, hexes, sheet, pieces)).toEqual({ hex: "0909" });
    expect(placeOf({ hex: "0101" }, hexes, sheet, pieces)).toEqual({ hex: "0101" });
    expect(placeOf({ place: "herbst woods" }, hexes, sheet, pieces)).toEqual({ hex: "0909" });
    expect(placeOf({ place: "Hospital" }, table, { ...sheet, faces: new Map() }, [])).toEqual({ pose: { x: 1000, y: 2000, facing: 0 } });
    expect(placeOf({ point: [500, 700] }, table, sheet, [])).toEqual({ pose: { x: 500, y: 700, facing: 0 } });
  });
  test("is nowhere on the map for a panel, a piece beside the map and an unknown name", () => {
    expect(placeOf({ panel: "turn" }, hexes, sheet, pieces)).toBeUndefined();
    expect(placeOf({ piece: "held" }, hexes, sheet, pieces)).toBeUndefined();
    expect(placeOf({ place: "Nowhere" }, hexes, sheet, pieces)).toBeUndefined();
  });
  test("two discs at one place stand side by side", () => {
    const note = (sign: string, hex = "0909"): MapNote => ({ place: { hex }, tone: "number", sign, piece: false });
    expect(laid(sheet, [note("1"), note("2"), note("3", "9999")]).map((l) => l.nth)).toEqual([0, 1]);
  });
});

describe("a caption", () => {
  test("stands under its place, or where it covers no counter", () => {
    expect(captionSpot([0, 0], 100, 1, [])).toBe(0.52);
    expect(captionSpot([0, 0], 100, 1, [[0, 90]])).toBe(-0.52);
    expect(captionSpot([0, 0], 100, 1, [[0, 0]])).toBe(0.52);
    expect(captionSpot([0, 0], 100, 1, [[0, 90], [0, -90]])).toBe(0.52);
  });
});
