import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Command } from "../../src/lib/command.svelte";
import { Overlays } from "../../src/lib/overlays.svelte";
import { GameSession } from "../../src/lib/session.svelte";
import type { Board, Position } from "../../src/wire";

const position = (state: number, at: number) => ({ state, moment: state, at, log: [], log_from: 0, offers: [], status: { kind: "deciding", side: "second", thinking: false }, view: { pieces: [] } }) as unknown as Position;

let asked = 0;
beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked++;
    return Response.json({ cells: [], shapes: [], note: "Zones of both sides." });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A table at state 5 with overlays over it; `settle` lets them ask and hear. */
function table() {
  const session = new GameSession("g");
  session.board = { overlays: [{ id: "zones", name: "Zones", of: "board" }], ground: {} } as unknown as Board;
  session.take(position(5, 5));
  const command = new Command(session);
  let overlays!: Overlays;
  const end = $effect.root(() => void (overlays = new Overlays(session, command)));
  const settle = async () => {
    flushSync();
    await vi.advanceTimersByTimeAsync(200);
    flushSync();
  };
  return { session, command, overlays, settle, end };
}

describe("overlays", () => {
  test("are asked for again at each new position", async () => {
    const { session, overlays, settle, end } = table();
    overlays.toggle("zones");
    await settle();
    expect(overlays.note).toBe("Zones of both sides.");
    session.take(position(6, 6));
    await settle();
    expect(asked).toBe(2);
    end();
  });

  test("are neither shown nor asked for while an earlier moment is, and come back with the present", async () => {
    const { session, command, overlays, settle, end } = table();
    overlays.toggle("zones");
    await settle();
    command.shown = position(5, 2);
    await settle();
    expect(overlays.shown).toEqual([]);
    overlays.toggle("zones");
    session.take(position(6, 6));
    await settle();
    expect(overlays.shown).toEqual([]);
    expect(asked).toBe(1);
    command.shown = undefined;
    await settle();
    expect(overlays.shown.map((o) => o.id)).toEqual(["zones"]);
    end();
  });
});
