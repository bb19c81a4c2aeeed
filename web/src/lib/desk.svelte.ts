/** What the parts of a battle screen share: the session, the hand over the board, and what is open where. */
import { tick, untrack } from "svelte";
import { Covers } from "../board/covers";
import type { MapNotes } from "../board/notes";
import type { MapHandle } from "../board/window.svelte";
import { Coach } from "../school/coach.svelte";
import type { Lead } from "../school/lead";
import { Lesson } from "../school/lesson.svelte";
import { progress } from "../school/progress.svelte";
import { pair } from "../counters/livery";
import type { LogLine, Offer, Panel, Place, Position, Side } from "../wire";
import { TableHand } from "../table/hand.svelte";
import { poseOf, spots, type Pose } from "../table/pose";
import { api } from "./api";
import { enter, onceMore } from "./begin";
import { Club } from "./club.svelte";
import { Command } from "./command.svelte";
import { sheetOf } from "./ground";
import { Looking } from "./looking.svelte";
import { upTo } from "./journal";
import { hexOf } from "./offers";
import { Overlays } from "./overlays.svelte";
import { Unfolding } from "./unfolding.svelte";
import { gameLink } from "./route.svelte";
import { ruleDesk } from "./rules.svelte";
import type { GameSession } from "./session.svelte";
import { settings } from "./settings.svelte";
import { play } from "./sound";
import { StandingOrders } from "./standing.svelte";
import { Told } from "./told.svelte";
import { Undone } from "./undone.svelte";
import { vault } from "./vault";
import { BOTH, capital, entryWords, playerOf, seatName } from "./words";

export type Tab = "lesson" | "coach" | "now" | "hint" | "review" | "log" | "forces" | "charts" | "score" | "dice" | "chat" | "orders";
export type Cards = Extract<Panel, { kind: "cards" }>;

/** From this width on the dock has two columns, css px. */
const BROAD = 1800;

export class Desk {
  readonly live: GameSession;
  readonly command: Command;
  /** The hand over an inch table. */
  readonly hand: TableHand;
  readonly overlays: Overlays;
  readonly looking: Looking;
  readonly unfolding: Unfolding;
  readonly standing: StandingOrders;
  readonly undone: Undone;
  readonly club: Club;
  /** What the dice have just decided. */
  readonly told: Told;
  /** The panels that lie over the map. */
  readonly covers = new Covers();
  /** The lesson that is played in this game, if one is. */
  readonly lesson?: Lesson;
  /** Not in a lesson, which has words of its own. */
  readonly coach?: Coach;

  tab = $state<Tab>("now");
  dockOpen = $state(true);
  /** The sheet of a small screen stops at the prompt, half, full. */
  stop = $state<0 | 1 | 2>(1);
  map = $state<MapHandle>();
  hideCounters = $state(false);
  hideHeld = $state(false);
  numbers = $state(true);
  open = $state<"menu" | "settings" | "keys" | "share">();
  finding = $state(false);
  /** Said to a screen reader. */
  said = $state("");
  copied = $state("");
  unread = $state(0);
  /** Ways of the pieces that moved last. */
  ways = $state.raw(new Map<number, string[]>());
  /** The briefing has been read. */
  briefed = $state(false);
  /** The same on a table. */
  marches = $state.raw(new Map<number, Pose[]>());
  /** What happened last, for smoke and losses. */
  fresh = $state.raw<LogLine[]>([]);
  narrow = $state(innerWidth < 900);
  phone = $state(innerWidth < 600);
  wide = $state(innerWidth >= 1200);
  /** Room for the log beside the present decision. */
  broad = $state(innerWidth >= BROAD);

  /** The map has been drawn for the first time. */
  mapDrawn: () => void = () => {};
  private readonly drawn = new Promise<void>((done) => (this.mapDrawn = done));
  private firstView = $state.raw<Position["view"]>();
  private sayTimer = 0;
  private chatSeen = 0;

