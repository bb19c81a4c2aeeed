/** What the others have done since one last looked: shown one thing after the other before one's own turn. */
import type { LogLine, Position } from "../wire";
import { api } from "./api";
import type { Command } from "./command.svelte";
import type { GameSession } from "./session.svelte";
import { settings } from "./settings.svelte";
import { vault } from "./vault";

/** How long one thing stays on the screen, ms at speed 1: a march, and something that was rolled for. */
const STEP = 700;
const ROLL = 1500;
/** However much has happened, it does not take longer than this. */
const LONGEST = 14_000;

/** Whether a line has anything to look at. */
export const telling = (line: LogLine): boolean => line.entries.some((e) => e.kind !== "time");

/** How long each of these lines stays, ms at speed 1. */
export function pace(lines: LogLine[]): number[] {
  const wanted = lines.map((line) => (line.entries.some((e) => e.roll?.die) ? ROLL : STEP));
  const all = wanted.reduce((sum, ms) => sum + ms, 0);
  return wanted.map((ms) => (all > LONGEST ? (ms * LONGEST) / all : ms));
}

export class Unfolding {
  /** The moment on the screen; none while the present is. */
  at = $state<number>();
  /** Which of how many. */
  step = $state(0);
  steps = $state(0);

  private readonly session: GameSession;
  private readonly command: Command;
  private readonly onstep: (lines: LogLine[]) => void;
  private wake?: () => void;
  private hurried = false;

  /** Kept when the map can be seen. */
  private readonly drawn: Promise<void>;

  constructor(session: GameSession, command: Command, onstep: (lines: LogLine[]) => void, drawn: Promise<void> = Promise.resolve()) {
    this.session = session;
    this.command = command;
    this.onstep = onstep;
    this.drawn = drawn;
  }

  get on(): boolean {
    return this.at !== undefined;
  }

  /** What stands on the screen in words. */
  sentence = $derived.by(() => {
    const line = this.step > 0 ? this.session.log.find((l) => l.moment === this.at) : undefined;
    return line?.entries.filter((e) => e.kind !== "time").map((e) => e.text).slice(0, 2).join(" ") ?? "The other side has moved.";
  });

  /** News has come: what others did since the last moment seen unfolds, beginning with what was on the board; true if it does. */
  begin(position: Position, before: Position | undefined): boolean {
    const { session } = this;
    const seen = this.seen(position);
    vault.setSeen(session.id, position.moment);
    if (settings.data.motion === 0 || session.side === undefined || session.hotSeat) return false;
    if (this.on) {
      this.steps = this.step + this.left(this.at!).length;
      return true;
    }
    if (this.next(seen) === undefined) return false;
    this.show(before);
    void this.run(seen);
    return true;
  }

  /** Whoever has seen enough, or looks at something else. */
  toThePresent(): void {
    this.hurried = true;
    this.wake?.();
  }

  private mine?: Position;
  /** Puts a position on the board; takes away only what it has put there itself. */
  private show(position: Position | undefined): void {
    if (position !== undefined || this.command.shown === this.mine) this.command.shown = position;
    this.mine = position;
  }

  /** What others did after a moment. */
  private left(after: number): LogLine[] {
    return this.session.log.filter((l) => l.moment > after && l.side !== this.session.side && telling(l));
  }

  /** What is to be shown before anything else. The last thing before one's own turn needs no moment of its own: it is the present. */
  private next(after: number): LogLine | undefined {
    const lines = this.left(after);
    return lines.length === 1 && (this.session.mine || this.session.over) ? undefined : lines[0];
  }

  private async run(after: number): Promise<void> {
    this.hurried = false;
    this.step = 0;
    this.at = after;
    // Nobody sees what happens on a map that is not there yet.
    await this.drawn;
    try {
      for (let line = this.next(after); line && !this.hurried; line = this.next(line.moment)) {
        const position = await api.position(this.session.id, this.session.token, { at: line.moment, log_from: line.moment });
        if (this.hurried) break;
        this.show(position);
        this.at = line.moment;
        this.step += 1;
        const left = this.left(line.moment);
        this.steps = this.step + left.length;
        this.onstep([line]);
        await this.pause(pace([line, ...left])[0] / Math.max(1, settings.data.motion));
      }
    } catch {
      // What cannot be loaded is left out: the present is what matters.
    }
    const last = this.left(this.at ?? after).slice(-1);
    this.at = undefined;
    this.show(undefined);
    this.onstep(last);
  }

  private pause(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = window.setTimeout(done, ms);
      this.wake = () => {
        window.clearTimeout(timer);
        done();
      };
    });
  }

  /** The last moment this browser has shown; of a game never seen, one's own last decision. */
  private seen(position: Position): number {
    const kept = vault.seen(this.session.id);
    if (kept !== undefined && kept <= position.moment) return kept;
    return this.session.log.findLast((l) => l.side === this.session.side)?.moment ?? 0;
  }
}
