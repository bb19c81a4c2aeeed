/** A game at the table: the live connection, the present position, and what may be done to it. */
import { arrival } from "./arrival";
import type { Act, Acted, Board, ChatLine, GameFace, LogLine, Position, Problem, Refusal, RollRequest, ServerMessage, Side } from "../wire";
import { transport, type Line } from "../host/transport";
import { api, freshId, freshSalt, Refused, Unreachable } from "./api";
import { vault, type HeldSeat } from "./vault";
import { whyItStays } from "./words";

export type Link = "joining" | "live" | "lost" | "gone";

export interface Trouble {
  refusal: Refusal;
  code: string;
  /** Where it was tried, for a toast at the place. */
  at?: string;
  /** What was tried, in notation. */
  tried?: string;
  /** A lesson's own answer, not the server's. */
  lesson?: true;
}

/** An act as it was tried. */
interface Tried {
  action: string;
  at?: string;
  faces: number[];
}

const PATIENCE = [250, 500, 1000, 2000, 4000, 8000];
/** A request that nothing is heard of goes again after this long, ms, and so many times. */
const PAUSE = 1000;
const TIMES = 15;
/** So long, ms, the live connection has to bring what was done before it is asked for. */
const LATE = 3000;
const LOST = "Connection lost. You can go on when it is back.";
const ASKED_AGAIN = "No answer from the server. Trying again.";
const UNHEARD = "No answer from the server. If your action went through, the board will show it.";

const pause = (ms: number) => new Promise((done) => window.setTimeout(done, ms));

export class GameSession {
  readonly id: string;
  board = $state.raw<Board>();
  game = $state.raw<GameFace>();
  position = $state.raw<Position>();
  log = $state.raw<LogLine[]>([]);
  chat = $state.raw<ChatLine[]>([]);
  link = $state<Link>("joining");
  /** Why the game cannot be shown at all. */
  closed = $state<Problem>();
  /** A change is under way: its answer is not there yet. */
  busy = $state(false);
  /** The state it was sent for. */
  private sentFor = $state<number>();
  trouble = $state<Trouble>();
  notice = $state<string>();
  /** Real dice are to be rolled and typed in for this act. */
  facesFor = $state.raw<Tried & { request: RollRequest; wrong: string }>();
  seats = $state.raw<HeldSeat[]>([]);
  side = $state<Side>();
  /** In a hot-seat game: the board is under paper until this side takes over. */
  handOver = $state<Side>();

  /** One person plays both sides of a hot-seat game: nothing is covered between them. */
  solo = $state(false);

  private socket?: Line;
  private attempts = 0;
  private timer = 0;
  private beat = 0;
  private ended = false;
  /** The state that a change of ours led to, until it is on the board. */
  private awaited?: { state: number; done: () => void };
  /** Told of each new position with what was new in its log. */
  onNews?: (fresh: LogLine[], before: Position | undefined) => void;

  constructor(id: string) {
    this.id = id;
    this.seats = vault.seatsOf(id);
    this.side = this.seats[0]?.side;
    this.solo = vault.solo(id);
    this.notice = arrival.notice;
    arrival.notice = undefined;
  }

  get token(): string | undefined {
    return this.seats.find((s) => s.side === this.side)?.token;
  }

  get hotSeat(): boolean {
    return this.seats.length > 1;
  }

  get deciding(): Side | undefined {
    const status = this.position?.status;
    return status?.kind === "deciding" ? status.side : undefined;
  }

  get over(): boolean {
    return this.position?.status.kind === "over";
  }

  /** The board still shows what the change under way was sent for. */
  get waiting(): boolean {
    return this.busy && this.position?.state === this.sentFor;
  }

  /** The prompt and the offers are this seat's. */
  get mine(): boolean {
    return this.side !== undefined && this.deciding === this.side && this.handOver === undefined;
  }

  async start(): Promise<void> {
    try {
      if (this.hotSeat) {
        const face = await api.game(this.id, this.token);
        if (face.status.kind === "deciding") this.side = face.status.side;
      }
      this.board = await api.board(this.id, this.token);
      this.connect();
    } catch (error) {
      if (error instanceof Refused) {
        this.closed = error.problem;
        this.link = "gone";
      } else if (!this.ended) {
        this.link = "lost";
        this.timer = window.setTimeout(() => void this.start(), PATIENCE[Math.min(this.attempts++, PATIENCE.length - 1)]);
      }
    }
  }

  stop(): void {
    this.ended = true;
    window.clearTimeout(this.timer);
    window.clearInterval(this.beat);
    this.socket?.close();
  }

