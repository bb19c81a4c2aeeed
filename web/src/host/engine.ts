/** The rules of one system as a WebAssembly module: a request in JSON goes in, an answer in JSON comes out. */
import type { GameFace } from "../wire";
import { unpack } from "./lzma";

/** A game as it is kept; only the engine reads all of it. */
export interface GameRecord {
  id: string;
  system: string;
  seats: Record<"first" | "second", { token: string | null }>;
}

export interface EngineAnswer {
  status: number;
  body: unknown;
  changed?: string;
  keep?: GameRecord;
  face?: GameFace;
  thinks: boolean;
}

interface Exports {
  memory: WebAssembly.Memory;
  room(length: number): number;
  handle(request: number, length: number): number;
  answer(): number;
}

export type Engine = (request: unknown) => EngineAnswer;

/** The module of a packed file, ready to be asked. */
export async function engine(packed: ArrayBuffer): Promise<Engine> {
  const { instance } = await WebAssembly.instantiate(unpack(new Uint8Array(packed)));
  const { memory, room, handle, answer } = instance.exports as unknown as Exports;
  const write = new TextEncoder();
  const read = new TextDecoder();
  return (request) => {
    const bytes = write.encode(JSON.stringify(request));
    const place = room(bytes.length);
    new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
    const length = handle(place, bytes.length);
    return JSON.parse(read.decode(new Uint8Array(memory.buffer, answer(), length))) as EngineAnswer;
  };
}
