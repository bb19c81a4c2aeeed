/** The server's interface over HTTP. One function an address. */
import type {
  AtZero, OrdersFace, PutOrders, Zone, Act, Acted, AnswerUndo, Ask, AskDemonstration, Board, ChatLine, Claim, Claimed, Created, Demonstration, GameFace, GameList, Import, Invited, MySeat, NewGame, OwnScenario, SystemRatings,
  Accept, Accepted, AskRematch, ChallengeFace, ChallengeList, PutUp,
  AskCheck, AskHint, AskLesson, AskOdds, AskSealed, AskStudy, Hint, LessonFace, ReviewFace, DiceProof, Luck, Offer, OddsReport, SealedOdds, Overlay, Position, Preview, Problem, RuleFace, ScenarioFace, StudyFace, StudyTerms, SystemFace,
} from "../wire";
import { transport } from "../host/transport";

/** A request that was not granted. */
export class Refused extends Error {
  readonly problem: Problem;
  readonly status: number;

  constructor(problem: Problem, status: number) {
    super(problem.message);
    this.problem = problem;
    this.status = status;
  }
}

/** The server could not be reached at all. */
export class Unreachable extends Error {}

interface Options {
  body?: unknown;
  token?: string | string[];
  headers?: Record<string, string>;
  /** The cookie goes along: for accounts, and in the lobby, where somebody may be blocked. */
  session?: boolean;
  /** An answer later than this, ms, counts as none. */
  patience?: number;
}

export async function raw(path: string, { body, token, headers = {}, session = false, patience }: Options = {}): Promise<Response> {
  const all: Record<string, string> = { ...headers };
  if (token !== undefined) all.Authorization = `Bearer ${Array.isArray(token) ? token.join(" ") : token}`;
  if (body !== undefined) all["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await transport.ask(path, {
      method: body === undefined ? "GET" : "POST",
      headers: all,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: session ? "same-origin" : "omit",
      cache: "no-cache",
      signal: patience === undefined ? undefined : AbortSignal.timeout(patience),
    });
  } catch {
    throw new Unreachable("The server is not answering.");
  }
  if (response.ok) return response;
  let problem: Problem;
  try {
    problem = (await response.json()) as Problem;
  } catch {
    problem = { code: "internal", message: `The server answered ${response.status}.`, refusal: null, position: null, roll: null, faults: [] };
  }
  throw new Refused(problem, response.status);
}

export async function call<T>(path: string, options?: Options): Promise<T> {
  const response = await raw(path, options);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch {
    throw new Unreachable("The server's answer was cut off.");
  }
}

/** A server that has too much to work out is asked again after this, ms. */
const LATER = 1500;
/** So often; then it is told. */
const TIMES = 20;

/** What takes some working out: a server with too much to do is asked again, and nobody is told of it. */
async function workedOut<T>(path: string, options: Options): Promise<T> {
  for (let times = 1; ; times++) {
    try {
      return await call<T>(path, options);
    } catch (error) {
      if (!(error instanceof Refused) || error.problem.code !== "busy" || times === TIMES) throw error;
      await new Promise((done) => setTimeout(done, LATER));
    }
  }
}

/**
 * A change of a game. Its body bears an id, so that it can be sent again when no answer comes. The new position comes over the
 * live connection and nowhere else, so that it is drawn and sent once.
 */
const change = (path: string, token: string, body: { id: string }) =>
  call<Acted>(path, { token, body, headers: { Prefer: "return=minimal" }, patience: 20_000 });

const game = (id: string, rest = "") => `/api/v1/games/${encodeURIComponent(id)}${rest}`;
const study = (id: string, rest = "") => `/api/v1/studies/${encodeURIComponent(id)}${rest}`;
const once = new Map<string, Promise<unknown>>();

/** The library does not change while the page is open. */
function remembered<T>(path: string): Promise<T> {
  let known = once.get(path) as Promise<T> | undefined;
  if (!known) {
    known = call<T>(path);
    known.catch(() => once.delete(path));
    once.set(path, known);
  }
  return known;
}

export interface At {
  at?: number;
  log_from?: number;
  sight?: string;
}

