/** Numbers of an analysis in words. */
import type { Accuracy, Choice, Hint } from "../wire";

/** Points with their sign: +9, −4, 0. */
export function points(n: number): string {
  const whole = Math.round(n);
  return whole > 0 ? `+${whole}` : whole < 0 ? `−${-whole}` : "0";
}

export const count = (n: number, one: string, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** How the choices of a side were graded. */
export function gradesWords({ best, good, weak }: Accuracy): string {
  return `${best} best, ${good} good, ${weak} weak`;
}

/** From the least to the most that any whisker shows, with nought inside. */
export function scaleOf(choices: Choice[]): { from: number; to: number } {
  const all = choices.flatMap((c) => [c.low, c.high, c.margin]);
  const [from, to] = [Math.min(0, ...all), Math.max(0, ...all)];
  return to - from < 1 ? { from: from - 1, to: to + 1 } : { from, to };
}

export const share = (n: number, { from, to }: { from: number; to: number }) => ((n - from) / (to - from)) * 100;

/** What a hint comes to in a sentence. */
export function hintWords(hint: Hint): string {
  const [first, second] = hint.choices;
  if (!first) return "There is nothing to choose between.";
  if (first.often !== null) return "Both sides choose in secret: no card is always best. Take each as often as it says.";
  if (!second || hint.clear) return `${first.title} is best.`;
  return "No clear difference between the first two.";
}
