import { describe, expect, it } from "vitest";
import { fairAt } from "../src/lib/replay";
import type { Board, FairScore } from "../src/wire";

const board = { sides: { first: { name: "Union" }, second: { name: "Confederacy" } } } as unknown as Board;
const score: FairScore = { lead: 4, fair: 6.5, sampled: 0, swings: [{ moment: 2, lead: -3.5 }, { moment: 5, lead: 1 }] };

describe("the score without luck", () => {
  it("takes off what the dice gave in the whole game", () => {
    expect(fairAt(score, 9, undefined, board)).toEqual({ stands: "Union +4", gave: "Confederacy +2.5", without: "Union +6.5" });
  });
  it("counts no throw after the moment looked at", () => {
    expect(fairAt(score, 3, { first: 1, second: 3 }, board)).toEqual({ stands: "Confederacy +2", gave: "Confederacy +3.5", without: "Union +1.5" });
  });
  it("says even where nobody leads", () => {
    expect(fairAt(score, 0, { first: 3, second: 3 }, board)).toEqual({ stands: "even", gave: "even", without: "even" });
  });
});
