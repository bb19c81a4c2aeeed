import { describe, expect, test } from "vitest";
import { stripCells } from "../src/counters/face";
import { contrast, LIVERIES, pair } from "../src/counters/livery";
import { attempt, brass, choices, ending, goals, stepShare, targets } from "../src/lib/offers";
import { atLeast } from "../src/lib/replay";
import { binomial, chance, percent, signed } from "../src/lib/words";
import { layStack } from "../src/board/pieces";
import type { Offer, Piece } from "../src/wire";
import { readFileSync } from "node:fs";

const offer = (o: Partial<Offer>): Offer => ({
  action: "pass", verb: "pass", label: "Pass", piece: null, targets: [], place: null, path: [], cost: null, notes: [], shares: [], button: false, rolls: false, rule: null, ...o,
});
const piece = (o: Partial<Piece>): Piece => ({
  id: 0, slug: "meredith", side: "first", name: "Meredith", byname: null, arm: "infantry", band: null, place: { hex: "0101" }, footprint: null, big: "6", small: [], gauge: null, figures: [], state: null, badges: [], spent: false, hidden: false, livery: null, ...o,
});

describe("offers", () => {
  const march = (hex: string, cost: string) => offer({ action: `march meredith 1010 ${hex}`, verb: "march", label: `March to ${hex}`, piece: 3, place: { hex }, cost });
  const list = [march("0910", "6"), march("0911", "5"), offer({ button: true, action: "end", verb: "end", label: "End the turn" })];
  test("are sorted into actors, buttons and places", () => {
    const c = choices(list);
    expect(c.actors).toEqual([3]);
    expect(c.buttons.map((b) => b.label)).toEqual(["End the turn"]);
    expect([...goals(c.onMap).keys()]).toEqual(["0910", "0911"]);
    expect(ending(c.buttons)?.action).toBe("end");
  });
  test("the cheapest way to a place comes first", () => {
    expect(goals([march("0910", "8"), march("0910", "6")]).get("0910")!.map((o) => o.cost)).toEqual(["6", "8"]);
  });
  test("brass is the chosen one, the only one, or the first button", () => {
    expect(brass(list, undefined)).toBeUndefined();
    expect(brass(list, list[1])).toBe(list[1]);
    expect(brass([list[2]], undefined)).toBe(list[2]);
  });
  test("a place never offered is asked for in the same words", () => {
    expect(attempt(list, piece({ id: 3 }), "0101")).toBe("march meredith 0101");
  });
  test("targets without a place are struck by touching them", () => {
    expect([...targets([offer({ piece: 1, targets: [7], action: "fire" })]).keys()]).toEqual([7]);
  });
  test("what strikes a piece twice over is listed once for it", () => {
    expect(targets([offer({ piece: 1, targets: [7, 7, 8], action: "charge" })]).get(7)).toHaveLength(1);
  });
  test("a share is stepped to the nearest division that has it", () => {
    const split = (a: number, b: number) => offer({ action: `split ${a} ${b}`, verb: "split", shares: [{ by: 1, at: 2, amount: a }, { by: 1, at: 3, amount: b }] });
    const all = [split(3, 2), split(2, 3)];
    expect(stepShare(all, all[0], 1, 1)).toBe(all[1]);
    expect(stepShare(all, all[0], 0, 1)).toBeUndefined();
  });
});

describe("numbers", () => {
  test("chances of dice are exact", () => {
    expect(chance({ die: "d10", need: { at_most: 7 } })).toBeCloseTo(0.7);
    expect(binomial(3, 0.7).map((p) => percent(p))).toEqual(["2.7", "18.9", "44.1", "34.3"]);
    expect(atLeast([0.5, 0.5], 1)).toBeCloseTo(0.75);
  });
  test("a minus is a minus", () => {
    expect([signed(-1), signed(0), signed(3)]).toEqual(["−1", "0", "+3"]);
    expect(percent(0.0001)).toBe("<0.1");
  });
});

describe("counters", () => {
  test("the strip is whole, hurt, lost", () => {
    expect(stripCells({ whole: 3, hurt: 2, lost: 1 })).toEqual(["whole", "whole", "whole", "hurt", "hurt", "lost"]);
    expect(stripCells({ whole: 14, hurt: 0, lost: 0 }).length).toBe(7);
  });
  test("the two sides of a pair can be told apart in grey", () => {
    expect(contrast(LIVERIES.union.fill, LIVERIES.confederate.fill)).toBeGreaterThan(4.2);
    expect(contrast(LIVERIES.crown.fill, LIVERIES.continental.fill)).toBeGreaterThan(4.2);
    expect(pair("union", "crown").map((l) => l.id)).toEqual(["dark", "light"]);
  });
  test("ink can be read on every livery", () => {
    for (const l of Object.values(LIVERIES)) {
      expect(contrast(l.ink, l.fill)).toBeGreaterThan(4.5);
      expect(contrast(l.onPlate, l.plate)).toBeGreaterThan(7);
    }
  });
  test("a stack shows three and counts the rest", () => {
    const list = Array.from({ length: 5 }, (_, i) => piece({ id: i }));
    const laid = layStack(list, 60);
    expect(laid.placed.length).toBe(3);
    expect(laid.more).toBe(5);
  });
});

describe("tokens", () => {
  const css = readFileSync(new URL("../src/style/tokens.css", import.meta.url), "utf8");
  const block = (selector: string) => {
    const body = css.split(`${selector} {`)[1].split("}")[0];
    return Object.fromEntries([...body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\b/g)].map((m) => [m[1], m[2]]));
  };
  const light = block(":root");
  const dark = { ...light, ...block(":root.dark") };
  test.each([["light", light], ["dark", dark]] as const)("text is legible in the %s theme", (_, t) => {
    for (const ink of ["ink", "ink-2", "ink-3", "link", "bad", "good"]) {
      expect(contrast(t[ink], t.panel), ink).toBeGreaterThanOrEqual(4.5);
      expect(contrast(t[ink], t.raised), ink).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrast(t.ink, t.paper)).toBeGreaterThan(7);
    expect(contrast(t["ink-3"], t.paper)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(t["on-brass"], t.brass)).toBeGreaterThan(4.5);
    expect(contrast(t.bad, t["bad-bg"])).toBeGreaterThan(4.5);
    expect(contrast(t["line-2"], t.panel)).toBeGreaterThanOrEqual(3);
  });
});
