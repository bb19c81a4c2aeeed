import { describe, expect, test } from "vitest";
import { plainly } from "../src/lib/words";
import { lines, runs } from "../src/school/text";

describe("a lesson's words", () => {
  test("hold bold words, rules and the discs of places", () => {
    expect(runs("**Weed** [1] may stop [5.3.a, 5.3.b] here.")).toEqual([
      { bold: "Weed" }, { words: " " }, { disc: "1" }, { words: " may stop " }, { rule: "5.3.a" }, { rule: "5.3.b" }, { words: " here." },
    ]);
  });
  test("a rule of a scenario is a rule, a single number a place", () => {
    expect(runs("[freemans-farm.a] [12]")).toEqual([{ rule: "freemans-farm.a" }, { words: " " }, { disc: "12" }]);
  });
  test("each sentence that names a place is a line behind its disc", () => {
    const found = lines("Look at the map. **Weed** [1] stands in the wood. He may march. The hexes around **Davis** [2] are his zone.");
    expect(found.map((l) => l.discs)).toEqual([[], ["1"], ["2"]]);
    expect(found[1].runs).toEqual([{ bold: "Weed" }, { words: " stands in the wood. He may march." }]);
  });
  test("the disc leaves no gap before the stop", () => {
    expect(lines("March to the ridge [3].")).toEqual([{ discs: ["3"], runs: [{ words: "March to the ridge." }] }]);
  });
  test("a rule after the stop stays with its sentence", () => {
    expect(lines("A march ends there [1]. [5.3.a] The rest is lost.").map((l) => l.runs)).toEqual([[{ words: "A march ends there. " }, { rule: "5.3.a" }, { words: " The rest is lost." }]]);
  });
  test("paragraphs are lines", () => {
    expect(lines("One.\n\nTwo.")).toHaveLength(2);
  });
});

describe("a rule for somebody who has just begun", () => {
  test("has no short forms", () => {
    expect(plainly("Entering a hex in an enemy ZOC ends the move; its remaining MPs are lost.")).toBe("Entering a hex in an enemy zone of control ends the move; its remaining movement points are lost.");
    expect(plainly("A stream costs +1 MP.")).toBe("A stream costs +1 movement point.");
    expect(plainly("pays only half an MP for each such hex, uphill or not (R54).")).toBe("pays only half a movement point for each such hex, uphill or not.");
    expect(plainly("a Loss of an intact SP and one SP")).toBe("a Loss of an intact strength point and one strength point");
    expect(plainly("exerts a zone of control (ZOC) into")).toBe("exerts a zone of control into");
    expect(plainly("LOST ZOCA")).toBe("LOST ZOCA");
  });
});