  constructor(live: GameSession, at: number | undefined) {
    this.live = live;
    this.command = new Command(live);
    this.hand = new TableHand(live, this.command);
    this.overlays = new Overlays(live, this.command);
    this.looking = new Looking(live, this.command, at, (lines) => this.show(lines));
    this.unfolding = new Unfolding(live, this.command, (lines) => this.follow(lines), this.drawn);
    this.standing = new StandingOrders(live, () => this.sheet);
    this.club = new Club(live);
    this.undone = new Undone(this.command, live);
    this.command.holdsBack = (offer) => this.undone.holdsBack(offer);
    this.command.onplay = (offer) => this.standing.played(offer);
    const lesson = progress.lessonIn(live.id);
    this.told = new Told(() => lesson !== undefined || progress.called(live.id), () => live.side);
    this.command.read = () => this.told.read();
    if (lesson) {
      this.tab = "lesson";
      const taught = new Lesson(lesson, live, this.command, this.told, () => this.speak("lesson"));
      this.lesson = taught;
      this.overlays.lent = () => taught.overlays;
    } else {
      this.command.held = () => this.told.open;
      this.coach = new Coach(live, this.command, () => this.hints, (speaks) => this.hearCoach(speaks));
    }
    live.onNews = (fresh, before) => this.news(fresh, before);
    $effect(() => {
      if (live.trouble && settings.data.sound) play("refused");
    });
    $effect(() => {
      document.title = `${live.mine ? "● Your turn · " : ""}${this.board?.title ?? "Linstock"}`;
    });
    $effect(() => {
      const n = live.chat.length;
      if (this.tab === "chat") this.chatSeen = n;
      this.unread = Math.max(0, n - this.chatSeen);
    });
    $effect(() => {
      ruleDesk.system = this.face?.system ?? "";
      ruleDesk.title = this.board?.system ?? "";
    });
    $effect(() => {
      if (this.looking.back) this.unfolding.toThePresent();
    });
    $effect(() => {
      if (live.position !== undefined && live.mine && !live.busy && !this.looking.back) untrack(() => void this.standing.consider());
    });
    $effect(() => this.bringNear());
    $effect(() => this.bringNoted());
    $effect(() => this.bringDecision());
    $effect(() => this.bringPicked());
  }

  board = $derived.by(() => this.live.board);
  face = $derived.by(() => this.live.game);
  position = $derived.by(() => this.command.position);
  liveries = $derived.by(() => {
    const [first, second] = pair(this.board?.sides.first.livery ?? "dark", this.board?.sides.second.livery ?? "light");
    return { first, second };
  });
  letters = $derived({ first: this.board?.sides.first.name.charAt(0) ?? "", second: this.board?.sides.second.name.charAt(0) ?? "" });
  /** The ground does not change in play: it is made once from the first position. */
  sheet = $derived.by(() => (this.board && this.firstView ? sheetOf(this.board, this.firstView) : undefined));

  replaying = $derived.by(() => this.looking.back || this.live.over);
  prompt = $derived.by(() => (this.command.shown ? undefined : (this.live.position?.prompt ?? undefined)));
  deciding = $derived.by(() => this.live.deciding);
  /** A seat that nobody has taken yet, and the way to it. */
  waitingFor = $derived.by(() => BOTH.find((s) => this.face?.seats[s].kind === "link" && !this.face.seats[s].taken));
  invitation = $derived.by(() => (this.waitingFor ? vault.invitation(this.live.id, this.waitingFor) : undefined));

