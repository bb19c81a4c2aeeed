/** Arm plates: period arms that fall together into the familiar signs when small. Drawn in a box of 30 by 21. */

export interface ArmSign {
  /** Filled shapes. */
  fills: string[];
  /** Stroked lines: path and width. */
  lines: { d: string; width: number }[];
  letter?: string;
}

const musket = (x0: number, y0: number, x1: number, y1: number) => {
  const dx = x1 - x0;
  const dy = y1 - y0;
  return [
    { d: `M${x0} ${y0}L${x1} ${y1}`, width: 1.5 },
    { d: `M${x0} ${y0}L${x0 + dx * 0.34} ${y0 + dy * 0.34}`, width: 3.4 },
  ];
};
const CROSSED = [...musket(2.5, 19, 28, 1.6), ...musket(27.5, 19, 2, 1.6)];
const SABRE = [
  { d: "M4.5 17.8C12 17.6 21 13 26.5 3.2", width: 2.1 },
  { d: "M3.2 14.6C5.5 15 7.4 16.6 7.8 19", width: 1.6 },
];
const GUN = {
  fills: ["M11.9 14.2L24.8 4.4L26.6 6.6L13.8 16Z"],
  lines: [
    { d: "M14 12.6L4 18.6", width: 2 },
    { d: "M16.4 10.2A4.6 4.6 0 1 0 16.41 10.2Z", width: 1.7 },
    { d: "M16.4 10.4V19.2M12 14.8H20.8", width: 0.8 },
  ],
};
const LIMBER = {
  fills: ["M17.6 7.4H26V11.4H17.6Z"],
  lines: [
    { d: "M9 9.6A4.2 4.2 0 1 0 9.01 9.6Z", width: 1.6 },
    { d: "M21.6 9.6A4.2 4.2 0 1 0 21.61 9.6Z", width: 1.6 },
    { d: "M4.4 10.6L21.6 13.8", width: 1.8 },
  ],
};

/** Other words for the same arm. */
const ALSO: Record<string, string> = { light: "light-infantry", regulars: "infantry", grenadiers: "infantry", riflemen: "rifles", rifle: "rifles", gun: "artillery", guns: "artillery", battery: "artillery", dragoons: "cavalry", hq: "headquarters" };

const SIGNS: Record<string, ArmSign> = {
  infantry: { fills: [], lines: CROSSED },
  "light-infantry": { fills: ["M15 12.8A2.5 2.5 0 1 0 15.01 12.8Z"], lines: CROSSED },
  rifles: { fills: [], lines: CROSSED, letter: "R" },
  cavalry: { fills: [], lines: SABRE },
  dismounted: { fills: [], lines: [...SABRE, { d: "M8 19.2H23", width: 1.5 }] },
  artillery: GUN,
  limbered: LIMBER,
  "horse-artillery": { fills: GUN.fills, lines: [...GUN.lines, { d: "M4 3.4C9 3 13 4.6 16 8.4", width: 1.5 }] },
  militia: { fills: [], lines: musket(3, 18.5, 27.5, 2), letter: "M" },
  horses: { fills: ["M6 17C7 11 10 9 15 9C19 9 20 6 22 3.6L25.4 7.6L23.4 9.4C22.4 12 21 12.8 20.6 17H18.4L17.8 13.6H11L9 17Z"], lines: [] },
  wagons: { fills: ["M6 6C12 2.6 18 2.6 24 6V11H6Z"], lines: [{ d: "M9.5 12.4A3.2 3.2 0 1 0 9.51 12.4Z", width: 1.5 }, { d: "M20.5 12.4A3.2 3.2 0 1 0 20.51 12.4Z", width: 1.5 }] },
  skirmishers: { fills: ["M7 13.4A2 2 0 1 0 7.01 13.4Z", "M15 13.4A2 2 0 1 0 15.01 13.4Z", "M23 13.4A2 2 0 1 0 23.01 13.4Z"], lines: [{ d: "M7 9V4M15 9V4M23 9V4", width: 1.5 }] },
  headquarters: { fills: ["M9 3H23L19.6 7L23 11H9Z"], lines: [{ d: "M8.4 2.4V19", width: 1.8 }] },
};

/** The bare box signs, for those who ask for them. */
const PLAIN: Record<string, ArmSign> = {
  infantry: { fills: [], lines: [{ d: "M0 0L30 21M30 0L0 21", width: 1.6 }] },
  cavalry: { fills: [], lines: [{ d: "M0 21L30 0", width: 1.6 }] },
  artillery: { fills: ["M15 5.5A5 5 0 1 0 15.01 5.5Z"], lines: [] },
};

const FAMILY: Record<string, string> = {
  "light-infantry": "infantry", rifles: "infantry", militia: "infantry", skirmishers: "infantry", grenadiers: "infantry",
  dismounted: "cavalry", horses: "cavalry", dragoons: "cavalry", "horse-artillery": "artillery", limbered: "artillery",
};

export function armSign(named: string, plain = false): ArmSign {
  const arm = ALSO[named] ?? named;
  if (plain) return PLAIN[FAMILY[arm] ?? arm] ?? SIGNS[arm] ?? SIGNS.infantry;
  return SIGNS[arm] ?? SIGNS[FAMILY[arm] ?? ""] ?? { fills: [], lines: [], letter: arm.slice(0, 1).toUpperCase() };
}
