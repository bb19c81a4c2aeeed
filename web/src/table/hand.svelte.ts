/** The player's hand over the inch table: where a block is held, and what the rules say to that. */
import { api, Refused } from "../lib/api";
import type { Command } from "../lib/command.svelte";
import { charges } from "../lib/offers";
import type { GameSession } from "../lib/session.svelte";
import type { Offer, Piece, PieceId, Refusal } from "../wire";
import { asked, local, nearest, poseOf, shortest, sizeOf, turnedAbout, verbsOf, type Pose, type Verb } from "./pose";

export interface Wish {
  pose: Pose;
  /** The player has turned it: the facing is meant. */
  turned: boolean;
}

export class TableHand {
  /** Where the labels stand on the table, thousandths of an inch: each is a handle of its unit. */
  labels: { id: PieceId; x0: number; x1: number; y0: number; y1: number }[] = [];
  private readonly session: GameSession;
  private readonly command: Command;
  /** What kind of thing the picked unit is to do. */
  private wanted = $state<string>();
  /** Where the block is held. */
  wish = $state.raw<Wish>();
  /** Why it cannot be so, if nothing near it can. */
  refusal = $state.raw<Refusal>();
  carrying = $state(false);
  /** The tape is in the hand: it measures from where it is pressed down. */
  measuring = $state(false);
  measured = $state.raw<{ from: Pose; to: Pose }>();
  /** The piece under the pointer. */
  over = $state<PieceId>();
  private asking = false;
  private again = false;

  constructor(session: GameSession, command: Command) {
    this.session = session;
    this.command = command;
  }

  /** What the picked unit may do on the table, by kind. */
  verbs = $derived.by<Verb[]>(() => (this.command.piece ? verbsOf(this.command.mine) : []));
  verb = $derived.by<Verb | undefined>(() => this.verbs.find((v) => v.id === this.wanted) ?? this.verbs.find((v) => v.id === "ride") ?? this.verbs.find((v) => v.offers.some((o) => poseOf(o.place) && o.targets.length === 0)));
  /** The offers drawn on the table now. */
  offers = $derived.by<Offer[]>(() => (this.verb?.offers ?? []).filter((o) => poseOf(o.place) && o.targets.length === 0));
  /** What is done on the spot and no drag or turn says: another formation, lying down. */
  stances = $derived.by<Offer[]>(() => {
    const at = poseOf(this.command.piece?.place);
    if (!at) return [];
    const here = (o: Offer) => near(poseOf(o.place)!, at);
    if (this.offers.every(here)) return this.offers;
    return this.offers.filter((o) => o.footprint || (here(o) && poseOf(o.place)!.facing === at.facing && Math.hypot(poseOf(o.place)!.x - at.x, poseOf(o.place)!.y - at.y) < 10));
  });

  /** Takes up the tape, or rolls it in. */
  tape(): void {
    this.measuring = !this.measuring;
    this.measured = undefined;
  }

  choose(verb: string): void {
    this.wanted = verb;
    this.release();
    const found = this.verbs.find((v) => v.id === verb);
    // A kind with one thing to do is chosen together with it; a charge is aimed first.
    this.command.chosen = found?.offers.length === 1 && !charges(found.offers[0]) ? found.offers[0] : undefined;
  }

  /** Nothing is held any more. */
  release(): void {
    this.wish = undefined;
    this.refusal = undefined;
    this.carrying = false;
  }

  /** A new decision: what was held is put down. */
  settle(): void {
    this.release();
    if (!this.verbs.some((v) => v.id === this.wanted)) this.wanted = undefined;
  }

  /** Where the handle stands that turns the block: beyond its right front corner, 14 px off. */
  handle(mil: number): [number, number] | undefined {
    const { piece, chosen } = this.command;
    if (!piece || piece.arm === "leader" || this.offers.length === 0 || (chosen && chosen.targets.length > 0)) return undefined;
    const pose = this.standing();
    return pose && local(pose, sizeOf(chosen?.footprint ?? piece.footprint).width / 2 + 14 / mil, 14 / mil);
  }