  outcome = $derived.by(() => {
    const status = this.live.position?.status;
    if (!this.face || !this.board || status?.kind !== "over") return undefined;
    const s = this.live.position!.view.score;
    const points = (a: number, b: number) => (a || b ? `, ${a} to ${b}` : "");
    if (status.resigned) return `${seatName(this.face, status.resigned)} resigned.`;
    if (status.outcome === "drawn") return `The battle is drawn${points(s.first, s.second)}.`;
    const { won } = status.outcome;
    const { called, plural } = this.board.sides[won];
    return `${capital(called)} ${plural ? "win" : "wins"}${points(s[won], s[won === "first" ? "second" : "first"])}.`;
  });
  sentence = $derived.by(() => {
    if (this.live.handOver !== undefined) return "";
    if (this.lesson?.sentence && !this.told.open && !this.looking.back && !this.unfolding.on) return this.lesson.sentence;
    if (this.looking.back) return this.looking.title;
    if (this.unfolding.on) return this.unfolding.sentence;
    if (this.told.open) return "The dice have fallen.";
    if (this.outcome) return this.outcome;
    if (this.prompt) return this.prompt.sentence;
    if (!this.face || !this.deciding) return "";
    if (this.waitingFor && this.deciding === this.waitingFor) return `Waiting for somebody to take the ${this.board?.sides[this.waitingFor].name} seat.`;
    const status = this.live.position?.status;
    if (!this.board) return "";
    const who = playerOf(this.face, this.board, this.deciding);
    return status?.kind === "deciding" && status.thinking ? `${capital(who)} is thinking.` : `Waiting for ${who}.`;
  });

  /** A voice that leads: its button is the brass one. */
  lead = $derived.by<Lead | undefined>(() => {
    if (this.looking.back || this.unfolding.on) return undefined;
    return this.told.lead ?? this.lesson?.lead ?? this.coach?.lead;
  });
  /** What somebody points at on the map. */
  notes = $derived.by<MapNotes | undefined>(() => {
    if (!this.board || !this.sheet || this.looking.back || this.unfolding.on) return undefined;
    if (this.lesson) return this.lesson.notes(this.board, this.sheet);
    return this.coach?.speaks && this.tab === "coach" ? this.coach.notes() : undefined;
  });

  /** Nothing has been decided on this side yet: what the battle is about is told. */
  briefing = $derived.by(() => !this.briefed && !this.lesson && !this.replaying && this.live.side !== undefined && !this.live.log.some((l) => l.side === this.live.side));

  /** Hints are given against the computer and when one plays alone; two people ask nobody. */
  hints = $derived.by(() => !this.lesson && this.live.side !== undefined && !this.live.over && (this.live.hotSeat || BOTH.some((s) => this.face?.seats[s].kind === "computer")));

  private panels = $derived.by(() => this.position?.view.panels ?? []);
  cup = $derived(this.panels.find((p) => p.kind === "cup"));
  steps = $derived(this.panels.find((p) => p.kind === "steps"));
  hands = $derived(this.panels.filter((p): p is Cards => p.kind === "cards"));

  /** Cards of a hand answer the offer that names them. */
  offerOfCard(name: string): Offer | undefined {
    const low = name.toLowerCase();
    return this.command.offers.find((o) => o.label === name || o.label.endsWith(name) || o.action.replace(/[-_]/g, " ").toLowerCase().includes(low));
  }
  /** What lies on the table as a card is not a button too. */
  private dealt = $derived.by(() => new Set(this.hands.filter((h) => h.side === this.live.side).flatMap((h) => h.cards.map((c) => this.offerOfCard(c.name)))));
  brass = $derived.by(() => this.command.chosen ?? (this.command.brass && this.dealt.has(this.command.brass) ? undefined : this.command.brass));
  extras = $derived.by(() => this.command.plain.filter((o) => o !== this.brass));
  others = $derived.by(() => this.command.choices.buttons.filter((b) => b !== this.brass && !this.dealt.has(b)));
  /** Those that may act from a box beside the map. */
  reserve = $derived.by(() => this.command.choices.actors.map((id) => this.command.pieces.get(id)).filter((p) => p !== undefined).filter((p) => "box" in p.place));
  subject = $derived.by(() => {
    if (this.command.piece) return this.command.piece;
    if (this.hand.over !== undefined) return this.command.pieces.get(this.hand.over);
    const at = this.command.cursor ?? this.command.hover;
    return at === undefined ? undefined : this.command.at(at).at(-1);
  });

