/** The server's interface for accounts. These requests alone carry the cookie. */
import { call, raw } from "../lib/api";
import type { Accept, Accepted, AccountFace, Adopted, Ceremony, Codes, EndCeremony, Ended, GameFace, MySeat, OwnGames, OwnRatings, Side } from "../wire";

const ask = <T>(path: string, body?: unknown) => call<T>(`/api/v1/account${path}`, { body, session: true });

export interface Search {
  stage: "going" | "over";
  system?: string;
  scenario?: string;
  opponent?: string;
  result?: Ended;
  from?: number;
}

export const accounts = {
  face: () => ask<AccountFace>(""),
  register: (name: string) => ask<Ceremony>("/register", { name }),
  endRegister: (body: EndCeremony) => ask<Codes>("/register/end", body),
  signIn: () => ask<Ceremony>("/sign-in", {}),
  endSignIn: (body: EndCeremony) => ask<AccountFace>("/sign-in/end", body),
  recover: (code: string) => ask<AccountFace>("/recover", { code }),
  signOut: () => ask<void>("/sign-out", {}),
  rename: (name: string) => ask<AccountFace>("/name", { name }),
  addKey: () => ask<Ceremony>("/passkeys", {}),
  endAddKey: (body: EndCeremony) => ask<AccountFace>("/passkeys/end", body),
  removeKey: (id: string) => ask<AccountFace>(`/passkeys/${encodeURIComponent(id)}/remove`, {}),
  newCodes: () => ask<Codes>("/codes", {}),
  endSession: (id: string) => ask<AccountFace>(`/sessions/${encodeURIComponent(id)}/end`, {}),
  endOthers: () => ask<AccountFace>("/sessions/end", {}),
  adopt: (seats: MySeat[]) => ask<Adopted>("/seats", { seats }),
  games: (search: Search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
    return ask<OwnGames>(`/games?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`);
  },
  /** Plays a seat of one's own in this browser. */
  resume: (game: string, side: Side, token: string) => ask<Accepted>(`/games/${encodeURIComponent(game)}/seat`, { side, token }),
  ratings: () => ask<OwnRatings>("/ratings"),
  /** This game of one's own shall count. */
  rate: (game: string, token: string) => ask<GameFace>("/rated", { game, token }),
  /** Takes the seat of a rated game. */
  accept: (challenge: string, body: Accept) => ask<Accepted>(`/challenges/${encodeURIComponent(challenge)}/accept`, body),
  export: async () => (await raw("/api/v1/account/export", { session: true })).blob(),
  delete: () => ask<void>("/delete", {}),
};
