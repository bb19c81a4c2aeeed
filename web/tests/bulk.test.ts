import { describe, expect, it } from "vitest";
import { bulks, partOf } from "../src/lib/bulk";
import type { Offer } from "../src/wire";

const offer = (action: string, piece: number | null, more: Partial<Offer> = {}): Offer => ({
  action, verb: action.split(" ")[0], label: "Hold", piece, targets: [], place: null, path: [], cost: null, notes: [], shares: [], button: false, rolls: false, rule: null, ...more,
});

describe("several units at once", () => {
  const hold = [1, 2, 3].map((id) => offer(`hold u${id}`, id));
  const name = (id: number) => `Unit ${id}`;
  const march = offer("march u1 0101", 1, { label: "March", place: { hex: "0101" } });

  it("is offered for what each does in the same words, without pointing", () => {
    expect(bulks([...hold, march, offer("pass", null, { button: true })], name)).toEqual([{ verb: "hold", label: "Hold: all 3", pieces: [1, 2, 3] }]);
  });

  it("is offered where the words differ by names alone", () => {
    expect(bulks([1, 2].map((id) => offer(`test u${id}`, id, { label: `Unit ${id} tests` })), name)).toEqual([{ verb: "test", label: "Test: all 2", pieces: [1, 2] }]);
  });

  it("is not offered for one unit, for other words, or where one has a choice", () => {
    expect(bulks([hold[0], march], name)).toEqual([]);
    expect(bulks([offer("pick u1", 1, { label: "Unit 1" }), offer("pick u2", 2, { label: "Unit 2" })], name)).toEqual([]);
    expect(bulks([...hold, offer("hold u1 low", 1)], name)).toEqual([]);
  });

  it("finds each unit's part again among other offers", () => {
    expect(partOf([march, ...hold], "hold", 2)).toBe(hold[1]);
    expect(partOf([march], "hold", 1)).toBeUndefined();
  });
});
