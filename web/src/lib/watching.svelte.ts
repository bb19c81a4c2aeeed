/** Public games that this browser follows, the one followed last first. */
const KEY = "linstock.watching";
/** Each is asked for from time to time. */
const MOST = 8;

function read(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

class Watching {
  ids = $state.raw<string[]>(read());
  /** As many as one can follow. */
  readonly full = $derived(this.ids.length >= MOST);

  has(id: string): boolean {
    return this.ids.includes(id);
  }

  turn(id: string): void {
    if (!this.has(id) && this.full) return;
    this.ids = this.has(id) ? this.ids.filter((x) => x !== id) : [id, ...this.ids];
    try {
      localStorage.setItem(KEY, JSON.stringify(this.ids));
    } catch {
      // Nothing is kept in a private window.
    }
  }
}

export const watching = new Watching();
