import { describe, expect, test } from "vitest";
import { onceMore } from "../../src/lib/begin";
import type { GameFace } from "../../src/wire";

const face = (first: object, second: object) => ({ scenario: "battle-hymn/drill", seats: { first, second }, dice: "sealed", public: false }) as unknown as GameFace;
const ADA = { kind: "here", name: "Ada" };
const CAPTAIN = { kind: "computer", name: "captain" };

describe("the same battle again", () => {
  test("has the same seats and house rules, and dice of its own", () => {
    const again = onceMore(face(ADA, CAPTAIN), { at_random: true }, false);
    expect(again).toMatchObject({ scenario: "battle-hymn/drill", seats: { first: ADA, second: { kind: "computer", level: "captain" } }, options: { at_random: true }, dice: "sealed" });
    expect(again.salt).toMatch(/^[0-9a-f]{32}$/);
    expect(onceMore(face(ADA, CAPTAIN), {}, false).salt).not.toBe(again.salt);
  });
  test("can be fought from the other side", () => {
    expect(onceMore(face(ADA, CAPTAIN), {}, true).seats).toEqual({ first: { kind: "computer", level: "captain" }, second: ADA });
  });
  test("invites again whoever came by a link", () => {
    expect(onceMore(face(ADA, { kind: "link", name: "Bertram" }), {}, false).seats.second).toEqual({ kind: "link" });
  });
});
