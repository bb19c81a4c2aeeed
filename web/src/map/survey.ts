/** The ground as surveyed: yards, origin in the south-west, x east, y north. */

export type Point = [number, number];

export interface Area {
  name: string;
  outline: Point[];
  label?: string;
}

export interface High extends Area {
  level: number;
  steep?: string | boolean;
}

export interface Wood extends Area {
  kind?: string;
}

export interface Line {
  name: string;
  line: Point[];
  label?: string;
}

export interface Escarpment extends Line {
  /** `left` or `right` of someone walking the line. */
  falls: string;
}

export interface Water extends Line {
  kind: string;
  width?: number;
  /** Where it covers ground. */
  outline?: Point[];
}

export interface Road extends Line {
  kind: string;
  width?: number;
}

export interface Wall extends Line {
  kind: string;
  protects?: string;
}

export interface Spot {
  name: string;
  at: Point;
  burnt?: boolean;
}

export interface Place extends Spot {
  kind: string;
  chief?: boolean;
  label?: string;
}

export interface Survey {
  title: string;
  subtitle?: string;
  size: Point;
  /** The level where no high ground is drawn. */
  base?: number;
  high?: High[];
  escarpment?: Escarpment[];
  woods?: Wood[];
  town?: Area[];
  marsh?: Area[];
  field?: Area[];
  orchard?: Area[];
  water?: Water[];
  road?: Road[];
  wall?: Wall[];
  bridge?: Spot[];
  ford?: Spot[];
  place?: Place[];
  cut?: Line[];
  /** Of an inch table: houses by their walls, hollows, broken ground with its stones, trodden yards. */
  building?: Area[];
  hollow?: Area[];
  rough?: Area[];
  yard?: Area[];
  /** The country that a table is painted after. */
  country?: Country;
}

export type Country = "meadow" | "veldt";

/** How hexes lie over the survey. Distances in yards. */
export interface HexGrid {
  cols: number;
  rows: number;
  /** Whether even columns sit half a hex lower (the default) or higher. */
  parity: "even-low" | "even-high";
  /** Across flats. */
  size: number;
  /** Centre of hex 0101, survey coordinates. */
  origin: Point;
}

export interface Objective {
  hex: string;
  points: number;
  name?: string;
}

export interface Entry {
  letter: string;
  at: Point;
}

export interface SheetRequest {
  survey: Survey;
  grid?: HexGrid;
  /** The part of the survey that the map shows: west and north edge, width and height, yards. All of it if left out. */
  window?: { west: number; north: number; width: number; height: number };
  /** Hexes in play; all of the grid if left out. */
  only?: string[];
  objectives?: Objective[];
  entries?: Entry[];
  /** Length of one inch in yards, where the sheet is a table without hexes. */
  inch?: number;
}
