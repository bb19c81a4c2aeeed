/** The player's hand over the board: what is picked up, where it would go, what Enter would do. */
import type { Offer, OfferNote, Piece, PieceId, Position } from "../wire";
import type { GameSession } from "./session.svelte";
import { attempt, brass, charges, choices, ending, goals, hexOf, ofActor, placeKey, plain, stepShare, targets } from "./offers";
import { bulks, partOf, type Bulk } from "./bulk";
import { commonGoals, inTheNameOf, marches, mates, slowestWay } from "./together";

export class Command {
  private readonly session: GameSession;
  /** A past moment is looked at: nothing can be done. */
  shown = $state.raw<Position>();
  picked = $state<PieceId>();
  chosen = $state.raw<Offer>();
  hover = $state<string>();
  cursor = $state<string>();
  /** With empty hands: the piece that something shall be done to. */
  aimed = $state<PieceId>();
  /** The place the last refusal speaks of. */
  refusedAt = $state<string>();
  dragging = $state<PieceId>();
  /** The one piece that may act has been put down. */
  private putDown = $state(false);
  /** Of what can be done at a place besides marching there (dismount, leave the map), the kind asked for. */
  kind = $state<string>();
  /** Several units do something one after the other. */
  working = $state(false);
  /** Ticked in the stack builder. */
  ticked = $state<PieceId[]>([]);

  /** Told of what the player plays by hand, before it is played. */
  onplay?: (offer: Offer) => void;
  /** Asked before the player plays something by hand; a no leaves it in the hand. */
  guard?: (offer: Offer) => Promise<boolean>;
  /** Whether a press on this only tells what would be left undone. */
  holdsBack?: (offer: Offer) => boolean;
  /** A voice asks the player to wait: nothing is offered meanwhile. */
  held: () => boolean = () => false;

  /** Kept when what the last act brought has been read. */
  read: () => Promise<void> = () => Promise.resolve();

  constructor(session: GameSession) {
    this.session = session;
  }

  position = $derived.by(() => this.shown ?? this.session.position);
  offers = $derived.by<Offer[]>(() => (this.shown === undefined && this.session.mine && !this.held() ? (this.session.position?.offers ?? []) : []));
  choices = $derived(choices(this.offers));
  pieces = $derived(new Map((this.position?.view.pieces ?? []).map((p) => [p.id, p])));

  /** One actor alone need not be picked, but can be put down. */
  selected = $derived.by<PieceId | undefined>(() => {
    const { actors, onMap } = this.choices;
    if (this.picked !== undefined && actors.includes(this.picked)) return this.picked;
    return !this.putDown && actors.length === 1 && onMap.every((o) => o.piece === actors[0]) ? actors[0] : undefined;
  });
  piece = $derived.by<Piece | undefined>(() => (this.selected === undefined ? undefined : this.pieces.get(this.selected)));
  mine = $derived(ofActor(this.choices.onMap, this.selected));
  /** The stack of the piece in hand, as far as it may march. */
  mates = $derived.by<Piece[]>(() => mates(this.piece, this.choices.onMap, this.pieces));
  /** Those that march together; none while one goes alone. */
  party = $derived.by<PieceId[]>(() => {
    const going = this.mates.map((p) => p.id).filter((id) => this.ticked.includes(id));
    return going.length > 1 && this.selected !== undefined && going.includes(this.selected) ? going : [];
  });
  goals = $derived.by(() => (this.party.length > 1 ? commonGoals(this.choices.onMap, this.selected!, this.party) : goals(this.kind === undefined ? this.mine : this.mine.filter((o) => o.verb === this.kind))));
  /** Kinds of things that the piece in hand may do at a hex besides marching there. A click on the hex alone would never offer them. */
  kinds = $derived.by<string[]>(() => (this.mine.some(marches) ? [...new Set(this.mine.filter((o) => !marches(o) && hexOf(o.place) !== undefined && o.targets.length === 0).map((o) => o.verb))] : []));
  targets = $derived(targets(this.mine));
  plain = $derived(plain(this.mine));
  /** What may be done to the piece aimed at, by whomever. */
  aimers = $derived.by<Offer[]>(() => (this.aimed === undefined ? [] : this.choices.onMap.filter((o) => o.targets.includes(this.aimed!))));
  /** With empty hands: the one piece that all of it would be done to, such as an enemy that moves past. */
  subject = $derived.by<PieceId | undefined>(() => {
    if (this.selected !== undefined) return undefined;
    const struck = new Set(this.choices.onMap.map((o) => (o.targets.length === 1 ? o.targets[0] : undefined)));
    return struck.size === 1 ? [...struck][0] : undefined;
  });
  /** The offer whose path and notes are shown: chosen, else under the pointer or the cursor. */
  previewed = $derived.by<Offer | undefined>(() => {
    if (this.chosen) return this.chosen;
    const at = this.hover ?? this.cursor;
    return at === undefined ? undefined : this.goals.get(at)?.[0];
  });
  brass = $derived(brass(this.offers, this.chosen));
  /** With empty hands: what several units could do one after the other. */
  bulks = $derived.by<Bulk[]>(() => (this.picked === undefined && this.chosen === undefined ? bulks(this.offers, (id) => this.pieces.get(id)?.name ?? "") : []));
  ending = $derived(ending(this.choices.buttons));
  notes = $derived.by<OfferNote[]>(() => this.previewed?.notes ?? []);
  /** Other ways to the same place, or other things to do there. */
  variants = $derived.by<Offer[]>(() => {
    const c = this.chosen;
    if (!c) return [];
    if (c.shares.length > 0) return [];
    const list = (c.place && !("box" in c.place) ? this.goals.get(placeKey(c.place)) : undefined) ?? (c.targets.length > 0 ? this.targets.get(c.targets[0]) : undefined);
    return list && list.length > 1 ? list : [];
  });

