import { describe, expect, it } from "vitest";
import { clear, freeRooms } from "../src/map/rooms";

describe("what panels leave free of a window", () => {
  const window = { x: 0, y: 0, w: 100, h: 80 };

  it("is all of it without panels", () => {
    expect(freeRooms(window, [])).toEqual([window]);
  });

  it("is every largest rectangle beside a panel in a corner", () => {
    expect(freeRooms(window, [{ x: -5, y: -5, w: 45, h: 25 }])).toEqual([
      { x: 40, y: 0, w: 60, h: 80 },
      { x: 0, y: 20, w: 100, h: 60 },
    ]);
  });

  it("never holds a rectangle twice, nor one inside another", () => {
    const covers = [{ x: 0, y: 60, w: 100, h: 20 }, { x: 80, y: 0, w: 20, h: 40 }, { x: 0, y: 60, w: 100, h: 20 }];
    const rooms = freeRooms(window, covers);
    expect(rooms).toEqual([{ x: 0, y: 0, w: 80, h: 60 }, { x: 0, y: 40, w: 100, h: 20 }]);
    for (const room of rooms) expect(clear(room, window, covers)).toBe(true);
  });
});
