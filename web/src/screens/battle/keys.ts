/** The keys of a battle screen. Those of the map itself (arrows, Tab) are the map's. */
import type { Desk } from "../../lib/desk.svelte";
import { ruleDesk } from "../../lib/rules.svelte";
import { settings } from "../../lib/settings.svelte";

type Handler = (desk: Desk, e: KeyboardEvent) => void;

const KEYS: Record<string, Handler> = {
  "?": (d) => (d.open = d.open === "keys" ? undefined : "keys"),
  u: (d) => !d.looking.back && !d.unfolding.on && d.live.position?.undo !== "nothing" && void d.live.undo(),
  e: (d) => d.command.ending && void d.command.go(d.command.ending),
  x: (d) => d.explain(),
  i: (d) => (d.lesson ? d.lesson.hint() : d.hints && d.openHint()),
  b: (d) => d.lesson && void d.lesson.startOver(),
  c: (d) => d.toChoices(),
  t: (d) => d.command.mates.length > 1 && d.command.gather(d.command.party.length < d.command.mates.length),
  z: (d) => d.overlays.has("zones") && d.overlays.toggle("zones"),
  l: (d) => d.overlays.has("sight") && d.overlays.toggle("sight"),
  r: (d) => d.overlays.has("reach") && d.overlays.toggle("reach"),
  o: (d) => {
    d.tab = "score";
    d.dockOpen = true;
  },
  h: (d) => (d.hideHeld = true),
  g: (d) => (d.numbers = !d.numbers),
  m: (d) => d.sheet && !d.sheet.grid && d.hand.tape(),
  f: (d) => d.frame(),
  "\\": (d) => (d.dockOpen = !d.dockOpen),
  "0": (d) => d.map?.fitAll(),
  "+": (d) => d.map?.zoomBy(1.25),
  "=": (d) => d.map?.zoomBy(1.25),
  "-": (d) => d.map?.zoomBy(0.8),
  ",": (d) => d.looking.to(d.looking.moment - 1),
  ".": (d) => d.looking.forth(),
  j: (d) => d.walkLog(1),
  k: (d) => d.walkLog(-1),
  "/": (d, e) => {
    e.preventDefault();
    d.finding = true;
  },
};

const inField = (e: KeyboardEvent) => (e.target as HTMLElement).closest("input, textarea, select") !== null;
const onButton = (e: KeyboardEvent) => (e.target as HTMLElement).closest("button, a, summary, [role=button]") !== null;

/** The last press was the pointer's. A button pressed by it keeps the focus, but Enter is then the brass button's, whose sign says so. */
let pointed = false;
export const pointerdown = (): void => void (pointed = true);

/** Something lies over the board, and the keys are its own; only what the question mark opens it also closes. */
const covered = (desk: Desk, e: KeyboardEvent) => ruleDesk.id !== undefined || desk.finding || (desk.open !== undefined && !(desk.open === "keys" && e.key === "?"));

/** The uppermost thing goes; with nothing over the board, one step back on it. */
function escape(desk: Desk): void {
  if (ruleDesk.id !== undefined) ruleDesk.close();
  else if (desk.open) desk.open = undefined;
  else if (desk.finding) desk.finding = false;
  else if (desk.coach?.warning) desk.coach.putBack();
  else desk.command.cancel();
}

export function keydown(desk: Desk, e: KeyboardEvent): void {
  const brass = pointed && e.key === "Enter" && (desk.lead?.main ?? desk.brass) !== undefined;
  if (e.key !== "Enter") pointed = false;
  if (inField(e) || e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === "Escape") return escape(desk);
  if (covered(desk, e)) return;
  if (!settings.data.keys || desk.live.handOver !== undefined) return;
  if (desk.unfolding.on && (e.key === "Enter" || e.key === " ")) {
    e.preventDefault();
    desk.unfolding.toThePresent();
    return;
  }
  // Enter and Space belong to the button in focus, and else to the board.
  if (e.key === "Enter" || e.key === " ") {
    if (onButton(e) && !brass) return;
    e.preventDefault();
    if (e.key === "Enter") desk.enter();
    else if (desk.command.next() !== undefined) desk.map?.focus();
    return;
  }
  if (/^[1-9]$/.test(e.key)) {
    const hand = desk.hands.find((h) => h.side === desk.live.side);
    const card = hand?.cards[Number(e.key) - 1];
    const offer = card && desk.offerOfCard(card.name);
    if (offer) desk.command.choose(offer);
    else if (!hand) {
      const mate = desk.command.mates[Number(e.key) - 1];
      if (mate) desk.command.toggle(mate.id);
    }
    return;
  }
  KEYS[e.key.length === 1 ? e.key.toLowerCase() : e.key]?.(desk, e);
}

export function keyup(desk: Desk, e: KeyboardEvent): void {
  if (e.key === "h" || e.key === "H") desk.hideHeld = false;
}
