/** Looking back: an earlier moment in place of the present one. */
import { untrack } from "svelte";
import type { LogLine } from "../wire";
import { api, Refused } from "./api";
import type { Command } from "./command.svelte";
import { turnsOf } from "./replay";
import { gameLink, router } from "./route.svelte";
import type { GameSession } from "./session.svelte";

/** A moment on the screen while it plays, ms at speed 1. */
const PACE = 1100;

export class Looking {
  /** The moment looked at; none for the present. */
  at = $state<number>();
  playing = $state(false);
  speed = $state(1);
  sight = $state<"first" | "second" | "all">("all");

  private readonly session: GameSession;
  private readonly command: Command;
  private readonly onstep: (lines: LogLine[]) => void;

  constructor(session: GameSession, command: Command, at: number | undefined, onstep: (lines: LogLine[]) => void) {
    this.session = session;
    this.command = command;
    this.onstep = onstep;
    this.at = at;
    $effect(() => this.fetch());
    $effect(() => this.run());
    $effect(() => this.followAddress());
  }

  last = $derived.by(() => this.session.position?.moment ?? 0);
  moment = $derived(this.at ?? this.last);
  back = $derived(this.at !== undefined);
  turns = $derived.by(() => turnsOf(this.session.log, this.last));
  title = $derived.by(() => {
    const turn = this.turns.findLast((t) => t.from <= this.moment);
    const head = this.session.log.filter((l) => l.moment <= this.moment).flatMap((l) => l.entries).findLast((e) => e.kind === "time")?.text;
    return head?.replace(/\.$/, "") ?? (turn?.label ? `Turn ${turn.label}` : "Set-up");
  });

  /** Looking back has an address of its own, so that the browser's Back leads to the present and not out of the battle. */
  to(moment: number): void {
    const entering = this.at === undefined;
    this.at = Math.min(this.last, Math.max(0, moment));
    if (entering) this.entered = true;
    router.go(gameLink(this.session.id, this.at), !entering);
  }

  /** Looking back was begun here and has an entry in the browser's history. */
  private entered = false;

  /** One moment on; from the last one into the present. */
  forth(): void {
    if (this.moment + 1 >= this.last && !this.session.over) this.leave();
    else this.to(this.moment + 1);
  }

  play(): void {
    if (this.moment >= this.last) this.to(0);
    this.playing = !this.playing;
  }

  leave(): void {
    const { entered } = this;
    this.toPresent();
    if (entered) history.back();
    else router.go(gameLink(this.session.id), true);
  }

  private toPresent(): void {
    this.at = undefined;
    this.playing = false;
    this.entered = false;
    this.command.shown = undefined;
  }

  /** Back and Forward of the browser. */
  private followAddress(): void {
    const now = router.now;
    if (now.page !== "game" || now.game !== this.session.id) return;
    untrack(() => {
      if (now.at === undefined && this.at !== undefined) this.toPresent();
      else if (now.at !== undefined && this.session.position !== undefined && now.at !== this.at) this.at = Math.min(this.last, now.at);
    });
  }

  private fetch(): (() => void) | undefined {
    const m = this.at;
    if (m === undefined) return undefined;
    if (this.session.position === undefined) {
      // The board changes hands: nothing of the other side's stays on it.
      this.command.shown = undefined;
      return undefined;
    }
    const eyes = this.session.over ? this.sight : undefined;
    let stale = false;
    api.position(this.session.id, this.session.token, { at: m, log_from: m, sight: eyes }).then(
      (p) => {
        if (stale) return;
        const before = untrack(() => this.command.shown);
        if (before && p.at === before.at + 1) this.onstep(p.log.filter((l) => l.moment === p.at));
        this.command.shown = p;
      },
      (error: unknown) => {
        if (!stale && error instanceof Refused) this.session.notice = error.message;
      },
    );
    return () => (stale = true);
  }

  private run(): (() => void) | undefined {
    if (!this.playing) return undefined;
    const timer = window.setInterval(() => {
      if (this.moment >= this.last) this.playing = false;
      else this.to(this.moment + 1);
    }, PACE / this.speed);
    return () => window.clearInterval(timer);
  }
}
