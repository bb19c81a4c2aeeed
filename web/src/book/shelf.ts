/** School's texts: each is fetched when it is first asked for, and kept while the page is open. */
import school from "virtual:school";
import type { Handbook } from "../../school/handbook";
import type { Index, LessonText } from "../../school/texts";

export type { Chapter, DiagramPart, Handbook, Part, Word } from "../../school/handbook";
export type { Index, LessonText, Listed } from "../../school/texts";

function of(system: string) {
  const found = school[system];
  if (!found) throw new Error(`There is no system “${system}” here.`);
  return found;
}

export const shelf = {
  /** Each situation's text, by the name that addresses use: `05-marching/5.3.a-stop`. */
  situations: async (system: string): Promise<Record<string, string>> => of(system).situations(),
  index: async (system: string): Promise<Index> => of(system).index(),
  handbook: async (system: string): Promise<Handbook> => of(system).handbook(),
  /** In the order of the course; empty where there is none yet. */
  lessons: async (system: string): Promise<LessonText[]> => of(system).lessons(),
  /** What the coach says of each kind of decision. */
  coach: async (system: string) => of(system).coach(),
};
