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

const STATES: [RegExp, string][] = [
  [/\bVirginia\b/, "Va"], [/\bTennessee\b/, "Tenn"], [/\bAlabama\b/, "Ala"], [/\bPennsylvania\b|\bPenn\.?/, "Pa"], [/\bMassachusetts\b/, "Mass"], [/\bNew York\b/, "NY"],
  [/\bConnecticut\b/, "Conn"], [/\bDelaware\b/, "Del"], [/\bVermont\b/, "Vt"], [/\bMaine\b/, "Me"], [/\bMichigan\b/, "Mich"], [/\bRhode Island\b/, "RI"], [/\bWisconsin\b/, "Wis"],
  [/\bIndiana\b/, "Ind"], [/\bIllinois\b/, "Ill"], [/\bKentucky\b/, "Ky"], [/\bOhio\b/, "Ohio"], [/\bGeorgia\b/, "Ga"], [/\bLouisiana\b/, "La"], [/\bMississippi\b/, "Miss"],
  [/\bNorth Carolina\b/, "NC"], [/\bSouth Carolina\b/, "SC"], [/\bArkansas\b/, "Ark"], [/\bMinnesota\b/, "Minn"],
];

const bracketed = (name: string): string | undefined => /\(([^)]+)\)$/.exec(name)?.[1];

/** The shortest name a player still knows a unit by: number and state, a battery's captain, a commander's surname. */
export function tagName(name: string, arm: string): string {
  if (arm === "leader") {
    const surname = name.split(" ").at(-1) ?? name;
    return surname.length > 3 ? surname : shortName(name, 13);
  }
  const captain = bracketed(name);
  if (/artillery|gun/.test(arm) && captain && /^[A-Z][\p{L}']+$/u.test(captain)) return captain;
  const first = name.replace(/\s*\(.*\)$/, "").split(",")[0];
  // Of two regiments together the first; "18th & 8th Virginia" needs both to have a state.
  const one = /\d\w* [A-Z].* & /.test(first) ? first.split(" & ")[0] : first;
  const numbered = one.replace(/(\d+)(st|nd|rd|th)\b/g, "$1");
  return shortName(STATES.reduce((n, [word, by]) => n.replace(word, by), numbered), 13);
}

/** Two or three letters for a badge: the number, or initials. */
export function badgeName(name: string, arm: string): string {
  const tag = tagName(name, arm);
  return /^\d+/.exec(tag)?.[0] ?? tag.split(/[\s-]+/).map((w) => w.charAt(0).toUpperCase()).join("").slice(0, 2);
}
