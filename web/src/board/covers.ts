/** What lies over the map: prompt, tools, cards, the small map. What a decision is about is brought clear of it. */
import type { Room } from "../map/rooms";

/** Room kept between a panel and what is brought clear of it, px. */
const GAP = 4;

export class Covers {
  /** Told when one of them comes, goes or gets another size. */
  changed: () => void = () => {};
  readonly #nodes = new Set<Element>();
  readonly #watch = new ResizeObserver(() => this.changed());

  /** Attached to an element that lies over the map. */
  readonly over = (node: Element): (() => void) => {
    this.#nodes.add(node);
    this.#watch.observe(node);
    return () => {
      this.#nodes.delete(node);
      this.#watch.unobserve(node);
    };
  };

  /** What they take of an element below them, in its px. */
  on(below: Element): Room[] {
    const { left, top } = below.getBoundingClientRect();
    return [...this.#nodes]
      .map((node) => node.getBoundingClientRect())
      .filter((r) => r.width > 0 && r.height > 0)
      .map((r) => ({ x: r.left - left - GAP, y: r.top - top - GAP, w: r.width + 2 * GAP, h: r.height + 2 * GAP }));
  }
}
