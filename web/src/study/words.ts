/** Studies in words. */
import type { StudyFace, StudyTerms } from "../wire";

const many = (n: number, one: string, more: string) => `${n.toLocaleString("en")} ${n === 1 ? one : more}`;

/** About how long something takes. */
export function about(seconds: number): string {
  if (seconds < 50) return `${Math.max(5, Math.ceil(seconds / 5) * 5)} seconds`;
  if (seconds < 3300) return many(Math.round(seconds / 60) || 1, "minute", "minutes");
  return many(Math.round(seconds / 3600), "hour", "hours");
}

export function progressWords(s: StudyFace): string {
  const games = `${s.done.toLocaleString("en")} of ${many(s.of, "game", "games")}`;
  switch (s.state) {
    case "waiting":
      return "Waiting: another study is played first.";
    case "playing":
      return s.seconds_left === null ? `${games} played` : `${games} played, about ${about(s.seconds_left)} left`;
    case "stopped":
      return s.message ?? `Stopped after ${games}. What has been played is kept.`;
    case "failed":
      return s.message ?? "This study could not be played.";
    case "done":
      return `Done, ${many(s.of, "game", "games")}`;
  }
}

/** What is left of a day's studies. */
export function termsWords(t: StudyTerms, now: number): string {
  if (t.left > 0) return `You can start ${many(t.left, "more study", "more studies")} today. Each runs up to ${many(t.minutes, "minute", "minutes")}.`;
  const wait = t.more_at === null ? "" : ` You can start the next in ${about((t.more_at - now) / 1000)}.`;
  return `You have used today's ${many(t.a_day, "study", "studies")}.${wait}`;
}
