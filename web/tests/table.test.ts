import { describe, expect, it, test } from "vitest";
import { asked, corners, local, nearest, shortest, toLocal, turnedAbout, under, verbsOf, wayInches, within } from "../src/table/pose";
import { layPlates } from "../src/table/plates";
import { figures } from "../src/table/figures";
import { shortName } from "../src/table/names";
import { letterOf, shakenAt, stateOf } from "../src/table/status";
import type { Offer, Piece } from "../src/wire";

const offer = (action: string, x = 0, y = 0, facing = 0, more: Partial<Offer> = {}): Offer => ({
  action, verb: action.split(" ")[0], label: action, piece: 1, targets: [], place: { pose: { x, y, facing } }, path: [], cost: null, notes: [], shares: [], button: false, rolls: false, rule: null, ...more,
});
const piece = (more: Partial<Piece> = {}): Piece => ({
  id: 1, slug: "1st-blue", side: "first", name: "1st Blue", byname: null, arm: "infantry", band: null, place: { pose: { x: 10_000, y: 10_000, facing: 0 } },
  footprint: { width: 6_000, depth: 1_500, bases: [] }, big: "0", small: [], gauge: null, figures: [], state: null, badges: [], spent: false, hidden: false, livery: null, ...more,
});

describe("blocks on the table", () => {
  const east = { x: 10_000, y: 20_000, facing: 9_000 };
  it("has its own frame and back", () => {
    const [x, y] = local(east, 1_000, 2_000);
    expect([Math.round(x), Math.round(y)]).toEqual([12_000, 19_000]);
    expect(toLocal(east, x, y).map(Math.round)).toEqual([1_000, 2_000]);
  });
  it("lies behind its front edge", () => {
    const c = corners(east, { width: 6_000, depth: 1_500 }).map((p) => p.map(Math.round));
    expect(c).toEqual([[10_000, 23_000], [10_000, 17_000], [8_500, 17_000], [8_500, 23_000]]);
    expect(within(east, { width: 6_000, depth: 1_500 }, 9_000, 21_000)).toBe(true);
    expect(within(east, { width: 6_000, depth: 1_500 }, 10_500, 21_000)).toBe(false);
  });
  it("turns about its middle", () => {
    const turned = turnedAbout({ x: 0, y: 0, facing: 0 }, { width: 4_000, depth: 2_000 }, 18_000);
    expect([Math.round(turned.x), Math.round(turned.y), turned.facing]).toEqual([0, -2_000, 18_000]);
    expect(shortest(35_000)).toBe(-1_000);
  });
  it("measures straight legs and not turns", () => {
    expect(wayInches([{ x: 0, y: 0, facing: 0 }, { x: 0, y: 3_000, facing: 0 }, { x: 700, y: 2_600, facing: 4_500 }, { x: 2_821, y: 4_721, facing: 4_500 }])).toBeCloseTo(6, 2);
  });
  it("is found under a point, leaders first", () => {
    const leader = piece({ id: 2, arm: "leader", slug: "adams", footprint: { width: 1_600, depth: 1_600, bases: [] }, place: { pose: { x: 10_200, y: 9_500, facing: 0 } } });
    expect(under([piece(), leader], 10_100, 9_400, 0).map((p) => p.id)).toEqual([2, 1]);
    expect(under([piece(), leader], 30_000, 9_400, 0)).toEqual([]);
  });
});

