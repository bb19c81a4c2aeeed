import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { handbook } from "../school/handbook";
import { handbookText, index, lessons, situations, systems } from "../school/texts";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("a handbook", () => {
  const book = handbook(
    [
      "# Drill: the handbook", "", "What it is.", "", "## 1. Your first battle", "", "Walk [5.1.a, 5.2]. See [the manual](../playing.md).", "",
      "<!-- show 05-march/5.1.a-walk 2: Weed walks one hex -->", "", "### Roads", "", "Faster [5.4].", "", "| kind | cost |", "| --- | --- |", "| road [5.4] | 1 |", "",
      "## Glossary", "", "- **zone of control, ZOC**: the six hexes around a unit [5.3.a].", "",
    ].join("\n"),
    "drill",
  );

  it("is divided into chapters with what they name", () => {
    expect(book.title).toBe("Drill");
    expect(book.chapters.map((c) => [c.id, c.title, c.rules])).toEqual([["your-first-battle", "Your first battle", ["5.1.a", "5.2", "5.4"]]]);
    expect(book.chapters[0].heads).toEqual([{ id: "roads", title: "Roads" }]);
  });

  it("turns rule numbers into links, each of its own", () => {
    const [first] = book.chapters[0].parts;
    expect("html" in first && first.html).toContain('<a class="rule" data-rule="5.2" href="#/rules/drill/5.2">5.2</a>');
    expect("html" in first && first.html).toContain("See the manual.");
  });

  it("has a place for each diagram", () => {
    expect(book.chapters[0].parts[1]).toEqual({ show: "05-march/5.1.a-walk", step: 2, caption: "Weed walks one hex" });
  });

  it("has a glossary by the words players use", () => {
    expect(book.glossary).toHaveLength(1);
    expect(book.glossary[0].words).toEqual(["zone of control", "ZOC"]);
    expect(book.glossary[0].html).toMatch(/^the six hexes around a unit .*5\.3\.a/);
  });
});

describe.each(systems(root))("school's texts of %s", (system) => {
  const listed = index(root, system);
  const book = handbook(handbookText(root, system), system);
  const rules = (parse(readFileSync(`${root}/rules/${system}/rules.toml`, "utf8")) as { rule: { id: string }[] }).rule.map((r) => r.id);

  it("show every rule by a situation", () => {
    expect(rules.filter((id) => !(listed.rules[id]?.length > 0))).toEqual([]);
  });

  it("name situations that exist", () => {
    const texts = situations(root, system);
    for (const names of Object.values(listed.rules)) for (const name of names) expect(texts[name], name).toBeDefined();
  });

  it("draw diagrams of situations that exist, each with a sentence", () => {
    const texts = situations(root, system);
    for (const chapter of book.chapters)
      for (const part of chapter.parts) {
        if (!("show" in part)) continue;
        expect(texts[part.show], part.show).toBeDefined();
        const steps = (parse(texts[part.show]) as { step?: unknown[] }).step ?? [];
        expect(part.step, part.show).toBeLessThanOrEqual(steps.length);
        expect(part.caption).not.toBe("");
      }
  });

  it("link to rules of the inventory only", () => {
    const known = new Set(rules);
    for (const chapter of book.chapters) for (const id of chapter.rules) expect(known.has(id), id).toBe(true);
    for (const word of book.glossary) for (const id of word.rules) expect(known.has(id), id).toBe(true);
  });

  it("give each chapter an address of its own", () => {
    const ids = book.chapters.map((c) => c.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("name each lesson once", () => {
    const names = lessons(root, system).map((l) => l.name);
    expect(new Set(names).size).toBe(names.length);
  });
});
