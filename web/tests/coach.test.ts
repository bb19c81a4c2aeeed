import { describe, expect, test } from "vitest";
import { answeredWell, blunder, reason, sensible, worstLoss } from "../src/school/blunder";
import type { Choice, Hint, OddsReport, Offer, Piece } from "../src/wire";

const choice = (action: string, margin: number, behind: number, more: Partial<Choice> = {}): Choice =>
  ({ offer: { action, piece: 1, targets: [2], notes: [] as Offer["notes"] }, title: action, margin, behind, low: margin - 4, high: margin + 4, within: 1, plays: 100, often: null, line: [], ...more }) as unknown as Choice;
const hint = (...choices: Choice[]): Hint => ({ side: "first", question: "", plays: 300, until_turn: 3, choices, clear: true, decides: null }) as Hint;
const piece = (id: number, side: "first" | "second", name: string) => ({ id, side, name }) as Piece;
const report = (id: number, gone: number): OddsReport => ({ pieces: [{ piece: id, fates: [{ fate: { tone: "gone", word: "lost" }, share: { p: gone } }, { fate: { tone: "holds", word: "holds" }, share: { p: 1 - gone } }] }] }) as unknown as OddsReport;
const pieces = new Map([[1, piece(1, "first", "Calef")], [2, piece(2, "second", "Archer")]]);

describe("a blunder", () => {
  test("costs more than five points", () => {
    const h = hint(choice("a", 7, 0), choice("b", 2, 5), choice("c", 1, 5.5));
    expect(blunder(h, "b", undefined)).toBeUndefined();
    expect(blunder(h, "c", undefined)?.better.offer.action).toBe("a");
    expect(blunder(h, "c", undefined)?.told.why).toContain("about 6 points against “a”");
  });
  test("or loses a unit one time in four, if something better can be done", () => {
    const h = hint(choice("a", 7, 0), choice("b", 5, 2));
    expect(blunder(h, "b", { piece: pieces.get(1)!, p: 0.24 })).toBeUndefined();
    expect(blunder(h, "b", { piece: pieces.get(1)!, p: 0.25 })?.told.why).toContain("Calef is lost in 25 of 100 plays");
    expect(blunder(h, "a", { piece: pieces.get(1)!, p: 0.9 })).toBeUndefined();
  });
  test("names what the enemy is likely to do then", () => {
    const line = [{ side: "first", title: "Gamble: Dismount" }, { side: "second", title: "Pegram: March to 1109" }];
    const h = hint(choice("a", 7, 0), choice("b", -10, 17, { line: line as Choice["line"] }));
    expect(blunder(h, "b", undefined)?.told.why).toContain("A typical reply: “Pegram: March to 1109”.");
  });
  test("is none where choices are sealed, or where nothing is known of it", () => {
    expect(blunder(hint(choice("a", 0, 0, { often: 0.6 }), choice("b", -9, 9, { often: 0 })), "b", undefined)).toBeUndefined();
    expect(blunder(hint(choice("a", 7, 0)), "z", undefined)).toBeUndefined();
  });
  test("is about one's own units", () => {
    expect(worstLoss(report(1, 0.3), pieces, "first")?.p).toBe(0.3);
    expect(worstLoss(report(2, 0.3), pieces, "first")).toBeUndefined();
    expect(worstLoss(undefined, pieces, "first")).toBeUndefined();
  });
});

describe("the coach", () => {
  test("takes only a choice as good as the best for an answer that shows understanding", () => {
    const h = hint(choice("a", 7, 0), choice("b", 5, 2), choice("c", 4, 3));
    expect(["a", "b", "c", "z"].map((a) => answeredWell(h, a))).toEqual([true, false, false, false]);
    expect(answeredWell(hint(choice("a", 7, 0), choice("b", 6.2, 0.8)), "b"), "nothing is given away").toBe(true);
  });
  test("gives a reason for each choice", () => {
    const noted = choice("a", 7, 0, { offer: { action: "a", notes: [{ text: "Stops in Archer's zone", warning: false, stop: true, rule: null }] } as unknown as Offer });
    expect(reason(hint(noted), noted, 0)).toBe("Stops in Archer's zone");
    const plain = choice("b", 3, 4);
    expect(reason(hint(noted, plain), plain, 1)).toBe("4 points behind A.");
  });
  test("calls nothing sensible that it would warn of", () => {
    const h = hint(choice("a", 30, 0), choice("b", 27, 3), choice("c", 7, 23));
    expect(sensible(h).map((c) => c.offer.action)).toEqual(["a", "b"]);
    for (const c of sensible(h)) expect(blunder(h, c.offer.action, undefined)).toBeUndefined();
  });
  test("gives no unit for a reason that neither choice is about, nor a difference of nothing", () => {
    const apart = { action: "a", piece: 8, targets: [9], notes: [] } as unknown as Offer;
    const [a, b] = [choice("a", 7, 0, { offer: apart }), choice("b", 5, 2, { offer: apart })];
    const decides = { says: "", piece: 1, shares: [0.02, 0.86] };
    expect(reason({ ...hint(a, b), decides } as Hint, a, 0, pieces)).toBe("Clearly the best here.");
    const [c, d] = [choice("a", 7, 0), choice("b", 5, 2)];
    expect(reason({ ...hint(c, d), decides: { ...decides, shares: [0.8, 0.82] } } as Hint, c, 0, pieces)).toBe("Clearly the best here.");
  });
  test("measures a blunder by what the same unit could do, where that is no blunder", () => {
    const other = { action: "z", piece: 8, targets: [], notes: [] } as unknown as Offer;
    const h = hint(choice("z", 12, 0, { offer: other }), choice("a", 10, 2), choice("b", 1, 11));
    expect(blunder(h, "b", undefined)?.told.why).toContain("about 9 points against “a”");
    expect(blunder(hint(choice("z", 12, 0, { offer: other }), choice("b", 1, 11)), "b", undefined)?.told.why).toContain("about 11 points against “z”");
  });
  test("never gives the price of a choice for its reason", () => {
    const [a, b] = [choice("a", 7, 0), choice("b", 5, 2)];
    const with_ = (piece: number, shares: number[]) => ({ ...hint(a, b), decides: { says: "", piece, shares } }) as Hint;
    expect(reason(with_(1, [0.02, 0.86]), a, 0, pieces)).toBe("Keeps Calef safer: lost in 2 of 100 plays, otherwise in 86.");
    expect(reason(with_(1, [0.86, 0.02]), a, 0, pieces)).toBe("Worth its price: Calef is lost in 86 of 100 plays.");
    expect(reason(with_(2, [0.5, 0.1]), a, 0, pieces)).toBe("Archer is destroyed in 50 of 100 plays, otherwise in 10.");
    expect(reason(with_(2, [0.1, 0.5]), a, 0, pieces)).toBe("Clearly the best here.");
  });
});
