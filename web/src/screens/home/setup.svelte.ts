/** Setting up a battle: what there is to play, who sits where, and under which rules. */
import { Rating } from "../../club/rating.svelte";
import { pair } from "../../counters/livery";
import { api, freshSalt, Refused } from "../../lib/api";
import { arrival } from "../../lib/arrival";
import { enter } from "../../lib/begin";
import { rememberLobby } from "../../lib/lobby";
import type { Preset } from "../../lib/route.svelte";
import { vault } from "../../lib/vault";
import { BOTH, other } from "../../lib/words";
import { isJournal, nameOf } from "./files";
import type { ClockTerms, Created, Preview, Problem, ScenarioFace, Side, Sitter, SystemFace, TextFault } from "../../wire";

export type Kind = Sitter["kind"];

/** A scenario of the player's own, as it was read. */
interface Own {
  text: string;
  preview: Preview;
}

/** A file that could not be read. */
export interface Faulty {
  name: string;
  text: string;
  faults: TextFault[];
  /** What is wrong, where no place can be named. */
  message: string;
}

const SILENT = "The server is not answering.";

export class SetUp {
  systems = $state.raw<SystemFace[]>([]);
  #library = $state.raw<ScenarioFace[]>([]);
  #own = $state.raw<Record<string, Own>>({});
  system = $state("");
  scenario = $state("");
  preview = $state.raw<Preview>();
  /** Pictures of a system's battles, as far as they have come. */
  pictures = $state.raw<Record<string, Preview>>({});
  problem = $state("");
  faulty = $state.raw<Faulty>();
  busy = $state(false);

  name = $state(vault.name());
  kinds = $state<Record<Side, Kind>>({ first: "here", second: "computer" });
  levels = $state<Record<Side, string>>({ first: "", second: "" });
  /** Who else sits at this screen. */
  secondName = $state("");
  house = $state<Record<string, boolean>>({});
  /** Alone, dice that have fallen may be taken back. */
  rollsBack = $state(false);
  tableDice = $state(false);
  watched = $state(false);
  /** The seat by link also stands in the lobby, with a line of words. */
  inLobby = $state(false);
  note = $state("");
  /** The clock; none unless somebody wants one. */
  clock = $state<ClockTerms>();
  /** Whether it counts for ratings. */
  readonly rating = new Rating();
  readonly #preset: Preset | undefined;

