import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { GameSession } from "../../src/lib/session.svelte";
import { StandingOrders } from "../../src/lib/standing.svelte";
import { api } from "../../src/lib/api";
import type { Sheet } from "../../src/lib/ground";
import type { OddsReport, Offer, Position } from "../../src/wire";

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
function seated(sheet?: Sheet) {
  const session = new GameSession(`standing-${games++}`);
  session.seats = [{ game: session.id, side: "first", token: "t" }];
  session.side = "first";
  const acts: string[] = [];
  session.actAsOrdered = (action) => {
    acts.push(action);
    return Promise.resolve(true);
  };
  return { session, acts, standing: new StandingOrders(session, () => sheet) };
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
    expect(standing.possible?.decline?.action).toBe("pass");
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

describe("a standing order with a threshold", () => {
  const SHOT = { ...FIRE, rolls: true };
  const TABLE = {} as Sheet;
  /** A firer at the origin that faces north, and a target so many inches before its front. */
  const facing = (moment: number, inches: number) => {
    const piece = (id: number, side: string, y: number, turned: number) => ({ id, side, footprint: { width: 4000, depth: 1000, bases: [] }, place: { pose: { x: 0, y, facing: turned } } });
    const pieces = [piece(1, "first", 0, 0), piece(2, "second", inches * 1000, 18_000)];
    const position = asks(moment, "opportunity", 0, [SHOT, PASS]);
    return { ...position, view: { ...position.view, pieces } } as unknown as Position;
  };
  /** The shot harms the enemy with this chance, and the firer with certainty. */
  const odds = (p: number, within = 0) => {
    const fate = (tone: string, share: number, width = 0) => ({ fate: { tone, word: tone }, share: { p: share, exact: "", within: width } });
    const report = { pieces: [{ piece: 2, fates: [fate("holds", 1 - p), fate("hurt", p / 2, within), fate("gone", p / 2)] }, { piece: 1, fates: [fate("hurt", 1)] }] } as unknown as OddsReport;
    return vi.spyOn(api, "odds").mockResolvedValue(report);
  };
  afterEach(() => void vi.restoreAllMocks());

  async function ordered(only: { below?: number; beyond?: number }) {
    const all = seated(TABLE);
    all.session.take(facing(1, 30));
    odds(0);
    await all.standing.give(only);
    return all;
  }

  test("declines below a chance and asks from it on", async () => {
    const { session, acts, standing } = await ordered({ below: 20 });
    expect([acts, standing.orders[0].declined, standing.orders[0].turn]).toEqual([["pass"], ["Fire at 1? (at most 0.0 %)"], undefined]);
    session.take(facing(2, 2));
    odds(0.2);
    expect(await standing.consider()).toBe(false);
    session.take(facing(3, 2));
    odds(0.19);
    expect(await standing.consider()).toBe(true);
    session.take(facing(4, 2));
    odds(0.19, 0.02);
    expect(await standing.consider(), "a sample may be wrong by its interval").toBe(false);
  });

  test("declines beyond a distance between the blocks and asks within it", async () => {
    const { session, acts, standing } = await ordered({ beyond: 6 });
    session.take(facing(2, 6));
    expect(await standing.consider()).toBe(false);
    session.take(facing(3, 6.1));
    expect(await standing.consider()).toBe(true);
    expect([acts.length, standing.orders[0].declined[1]]).toEqual([2, "Fire at 3? (6.1 inches away)"]);
  });

  test("of two thresholds either is enough", async () => {
    const { session, standing } = await ordered({ below: 20, beyond: 6 });
    for (const [moment, inches, chance, declines] of [[2, 7, 0.9, true], [3, 5, 0.1, true], [4, 5, 0.9, false]] as const) {
      session.take(facing(moment, inches));
      odds(chance);
      expect(await standing.consider()).toBe(declines);
    }
  });

  test("asks where the chance or the distance cannot be told", async () => {
    const { session, standing } = await ordered({ below: 20, beyond: 6 });
    session.take({ ...facing(2, 9), offers: [{ ...SHOT, targets: [] }, PASS] });
    odds(0).mockRejectedValue(new Error("no odds"));
    expect(await standing.consider()).toBe(false);
    session.take({ ...facing(3, 1), offers: [...Array.from({ length: 17 }, (_, i) => ({ ...SHOT, action: `fire ${i}` })), PASS] });
    odds(0);
    expect(await standing.consider()).toBe(false);
  });

  test("plays nothing that was lifted or overtaken while it was weighed", async () => {
    const { session, acts, standing } = await ordered({ below: 20 });
    session.take(facing(2, 2));
    odds(0.1);
    const lifted = standing.consider();
    standing.lift("opportunity");
    expect(await lifted).toBe(false);
    expect(acts.length).toBe(1);
  });

  test("can name what the decision has", () => {
    const { session, standing } = seated(TABLE);
    session.take(facing(1, 8));
    standing.played(PASS);
    session.take(facing(2, 8));
    expect(standing.possible).toMatchObject({ chance: true, unit: "inches" });
    session.take({ ...facing(3, 8), offers: [{ ...SHOT, targets: [], rolls: false }, PASS] });
    expect(standing.possible).toMatchObject({ chance: false, unit: undefined });
  });
});

describe("an order that knows when to ask", () => {
  const AGAIN = offer("reroll", { button: true, rolls: true });
  const kept = (moment: number, well: boolean) => asks(moment, "reroll", 0, [offer("keep", { button: true, label: "Let it stand", ...(well ? { main: true as const } : {}) }), AGAIN]);

  test("never rolls a success again, and asks about a failure", async () => {
    const { session, acts, standing } = seated();
    session.take(kept(1, false));
    expect(standing.possible?.stands).toBeFalsy();
    session.take(kept(2, true));
    expect(standing.possible?.stands).toBe(true);
    await standing.give({ stands: true });
    session.take(kept(3, false));
    expect(await standing.consider()).toBe(false);
    session.take(kept(4, true));
    expect(await standing.consider()).toBe(true);
    expect([acts, standing.orders[0].declined.length, standing.orders[0].turn]).toEqual([["keep", "keep"], 2, undefined]);
  });

  const SNAP = offer("snap a b", { piece: 1, targets: [2], rolls: true });
  const WAVE = offer("wave", { button: true, label: "Let the move go by" });
  const passing = (moment: number, inches: number) => {
    const piece = (id: number, side: string, y: number) => ({ id, side, footprint: { width: 4000, depth: 1000, bases: [] }, place: { pose: { x: 0, y, facing: 0 } } });
    const position = asks(moment, "opportunity", 0, [SNAP, PASS, WAVE]);
    return { ...position, view: { ...position.view, pieces: [piece(1, "first", 0), piece(2, "second", 1000 + inches * 1000)] } } as unknown as Position;
  };

  test("lets moves go by until contact, and is lifted then", async () => {
    const { session, acts, standing } = seated({} as Sheet);
    session.take(passing(1, 8));
    expect(standing.possible?.contact?.action).toBe("wave");
    await standing.give({ contact: true });
    session.take(passing(2, 0.5));
    expect(await standing.consider()).toBe(true);
    session.take(passing(3, 0));
    expect(await standing.consider()).toBe(false);
    expect([acts, standing.orders]).toEqual([["wave", "wave"], []]);
  });

  const holding = (moment: number, ids: number[], turn = 0) => {
    const offers = ids.flatMap((id) => [offer(`hold u${id}`, { piece: id, label: "Hold" }), offer(`advance u${id}`, { piece: id, place: { hex: "0101" } as never })]);
    const position = asks(moment, "order", turn, offers);
    return { ...position, view: { ...position.view, pieces: ids.map((id) => ({ id, name: `Unit ${id}` })) } } as unknown as Position;
  };

  test("has everyone else hold for the rest of the turn, by name", async () => {
    const { session, acts, standing } = seated();
    session.take(holding(1, [4, 5]));
    expect(standing.possible?.holds).toBe(true);
    await standing.hold();
    session.take(holding(2, [5]));
    expect(await standing.consider()).toBe(true);
    session.take(holding(3, [6], 1));
    expect(await standing.consider(), "another turn").toBe(false);
    expect([acts, standing.orders]).toEqual([["hold u4", "hold u5"], []]);
  });

  test("lists who held", async () => {
    const { session, standing } = seated();
    session.take(holding(1, [4, 5]));
    await standing.hold();
    expect(standing.orders[0]).toMatchObject({ label: "Everyone else holds", declined: ["Unit 4"] });
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
