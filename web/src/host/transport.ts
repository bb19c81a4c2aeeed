/** How the board reaches whoever hosts its games: a server, or a worker in this very page. All else is the same. */

/** As much of a WebSocket as the board uses. */
export interface Line {
  readonly readyState: number;
  onopen: ((event: Event) => unknown) | null;
  onmessage: ((event: MessageEvent) => unknown) | null;
  onclose: ((event: CloseEvent) => unknown) | null;
  send(text: string): void;
  close(): void;
}

export interface Transport {
  ask(path: string, init: RequestInit): Promise<Response>;
  connect(game: string): Line;
}

const server: Transport = {
  ask: (path, init) => fetch(path, init),
  connect: (game) => {
    const address = new URL(`/api/v1/games/${encodeURIComponent(game)}/live`, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    return new WebSocket(address);
  },
};

/** Whether games are played in this page, with no server behind it. */
export const inPage = import.meta.env.VITE_HOST === "page";

export const transport: Transport = inPage ? (await import("./page")).page : server;
