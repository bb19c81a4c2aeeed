/** What the dice have just decided, told large over the map. To a learner it stays until it has been read, to others for a while. */
import type { Lead } from "../school/lead";
import type { Entry, LogLine, Side } from "../wire";

/** In a battle more of them than this nobody reads; a learner reads all of a fight. */
const MOST = 3;
const MOST_TO_LEARN = 12;
/** How long they stay in a battle, ms: at least, and for each more. */
const STAYS = 4000;
const EACH = 2000;
/** What comes of dice, and is told with them. */
const OUTCOMES: readonly Entry["kind"][] = ["gone", "retreat", "loss", "melee", "fire", "rally"];
const GRAVE: readonly Entry["kind"][] = ["gone", "retreat"];

export const thrown = (entry: Entry): boolean => entry.roll?.die != null && entry.roll.faces.length > 0;
export const grave = (entry: Entry): boolean => GRAVE.includes(entry.kind);

/** What of these lines is told: the throws, and what comes after the first of them. */
export function worthTelling(lines: LogLine[]): Entry[] {
  const all = lines.flatMap((line) => line.entries);
  const first = all.findIndex(thrown);
  return first < 0 ? [] : all.filter((e, i) => thrown(e) || (i > first && OUTCOMES.includes(e.kind)));
}

export class Told {
  entries = $state.raw<Entry[]>([]);
  private timer = 0;
  private seen: (() => void)[] = [];

  constructor(
    private readonly learns: () => boolean,
    private readonly side: () => Side | undefined,
  ) {}

  /** The board waits until it has been read. */
  get waits(): boolean {
    return this.learns();
  }

  /** Somebody is to read it before anything goes on. */
  get open(): boolean {
    return this.waits && this.entries.length > 0;
  }

  /** What Enter does while it is read. */
  get lead(): Lead | undefined {
    return this.open ? { main: { label: "Go on", act: () => this.close() }, beside: [] } : undefined;
  }

  /** Something has happened: an act of one's own begins anew, what the others do stands below it. */
  hear(lines: LogLine[]): void {
    const fresh = worthTelling(lines);
    const kept = lines.some((l) => l.side === this.side()) ? [] : this.entries;
    if (fresh.length === 0 && kept.length === this.entries.length) return;
    this.entries = [...kept, ...fresh].slice(this.waits ? -MOST_TO_LEARN : -MOST);
    window.clearTimeout(this.timer);
    if (!this.waits) this.timer = window.setTimeout(() => this.close(), STAYS + EACH * this.entries.length);
  }

  /** It has been read, or it was taken back. */
  close(): void {
    window.clearTimeout(this.timer);
    this.entries = [];
    for (const done of this.seen.splice(0)) done();
  }

  /** Kept when nothing is left to be read. */
  async read(): Promise<void> {
    if (this.open) await new Promise<void>((done) => this.seen.push(done));
  }
}
