import { flushSync, tick } from "svelte";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { api } from "../../src/lib/api";
import type { Command } from "../../src/lib/command.svelte";
import type { GameSession, Trouble } from "../../src/lib/session.svelte";
import { Told } from "../../src/lib/told.svelte";
import { Lesson } from "../../src/school/lesson.svelte";
import { progress } from "../../src/school/progress.svelte";
import type { LessonFace, LogLine, Position } from "../../src/wire";

vi.mock("virtual:school", () => ({ default: { bh: { lessons: () => Promise.resolve(["01-a", "02-b"].map((name) => ({ name, text: "", title: name, learns: "", minutes: 3, learnt: [] }))) } } }));

const FACE = {
  title: "Zones", learns: "", minutes: 3, side: "first", pages: [{ says: "One.", look: [] }, { says: "Two.", look: [] }], task: "", goals: [], exercise: null, solved: false, said: null,
  hints: ["a", "b"], why: "Because.", learnt: [], solution: ["march weed 0605"], questions: [],
} as unknown as LessonFace;

const THROWN = { moment: 1, side: "first", entries: [{ kind: "note", text: "Five dice.", roll: { die: "d10", faces: [3], modifiers: [], need: null } }] } as unknown as LogLine;

class Live {
  id = "g1";
  token = "t";
  side = "first";
  mine = true;
  over = false;
  log: LogLine[] = [];
  position = $state.raw<Position>();
  trouble = $state.raw<Trouble>();
  acts: string[] = [];
  at(state: number, moment: number): void {
    this.position = { state, moment, undo: moment > 0 ? "free" : "nothing" } as Position;
  }
  async undo(): Promise<void> {
    this.acts.push("undo");
    this.at(this.position!.state + 1, this.position!.moment - 1);
  }
  async act(action: string): Promise<boolean> {
    this.acts.push(action);
    this.at(this.position!.state + 1, this.position!.moment + 1);
    return true;
  }
}

let face: LessonFace;
let asked: unknown[];
let live: Live;
let lesson: Lesson;
let close: () => void;
let told: Told;
const spoken = vi.fn();

async function settle(): Promise<void> {
  for (let i = 0; i < 6; i++) {
    flushSync();
    await tick();
    await Promise.resolve();
  }
}

beforeEach(async () => {
  face = FACE;
  asked = [];
  spoken.mockClear();
  vi.spyOn(api, "lesson").mockImplementation(async (_id, _token, body) => {
    asked.push(body);
    return face;
  });
  progress.keep("bh/01-a", { game: "g1", page: 0, solved: false });
  live = new Live();
  told = new Told(() => true, () => "first");
  const command = { pieces: new Map(), held: () => false, at: () => [] } as unknown as Command;
  close?.();
  close = $effect.root(() => {
    lesson = new Lesson("bh/01-a", live as unknown as GameSession, command, told, spoken);
    expect(command.held()).toBe(false);
  });
  live.at(1, 0);
  await settle();
});

