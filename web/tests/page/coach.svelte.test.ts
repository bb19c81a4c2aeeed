import { flushSync, tick } from "svelte";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { api } from "../../src/lib/api";
import type { Command } from "../../src/lib/command.svelte";
import type { GameSession, Trouble } from "../../src/lib/session.svelte";
import { settings } from "../../src/lib/settings.svelte";
import { Coach } from "../../src/school/coach.svelte";
import { progress } from "../../src/school/progress.svelte";
import type { Choice, Hint, Offer, Position, ScenarioFace } from "../../src/wire";

vi.mock("virtual:school", () => ({ default: { bh: { coach: () => Promise.resolve({ march: { why: "Where it stands decides what it can shoot at.", rules: ["4.e"] } }) } } }));

const offer = (action: string) => ({ action, label: action, piece: null, place: null, targets: [], shares: [], notes: [], rolls: false }) as unknown as Offer;
const OFFERS = ["a", "b", "c"].map(offer);
const choice = (action: string, margin: number, behind: number) => ({ offer: offer(action), title: action, margin, behind, low: margin, high: margin, often: null, line: [] }) as unknown as Choice;
/** a is best, b good enough, c a blunder. */
const HINT = { side: "first", plays: 300, choices: [choice("a", 7, 0), choice("b", 6.4, 0.6), choice("c", -2, 9)], clear: true, decides: null } as unknown as Hint;

class Live {
  id = "g1";
  token = "t";
  side = "first";
  game = { system: "bh", scenario: "bh/first" };
  mine = $state(true);
  position = $state.raw<Position>();
  trouble = $state.raw<Trouble>();
  at(state: number, kind = "march"): void {
    this.position = { state, prompt: { kind, sentence: "", rule: "4.e" } } as Position;
  }
}
class Hand {
  offers = OFFERS;
  shown = undefined;
  pieces = new Map();
  chosen = $state.raw<Offer>();
  guard?: Command["guard"];
  played: string[] = [];
  choose(o: Offer): void {
    this.chosen = o;
  }
  cancel(): void {
    this.chosen = undefined;
  }
  async go(o: Offer | undefined): Promise<void> {
    if (o && (await this.guard!(o))) this.played.push(o.action);
  }
}

let live: Live;
let hand: Hand;
let coach: Coach;
let close: () => void;
let kind = 0;
let march: string;
const heard = vi.fn();

async function settle(): Promise<void> {
  for (let i = 0; i < 8; i++) {
    flushSync();
    await tick();
    await Promise.resolve();
  }
}

beforeEach(async () => {
  vi.spyOn(api, "hint").mockResolvedValue(HINT);
  vi.spyOn(api, "scenarios").mockResolvedValue([{ id: "bh/first", system: "bh" }] as ScenarioFace[]);
  settings.data.coach = "new";
  heard.mockClear();
  live = new Live();
  hand = new Hand();
  // What is known outlives a battle: each test asks about a kind of its own.
  march = `march-${kind++}`;
  close?.();
  close = $effect.root(() => {
    coach = new Coach(live as unknown as GameSession, hand as unknown as Command, () => true, heard);
  });
  live.at(1, march);
  await settle();
});

describe("the coach", () => {
  test("sits in at a system's first battle and speaks of what is new", () => {
    expect(coach.present).toBe(true);
    expect(coach.speaks).toBe(true);
    expect(heard).toHaveBeenLastCalledWith(true);
    // The third costs more than a warning is worth, so it is not offered as sensible.
    expect(coach.choices.map((c) => c.offer.action)).toEqual(["a", "b"]);
  });
  test("asks a busy server again, and says nothing of it", async () => {
    vi.useFakeTimers();
    try {
      const busy = { code: "busy", message: "Too many odds are being worked out; ask again in a moment." };
      const answer = (body: unknown, status: number) => new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
      vi.mocked(api.hint).mockRestore();
      vi.spyOn(globalThis, "fetch").mockResolvedValueOnce(answer(busy, 503)).mockResolvedValueOnce(answer(HINT, 200));
      live.at(2, march);
      await settle();
      expect([coach.hint, coach.problem]).toEqual([undefined, ""]);
      await vi.advanceTimersByTimeAsync(2_000);
      await settle();
      expect(coach.hint).toEqual(HINT);
    } finally {
      vi.useRealTimers();
    }
  });
  test("falls silent after two good answers, and can be called back", async () => {
    for (const state of [2, 3]) {
      await hand.go(OFFERS[1]);
      live.at(state, march);
      await settle();
    }
    expect(hand.played).toEqual(["b", "b"]);
    expect(progress.known("bh", march)).toBe(2);
    expect(coach.speaks).toBe(false);
    coach.explain();
    expect(coach.speaks).toBe(true);
    live.at(4, march);
    expect(coach.speaks).toBe(false);
  });
  test("praises nobody for an act it warned of", async () => {
    vi.spyOn(api, "odds").mockResolvedValue(undefined as never);
    hand.choose(OFFERS[2]);
    await hand.go(OFFERS[2]);
    coach.lead!.beside.find((d) => d.label === "Do it anyway")!.act();
    await settle();
    expect(hand.played).toEqual(["c"]);
    expect(progress.known("bh", march)).toBe(0);
  });
  test("warns before a blunder once, with the better act at Enter and the other one press away", async () => {
    hand.choose(OFFERS[2]);
    await hand.go(OFFERS[2]);
    expect(hand.played).toEqual([]);
    expect(coach.lead?.main?.label).toBe("a instead");
    expect(live.trouble?.code).toBe("coach");
    coach.lead!.beside.find((d) => d.label === "Do it anyway")!.act();
    await settle();
    expect(hand.played).toEqual(["c"]);
    expect(coach.warning).toBeUndefined();
    expect(live.trouble).toBeUndefined();
    expect(progress.known("bh", march)).toBe(0);
  });
  test("warns before a button too, and puts the better act into the hand", async () => {
    await hand.go(OFFERS[2]);
    expect(hand.chosen).toBe(OFFERS[2]);
    coach.lead!.main!.act();
    await settle();
    expect(coach.warning).toBeUndefined();
    expect(hand.played).toEqual([]);
    expect(hand.chosen?.action).toBe("a");
    await hand.go(hand.chosen);
    expect(hand.played).toEqual(["a"]);
  });
  test("another choice takes the warning away", async () => {
    await hand.go(OFFERS[2]);
    expect(coach.warning).toBeDefined();
    hand.choose(OFFERS[0]);
    await settle();
    expect(coach.warning).toBeUndefined();
  });
  test("set to never it neither speaks nor looks", async () => {
    settings.data.coach = "never";
    await settle();
    expect(coach.speaks).toBe(false);
    await hand.go(OFFERS[2]);
    expect(hand.played).toEqual(["c"]);
  });
  test("set to blunders it does not explain, and still warns", async () => {
    settings.data.coach = "blunders";
    await settle();
    expect(coach.speaks).toBe(false);
    await hand.go(OFFERS[2]);
    expect(hand.played).toEqual([]);
  });
  test("is silent where there is nothing to choose", async () => {
    hand.offers = [OFFERS[0]];
    live.at(9, march);
    await settle();
    expect(coach.kind).toBeUndefined();
    expect(coach.speaks).toBe(false);
  });
});