  /** A new decision: the hand is empty again, unless the same piece goes on. */
  settle(): void {
    this.putDown = false;
    this.kind = undefined;
    this.hover = undefined;
    this.refusedAt = undefined;
    this.dragging = undefined;
    if (this.aimers.length === 0) this.aimed = undefined;
    if (this.party.length === 0) this.ticked = [];
    if (this.picked !== undefined && !this.choices.actors.includes(this.picked)) this.picked = undefined;
    this.chosen = this.#onlyThing();
    // A division of fire is offered whole: start from the first.
    if (this.offers.length > 0 && this.offers.every((o) => o.button || o.shares.length > 0)) this.chosen = this.offers.find((o) => o.shares.length > 0);
  }

  /** Where there is one thing to do, or to decline, it lies ready with its odds; a charge is aimed first. */
  #onlyThing(): Offer | undefined {
    const { onMap, buttons } = this.choices;
    return onMap.length === 1 && buttons.length > 0 && !charges(onMap[0]) ? onMap[0] : undefined;
  }

  pick(piece: PieceId | undefined): void {
    this.picked = piece;
    this.kind = undefined;
    this.putDown = piece === undefined;
    if (piece === undefined || !this.ticked.includes(piece)) this.ticked = [];
    this.aimed = undefined;
    // A piece with one thing to do is picked together with it; a charge is aimed first, so that its chances are seen.
    const only = piece === undefined ? [] : this.choices.onMap.filter((o) => o.piece === piece);
    this.chosen = only.length === 1 && !charges(only[0]) ? only[0] : undefined;
    this.session.trouble = undefined;
  }

  /** A tick of the stack builder is set or taken away. */
  toggle(id: PieceId): void {
    const now = this.party.length > 0 ? this.party : this.selected === undefined ? [] : [this.selected];
    const next = now.includes(id) ? now.filter((p) => p !== id) : [...now, id];
    if (this.selected !== undefined && !next.includes(this.selected)) this.picked = next[0];
    this.ticked = next;
    this.chosen = undefined;
  }

  /** The whole stack, or the piece in hand alone. */
  gather(all: boolean): void {
    this.ticked = all ? this.mates.map((p) => p.id) : [];
    this.chosen = undefined;
  }

  at(hex: string): Piece[] {
    return [...this.pieces.values()].filter((p) => hexOf(p.place) === hex);
  }

  /** Click, tap or Enter on a hex: the first sets, the second goes. */
  async touch(hex: string): Promise<void> {
    const here = this.at(hex);
    const open = this.goals.get(hex);
    const struck = here.find((p) => this.targets.has(p.id));
    if (open) {
      if (this.chosen && open.includes(this.chosen)) await this.go();
      else this.chosen = open[0];
      return;
    }
    if (struck) {
      const list = this.targets.get(struck.id)!;
      if (this.chosen && list.includes(this.chosen)) await this.go();
      else this.chosen = list[0];
      return;
    }
    const actors = here.filter((p) => this.choices.actors.includes(p.id));
    const helper = this.aimers.find((o) => actors.some((p) => p.id === o.piece));
    if (helper) {
      if (this.chosen === helper) await this.go();
      else this.choose(helper);
      return;
    }
    const prey = this.choices.onMap.find((o) => o.piece !== this.selected && o.targets.some((t) => here.some((p) => p.id === t)));
    if (prey && actors.length === 0) {
      this.pick(undefined);
      this.aimed = here.find((p) => prey.targets.includes(p.id))!.id;
      return;
    }
    if (actors.length > 0) {
      const now = actors.findIndex((p) => p.id === this.selected);
      this.pick(actors[(now + 1) % actors.length].id);
      return;
    }
    // Only its own hex puts a piece down: elsewhere it is told why it cannot go there, also where a friend stands.
    const elsewhere = this.piece && hexOf(this.piece.place) !== hex;
    if (elsewhere && this.mine.some((o) => o.place !== null)) await this.tryAnyway(hex);
    else this.pick(undefined);
  }

  /** A place never offered: the server is asked, so that it can say why not. */
  async tryAnyway(hex: string): Promise<void> {
    const piece = this.piece;
    if (!piece) return;
    const action = attempt(this.mine, piece, hex);
    this.chosen = undefined;
    if (!action) {
      this.session.trouble = {
        code: "refused",
        at: hex,
        refusal: { what: `Not to ${hex}.`, why: `${piece.name} has no way there now.`, rule: this.session.position?.prompt?.rule ?? null },
      };
      return;
    }
    await this.session.act(action, hex);
  }

  async drop(hex: string | undefined): Promise<void> {
    if (hex === undefined) return;
    const open = this.goals.get(hex);
    const struck = this.at(hex).find((p) => this.targets.has(p.id));
    if (open) {
      this.chosen = open[0];
      if (open.length === 1 && open[0].notes.every((n) => !n.warning)) await this.go();
    } else if (struck) this.chosen = this.targets.get(struck.id)![0];
    else await this.tryAnyway(hex);
  }

  /** The cursor goes to another hex: a choice made for the hex it leaves is dropped, so that Enter never plays it there. */
  walkTo(hex: string): void {
    this.cursor = hex;
    this.hover = undefined;
    if (this.chosen && this.chosen.shares.length === 0 && this.pointsAway(this.chosen, hex)) this.chosen = undefined;
  }

  /** Whether an offer is about places or pieces on the map, none of them in this hex. */
  private pointsAway(offer: Offer, hex: string): boolean {
    const about = [hexOf(offer.place), ...offer.targets.map((id) => hexOf(this.pieces.get(id)?.place))].filter((h) => h !== undefined);
    return about.length > 0 && !about.includes(hex);
  }

  choose(offer: Offer): void {
    if (offer.piece !== null && offer.piece !== this.selected) this.picked = offer.piece;
    this.chosen = offer;
  }

  async go(offer: Offer | undefined = this.brass): Promise<void> {
    if (!offer || (this.session.busy && !(await this.session.free()))) return;
    if (this.holdsBack?.(offer)) return;
    const { state } = this.session.position ?? {};
    if (this.guard && !(await this.guard(offer))) return;
    if (this.session.busy || this.session.position?.state !== state) return;
    this.onplay?.(offer);
    const at = hexOf(offer.place);
    if (at !== undefined && marches(offer) && this.party.includes(offer.piece!)) return this.goTogether(at);
    await this.session.act(offer.action, at);
  }

  /** The party goes one after the other, all by the same way; where one is refused, the rest stay. */
  private async goTogether(hex: string): Promise<void> {
    const party = this.party.map((id) => this.pieces.get(id)).filter((p) => p !== undefined);
    const way = slowestWay(this.choices.onMap, this.party, hex);
    const guide = party.find((p) => p.id === way?.piece);
    const asked = this.session.position?.prompt?.kind;
    if (!way || !guide) return;
    for (const piece of party) {
      const free = this.session.mine && this.session.position?.prompt?.kind === asked && this.choices.actors.includes(piece.id);
      if (!free) {
        this.session.notice = `${piece.name} stays behind: something else is to be decided first.`;
        break;
      }
      if (!(await this.session.act(inTheNameOf(way, guide, piece), hex))) break;
    }
    this.ticked = [];
  }

  /** Everybody does it, one after the other; where something else is to be decided first, the rest wait. */
  async goAll(bulk: Bulk): Promise<void> {
    if (this.working) return;
    this.working = true;
    try {
      await this.#each(bulk);
    } finally {
      this.working = false;
    }
  }

  async #each({ verb, pieces }: Bulk): Promise<void> {
    const asked = this.session.position?.prompt?.kind;
    for (const piece of pieces) {
      await this.read();
      if (!this.session.mine || this.session.position?.prompt?.kind !== asked) break;
      const part = partOf(this.offers, verb, piece);
      // What came of the others may have settled it.
      if (!part) continue;
      this.onplay?.(part);
      if (!(await this.session.act(part.action))) break;
    }
  }

  /** Only this kind of thing is offered on the map, until it is asked for again. */
  want(kind: string): void {
    this.kind = this.kind === kind ? undefined : kind;
    const found = [...this.goals.values()].flat();
    this.chosen = this.kind !== undefined && found.length === 1 ? found[0] : undefined;
  }

  /** One step back. */
  cancel(): void {
    if (this.session.trouble) this.session.trouble = undefined;
    else if (this.chosen && this.chosen.shares.length === 0) this.chosen = undefined;
    else if (this.ticked.length > 0) this.ticked = [];
    else if (this.kind !== undefined) this.kind = undefined;
    else if (this.selected !== undefined || this.aimed !== undefined) this.pick(undefined);
  }

  /** The next piece that may act. */
  next(by: 1 | -1 = 1): PieceId | undefined {
    const { actors } = this.choices;
    if (actors.length === 0) return undefined;
    const now = this.selected === undefined ? (by === 1 ? -1 : 0) : actors.indexOf(this.selected);
    const id = actors[(now + by + actors.length) % actors.length];
    this.pick(id);
    const hex = hexOf(this.pieces.get(id)?.place);
    if (hex) this.cursor = hex;
    return id;
  }

  step(share: number, by: 1 | -1): void {
    if (!this.chosen) return;
    const other = stepShare(this.offers, this.chosen, share, by);
    if (other) this.chosen = other;
  }

  canStep(share: number, by: 1 | -1): boolean {
    return this.chosen !== undefined && stepShare(this.offers, this.chosen, share, by) !== undefined;
  }
}
