/** Journals as text: one JSON object a line, the first says what is played. */

interface Line {
  n?: number;
  back?: number;
}

/** The journal as it stood after a decision, without what was taken back before it. */
export function upTo(journal: string, moment: number): string {
  const [head, ...lines] = journal.split("\n").filter((l) => l.trim() !== "");
  let acts: { n: number; text: string }[] = [];
  for (const text of lines) {
    const { n, back } = JSON.parse(text) as Line;
    if (back !== undefined) acts = acts.filter((a) => a.n <= back);
    else if (n !== undefined) acts.push({ n, text });
  }
  return [head, ...acts.filter((a) => a.n <= moment).map((a) => a.text), ""].join("\n");
}
