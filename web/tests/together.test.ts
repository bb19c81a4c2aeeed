import { describe, expect, test } from "vitest";
import { commonGoals, inTheNameOf, mates, slowestWay, weigh, weightWords } from "../src/lib/together";
import type { Offer, Piece, PieceId } from "../src/wire";

const piece = (id: PieceId, slug: string, o: Partial<Piece> = {}): Piece => ({
  id, slug, side: "first", name: slug, byname: null, arm: "infantry", band: null, place: { hex: "0811" }, footprint: null, big: "3", small: [], gauge: null,
  figures: [{ label: "strength", value: "3" }, { label: "movement", value: "4" }], state: null, badges: [], spent: false, hidden: false, livery: null, ...o,
});
const march = (of: Piece, way: string[], cost: string): Offer => ({
  action: `march ${of.slug} ${way.join(" ")}`, verb: "march", label: `March to ${way.at(-1)}`, piece: of.id, targets: [], place: { hex: way.at(-1)! },
  path: ["0811", ...way].map((hex) => ({ hex })), cost, notes: [], shares: [], button: false, rolls: false, rule: null,
});

const foot = piece(1, "u-1h");
const guns = piece(2, "u-g1", { arm: "artillery", figures: [{ label: "strength", value: "2" }, { label: "movement", value: "3" }] });
const poor = piece(3, "poor", { arm: "leader", figures: [{ label: "movement", value: "8" }] });
const other = piece(4, "u-2h", { place: { hex: "0714" } });
const pieces = new Map([foot, guns, poor, other].map((p) => [p.id, p]));
const offers = [march(foot, ["0810"], "1"), march(foot, ["0810", "0809"], "2"), march(guns, ["0810"], "2"), march(poor, ["0810"], "1"), march(poor, ["0711"], "1"), march(other, ["0713"], "1")];

describe("marching together", () => {
  test("the stack is whoever stands there and may march", () => {
    expect(mates(foot, offers, pieces).map((p) => p.slug)).toEqual(["u-1h", "u-g1", "poor"]);
    expect(mates(other, offers, pieces)).toEqual([]);
    expect(mates(foot, offers.filter((o) => o.piece !== 2 && o.piece !== 3), pieces)).toEqual([]);
    expect(mates(undefined, offers, pieces)).toEqual([]);
  });
  test("a goal must be in reach of all", () => {
    expect([...commonGoals(offers, 1, [1, 3]).keys()]).toEqual(["0810"]);
    expect(commonGoals(offers, 1, [1, 2, 3]).get("0810")![0].action).toBe("march u-1h 0810");
  });
  test("all take the way of whoever pays most", () => {
    const way = slowestWay(offers, [1, 2, 3], "0810")!;
    expect(way.piece).toBe(2);
    expect(inTheNameOf(way, guns, poor)).toBe("march poor 0810");
    expect(slowestWay(offers, [1, 2], "0711")).toBeUndefined();
  });
  test("guns and leaders are not strength points", () => {
    expect(weigh([foot, guns, poor])).toEqual({ strength: 3, guns: 1, leaders: 1, slowest: 3 });
    expect(weightWords(weigh([foot, guns, poor]))).toBe("3 strength points · 1 gun · 1 leader · slowest 3");
  });
});
