/** The coach: explains a kind of decision while it is new, offers sensible choices, warns before a blunder, falls silent. */
import { untrack } from "svelte";
import type { MapNote, MapNotes } from "../board/notes";
import { api, Refused } from "../lib/api";
import type { Command } from "../lib/command.svelte";
import { hexOf } from "../lib/offers";
import type { GameSession } from "../lib/session.svelte";
import { settings } from "../lib/settings.svelte";
import type { Choice, Hint, Offer, Place } from "../wire";
import { answeredWell, blunder, sensible, worstLoss, type Blunder } from "./blunder";
import type { Lead } from "./lead";
import { explanations, type Explained } from "./library";
import { ENOUGH, progress } from "./progress.svelte";

export const LETTERS = ["A", "B", "C"];
/** A choice is weighed when it has stayed in hand so long, ms. */
const STAYS = 200;
/** Nobody waits longer than this, ms, for a warning that may not come. */
const WAITS = 1500;

/** What is known of one decision. */
interface Weighed {
  state: number;
  action?: string;
  hint: Hint;
  blunder?: Blunder;
}

export class Coach {
  private words = $state.raw<Record<string, Explained>>({});
  private introductory = $state(false);
  /** The state whose decision was asked about. */
  private asked = $state<number>();
  private weighed = $state.raw<Weighed>();
  private pending?: { key: string; done: Promise<void> };
  private warnedAt = $state<number>();
  warning = $state.raw<Blunder>();
  problem = $state("");

  constructor(
    private readonly live: GameSession,
    private readonly command: Command,
    /** Hints are given in this battle. */
    private readonly hints: () => boolean,
    /** The coach begins to speak, or has nothing more to say. */
    private readonly onspeak: (speaks: boolean) => void,
  ) {
    $effect(() => {
      const face = live.game;
      if (!face) return;
      void explanations(face.system).then((w) => (this.words = w), () => {});
      void api.scenarios().then((all) => (this.introductory = all.find((s) => s.system === face.system)?.id === face.scenario), () => {});
    });
    $effect(() => {
      const { speaks } = this;
      void this.state;
      untrack(() => this.onspeak(speaks));
    });
    $effect(() => {
      if (this.speaks && this.hints() && this.hint === undefined) untrack(() => void this.weigh());
    });
    $effect(() => {
      const offer = command.chosen;
      if (!offer || !this.watches || offer.action === this.weighed?.action) return;
      const timer = window.setTimeout(() => void this.weigh(offer), STAYS);
      return () => window.clearTimeout(timer);
    });
    // The warning belongs to the choice in hand.
    $effect(() => {
      if (this.warning && command.chosen?.action !== this.warning.action) untrack(() => this.forget());
    });
    command.guard = (offer) => this.lets(offer);
  }

  private state = $derived.by(() => this.live.position?.state);
  private system = $derived.by(() => this.live.game?.system ?? "");
  /** The kind of the decision at hand, if there is anything to choose. */
  kind = $derived.by(() => (this.live.mine && this.command.shown === undefined && this.command.offers.length > 1 ? this.live.position?.prompt?.kind : undefined));
  /** The coach sits in: in a system's first battle against the computer, or where it was called. */
  present = $derived.by(() => (this.introductory && this.hints()) || progress.called(this.live.id));
  explained = $derived.by<Explained | undefined>(() => (this.kind === undefined ? undefined : this.words[this.kind]));
  /** How often this kind of decision was answered well. */
  times = $derived.by(() => (this.kind === undefined ? 0 : progress.known(this.system, this.kind)));
  /** It has something to say about the decision at hand. */
  speaks = $derived.by(() => {
    if (this.kind === undefined) return false;
    if (this.asked !== undefined && this.asked === this.state) return true;
    const often = settings.data.coach;
    return this.present && (often === "all" || (often === "new" && this.times < ENOUGH));
  });
  /** It looks at what is chosen. */
  private watches = $derived.by(() => this.kind !== undefined && this.hints() && ((this.present && settings.data.coach !== "never") || (this.asked !== undefined && this.asked === this.state)));
  hint = $derived.by<Hint | undefined>(() => (this.weighed && this.weighed.state === this.state ? this.weighed.hint : undefined));
  /** Two or three sensible choices. */
  choices = $derived.by<Choice[]>(() => (this.hint ? sensible(this.hint).slice(0, LETTERS.length) : []));

  lead = $derived.by<Lead | undefined>(() => {
    const { warning } = this;
    if (!warning) return undefined;
    return {
      main: { label: `${warning.better.title} instead`, act: () => this.instead(warning) },
      beside: [
        { label: "Put back", key: "Esc", act: () => this.putBack() },
        { label: "Do it anyway", act: () => void this.anyway() },
      ],
    };
  });

