import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Desk } from "../../src/lib/desk.svelte";
import { ruleDesk } from "../../src/lib/rules.svelte";
import { keydown, pointerdown } from "../../src/screens/battle/keys";

/** A desk that only notes what the keys do to it. */
function desk(o: { open?: Desk["open"]; finding?: boolean } = {}) {
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  const fake = {
    live: { position: { undo: "free" }, undo: note("undo") },
    command: { ending: {}, go: note("go"), cancel: note("step back"), next: note("next"), mates: [], party: [] },
    overlays: { has: () => true, toggle: note("overlay") },
    looking: { moment: 3, to: note("look back") },
    unfolding: { on: false, toThePresent: note("to the present") },
    hands: [],
    brass: {},
    enter: note("go"),
    explain: note("explain"),
    finding: false,
    ...o,
  };
  return { desk: fake as unknown as Desk, done };
}
const key = (name: string) => ({ key: name, target: { closest: () => null }, preventDefault: () => {} }) as unknown as KeyboardEvent;
const PLAYING = ["e", "u", "z", ",", "Enter", " ", "1"];

beforeEach(() => void (ruleDesk.id = undefined));

describe("keys", () => {
  test("play the game while nothing lies over it", () => {
    const { desk: d, done } = desk();
    for (const k of ["e", "u", "z", ",", "Enter", "x"]) keydown(d, key(k));
    expect(done).toEqual(["go", "undo", "overlay", "look back", "go", "explain"]);
  });
  test("in a lesson I asks for a hint, B starts over, and Escape puts down but never leaves", () => {
    const { desk: d, done } = desk();
    const note = (what: string) => () => void done.push(what);
    const lesson = { hint: note("hint"), startOver: note("start over"), leave: note("leave") };
    Object.assign(d, { lesson });
    for (const k of ["i", "b", "Escape", "Escape"]) keydown(d, key(k));
    expect(done).toEqual(["hint", "start over", "step back", "step back"]);
  });
  test.each(["menu", "settings", "keys", "share"] as const)("do not play beneath: %s", (open) => {
    const { desk: d, done } = desk({ open });
    for (const k of PLAYING) keydown(d, key(k));
    expect(done).toEqual([]);
    expect(d.open).toBe(open);
    keydown(d, key("Escape"));
    expect(d.open).toBeUndefined();
    expect(done).toEqual([]);
  });
  test("Enter and Space lead to the present while something unfolds", () => {
    const { desk: d, done } = desk();
    (d.unfolding as { on: boolean }).on = true;
    for (const k of ["Enter", " ", "u"]) keydown(d, key(k));
    expect(done).toEqual(["to the present", "to the present"]);
  });
  test("do not play beneath the finder", () => {
    const { desk: d, done } = desk({ finding: true });
    for (const k of PLAYING) keydown(d, key(k));
    keydown(d, key("Escape"));
    expect(d.finding).toBe(false);
    expect(done).toEqual([]);
    keydown(d, key("Escape"));
    expect(done).toEqual(["step back"]);
  });
  test("do not play beneath a rule, and Escape closes the rule alone", () => {
    const { desk: d, done } = desk({ open: "menu" });
    ruleDesk.id = "7.3";
    const close = vi.spyOn(ruleDesk, "close");
    for (const k of PLAYING) keydown(d, key(k));
    keydown(d, key("Escape"));
    expect(close).toHaveBeenCalledOnce();
    expect(done).toEqual([]);
    expect(d.open).toBe("menu");
    close.mockRestore();
  });
  test("take nothing back while an earlier moment is looked at", () => {
    const { desk: d, done } = desk();
    Object.assign(d.looking, { back: true });
    keydown(d, key("u"));
    expect(done).toEqual([]);
  });
  test("the question mark opens the list of keys and closes it", () => {
    const { desk: d } = desk();
    keydown(d, key("?"));
    expect(d.open).toBe("keys");
    keydown(d, key("?"));
    expect(d.open).toBeUndefined();
  });
  test("Enter is the brass button's after a click on another button, and that button's own after a walk to it", () => {
    const { desk: d, done } = desk();
    const onButton = (name: string) => ({ ...key(name), target: { closest: (s: string) => (s.includes("button") ? {} : null) } }) as unknown as KeyboardEvent;
    pointerdown();
    keydown(d, onButton("Enter"));
    expect(done).toEqual(["go"]);
    keydown(d, onButton("Tab"));
    keydown(d, onButton("Enter"));
    expect(done).toEqual(["go"]);
  });
});
