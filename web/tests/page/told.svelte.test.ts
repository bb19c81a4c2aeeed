import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Told, worthTelling } from "../../src/lib/told.svelte";
import type { Entry, LogLine, Side } from "../../src/wire";

const entry = (text: string, kind: Entry["kind"] = "note", faces: number[] = []): Entry => ({
  kind, side: "first", text, rules: [], pieces: [], places: [], only: null,
  roll: faces.length > 0 ? { by: null, at: null, rule: "1.a", die: "d10", need: null, modifiers: [], faces, result: faces[0] } : null,
});
const line = (side: Side, ...entries: Entry[]): LogLine => ({ moment: 1, side, entries }) as unknown as LogLine;
const texts = (told: Told) => told.entries.map((e) => e.text);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("what the dice decided", () => {
  it("is the throws and what comes after them", () => {
    const lines = [line("first", entry("They march.", "retreat"), entry("Close combat.", "note", [3]), entry("Total 7: the defender retreats.", "melee"), entry("A new phase.", "time"))];
    expect(worthTelling(lines).map((e) => e.text)).toEqual(["Close combat.", "Total 7: the defender retreats."]);
    expect(worthTelling([line("first", entry("They march.", "march"))])).toEqual([]);
  });

  it("stays in a lesson until it is read, with what the others do below it", async () => {
    const told = new Told(() => true, () => "first");
    told.hear([line("first", entry("First throw.", "note", [2]))]);
    told.hear([line("second", entry("They pass.", "note"))]);
    told.hear([line("second", entry("A new die.", "note", [8]))]);
    vi.advanceTimersByTime(60_000);
    expect(texts(told)).toEqual(["First throw.", "A new die."]);
    expect(told.open).toBe(true);
    let read = false;
    const reading = told.read().then(() => (read = true));
    expect(read).toBe(false);
    told.close();
    await reading;
    expect(told.open).toBe(false);
  });

  it("makes room for one's next act", () => {
    const told = new Told(() => true, () => "first");
    told.hear([line("first", entry("First throw.", "note", [2]))]);
    told.hear([line("first", entry("A march.", "march"))]);
    expect(texts(told)).toEqual([]);
  });

  it("goes by itself in a battle, and holds nobody up", () => {
    const told = new Told(() => false, () => "first");
    told.hear([line("second", ...[1, 2, 3, 4].map((n) => entry(`Throw ${n}.`, "note", [n])))]);
    expect(texts(told)).toEqual(["Throw 2.", "Throw 3.", "Throw 4."]);
    expect(told.open).toBe(false);
    vi.advanceTimersByTime(9000);
    expect(told.entries).toHaveLength(3);
    vi.advanceTimersByTime(2000);
    expect(told.entries).toHaveLength(0);
  });
});
