/** Ratings in words. */
import type { Standing } from "../wire";

/** From so many games on a rating says something. */
export const ENOUGH = 5;

/** `1412 ± 48`, or how far it is to a number. */
export function standingWords({ rating, deviation, games }: Standing): string {
  return games < ENOUGH ? `new, ${games} of ${ENOUGH} games` : `${rating} ± ${deviation}`;
}
