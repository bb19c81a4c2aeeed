/** How long ago the server last said what the clocks are, second by second. */
import type { ClockFace } from "../wire";

export class Ticking {
  #heard = $state.raw<{ clock: ClockFace; at: number }>();
  #now = $state(performance.now());

  /** Milliseconds since then. */
  readonly since = $derived(this.#heard ? this.#now - this.#heard.at : 0);

  /** The server has said something; gives back how to stop counting. */
  hear(clock: ClockFace): () => void {
    this.#now = performance.now();
    this.#heard = { clock, at: this.#now };
    const timer = window.setInterval(() => (this.#now = performance.now()), 1000);
    return () => window.clearInterval(timer);
  }
}
