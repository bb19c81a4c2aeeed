/** The colours of the sides: one dark with round corners, one light with cut corners. */

export interface Livery {
  id: string;
  fill: string;
  edge: string;
  ink: string;
  plate: string;
  onPlate: string;
  corners: "round" | "cut";
  /** As text or line on a panel, by day and by night. */
  text: string;
  textDark: string;
  bands: Band[];
}

export type BandPattern = "plain" | "bars" | "dots" | "diagonal" | "centre" | "bars-dots";

export interface Band {
  fill: string;
  pattern: BandPattern;
  light: boolean;
}

const PATTERNS: BandPattern[] = ["plain", "bars", "dots", "diagonal", "centre", "bars-dots"];
const bands = (fills: string[], light: boolean): Band[] => fills.map((fill, i) => ({ fill, light, pattern: PATTERNS[i % PATTERNS.length] }));
const PALE = bands(["#E8C547", "#F0E6CF", "#9CC3A0", "#D99A7A", "#B9B3D6", "#C9D3D8"], true);
const DEEP = bands(["#8E3B2F", "#4F6B78", "#5D6B35", "#6B4A74", "#3F3F3F", "#A0661E"], false);

export const LIVERIES: Record<string, Livery> = {
  union: { id: "union", fill: "#2C4775", edge: "#15264A", ink: "#F6EFDD", plate: "#F2EAD6", onPlate: "#15264A", corners: "round", text: "#2C4775", textDark: "#8FB0E6", bands: PALE },
  confederate: { id: "confederate", fill: "#CDB07A", edge: "#5A4420", ink: "#2A2012", plate: "#F7EBCF", onPlate: "#3A2A10", corners: "cut", text: "#6B4A12", textDark: "#D8BC86", bands: DEEP },
  crown: { id: "crown", fill: "#98262B", edge: "#4E0F14", ink: "#FBEFE2", plate: "#F7E9DA", onPlate: "#4E0F14", corners: "round", text: "#98262B", textDark: "#E89A93", bands: PALE },
  continental: { id: "continental", fill: "#BCD0E4", edge: "#16294A", ink: "#16294A", plate: "#F3F6FA", onPlate: "#16294A", corners: "cut", text: "#16294A", textDark: "#BCD0E4", bands: DEEP },
  german: { id: "german", fill: "#35533A", edge: "#16291A", ink: "#F3F0DD", plate: "#EEF0DF", onPlate: "#16291A", corners: "round", text: "#35533A", textDark: "#9DC7A4", bands: PALE },
  dark: { id: "dark", fill: "#3E4A3C", edge: "#1B231A", ink: "#F6EFDD", plate: "#F2EAD6", onPlate: "#1B231A", corners: "round", text: "#3E4A3C", textDark: "#A9BFA5", bands: PALE },
  light: { id: "light", fill: "#D3C3A0", edge: "#4A3A20", ink: "#3A2C12", plate: "#FBF6E8", onPlate: "#3A2C12", corners: "cut", text: "#5F4A1E", textDark: "#D3C3A0", bands: DEEP },
};

export const livery = (name: string | null | undefined): Livery => LIVERIES[name ?? "dark"] ?? LIVERIES.dark;

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const c = parseInt(hex.slice(i, i + 2), 16) / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}

/** A pair that cannot be told apart gives way to the plain dark and light. */
export function pair(first: string, second: string): [Livery, Livery] {
  const a = livery(first);
  const b = livery(second);
  return contrast(a.fill, b.fill) >= 3.5 ? [a, b] : [LIVERIES.dark, LIVERIES.light];
}

/** Outline of a counter of side n. */
export function outline(l: Livery, n: number, inset = 0): string {
  const a = inset;
  const z = n - inset;
  if (l.corners === "round") {
    const r = Math.max(0, 0.06 * n - inset / 2);
    return `M${a + r} ${a}H${z - r}A${r} ${r} 0 0 1 ${z} ${a + r}V${z - r}A${r} ${r} 0 0 1 ${z - r} ${z}H${a + r}A${r} ${r} 0 0 1 ${a} ${z - r}V${a + r}A${r} ${r} 0 0 1 ${a + r} ${a}Z`;
  }
  const c = Math.max(0, 0.13 * n - inset * 0.4);
  return `M${a + c} ${a}H${z - c}L${z} ${a + c}V${z - c}L${z - c} ${z}H${a + c}L${a} ${z - c}V${a + c}Z`;
}
