import { describe, expect, test } from "vitest";
import { edgeOf } from "../src/board/edges";
import { engagements } from "../src/lib/engagements";
import { stillToAct } from "../src/lib/words";
import { isJournal, nameOf } from "../src/screens/home/files";
import type { Offer } from "../src/wire";

describe("what lies outside the window", () => {
  const free = { x: 100, y: 50, w: 400, h: 300 };
  test.each([
    [[300, 200], undefined],
    [[100, 50], undefined],
    [[99, 200], "west"],
    [[501, 200], "east"],
    [[300, 49], "north"],
    [[300, 351], "south"],
    [[520, 500], "south"],
    [[700, 360], "east"],
  ] as [[number, number], string | undefined][])("%j is beyond %s", (at, edge) => expect(edgeOf(at, free)).toBe(edge));
});

describe("engagements to choose from", () => {
  const fight = (piece: number, targets: number[], o: Partial<Offer> = {}) => ({ action: `engage ${piece}`, piece, targets, place: null, shares: [], ...o }) as unknown as Offer;
  test("are numbered where they lie apart", () => {
    expect(engagements([fight(1, [11, 12]), fight(2, [13])]).map((e) => [e.number, e.pieces])).toEqual([[1, [1, 11, 12]], [2, [2, 13]]]);
  });
  test.each([
    ["one alone", [fight(1, [11])]],
    ["ways to fight the same enemy", [fight(1, [11]), fight(2, [11])]],
    ["a march among them", [fight(1, [11]), fight(2, [], { place: { hex: "0101" } })]],
  ])("are none for %s", (_, offers) => expect(engagements(offers)).toEqual([]));
});

test("who can still act, in words", () => {
  expect(stillToAct(["Cutler"], false)).toBe("Cutler can still act; Space goes to the next.");
  expect(stillToAct(["Cutler", "Stone"], true)).toBe("Cutler and Stone can still act.");
  expect(stillToAct(["A", "B", "C", "D", "E"], true)).toBe("A, B, C and 2 more can still act.");
});

test("files are told apart, and give a battle its name", () => {
  expect(isJournal('{"linstock":1}\n{}')).toBe(true);
  expect(isJournal('system = "battle-hymn"')).toBe(false);
  expect(nameOf("my ridge.toml")).toBe("my ridge");
  expect(nameOf("../../<b>.toml")).toBe("....b");
  expect(nameOf(".toml")).toBe("my battle");
});
