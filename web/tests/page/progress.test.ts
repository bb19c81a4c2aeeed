import { describe, expect, test } from "vitest";
import { settings } from "../../src/lib/settings.svelte";
import { progress, readKept } from "../../src/school/progress.svelte";

describe("progress", () => {
  test("survives what it does not understand", () => {
    const empty = { lessons: {}, known: {}, called: [] };
    for (const text of [null, "", "[1", "7", "null", "[]"]) expect(readKept(text)).toEqual(empty);
    expect(readKept('{"lessons":{"a/b":{"page":"x","solved":1},"c/d":null},"known":{"a/march":"2","a/fire":1},"called":[1,"g"],"system":3}')).toEqual({
      lessons: { "a/b": { page: 0, solved: false } }, known: { "a/fire": 1 }, called: ["g"],
    });
  });
  test("knows the lesson of a game, and keeps what is solved when it is opened again", () => {
    progress.keep("battle-hymn/01-map", { game: "g1", page: 2 });
    progress.keep("battle-hymn/01-map", { solved: true });
    progress.keep("battle-hymn/01-map", { game: "g2", page: 0 });
    expect(progress.lesson("battle-hymn/01-map")).toEqual({ game: "g2", page: 0, solved: true });
    expect(progress.lessonIn("g2")).toBe("battle-hymn/01-map");
    expect(progress.lessonIn("g1")).toBeUndefined();
    expect(progress.system).toBe("battle-hymn");
    expect(progress.begun).toBe(true);
  });
  test("counts good answers by system and kind", () => {
    progress.answeredWell("battle-hymn", "march");
    progress.answeredWell("battle-hymn", "march");
    expect(progress.known("battle-hymn", "march")).toBe(2);
    expect(progress.known("fields-of-honor", "march")).toBe(0);
    expect(progress.knownOf("battle-hymn")).toEqual([{ kind: "march", times: 2 }]);
  });
  test("goes into a file with the settings and comes back from it", () => {
    settings.data.textScale = 1.3;
    const file = progress.export();
    settings.data.textScale = 1;
    progress.keep("battle-hymn/02-march", { solved: true });
    expect(progress.import(file)).toBe(true);
    expect(settings.data.textScale).toBe(1.3);
    expect(progress.lesson("battle-hymn/02-march")).toBeUndefined();
    expect(progress.lesson("battle-hymn/01-map")?.solved).toBe(true);
    for (const other of ["", "{}", '{"linstock":"journal"}']) expect(progress.import(other)).toBe(false);
  });
  test("takes no setting of another kind from a file", () => {
    expect(progress.import('{"linstock":"settings","settings":{"textScale":"huge","dock":400}}')).toBe(true);
    expect(settings.data.textScale).toBe(1.3);
    expect(settings.data.dock).toBe(400);
  });
});
