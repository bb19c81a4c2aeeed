import { describe, expect, it } from "vitest";
import { bookLink, handbookBase, rulesBase } from "../src/book/address";
import { chancesOf, dueWords } from "../src/book/chances";
import { alike, find } from "../src/book/find";
import { ruleParts, tiesOf } from "../src/book/links";
import { lit, pairing, words } from "../src/lib/pairing";
import type { Handbook, Index } from "../src/book/shelf";
import type { Sheet } from "../src/lib/ground";
import type { Piece, Roll, RuleFace } from "../src/wire";

const rules: RuleFace[] = [
  { id: "5.3.a", name: "ZOC entry stops", says: "Entering a hex in an enemy ZOC ends the move there." },
  { id: "5.3.h", name: "Marked", says: "Whoever enters under 5.3.a is marked; see 9.9.z." },
  { id: "6.1.4.c", name: "Approach fire", says: "Take 3 off." },
];
const book: Handbook = {
  title: "Drill",
  lead: "",
  chapters: [{ id: "marching", title: "Marching", minutes: 1, heads: [], rules: ["5.3.a"], parts: [], text: ["A unit's zone is the six hexes around it.", "Guns need a clear line of sight."] }],
  glossary: [{ words: ["zone of control", "ZOC"], html: "six hexes", text: "six hexes", rules: ["5.3.a"] }, { words: ["Stockade"], html: "a wall", text: "a wall", rules: [] }],
};

describe("addresses of the book", () => {
  it("name a rule, a situation and a step", () => {
    expect(bookLink(rulesBase("battle-hymn"), { rule: "5.3.a", situation: "05-march/5.3.a-stop", step: 2 })).toBe("#/rules/battle-hymn/5.3.a/05-march%2F5.3.a-stop/2");
    expect(bookLink(handbookBase("battle-hymn", "marching"), { rule: "5.3.a" })).toBe("#/handbook/battle-hymn/marching/5.3.a");
  });
  it("leave out a step without its situation", () => {
    expect(bookLink("#/rules/x", { rule: "1", step: 2 })).toBe("#/rules/x/1");
  });
});

describe("the search", () => {
  it("finds by the words players use", () => {
    const found = find("ZOC", book, rules)!;
    expect(found.words.map((w) => w.words[0])).toEqual(["zone of control"]);
    expect(found.rules.map((r) => r.id)).toEqual(["5.3.a"]);
    expect(find("LOS", book, rules)!.passages.map((p) => p.chapter)).toEqual(["marching"]);
  });
  it("names the nearest words where nothing is found", () => {
    const found = find("stokade", book, rules)!;
    expect(found.rules).toEqual([]);
    expect(found.nearest).toEqual(["Stockade"]);
  });
  it("knows how alike words are", () => {
    expect(alike("zone", "zone")).toBe(1);
    expect(alike("zone", "stirrup")).toBeLessThan(0.3);
  });
});

describe("what a rule is tied to", () => {
  it("finds the rules that a text names, and no other numbers", () => {
    expect(ruleParts("Under 5.3.a, not 9.9.z.", new Set(["5.3.a"]))).toEqual(["Under ", "5.3.a", ", not 9.9.z."]);
  });
  it("counts what is shown together", () => {
    const index: Index = {
      situations: { a: { title: "", proves: ["5.3.a", "6.1.4.c"], scenario: "drill/one" }, b: { title: "", proves: ["5.3.a", "5.3.h", "6.1.4.c"] } },
      rules: { "5.3.a": ["a", "b"] }, lessons: { "5.3.a": ["02-zones"] }, met: { "5.3.a": ["drill/two"] },
    };
    expect(tiesOf(rules[0], rules, index)).toEqual({ named: ["5.3.h"], together: ["6.1.4.c"], scenarios: ["drill/one", "drill/two"], lessons: ["02-zones"] });
  });
});

describe("a roll that fell", () => {
  const roll: Roll = { by: 1, at: 2, rule: "6.1", die: "d10", need: { at_most: 6 }, modifiers: [], faces: [4, 8, 2, 6, 9, 1], result: 4 };
  it("is told with what was due", () => {
    expect(chancesOf(roll)!.map((c) => Math.round(c * 1000) / 10)).toEqual([0.4, 3.7, 13.8, 27.6, 31.1, 18.7, 4.7]);
    expect(dueWords(roll)).toBe("4 of 6 dice pass. Due were 3.6; 4 or more come in 54.4 % of such rolls.");
  });
  it("of one die passes or fails", () => {
    expect(dueWords({ ...roll, faces: [9], result: 0 })).toBe("Failed: it passes in 60.0 % of tries.");
  });
  it("that is added up has no chances", () => {
    expect(dueWords({ ...roll, need: null })).toBeUndefined();
  });
});

describe("a chart with two units on it", () => {
  const chart = { title: "Fire Range", columns: ["range", "1", "2"], rows: [["infantry", "x1", "-"], ["artillery", "x2", "x1"]], rule: null, note: "" };
  it("lights the row and the column that say exactly that", () => {
    const on = lit(chart, new Set(["artillery", "range 2", "horse"]));
    expect([...on.rows]).toEqual([1]);
    expect([...on.columns]).toEqual([2]);
  });
  it("lights odds, however the minus is written", () => {
    const on = lit({ ...chart, columns: ["roll", "1–2", "3-2"], rows: [["−2 ■", "a", "b"]] }, new Set(["3-2", "-2"]));
    expect([...on.columns]).toEqual([2]);
    expect([...on.rows]).toEqual([0]);
  });
  it("takes from the engine what two units on a table mean", () => {
    const piece = (id: number, x: number) => ({ id, arm: "infantry", figures: [], place: { pose: { x, y: 0, facing: 0 } } }) as unknown as Piece;
    const sheet = { faces: new Map(), request: { survey: { size: [0, 0] } } } as unknown as Sheet;
    const fire = { by: [1], at: [2], dice: 6, test: null, modifiers: [], considered: [] };
    const prospects = [{ at: 2, fire, notes: [{ text: "6 dice", warning: false, stop: false, rule: null }], labels: ["rifled musket", "short", "flank fire"] }];
    const pair = pairing(piece(1, 0), piece(2, 4000), [], [], sheet, prospects);
    expect(pair.fire).toEqual(fire);
    expect(pair.notes.map((n) => n.text)).toEqual(["6 dice"]);
    const weapons = { ...chart, columns: ["", "dice a stand", "short", "medium"], rows: [["smoothbore musket", "1", "2", "3"], ["rifled musket", "1", "4", "7"]] };
    const on = lit(weapons, words(pair, sheet));
    expect([[...on.rows], [...on.columns]]).toEqual([[1], [2]]);
    expect(pairing(piece(1, 0), piece(3, 9000), [], [], sheet, prospects).fire).toBeUndefined();
  });
});
