/** Clocks in words, counted on from what the server last said. */
import type { ClockFace, ClockTerms, Pace, Side } from "../wire";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const PACES: { id: Pace; name: string; says: string }[] = [
  { id: "live", name: "Live", says: "90 minutes each for the whole game" },
  { id: "fast", name: "Fast", says: "3 days each, and 8 hours more with every turn, up to 5 days; 30 days of leave a year" },
  { id: "slow", name: "Slow", says: "10 days each, and a day more with every turn, up to 15 days; 30 days of leave a year" },
];

export const paceWords = (terms: ClockTerms) => `${PACES.find((p) => p.id === terms.pace)?.name ?? terms.pace}${terms.weekends_off ? ", weekends off" : ""}`;

/** `2 d 4 h`, `3 h 10 min`, `4:05`. */
export function timeWords(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole >= DAY) return `${Math.floor(whole / DAY)} d ${Math.floor((whole % DAY) / HOUR)} h`;
  if (whole >= HOUR) return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`;
  return `${Math.floor(whole / MINUTE)}:${String(Math.floor((whole % MINUTE) / 1000)).padStart(2, "0")}`;
}

/** What a side has in its bank, so long after the server said so. */
export function leftOf(clock: ClockFace, side: Side, since: number): number {
  const runs = clock.runs === side && clock.rest === null;
  return Math.max(0, clock.hands[side].left - (runs ? Math.max(0, since) : 0));
}

/** A side's clock in a few words. */
export function handWords(clock: ClockFace, side: Side, since: number): string {
  const left = leftOf(clock, side, since);
  if (clock.runs !== side) return `${timeWords(left)} left`;
  if (clock.rest?.kind === "weekend") return `${timeWords(left)} left, weekend`;
  if (left > 0) return `${timeWords(left)} left`;
  return clock.fallen === side ? "out of time" : "on leave";
}
