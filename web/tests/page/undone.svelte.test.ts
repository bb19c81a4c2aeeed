import { describe, expect, test } from "vitest";
import type { Command } from "../../src/lib/command.svelte";
import type { GameSession } from "../../src/lib/session.svelte";
import { leftUndone, Undone } from "../../src/lib/undone.svelte";
import type { Offer, Piece } from "../../src/wire";

const offer = (verb: string, piece: number | null, place: unknown = { hex: "0101" }) => ({ action: `${verb} ${piece}`, verb, label: verb, piece, place, targets: [] }) as unknown as Offer;
const piece = (id: number, place: unknown) => [id, { id, name: `Unit ${id}`, place } as unknown as Piece] as const;
const PIECES = new Map([piece(1, { box: "arrivals" }), piece(2, { hex: "0202" }), piece(3, { hex: "0303" }), piece(4, { box: "reserve" })]);

describe("what ending a phase leaves undone", () => {
  test("is who could come from beside the map or rally, each once", () => {
    const offers = [offer("enter", 1), offer("enter", 1, { hex: "0102" }), offer("march", 2), offer("rally", 3, null), offer("ride", 4, { pose: { x: 0, y: 0, facing: 0 } }), offer("pass", null, null)];
    expect(leftUndone(offers, PIECES).map((l) => [l.piece.id, l.deed])).toEqual([[1, "enter"], [3, "rally"], [4, "enter"]]);
    expect(leftUndone([offer("march", 2)], PIECES)).toEqual([]);
  });
  test("is who could still fire", () => {
    expect(leftUndone([offer("shoot", 2), offer("shoot", 2), offer("snap", 3), offer("fire", 3)], PIECES).map((l) => [l.piece.id, l.deed])).toEqual([[2, "fire"], [3, "fire"]]);
  });
  test("speaks of fire once a phase", () => {
    const ending = offer("done", null, null);
    const command = { ending, choices: { onMap: [offer("shoot", 2)] }, pieces: PIECES };
    const at = (state: number, turn: number) => ({ state, prompt: { kind: "shoot" }, view: { track: [0, 1].map((i) => ({ now: i === turn })) } });
    const session = { position: at(1, 0) };
    const undone = new Undone(command as unknown as Command, session as unknown as GameSession);
    const said = (state: number, turn: number) => ((session.position = at(state, turn)), undone.holdsBack(ending));
    expect([said(1, 0), said(1, 0), said(2, 0), said(3, 1), said(4, 1)]).toEqual([true, false, false, true, false]);
  });
  test("is said once; the second press ends the phase", () => {
    const ending = offer("done", null, null);
    const command = { ending, choices: { onMap: [offer("enter", 1)] }, pieces: PIECES };
    const session = { position: { state: 7 } };
    const undone = new Undone(command as unknown as Command, session as unknown as GameSession);
    expect(undone.told).toEqual([]);
    expect(undone.holdsBack(offer("march", 2))).toBe(false);
    expect(undone.holdsBack(ending)).toBe(true);
    expect(undone.told.map((l) => l.piece.name)).toEqual(["Unit 1"]);
    expect(undone.holdsBack(ending)).toBe(false);
    session.position = { state: 8 };
    expect(undone.holdsBack(ending)).toBe(true);
    command.choices = { onMap: [offer("march", 2)] };
    session.position = { state: 9 };
    expect(undone.holdsBack(ending)).toBe(false);
  });
});
