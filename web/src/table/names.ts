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

/** What tells the parts of one formation apart: "iNdluyengwe, 2nd body" is its second, "B Company, left" its left. */
function partOf(name: string): string {
  const tail = /,\s*([^:]*)/.exec(name)?.[1].trim() ?? "";
  const body = /^body (\d+)$|^(\d+)\w\w body$/.exec(tail);
  return body?.[1] ?? body?.[2] ?? (/^(left|right)$/.test(tail) ? tail : "");
}

/** The name before its bracket and its first comma, and which part of a formation it is. */
function bareName(name: string, part = partOf(name)): string {
  return `${name.replace(/\s*\(.*\)$/, "").split(",")[0]} ${part}`.trimEnd();
}

/** A name in so many letters: without its bracket, without what follows a comma, in short words, and only then cut. */
export function shortName(name: string, letters: number): string {
  const fits = (n: string) => n.length <= letters;
  if (fits(name)) return name;
  const bare = bareName(name);
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

/** Letters of a tag. */
const TAG = 13;

/** The shortest name a player still knows a unit by: number and state, a battery's captain, a commander's surname. */
export function tagName(name: string, arm: string): string {
  if (arm === "leader") {
    // "General Blue" and "Brigadier Blue" share a surname that is none.
    const ranked = /^\p{L}{5,} \p{L}+$/u.test(name) && name.length <= TAG + 1;
    return ranked ? name : shortName(name.split(" ").at(-1) ?? name, TAG);
  }
  const captain = bracketed(name);
  if (/artillery|gun/.test(arm) && captain && /^[A-Z][\p{L}']+$/u.test(captain)) return captain;
  const whole = bareName(name);
  const first = whole.length <= TAG ? whole : bareName(name, partOf(name).charAt(0).toUpperCase());
  // Of two regiments together the first; "18th & 8th Virginia" needs both to have a state.
  const one = /\d\w* [A-Z].* & /.test(first) ? first.split(" & ")[0] : first;
  const numbered = one.replace(/(\d+)(st|nd|rd|th)\b/g, "$1");
  return shortName(STATES.reduce((n, [word, by]) => n.replace(word, by), numbered), TAG);
}

/** Two or three letters for a badge: the number, or initials. */
export function badgeName(name: string, arm: string): string {
  const tag = tagName(name, arm);
  return /^\d+/.exec(tag)?.[0] ?? tag.split(/[\s-]+/).map((w) => w.charAt(0).toUpperCase()).join("").slice(0, 2);
}
