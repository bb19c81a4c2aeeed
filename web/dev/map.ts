/** Looks at the map alone: dev/map.html?hex=84&x=0&y=0&theme=light */
import survey from "./gettysburg.json";
import { MapCanvas } from "../src/map/tiles";
import type { SheetRequest, Survey } from "../src/map/survey";

const q = new URLSearchParams(location.search);
const theme = q.get("theme") === "dark" ? "dark" : "light";
const request: SheetRequest = {
  survey: survey as unknown as Survey,
  grid: { cols: 28, rows: 21, parity: "even-low", size: 300, origin: [173.2, 6300] },
  objectives: [["0606", 5], ["1008", 5], ["1304", 5], ["1311", 10], ["1905", 5], ["1811", 15], ["1816", 40], ["2116", 15]].map(([hex, points]) => ({ hex: String(hex), points: Number(points) })),
  entries: [["A", 0, 5250], ["B", 0, 1850], ["C", 1850, 6450], ["D", 3550, 6450], ["E", 5900, 6450], ["F", 7361, 4650], ["G", 7361, 2560], ["H", 6500, 0], ["J", 4550, 0], ["K", 3140, 0]].map(([letter, x, y]) => ({ letter: String(letter), at: [Number(x), Number(y)] })),
};
const canvas = document.querySelector("canvas")!;
const map = new MapCanvas(canvas, request, theme);
const state = { engraved: 0, idle: false, map };
map.onReady = (ms) => (state.engraved = ms);
map.onIdle = () => (state.idle = true);
(window as unknown as { state: typeof state }).state = state;
map.resize(innerWidth, innerHeight);
const hex = Number(q.get("hex") ?? 84);
map.look({ x: Number(q.get("x") ?? -190), y: Number(q.get("y") ?? -190), k: hex / 300 });
