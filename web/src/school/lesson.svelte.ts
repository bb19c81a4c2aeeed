/** A lesson at the board: the page that is open, the task, the answer to a try, the way to the next one. */
import { untrack } from "svelte";
import { placeOf, type MapNote, type MapNotes } from "../board/notes";
import { api, Refused } from "../lib/api";
import type { Command } from "../lib/command.svelte";
import type { Sheet } from "../lib/ground";
import { hexOf } from "../lib/offers";
import { router } from "../lib/route.svelte";
import type { GameSession } from "../lib/session.svelte";
import { settings } from "../lib/settings.svelte";
import type { Told } from "../lib/told.svelte";
import type { LessonFace, PieceId, Place, Said, ScreenPart } from "../wire";
import type { Lead } from "./lead";
import { course, type CourseLesson } from "./library";
import { progress } from "./progress.svelte";
import { firstBattleOf } from "./start";

/** Between two steps of the solution, ms at speed 1. */
const PACE = 1400;
/** Nobody takes back more than this to start over. */
const MOST = 200;
const SILENT = "The server is not answering.";

/** A page that speaks of these shows them: words, and the overlay of the map; a piece's own is that of the first piece it points at. */
const SPOKEN: [RegExp, string[]][] = [
  [/\bzones?\b/i, ["zones"]],
  [/\barcs?\b|\brange bands?\b|\bshort range\b/i, ["arcs"]],
  [/\bin command\b|\bcommand range\b|\bwithin \*\*four hexes\*\*/i, ["command"]],
];

const pause = (ms: number) => new Promise((done) => window.setTimeout(done, ms));

/** An overlay of the map that a page asks for, and of which piece. */
export interface Lent {
  id: string;
  piece?: PieceId;
}

/** What the lesson answered to a try. */
interface Answer {
  said: Said;
  /** It was played, so it can be taken back; else it was refused. */
  played: boolean;
  /** Where the try ended. */
  place?: Place;
}

export class Lesson {
  /** `battle-hymn/03-zones`. */
  readonly id: string;
  readonly system: string;
  face = $state.raw<LessonFace>();
  problem = $state("");
  course = $state.raw<CourseLesson[]>([]);
  page = $state(0);
  /** How many hints are open. */
  hints = $state(0);
  tries = $state(0);
  answer = $state.raw<Answer>();
  /** The solution is being played. */
  showing = $state(false);
  /** The questions at the end have come into view: nobody leaves a lesson past them unawares. */
  asked = $state(false);
  private takingBack = false;
  private requests = 0;
  private moment = -1;

  constructor(
    id: string,
    private readonly live: GameSession,
    private readonly command: Command,
    /** The dice are read before the lesson speaks of them. */
    private readonly told: Told,
    /** The lesson has something new to say. */
    private readonly onspeak: () => void,
  ) {
    this.id = id;
    this.system = id.split("/")[0];
    this.page = progress.lesson(id)?.page ?? 0;
    void course(this.system).then((c) => (this.course = c), () => {});
    command.held = () => this.holds;
    $effect(() => {
      const state = live.position?.state;
      if (state !== undefined) untrack(() => void this.refresh());
    });
    $effect(() => {
      const trouble = live.trouble;
      // What the lesson itself has put there is no new try.
      if (trouble && trouble.lesson !== true && trouble.tried !== undefined) untrack(() => void this.refresh(trouble.tried));
    });
  }

  index = $derived.by(() => this.course.findIndex((l) => l.id === this.id));
  next = $derived.by<CourseLesson | undefined>(() => (this.index < 0 ? undefined : this.course[this.index + 1]));
  last = $derived.by(() => Math.max(0, (this.face?.pages.length ?? 1) - 1));
  solved = $derived.by(() => this.face?.solved === true && !this.showing);
  /** The last lesson of the course is solved: a battle comes next. */
  ends = $derived.by(() => this.solved && this.course.length > 0 && this.next === undefined);
  /** Pages are read before anything is done. */
  reading = $derived.by(() => this.face !== undefined && !this.face.solved && this.page < this.last);
  /** A try that is to be taken back before another. */
  wrong = $derived.by<Answer | undefined>(() => (this.answer && !this.solved && this.answer.said.kind !== "right" && this.answer.played && (this.answer.said.undo || this.answer.said.kind === "stuck") ? this.answer : undefined));
  /** The board waits. */
  holds = $derived.by(() => this.told.open || this.reading || this.wrong !== undefined || this.solved || this.showing);
  open = $derived.by(() => this.face?.pages[Math.min(this.page, this.last)]);
  /** Parts of the screen that the page points at. */
  parts = $derived.by<{ n: string; part: ScreenPart; label: string | null }[]>(() => {
    if (this.solved) return [];
    return (this.open?.look ?? []).flatMap(({ n, at, label }) => ("panel" in at ? [{ n: n === null ? "" : String(n), part: at.panel, label }] : []));
  });
  /** What the page speaks of is drawn on the map, also while its task is done. */
  overlays = $derived.by<Lent[]>(() => {
    const page = this.open;
    if (!page || this.showing) return [];
    const slugs = page.look.flatMap(({ at }) => ("piece" in at ? [at.piece] : []));
    const piece = [...this.command.pieces.values()].find((p) => slugs.includes(p.slug))?.id;
    return SPOKEN.flatMap(([words, ids]) => (words.test(page.says) ? ids : [])).map((id) => ({ id, piece }));
  });
  /** Whether the lesson is about points: else they would only puzzle. */
  showsScore = $derived.by(() => this.face?.pages.some((p) => /\bobjectives?\b|\bscores?\b|\bvictory points\b/i.test(p.says) || p.look.some(({ at }) => "panel" in at && at.panel === "score")) ?? false);
  /** Whether any page points at the track of turns or the phases. */
  showsTurn = $derived.by(() => this.face?.pages.some((p) => p.look.some(({ at }) => "panel" in at && (at.panel === "turn" || at.panel === "phases"))) ?? false);

