// Plays the same games with the modules of the static site and with the native program, and compares every position and the time:
//   node site/compare.mjs <folder of engines> <native example `ask`> <random games> <games a computer level>
// WebAssembly runs here in the engine that Chromium has.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [engines, native, random, levels] = process.argv.slice(2);
if (!native) throw new Error("usage: compare.mjs <folder of engines> <native program> <random games> <games a level>");

const BATTLES = {
  "battle-hymn": "battle-hymn/mcphersons-ridge",
  "brigade-battles": "brigade-battles/sunken-road",
  "american-revolution": "american-revolution/the-cabin",
  "hallowed-ground": "hallowed-ground/crossroads",
  "fields-of-honor": "fields-of-honor/drill-ground",
};
const LEVELS = ["ensign", "sergeant", "lieutenant", "captain", "general"];
/** So many games at once. */
const BATCH = 50;
/** Time is taken over this many batches, WebAssembly and native in turn, so that a busy machine is fair to both. */
const RACES = Number(process.env.RACES ?? 5);

async function inPage(system) {
  const { instance } = await WebAssembly.instantiate(readFileSync(join(engines, `${system}.wasm`)));
  const { memory, room, handle, answer } = instance.exports;
  return (request) => {
    const bytes = new TextEncoder().encode(request);
    const place = room(bytes.length);
    new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
    const begun = performance.now();
    const length = handle(place, bytes.length);
    const took = performance.now() - begun;
    return { took, text: new TextDecoder().decode(new Uint8Array(memory.buffer, answer(), length)) };
  };
}

function outside() {
  const program = spawn(native, [], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const ask = async (request) => {
    program.stdin.write(`${request}\n`);
    const { value } = await lines.next();
    const space = value.indexOf(" ");
    return { took: Number(value.slice(0, space)), text: value.slice(space + 1) };
  };
  return { ask, end: () => program.stdin.end() };
}

const walk = (scenario, level, start, games, quick) => JSON.stringify({ ask: "walk", scenario, level, seeds: { start, end: start + games }, quick });
const games = ({ text }) => {
  const { status, body } = JSON.parse(text);
  if (status !== 200) throw new Error(text);
  return body;
};

let faults = 0;
const program = outside();
for (const [system, scenario] of Object.entries(BATTLES)) {
  const page = await inPage(system);
  let equal = 0;
  for (let at = 0; at < Number(random); at += BATCH) {
    const request = walk(scenario, "random", at, Math.min(BATCH, Number(random) - at), false);
    const [here, there] = [games(page(request)), games(await program.ask(request))];
    equal += here.filter((game, i) => game.digest === there[i].digest && game.decisions === there[i].decisions).length;
  }
  const same = [];
  for (const level of LEVELS) {
    if (Number(levels) === 0) continue;
    const request = walk(scenario, level, 7, Number(levels), false);
    const [here, there] = [page(request), await program.ask(request)];
    if (games(here).every((game, i) => game.digest === games(there)[i].digest)) same.push(level);
    else faults++;
  }
  // The best of several: what else the machine does only ever makes it slower.
  let [mine, theirs, decisions] = [Infinity, Infinity, 0];
  for (let race = 0; race < RACES; race++) {
    const request = walk(scenario, "random", 1000, 20, true);
    const here = page(request);
    mine = Math.min(mine, here.took);
    theirs = Math.min(theirs, (await program.ask(request)).took);
    decisions = games(here).reduce((sum, game) => sum + game.decisions, 0);
  }
  if (equal !== Number(random)) faults++;
  const speed = RACES > 0 ? `; ${Math.round((decisions / mine) * 1000)} decisions a second, ${Math.round((100 * theirs) / mine)} % of native` : "";
  console.log(`${system}: ${equal} of ${random} random games equal at every position; same moves: ${same.join(", ") || "not compared"}${speed}`);
}
program.end();
if (faults > 0) {
  console.error(`${faults} differences`);
  process.exit(1);
}
