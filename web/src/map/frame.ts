/** How a map lies: its units, its window on the survey, its grid. Light enough for the page itself. */
import type { Box } from "./geometry";
import { Grid } from "./grid";
import type { SheetRequest } from "./survey";

/** Space round the neatline, units. */
export const MARGINS = { side: 190, below: 470 };

/** Everything drawn is sized for hexes of 300; other scales are brought to it. */
export const UNIT_HEX = 300;
export const UNIT_INCH = 60;

export function unitsPerYard(request: SheetRequest): number {
  if (request.grid) return UNIT_HEX / request.grid.size;
  if (request.inch) return UNIT_INCH / request.inch;
  return 1;
}

export function windowOf(request: SheetRequest): Box {
  const k = unitsPerYard(request);
  const w = request.window ?? { west: 0, north: 0, width: request.survey.size[0], height: request.survey.size[1] };
  return { x0: w.west * k, y0: w.north * k, x1: (w.west + w.width) * k, y1: (w.north + w.height) * k };
}

export function gridOf(request: SheetRequest): Grid | undefined {
  if (!request.grid) return undefined;
  const k = unitsPerYard(request);
  const { origin } = request.grid;
  return new Grid({ ...request.grid, size: UNIT_HEX, origin: [origin[0] * k, origin[1] * k] }, request.survey.size[1] * k, request.only);
}
