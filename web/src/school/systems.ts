/** What each system feels like, in honest words: for somebody who has played none of them. */
export interface Feel {
  says: string;
  /** One thing that not everybody likes. */
  but: string;
  length: string;
  /** From 1 to 5. */
  hard: number;
  hardWords: string;
}

export const FEEL: Record<string, Feel> = {
  "battle-hymn": { says: "Nobody knows who moves next: markers come out of a cup. Quick, tense, easy to read.", but: "The cup can be cruel.", length: "45 minutes to an evening", hard: 2, hardWords: "easy to start" },
  "brigade-battles": { says: "The defender fires first, so attacks want planning. Lines break, run and rally.", but: "Frontal attacks fail.", length: "1 to 3 hours", hard: 2, hardWords: "easy to start" },
  "american-revolution": { says: "Few pieces, secret tactics, armies whose nerve cracks all at once. Much bluff.", but: "One card can turn it.", length: "45 minutes to 2 hours", hard: 3, hardWords: "some to learn" },
  "hallowed-ground": { says: "Regiments on a table. You give orders, measure, and see which charges go home.", but: "Plans meet dice.", length: "1 to 3 hours", hard: 4, hardWords: "a lot to learn" },
  "fields-of-honor": { says: "Three scales, many phases, both players at it all the time. The richest of the five.", but: "Longest to learn.", length: "2 to 4 hours", hard: 5, hardWords: "for the patient" },
};