  private connect(): void {
    if (this.ended) return;
    const socket = transport.connect(this.id);
    this.socket = socket;
    socket.onopen = () => this.hello();
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as ServerMessage);
    socket.onclose = () => {
      if (this.socket !== socket || this.ended) return;
      this.link = "lost";
      window.clearInterval(this.beat);
      this.timer = window.setTimeout(() => this.connect(), PATIENCE[Math.min(this.attempts++, PATIENCE.length - 1)]);
    };
    window.clearInterval(this.beat);
    this.beat = window.setInterval(() => {
      if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}');
    }, 25_000);
  }

  private hello(state = this.position?.state ?? 0): void {
    this.socket?.send(
      JSON.stringify({
        type: "hello",
        token: this.token,
        state,
        chat_after: this.chat[this.chat.length - 1]?.n ?? 0,
      }),
    );
  }

  private hear(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        this.attempts = 0;
        this.link = "live";
        if (this.notice === LOST) this.notice = undefined;
        this.game = message.game;
        this.addChat(message.chat);
        this.take(message.position);
        break;
      case "position":
        this.take(message.position);
        break;
      case "game":
        this.game = message.game;
        break;
      case "chat":
        this.addChat([message.line]);
        break;
      case "problem":
        if (message.problem.code === "no_such_game" || message.problem.code === "seat_needed" || message.problem.code === "forged_seat") {
          this.closed = message.problem;
          this.link = "gone";
          this.stop();
        }
        break;
      case "bye":
      case "pong":
        break;
    }
  }

  private addChat(lines: ChatLine[]): void {
    const known = this.chat[this.chat.length - 1]?.n ?? 0;
    // A line that was there may have been removed: then other words stand in its place.
    const again = new Map(lines.filter((l) => l.n <= known).map((l) => [l.n, l]));
    if (again.size > 0) this.chat = this.chat.map((l) => again.get(l.n) ?? l);
    const fresh = lines.filter((l) => l.n > known);
    if (fresh.length > 0) this.chat = [...this.chat, ...fresh];
  }

  /** A position replaces the present one if it is not older; its log replaces ours from `log_from` on. */
  take(position: Position): void {
    const before = this.position;
    if (before && position.state < before.state) return;
    const kept = this.log.filter((l) => l.moment < position.log_from);
    const last = this.log[this.log.length - 1]?.moment ?? -1;
    this.log = [...kept, ...position.log];
    const changed = !before || position.state > before.state;
    this.position = position;
    if (this.awaited && position.state >= this.awaited.state) this.awaited.done();
    if (changed) {
      this.trouble = undefined;
      this.facesFor = undefined;
      this.watchHandOver();
      this.onNews?.(before ? position.log.filter((l) => l.moment > last) : [], before);
    }
  }

  private watchHandOver(): void {
    const next = this.deciding;
    if (!this.hotSeat || next === undefined || next === this.side) return;
    if (!this.seats.some((s) => s.side === next)) return;
    if (this.solo) this.sitAt(next);
    else this.handOver = next;
  }

  /** The same person goes on from the other side: the map stays as it is until the new view comes. */
  private sitAt(side: Side): void {
    this.side = side;
    this.log = [];
    if (this.socket?.readyState === WebSocket.OPEN) this.hello(0);
  }

  /** Whether the board is covered when the other side's turn comes. */
  setSolo(solo: boolean): void {
    this.solo = solo;
    vault.setSolo(this.id, solo);
    if (solo) this.takeOver();
  }

  /** The other player of a hot-seat game has taken the board. */
  takeOver(): void {
    if (this.handOver === undefined) return;
    this.side = this.handOver;
    this.handOver = undefined;
    // The other side's eyes may read another log.
    this.log = [];
    this.position = undefined;
    if (this.socket?.readyState === WebSocket.OPEN) this.hello();
  }

  /** Kept when the answer to the last change is there. */
  private answered: Promise<void> = Promise.resolve();

  /** A change begins; what is given back is called when its answer is there. */
  private begins(): () => void {
    this.busy = true;
    this.sentFor = this.position?.state;
    let done = () => {};
    this.answered = new Promise((heard) => (done = heard));
    return () => {
      this.busy = false;
      done();
    };
  }

  /**
   * Waits for the answer to the last change. The live connection may bring the new position before it, and who plays on at once
   * must be heard. False if the position has changed meanwhile: what was meant for the old one, like a second click, is void.
   */
  async free(): Promise<boolean> {
    const state = this.position?.state;
    while (this.busy) await this.answered;
    return this.position?.state === state;
  }

  /** Every change of the game goes through here, one at a time; what fails is told. */
  private async request(send: (token: string) => Promise<Acted>, tried?: Tried): Promise<Acted | undefined> {
    const token = this.token;
    if (!token || !this.position || (this.busy && !(await this.free()))) return undefined;
    if (this.busy) return undefined;
    if (this.link !== "live") {
      this.notice = LOST;
      return undefined;
    }
    const answered = this.begins();
    this.trouble = undefined;
    try {
      const acted = await this.insist(() => send(token));
      if (acted.position) this.take(acted.position);
      else await this.comesTo(acted.state);
      return acted;
    } catch (error) {
      if (error instanceof Refused) this.refused(error.problem, tried);
      else if (error instanceof Unreachable) this.notice = UNHEARD;
      else throw error;
      return undefined;
    } finally {
      answered();
      if (this.notice === ASKED_AGAIN) this.notice = undefined;
    }
  }

  /** Waits for the live connection to bring this state; should it not, the position is asked for. */
  private async comesTo(state: number): Promise<void> {
    if ((this.position?.state ?? 0) >= state) return;
    await new Promise<void>((done) => {
      const timer = window.setTimeout(done, LATE);
      this.awaited = { state, done: () => (window.clearTimeout(timer), done()) };
    });
    this.awaited = undefined;
    if (this.ended || (this.position?.state ?? 0) >= state) return;
    const from = (this.log[this.log.length - 1]?.moment ?? -1) + 1;
    try {
      this.take(await api.position(this.id, this.token, { log_from: from }));
    } catch (error) {
      // It is played all the same; the connection brings the position when it is there again.
      if (!(error instanceof Unreachable) && !(error instanceof Refused)) throw error;
    }
  }

  /** Sends again what nothing was heard of, with the same id: the server does it once at most. */
  private async insist<T>(send: () => Promise<T>): Promise<T> {
    for (let left = TIMES; ; left--) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof Unreachable) || left === 0) throw error;
        this.notice = ASKED_AGAIN;
        await pause(PAUSE);
        if (this.ended) throw error;
      }
    }
  }

  /** Plays an action; a refusal is shown at the place. */
  act(action: string, at?: string, faces: number[] = []): Promise<boolean> {
    return this.#act(action, { at, faces });
  }

  /** Plays what a standing order says; the journal says that it did. */
  actAsOrdered(action: string): Promise<boolean> {
    return this.#act(action, { faces: [], ordered: true });
  }

  async #act(action: string, { at, faces, ordered }: { at?: string; faces: number[]; ordered?: boolean }): Promise<boolean> {
    const body: Act = { id: freshId(), state: this.position?.state ?? 0, action, salt: freshSalt() };
    if (faces.length > 0) body.faces = faces;
    if (ordered) body.ordered = true;
    const acted = await this.request((token) => api.act(this.id, token, body), { action, at, faces });
    return acted !== undefined;
  }

  /** What fell at the table for the act under way. */
  async rolled(fell: number[]): Promise<void> {
    const open = this.facesFor;
    if (open) await this.act(open.action, open.at, [...open.faces, ...fell]);
  }

  private refused(problem: Problem, tried?: Tried): void {
    if (problem.code === "stale" && problem.position) {
      this.notice = "The position has changed in the meantime.";
      this.take(problem.position);
      return;
    }
    if (problem.code === "roll_needed" && problem.roll && tried) {
      this.facesFor = { ...tried, request: problem.roll, wrong: "" };
      return;
    }
    if (problem.code === "wrong_faces" && this.facesFor) {
      this.facesFor = { ...this.facesFor, wrong: problem.message };
      return;
    }
    this.trouble = {
      code: problem.code,
      at: tried?.at,
      tried: tried?.action,
      refusal: problem.refusal ?? { what: "That did not work.", why: problem.message, rule: null },
    };
  }

  async undo(): Promise<void> {
    const stays = this.position && whyItStays(this.position.undo);
    if (stays) {
      this.notice = stays;
      return;
    }
    const body = { id: freshId(), state: this.position?.state ?? 0 };
    const acted = await this.request((token) => api.undo(this.id, token, body));
    if (acted?.done === "asked") this.notice = "Take-back requested. Waiting for the other side.";
  }

  async answerUndo(agree: boolean): Promise<void> {
    const asked = this.position?.asked;
    if (!asked) return;
    const body = { id: freshId(), ask: asked.ask, agree };
    await this.request((token) => api.answerUndo(this.id, token, body));
  }

  async resign(): Promise<void> {
    const body = { id: freshId(), state: this.position?.state ?? 0 };
    await this.request((token) => api.resign(this.id, token, body));
  }

  /** Goes on with a game of an earlier edition under the present rules. */
  async goOn(): Promise<void> {
    const token = this.token;
    if (!token || this.busy) return;
    const answered = this.begins();
    try {
      this.game = await api.goOn(this.id, token);
    } catch (error) {
      if (error instanceof Refused) this.notice = error.problem.message;
      else if (error instanceof Unreachable) this.notice = UNHEARD;
      else throw error;
    } finally {
      answered();
    }
  }

  async say(text: string): Promise<void> {
    const token = this.token;
    if (token && text.trim() !== "") await api.say(this.id, token, { id: freshId(), text: text.trim() });
  }
}
