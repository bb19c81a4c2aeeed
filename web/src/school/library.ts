/** The courses and the coach's words, loaded when they are first wanted. */
import school from "virtual:school";

export interface CourseLesson {
  system: string;
  /** Its file's name: `03-zones`. */
  name: string;
  /** `battle-hymn/03-zones`. */
  id: string;
  text: string;
  title: string;
  learns: string;
  minutes: number;
}

/** What the coach says of a kind of decision. */
export interface Explained {
  why: string;
  rules: string[];
}

/** The lessons of a system in the order they are learnt. */
export async function course(system: string): Promise<CourseLesson[]> {
  const found = (await school[system]?.lessons()) ?? [];
  return found.map(({ name, text, title, learns, minutes }) => ({ system, name, id: `${system}/${name}`, text, title, learns, minutes }));
}

export async function explanations(system: string): Promise<Record<string, Explained>> {
  return (await school[system]?.coach()) ?? {};
}
