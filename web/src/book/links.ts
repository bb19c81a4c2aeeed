/** What a rule is tied to: rules its text names, rules shown together with it, battles in which it is met, lessons. */
import type { RuleFace } from "../wire";
import type { Index } from "./shelf";

/** A text in pieces: words, and at odd places the numbers of rules. */
export function ruleParts(text: string, known: ReadonlySet<string>): string[] {
  const out = [""];
  let from = 0;
  for (const found of text.matchAll(/[A-Za-z0-9]+(?:[.-][A-Za-z0-9-]+)+/g)) {
    if (!known.has(found[0])) continue;
    out[out.length - 1] += text.slice(from, found.index);
    out.push(found[0], "");
    from = found.index + found[0].length;
  }
  out[out.length - 1] += text.slice(from);
  return out;
}

export interface Ties {
  /** Rules that the text names, and that name it. */
  named: string[];
  /** Rules that the same situations show, most often first. */
  together: string[];
  scenarios: string[];
  lessons: string[];
}

const MOST = 6;

export function tiesOf(rule: RuleFace, rules: RuleFace[], index: Index): Ties {
  const known = new Set(rules.map((r) => r.id));
  const names = (r: RuleFace) => ruleParts(r.says, known).filter((_, i) => i % 2 === 1);
  const named = [...new Set([...names(rule), ...rules.filter((r) => names(r).includes(rule.id)).map((r) => r.id)])].filter((id) => id !== rule.id);
  const counts = new Map<string, number>();
  const scenarios = new Set<string>();
  for (const name of index.rules[rule.id] ?? []) {
    const listed = index.situations[name];
    for (const id of listed.proves) if (id !== rule.id && !named.includes(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
    if (listed.scenario) scenarios.add(listed.scenario);
  }
  for (const scenario of index.met[rule.id] ?? []) scenarios.add(scenario);
  const together = [...counts].sort((a, b) => b[1] - a[1]).map(([id]) => id).slice(0, MOST);
  return { named: named.slice(0, MOST), together, scenarios: [...scenarios].slice(0, MOST), lessons: index.lessons[rule.id] ?? [] };
}