  notes(): MapNotes {
    const notes = this.choices.flatMap<MapNote>((c, i) => {
      const place = this.placeOf(c.offer);
      if (!place) return [];
      const hex = hexOf(place);
      return [{ place, tone: "letter", sign: LETTERS[i], piece: hex === undefined || this.command.at(hex).length > 0 }];
    });
    return { notes, veil: false };
  }

  private placeOf(o: Offer): Place | undefined {
    const place = o.place ?? this.command.pieces.get(o.targets[0] ?? o.piece ?? -1)?.place;
    return place && !("box" in place) ? place : undefined;
  }

  /** Explains the decision at hand, whatever the settings say. */
  explain(): void {
    this.asked = this.state;
    this.onspeak(true);
  }

  sitIn(): void {
    progress.call(this.live.id);
  }

  /** Puts a choice into the hand, as if it were clicked. */
  choose(c: Choice): void {
    const offer = this.command.offers.find((o) => o.action === c.offer.action) ?? c.offer;
    if (offer.piece !== null) this.command.pick(offer.piece);
    this.command.choose(offer);
  }

  /** The better act is put into the hand and not played: whoever presses Enter unawares has lost nothing. */
  private instead({ better }: Blunder): void {
    this.forget();
    this.choose(better);
  }

  private async anyway(): Promise<void> {
    const offer = this.command.chosen;
    this.forget();
    await this.command.go(offer);
  }

  /** The choice warned of is taken out of the hand. */
  putBack(): void {
    this.forget();
    this.command.cancel();
  }

  private forget(): void {
    this.warning = undefined;
    if (this.live.trouble?.code === "coach") this.live.trouble = undefined;
  }

  /** Asks what the choices are worth, and one that is in hand beside them. */
  private weigh(offer?: Offer): Promise<void> {
    const { state } = this;
    const token = this.live.token;
    const key = `${state} ${offer?.action ?? ""}`;
    if (state === undefined || !token) return Promise.resolve();
    if (this.pending?.key === key) return this.pending.done;
    const done = this.ask(state, token, offer);
    this.pending = { key, done };
    return done;
  }

  private async ask(state: number, token: string, offer?: Offer): Promise<void> {
    const { live, command } = this;
    try {
      const [hint, report] = await Promise.all([
        api.hint(live.id, token, { state, ...(offer ? { also: offer.action } : {}) }),
        offer?.rolls ? api.odds(live.id, token, { state, action: offer.action, horizon: "affair" }).catch(() => undefined) : undefined,
      ]);
      if (state !== this.state) return;
      this.problem = "";
      // Figures for the choice in hand are not thrown away for a list without it.
      if (offer === undefined && this.weighed?.state === state) return;
      const loss = live.side && worstLoss(report, command.pieces, live.side);
      this.weighed = { state, action: offer?.action, hint, blunder: offer && blunder(hint, offer.action, loss) };
      if (offer && command.chosen?.action === offer.action) this.warn();
    } catch (error) {
      if (state !== this.state) return;
      this.problem = error instanceof Refused ? error.message : "The server is not answering.";
    }
  }

  /** Once for a decision; says whether it has warned. */
  private warn(): boolean {
    const found = this.weighed?.state === this.state ? this.weighed?.blunder : undefined;
    if (!found || this.warnedAt === this.state || this.command.chosen?.action !== found.action) return false;
    this.warnedAt = this.state;
    this.warning = found;
    this.live.trouble = { code: "coach", at: hexOf(this.command.chosen.place), refusal: found.told };
    return true;
  }

  /** Whether an act may go: it waits a moment for a warning that is being worked out. */
  private async lets(offer: Offer): Promise<boolean> {
    const { kind } = this;
    if (kind === undefined || !this.watches) return true;
    if (this.warnedAt !== this.state) {
      if (this.weighed?.state !== this.state || this.weighed?.action !== offer.action) await Promise.race([this.weigh(offer), new Promise((done) => window.setTimeout(done, WAITS))]);
      if (this.weighed?.blunder?.action === offer.action && this.command.chosen !== offer) this.command.choose(offer);
      if (this.warning !== undefined || this.warn()) return false;
    }
    const { hint } = this;
    // Whoever was warned of it and did it all the same has not shown that they know better.
    const warned = this.warnedAt === this.state && this.weighed?.blunder?.action === offer.action;
    if (hint && !warned && answeredWell(hint, offer.action)) progress.answeredWell(this.system, kind);
    return true;
  }
}
