/** A lesson's page as pieces to be drawn: words, bold words, rules, and the numbers of places. */
export type Run = { words: string } | { bold: string } | { rule: string } | { disc: string };

const PARTS = /\*\*(.+?)\*\*|\[(\d{1,2})\]|\[([A-Za-z0-9][\w.,/ -]*)\]/g;
const DISC = /\[(\d{1,2})\]/g;
/** A sentence ends here, and another begins. */
const SENTENCE = /(?<=[.!?]["”’)]?(?:\s*\[[^\]]*\])?)\s+(?=[A-Z("“*\[])/;

export function runs(text: string): Run[] {
  const out: Run[] = [];
  let from = 0;
  for (const m of text.matchAll(PARTS)) {
    if (m.index > from) out.push({ words: text.slice(from, m.index) });
    if (m[1] !== undefined) out.push({ bold: m[1] });
    else if (m[2] !== undefined) out.push({ disc: m[2] });
    else out.push(...m[3].split(/,\s*/).map((rule) => ({ rule })));
    from = m.index + m[0].length;
  }
  if (from < text.length) out.push({ words: text.slice(from) });
  return out;
}

export interface Line {
  /** The places it speaks of. */
  discs: string[];
  runs: Run[];
}

/** A page line by line: a sentence that names a place stands by itself behind its disc, what goes before it is a line too. */
export function lines(says: string): Line[] {
  return says.split(/\n+/).flatMap((paragraph) => {
    const out: { discs: string[]; text: string }[] = [];
    for (const sentence of paragraph.trim().split(SENTENCE)) {
      if (sentence === "") continue;
      const discs = [...sentence.matchAll(DISC)].map((m) => m[1]);
      const last = out[out.length - 1];
      if (last && discs.length === 0) last.text += ` ${sentence}`;
      else out.push({ discs, text: sentence });
    }
    return out.map(({ discs, text }) => ({ discs, runs: runs(tidy(text)) }));
  });
}

/** The numbers stand before the line, so they go from its words. */
const tidy = (text: string) => text.replace(/\s*\[\d{1,2}\]\s*/g, " ").replace(/\s+([.,;:!?])/g, "$1").trim();
