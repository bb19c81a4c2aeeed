import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Command } from "../../src/lib/command.svelte";
import { GameSession } from "../../src/lib/session.svelte";
import { settings } from "../../src/lib/settings.svelte";
import { pace, Unfolding } from "../../src/lib/unfolding.svelte";
import { vault } from "../../src/lib/vault";
import type { LogLine, Position, Side } from "../../src/wire";

const line = (moment: number, side: Side, o: { roll?: boolean; kind?: string } = {}) =>
  ({ moment, side, act: null, entries: [{ kind: o.kind ?? "march", text: `Move ${moment}.`, side, pieces: [], places: [], rules: [], roll: o.roll ? { die: "d6", faces: [3] } : null, only: null }] }) as unknown as LogLine;
const position = (moment: number, decides: Side, log: LogLine[]) =>
  ({ state: moment, moment, at: moment, log, log_from: 0, offers: [], asked: null, status: { kind: "deciding", side: decides, thinking: false }, view: { pieces: [] } }) as unknown as Position;

let games = 0;
/** Seated first in a new game; what unfolds is noted. */
function table(motion = 1) {
  settings.data.motion = motion;
  const session = new GameSession(`g${++games}`);
  vault.hold({ game: session.id, side: "first", token: "t" });
  session.seats = vault.seatsOf(session.id);
  session.side = "first";
  const command = new Command(session);
  const steps: number[] = [];
  const unfolding = new Unfolding(session, command, (lines) => void steps.push(...lines.map((l) => l.moment)));
  const news = (p: Position) => {
    const before = session.position;
    session.take(p);
    return unfolding.begin(p, before);
  };
  return { session, command, unfolding, steps, news };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async (path: string) => Response.json(position(Number(/at=(\d+)/.exec(path)?.[1]), "second", [])));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const LOG = [line(1, "first"), line(2, "second"), line(3, "second", { roll: true }), line(4, "second", { kind: "time" }), line(5, "second")];

describe("what the others did", () => {
  test("unfolds one thing after the other, and ends in the present", async () => {
    const { command, unfolding, steps, news } = table();
    expect(news(position(1, "second", LOG.slice(0, 1)))).toBe(false);
    expect(news(position(5, "first", LOG))).toBe(true);
    expect([command.shown?.at, unfolding.sentence]).toEqual([1, "The other side has moved."]);
    await vi.advanceTimersByTimeAsync(0);
    expect([command.shown?.at, steps, unfolding.sentence]).toEqual([2, [2], "Move 2."]);
    await vi.advanceTimersByTimeAsync(700);
    expect([command.shown?.at, unfolding.step, unfolding.steps]).toEqual([3, 2, 3]);
    await vi.advanceTimersByTimeAsync(1500);
    expect([command.shown, unfolding.on, steps]).toEqual([undefined, false, [2, 3, 5]]);
  });

  test("waits for the map", async () => {
    const { session, command, steps } = table();
    let drawn = () => {};
    const waiting = new Unfolding(session, command, (lines) => void steps.push(...lines.map((l) => l.moment)), new Promise<void>((done) => (drawn = done)));
    session.take(position(1, "second", LOG.slice(0, 1)));
    waiting.begin(session.position!, undefined);
    const before = session.position;
    session.take(position(5, "first", LOG));
    expect(waiting.begin(session.position!, before)).toBe(true);
    await vi.advanceTimersByTimeAsync(5000);
    expect(steps).toEqual([]);
    drawn();
    await vi.advanceTimersByTimeAsync(0);
    expect(steps).toEqual([2]);
  });

  test("is joined by what comes meanwhile", async () => {
    const { unfolding, steps, news } = table();
    news(position(1, "second", LOG.slice(0, 1)));
    expect(news(position(2, "second", LOG.slice(0, 2)))).toBe(true);
    await vi.advanceTimersByTimeAsync(100);
    expect(news(position(5, "first", LOG))).toBe(true);
    await vi.advanceTimersByTimeAsync(3000);
    expect([unfolding.on, steps]).toEqual([false, [2, 3, 5]]);
  });

  test("can be skipped", async () => {
    const { command, unfolding, steps, news } = table();
    news(position(1, "second", LOG.slice(0, 1)));
    news(position(5, "first", LOG));
    await vi.advanceTimersByTimeAsync(100);
    unfolding.toThePresent();
    await vi.advanceTimersByTimeAsync(0);
    expect([command.shown, unfolding.on, steps]).toEqual([undefined, false, [2, 5]]);
  });

  test("leaves the board to whoever looks back meanwhile", async () => {
    const { command, unfolding, news } = table();
    news(position(1, "second", LOG.slice(0, 1)));
    news(position(5, "first", LOG));
    await vi.advanceTimersByTimeAsync(100);
    const earlier = position(0, "first", []);
    command.shown = earlier;
    unfolding.toThePresent();
    await vi.advanceTimersByTimeAsync(0);
    expect([command.shown, unfolding.on]).toEqual([earlier, false]);
  });

  test("begins after what this browser has shown, also on another day", () => {
    const { session, news } = table();
    news(position(1, "second", LOG.slice(0, 1)));
    expect(vault.seen(session.id)).toBe(1);
    const later = new GameSession(session.id);
    later.side = "first";
    later.take(position(5, "first", LOG));
    expect(new Unfolding(later, new Command(later), () => {}).begin(later.position!, undefined)).toBe(true);
    expect(vault.seen(session.id)).toBe(5);
  });

  test("is not held up where nothing moves, nor for one last thing before one's own turn", () => {
    const still = table(0);
    still.news(position(1, "second", LOG.slice(0, 1)));
    expect(still.news(position(5, "first", LOG))).toBe(false);
    const one = table();
    one.news(position(1, "second", LOG.slice(0, 1)));
    expect(one.news(position(2, "first", LOG.slice(0, 2)))).toBe(false);
  });

  test("takes no longer than anybody would look at it", () => {
    const many = pace(Array.from({ length: 60 }, (_, i) => line(i, "second", { roll: true })));
    expect(many.reduce((a, b) => a + b)).toBeCloseTo(14_000);
    expect(pace([line(1, "second"), line(2, "second", { roll: true })])).toEqual([700, 1500]);
  });
});