  readonly scenarios = $derived([...Object.values(this.#own).map((o) => o.preview.scenario), ...this.#library]);
  readonly chosen = $derived(this.scenarios.find((s) => s.id === this.scenario));
  /** The battles of the chosen system; the library's first is for newcomers. */
  readonly here = $derived(this.scenarios.filter((s) => s.system === this.system));
  readonly known = $derived(this.systems.find((s) => s.id === this.system));
  readonly hotSeat = $derived(this.kinds.first === "here" && this.kinds.second === "here");
  /** Two people play, and one of them elsewhere: only they mind the time. */
  readonly people = $derived(BOTH.some((side) => this.kinds[side] === "link") && BOTH.every((side) => this.kinds[side] !== "computer"));
  readonly changed = $derived(this.chosen?.options.filter((o) => (this.house[o.id] ?? o.on) !== o.on) ?? []);
  readonly liveries = $derived.by(() => {
    const [first, second] = pair(this.chosen?.sides.first.livery ?? "", this.chosen?.sides.second.livery ?? "");
    return { first, second };
  });
  /** The one seat of whoever sets it up, if somebody or something else has the other. */
  readonly ownSeat = $derived.by<Side | undefined>(() => (this.hotSeat ? undefined : BOTH.find((side) => this.kinds[side] === "here")));
  /** Two sides that could play for rating. */
  readonly rateable = $derived(this.ownSeat !== undefined && !this.isOwn(this.scenario));
  /** What keeps a game as it is set up from counting; empty if nothing does. */
  readonly unrated = $derived.by(() => {
    if (this.tableDice) return "Only games with the server's dice count.";
    if (this.rollsBack) return "Where rolls may be taken back a game does not count.";
    if (this.people && !this.clock) return "Choose a clock: a rated game between two people needs one.";
    if (!this.people && this.ownSeat && this.levels[other(this.ownSeat)] === "random") return "This computer player has no rating. Choose another level.";
    return "";
  });
  /** The seat that a link opens, if somebody here sits opposite. */
  readonly offered = $derived.by<Side | undefined>(() => BOTH.find((side) => this.kinds[side] === "link" && this.kinds[other(side)] === "here"));

  constructor(preset?: Preset) {
    this.#preset = preset;
    if (preset?.kind !== "challenge") return;
    this.kinds.second = "link";
    this.inLobby = true;
  }

  /** The battles that come with the program. */
  get library(): ScenarioFace[] {
    return this.#library;
  }

  isOwn(id: string): boolean {
    return id in this.#own;
  }

  /** Whether a newcomer to its system does well to begin with it. */
  isFirst(face: ScenarioFace): boolean {
    return this.#library.find((s) => s.system === face.system) === face;
  }

  count(system: string): number {
    return this.scenarios.filter((s) => s.system === system).length;
  }

  /** The units that stand for a system: those of its first battle. */
  signOf(system: string): ScenarioFace | undefined {
    return this.#library.find((s) => s.system === system && s.sign.length > 0);
  }

  async load(): Promise<void> {
    try {
      const [systems, list] = await Promise.all([api.systems(), api.scenarios()]);
      this.systems = systems;
      this.#library = list;
      const wanted = systems.find((s) => s.id === this.#preset?.system);
      this.pickSystem((wanted ?? systems.find((s) => list.some((x) => x.system === s.id)) ?? systems[0])?.id ?? "");
      const preset = this.#preset;
      if (preset?.kind === "computer" && this.known?.levels.some((l) => l.id === preset.level)) this.levels.second = preset.level;
      if (preset?.kind === "battle" && list.some((s) => s.id === preset.scenario)) this.scenario = preset.scenario;
      this.problem = "";
    } catch {
      this.problem = `${SILENT} Trying again.`;
      window.setTimeout(() => void this.load(), 1500);
    }
  }

  pickSystem(id: string): void {
    this.system = id;
    this.scenario = this.here[0]?.id ?? "";
    // A level of another system may not exist here.
    const levels = this.known?.levels ?? [];
    const usual = levels.find((l) => l.id === "captain") ?? levels[Math.floor(levels.length / 2)];
    for (const side of BOTH) if (!levels.some((l) => l.id === this.levels[side])) this.levels[side] = usual?.id ?? "";
  }

  seat(side: Side, kind: Kind): void {
    this.kinds[side] = kind;
    if (kind === "computer" && this.kinds[other(side)] === "computer") this.watched = true;
  }

  /** Shows the chosen battle; gives back how to stop waiting for it. */
  look(): () => void {
    const id = this.scenario;
    const own = this.#own[id];
    if (own) {
      this.preview = own.preview;
      return () => {};
    }
    let stale = false;
    if (id !== "") api.preview(id).then((p) => {
      if (!stale) this.preview = p;
    }, () => (this.preview = undefined));
    return () => (stale = true);
  }

  /** Fetches the pictures of a system's battles one after another, once the page is there. */
  picture(): () => void {
    const ids = this.here.map((s) => s.id).filter((id) => !this.isOwn(id));
    let stale = false;
    const timer = window.setTimeout(async () => {
      for (const id of ids) {
        const p = await api.preview(id).catch(() => undefined);
        if (stale) return;
        if (p) this.pictures = { ...this.pictures, [id]: p };
      }
    }, 400);
    return () => {
      stale = true;
      window.clearTimeout(timer);
    };
  }

  #sitter(side: Side): Sitter {
    const kind = this.kinds[side];
    if (kind === "link") return { kind };
    if (kind === "computer") return { kind, level: this.levels[side] };
    const guest = side === "second" && this.hotSeat;
    return { kind, name: (guest ? this.secondName : this.name).trim() || this.chosen?.sides[side].name || "Player" };
  }

  get #seats() {
    return { first: this.#sitter("first"), second: this.#sitter("second") };
  }

  /** Puts the free seat up in the lobby. The game stands whatever comes of it; its menu offers the lobby again. */
  async #putUp(created: Created): Promise<void> {
    const token = this.offered && created.seats[other(this.offered)].token;
    if (!this.inLobby || !token) return;
    rememberLobby();
    const within = this.rating.wanted && this.unrated === "" && this.rating.within;
    const face = await api.putUp(created.game, token, { note: this.note.trim(), ...(within ? { within } : {}) });
    vault.putUp(face.id, created.game);
  }

  /** Agrees that the new game counts. It stands whatever comes of it. */
  async #rate(created: Created): Promise<void> {
    const token = this.ownSeat && created.seats[this.ownSeat].token;
    if (!this.rating.wanted || this.unrated !== "" || !token) return;
    const problem = await this.rating.agree(created.game, token);
    if (problem) {
      arrival.notice = problem;
      this.rating.wanted = false;
    }
  }

  /** What the chosen battle has of the player's own: its text, and house rules. */
  get given(): { text?: string; options?: Record<string, boolean> } {
    const options = Object.fromEntries(this.changed.map((o) => [o.id, this.house[o.id]]));
    return { ...(this.isOwn(this.scenario) ? { text: this.#own[this.scenario].text } : {}), ...(this.changed.length > 0 ? { options } : {}) };
  }

  async begin(): Promise<void> {
    const { chosen } = this;
    if (!chosen) return;
    vault.setName(this.name.trim());
    await this.#enter(() => api.begin({
      scenario: chosen.id,
      ...this.given,
      seats: this.#seats,
      dice: this.tableDice ? "table" : "sealed",
      salt: freshSalt(),
      public: this.watched,
      ...(this.rollsBack ? { rolls_back: true } : {}),
      ...(this.people && this.clock ? { clock: this.clock } : {}),
    }));
  }

  /** Opens a file of either kind, and says whether it was taken. */
  async open(file: string, text: string): Promise<boolean> {
    if (!isJournal(text)) return this.read(nameOf(file), text);
    await this.#enter(() => api.bring({ journal: text, seats: this.#seats, public: this.watched }));
    return this.problem === "";
  }

  /** A scenario of one's own: read by the server, then set up like any other. */
  async read(name: string, text: string): Promise<boolean> {
    this.problem = "";
    this.busy = true;
    try {
      const preview = await api.readScenario({ name, text });
      const { id, system } = preview.scenario;
      this.#own = { ...this.#own, [id]: { text, preview } };
      this.pictures = { ...this.pictures, [id]: preview };
      this.faulty = undefined;
      this.pickSystem(system);
      this.scenario = id;
      return true;
    } catch (error) {
      const problem: Problem | undefined = error instanceof Refused ? error.problem : undefined;
      if (problem?.code === "faulty_scenario") this.faulty = { name, text, faults: problem.faults, message: problem.message };
      else this.problem = problem?.message ?? SILENT;
      return false;
    } finally {
      this.busy = false;
    }
  }

  async #enter(make: () => Promise<Created>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.problem = "";
    try {
      const created = await make();
      await this.#rate(created);
      await this.#putUp(created).catch((error: unknown) => (arrival.notice = `The seat is not in the lobby: ${error instanceof Refused ? error.message : SILENT} The menu, under Links and seats, offers it again.`));
      enter(created, this.hotSeat && this.secondName.trim() === "");
    } catch (error) {
      this.problem = error instanceof Refused ? error.message : SILENT;
    } finally {
      this.busy = false;
    }
  }
}