  sentence = $derived.by<string | undefined>(() => {
    if (this.showing) return "This is how it is done.";
    if (this.solved) return this.ends ? "Solved. You have finished the course." : "Solved.";
    if (this.wrong) return this.wrong.said.kind === "stuck" ? "From here it cannot be solved." : "Not quite.";
    if (this.reading) return "Read and look around.";
    return undefined;
  });
  detail = $derived.by<string>(() => {
    if (this.showing) return "Watch the map; then try it yourself.";
    if (this.solved) return `${this.course.filter((l) => progress.lesson(l.id)?.solved).length} of ${this.course.length} lessons of this course are done.`;
    if (this.wrong) return "Nothing is lost in a lesson: try as often as you like.";
    if (this.reading) return `Page ${this.page + 1} of ${this.last + 1}. Your task comes last.`;
    return "";
  });

  /** What Enter does while the lesson leads. */
  lead = $derived.by<Lead | undefined>(() => {
    if (this.showing) return { beside: [] };
    if (this.solved && !this.asked && (this.face?.questions.length ?? 0) > 0) return { main: { label: "What have you learnt?", act: () => this.ask() }, beside: [{ label: "Again", key: "B", act: () => void this.startOver() }] };
    if (this.ends) return { main: { label: "To your first battle", act: () => void this.fight() }, beside: [{ label: "All lessons", act: () => this.goOn() }, { label: "Again", key: "B", act: () => void this.startOver() }] };
    if (this.solved) return { main: { label: "Next lesson", act: () => this.goOn() }, beside: [{ label: "Again", key: "B", act: () => void this.startOver() }] };
    if (this.wrong?.said.kind === "stuck") return { main: { label: "Start over", act: () => void this.startOver() }, beside: [{ label: "Take back", key: "U", act: () => void this.takeBack() }] };
    if (this.wrong) return { main: { label: "Try again", act: () => void this.takeBack() }, beside: [{ label: "Start over", key: "B", act: () => void this.startOver() }] };
    if (this.reading) return { main: { label: "Next", act: () => this.turn(1) }, beside: this.page > 0 ? [{ label: "Back", act: () => this.turn(-1) }] : [] };
    return undefined;
  });

  /** What is pointed at on the map. */
  notes(board: Parameters<typeof placeOf>[1], sheet: Sheet): MapNotes {
    const pieces = this.command.pieces.values();
    const looks = this.solved || this.showing ? [] : (this.open?.look ?? []);
    const all = [...pieces];
    const notes = looks.flatMap<MapNote>(({ n, at, label }) => {
      const place = placeOf(at, board, sheet, all);
      if (!place) return [];
      const tone = n !== null ? "number" : label !== null && !("piece" in at) ? "goal" : "spot";
      return [{ place, tone, sign: n === null ? "" : String(n), label: label ?? undefined, piece: "piece" in at || ("hex" in place && this.command.at(place.hex).length > 0) }];
    });
    // Once the learner may act, all who can act stand in the light.
    const veil = looks.length > 0 && this.reading;
    if (this.answer?.place && !this.solved) notes.push({ place: this.answer.place, tone: "cross", sign: "", piece: true });
    return { notes, veil };
  }

  /** Where everything lies that the lesson points at on any page up to this one: with the task it is all in view. */
  pointed(board: Parameters<typeof placeOf>[1], sheet: Sheet): Place[] {
    const pages = this.reading ? [this.open] : (this.face?.pages ?? []);
    const all = [...this.command.pieces.values()];
    return pages.flatMap((p) => p?.look ?? []).flatMap(({ at }) => placeOf(at, board, sheet, all) ?? []);
  }

