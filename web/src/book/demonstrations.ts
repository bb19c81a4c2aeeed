/** Situations played by the engine, to be looked at step by step. */
import { api, Refused } from "../lib/api";
import type { Demonstration, Entry, PieceId, Prompt, View } from "../wire";
import { shelf } from "./shelf";

const known = new Map<string, Promise<Demonstration>>();
/** The last ones looked at are kept; a page of diagrams has fewer. */
const KEPT = 60;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
/** A server that has too much to do is asked again, ms later each time. */
const WAITS = [400, 1200, 3000];

async function ask(text: string): Promise<Demonstration> {
  for (let i = 0; ; i++) {
    try {
      return await api.demonstrate({ text });
    } catch (error) {
      const busy = error instanceof Refused && (error.status === 429 || error.status === 503);
      if (!busy || i === WAITS.length) throw error;
      await pause(WAITS[i]);
    }
  }
}

let queue: Promise<unknown> = Promise.resolve();

/** For a page of diagrams: one after the other, so that the stage never waits for them. */
export function demonstrateInTurn(system: string, name: string): Promise<Demonstration> {
  if (known.has(`${system}/${name}`)) return demonstrate(system, name);
  const turn = queue.then(() => demonstrate(system, name));
  queue = turn.catch(() => undefined);
  return turn;
}

/** A situation of the library, played through; asked for once. */
export function demonstrate(system: string, name: string): Promise<Demonstration> {
  const key = `${system}/${name}`;
  let found = known.get(key);
  if (!found) {
    found = shelf.situations(system).then((texts) => {
      const text = texts[name];
      if (text === undefined) throw new Error(`There is no situation “${name}”.`);
      return ask(text);
    });
    found.catch(() => known.delete(key));
    known.set(key, found);
    if (known.size > KEPT) known.delete(known.keys().next().value!);
  }
  return found;
}

/** What stands on the board after a step; 0 is before the first. */
export interface Scene {
  view: View;
  entries: Entry[];
  prompt: Prompt | null;
}

export const sceneAt = (demo: Demonstration, step: number): Scene => (step <= 0 ? demo.start : demo.steps[Math.min(step, demo.steps.length) - 1].position);

/** The pieces that a situation is about: those something happens to, or whom its actions name. */
export function concerned(demo: Demonstration): Set<PieceId> {
  const found = new Set<PieceId>();
  for (const { position } of demo.steps)
    for (const e of position.entries) for (const id of [...e.pieces, e.roll?.by, e.roll?.at]) if (id !== null && id !== undefined) found.add(id);
  const bySlug = new Map(demo.start.view.pieces.map((p) => [p.slug, p.id]));
  for (const s of demo.steps)
    for (const action of [...s.play, ...s.asks.map((a) => a.action), ...s.offered, ...s.not_offered])
      for (const word of action.split(/[\s,+]+/)) if (bySlug.has(word)) found.add(bySlug.get(word)!);
  return found.size > 0 ? found : new Set(demo.start.view.pieces.map((p) => p.id));
}

/** A step in a word or two, for its button. */
export function stepName(demo: Demonstration, step: number): string {
  if (step === 0) return "Set up";
  const { play, asks, words, offered, not_offered } = demo.steps[step - 1];
  if (play.length > 0) return words.replace(/\.$/, "");
  if (asks.length > 0) return "What is refused";
  return offered.length + not_offered.length > 0 ? "What may be done" : "What holds";
}

/** The step of a situation that is about a rule: where it is rolled for, refused or told; else the last. */
export function stepAbout(demo: Demonstration, rule: string): number {
  const cites = (e: Entry) => e.rules.includes(rule) || e.roll?.rule === rule || (e.roll?.modifiers.some((m) => m.rule === rule) ?? false);
  const at = demo.steps.findIndex((s) => s.asks.some((a) => a.rule === rule) || s.position.entries.some(cites));
  return at >= 0 ? at + 1 : demo.steps.length;
}
