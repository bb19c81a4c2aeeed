import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { findRules } from "../src/lib/search";
import type { RuleFace } from "../src/wire";

const inventory = (system: string) => {
  const text = readFileSync(new URL(`../../rules/${system}/rules.toml`, import.meta.url), "utf8");
  return (parse(text) as unknown as { rule: { id: string; name?: string; title?: string; says?: string; text?: string }[] }).rule.map((r) => ({ id: r.id, name: r.name ?? r.title ?? "", says: r.says ?? r.text ?? "" }) as unknown as RuleFace);
};

describe("finding a rule", () => {
  const rules = inventory("battle-hymn");
  test("by the words players use, however they write them", () => {
    const long = findRules(rules, "zone of control");
    expect(long.length).toBeGreaterThan(20);
    expect(findRules(rules, "ZOC")).toEqual(long);
    expect(findRules(rules, "LOS").length).toBeGreaterThan(5);
    expect(findRules(rules, "LOS")).toEqual(findRules(rules, "line of sight"));
  });
  test("by its number, and by those below it", () => {
    expect(findRules(rules, "5.3").every((r) => r.id.startsWith("5.3"))).toBe(true);
    expect(findRules(rules, "5.3.c").map((r) => r.id)).toContain("5.3.c");
  });
  test("by several words in any order", () => {
    const found = findRules(rules, "cavalry retreat");
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(findRules(rules, "retreat cavalry"))).toEqual(new Set(found));
  });
  test("those with the words in their name come first", () => {
    const found = findRules(rules, "retreat");
    const named = found.map((r) => /retreat|fall|retire/i.test(r.name));
    expect(named.indexOf(false)).toBeGreaterThan(0);
    expect(named.lastIndexOf(true)).toBeLessThan(named.indexOf(false));
  });
  test("nothing is found for nonsense, and all for nothing", () => {
    expect(findRules(rules, "xyzzy")).toEqual([]);
    expect(findRules(rules, " ")).toEqual(rules);
  });
});
