import { expect, test } from "vitest";
import { handWords, leftOf, paceWords, timeWords } from "../src/clock/words";
import { metIn, sentenceOf } from "../src/orders/words";
import type { ClockFace, Offer, Position } from "../src/wire";

const HOUR = 3_600_000;
const clock = (o: Partial<ClockFace> = {}) =>
  ({ terms: { pace: "fast" }, runs: "first", rest: null, fallen: null, hands: { first: { left: 2 * HOUR, leave: 0 }, second: { left: 50 * HOUR, leave: 0 } }, ...o }) as unknown as ClockFace;

test("time is told as coarsely as it lasts", () => {
  expect([50 * HOUR, 2 * HOUR + 600_000, 65_000, -5].map(timeWords)).toEqual(["2 d 2 h", "2 h 10 min", "1:05", "0:00"]);
  expect(paceWords({ pace: "slow", weekends_off: true })).toBe("Slow, weekends off");
});

test("only the clock that runs is counted on, and not on a weekend", () => {
  expect(leftOf(clock(), "first", HOUR)).toBe(HOUR);
  expect(leftOf(clock(), "second", HOUR)).toBe(50 * HOUR);
  const weekend = clock({ rest: { kind: "weekend", until: 0 } });
  expect(handWords(weekend, "first", HOUR)).toBe("2 h 0 min left, weekend");
  expect(handWords(clock({ fallen: "first" }), "first", 3 * HOUR)).toBe("out of time");
  expect(handWords(clock({ rest: { kind: "leave" }, hands: { first: { left: 0, leave: 1, zone_known: false }, second: { left: 0, leave: 1, zone_known: false } } }), "first", 0)).toBe("on leave");
});

test("an order is one sentence in the board's words", () => {
  const offer = (o: Partial<Offer>) => ({ piece: null, place: null, targets: [], shares: [], button: false, rolls: false, ...o }) as unknown as Offer;
  const offers = [offer({ verb: "fire", label: "Fire", piece: 7, rolls: true }), offer({ verb: "pass", label: "Hold fire", button: true })];
  const met = metIn({ prompt: { kind: "return-fire" }, offers } as unknown as Position, () => "Cutler");
  expect(met).toEqual({ kind: "return-fire", verbs: [{ verb: "fire", label: "fire", rolls: true }], decline: "Hold fire", units: [{ id: 7, name: "Cutler" }] });
  const say = (order: object) => sentenceOf({ kind: "return-fire", if: { kind: "always" }, then: { kind: "decline" }, ...order }, met);
  expect(say({})).toBe("If I am asked for return fire, then hold fire.");
  expect(say({ if: { kind: "odds", least: 40 }, then: { kind: "take", verb: "fire" } })).toBe("If I am asked for return fire and it harms an enemy with at least 40 %, then fire, the first that is offered.");
  expect(say({ if: { kind: "unit", piece: 7 }, then: { kind: "captain" }, turn: 3 })).toBe("If I am asked for return fire and Cutler could act, then let the captain decide, this turn only.");
});
