import { afterEach, expect, test, vi } from "vitest";
import { parts } from "../src/lib/address";
import { api } from "../src/lib/api";

afterEach(() => vi.unstubAllGlobals());

/** A page without a server answers by these parts: what the board asks for must have them. */
test("what the board asks for is taken apart as the page takes it apart", async () => {
  const asked: string[][] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(parts(path));
    return new Response("[]", { headers: { "Content-Type": "application/json" } });
  });
  await Promise.all([api.systems(), api.rule("battle-hymn", "5.3.a"), api.scenarios(), api.preview("battle-hymn/drill"), api.listed(), api.game("abc")]);
  expect(asked).toEqual([["systems"], ["systems", "battle-hymn", "rules", "5.3.a"], ["scenarios"], ["scenarios", "battle-hymn", "drill"], ["games"], ["games", "abc"]]);
});

test("other addresses have no parts", () => {
  expect(parts("/healthz")).toEqual([]);
});
