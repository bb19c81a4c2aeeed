import { describe, expect, test } from "vitest";
import { brigadeFields, grownHull, hullOf, plaqueAt } from "../src/table/brigades";

const block = (x: number, y: number) => [{ x, y, w: 40, h: 20 }];

describe("the field of a brigade", () => {
  test("goes round all corners and round none twice", () => {
    expect(hullOf([[0, 0], [10, 0], [10, 10], [0, 10], [5, 5]])).toHaveLength(4);
    const d = grownHull([[0, 0], [10, 0], [10, 10], [0, 10]], 8);
    expect(d.startsWith("M") && d.endsWith("Z")).toBe(true);
    expect(d.match(/A8 8/g)).toHaveLength(4);
  });
  test("lies outside its blocks on all sides", () => {
    const ys = [...grownHull(hullOf([[0, 0], [10, 0], [10, 10], [0, 10]]), 8).matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map((m) => Number(m[2]));
    expect([Math.min(...ys), Math.max(...ys)]).toEqual([-8, 18]);
  });
  test("joins those that stand together and leaves out who stands apart", () => {
    const members = [block(0, 0), block(60, 0), block(120, 0), block(900, 0)].map((parts) => ({ key: "first 0", parts }));
    const fields = brigadeFields(members, 100, 8);
    expect(fields).toHaveLength(1);
    expect(fields[0].d).not.toContain("900");
    expect(brigadeFields([{ key: "first 0", parts: block(0, 0) }, { key: "first 1", parts: block(60, 0) }], 100, 8)).toEqual([]);
  });
});

test("the plaque of an objective keeps clear of units", () => {
  const size = { w: 64, h: 22 };
  expect(plaqueAt([0, 0], 40, size, [])).toEqual([0, 40]);
  expect(plaqueAt([0, 0], 40, size, [{ x: -60, y: 20, w: 120, h: 40 }])).toEqual([0, -40]);
});