describe("poses never offered", () => {
  it("are said as a goal", () => {
    expect(asked(offer("advance 1st-blue forward 8", 1, 2), piece(), { x: 12_345, y: 6_000, facing: 35_500 }, true)).toBe("advance 1st-blue toward 12.345 6 -5");
    expect(asked(offer("march 1st-blue 16", 1, 2), piece(), { x: 12_000, y: 6_500, facing: 0 }, false)).toBe("march 1st-blue toward 12 6.5");
  });
  it("replace the spot of an order's marker", () => {
    const leader = piece({ slug: "miller", arm: "leader" });
    expect(asked(offer("order miller attack 3 4"), leader, { x: 5_500, y: 7_000, facing: 0 }, false)).toBe("order miller attack 5.5 7");
    expect(asked(offer("ride miller 3 4"), leader, { x: 5_500, y: 7_000, facing: 0 }, false)).toBe("ride miller toward 5.5 7");
  });
  it("snap to the nearest offer when that is wanted", () => {
    const list = [offer("a", 0, 0), offer("b", 0, 4_000), offer("c", 0, 4_000, 9_000)];
    expect(nearest(list, { x: 100, y: 3_500, facing: 0 }, true)?.action).toBe("b");
    expect(nearest(list, { x: 100, y: 3_500, facing: 8_000 }, true)?.action).toBe("c");
  });
  it("come by kinds", () => {
    expect(verbsOf([offer("hold 1st-blue"), offer("advance 1st-blue forward 8"), offer("advance 1st-blue forward 4")]).map((v) => [v.label, v.offers.length])).toEqual([["Hold", 1], ["Advance", 2]]);
  });
});

describe("plates", () => {
  it("do not lie on each other while there is room", () => {
    const wanted = [0, 1, 2].map((i) => ({ id: i, block: { x: 100 + i * 30, y: 100, w: 25, h: 80 }, rear: [0, 1] as [number, number], w: 90, h: 19 }));
    const at = layPlates(wanted);
    for (const a of [0, 1, 2])
      for (const b of [0, 1, 2])
        if (a < b) {
          const [p, q] = [at.get(a)!, at.get(b)!];
          expect(Math.abs(p[0] - q[0]) >= 90 || Math.abs(p[1] - q[1]) >= 19).toBe(true);
        }
  });
  it("are left out in a crowd, but for the unit in hand", () => {
    const wanted = Array.from({ length: 30 }, (_, id) => ({ id, must: id === 29, block: { x: 100 + (id % 6) * 8, y: 100 + Math.floor(id / 6) * 8, w: 7, h: 7 }, rear: [0, 1] as [number, number], w: 90, h: 19 }));
    const at = layPlates(wanted);
    expect(at.has(29)).toBe(true);
    expect(at.size).toBeLessThan(15);
  });
});

describe("units at a glance", () => {
  it("tells states and orders apart", () => {
    expect(stateOf(piece({ state: "suppressed" }))?.kind).toBe("suppressed");
    expect(stateOf(piece({ state: "routed" }))?.kind).toBe("routed");
    expect(stateOf(piece())).toBeUndefined();
    expect(letterOf({ sign: "order-reform", title: "", rule: null })).toBe("F");
    expect(letterOf({ sign: "order-advance", title: "", rule: null })).toBe("A");
    expect(shakenAt(piece({ figures: [{ label: "hits", value: "2 (Shaken 18, Break 20)" }] }))).toBe(18);
  });
  it("draws somebody on every base", () => {
    for (const arm of ["infantry", "cavalry", "artillery", "skirmishers"]) {
      const one = figures(arm, "line", [{ x: 0, y: 0, w: 30, d: 20 }], 20);
      expect(one.bodies.length).toBeGreaterThan(20);
      expect(one.bodies + one.marks).not.toMatch(/NaN|Infinity/);
    }
  });
});

describe("a name on a plate", () => {
  test.each([
    ["2nd Light", "2nd Light"],
    ["1st Mississippi Rifles (Davis)", "1st Miss. Rifles"],
    ["Bragg's Battery C, 3rd Artillery", "Bragg's Battery C"],
    ["Active Battalion of Guanajuato", "Active Bn of Guanaj…"],
    ["Blue 1st Regiment's skirmishers", "Blue 1st Regt's ski…"],
  ])("%s", (name, short) => expect(shortName(name, 20)).toBe(short));
});
