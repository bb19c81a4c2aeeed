import { beforeEach, expect, test, vi } from "vitest";
import { pulled } from "../../src/lib/pull";

/** A button that hears, and whose listeners can be asked. */
function button() {
  const heard = new Map<string, (e: unknown) => void>();
  const node = { addEventListener: (name: string, hear: (e: unknown) => void) => heard.set(name, hear), removeEventListener: (name: string) => heard.delete(name), setPointerCapture: () => {} };
  return { node: node as unknown as HTMLElement, heard };
}
const at = (x: number, y: number) => ({ button: 0, pointerId: 1, clientX: x, clientY: y });

let done: string[];
const pull = { begin: () => done.push("begin"), move: (_: unknown, dx: number, dy: number) => done.push(`move ${dx} ${dy}`), end: (_: unknown, dx: number, dy: number) => done.push(`end ${dx} ${dy}`), cancel: () => done.push("cancel") };

beforeEach(() => void (done = []));

test("a press that does not move stays a click", () => {
  const { node, heard } = button();
  pulled(pull)(node);
  heard.get("pointerdown")!(at(10, 10));
  heard.get("pointermove")!(at(12, 13));
  heard.get("pointerup")!(at(12, 13));
  const click = { stopImmediatePropagation: vi.fn() };
  heard.get("click")!(click);
  expect(done).toEqual([]);
  expect(click.stopImmediatePropagation).not.toHaveBeenCalled();
});

test("a pull begins once, tells how far, and eats the click that follows", () => {
  const { node, heard } = button();
  pulled(pull)(node);
  heard.get("pointerdown")!(at(10, 10));
  heard.get("pointermove")!(at(30, 10));
  heard.get("pointermove")!(at(30, -40));
  heard.get("pointerup")!(at(30, -40));
  const click = { stopImmediatePropagation: vi.fn() };
  heard.get("click")!(click);
  expect(done).toEqual(["begin", "move 20 0", "move 20 -50", "end 20 -50"]);
  expect(click.stopImmediatePropagation).toHaveBeenCalled();
});

test("a finger that scrolls lets go, and nothing is left to hear", () => {
  const { node, heard } = button();
  const leave = pulled(pull)(node);
  heard.get("pointerdown")!(at(0, 0));
  heard.get("pointermove")!(at(0, 20));
  heard.get("pointercancel")!(at(0, 20));
  heard.get("pointerup")!(at(0, 20));
  expect(done).toEqual(["begin", "move 0 20", "cancel"]);
  leave();
  expect(heard.size).toBe(0);
});
