/** Hosts games in a page: finds the engine of a game, keeps what changes, lets computers think, tells whoever looks on. */
import type { Code, GameFace, Mine, NewGame, Import, OwnScenario, Problem, ServerMessage } from "../wire";
import { parts } from "../lib/address";
import { engine, type Engine, type EngineAnswer } from "./engine";
import type { FromWorker, ToWorker } from "./messages";
import { shelf } from "./shelf";

interface Answer {
  status: number;
  body: unknown;
}

/** Somebody who looks at a game, and the last state they were told. */
interface Onlooker {
  game: string;
  token?: string;
  state: number;
}

/** All files of a release lie in a folder of their own, so that versions never mix. */
const FILES = new URL(`../release/${import.meta.env.VITE_RELEASE}/`, self.location.href);
/** A pause between the moves of computers, ms, in which the page may ask something. */
const BREATH = 20;

const tell = (message: FromWorker) => self.postMessage(message);
const hex = (bytes: Uint8Array) => [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
const fresh = () => hex(crypto.getRandomValues(new Uint8Array(160)));
const problem = (status: number, code: Code, message: string): Answer => ({
  status,
  body: { code, message, refusal: null, position: null, roll: null, faults: [] } satisfies Problem,
});

// ------------------------------------------------------------------------------------------- engines and files

const engines = new Map<string, Promise<Engine>>();

function engineOf(system: string): Promise<Engine> {
  let known = engines.get(system);
  if (!known) {
    known = file(`${system}.wasm.lzma`)
      .then((packed) => packed.arrayBuffer())
      .then(engine);
    known.catch(() => engines.delete(system));
    engines.set(system, known);
  }
  return known;
}

async function file(name: string): Promise<Response> {
  const response = await fetch(new URL(name, FILES));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
}

const texts = new Map<string, Promise<unknown>>();

function text(name: string): Promise<unknown> {
  let known = texts.get(name);
  if (!known) {
    known = file(name).then((response) => response.json() as Promise<unknown>);
    known.catch(() => texts.delete(name));
    texts.set(name, known);
  }
  return known;
}

// ------------------------------------------------------------------------------------------- games

/** The system that plays each game that is open here. */
const open = new Map<string, string>();
const onlookers = new Map<number, Onlooker>();
const thinking = new Set<string>();

/** Holds a game for this tab: two tabs would play two games. */
function hold(game: string): Promise<boolean> {
  return new Promise((done) => {
    void navigator.locks.request(`linstock.${game}`, { ifAvailable: true }, (lock) => {
      done(lock !== null);
      return lock === null ? undefined : new Promise(() => undefined);
    });
  });
}

/** The engine of a game, with the game open in it. */
async function table(game: string): Promise<Engine | Answer> {
  const system = open.get(game);
  if (system) return engineOf(system);
  const kept = await shelf.get(game);
  if (!kept) return problem(404, "no_such_game", "This browser does not have that game.");
  if (!(await hold(game))) return problem(409, "full", "This game is open in another tab. Go on there, or close that tab and load this one again.");
  const ask = await engineOf(kept.record.system);
  const answer = ask({ ask: "open", record: kept.record });
  if (answer.status !== 200) return answer;
  open.set(game, kept.record.system);
  return ask;
}

/** Keeps what an answer says is to be kept, and tells the others of it. */
async function settle(answer: EngineAnswer): Promise<Answer> {
  if (answer.keep && answer.face) {
    const { keep: record, face } = answer;
    if (!open.has(record.id)) {
      await hold(record.id);
      open.set(record.id, record.system);
    }
    await shelf.put({ id: record.id, record, face });
    if (answer.changed) void changed(record.id);
    if (answer.thinks) think(record.id);
  }
  return { status: answer.status, body: answer.body };
}

async function changed(game: string): Promise<void> {
  for (const [line, onlooker] of onlookers) if (onlooker.game === game) await greet(line, onlooker, false);
}

async function greet(line: number, onlooker: Onlooker, welcome: boolean): Promise<void> {
  const ask = await table(onlooker.game);
  const answer = typeof ask === "function" ? ask({ ask: "live", game: onlooker.game, token: onlooker.token, state: onlooker.state, welcome }) : ask;
  if (answer.status !== 200) {
    tell({ kind: "tell", line, message: { type: "problem", problem: answer.body as Problem } });
    return;
  }
  const message = answer.body as ServerMessage;
  if (message.type === "welcome" || message.type === "position") onlooker.state = message.position.state;
  tell({ kind: "tell", line, message });
  if ("thinks" in answer && answer.thinks) think(onlooker.game);
}

/** Computers decide one after the other, while somebody looks. */
function think(game: string): void {
  if (thinking.has(game) || ![...onlookers.values()].some((o) => o.game === game)) return;
  thinking.add(game);
  setTimeout(() => {
    void (async () => {
      const ask = await table(game);
      const answer = typeof ask === "function" ? ask({ ask: "think", game, now: Date.now() }) : undefined;
      thinking.delete(game);
      if (answer) await settle(answer);
    })();
  }, BREATH);
}

// ------------------------------------------------------------------------------------------- requests

const SYSTEMS = ["battle-hymn", "brigade-battles", "american-revolution", "hallowed-ground", "fields-of-honor"];
const known = (system: string | undefined): system is string => system !== undefined && SYSTEMS.includes(system);

async function mine(seats: Mine["seats"]): Promise<GameFace[]> {
  const faces: GameFace[] = [];
  for (const seat of seats) {
    const kept = await shelf.get(seat.game);
    if (!kept) continue;
    const hash = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(seat.token))));
    const yours = (["first", "second"] as const).find((side) => kept.record.seats[side].token === hash);
    if (yours) faces.push({ ...kept.face, yours });
  }
  return faces.sort((a, b) => b.touched - a.touched);
}

