/** What school is made of, read from the folders of the project: situations, lessons, the coach's words. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { parse } from "smol-toml";

/** A situation without its text: enough to list it. */
export interface Listed {
  title: string;
  proves: string[];
  /** The scenario it is taken from, if it is one of the library. */
  scenario?: string;
}

/** Which situations show which rule. */
export interface Index {
  /** By the name that addresses use: the path below `situations/` without its ending. */
  situations: Record<string, Listed>;
  /** The best to look at first. */
  rules: Record<string, string[]>;
  /** Lessons that teach a rule, by their file's name. */
  lessons: Record<string, string[]>;
  /** Battles of the library in which a rule is met, by their ids. */
  met: Record<string, string[]>;
}

export interface LessonText {
  name: string;
  text: string;
  title: string;
  learns: string;
  minutes: number;
  learnt: string[];
}

const folders = (path: string) => (existsSync(path) ? readdirSync(path, { withFileTypes: true }).filter((f) => f.isDirectory()).map((f) => f.name).sort() : []);

function tomls(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((f) => f.isFile() && f.name.endsWith(".toml"));
  return found.map((f) => join(f.parentPath, f.name)).sort();
}

const nameOf = (folder: string, path: string) => relative(folder, path).split(sep).join("/").replace(/\.toml$/, "");

export const systems = (root: string): string[] => folders(join(root, "rules"));

export function situations(root: string, system: string): Record<string, string> {
  const folder = join(root, "crates", system, "situations");
  return Object.fromEntries(tomls(folder).map((path) => [nameOf(folder, path), readFileSync(path, "utf8")]));
}

function rows(root: string, system: string, file: string): string[][] {
  const path = join(root, "rules", system, file);
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8").split("\n").filter((l) => l !== "" && !l.startsWith("#")).map((l) => l.split("\t"));
}

/** Rules that no situation proves name one that shows them at work: `rule <tab> situation`. */
const shown = (root: string, system: string) =>
  rows(root, system, "shows.tsv").map(([rule, situation]) => [rule, situation.replace(/^.*situations\//, "").replace(/\.toml$/, "")]);

/** Words that carry meaning, to tell which situation speaks most plainly of a rule. */
const telling = (text: string) => new Set(text.toLowerCase().replace(/\bzoc\b/g, "zone").split(/[^a-z]+/).filter((w) => w.length > 3).map((w) => w.slice(0, 5)));

/** The words of each rule, its name and what it says. */
function wordsOf(root: string, system: string): Map<string, Set<string>> {
  const { rule } = parse(readFileSync(join(root, "rules", system, "rules.toml"), "utf8")) as { rule: { id: string; name: string; says: string }[] };
  return new Map(rule.map((r) => [r.id, telling(`${r.name} ${r.says}`)]));
}

export function index(root: string, system: string): Index {
  const listed: Record<string, Listed> = {};
  for (const [name, text] of Object.entries(situations(root, system))) {
    const { title = name, proves = [], scenario } = parse(text) as { title?: string; proves?: string[]; scenario?: string };
    // A clause belongs to its rule.
    listed[name] = { title, proves: [...new Set(proves.map((id) => id.split("/")[0]))], ...(scenario ? { scenario } : {}) };
  }
  const rules: Record<string, string[]> = {};
  for (const [name, { proves }] of Object.entries(listed)) for (const id of proves) (rules[id] ??= []).push(name);
  // What is about this rule above all comes first, then what is about few and says so in the rule's own words.
  const words = wordsOf(root, system);
  const shared = (id: string, name: string) => [...telling(listed[name].title)].filter((w) => words.get(id)?.has(w)).length;
  const rank = (id: string, name: string) => (listed[name].proves[0] === id ? 0 : 100) + listed[name].proves.length - 2 * shared(id, name);
  for (const [id, names] of Object.entries(rules)) names.sort((a, b) => rank(id, a) - rank(id, b));
  for (const [id, name] of shown(root, system)) if (name in listed && !(rules[id] ?? []).includes(name)) (rules[id] ??= []).push(name);
  const taught: Record<string, string[]> = {};
  for (const lesson of lessons(root, system)) for (const id of lesson.learnt) (taught[id] ??= []).push(lesson.name);
  const met = Object.fromEntries(rows(root, system, "met.tsv").map(([rule, ...battles]) => [rule, battles]));
  return { situations: listed, rules, lessons: taught, met };
}

export function lessons(root: string, system: string): LessonText[] {
  const folder = join(root, "lessons", system);
  return tomls(folder).filter((path) => /^\d/.test(nameOf(folder, path))).map((path) => {
    const text = readFileSync(path, "utf8");
    const { title = "", lesson = {} } = parse(text) as { title?: string; lesson?: Partial<LessonText> };
    const { learns = "", minutes = 0, learnt = [] } = lesson;
    return { name: nameOf(folder, path), text, title, learns, minutes, learnt };
  });
}

/** What the coach says of each kind of decision. */
export function coach(root: string, system: string): unknown {
  const path = join(root, "lessons", system, "coach.toml");
  return existsSync(path) ? parse(readFileSync(path, "utf8")) : {};
}

export const handbookText = (root: string, system: string): string => readFileSync(join(root, "docs/handbook", `${system}.md`), "utf8");
