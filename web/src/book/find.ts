/** Finding in the whole book: words of the glossary, passages of the handbook, rules. */
import { asker, findRules } from "../lib/search";
import type { RuleFace } from "../wire";
import type { Handbook, Word } from "./shelf";

export interface Found {
  words: Word[];
  passages: { chapter: string; title: string; text: string }[];
  rules: RuleFace[];
  /** Where nothing was found: words of the glossary that look like the one sought. */
  nearest: string[];
}

const MOST = 8;

/** Two letters each, to tell how alike two words are. */
const pairs = (word: string) => new Set(Array.from({ length: Math.max(1, word.length - 1) }, (_, i) => word.slice(i, i + 2)));

export function alike(a: string, b: string): number {
  const [x, y] = [pairs(a.toLowerCase()), pairs(b.toLowerCase())];
  const both = [...x].filter((p) => y.has(p)).length;
  return (2 * both) / (x.size + y.size);
}

export function find(question: string, book: Handbook, rules: RuleFace[]): Found | undefined {
  const same = book.glossary.map((w) => w.words);
  const answers = asker(question, same);
  if (!answers) return undefined;
  const words = book.glossary.filter((w) => answers(w.words.join(" ; ")));
  const passages = book.chapters.flatMap((c) => c.text.filter(answers).map((text) => ({ chapter: c.id, title: c.title, text }))).slice(0, MOST);
  const found = findRules(rules, question, same);
  const none = words.length + passages.length + found.length === 0;
  const nearest = none
    ? [...new Set(same.flat())].map((w): [string, number] => [w, alike(w, question)]).filter(([, n]) => n > 0.25).sort((a, b) => b[1] - a[1]).slice(0, 5).map(([w]) => w)
    : [];
  return { words, passages, rules: found, nearest };
}
