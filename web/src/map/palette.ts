/** The inks of the sheet, by day and by night. */
const inks = {
  sheet: ["#e6d8b8", "#15130f"],
  ground: ["#f3ead3", "#25221b"],
  lv1: ["#e2cb9b", "#4a3d27"],
  lv2: ["#cfae74", "#6b5530"],
  form: ["#8d6b41", "#8d7448"],
  hach: ["#6b4c2c", "#a78a5c"],
  scarp: ["#38271a", "#e0c594"],
  field: ["#7c6a42", "#a39468"],
  tilth: ["#e9dcb6", "#2b281f"],
  wood: ["#b9bf8e", "#2d3822"],
  woodedge: ["#5a6540", "#7d8f57"],
  crown: ["#94a069", "#43532f"],
  crown2: ["#a9ae77", "#4e5c37"],
  crownink: ["#47532c", "#8b9c63"],
  crownshade: ["#56623a", "#151b0f"],
  water: ["#a9cbd6", "#2f5567"],
  bank: ["#26587a", "#7db4cf"],
  stream: ["#2d6587", "#6ea6c2"],
  road: ["#fbf4e2", "#d8c7a0"],
  lane: ["#fbf4e2", "#b6a680"],
  roadcase: ["#54402c", "#0f0d0a"],
  rail: ["#2b2119", "#e6dac0"],
  railbed: ["#f3ead3", "#25221b"],
  block: ["#e0c6ac", "#41342a"],
  house: ["#6a2f25", "#d59a7c"],
  farm: ["#3a1f19", "#e3b295"],
  grid: ["#2f2417", "#f3e6c6"],
  gridnum: ["#4c3b28", "#cdbd98"],
  ink: ["#2a1d12", "#f1e6cd"],
  inkhill: ["#4b3018", "#e5c996"],
  inkwood: ["#33401d", "#bccb93"],
  inkwater: ["#1f5272", "#9fd0e6"],
  halo: ["#f3ead3", "#1f1c16"],
  woodhalo: ["#dfdfbc", "#1c2315"],
  obj: ["#94190f", "#ff9d6b"],
  objpaper: ["#fff8e6", "#2a1d14"],
  frame: ["#3a2b1c", "#8f7d5c"],
  hover: ["#10262f", "#fff3d2"],
  counteredge: ["#17110b", "#efe3c8"],
} as const;

export type Paint = keyof typeof inks;
export type Theme = "light" | "dark";
export type Palette = Record<Paint, string>;

export function palette(theme: Theme): Palette {
  const i = theme === "light" ? 0 : 1;
  return Object.fromEntries(Object.entries(inks).map(([k, v]) => [k, v[i]])) as Palette;
}

export const reliefOpacity = (theme: Theme) => (theme === "light" ? 1 : 0.8);