  /** The block is held there; it faces as it will unless it has been turned. */
  hold(pose: Pose, turned = this.wish?.turned ?? false): void {
    this.wish = { pose, turned };
    void this.ask();
  }

  turn(by: number): void {
    const piece = this.command.piece;
    // Turns that follow each other faster than the rules answer add up.
    const at = this.asking && this.wish ? this.wish.pose : this.standing();
    if (!piece || !at) return;
    this.hold(turnedAbout(at, sizeOf(this.command.chosen?.footprint ?? piece.footprint), by), true);
  }

  /** To face a direction, by the handle. */
  face(facing: number): void {
    const at = this.standing();
    if (at) this.turn(shortest(facing - at.facing));
  }

  nudge(east: number, north: number): void {
    const at = (this.command.chosen && this.wish?.pose) ?? this.standing();
    if (at) this.hold({ ...at, x: at.x + east, y: at.y + north });
  }

  /** Straight ahead from where the unit stands. */
  ahead(thousandths: number): void {
    const from = poseOf(this.command.piece?.place);
    if (!from) return;
    const [x, y] = local(from, 0, thousandths);
    this.hold({ x, y, facing: from.facing }, false);
  }

  private standing(): Pose | undefined {
    return poseOf(this.command.chosen?.place) ?? poseOf(this.command.piece?.place);
  }

  /** The next offer of this kind, for the keyboard. */
  walk(by: 1 | -1): Offer | undefined {
    const ring = this.command.targets.size > 0 ? [...new Set([...this.command.targets.values()].flat())] : this.offers;
    const now = this.command.chosen ? ring.indexOf(this.command.chosen) : by === 1 ? -1 : ring.length;
    const next = ring[now + by];
    if (!next) return undefined;
    this.release();
    this.command.chosen = next;
    return next;
  }

  /** The rules are asked about the pose held; while an answer is awaited only the last pose counts. */
  private async ask(): Promise<void> {
    const { wish, verb, command, session } = { wish: this.wish, verb: this.verb, command: this.command, session: this.session };
    const piece = command.piece;
    const model = this.offers[0];
    if (!wish || !verb || !piece || !model || !session.token || !session.position) return;
    if (this.asking) {
      this.again = true;
      return;
    }
    const action = asked(model, piece, wish.pose, wish.turned);
    if (!action) {
      this.take(nearest(this.offers, wish.pose, wish.turned));
      return;
    }
    this.asking = true;
    this.again = false;
    try {
      const offer = await api.check(session.id, session.token, { state: session.position.state, action });
      if (command.piece?.id === piece.id && this.wish) this.take(offer);
    } catch (error) {
      if (!(error instanceof Refused) || !this.wish) return;
      if (error.problem.code === "unreadable") this.take(nearest(this.offers, wish.pose, wish.turned));
      else if (error.problem.refusal) this.refuse(error.problem.refusal);
    } finally {
      this.asking = false;
      if (this.again) void this.ask();
    }
  }

  private take(offer: Offer | undefined): void {
    this.refusal = undefined;
    this.command.chosen = offer;
  }

  private refuse(refusal: Refusal): void {
    this.refusal = refusal;
    this.command.chosen = undefined;
  }

  /** The block is let go. What the rules allow stays as a ghost; what they forbid is told. */
  async drop(): Promise<void> {
    this.carrying = false;
    while (this.asking) await new Promise((done) => setTimeout(done, 20));
    if (!this.refusal) return;
    this.session.trouble = { code: "refused", refusal: this.refusal };
    this.release();
  }

  /** A piece that lies under a hand full of another: its charge or its fire. */
  aim(target: Piece | undefined): boolean {
    const list = target && this.command.targets.get(target.id);
    if (!list) return false;
    this.wish = undefined;
    this.refusal = undefined;
    this.command.chosen = list.includes(this.command.chosen!) ? this.command.chosen : list[0];
    return true;
  }
}

const near = (a: Pose, b: Pose) => Math.hypot(a.x - b.x, a.y - b.y) < 1500;
