import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { GameSession } from "../../src/lib/session.svelte";
import type { Position, Problem } from "../../src/wire";

const position = (state: number, o: Partial<Position> = {}) =>
  ({ state, moment: state, at: state, log: [], log_from: 0, asked: null, status: { kind: "deciding", side: "first", thinking: false }, ...o }) as unknown as Position;
const played = (state: number) => Response.json({ done: "played", state, position: position(state) });
const refusal = (problem: Partial<Problem>) => Response.json({ message: "", refusal: null, position: null, roll: null, ...problem }, { status: 409 });
const brokenOff = () => new Response('{"done":"pla');

type Answer = () => Response | Promise<Response>;
const unheard: Answer = () => Promise.reject(new TypeError("Failed to fetch"));

/** The server answers in this order, the last answer ever after. What was sent is returned. */
function server(...answers: Answer[]): { path: string; id: string; salt?: string }[] {
  const sent: { path: string; id: string; salt?: string }[] = [];
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    sent.push({ path: path.replace("/api/v1/games/g", ""), ...JSON.parse(String(init.body)) });
    const next = answers.length > 1 ? answers.shift()! : answers[0];
    return Promise.resolve().then(next);
  });
  return sent;
}

function seated(o: Partial<Position> = {}): GameSession {
  const session = new GameSession("g");
  session.seats = [{ game: "g", side: "first", token: "t" }];
  session.side = "first";
  session.link = "live";
  session.take(position(7, o));
  return session;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a change of the game", () => {
  test("is played, and the board shows it", async () => {
    const sent = server(() => played(8));
    const session = seated();
    expect(await session.act("pass")).toBe(true);
    expect(session.position?.state).toBe(8);
    expect(sent).toMatchObject([{ path: "/acts", action: "pass", state: 7 }]);
    expect(session.busy).toBe(false);
  });

  test.each([
    ["act", (s: GameSession) => s.act("pass")],
    ["undo", (s: GameSession) => s.undo()],
    ["answer", (s: GameSession) => s.answerUndo(true)],
    ["resignation", (s: GameSession) => s.resign()],
  ])("goes again as it was when nothing is heard: %s", async (_, change) => {
    const sent = server(unheard, brokenOff, () => played(8));
    const session = seated({ asked: { ask: 3, by: "second" } });
    const done = change(session);
    await vi.advanceTimersByTimeAsync(10);
    expect(session.busy).toBe(true);
    expect(session.notice).toMatch(/Trying again/);
    await vi.advanceTimersByTimeAsync(3000);
    await done;
    expect(sent.length).toBe(3);
    expect(sent[2]).toEqual(sent[0]);
    expect(session.position?.state).toBe(8);
    expect(session.busy).toBe(false);
    expect(session.notice).toBeUndefined();
  });

  test("that fails for good is told", async () => {
    server(unheard);
    const session = seated();
    const done = session.resign();
    await vi.advanceTimersByTimeAsync(60_000);
    await done;
    expect(session.notice).toMatch(/^No answer/);
    expect(session.busy).toBe(false);
  });

  test("is shown when the live connection brings it, and is not sent a second time", async () => {
    const asked: RequestInit[] = [];
    vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
      asked.push(init);
      return Promise.resolve(Response.json({ done: "played", state: 8, position: null }));
    });
    const session = seated();
    const done = session.act("pass");
    await vi.advanceTimersByTimeAsync(10);
    expect(session.busy).toBe(true);
    session.take(position(8));
    expect(await done).toBe(true);
    expect(session.busy).toBe(false);
    expect(asked.length).toBe(1);
    expect(asked[0]?.headers).toMatchObject({ Prefer: "return=minimal" });
  });

  test("is asked for when the live connection is late", async () => {
    const paths: string[] = [];
    vi.stubGlobal("fetch", (path: string) => {
      paths.push(path);
      return Promise.resolve(Response.json(path.includes("/position") ? position(8) : { done: "played", state: 8, position: null }));
    });
    const session = seated();
    const done = session.act("pass");
    await vi.advanceTimersByTimeAsync(3100);
    expect(await done).toBe(true);
    expect(session.position?.state).toBe(8);
    expect(paths[1]).toBe("/api/v1/games/g/position?log_from=0");
  });

  test("waits for the one before", async () => {
    const sent = server(() => played(8));
    const session = seated();
    const first = session.undo();
    // What was meant for the position before the answer is void.
    const late = session.act("pass");
    await Promise.all([session.undo(), session.resign()]);
    expect(await late).toBe(false);
    await first;
    expect(sent.map((s) => s.path)).toEqual(["/undo"]);
  });

  test("is not tried without a connection", async () => {
    const sent = server(() => played(8));
    const session = seated();
    session.link = "lost";
    await session.undo();
    expect(sent).toEqual([]);
    expect(session.notice).toMatch(/Connection lost/);
  });

  test("that is refused says why at the place, and is not sent again", async () => {
    const sent = server(() => refusal({ code: "refused", message: "Too far." }));
    const session = seated();
    expect(await session.act("march u 0101", "0101")).toBe(false);
    expect(session.trouble).toMatchObject({ at: "0101", refusal: { why: "Too far." } });
    expect(sent.length).toBe(1);
  });

  test("to a position that is no more brings the present one", async () => {
    server(() => refusal({ code: "stale", position: position(9) }));
    const session = seated();
    await session.undo();
    expect(session.position?.state).toBe(9);
    expect(session.notice).toMatch(/changed in the meantime/);
  });

  test("is not sent again once the screen is left", async () => {
    const sent = server(unheard);
    const session = seated();
    const done = session.act("pass");
    await vi.advanceTimersByTimeAsync(10);
    session.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    await done;
    expect(sent.length).toBe(1);
  });
});

test("a screen that is left while it joins does not try again", async () => {
  const asked = vi.fn(unheard);
  vi.stubGlobal("fetch", asked);
  const session = new GameSession("g");
  const joining = session.start();
  session.stop();
  await joining;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveBeenCalledTimes(1);
});
