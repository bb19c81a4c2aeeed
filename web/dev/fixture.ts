/** A position made by hand, to look at the board without a server. */
import { parse } from "smol-toml";
import type { Board, GameFace, LogLine, Offer, Piece, Place, Position, Side } from "../src/wire";
import { Grid } from "../src/map/grid";

const survey = parse(Object.values(import.meta.glob<string>("../../surveys/gettysburg.toml", { query: "?raw", import: "default", eager: true }))[0]);
const grid = new Grid({ cols: 28, rows: 21, parity: "even-low", size: 300, origin: [173.2, 6300] }, 6450);

export const board: Board = {
  system: "Battle Hymn",
  title: "The First Day",
  subtitle: "Gettysburg",
  blurb: "",
  sides: { first: { id: "usa", name: "Union", livery: "union" }, second: { id: "csa", name: "Confederate", livery: "confederate" } },
  ground: {
    hexes: {
      cols: 28, rows: 21, even_low: true, hex_yards: 300, inset: [0, 0], survey,
      hexes: grid.hexes.map((h) => ({ hex: h.id, terrain: h.id === "0910" ? "woods" : "clear", level: Number(["1007", "1008", "1009", "1010", "1011"].includes(h.id)), name: h.id === "0910" ? "Herbst Woods" : null })),
      sides: [],
    },
  },
  charts: [{ title: "Movement", columns: ["terrain", "infantry", "cavalry"], rows: [["clear", "2", "2"], ["woods", "3", "4"]], rule: "5.4.1.a", note: "" }],
  options: [],
  overlays: [{ id: "zones", name: "Zones of control", of: "board" }, { id: "sight", name: "Line of sight", of: "place" }],
} as unknown as Board;

let next = 0;
const unit = (name: string, side: Side, hex: string, arm: string, whole: number, small: [string, string], band: [string, number], more: Partial<Piece> = {}): Piece => ({
  id: next++, slug: name.toLowerCase(), side, name, byname: null, arm, band: { label: band[0], index: band[1] }, place: { hex }, footprint: null, big: String(whole), small, gauge: { whole, hurt: 0, lost: 0 },
  figures: [{ label: "intact", value: String(whole) }, { label: "demoral.", value: "0" }, { label: "lost", value: "0" }, { label: "morale", value: small[0] }, { label: "MP", value: small[1] }],
  state: null, badges: [], spent: false, hidden: false, livery: null, ...more,
});
export const pieces: Piece[] = [
  unit("Meredith", "first", "1111", "infantry", 6, ["+3", "8"], ["Wadsworth", 0], { byname: "the Iron Brigade" }),
  unit("Cutler", "first", "1108", "infantry", 4, ["+1", "8"], ["Wadsworth", 0], { spent: true, badges: [{ sign: "moved", title: "has moved", rule: null }] }),
  unit("Wainwright A", "first", "1210", "artillery", 3, ["+1", "8"], ["Wadsworth", 0]),
  unit("Gamble", "first", "1009", "dismounted", 3, ["+1", "12"], ["Buford", 1], { gauge: { whole: 3, hurt: 1, lost: 1 } }),
  unit("Calef", "first", "1008", "horse-artillery", 2, ["+2", "12"], ["Buford", 1]),
  unit("Devin", "first", "1006", "cavalry", 4, ["+1", "12"], ["Buford", 1]),
  unit("Archer", "second", "0809", "infantry", 4, ["+1", "8"], ["Heth", 0]),
  unit("Davis", "second", "0906", "infantry", 4, ["0", "8"], ["Heth", 0], { badges: [{ sign: "approach", title: "marked for approach fire", rule: "6.1.4.a" }], gauge: { whole: 4, hurt: 2, lost: 0 } }),
  unit("Pegram", "second", "0706", "artillery", 5, ["+2", "8"], ["Heth", 0]),
  unit("Brockenbrough", "second", "0608", "infantry", 2, ["-1", "8"], ["Heth", 0]),
];

const goal = (hex: string, cost: number, stop = false): Offer => ({
  action: `march meredith ${hex}`, verb: "march", label: `March to ${hex}`, piece: 0, targets: [], place: { hex }, path: hex === "0910" ? [{ hex: "1111" }, { hex: "1010" }, { hex: "0910" }] : [{ hex: "1111" }, { hex }], cost: String(cost),
  notes: stop ? [{ text: "Stops in Archer's zone; 2 MP are lost.", warning: true, stop: true, rule: "5.3.a" }, { text: "Archer fires on the approach: 4 dice, hits on 1.", warning: true, stop: false, rule: "6.1.4.a" }] : [],
  shares: [], button: false, rolls: false, rule: "5.4.1.a",
});
const reach: [string, number, boolean?][] = [["0807", 8, true], ["0908", 7], ["1007", 8], ["0909", 7, true], ["0910", 6, true], ["1109", 5], ["1110", 2], ["1010", 3], ["1207", 8], ["1208", 6], ["1209", 4], ["1309", 8], ["1310", 5], ["1311", 5], ["1211", 2], ["1112", 2], ["1011", 3], ["0911", 5], ["0810", 8, true], ["0811", 7], ["0912", 5], ["1012", 5], ["1113", 4], ["1212", 4], ["1312", 5], ["1410", 6], ["1409", 7], ["1510", 8], ["1411", 6], ["1511", 7], ["0812", 7], ["0913", 7], ["1013", 6]];
export const offers: Offer[] = [
  ...reach.map(([h, c, s]) => goal(h, c, s)),
  { ...goal("1310", 4), action: "march wainwright 1310", piece: 2, label: "March to 1310" },
  { ...goal("1111", 0), action: "end", verb: "end", label: "End the turn", piece: null, place: null, path: [], cost: null, button: true },
];

