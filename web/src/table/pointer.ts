/** Pointer and keys on the inch table: what they do to the hand. Positions are in thousandths of an inch. */
import type { Command } from "../lib/command.svelte";
import { offerWords, pieceWords } from "../lib/words";
import type { Board, Piece } from "../wire";
import type { TableHand } from "./hand.svelte";
import { bearing, joining, local, nearest, poseOf, sizeOf, turnedAbout, under } from "./pose";

type Spot = [number, number];

export class TablePointer {
  private mode: "none" | "carry" | "turn" | "measure" = "none";
  private piece?: Piece;
  /** From the block's front to where it was taken. */
  private grip: Spot = [0, 0];
  private typed = "";

  constructor(
    private readonly hand: TableHand,
    private readonly command: Command,
    private readonly board: Board,
    /** Thousandths of an inch a px. */
    private readonly perPx: () => number,
    private readonly say: (text: string) => void,
  ) {}

  private pieces(): Piece[] {
    return [...this.command.pieces.values()];
  }

  private under([x, y]: Spot, px = 4): Piece[] {
    const blocks = under(this.pieces(), x, y, px * this.perPx());
    const label = this.hand.labels.find((l) => x >= l.x0 && x <= l.x1 && y >= l.y0 && y <= l.y1);
    const piece = label && this.command.pieces.get(label.id);
    return piece && !blocks.includes(piece) ? [piece, ...blocks] : blocks;
  }

  /** Whether the table takes the pointer: a block, or the handle that turns it. */
  down(spot: Spot, coarse: boolean): boolean {
    this.mode = "none";
    if (this.hand.measuring) {
      this.mode = "measure";
      this.grip = spot;
      this.hand.measured = undefined;
      return true;
    }
    const slack = coarse ? 14 : 4;
    const handle = this.hand.handle(1 / this.perPx());
    if (handle && Math.hypot(handle[0] - spot[0], handle[1] - spot[1]) < (coarse ? 26 : 17) * this.perPx()) {
      this.mode = "turn";
      return true;
    }
    const { command } = this;
    const ghost = poseOf(command.chosen?.place);
    const own = command.piece;
    // The ghost is taken up again where it lies.
    if (ghost && own && command.chosen!.targets.length === 0 && under([{ ...own, place: { pose: ghost }, footprint: command.chosen!.footprint ?? own.footprint }], ...spot, slack * this.perPx()).length > 0) {
      this.take(own, ghost.x, ghost.y, spot);
      return true;
    }
    const here = this.under(spot, slack);
    const actor = here.find((p) => p.id === command.selected) ?? here.find((p) => command.choices.actors.includes(p.id));
    const pose = poseOf(actor?.place);
    if (!actor || !pose) return false;
    this.take(actor, pose.x, pose.y, spot);
    return true;
  }

  private take(piece: Piece, x: number, y: number, spot: Spot): void {
    this.mode = "carry";
    this.piece = piece;
    this.grip = [x - spot[0], y - spot[1]];
  }

  /** The pointer has been moved far enough to mean it. */
  move(spot: Spot): void {
    const { command, hand } = this;
    if (this.mode === "measure") {
      hand.measured = { from: { x: this.grip[0], y: this.grip[1], facing: 0 }, to: { x: spot[0], y: spot[1], facing: 0 } };
      return;
    }
    if (this.mode === "turn") {
      const at = poseOf(command.chosen?.place) ?? poseOf(command.piece?.place);
      if (!at || !command.piece) return;
      const size = sizeOf(command.chosen?.footprint ?? command.piece.footprint);
      const [cx, cy] = local(at, 0, -size.depth / 2);
      // The handle stands off the right front corner: its own bearing is taken away.
      const [hx, hy] = local(at, size.width / 2 + 14 * this.perPx(), 14 * this.perPx());
      const turn = bearing(cx, cy, ...spot) - bearing(cx, cy, hx, hy);
      hand.face(Math.round((at.facing + turn) / 100) * 100);
      return;
    }
    const piece = this.piece;
    const pose = poseOf(piece?.place);
    if (this.mode !== "carry" || !piece || !pose) return;
    if (command.selected !== piece.id) command.pick(piece.id);
    const struck = this.under(spot).find((p) => command.targets.has(p.id));
    hand.carrying = true;
    if (struck && hand.aim(struck)) return;
    if (hand.offers.length === 0) return;
    const facing = hand.wish?.turned ? hand.wish.pose.facing : pose.facing;
    hand.hold({ x: spot[0] + this.grip[0], y: spot[1] + this.grip[1], facing });
  }

  /** Let go after a drag. */
  up(): void {
    const was = this.mode;
    this.mode = "none";
    if (was === "carry") void this.hand.drop();
    else this.hand.carrying = false;
  }

  get busy(): boolean {
    return this.mode !== "none";
  }

  /** A wheel turns what is carried. */
  wheel(steps: number): boolean {
    if (!this.hand.carrying) return false;
    const wish = this.hand.wish;
    const piece = this.command.piece;
    if (wish && piece) this.hand.hold(turnedAbout(wish.pose, sizeOf(piece.footprint), steps * 500), true);
    return true;
  }

