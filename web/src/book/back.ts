/** Games that were taken over from a situation know the way back to it. */
const KEY = "linstock.situations";
const MOST = 40;

function read(): [string, string][] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? (kept as [string, string][]) : [];
  } catch {
    return [];
  }
}

export const returnTo = {
  keep(game: string, hash: string): void {
    try {
      localStorage.setItem(KEY, JSON.stringify([[game, hash], ...read().filter(([g]) => g !== game)].slice(0, MOST)));
    } catch {
      // Private windows may keep nothing; the browser's own way back does.
    }
  },
  of: (game: string): string | undefined => read().find(([g]) => g === game)?.[1],
};
