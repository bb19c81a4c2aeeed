import { describe, expect, it } from "vitest";
import { about, progressWords, termsWords } from "../src/study/words";
import type { StudyFace } from "../src/wire";

const study: StudyFace = {
  id: "abcdefghjkmnpqrs", title: "The Cabin", scenario: "american-revolution/the-cabin", players: { first: "captain", second: "captain" },
  games: 400, rows: 2, made: 0, state: "playing", done: 120, of: 800, seconds_left: 130, message: null,
};

describe("a study in words", () => {
  it("tells how far it is", () => {
    expect(progressWords(study)).toBe("120 of 800 games played, about 2 minutes left");
    expect(progressWords({ ...study, seconds_left: null })).toBe("120 of 800 games played");
    expect(progressWords({ ...study, state: "stopped" })).toBe("Stopped after 120 of 800 games. What has been played is kept.");
    expect(progressWords({ ...study, state: "failed", message: "the study file: no" })).toBe("the study file: no");
    expect(progressWords({ ...study, state: "done" })).toBe("Done, 800 games");
  });
  it("rounds times to what can be promised", () => {
    expect([3, 48, 60, 3000, 7000].map(about)).toEqual(["5 seconds", "50 seconds", "1 minute", "50 minutes", "2 hours"]);
  });
  it("tells what is left of the day", () => {
    expect(termsWords({ a_day: 5, left: 1, more_at: null, minutes: 30 }, 0)).toBe("You can start 1 more study today. Each runs up to 30 minutes.");
    expect(termsWords({ a_day: 5, left: 0, more_at: 7_200_000, minutes: 30 }, 0)).toBe("You have used today's 5 studies. You can start the next in 2 hours.");
  });
});
