/** Looks at the map alone: dev/map.html?survey=gettysburg&hex=84&x=0&y=0&theme=light */
import { parse } from "smol-toml";
import { MapTiles } from "../src/map/tiles";
import type { SheetRequest, Survey } from "../src/map/survey";

const files = import.meta.glob<string>("../../surveys/*.toml", { query: "?raw", import: "default", eager: true });
const q = new URLSearchParams(location.search);
const theme = q.get("theme") === "dark" ? "dark" : "light";
const name = q.get("survey") ?? "gettysburg";
const survey = parse(files[`../../surveys/${name}.toml`]) as unknown as Survey;
const yards = Number(q.get("yards") ?? 300);
const side = yards / Math.sqrt(3);
const request: SheetRequest = {
  survey,
  grid: { cols: Math.floor((survey.size[0] - side / 2) / (1.5 * side)), rows: Math.floor(survey.size[1] / yards), parity: "even-low", size: yards, origin: [side, survey.size[1] - yards / 2] },
  objectives: name !== "gettysburg" ? [] : [["0606", 5], ["1008", 5], ["1304", 5], ["1311", 10], ["1905", 5], ["1811", 15], ["1816", 40], ["2116", 15]].map(([hex, points]) => ({ hex: String(hex), points: Number(points) })),
  entries: name !== "gettysburg" ? [] : [["A", 0, 5250], ["B", 0, 1850], ["C", 1850, 6450], ["D", 3550, 6450], ["E", 5900, 6450], ["F", 7361, 4650], ["G", 7361, 2560], ["H", 6500, 0], ["J", 4550, 0], ["K", 3140, 0]].map(([letter, x, y]) => ({ letter: String(letter), at: [Number(x), Number(y)] })),
};
const map = new MapTiles(document.body, request, theme);
const state = { engraved: 0, idle: false, map };
map.onReady = (ms) => (state.engraved = ms);
map.onIdle = () => (state.idle = true);
(window as unknown as { state: typeof state }).state = state;
map.resize(innerWidth, innerHeight);
const hex = Number(q.get("hex") ?? 84);
map.look({ x: Number(q.get("x") ?? -190), y: Number(q.get("y") ?? -190), k: hex / 300 });
