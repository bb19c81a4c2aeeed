/** Addresses, all behind the hash so that no seat ever reaches a server's log. */
export type Route =
  | { page: "home"; preset?: Preset }
  | { page: "lobby" }
  | { page: "account" }
  | { page: "confirm" | "enter"; token: string }
  | { page: "mine"; game: string }
  | { page: "admin" }
  | { page: "learn"; system?: string; lesson?: string }
  | { page: "rules"; system?: string; rule?: string; situation?: string; step?: number }
  | { page: "handbook"; system?: string; chapter?: string; rule?: string; situation?: string; step?: number }
  | { page: "game"; game: string; at?: number }
  | { page: "studies" }
  | { page: "study"; study: string }
  | { page: "claim"; game: string; invitation: string }
  | { page: "seat"; game: string; token: string };

/** What the set-up begins with: a seat for the lobby, a computer of this level opposite, or this battle. */
export type Preset = { kind: "challenge"; system?: string } | { kind: "computer"; system: string; level: string } | { kind: "battle"; system: string; scenario: string };

/** The words of an address; none if it cannot be read. */
function wordsOf(hash: string): string[] {
  try {
    return hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}

const momentOf = (word: string | undefined) => (word !== undefined && /^\d{1,9}$/.test(word) ? Number(word) : undefined);

function presetOf(kind: string | undefined, system: string | undefined, level: string | undefined): Preset | undefined {
  if (kind === "challenge") return { kind, system: system || undefined };
  if (kind === "battle") return system && level ? { kind, system, scenario: `${system}/${level}` } : undefined;
  return kind === "computer" && system && level ? { kind, system, level } : undefined;
}

export function parse(hash: string): Route {
  const [page, a, b, c, d, e] = wordsOf(hash);
  switch (page) {
    case "game":
      return a ? { page, game: a, at: momentOf(b) } : { page: "home" };
    case "studies":
      return { page };
    case "study":
      return a ? { page, study: a } : { page: "studies" };
    case "claim":
      return a && b ? { page, game: a, invitation: b } : { page: "home" };
    case "seat":
      return a && b ? { page, game: a, token: b } : { page: "home" };
    case "lobby":
    case "account":
    case "admin":
      return { page };
    case "confirm":
    case "enter":
      return a ? { page, token: a } : { page: "account" };
    case "mine":
      return a ? { page, game: a } : { page: "account" };
    case "new":
      return { page: "home", preset: presetOf(a, b, c) };
    case "learn":
      return { page, system: a || undefined, lesson: b || undefined };
    case "rules":
      return { page, system: a, rule: b, situation: c, step: momentOf(d) };
    case "handbook":
      return { page, system: a, chapter: b, rule: c, situation: d, step: momentOf(e) };
    default:
      return { page: "home" };
  }
}

class Router {
  now = $state<Route>(parse(location.hash));

  constructor() {
    addEventListener("hashchange", () => (this.now = parse(location.hash)));
  }

  go(hash: string, replace = false): void {
    if (replace) {
      history.replaceState(null, "", hash);
      this.now = parse(hash);
    } else location.hash = hash;
  }
}

export const router = new Router();

/** The set-up with a battle of the library chosen, by its id: `battle-hymn/drill`. */
export const battleLink = (scenario: string) => `#/new/battle/${scenario}`;
export const gameLink = (game: string, at?: number) => `#/game/${game}${at === undefined ? "" : `/${at}`}`;
export const claimLink = (game: string, invitation: string) => `${location.origin}${location.pathname}#/claim/${game}/${invitation}`;
export const seatLink = (game: string, token: string) => `${location.origin}${location.pathname}#/seat/${game}/${token}`;
