import { describe, expect, test } from "vitest";
import { throwsOf } from "../src/lib/throws";
import type { Entry, LogLine } from "../src/wire";

const entry = (faces?: number[]) => ({ text: "", roll: faces ? { faces } : null }) as unknown as Entry;
const line = (moment: number, ...entries: Entry[]): LogLine => ({ moment, side: "first", act: null, entries });

describe("the tab of dice", () => {
  const log = [line(0), line(1, entry([3, 4]), entry(), entry([6])), line(2, entry())];

  test("lists the throws of the log while the battle goes on", () => {
    expect(throwsOf({ throws: [] }, log)).toEqual([{ moment: 1, side: "first", faces: [3, 4, 6] }]);
  });

  test("lists those of the journal when it is over", () => {
    const thrown = { line: 7, moment: 1, side: null, salt: "ab", faces: [3, 4, 6] };
    expect(throwsOf({ throws: [{ ...thrown, line: 6, faces: [] }, thrown] }, log)).toEqual([thrown]);
  });
});