/** The system that a request is for, where its address does not say. */
function systemOf(path: string, body: unknown): string | undefined {
  if (parts(path)[1] === "import") {
    const first = (body as Import).journal.split("\n", 1)[0] ?? "";
    return /"system"\s*:\s*"([\w-]+)"/.exec(first)?.[1];
  }
  const { scenario, text: own } = body as NewGame;
  return own ? /^\s*system\s*=\s*"([\w-]+)"/m.exec(own)?.[1] : scenario.split("/")[0];
}

async function answer(method: string, path: string, token: string | undefined, body: unknown): Promise<Answer> {
  const [area, a, b, c] = parts(path);
  const request = { ask: "http", method, path, token, body: body ?? null, now: Date.now(), random: fresh() };
  if (area === "systems") {
    if (a === undefined) return { status: 200, body: await text("systems.json") };
    const rules = (await text(`${a}.rules.json`)) as { id: string }[];
    if (c === undefined) return { status: 200, body: rules };
    const rule = rules.find((r) => r.id === decodeURIComponent(c));
    return rule ? { status: 200, body: rule } : problem(404, "no_such_rule", `There is no rule ${c}.`);
  }
  if (area === "scenarios" && method === "POST") {
    const system = /^\s*system\s*=\s*"([\w-]+)"/m.exec((body as OwnScenario).text)?.[1];
    if (!known(system)) return problem(422, "faulty_scenario", "The file does not name a rule system that is here.");
    return settle((await engineOf(system))(request));
  }
  if (area === "scenarios") {
    if (a === undefined || b === undefined) return { status: 200, body: await text("scenarios.json") };
    return settle((await engineOf(a))(request));
  }
  if (a === "mine") return { status: 200, body: await mine((body as Mine).seats) };
  if (a === undefined && method === "GET") return { status: 200, body: { games: [], next: null } };
  if (a === undefined || a === "import") {
    const system = systemOf(path, body);
    if (!known(system)) return problem(422, a === "import" ? "faulty_journal" : "faulty_scenario", "The file does not name a rule system that is here.");
    return settle((await engineOf(system))(request));
  }
  const ask = await table(a);
  return typeof ask === "function" ? settle(ask(request)) : ask;
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case "ask":
      answer(data.method, data.path, data.token, data.body)
        .catch((error: unknown) => problem(503, "busy", `The rules could not be loaded. ${String(error)}`))
        .then(({ status, body }) => tell({ kind: "answer", n: data.n, status, body }));
      break;
    case "hello": {
      const onlooker = { game: data.game, token: data.token, state: data.state };
      onlookers.set(data.line, onlooker);
      void greet(data.line, onlooker, true);
      break;
    }
    case "hang-up":
      onlookers.delete(data.line);
      break;
  }
};
