import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { GameSession } from "../../src/lib/session.svelte";
import { StandingOrders } from "../../src/lib/standing.svelte";
import type { Offer, Position } from "../../src/wire";

const offer = (action: string, o: Partial<Offer> = {}) => ({ action, label: action, verb: action.split(" ")[0], piece: null, place: null, targets: [], shares: [], path: [], notes: [], cost: null, button: false, rolls: false, ...o }) as unknown as Offer;
const FIRE = offer("fire a b", { piece: 1, targets: [2] });
const PASS = offer("pass", { button: true, label: "Hold fire" });

const asks = (moment: number, kind: string, turn = 0, offers = [FIRE, PASS]) =>
  ({
    state: moment, moment, at: moment, log: [], log_from: 0, asked: null, offers,
    status: { kind: "deciding", side: "first", thinking: false },
    prompt: { side: "first", kind, sentence: `Fire at ${moment}?`, detail: "", rule: "1" },
    view: { pieces: [], track: [0, 1].map((i) => ({ now: i === turn })) },
  }) as unknown as Position;

let games = 0;
function seated() {
  const session = new GameSession(`standing-${games++}`);
  session.seats = [{ game: session.id, side: "first", token: "t" }];
  session.side = "first";
  const acts: string[] = [];
  session.act = (action) => {
    acts.push(action);
    return Promise.resolve(true);
  };
  return { session, acts, standing: new StandingOrders(session) };
}

beforeEach(() => void vi.stubGlobal("WebSocket", { OPEN: 1 }));
afterEach(() => void vi.unstubAllGlobals());

describe("a standing order", () => {
  test("is offered where the same was declined before in this turn", () => {
    const { session, standing } = seated();
    session.take(asks(1, "opportunity"));
    expect(standing.possible).toBeUndefined();
    standing.played(FIRE);
    session.take(asks(2, "opportunity"));
    expect(standing.possible).toBeUndefined();
    standing.played(PASS);
    session.take(asks(3, "opportunity"));
    expect(standing.possible?.action).toBe("pass");
    session.take(asks(4, "retreat"));
    expect(standing.possible).toBeUndefined();
    session.take(asks(5, "opportunity", 1));
    expect(standing.possible).toBeUndefined();
  });

  test("declines what it names, lists it, and lapses with the turn", async () => {
    const { session, acts, standing } = seated();
    session.take(asks(1, "opportunity"));
    await standing.give();
    session.take(asks(2, "opportunity"));
    expect(await standing.consider()).toBe(true);
    session.take(asks(3, "retreat"));
    expect(await standing.consider()).toBe(false);
    expect(acts).toEqual(["pass", "pass"]);
    expect(standing.orders[0].declined).toEqual(["Fire at 1?", "Fire at 2?"]);
    session.take(asks(4, "opportunity", 1));
    expect(await standing.consider()).toBe(false);
    expect(standing.orders).toEqual([]);
  });

  test("holds until it is lifted when that was asked for", async () => {
    const { session, acts, standing } = seated();
    session.take(asks(1, "opportunity"));
    await standing.give();
    standing.extend("opportunity", true);
    session.take(asks(2, "opportunity", 1));
    expect(await standing.consider()).toBe(true);
    standing.lift("opportunity");
    session.take(asks(3, "opportunity", 1));
    expect(await standing.consider()).toBe(false);
    expect(acts.length).toBe(2);
  });

  test("lets a player who takes back decide", async () => {
    const { session, acts, standing } = seated();
    session.take(asks(4, "opportunity"));
    await standing.give();
    // The same moment again, in a later state.
    session.take({ ...asks(4, "opportunity"), state: 9 });
    expect(await standing.consider()).toBe(false);
    expect(acts).toEqual(["pass"]);
  });

  test("decides nothing where there is no way to decline, or nothing else to do", async () => {
    const { session, standing } = seated();
    session.take(asks(1, "opportunity"));
    await standing.give();
    session.take(asks(2, "opportunity", 0, [FIRE, offer("fire c b", { piece: 3, targets: [2] })]));
    expect(await standing.consider()).toBe(false);
    session.take(asks(3, "opportunity", 0, [PASS]));
    expect(await standing.consider()).toBe(false);
  });
});

describe("one person at both sides", () => {
  const turnOf = (state: number, side: "first" | "second") => ({ ...asks(state, "move"), status: { kind: "deciding", side, thinking: false } }) as unknown as Position;
  function hotSeat(solo: boolean) {
    const { session } = seated();
    session.seats = [{ game: session.id, side: "first", token: "a" }, { game: session.id, side: "second", token: "b" }];
    session.solo = solo;
    session.take(turnOf(1, "first"));
    session.take(turnOf(2, "second"));
    return session;
  }
  test("goes on without a curtain", () => {
    const session = hotSeat(true);
    expect(session.handOver).toBeUndefined();
    expect(session.side).toBe("second");
    expect(session.position).toBeDefined();
  });
  test("two people hand the board over, until they say otherwise", () => {
    const session = hotSeat(false);
    expect(session.handOver).toBe("second");
    expect(session.side).toBe("first");
    session.setSolo(true);
    expect(session.handOver).toBeUndefined();
    expect(session.side).toBe("second");
  });
});
