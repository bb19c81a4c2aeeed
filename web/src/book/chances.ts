/** How likely a roll was that has fallen. */
import { binomial, chance, percent } from "../lib/words";
import type { Roll } from "../wire";

/** Exact chances of 0, 1, 2 ... dice that pass; none for a roll that is added up or drawn. */
export function chancesOf(roll: Roll): number[] | undefined {
  if (!roll.die || !roll.need || roll.faces.length === 0) return undefined;
  return binomial(roll.faces.length, chance({ die: roll.die, need: roll.need }));
}

/** What was due, in a sentence. */
export function dueWords(roll: Roll): string | undefined {
  const chances = chancesOf(roll);
  if (!chances) return undefined;
  const [n, got] = [roll.faces.length, roll.result];
  if (n === 1) return `${got > 0 ? "Passed" : "Failed"}: it passes in ${percent(chances[1])} % of tries.`;
  const due = chances.reduce((s, p, k) => s + p * k, 0);
  const atLeast = chances.slice(got).reduce((s, p) => s + p, 0);
  const atMost = chances.slice(0, got + 1).reduce((s, p) => s + p, 0);
  const tail = got >= due ? `${got} or more come in ${percent(atLeast)} %` : `${got} or fewer come in ${percent(atMost)} %`;
  return `${got} of ${n} dice pass. Due were ${due.toFixed(1)}; ${tail} of such rolls.`;
}
