/** Times in words. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long a challenge has been open. */
export function openFor(ms: number): string {
  if (ms < MINUTE) return "new";
  if (ms < HOUR) return `open for ${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `open for ${Math.floor(ms / HOUR)} h`;
  const days = Math.floor(ms / DAY);
  return `open for ${days} ${days === 1 ? "day" : "days"}`;
}
