import { describe, expect, it, test } from "vitest";
import { asked, corners, joining, local, nearest, shortest, toLocal, turnedAbout, under, verbsOf, wayInches, within } from "../src/table/pose";
import { levelAt, placeLabels, slices, type Level, type Placed, type Rect, type Wanted } from "../src/table/labels";
import { dots, figures } from "../src/table/figures";
import { badgeName, shortName, tagName } from "../src/table/names";
import { letterOf, pointsOf, stateOf } from "../src/table/status";
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
  it("let a leader join the unit that is clicked, once joining is chosen", () => {
    const [ride, attach] = verbsOf([offer("ride brigadier-red 24 9"), offer("attach brigadier-red rg"), offer("attach brigadier-red r1")]);
    expect(joining(attach, [{ slug: "r1" }])?.action).toBe("attach brigadier-red r1");
    expect(joining(attach, [{ slug: "b1" }])).toBeUndefined();
    expect(joining(ride, [{ slug: "r1" }])).toBeUndefined();
  });
  it("keep the orders of a leader apart, so that a place can be chosen for each", () => {
    const orders = [offer("order brigadier-red defend 24 9"), offer("order brigadier-red attack 24 18"), offer("order brigadier-red attack 18.5 29")];
    const kinds = verbsOf(orders);
    expect(kinds.map((v) => [v.label, v.offers.length])).toEqual([["Defend", 1], ["Attack", 2]]);
    const leader = piece({ slug: "brigadier-red", arm: "leader" });
    expect(asked(kinds[1].offers[0], leader, { x: 23_000, y: 17_500, facing: 0 }, false)).toBe("order brigadier-red attack 23 17.5");
  });
});

describe("labels", () => {
  const view: Rect = { x: 0, y: 0, w: 1000, h: 700 };
  const sizes = { plate: { w: 120, h: 20 }, tag: { w: 62, h: 15.5 }, badge: { w: 16, h: 16 } };
  const block = (id: number, x: number, y: number, w = 80, h = 16, more: Partial<Wanted> = {}): Wanted => ({ id, parts: [{ x: x - w / 2, y, w, h }], front: [x, y], rear: [x, y + h], frontage: w, sizes, ...more });
  const apart = (labels: Map<number, Placed>) => {
    const all = [...labels.values()];
    for (const [i, a] of all.entries())
      for (const b of all.slice(i + 1)) expect(a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y).toBe(true);
    for (const a of all) expect(a.x >= view.x && a.y >= view.y && a.x + a.w <= view.x + view.w && a.y + a.h <= view.y + view.h).toBe(true);
  };
  /** A crowd of units that is the same every time. */
  const crowd = (n: number, seed: number): Wanted[] => {
    let s = seed;
    const random = () => (s = (s * 48271) % 2147483647) / 2147483647;
    return Array.from({ length: n }, (_, id) => block(id, random() * 1000, random() * 700, 20 + random() * 90, 10 + random() * 20, { must: id % 17 === 0, early: id % 7 === 0 }));
  };

  it("dock on the back of a block that is wide enough, and stand behind one that is not", () => {
    const labels = placeLabels([block(1, 200, 200, 160), block(2, 600, 200, 60)], { view, others: [] }, "plate");
    expect(labels.get(1)!.y + labels.get(1)!.h / 2).toBeCloseTo(216);
    const deep = placeLabels([block(1, 200, 200, 160, 50)], { view, others: [] }, "plate").get(1)!;
    expect(deep.y + deep.h).toBeLessThanOrEqual(250);
    expect(labels.get(2)!.y).toBeGreaterThanOrEqual(216);
  });
  it.each([10, 44, 90])("never lie on each other or outside the view: %i units", (n) => {
    for (let seed = 1; seed <= 12; seed++)
      for (const level of ["plate", "tag", "badge"] as Level[]) apart(placeLabels(crowd(n, seed), { view, others: [] }, level));
  });
  it("lie on a neighbour only where there is no room elsewhere", () => {
    const row = Array.from({ length: 6 }, (_, i) => block(i, 100 + i * 130, 300, 128));
    for (const l of placeLabels(row, { view, others: [] }, "plate").values()) expect(l.level).toBe("plate");
  });
  it("shrink in a crowd, but for the unit in hand", () => {
    const packed = Array.from({ length: 40 }, (_, id) => block(id, 100 + (id % 8) * 26, 100 + Math.floor(id / 8) * 14, 24, 12, { must: id === 17 }));
    const labels = placeLabels(packed, { view, others: [] }, "plate");
    expect(labels.get(17)!.level).toBe("plate");
    expect([...labels.values()].some((l) => l.level !== "plate")).toBe(true);
  });
  it("stay where they were when the map moves by a px", () => {
    const before = placeLabels(crowd(40, 3), { view, others: [] }, "tag");
    const moved = crowd(40, 3).map((p) => ({ ...p, parts: p.parts.map((r) => ({ ...r, x: r.x + 1 })), front: [p.front[0] + 1, p.front[1]] as [number, number], rear: [p.rear[0] + 1, p.rear[1]] as [number, number] }));
    const after = placeLabels(moved, { view, others: [] }, "tag", before);
    const same = [...after].filter(([id, l]) => before.get(id)?.spot === l.spot && before.get(id)?.level === l.level).length;
    expect(same / after.size).toBeGreaterThan(0.9);
  });
  it("keep off objectives", () => {
    const others = [{ x: 140, y: 212, w: 120, h: 30 }];
    const [label] = [...placeLabels([block(1, 200, 200, 60)], { view, others }, "plate").values()];
    expect(label.x + label.w <= 140 || label.x >= 260 || label.y >= 242 || label.y + label.h <= 212).toBe(true);
  });
  it("are of a unit in the view alone", () => {
    expect(placeLabels([block(1, 2000, 200)], { view, others: [] }, "plate").size).toBe(0);
  });
  it("change their level with reluctance", () => {
    expect([levelAt(24), levelAt(23, "plate"), levelAt(25, "tag"), levelAt(10, "tag"), levelAt(9, "tag"), levelAt(11, "badge")]).toEqual(["plate", "plate", "tag", "tag", "badge", "badge"]);
  });
  it("know a turned block by its slices", () => {
    const turned = slices([[0, 0], [70, 70], [60, 80], [-10, 10]]);
    expect(turned.length).toBeGreaterThan(3);
    expect(Math.max(...turned.map((r) => r.w * r.h))).toBeLessThan(0.2 * 80 * 80);
    expect(slices([[0, 0], [80, 0], [80, 20], [0, 20]])).toEqual([{ x: 0, y: 0, w: 80, h: 20 }]);
  });
});

