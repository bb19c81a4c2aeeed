/** Finding a rule by the words players use. */
import type { RuleFace } from "../wire";

/** What players say, and what the rules may call it: any of a row finds the others. */
const SAME: string[][] = [
  ["zoc", "zone of control", "zones of control", "enemy zone", "enemy zones", "zoc of", "zocs"],
  ["los", "line of sight", "lines of sight", "line of fire", "sight"],
  ["drm", "modifier", "modifiers"],
  ["mp", "movement point", "movement points"],
  ["sp", "strength point", "strength points"],
  ["vp", "victory point", "victory points"],
  ["crt", "combat results", "close combat table"],
  ["guns", "artillery", "battery", "batteries"],
  ["melee", "close combat", "hand-to-hand"],
  ["shooting", "fire", "volley"],
  ["flee", "rout", "routed", "routs"],
  ["fallback", "retreat", "retreats", "falls back", "retire"],
  ["odds", "ratio"],
  ["hill", "slope", "elevation", "level", "higher ground"],
];

/** A text ready to be searched: lower case, plain dashes and spaces. */
const plain = (text: string) => text.toLowerCase().replace(/[\u2010-\u2015]/g, "-").replace(/\s+/g, " ").trim();

/** Whether a text has these words one after the other, each from the beginning of a word. */
const has = (text: string, words: string) => new RegExp(`(^|[^\\p{L}\\p{N}])${words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`, "u").test(text);

/** A question as its parts, each with everything that means the same. */
function parts(question: string, same: string[][]): string[][] {
  const whole = same.find((row) => row.includes(question));
  if (whole) return [whole];
  return question.split(" ").map((word) => same.find((row) => row.includes(word)) ?? [word]);
}

/** Whether a text answers a question; `more` are further words that mean the same, as a glossary has them. */
export function asker(question: string, more: string[][] = []): ((text: string) => boolean) | undefined {
  const asked = plain(question);
  if (asked === "") return undefined;
  const wanted = parts(asked, [...SAME, ...more.map((row) => row.map(plain))]);
  return (text) => {
    const ready = plain(text);
    return wanted.every((same) => same.some((words) => has(ready, words)));
  };
}

/** The rules that answer a question, those that have it in their name first; by number where it is one. */
export function findRules(rules: RuleFace[], question: string, more: string[][] = []): RuleFace[] {
  const answers = asker(question, more);
  if (!answers) return rules;
  const byNumber = rules.filter((r) => r.id.toLowerCase().startsWith(plain(question)));
  if (byNumber.length > 0) return byNumber;
  const hits = rules.filter((r) => answers(`${r.name} ${r.says}`));
  return [...hits.filter((r) => answers(r.name)), ...hits.filter((r) => !answers(r.name))];
}
