/** Something that lies beside the map and can be pulled onto it: a unit in its box, a card of the hand. */

export interface Pull {
  begin(): void;
  /** The pointer is somewhere else: so far from where it was pressed, px. */
  move(e: PointerEvent, dx: number, dy: number): void;
  /** Let go, wherever that is. */
  end(e: PointerEvent, dx: number, dy: number): void;
  /** The browser took the pointer away, to scroll for instance. */
  cancel(): void;
}

/** So far a press may slip and still be a click, px. */
const SLIP = 6;

/** Attached to a button: pulling it does this, and a press that does not move stays a click. */
export const pulled = (pull: Pull) => (node: HTMLElement) => {
  let from: { x: number; y: number } | undefined;
  let pulling = false;
  const by = (e: PointerEvent, at: { x: number; y: number }): [number, number] => [e.clientX - at.x, e.clientY - at.y];

  const down = (e: PointerEvent) => {
    if (e.button > 0) return;
    from = { x: e.clientX, y: e.clientY };
    pulling = false;
    node.setPointerCapture(e.pointerId);
  };
  const move = (e: PointerEvent) => {
    if (!from) return;
    const [dx, dy] = by(e, from);
    if (!pulling && Math.hypot(dx, dy) <= SLIP) return;
    if (!pulling) pull.begin();
    pulling = true;
    pull.move(e, dx, dy);
  };
  const up = (e: PointerEvent) => {
    const begun = from;
    from = undefined;
    if (!pulling || !begun) return;
    pull.end(e, ...by(e, begun));
    // The click that follows belongs to the pull.
    window.setTimeout(() => (pulling = false));
  };
  const cancel = () => {
    from = undefined;
    if (pulling) pull.cancel();
    pulling = false;
  };
  const click = (e: MouseEvent) => {
    if (pulling) e.stopImmediatePropagation();
  };
  const heard: [string, (e: never) => void, boolean][] = [["pointerdown", down, false], ["pointermove", move, false], ["pointerup", up, false], ["pointercancel", cancel, false], ["click", click, true]];
  for (const [name, hear, first] of heard) node.addEventListener(name, hear as EventListener, first);
  return () => {
    for (const [name, hear, first] of heard) node.removeEventListener(name, hear as EventListener, first);
  };
};