describe("units at a glance", () => {
  it("tells states and orders apart", () => {
    expect(stateOf(piece({ state: "suppressed" }))?.kind).toBe("suppressed");
    expect(stateOf(piece({ state: "routed" }))?.kind).toBe("routed");
    expect(["shaken", "suppressed", "routed"].map((state) => stateOf(piece({ state }))?.sign)).toEqual(["Sh", "Su", "R"]);
    expect(stateOf(piece())).toBeUndefined();
    expect(letterOf({ sign: "order-reform", title: "", rule: null })).toBe("F");
    expect(letterOf({ sign: "order-advance", title: "", rule: null })).toBe("A");
    expect(pointsOf(piece({ figures: [{ label: "hits", value: "2 (Shaken from 18, Broken from 20)" }] }))).toEqual({ shaken: 18, broken: 20 });
    expect(pointsOf(piece({ figures: [{ label: "hits", value: "2" }] }))).toEqual({ shaken: undefined, broken: undefined });
  });
  it("draws somebody on every base", () => {
    for (const arm of ["infantry", "cavalry", "artillery", "skirmishers"]) {
      const one = figures({ arm, formation: "line", bases: [{ x: 0, y: 0, w: 30, d: 20 }], inch: 20, bearing: "steady", lost: 0 });
      expect(one.coats.length).toBeGreaterThan(20);
      expect(Object.values(one).join("")).not.toMatch(/NaN|Infinity/);
      expect(dots({ arm, bases: [{ x: 0, y: 0, w: 30, d: 20 }], inch: 12 })).not.toMatch(/NaN|Infinity/);
    }
  });
  it("lays down as many as have fallen", () => {
    const men = (lost: number) => figures({ arm: "infantry", formation: "line", bases: [{ x: 0, y: 0, w: 80, d: 20 }], inch: 20, bearing: "steady", lost });
    const count = (path: string) => path.split("M").length - 1;
    const all = count(men(0).hats);
    expect([count(men(0).fallen), count(men(0.5).hats)]).toEqual([0, Math.ceil(all / 2)]);
    expect(count(men(0.5).fallen)).toBe(2 * (all - Math.ceil(all / 2)));
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

describe("a name on a tag", () => {
  test.each([
    ["28th Virginia", "infantry", "28 Va", "28"],
    ["18th & 8th Virginia", "infantry", "18 & 8 Va", "18"],
    ["72nd Pennsylvania & 106th (2 coys)", "infantry", "72 Pa", "72"],
    ["59th New York & 7th Michigan", "infantry", "59 NY", "59"],
    ["Battery A, 4th US (Cushing)", "artillery", "Cushing", "C"],
    ["Brig. Gen. A. S. Webb", "leader", "Webb", "W"],
    ["Col. B. D. Fry", "leader", "Fry", "F"],
    ["Brigadier Blue", "leader", "Brigadier Blue", "BB"],
    ["General Blue", "leader", "General Blue", "GB"],
    ["uThulwana, body 3", "infantry", "uThulwana 3", "U3"],
    ["iNdluyengwe, 2nd body", "infantry", "iNdluyengwe 2", "I2"],
    ["B Company, left", "infantry", "B Company L", "BC"],
    ["Whitaker, right: 96th, 115th Illinois", "infantry", "Whitaker R", "WR"],
  ])("%s", (name, arm, tag, badge) => expect([tagName(name, arm), badgeName(name, arm)]).toEqual([tag, badge]));
});
