/** Addresses, all behind the hash so that no seat ever reaches a server's log. */
export type Route =
  | { page: "home" }
  | { page: "rules"; system?: string; rule?: string }
  | { page: "game"; game: string; at?: number }
  | { page: "claim"; game: string; invitation: string }
  | { page: "seat"; game: string; token: string };

/** The words of an address; none if it cannot be read. */
function wordsOf(hash: string): string[] {
  try {
    return hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}

const momentOf = (word: string | undefined) => (word !== undefined && /^\d{1,9}$/.test(word) ? Number(word) : undefined);

export function parse(hash: string): Route {
  const [page, a, b] = wordsOf(hash);
  switch (page) {
    case "game":
      return a ? { page, game: a, at: momentOf(b) } : { page: "home" };
    case "claim":
      return a && b ? { page, game: a, invitation: b } : { page: "home" };
    case "seat":
      return a && b ? { page, game: a, token: b } : { page: "home" };
    case "rules":
      return { page, system: a, rule: b };
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

export const gameLink = (game: string, at?: number) => `#/game/${game}${at === undefined ? "" : `/${at}`}`;
export const claimLink = (game: string, invitation: string) => `${location.origin}${location.pathname}#/claim/${game}/${invitation}`;
export const seatLink = (game: string, token: string) => `${location.origin}${location.pathname}#/seat/${game}/${token}`;
