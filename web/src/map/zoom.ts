import type { Zoom } from "./ops";

/** Far, middle or near, by px between hex flats, with 6 px of reluctance to change. */
export function zoomLevel(pxPerHex: number, now?: Zoom): Zoom {
  const slack = 3;
  const edge = (limit: number, below: Zoom) => limit + (now === undefined ? 0 : now <= below ? slack : -slack);
  if (pxPerHex < edge(56, 0)) return 0;
  return pxPerHex <= edge(110, 1) ? 1 : 2;
}
