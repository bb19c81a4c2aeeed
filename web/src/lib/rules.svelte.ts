/** The rule a player asks about, and where the question was asked. */
import { tick } from "svelte";
import type { RuleFace } from "../wire";
import { api } from "./api";

class RuleDesk {
  system = $state("");
  title = $state("");
  id = $state<string>();
  face = $state.raw<RuleFace>();
  failed = $state(false);
  anchor = $state.raw<DOMRect>();
  private returnTo?: HTMLElement;

  async open(id: string, from?: HTMLElement): Promise<void> {
    if (this.id === id && from === this.returnTo) {
      this.close();
      return;
    }
    this.id = id;
    this.face = undefined;
    this.failed = false;
    this.returnTo = from;
    this.anchor = from?.getBoundingClientRect();
    try {
      const face = await api.rule(this.system, id);
      if (this.id === id) this.face = face;
    } catch {
      if (this.id === id) this.failed = true;
    }
  }

  /** Another rule in the same popover. */
  async turnTo(id: string): Promise<void> {
    const back = this.returnTo;
    const rect = this.anchor;
    await this.open(id);
    this.returnTo = back;
    this.anchor = rect;
  }

  close(): void {
    const back = this.returnTo;
    this.id = undefined;
    this.returnTo = undefined;
    // Nothing below takes the focus while the rule lies over it.
    void tick().then(() => back?.focus());
  }
}

export const ruleDesk = new RuleDesk();
