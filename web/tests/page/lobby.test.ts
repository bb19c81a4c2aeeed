import { describe, expect, test } from "vitest";
import { parse } from "../../src/lib/route.svelte";
import { openFor } from "../../src/screens/lobby/words";

describe("addresses of the lobby", () => {
  test.each([
    ["#/lobby", { page: "lobby" }],
    ["#/new/challenge", { page: "home", preset: { kind: "challenge", system: undefined } }],
    ["#/new/challenge/battle-hymn", { page: "home", preset: { kind: "challenge", system: "battle-hymn" } }],
    ["#/new/computer/battle-hymn/captain", { page: "home", preset: { kind: "computer", system: "battle-hymn", level: "captain" } }],
    ["#/new/computer/battle-hymn", { page: "home", preset: undefined }],
    ["#/new/nothing", { page: "home", preset: undefined }],
  ])("%s", (hash, route) => expect(parse(hash)).toEqual(route));
});

describe("how long a challenge has been open", () => {
  const minute = 60_000;
  test.each([
    [0, "new"],
    [minute - 1, "new"],
    [minute, "open for 1 min"],
    [59 * minute, "open for 59 min"],
    [60 * minute, "open for 1 h"],
    [24 * 60 * minute, "open for 1 day"],
    [49 * 60 * minute, "open for 2 days"],
  ])("%d ms", (ms, words) => expect(openFor(ms)).toBe(words));
});
