declare module "virtual:school" {
  import type { Handbook } from "../../school/handbook";
  import type { Index, LessonText } from "../../school/texts";

  /** What the coach says of a kind of decision. */
  interface Explained {
    why: string;
    rules: string[];
  }
  interface Shelf {
    /** Each text by the name that addresses use. */
    situations(): Promise<Record<string, string>>;
    index(): Promise<Index>;
    lessons(): Promise<LessonText[]>;
    coach(): Promise<Record<string, Explained>>;
    handbook(): Promise<Handbook>;
  }
  const school: Record<string, Shelf | undefined>;
  export default school;
}