  /** Before a phase is ended with empty hands: who could still do something. */
  unfinished = $derived.by(() => (this.command.ending && this.command.chosen === undefined && this.command.picked === undefined ? this.command.choices.actors.map((id) => this.command.pieces.get(id)?.name).filter((n) => n !== undefined) : []));

  /** A voice is to be heard: its tab comes to the front. */
  private speak(tab: Tab): void {
    this.tab = tab;
    this.dockOpen = true;
  }

  /** The coach comes to the front when it speaks, and leaves the dock when it has nothing to say; what else was opened there stays. */
  private hearCoach(speaks: boolean): void {
    if (speaks && (this.tab === "now" || this.tab === "coach")) this.tab = "coach";
    else if (!speaks && this.tab === "coach") this.tab = "now";
  }

  /** What Enter does. */
  enter(): void {
    if (this.lead) this.lead.main?.act();
    else if (this.brass) void this.command.go(this.brass);
  }

  openHint(): void {
    this.speak("hint");
  }

  /** Explains the decision at hand. */
  explain(): void {
    if (!this.coach) return;
    this.speak("coach");
    this.coach.explain();
  }

  seatState(s: Side): string {
    if (!this.face) return "";
    const seat = this.face.seats[s];
    if (this.live.over) return this.face.sides[s].name;
    if (s === this.deciding) return s === this.live.side ? "your turn" : seat.kind === "computer" ? "computer" : "to move";
    if (seat.kind === "computer") return "computer";
    if (!seat.taken) return "open seat";
    if (s === this.live.side) return "you";
    if (this.live.seats.some((held) => held.side === s)) return "at this screen";
    return seat.present ? "watching" : "away";
  }

  /** The window on the piece in hand, on the combat, or on everything. */
  frame(): void {
    const { command } = this;
    if (this.sheet && !this.sheet.grid) {
      const near = [...(this.position?.view.combat?.pieces ?? []), ...(command.piece ? [command.piece.id] : []), ...(command.chosen?.targets ?? [])];
      const places = near.map((id) => command.pieces.get(id)?.place).filter((p) => p !== undefined);
      if (places.length > 0) this.map?.framePlaces(places);
      else this.map?.fitAll();
      return;
    }
    const engaged = (this.position?.view.combat?.pieces ?? []).map((id) => hexOf(command.pieces.get(id)?.place)).filter((h) => h !== undefined);
    const hexes = command.piece ? [hexOf(command.piece.place), ...command.goals.keys()].filter((h) => h !== undefined) : engaged;
    if (hexes.length > 0) this.map?.frame(hexes, engaged.length > 0 && !command.piece ? 166 : 110);
    else this.map?.fitAll();
  }

  /** Picks up a unit beside the map, or puts it down; where it may come on is brought into view. */
  pickBeside(id: number): void {
    if (this.map) this.map.steady = false;
    this.command.pick(id === this.command.selected ? undefined : id);
    if (this.lesson && this.map) this.map.bring(this.leadTo(this.command.mine));
  }

  /** A unit beside the map is taken up to be carried: where it may come on is brought into view before the hand gets there. */
  takeUp(id: number): void {
    this.command.pick(id);
    this.map?.bring(this.leadTo(this.command.mine));
  }

  /** Shows a hex, and puts the cursor there. */
  goTo(hex: string | undefined): void {
    if (!hex) return;
    this.command.cursor = hex;
    this.map?.reveal(hex);
    this.map?.focus();
  }

  reveal(hex: string | undefined): void {
    if (hex) this.map?.reveal(hex);
  }

