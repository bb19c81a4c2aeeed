import { expect, test } from "vitest";
import { count, hintWords, points, scaleOf, share } from "../src/analysis/words";
import type { Choice, Hint } from "../src/wire";

const choice = (title: string, margin: number, o: Partial<Choice> = {}) => ({ title, margin, low: margin - 4, high: margin + 4, often: null, ...o }) as unknown as Choice;
const hint = (choices: Choice[], clear: boolean) => ({ choices, clear }) as unknown as Hint;

test("points bear their sign", () => {
  expect([9.4, 0.2, -0.2, -3.6].map(points)).toEqual(["+9", "0", "0", "−4"]);
  expect(count(1, "play")).toBe("1 play");
  expect(count(2400, "play")).toBe("2,400 plays");
});

test("a hint says what it comes to, and owns up when nothing decides", () => {
  expect(hintWords(hint([choice("Hold", 9), choice("Attack", 1)], true))).toBe("Hold is best.");
  expect(hintWords(hint([choice("Hold", 9), choice("Attack", 8)], false))).toMatch(/No clear difference/);
  expect(hintWords(hint([choice("Commit", 0, { often: 0.4 })], false))).toMatch(/in secret/);
  expect(hintWords(hint([], false))).toMatch(/nothing to choose/);
});

test("whiskers share one scale that holds nought", () => {
  const scale = scaleOf([choice("a", 10), choice("b", 2)]);
  expect(scale).toEqual({ from: -2, to: 14 });
  expect(share(0, scale)).toBe(12.5);
  expect(scaleOf([])).toEqual({ from: -1, to: 1 });
});
