/** What a player has learnt, kept in this browser beside the settings. */
import { settings, type SettingsData } from "../lib/settings.svelte";

/** How often a kind of decision is answered well before the coach falls silent about it. */
export const ENOUGH = 2;
/** So many battles remember that the coach was called. */
const CALLED = 50;
const KEY = "linstock.school";

export interface LessonKept {
  /** The game it is played in, while its place is kept. */
  game?: string;
  /** The page that was open last, from 0. */
  page: number;
  solved: boolean;
}

export interface SchoolKept {
  /** By `<system>/<name of the lesson>`. */
  lessons: Record<string, LessonKept>;
  /** How often each kind of decision was answered well, by `<system>/<kind>`. */
  known: Record<string, number>;
  /** Battles to which the coach was called, the latest first. */
  called: string[];
  /** The system that was learnt last. */
  system?: string;
}

/** Reads what was kept, or what somebody brings in a file; what it does not understand it leaves out. */
export function readKept(text: string | null): SchoolKept {
  const kept: SchoolKept = { lessons: {}, known: {}, called: [] };
  let given: unknown;
  try {
    given = JSON.parse(text ?? "{}");
  } catch {
    return kept;
  }
  if (typeof given !== "object" || given === null) return kept;
  const { lessons, known, called, system } = given as Record<string, unknown>;
  for (const [id, l] of Object.entries((lessons ?? {}) as Record<string, Partial<LessonKept> | null>)) {
    if (typeof l !== "object" || l === null) continue;
    kept.lessons[id] = { page: typeof l.page === "number" ? l.page : 0, solved: l.solved === true, ...(typeof l.game === "string" ? { game: l.game } : {}) };
  }
  for (const [id, n] of Object.entries((known ?? {}) as Record<string, unknown>)) if (typeof n === "number") kept.known[id] = n;
  if (Array.isArray(called)) kept.called = called.filter((c): c is string => typeof c === "string");
  if (typeof system === "string") kept.system = system;
  return kept;
}

class Progress {
  #kept = $state(readKept(localStorage.getItem(KEY)));

  get system(): string | undefined {
    return this.#kept.system;
  }

  /** Whether any lesson was ever begun. */
  readonly begun = $derived(Object.keys(this.#kept.lessons).length > 0);

  lesson(id: string): LessonKept | undefined {
    return this.#kept.lessons[id];
  }

  /** The lesson that is played in a game. */
  lessonIn(game: string): string | undefined {
    return Object.entries(this.#kept.lessons).find(([, l]) => l.game === game)?.[0];
  }

  keep(id: string, change: Partial<LessonKept>): void {
    this.#kept.lessons[id] = { ...(this.#kept.lessons[id] ?? { page: 0, solved: false }), ...change };
    this.#kept.system = id.split("/")[0];
    this.#save();
  }

  /** How often a kind of decision was answered well. */
  known(system: string, kind: string): number {
    return this.#kept.known[`${system}/${kind}`] ?? 0;
  }

  /** The kinds of a system's decisions that were answered well at least once. */
  knownOf(system: string): { kind: string; times: number }[] {
    return Object.entries(this.#kept.known).flatMap(([id, times]) => (id.startsWith(`${system}/`) ? [{ kind: id.slice(system.length + 1), times }] : []));
  }

  answeredWell(system: string, kind: string): void {
    this.#kept.known[`${system}/${kind}`] = this.known(system, kind) + 1;
    this.#save();
  }

  called(game: string): boolean {
    return this.#kept.called.includes(game);
  }

  call(game: string): void {
    this.#kept.called = [game, ...this.#kept.called.filter((g) => g !== game)].slice(0, CALLED);
    this.#save();
  }

  /** Settings and progress as a file. */
  export(): string {
    return JSON.stringify({ linstock: "settings", settings: settings.data, school: this.#kept }, null, 2);
  }

  /** Takes settings and progress from such a file; says whether it was one. */
  import(text: string): boolean {
    let given: { linstock?: string; settings?: Partial<SettingsData>; school?: unknown };
    try {
      given = JSON.parse(text) as typeof given;
    } catch {
      return false;
    }
    if (given?.linstock !== "settings") return false;
    settings.take(given.settings ?? {});
    this.#kept = readKept(JSON.stringify(given.school ?? {}));
    this.#save();
    return true;
  }

  #save(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept));
    } catch {
      // Nothing is kept in a private window.
    }
  }
}

export const progress = new Progress();
