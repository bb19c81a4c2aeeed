import { describe, expect, test } from "vitest";
import { upTo } from "../src/lib/journal";

const act = (n: number, what: string) => JSON.stringify({ n, side: "first", do: what, state: "00" });
const journal = ['{"linstock":1}', act(0, "muster"), act(1, "march a 0101"), act(2, "march b 0202"), '{"back":1,"by":"first","agreed":true}', act(2, "hold b"), act(3, "pass"), '{"end":"drawn"}', ""].join("\n");

describe("a journal cut off at a moment", () => {
  test("keeps what was played and leaves out what was taken back", () => {
    expect(upTo(journal, 2)).toBe(['{"linstock":1}', act(0, "muster"), act(1, "march a 0101"), act(2, "hold b"), ""].join("\n"));
  });
  test("at the set-up has the muster alone", () => {
    expect(upTo(journal, 0)).toBe(['{"linstock":1}', act(0, "muster"), ""].join("\n"));
  });
  test("goes on after its end: the end is left out", () => {
    expect(upTo(journal, 99)).not.toContain('"end"');
  });
});
