import { readFileSync, readdirSync } from "node:fs";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { clampCamera, fit, NO_PAD, zoomAt, type Limits } from "../src/map/camera";
import { contours } from "../src/map/contour";
import { beyond, runOn, smooth, unkink, wobble } from "../src/map/curve";
import { engrave } from "../src/map/engrave";
import { Field, heightField } from "../src/map/field";
import { dist, inside, lengthOf, resample, SegmentIndex, signedArea, simplify, toSegment } from "../src/map/geometry";
import { Grid } from "../src/map/grid";
import { capitals, roughMeasure, spineOf } from "../src/map/labels";
import { fnv1a, mulberry32, noise1, noise2 } from "../src/map/random";
import type { Point, SheetRequest, Survey } from "../src/map/survey";
import { zoomLevel } from "../src/map/zoom";

const square: Point[] = [[0, 0], [1000, 0], [1000, 1000], [0, 1000]];

describe("random numbers", () => {
  test("are the same on every machine", () => {
    expect(fnv1a("Herbst Woods")).toBe(fnv1a("Herbst Woods"));
    expect(fnv1a("")).toBe(0x811c9dc5);
    const r = mulberry32(1);
    expect([r(), r(), r()].map((v) => v.toFixed(6))).toEqual(["0.627074", "0.002736", "0.527447"]);
  });
  test("noise stays within bounds and repeats on rings", () => {
    for (let i = 0; i < 500; i++) {
      expect(Math.abs(noise2(i * 0.37, i * 0.91))).toBeLessThanOrEqual(1);
      expect(noise1(i * 0.1, 3, 7)).toBeCloseTo(noise1(i * 0.1 + 7, 3, 7));
    }
  });
});

describe("curves", () => {
  test("smooth passes through the surveyed points", () => {
    const line: Point[] = [[0, 0], [100, 40], [220, 10], [300, 90]];
    const out = smooth(line, 10, false);
    for (const p of line) expect(Math.min(...out.map((q) => dist(p, q)))).toBeLessThan(0.01);
  });
  test("wobble leaves the ends of an open line where they are", () => {
    const line = resample([[0, 0], [2000, 0]], 20);
    const out = wobble(line, false, { amp: 30, wave: 200, name: "test" });
    expect(out[0]).toEqual([0, 0]);
    expect(dist(out[out.length - 1], [2000, 0])).toBeLessThan(1);
    expect(Math.max(...out.map((p) => Math.abs(p[1])))).toBeGreaterThan(3);
  });
  test("unkink drops a vertex that turns back", () => {
    expect(unkink([[0, 0], [500, 0], [300, 20], [900, 0]])).not.toContainEqual([300, 20]);
  });
  test("vertices on the edge move beyond it", () => {
    expect(beyond([[0, 500], [700, 500]], [1000, 1000], 60)[0]).toEqual([-60, 500]);
  });
  test("where two streams end together near the edge, the first runs on", () => {
    const a: Point[] = [[500, 500], [500, 900]];
    const b: Point[] = [[700, 500], [500, 900]];
    expect(runOn(0, [a, b], [1000, 1000]).length).toBe(3);
    expect(runOn(1, [a, b], [1000, 1000]).length).toBe(2);
  });
});

describe("geometry", () => {
  test("an index of segments answers as the slow way does", () => {
    const r = mulberry32(9);
    const line: Point[] = Array.from({ length: 60 }, () => [r() * 1000, r() * 1000]);
    const index = new SegmentIndex([line]);
    for (let i = 0; i < 200; i++) {
      const p: Point = [r() * 1000, r() * 1000];
      const slow = Math.min(120, ...line.slice(1).map((q, k) => toSegment(p, line[k], q)));
      expect(index.distance(p, 120)).toBeCloseTo(slow, 6);
    }
  });
  test("simplify keeps the ends and the corner", () => {
    expect(simplify([[0, 0], [50, 1], [100, 0], [100, 100]], 3)).toEqual([[0, 0], [100, 0], [100, 100]]);
  });
  test("the spine of a long area runs along it", () => {
    const spine = spineOf([[0, 0], [2000, 0], [2000, 300], [0, 300]])!;
    expect(lengthOf(spine)).toBeGreaterThan(1700);
    for (const p of spine) expect(p[1]).toBeCloseTo(150, 0);
  });
});

describe("relief", () => {
  test("a hill's contour is a ring round it", () => {
    const field = heightField({ size: [1000, 1000], high: [{ name: "hill", level: 1, outline: [[300, 300], [700, 300], [700, 700], [300, 700]] }], creeks: [], streams: [] });
    const { rings } = contours(field, 0.5);
    expect(rings.length).toBe(1);
    expect(inside(rings[0], [500, 500])).toBe(true);
    expect(Math.abs(signedArea(rings[0]))).toBeGreaterThan(100_000);
  });
  test("contours of a slope close at the border of the field", () => {
    const field = new Field([400, 400]);
    for (let j = 0; j < field.rows; j++) for (let i = 0; i < field.cols; i++) field.values[j * field.cols + i] = i / field.cols;
    expect(contours(field, 0.5).rings.length).toBe(1);
  });
});

