import { describe, expect, it } from "vitest";
import { hits, ofConcern, shares } from "../src/lib/fates";
import type { PieceOdds, Tone } from "../src/wire";

const odds = (piece: number, ...fates: [string, Tone, number][]): PieceOdds => ({
  piece,
  fates: fates.map(([word, tone, p]) => ({ fate: { word, tone }, share: { p, exact: "", within: 0 } })),
  lost: [],
  hurt: [],
});

describe("odds in words", () => {
  it("shows the words and tones of the rules", () => {
    const charge = odds(1, ["contact", "gains", 0.972], ["halts short", "holds", 0.028]);
    expect(shares(charge)).toEqual([
      { label: "contact", tone: "gains", value: 0.972 },
      { label: "halts short", tone: "holds", value: 0.028 },
    ]);
  });

  it("puts those to whom most can happen first and leaves out whom nothing can", () => {
    const calm = odds(1, ["moves", "holds", 0.995], ["hurt", "hurt", 0.005]);
    const torn = odds(2, ["unhurt", "holds", 0.4], ["falls back", "yields", 0.6]);
    const sure = odds(3, ["contact", "gains", 1]);
    expect(ofConcern([calm, torn, sure]).map((p) => p.piece)).toEqual([3, 2]);
    expect(ofConcern([calm]).map((p) => p.piece)).toEqual([1]);
  });

  it("sums up what a fire may do", () => {
    expect(hits(1, 0.1).map((s) => [s.label, s.value])).toEqual([["no hit", 0.9], ["1 hit", 0.1]]);
    const four = hits(4, 0.1);
    expect(four.map((s) => s.label)).toEqual(["no hit", "1 hit", "2 or more"]);
    expect(four.reduce((sum, s) => sum + s.value, 0)).toBeCloseTo(1);
    expect(four[0].value).toBeCloseTo(0.6561);
  });
});
