/** Games hosted by a worker of this page. It answers as the server would. */
import type { ClientMessage } from "../wire";
import type { FromWorker, ToWorker } from "./messages";
import type { Line, Transport } from "./transport";

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
const say = (message: ToWorker) => worker.postMessage(message);

const waiting = new Map<number, (answer: { status: number; body: unknown }) => void>();
const lines = new Map<number, PageLine>();
let next = 0;

worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
  if (data.kind === "answer") {
    waiting.get(data.n)?.(data);
    waiting.delete(data.n);
  } else lines.get(data.line)?.hear(data.message);
};

/** A live connection without a network. */
class PageLine implements Line {
  readyState: number = WebSocket.CONNECTING;
  onopen: Line["onopen"] = null;
  onmessage: Line["onmessage"] = null;
  onclose: Line["onclose"] = null;
  private readonly n = next++;
  private readonly game: string;

  constructor(game: string) {
    this.game = game;
    lines.set(this.n, this);
    setTimeout(() => {
      this.readyState = WebSocket.OPEN;
      this.onopen?.(new Event("open"));
    });
  }

  send(text: string): void {
    const message = JSON.parse(text) as ClientMessage;
    if (message.type === "hello") say({ kind: "hello", line: this.n, game: this.game, token: message.token, state: message.state ?? 0 });
    else this.hear({ type: "pong" });
  }

  hear(message: unknown): void {
    this.onmessage?.(new MessageEvent("message", { data: JSON.stringify(message) }));
  }

  close(): void {
    this.readyState = WebSocket.CLOSED;
    lines.delete(this.n);
    say({ kind: "hang-up", line: this.n });
  }
}

/** Once there is something to lose, the browser is asked to keep it. */
let persistent = false;
function keepForGood(): void {
  if (persistent) return;
  persistent = true;
  void navigator.storage?.persist?.();
}

export const page: Transport = {
  ask: async (path, { method = "GET", headers = {}, body }) => {
    const n = next++;
    const token = (headers as Record<string, string>).Authorization;
    const answered = new Promise<{ status: number; body: unknown }>((done) => waiting.set(n, done));
    say({ kind: "ask", n, method, path, token, body: typeof body === "string" ? (JSON.parse(body) as unknown) : undefined });
    const answer = await answered;
    if (answer.status === 201) keepForGood();
    const text = typeof answer.body === "string" && path.endsWith("/journal") ? answer.body : JSON.stringify(answer.body);
    return new Response(text, { status: answer.status, headers: { "Content-Type": "application/json" } });
  },
  connect: (game) => new PageLine(game),
};

if ("serviceWorker" in navigator && import.meta.env.PROD) {
  void navigator.serviceWorker.register(new URL("sw.js", document.baseURI));
}
