/** The studies that this browser has begun. Whoever knows the id of a study may look at it. */
const KEY = "linstock.studies";
const MOST = 50;

export function kept(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === "string") : [];
  } catch {
    return [];
  }
}

function write(ids: string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(ids.slice(0, MOST)));
  } catch {
    // Private windows may keep nothing; the address of the study still leads to it.
  }
}

export const keep = (id: string) => write([id, ...kept().filter((k) => k !== id)]);
export const forget = (id: string) => write(kept().filter((k) => k !== id));