const hex = (id: string): Place => ({ hex: id });
export const log: LogLine[] = [
  { moment: 1, side: "second", act: null, entries: [
    { kind: "time", side: null, text: "Hour 9 · Confederate Combat Turn", rules: [], pieces: [], places: [], roll: null, only: null },
    { kind: "fire", side: "second", text: "Pegram bombards Gamble, 5 dice at 3, 2 hits. Gamble fails on 4+1: 2 SP demoralised.", rules: ["10.4.3.b"], pieces: [8, 3], places: [hex("1009")], only: null, roll: { by: 8, at: 3, rule: "10.4.3.b", die: "d10", need: { at_most: 3 }, modifiers: [{ value: 3, reason: "Target in clear", rule: "10.4.3.a" }], faces: [2, 7, 9, 1, 4], result: 2 } },
  ] },
  { moment: 2, side: "second", act: null, entries: [
    { kind: "time", side: null, text: "Hour 10 · Heth moves", rules: [], pieces: [], places: [], roll: null, only: null },
    { kind: "march", side: "second", text: "Davis 0605 → 0906, 7 of 8. Enters Devin's zone: stops, is marked for approach fire.", rules: ["5.3.a"], pieces: [7], places: [hex("0605"), hex("0906")], roll: null, only: null },
  ] },
  { moment: 3, side: "second", act: null, entries: [{ kind: "march", side: "second", text: "Archer 0607 → 0809, 8 of 8.", rules: [], pieces: [6], places: [hex("0607"), hex("0809")], roll: null, only: null }] },
  { moment: 4, side: "first", act: null, entries: [
    { kind: "time", side: null, text: "Hour 10 · Wadsworth moves", rules: [], pieces: [], places: [], roll: null, only: null },
    { kind: "draw", side: "first", text: "Drawn: Wadsworth. 2 markers stay in the cup.", rules: ["4.d"], pieces: [], places: [], roll: null, only: null },
    { kind: "march", side: "first", text: "Cutler 1310 → 1108 by the railroad bed, 6 of 8.", rules: [], pieces: [1], places: [hex("1310"), hex("1108")], roll: null, only: null },
  ] },
];

const track = Array.from({ length: 12 }, (_, i) => i + 8).map((h) => ({
  label: String(h), sub: h < 10 ? "CSA" : h < 12 ? "USA" : h > 13 && h < 17 ? "CSA" : "none", side: (h < 10 || (h > 13 && h < 17) ? "second" : h < 12 ? "first" : null) as Side | null, now: h === 10, past: h < 10, night: false, flag: h === 11, check: h === 16,
}));
export const position: Position = {
  state: 9, moment: 4, at: 4, sight: "first", status: { kind: "deciding", side: "first", thinking: false }, undo: "free", asked: null, log, log_from: 0, offers,
  prompt: { side: "first", kind: "march", sentence: "Wadsworth's division marches. Where does Meredith go?", detail: "Ada decides. Cutler has marched; Wainwright A may still march.", rule: "4.e" },
  view: {
    pieces, track, phases: [], score: { first: 34, second: 17 }, combat: null,
    tally: [{ what: "Objectives", points: { first: 30, second: 5 }, rule: "14.2.a" }, { what: "Losses", points: { first: 4, second: 12 }, rule: "14.2.b" }],
    marks: [["0606", 5, "second"], ["1008", 5, "first"], ["1304", 5, null], ["1311", 10, "first"], ["1905", 5, null], ["1811", 15, "first"], ["1816", 40, "first"], ["2116", 15, null]].map(([h, p, s]) => ({ kind: "objective", place: hex(String(h)), to: null, side: s as Side | null, text: String(p), title: `Objective ${h}` })),
    panels: [{ kind: "cup", inside: [{ label: "Buford", sub: "move", side: "first" }, { label: "CSA", sub: "combat", side: "second" }], drawn: [{ label: "Heth", sub: "move", side: "second" }, { label: "Wadsworth", sub: "move", side: "first" }], held: [{ label: "Combat", sub: "combat", side: "first" }] }],
  },
};
export const game: GameFace = {
  id: "fixture", scenario: "battle-hymn/first-day", system: "battle-hymn", title: "The First Day", sides: board.sides,
  seats: { first: { kind: "here", name: "Ada", taken: true, present: true }, second: { kind: "link", name: "Bertram", taken: true, present: true } },
  status: position.status, yours: "first", state: 9, moment: 4, closed: null, public: false, dice: "sealed", commitment: null, rolls_back: false, created: 0, rematch: null, touched: 0,
};