  async copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.copied = `${what} copied.`;
    } catch {
      this.copied = text;
    }
  }

  linkMoment(): void {
    void this.copy(`${location.origin}${location.pathname}${gameLink(this.live.id, this.looking.moment)}`, "Link");
  }

  /** The same battle again, or from the other side of the table. */
  async again(change: boolean): Promise<void> {
    if (!this.face || !this.board) return;
    const options = Object.fromEntries(this.board.options.map((o) => [o.id, o.on]));
    try {
      enter(await api.begin(onceMore(this.face, options, change)));
    } catch (error) {
      this.live.notice = error instanceof Error ? error.message : "Could not set up the battle again.";
    }
  }

  private journal(): Promise<string> {
    return api.journal(this.live.id, this.live.seats.length > 0 ? this.live.seats.map((s) => s.token) : undefined);
  }

  /** A new battle that begins at the moment looked at, with the same seats. */
  async playOn(): Promise<void> {
    if (!this.face) return;
    try {
      const { seats } = onceMore(this.face, {}, false);
      enter(await api.bring({ journal: upTo(await this.journal(), this.looking.moment), seats, public: this.face.public }));
    } catch (error) {
      this.live.notice = error instanceof Error ? error.message : "Could not set up the battle again.";
    }
  }

  async exportJournal(): Promise<void> {
    this.open = undefined;
    try {
      const text = await this.journal();
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
      link.download = `${(this.board?.title ?? "battle").replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase()}.jsonl`;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      this.live.notice = error instanceof Error ? error.message : "Could not load the journal.";
    }
  }

  walkLog(by: number): void {
    this.tab = "log";
    this.dockOpen = true;
    void tick().then(() => {
      const all = [...document.querySelectorAll<HTMLElement>("#log button.why")];
      const now = all.indexOf(document.activeElement as HTMLElement);
      all[Math.min(all.length - 1, Math.max(0, now + by))]?.focus();
    });
  }

  /** The focus goes to the list of choices. */
  toChoices(): void {
    this.tab = "now";
    this.dockOpen = true;
    void tick().then(() => document.querySelector<HTMLElement>(".choices button")?.focus());
  }

  resized(): void {
    this.narrow = innerWidth < 900;
    this.phone = innerWidth < 600;
    this.wide = innerWidth >= 1200;
    this.broad = innerWidth >= BROAD;
  }

  /** News: log lines are said, moves are shown, a turn is announced. */
  private news(fresh: LogLine[], before: Position | undefined): void {
    this.firstView ??= this.live.position?.view;
    void tick().then(() => {
      this.command.settle();
      this.hand.settle();
    });
    const lines = fresh.filter((l) => l.entries.length > 0);
    if (lines.length > 0) this.announce(lines.map(entryWords).join(" "));
    if (before && this.live.position && this.live.position.moment < before.moment) this.told.close();
    const unfolds = !this.looking.back && this.live.position !== undefined && this.unfolding.begin(this.live.position, before);
    this.follow(unfolds ? lines.filter((l) => l.side === this.live.side) : lines);
    const yours = this.live.mine && (before === undefined || before.status.kind !== "deciding" || before.status.side !== this.live.side);
    if (yours && before !== undefined) {
      if (settings.data.sound) play("drum");
      if (settings.data.notices && document.hidden && "Notification" in window && Notification.permission === "granted")
        new Notification("Your turn", { body: this.board?.title, tag: this.live.id });
    }
  }

  /** Something is seen to happen, and heard. */
  private follow(lines: LogLine[]): void {
    if (lines.length === 0) return;
    this.show(lines);
    this.told.hear(lines);
    if (this.unfolding.on) this.reveal(lines.flatMap((l) => l.entries.flatMap((e) => e.places)).map((p) => hexOf(p)).findLast((h) => h !== undefined));
    if (settings.data.sound) play(lines.some((l) => l.entries.some((e) => e.kind === "fire")) ? "volley" : "set");
  }

  private show(lines: LogLine[]): void {
    const found = new Map<number, string[]>();
    const poses = new Map<number, Pose[]>();
    for (const line of lines)
      for (const e of line.entries) {
        if (e.kind !== "march" && e.kind !== "retreat" && e.kind !== "advance") continue;
        const way = e.places.map((p) => hexOf(p)).filter((h) => h !== undefined);
        const steps = e.places.map(poseOf).filter((p) => p !== undefined);
        if (steps.length > 1 && e.pieces.length > 0) poses.set(e.pieces[0], [...(poses.get(e.pieces[0]) ?? []), ...steps]);
        if (way.length > 1 && e.pieces.length > 0) found.set(e.pieces[0], [...(found.get(e.pieces[0]) ?? []), ...way]);
      }
    if (found.size > 0) this.ways = found;
    if (poses.size > 0) this.marches = poses;
    this.fresh = lines;
  }

  private announce(text: string): void {
    window.clearTimeout(this.sayTimer);
    this.sayTimer = window.setTimeout(() => (this.said = text), 500);
  }

  /** What the decision at hand is about: who may act, on whom, who fights, and, for one or two, where to. */
  private about(): Place[] {
    const { choices, pieces, offers, mine } = this.command;
    const ids = new Set([...choices.actors, ...offers.flatMap((o) => o.targets), ...(this.position?.view.combat?.pieces ?? [])]);
    const places = this.leadTo(choices.actors.length <= 2 ? choices.onMap : mine);
    return [...[...ids].map((id) => pieces.get(id)).filter((p) => p !== undefined).flatMap((p) => spots(p.place, p)), ...places];
  }

  /** Where offers lead. */
  private leadTo(offers: Offer[]): Place[] {
    return offers.flatMap((o) => {
      const piece = this.command.pieces.get(o.piece ?? -1);
      return o.place ? spots(o.place, piece && { ...piece, footprint: o.footprint ?? piece.footprint }) : [];
    });
  }

  /** A unit picked up: where it may go, and whom it may strike, comes into view. A map never moves under a piece that is carried, nor under a pointer that has just clicked. */
  private bringPicked(): void {
    const { map, command } = this;
    if (!map || command.picked === undefined || this.lesson) return;
    untrack(() => {
      if (command.dragging !== undefined || this.hand.carrying || map.byHand || map.steady) return;
      const { piece, mine, pieces } = command;
      const about = mine.flatMap((o) => o.targets).map((id) => pieces.get(id)).filter((p) => p !== undefined);
      if (piece) map.bring([...[piece, ...about].flatMap((p) => spots(p.place, p)), ...this.leadTo(mine)]);
    });
  }

  /** Before a decision all that it is about comes into view. Where many may act, a player who has moved the map to look at a part of it is left there until another kind of decision comes. */
  private decided = "";
  private bringDecision(): void {
    const { map, live } = this;
    const kind = this.prompt?.kind;
    void live.position?.state;
    if (!map || !live.mine || kind === undefined || this.unfolding.on || this.lesson) return;
    untrack(() => {
      if (kind !== this.decided) map.byHand = false;
      this.decided = kind;
      const about = this.about();
      if (!map.byHand || about.length <= 8) map.bring(about);
    });
  }

  /** In a lesson what a page points at comes into view when it is turned to, and with the task whatever it is about, also after a try. */
  private opened = false;
  private bringNoted(): void {
    const { map, lesson, sheet, board } = this;
    if (!map || !sheet || !board || lesson?.open === undefined || this.unfolding.on) return;
    void [this.live.position?.state, lesson.reading, lesson.wrong];
    untrack(() => {
      // A lesson's ground is small: it is seen whole from the start where that can be read.
      if (!this.opened && sheet.grid) map.whole();
      this.opened = true;
      const noted = lesson.pointed(board, sheet);
      const places = lesson.reading ? noted : [...noted, ...this.about()];
      if (places.length > 0) map.bring(places);
    });
  }

  /** An engagement is brought near once, when it begins. */
  private framed = "";
  private bringNear(): void {
    const key = this.position?.view.combat?.pieces.join() ?? "";
    if (key === this.framed) return;
    this.framed = key;
    // A lesson looks after its own view.
    if (key !== "" && !this.lesson) untrack(() => this.frame());
  }
}