  /** A click: a target, an own unit, the ghost, or a place to go to. */
  click(spot: Spot, snap: boolean): void {
    const { command, hand } = this;
    this.mode = "none";
    if (hand.measuring) return;
    hand.carrying = false;
    const here = this.under(spot);
    const ghost = poseOf(command.chosen?.place);
    const target = here.find((p) => command.targets.has(p.id));
    if (target) {
      const list = command.targets.get(target.id)!;
      if (command.chosen && list.includes(command.chosen)) void command.go();
      else hand.aim(target);
      return;
    }
    const join = joining(hand.verb, here);
    if (join) {
      hand.release();
      if (command.chosen === join) void command.go();
      else command.choose(join);
      return;
    }
    if (ghost && command.piece && under([{ ...command.piece, place: { pose: ghost }, footprint: command.chosen!.footprint ?? command.piece.footprint }], ...spot, 4 * this.perPx()).length > 0 && !here.some((p) => p.id === command.selected)) {
      void command.go();
      return;
    }
    const actors = here.filter((p) => command.choices.actors.includes(p.id));
    if (actors.length > 0) {
      const now = actors.findIndex((p) => p.id === command.selected);
      hand.release();
      command.pick(actors[(now + 1) % actors.length].id);
      return;
    }
    const group = command.selected === undefined ? command.choices.onMap.find((o) => o.piece === null && o.targets.some((t) => here.some((p) => p.id === t))) : undefined;
    if (group) {
      if (command.chosen === group) void command.go();
      else command.choose(group);
      return;
    }
    const pose = poseOf(command.piece?.place);
    if (!command.piece || !pose || hand.offers.length === 0 || here.length > 0) {
      hand.release();
      command.pick(undefined);
    } else if (snap) {
      hand.release();
      command.chosen = nearest(hand.offers, { x: spot[0], y: spot[1], facing: 0 }, false);
    } else hand.hold({ x: spot[0], y: spot[1], facing: hand.wish?.turned ? hand.wish.pose.facing : pose.facing });
  }

  hover(spot: Spot): void {
    this.hand.over = this.under(spot)[0]?.id;
  }

  /** Whether the key was for the table. */
  key(e: KeyboardEvent): boolean {
    const { command, hand } = this;
    const far = e.shiftKey ? 1000 : 250;
    const steps: Record<string, Spot> = { ArrowUp: [0, far], ArrowDown: [0, -far], ArrowLeft: [-far, 0], ArrowRight: [far, 0] };
    if (e.key in steps && command.piece && hand.offers.length > 0) {
      hand.nudge(...steps[e.key]);
      this.tell();
      return true;
    }
    if (e.key === "[" || e.key === "]" || e.key === "{" || e.key === "}") {
      if (!command.piece || hand.offers.length === 0) return false;
      const by = e.shiftKey || e.key === "{" || e.key === "}" ? 1500 : 100;
      hand.turn(e.key === "[" || e.key === "{" ? -by : by);
      this.tell();
      return true;
    }
    // A nought alone shows the whole table.
    if (/^[0-9.]$/.test(e.key) && (e.key !== "0" || this.typed !== "") && command.piece && hand.offers.length > 0) {
      this.typed = (this.typed + e.key).slice(-5);
      const inches = Number.parseFloat(this.typed);
      if (inches > 0) hand.ahead(Math.round(inches * 1000));
      this.tell();
      return true;
    }
    this.typed = "";
    if (e.key === "Tab") return this.tab(e.shiftKey ? -1 : 1);
    if (e.key === "Escape" && hand.measuring) {
      hand.tape();
      return true;
    }
    if (e.key === "Escape" && (hand.wish || hand.carrying)) {
      hand.release();
      command.chosen = undefined;
      return true;
    }
    return false;
  }

  /** Tab walks the offers of the picked unit, or the units that may act, and leaves the table after the last. */
  private tab(by: 1 | -1): boolean {
    const { command, hand } = this;
    if (hand.offers.length > 0 || command.targets.size > 0) {
      const next = hand.walk(by);
      if (next) this.say(offerWords(next));
      return next !== undefined;
    }
    const ring = command.choices.actors;
    const now = command.selected === undefined ? (by === 1 ? -1 : ring.length) : ring.indexOf(command.selected);
    const id = ring[now + by];
    const piece = id === undefined ? undefined : command.pieces.get(id);
    if (!piece) return false;
    command.pick(id);
    this.say(pieceWords(piece, this.board, undefined, [...new Set(command.mine.map((o) => o.verb))]));
    return true;
  }

  private sayTimer = 0;
  private tell(): void {
    window.clearTimeout(this.sayTimer);
    this.sayTimer = window.setTimeout(() => {
      const { chosen } = this.command;
      this.say(chosen ? offerWords(chosen) : (this.hand.refusal?.why ?? ""));
    }, 350);
  }
}