describe("hexes", () => {
  const grid = new Grid({ cols: 28, rows: 21, parity: "even-low", size: 300, origin: [173.2, 6300] }, 6450);
  test("lie where the dossier says", () => {
    expect(grid.hex("0101")!.at[0]).toBeCloseTo(173.2);
    expect(grid.hex("0101")!.at[1]).toBeCloseTo(150);
    expect(grid.hex("0201")!.at[1]).toBeCloseTo(300);
  });
  test("a centre is under its own hex", () => {
    for (const h of grid.hexes) expect(grid.under(h.at)!.id).toBe(h.id);
  });
  test("neighbours are mutual and one step away", () => {
    for (const h of grid.hexes)
      for (let s = 0; s < 6; s++) {
        const n = grid.neighbour(h, s);
        if (!n) continue;
        expect(grid.neighbour(n, (s + 3) % 6)!.id).toBe(h.id);
        expect(grid.distance(h, n)).toBe(1);
        expect(dist(h.at, n.at)).toBeCloseTo(300, 3);
      }
  });
  test("the outline of two neighbours has ten sides", () => {
    expect(grid.outline(["0505", "0506"]).map((r) => r.length)).toEqual([10]);
  });
  test("a wreath of hexes has an outline without and one within", () => {
    const wreath = grid.neighbours(grid.hex("0505")!).map((h) => h.id);
    expect(grid.outline(wreath).map((r) => r.length).sort((a, b) => a - b)).toEqual([6, 18]);
  });
});

describe("camera", () => {
  const limits: Limits = { extent: { x0: 0, y0: 0, x1: 7000, y1: 6000 }, width: 1000, height: 800, pad: NO_PAD, least: 0.1, most: 0.6 };
  test("zoom keeps the point under the pointer", () => {
    const c = { x: 1000, y: 1000, k: 0.3 };
    const z = zoomAt(c, 1.4, 400, 300, limits);
    expect(z.x + 400 / z.k).toBeCloseTo(c.x + 400 / c.k);
    expect(z.y + 300 / z.k).toBeCloseTo(c.y + 300 / c.k);
  });
  test("never leaves the sheet", () => {
    const c = clampCamera({ x: -500, y: 99999, k: 0.3 }, limits);
    expect(c.x).toBe(0);
    expect(c.y + limits.height / c.k).toBeCloseTo(6000);
  });
  test("fit shows the whole box", () => {
    const c = fit({ x0: 1000, y0: 1000, x1: 2000, y1: 1500 }, limits, NO_PAD);
    expect(c.x).toBeLessThanOrEqual(1000);
    expect(c.x + limits.width / c.k).toBeGreaterThanOrEqual(2000);
  });
  test("the sheet can be moved clear of what lies over the window, and is fitted there", () => {
    const pad = { top: 60, right: 80, bottom: 140, left: 16 };
    const over: Limits = { ...limits, pad };
    const low = clampCamera({ x: 0, y: 99999, k: 0.3 }, over);
    expect((6000 - low.y) * low.k).toBeCloseTo(over.height - pad.bottom);
    const all = fit(over.extent, over, pad);
    expect((0 - all.y) * all.k).toBeGreaterThanOrEqual(pad.top - 1e-6);
    expect((6000 - all.y) * all.k).toBeLessThanOrEqual(over.height - pad.bottom + 1e-6);
    expect((7000 - all.x) * all.k).toBeLessThanOrEqual(over.width - pad.right + 1e-6);
  });
  test("zoom levels change with reluctance", () => {
    expect(zoomLevel(57, 0)).toBe(0);
    expect(zoomLevel(57, 1)).toBe(1);
    expect(zoomLevel(140, 1)).toBe(2);
  });
});

describe("the sheet", () => {
  const dir = new URL("../../surveys/", import.meta.url);
  const surveys = readdirSync(dir).filter((f) => f.endsWith(".toml"));
  test.each(surveys)("%s can be engraved", (file) => {
    const survey = parse(readFileSync(new URL(file, dir), "utf8")) as unknown as Survey;
    const request: SheetRequest = { survey, grid: { cols: 8, rows: 8, parity: "even-low", size: 300, origin: [173.2, survey.size[1] - 150] } };
    const once = engrave(request, roughMeasure);
    if (file.startsWith("freemans")) {
      const again = engrave(request, roughMeasure);
      expect(again.art).toEqual(once.art);
      expect(again.labels).toEqual(once.labels);
    }
    for (const layer of once.art) for (const o of layer.ops) expect(o.d).not.toMatch(/NaN|undefined|Infinity/);
    expect(once.labels.length).toBeGreaterThan(3);
  });
  test("a survey of nothing is still a sheet", () => {
    const sheet = engrave({ survey: { title: "Nowhere", size: [1000, 1000] } }, roughMeasure);
    expect(sheet.labels).toEqual([]);
  });
  test("names in capitals keep their small c", () => {
    expect(capitals("McPherson's Ridge")).toBe("McPHERSON'S RIDGE");
  });
  test("a ring needs no more than its corners", () => {
    expect(signedArea(square)).toBe(1_000_000);
  });
});