  turn(by: 1 | -1): void {
    this.page = Math.min(this.last, Math.max(0, this.page + by));
    progress.keep(this.id, { page: this.page });
    this.onspeak();
  }

  private ask(): void {
    this.asked = true;
    this.onspeak();
  }

  hint(): void {
    if (!this.face) return;
    this.page = this.last;
    this.hints = Math.min(this.face.hints.length, this.hints + 1);
    this.onspeak();
  }

  /** The try goes back to where it began. */
  async takeBack(): Promise<void> {
    this.takingBack = true;
    this.answer = undefined;
    this.live.trouble = undefined;
    await this.live.undo();
    this.takingBack = false;
  }

  /** Everything is as it was at the start. */
  async startOver(): Promise<void> {
    if (this.takingBack) return;
    this.takingBack = true;
    this.answer = undefined;
    this.hints = 0;
    this.page = this.last;
    this.live.trouble = undefined;
    for (let i = 0; i < MOST && this.live.position && this.live.position.undo !== "nothing"; i++) {
      const before = this.live.position.state;
      await this.live.undo();
      if (this.live.position.state === before) break;
    }
    this.takingBack = false;
    await this.refresh();
  }

  /** Plays the solution from the start. */
  async show(): Promise<void> {
    if (this.showing || !this.live.token) return;
    this.showing = true;
    try {
      await this.startOver();
      const { solution } = await api.lesson(this.live.id, this.live.token, { solution: true });
      for (const action of solution) {
        await this.untilMine();
        await pause(PACE / Math.max(1, settings.data.motion));
        if (!(await this.live.act(action))) break;
        await this.told.read();
      }
      await pause(PACE / Math.max(1, settings.data.motion));
    } catch (error) {
      this.problem = error instanceof Refused ? error.message : SILENT;
    } finally {
      this.showing = false;
    }
    await this.refresh();
  }

  /** The other side answers first. */
  private async untilMine(): Promise<void> {
    for (let i = 0; i < 100 && !this.live.mine && !this.live.over; i++) await pause(60);
  }

  goOn(): void {
    router.go(this.next ? `#/learn/${this.next.id}` : `#/learn/${this.system}`);
  }

  /** The course ends in a battle with the coach. */
  private async fight(): Promise<void> {
    try {
      await firstBattleOf(this.system);
    } catch (error) {
      this.live.notice = error instanceof Refused ? error.message : SILENT;
    }
  }

  leave(): void {
    router.go(`#/learn/${this.system}`);
  }

  async refresh(tried?: string): Promise<void> {
    const token = this.live.token;
    if (!token) return;
    const mine = ++this.requests;
    const quiet = this.takingBack || this.showing;
    const moment = this.live.position?.moment ?? 0;
    const back = moment < this.moment;
    const first = this.moment < 0;
    this.moment = moment;
    let face: LessonFace;
    try {
      face = await api.lesson(this.live.id, token, tried === undefined ? {} : { tried });
    } catch (error) {
      if (mine === this.requests) this.problem = error instanceof Refused ? error.message : SILENT;
      return;
    }
    if (face.solved) progress.keep(this.id, { solved: true });
    await this.told.read();
    if (mine !== this.requests) return;
    const was = this.face?.solved ?? false;
    this.face = face;
    this.problem = "";
    // Whoever has decided something has read the pages, though another window may have kept the place.
    if (this.live.log.some((l) => l.side === this.live.side)) this.page = this.last;
    if (quiet || back || first) {
      this.answer = undefined;
      return;
    }
    if (tried !== undefined) this.page = this.last;
    this.hear(face, tried !== undefined);
    if (face.solved && !was) this.onspeak();
  }

  /** The lesson's answer is told at the place of the try. */
  private hear(face: LessonFace, refused: boolean): void {
    const { said } = face;
    if (!said || said.kind === "right") {
      if (!refused) this.answer = undefined;
      return;
    }
    this.tries += 1;
    const { trouble } = this.live;
    const at = refused ? trouble?.at : this.ended();
    this.answer = { said, played: !refused, place: at === undefined ? undefined : { hex: at } };
    this.live.trouble = { code: "lesson", lesson: true, at, refusal: { what: refused && trouble ? trouble.refusal.what : "Not quite.", why: said.words, rule: said.rule } };
    this.onspeak();
  }

  /** Where the last act ended. */
  private ended(): string | undefined {
    const line = this.live.log.findLast((l) => l.side === this.live.side);
    return line?.entries.flatMap((e) => e.places).map((p) => hexOf(p)).findLast((h) => h !== undefined);
  }
}
