/** What a counter shows, as plain data. */
import type { Livery } from "./livery";

export interface CounterFace {
  livery: Livery;
  name: string;
  arm: string;
  band?: { label: string; index: number };
  big: string;
  small: string[];
  gauge?: { whole: number; hurt: number; lost: number };
  state?: string;
  badges: { sign: string; title: string }[];
  spent?: boolean;
  hidden?: boolean;
}

export type Detail = 72 | 44 | 28;

export const detailFor = (side: number): Detail => (side >= 60 ? 72 : side >= 38 ? 44 : 28);

export type CellState = "whole" | "hurt" | "lost";

/** One cell for each point, one for two above twelve; always whole, hurt, lost. */
export function stripCells(gauge: { whole: number; hurt: number; lost: number }): CellState[] {
  const total = gauge.whole + gauge.hurt + gauge.lost;
  const each = total > 12 ? 2 : 1;
  const count = Math.ceil(total / each);
  const whole = Math.ceil(gauge.whole / each);
  const hurt = Math.min(count - whole, Math.ceil(gauge.hurt / each));
  return Array.from({ length: count }, (_, i) => (i < whole ? "whole" : i < whole + hurt ? "hurt" : "lost"));
}

export interface StripCell {
  x: number;
  width: number;
  state: CellState;
}

export function strip(gauge: { whole: number; hurt: number; lost: number }, x: number, width: number): StripCell[] {
  const cells = stripCells(gauge);
  const pitch = Math.min(width / Math.max(1, cells.length), width / 4);
  const gap = Math.min(2, Math.max(0.8, pitch * 0.14));
  return cells.map((state, i) => ({ x: x + i * pitch, width: pitch - gap, state }));
}

/** A minus worth the name. */
export const signed = (text: string) => text.replace(/^-/, "−");

export function stateKind(state: string | null | undefined): "disrupted" | "shattered" | "routed" | "other" | undefined {
  if (!state) return undefined;
  const s = state.toLowerCase();
  if (s.startsWith("disrupt") || s === "shaken" || s.startsWith("suppress")) return "disrupted";
  if (s.startsWith("shatter")) return "shattered";
  if (s.startsWith("rout") || s === "broken") return "routed";
  return "other";
}
