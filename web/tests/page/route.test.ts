import { describe, expect, test } from "vitest";
import { gameLink, parse } from "../../src/lib/route.svelte";

describe("addresses", () => {
  test("name a page and what it shows", () => {
    expect(parse("")).toEqual({ page: "home" });
    expect(parse("#/game/abc")).toEqual({ page: "game", game: "abc", at: undefined });
    expect(parse(gameLink("abc", 12))).toEqual({ page: "game", game: "abc", at: 12 });
    expect(parse("#/rules/battle-hymn/7.3%2Fa")).toEqual({ page: "rules", system: "battle-hymn", rule: "7.3/a" });
    expect(parse("#/seat/abc/t0ken")).toEqual({ page: "seat", game: "abc", token: "t0ken" });
  });
  test.each(["#/game/%", "#/claim/abc/%E0%A4", "#/%", "#/game", "#/claim/abc", "#/nowhere"])("what cannot be read leads home: %s", (hash) => {
    expect(parse(hash)).toEqual({ page: "home" });
  });
  test.each(["x", "-1", "1.5", "", "1e3", "NaN", "9".repeat(400)])("a moment is a whole number, not %s", (at) => {
    expect(parse(`#/game/abc/${at}`)).toEqual({ page: "game", game: "abc", at: undefined });
  });
});
