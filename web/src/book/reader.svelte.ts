/** What a reader of the rules has before them: the systems, one of them with its rules, its situations and its handbook. */
import { api } from "../lib/api";
import { ruleDesk } from "../lib/rules.svelte";
import type { Chart, RuleFace, ScenarioFace, SystemFace } from "../wire";
import { shelf, type Handbook, type Index } from "./shelf";

export class Reader {
  systems = $state.raw<SystemFace[]>([]);
  rules = $state.raw<RuleFace[]>([]);
  scenarios = $state.raw<ScenarioFace[]>([]);
  index = $state.raw<Index>();
  handbook = $state.raw<Handbook>();
  /** The charts of the system's first battle. */
  charts = $state.raw<Chart[]>([]);
  failed = $state("");
  private wanted = "";

  known = $derived(new Set(this.rules.map((r) => r.id)));
  face = $derived.by<SystemFace | undefined>(() => this.systems.find((s) => s.id === this.wantedNow));
  private wantedNow = $state("");

  get system(): string {
    return this.wantedNow;
  }

  async start(): Promise<void> {
    try {
      [this.systems, this.scenarios] = await Promise.all([api.systems(), api.scenarios()]);
    } catch {
      this.failed = "The server is not answering.";
    }
  }

  /** Opens another system's book. */
  async open(system: string): Promise<void> {
    if (this.wanted === system) return;
    this.wanted = system;
    this.wantedNow = system;
    this.rules = [];
    this.index = undefined;
    this.handbook = undefined;
    this.charts = [];
    this.failed = "";
    ruleDesk.system = system;
    try {
      const [rules, index, handbook] = await Promise.all([api.rules(system), shelf.index(system), shelf.handbook(system)]);
      if (this.wanted !== system) return;
      this.rules = rules;
      this.index = index;
      this.handbook = handbook;
    } catch {
      if (this.wanted === system) this.failed = "Could not load the rules.";
    }
  }

  /** Charts come with a battle's map: they are fetched when a rule is open that may read one. */
  async fetchCharts(): Promise<void> {
    const { wanted } = this;
    const first = this.scenarios.find((s) => s.system === wanted);
    if (!first || this.charts.length > 0) return;
    try {
      const { board } = await api.preview(first.id);
      if (this.wanted === wanted) this.charts = board.charts;
    } catch {
      // The rule can be read without them.
    }
  }

  retry(): void {
    const { wanted } = this;
    this.wanted = "";
    void this.start();
    void this.open(wanted);
  }

  /** The chapters of the book by number, each with its rules. */
  chapters = $derived.by(() => {
    const names = new Map(this.face?.chapters.map((c) => [c.key, c.name]));
    const found = new Map<string, { key: string; title: string; rules: RuleFace[] }>();
    for (const r of this.rules) {
      // A rule's chapter is the first part of its number.
      const key = r.id.split(".")[0];
      const name = names.get(key) ?? key;
      const chapter = found.get(key) ?? { key, title: /^\d+$/.test(key) ? `${key}. ${name}` : name, rules: [] };
      chapter.rules.push(r);
      found.set(key, chapter);
    }
    return [...found.values()];
  });

  rule(id: string | undefined): RuleFace | undefined {
    return id === undefined ? undefined : this.rules.find((r) => r.id === id);
  }

  names(id: string | undefined): string[] {
    return (id !== undefined && this.index?.rules[id]) || [];
  }

  scenario(id: string): string {
    return this.scenarios.find((s) => s.id === id)?.title ?? id;
  }
}