export const api = {
  systems: () => remembered<SystemFace[]>("/api/v1/systems"),
  rules: (system: string) => remembered<RuleFace[]>(`/api/v1/systems/${system}/rules`),
  rule: (system: string, id: string) => remembered<RuleFace>(`/api/v1/systems/${system}/rules/${encodeURIComponent(id)}`),
  scenarios: () => remembered<ScenarioFace[]>("/api/v1/scenarios"),
  preview: (id: string) => remembered<Preview>(`/api/v1/scenarios/${id}`),
  /** Reads a scenario of one's own; its faults come with their places. */
  readScenario: (body: OwnScenario) => call<Preview>("/api/v1/scenarios", { body }),
  /** Plays a situation and tells each step; nothing is kept. */
  demonstrate: (body: AskDemonstration) => call<Demonstration>("/api/v1/situations", { body }),
  /** How many studies may be begun from here. */
  studyTerms: () => call<StudyTerms>("/api/v1/studies"),
  beginStudy: (body: AskStudy) => call<StudyFace>("/api/v1/studies", { body }),
  study: (id: string) => call<StudyFace>(study(id)),
  stopStudy: (id: string) => call<StudyFace>(study(id, "/stop"), { body: {} }),
  goOnStudy: (id: string) => call<StudyFace>(study(id, "/continue"), { body: {} }),
  begin: (body: NewGame) => call<Created>("/api/v1/games", { body }),
  bring: (body: Import) => call<Created>("/api/v1/games/import", { body }),
  listed: () => call<GameList>("/api/v1/games?limit=20"),
  mine: (seats: MySeat[]) => call<GameFace[]>("/api/v1/games/mine", { body: { seats } }),
  game: (id: string, token?: string) => call<GameFace>(game(id), { token }),
  board: (id: string, token?: string) => call<Board>(game(id, "/board"), { token }),
  position: (id: string, token: string | undefined, at: At = {}) => {
    const query = new URLSearchParams();
    for (const [k, v] of Object.entries(at)) if (v !== undefined) query.set(k, String(v));
    return call<Position>(game(id, `/position?${query}`), { token });
  },
  act: (id: string, token: string, body: Act) => change(game(id, "/acts"), token, body),
  undo: (id: string, token: string, body: { id: string; state: number }) => change(game(id, "/undo"), token, body),
  answerUndo: (id: string, token: string, body: AnswerUndo) => change(game(id, "/undo/answer"), token, body),
  resign: (id: string, token: string, body: { id: string; state: number }) => change(game(id, "/resign"), token, body),
  goOn: (id: string, token: string) => call<GameFace>(game(id, "/continue"), { token, body: {} }),
  /** What an invitation is for. */
  invited: (id: string, invitation: string) => call<Invited>(game(id, "/invitation"), { body: { invitation } }),
  claim: (id: string, body: Claim) => call<Claimed>(game(id, "/claim"), { body }),
  /** Seats that wait for anybody. */
  challenges: () => call<ChallengeList>("/api/v1/challenges", { session: true }),
  accept: (challenge: string, body: Accept) => call<Accepted>(`/api/v1/challenges/${encodeURIComponent(challenge)}/accept`, { body, session: true }),
  challengeOf: (id: string, token: string) => call<ChallengeFace | null>(game(id, "/challenge"), { token }),
  putUp: (id: string, token: string, body: PutUp) => call<ChallengeFace>(game(id, "/challenge"), { token, body }),
  withdraw: (id: string, token: string) => call<void>(game(id, "/challenge/withdraw"), { token, body: {} }),
  rematch: (id: string, token: string, body: AskRematch) => call<Accepted>(game(id, "/rematch"), { token, body }),
  /** What ratings in a system rest on: the computer's levels, and what sides are worth. */
  ratings: (system: string) => call<SystemRatings>(`/api/v1/ratings/${encodeURIComponent(system)}`),
  /** The opponent is out of time. */
  atZero: (id: string, token: string, body: AtZero) => call<GameFace>(game(id, "/clock"), { token, body }),
  /** Where one lives, for free weekends. */
  zone: (id: string, token: string, body: Zone) => call<GameFace>(game(id, "/zone"), { token, body }),
  /** One's own orders for when one is away. */
  orders: (id: string, token: string) => call<OrdersFace>(game(id, "/orders"), { token }),
  giveOrders: (id: string, token: string, body: PutOrders) => call<OrdersFace>(game(id, "/orders"), { token, body }),
  say: (id: string, token: string, body: { id: string; text: string }) => call<ChatLine>(game(id, "/chat"), { token, body }),
  overlay: (id: string, token: string | undefined, body: Ask) => call<Overlay>(game(id, "/overlay"), { token, body }),
  check: (id: string, token: string, body: AskCheck) => call<Offer>(game(id, "/check"), { token, body }),
  odds: (id: string, token: string, body: AskOdds) => workedOut<OddsReport>(game(id, "/odds"), { token, body }),
  sealed: (id: string, token: string, body: AskSealed) => workedOut<SealedOdds | null>(game(id, "/odds/sealed"), { token, body }),
  luck: (id: string, token: string | undefined) => call<Luck>(game(id, "/luck"), { token }),
  hint: (id: string, token: string, body: AskHint) => workedOut<Hint>(game(id, "/hint"), { token, body }),
  /** The lesson that a game is played in, as far as its learner has come. */
  lesson: (id: string, token: string, body: AskLesson) => call<LessonFace>(game(id, "/lesson"), { token, body }),
  /** The first who asks sets the review going; it is there when `review` is. */
  review: (id: string, token: string | undefined) => call<ReviewFace>(game(id, "/review"), { token }),
  dice: (id: string, token: string | undefined) => call<DiceProof>(game(id, "/dice"), { token }),
  journal: async (id: string, token?: string | string[]) => (await raw(game(id, "/journal"), { token })).text(),
};

const hex = (bytes: number) => [...crypto.getRandomValues(new Uint8Array(bytes))].map((b) => b.toString(16).padStart(2, "0")).join("");

export const freshSalt = () => hex(16);
export const freshToken = () => hex(32);
export const freshId = () => hex(12);
