/** The server's interface for keeping order. */
import { call } from "../lib/api";
import type { About, AppealFace, AuditFace, ChatLine, OrderFace, OwnOrder, PersonFace, ReportFace, TakeMeasure, Tie, TieKind } from "../wire";

const own = <T>(path: string, body?: unknown) => call<T>(`/api/v1/account${path}`, { body, session: true });
const desk = <T>(path: string, body?: unknown) => call<T>(`/api/v1/admin${path}`, { body, session: true });
const game = (id: string, path: string) => `/api/v1/games/${encodeURIComponent(id)}${path}`;
const part = encodeURIComponent;

export const order = {
  look: () => call<OrderFace>("/api/v1/order"),
  tied: (id: string, token: string) => call<Tie>(game(id, "/tie"), { token }),
  tie: (id: string, token: string, tie: TieKind | null) => call<void>(game(id, "/tie"), { token, body: { tie } }),
  report: (id: string, token: string, about: About, words: string) => call<void>(game(id, "/report"), { token, body: { about, words } }),
  reportChallenge: (challenge: string, words: string) => call<void>(`/api/v1/challenges/${part(challenge)}/report`, { body: { words }, session: true }),
  chat: (id: string, token: string) => call<ChatLine[]>(game(id, "/chat"), { token }),
  own: () => own<OwnOrder>("/order"),
  untie: (tie: string) => own<OwnOrder>(`/ties/${part(tie)}/end`, {}),
  appeal: (measure: string, text: string) => own<OwnOrder>(`/measures/${part(measure)}/appeal`, { text }),
};

export const admin = {
  reports: () => desk<ReportFace[]>("/reports"),
  settle: (report: string, why: string) => desk<void>(`/reports/${part(report)}/settle`, { why }),
  accounts: (name: string) => desk<PersonFace[]>(`/accounts?${new URLSearchParams({ name })}`),
  take: (account: string, measure: TakeMeasure) => desk<void>(`/accounts/${part(account)}/measures`, measure),
  appeals: () => desk<AppealFace[]>("/appeals"),
  answer: (measure: string, answer: string, lift: boolean) => desk<void>(`/measures/${part(measure)}/answer`, { answer, lift }),
  lift: (measure: string, why: string) => desk<void>(`/measures/${part(measure)}/lift`, { why }),
  removeChallenge: (challenge: string, why: string) => desk<void>(`/challenges/${part(challenge)}/remove`, { why }),
  removeLine: (id: string, line: number, why: string) => desk<void>(`/games/${part(id)}/chat/${line}/remove`, { why }),
  audit: () => desk<AuditFace[]>("/audit"),
};

const KINDS = {
  warned: "Warning",
  suspended: "Suspended",
  closed: "Account closed",
  renamed: "New name",
  line_removed: "Line of chat removed",
  challenge_removed: "Challenge removed",
} as const;
export const kindWords = (kind: keyof typeof KINDS): string => KINDS[kind];
export const day = (ms: number) => new Date(ms).toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" });

/** Since when and until when a measure holds, in words. */
export function termWords(m: { made: number; until: number | null; lifted: number | null }): string {
  if (m.lifted !== null) return `${day(m.made)}, lifted ${day(m.lifted)}`;
  return m.until === null ? day(m.made) : `${day(m.made)}, until ${day(m.until)}`;
}

/** What is reported, in words. */
export function aboutWords(about: About): string {
  if (about.kind === "line") return `Line ${about.n} of the chat`;
  return { person: "How somebody behaves", name: "A name", challenge: "A challenge" }[about.kind];
}
