/** What the page and its worker say to each other. */
import type { ServerMessage } from "../wire";

export type ToWorker =
  | { kind: "ask"; n: number; method: string; path: string; token?: string; body?: unknown }
  | { kind: "hello"; line: number; game: string; token?: string; state: number }
  | { kind: "hang-up"; line: number };

export type FromWorker =
  | { kind: "answer"; n: number; status: number; body: unknown }
  | { kind: "tell"; line: number; message: ServerMessage };
