import { describe, expect, test } from "vitest";
import { groupsOf } from "../src/lib/chronicle";
import { charges } from "../src/lib/offers";
import type { Entry, LogLine, Offer } from "../src/wire";

const entry = (kind: Entry["kind"], text: string, piece = 1): Entry => ({ kind, text, side: "first", pieces: [piece], places: [], rules: [], roll: null }) as unknown as Entry;
const line = (moment: number, ...entries: Entry[]): LogLine => ({ moment, entries }) as unknown as LogLine;
const texts = (log: LogLine[]) => groupsOf(log).map((g) => [g.title, ...g.rows.map((r) => r.entry.text)]);

describe("the log", () => {
  test("tells a march once, though the enemy was asked on the way", () => {
    const log = [line(1, entry("march", "Red Cavalry moves.")), line(2, entry("march", "Red Cavalry moves.")), line(3, entry("march", "Red Cavalry moves."), entry("march", "Red Battery moves.", 2))];
    expect(texts(log)).toEqual([["", "Red Battery moves.", "Red Cavalry moves."]]);
  });
  test("tells how far a march across a table went, from its first place to its last", () => {
    const at = (x: number) => ({ pose: { x, y: 0, facing: 0 } });
    const march = (...places: object[]) => ({ ...entry("march", "Red Cavalry moves."), places }) as Entry;
    expect(texts([line(1, march(at(0), at(2000))), line(2, march(at(2000), at(4500)))])).toEqual([["", "Red Cavalry moves 4.5 in."]]);
    expect(texts([line(1, { ...march(at(0), at(8000)), text: "General Red rides." } as Entry)])).toEqual([["", "General Red rides 8 in."]]);
    expect(texts([line(1, march(at(0), at(0)))])).toEqual([["", "Red Cavalry moves."]]);
  });
  test("tells it again after something else happened", () => {
    const log = [line(1, entry("march", "Red Cavalry moves.")), line(2, entry("fire", "Blue fires."), entry("march", "Red Cavalry moves."))];
    expect(texts(log)[0]).toHaveLength(4);
  });
  test("puts what happened under its own phase, the newest first", () => {
    const log = [line(1, entry("time", "Turn 1: Charge."), entry("check", "a")), line(2, entry("time", "Turn 1: Movement."), entry("march", "b")), line(3, entry("time", "Turn 1: Fire."))];
    expect(texts(log)).toEqual([["Turn 1: Fire"], ["Turn 1: Movement", "b"], ["Turn 1: Charge", "a"]]);
  });
});

test("a charge across a table is aimed before it is launched; a fire or a march is not", () => {
  const offer = (more: Partial<Offer>) => ({ rolls: true, targets: [2], place: { pose: { x: 0, y: 0, facing: 0 } }, ...more }) as Offer;
  expect(charges(offer({}))).toBe(true);
  expect(charges(offer({ place: null }))).toBe(false);
  expect(charges(offer({ place: { hex: "0101" } }))).toBe(false);
  expect(charges(offer({ targets: [] }))).toBe(false);
});
