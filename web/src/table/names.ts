/** Names of units on their plates. */

/** Words that everybody reads in their short form. */
const SHORT: [RegExp, string][] = [
  [/\bBattalion\b/g, "Bn"],
  [/\bRegiment\b/g, "Regt"],
  [/\bArtillery\b/g, "Art."],
  [/\bCavalry\b/g, "Cav."],
  [/\bCuirassiers\b/g, "Cuir."],
  [/\bDragoons\b/g, "Drag."],
  [/\bMississippi\b/g, "Miss."],
  [/\bVirginia\b/g, "Va."],
  [/\bTennessee\b/g, "Tenn."],
  [/\bMassachusetts\b/g, "Mass."],
  [/\bPennsylvania\b/g, "Penn."],
  [/\bskirmishers\b/g, "skirm."],
];

/** A name in so many letters: without its bracket, without what follows a comma, in short words, and only then cut. */
export function shortName(name: string, letters: number): string {
  const fits = (n: string) => n.length <= letters;
  if (fits(name)) return name;
  const bare = name.replace(/\s*\(.*\)$/, "").split(",")[0];
  if (fits(bare)) return bare;
  const short = SHORT.reduce((n, [word, by]) => n.replace(word, by), bare);
  return fits(short) ? short : `${short.slice(0, letters - 1).trimEnd()}…`;
}
