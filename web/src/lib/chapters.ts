import { capital } from "./words";

/** What the chapters of the books are about; a rule's chapter is the first part of its number. */
const CHAPTERS: Record<string, Record<string, string>> = {
  "battle-hymn": {
    1: "Introduction", 2: "Equipment", 3: "The basics", 4: "The order of play", 5: "Marching", 6: "Combat Turns", 7: "Retreats",
    8: "Advance after combat", 9: "Bombardment and sight", 10: "Morale", 11: "Kinds of unit", 12: "Reinforcements", 13: "Night", 14: "Victory",
  },
  "brigade-battles": {
    1: "Key concepts", 2: "Components", 3: "Getting started", 4: "Turn sequence", 5: "Command", 6: "Organization", 7: "Offensive artillery",
    8: "Movement", 9: "Combat", 10: "Rally", 11: "Night", 12: "Tide of Battle", 13: "Set-up", 14: "Victory",
  },
  "american-revolution": {
    1: "Introduction", 2: "Components", 3: "Terminology", 4: "Victory", 5: "Sequence of play", 6: "Initiative", 7: "Stacking", 8: "Zones of control",
    9: "Movement", 10: "Rifle fire", 11: "Defensive artillery fire", 12: "Close combat", 13: "Combat results", 14: "Leaders", 15: "Rally and morale",
    16: "Army morale", CCT: "Close Combat Table", TM: "Tactical Matrix",
  },
  "hallowed-ground": {
    2: "Mustering", 3: "Formations", 4: "The game", 5: "Command and maneuvers", 6: "Terrain", 7: "Charges", 8: "Shooting", 9: "Melee",
    10: "End phase", 11: "Morale", 12: "Commanders", 13: "Special rules",
  },
  "fields-of-honor": {
    qrs: "Quick reference", seq: "Sequence of play", move: "Movement", oppcharge: "Opportunity charges", "leader-loss": "Losses of leaders",
    fort: "Fortifications", late: "Late in the century", jam: "Machine guns jam", skirmish: "Skirmishers", smallarms: "Small arms", personality: "Personalities",
  },
};

/** Its number, if it has one, and its name. */
export function chapterOf(system: string, rule: string): { key: string; title: string } {
  const key = rule.split(".")[0];
  const name = CHAPTERS[system]?.[key] ?? key.split("-").map(capital).join(" ");
  return { key, title: /^\d+$/.test(key) ? `${key}. ${name}` : name };
}