describe("a lesson", () => {
  test("is read first: the board waits, Enter turns the page, the last one opens the board", () => {
    expect(lesson.holds).toBe(true);
    expect(lesson.lead?.main?.label).toBe("Next");
    lesson.lead!.main!.act();
    expect(lesson.holds).toBe(false);
    expect(lesson.lead).toBeUndefined();
    expect(progress.lesson("bh/01-a")?.page).toBe(1);
  });
  test("speaks of the dice when they have been read: the board waits, Enter goes on", async () => {
    lesson.turn(1);
    face = { ...FACE, solved: true };
    told.hear([THROWN]);
    live.at(2, 1);
    await settle();
    expect(lesson.solved).toBe(false);
    expect(lesson.holds).toBe(true);
    expect(told.lead?.main?.label).toBe("Go on");
    told.lead!.main!.act();
    await settle();
    expect(lesson.solved).toBe(true);
    expect(told.lead).toBeUndefined();
  });
  test("answers a wrong try, which stays until it is taken back", async () => {
    lesson.turn(1);
    face = { ...FACE, said: { kind: "wrong", words: "Not there.", rule: "5.3.a", undo: true } };
    live.at(2, 1);
    await settle();
    expect(lesson.holds).toBe(true);
    expect(live.trouble).toMatchObject({ code: "lesson", lesson: true, refusal: { why: "Not there.", rule: "5.3.a" } });
    expect(lesson.lead?.main?.label).toBe("Try again");
    lesson.lead!.main!.act();
    await settle();
    expect(live.acts).toEqual(["undo"]);
    expect(lesson.answer).toBeUndefined();
    expect(lesson.holds).toBe(false);
    expect(lesson.tries).toBe(1);
  });
  test("an answer that takes nothing back lets the learner go on", async () => {
    lesson.turn(1);
    face = { ...FACE, said: { kind: "wrong", words: "That was Tilton.", rule: null, undo: false } };
    live.at(2, 1);
    await settle();
    expect(lesson.answer?.said.words).toBe("That was Tilton.");
    expect(lesson.holds).toBe(false);
  });
  test("puts its own words to a refused try, in the place of the refusal", async () => {
    lesson.turn(1);
    face = { ...FACE, said: { kind: "wrong", words: "The zone stops you.", rule: "5.3.a", undo: false } };
    live.trouble = { code: "refused", at: "0910", tried: "march weed 0910", refusal: { what: "Not to 0910.", why: "Too far.", rule: "5.2.c" } };
    await settle();
    expect(asked.at(-1)).toEqual({ tried: "march weed 0910" });
    expect(live.trouble).toMatchObject({ lesson: true, at: "0910", refusal: { what: "Not to 0910.", why: "The zone stops you." } });
    expect(lesson.holds).toBe(false);
  });
  test("leaves a refusal that it has no answer to as it is", async () => {
    lesson.turn(1);
    const refusal = { what: "Not to 0910.", why: "Too far.", rule: "5.2.c" };
    live.trouble = { code: "refused", tried: "march weed 0910", refusal };
    await settle();
    expect(live.trouble).toMatchObject({ code: "refused", refusal });
  });
  test("is solved once, and leads on", async () => {
    lesson.turn(1);
    face = { ...FACE, solved: true, said: { kind: "right", words: "", rule: null, undo: false } };
    live.at(2, 1);
    await settle();
    expect(progress.lesson("bh/01-a")?.solved).toBe(true);
    expect(lesson.sentence).toBe("Solved.");
    expect(lesson.lead?.main?.label).toBe("Next lesson");
    expect(lesson.next?.id).toBe("bh/02-b");
    expect(live.trouble).toBeUndefined();
  });
  test("is not left past its questions unawares", async () => {
    lesson.turn(1);
    face = { ...FACE, solved: true, questions: [{ asks: "Which?", choices: ["a", "b"], right: 0, why: "So it is.", rule: null }] };
    live.at(2, 1);
    await settle();
    expect(lesson.lead?.main?.label).toBe("What have you learnt?");
    lesson.lead!.main!.act();
    await settle();
    expect(lesson.lead?.main?.label).toBe("Next lesson");
  });
  test("shows the solution from the start", async () => {
    vi.useFakeTimers();
    lesson.turn(1);
    live.at(5, 2);
    const shown = lesson.show();
    expect(lesson.holds).toBe(true);
    await vi.runAllTimersAsync();
    await shown;
    vi.useRealTimers();
    expect(live.acts).toEqual(["undo", "undo", "march weed 0605"]);
    expect(asked).toContainEqual({ solution: true });
    expect(lesson.showing).toBe(false);
  });
  test("opens its hints one after the other", () => {
    for (const open of [1, 2, 2]) {
      lesson.hint();
      expect(lesson.hints).toBe(open);
    }
    expect(lesson.page).toBe(1);
  });
  test("where nothing solves it any more, Enter starts over", async () => {
    lesson.turn(1);
    face = { ...FACE, said: { kind: "stuck", words: "This way does not work.", rule: null, undo: false } };
    live.at(2, 1);
    await settle();
    expect(lesson.lead?.main?.label).toBe("Start over");
  });
  test("begins at its first page though the other side has decided before, and at its task once the learner has", async () => {
    live.log = [{ side: "second", entries: [] } as unknown as LogLine];
    live.at(2, 1);
    await settle();
    expect(lesson.page).toBe(0);
    live.log = [...live.log, { side: "first", entries: [] } as unknown as LogLine];
    live.at(3, 2);
    await settle();
    expect(lesson.page).toBe(1);
  });
  test("shows on the map what its page speaks of", async () => {
    face = { ...FACE, pages: [{ says: "The six hexes are a **zone of control**.", look: [] }, { says: "March.", look: [] }] } as unknown as LessonFace;
    live.at(2, 0);
    await settle();
    expect(lesson.overlays).toEqual([{ id: "zones", piece: undefined }]);
    lesson.turn(1);
    expect(lesson.overlays).toEqual([]);
  });
  test("shows points only where it speaks of them", async () => {
    expect(lesson.showsScore).toBe(false);
    face = { ...FACE, pages: [{ says: "It costs half a point.", look: [] }] } as unknown as LessonFace;
    live.at(2, 0);
    await settle();
    expect(lesson.showsScore).toBe(false);
    face = { ...FACE, pages: [{ says: "The farm is an **objective**.", look: [] }] } as unknown as LessonFace;
    live.at(3, 0);
    await settle();
    expect(lesson.showsScore).toBe(true);
  });
  test("the last of a course leads to the battle", async () => {
    lesson.turn(1);
    face = { ...FACE, solved: true };
    live.at(2, 1);
    await settle();
    expect(lesson.lead?.main?.label).toBe("Next lesson");
    lesson.course = lesson.course.slice(0, 1);
    flushSync();
    expect(lesson.lead?.main?.label).toBe("To your first battle");
  });
});
