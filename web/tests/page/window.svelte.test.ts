import { beforeEach, expect, test, vi } from "vitest";
import type { Covers } from "../../src/board/covers";
import { MapWindow } from "../../src/board/window.svelte";
import type { Sheet } from "../../src/lib/ground";
import { settings } from "../../src/lib/settings.svelte";
import { gridOf } from "../../src/map/frame";
import type { Room } from "../../src/map/rooms";
import type { SheetRequest } from "../../src/map/survey";

const [WIDTH, HEIGHT] = [1000, 700];
const request = { survey: { title: "", subtitle: "", size: [6000, 6000] }, grid: { cols: 24, rows: 24, parity: "even-low", size: 200, origin: [100, 5900] } } as unknown as SheetRequest;
const sheet = { request, grid: gridOf(request), faces: new Map() } as unknown as Sheet;

let panels: Room[];
let covers: { changed: () => void; on: () => Room[] };
let map: MapWindow;

beforeEach(() => {
  vi.stubGlobal("cancelAnimationFrame", () => {});
  settings.data.motion = 0;
  panels = [];
  covers = { changed: () => {}, on: () => panels };
  map = new MapWindow({ sheet, inset: { left: 0, right: 0, top: 0, bottom: 0 }, covers: covers as unknown as Covers, acting: [{ hex: "0606" }], everybody: [] });
  const root = { clientWidth: WIDTH, clientHeight: HEIGHT, getBoundingClientRect: () => ({ left: 0, top: 0 }) } as unknown as HTMLElement;
  map.open({ root, layer: { style: {} } as HTMLElement, looked: () => {}, settled: () => {} });
  map.resized();
  map.bring([{ hex: "0606" }]);
});

/** The prompt grows over the middle of the map. */
function cover(): void {
  panels = [{ x: 0, y: 250, w: WIDTH, h: 450 }];
  covers.changed();
}

test("what was brought into view is kept clear of a panel that comes", () => {
  const before = map.camera;
  cover();
  expect(map.camera).not.toEqual(before);
});

test("nothing moves under a pointer that has just clicked, until another decision comes", () => {
  map.steady = true;
  const before = map.camera;
  cover();
  expect(map.camera).toEqual(before);
  map.bring([{ hex: "0606" }]);
  expect(map.camera).not.toEqual(before);
});
