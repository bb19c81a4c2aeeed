/** From the board's ground to the sheet to be engraved, and from places to points on it. */
import { gridOf, UNIT_INCH, unitsPerYard } from "../map/frame";
import { boxOf } from "../map/geometry";
import { Grid } from "../map/grid";
import type { Area, Entry, Escarpment, HexGrid, Line, Objective, Point, SheetRequest, Survey } from "../map/survey";
import type { Board, HexFace, HexGround, Mark, Place, SideOfHex, TableGround, View } from "../wire";

export interface Sheet {
  request: SheetRequest;
  grid?: Grid;
  faces: Map<string, HexFace>;
  sides: Map<string, SideOfHex[]>;
}

const THOUSAND = 1000;

export function sheetOf(board: Board, view: View | undefined): Sheet {
  const { ground } = board;
  const marks = view?.marks ?? [];
  if ("table" in ground) return { request: tableRequest(board, ground.table), faces: new Map(), sides: new Map() };
  const hexes = ground.hexes;
  const request = hexRequest(board, hexes, marks);
  const sides = new Map<string, SideOfHex[]>();
  for (const s of hexes.sides)
    for (const id of [s.a, s.b])
      if (id !== null) sides.set(id, [...(sides.get(id) ?? []), s]);
  return { request, grid: gridOf(request), faces: new Map(hexes.hexes.map((h) => [h.hex, h])), sides };
}

function hexRequest(board: Board, g: HexGround, marks: Mark[]): SheetRequest {
  const side = g.hex_yards / Math.sqrt(3);
  const width = (1.5 * (g.cols - 1) + 2) * side;
  const height = g.rows * g.hex_yards + (g.cols > 1 ? g.hex_yards / 2 : 0);
  const given = g.survey as Partial<Survey> | null;
  const surveyed = given !== null && typeof given === "object" && Array.isArray(given.size);
  const size: Point = surveyed ? given.size! : [width, height];
  const inset: Point = surveyed ? [g.inset[0], g.inset[1]] : [0, 0];
  const grid: HexGrid = {
    cols: g.cols,
    rows: g.rows,
    parity: g.even_low ? "even-low" : "even-high",
    size: g.hex_yards,
    origin: [inset[0] + side, size[1] - inset[1] - (g.even_low ? g.hex_yards / 2 : g.hex_yards)],
  };
  const only = g.hexes.length > 0 && g.hexes.length < g.cols * g.rows ? g.hexes.map((h) => h.hex) : undefined;
  const survey: Survey = surveyed ? { ...(given as Survey), title: given.title ?? board.title } : sketched(board, g, grid, size);
  const plain = new Grid(grid, size[1]);
  const window = only ? around(plain, only) : { west: inset[0], north: inset[1], width, height };
  const request: SheetRequest = { survey, grid, only, window };
  const at = (hex: string): Point | undefined => {
    const h = plain.hex(hex);
    return h && [h.at[0], size[1] - h.at[1]];
  };
  request.objectives = marks
    .filter((m) => m.kind === "objective" && "hex" in m.place)
    .map((m): Objective => ({ hex: "hex" in m.place ? m.place.hex : "", points: Number.parseInt(m.text, 10) || 0, name: m.title }));
  const letters = new Map<string, Point[]>();
  for (const m of marks) {
    if (m.kind !== "entry" || !("hex" in m.place)) continue;
    const p = at(m.place.hex);
    if (p) letters.set(m.text, [...(letters.get(m.text) ?? []), p]);
  }
  request.entries = [...letters].map(([letter, points]): Entry => ({ letter, at: points[Math.floor(points.length / 2)] }));
  return request;
}

/** The part of the map in play. */
function around(grid: Grid, ids: string[]): SheetRequest["window"] {
  const corners = ids.map((id) => grid.hex(id)).filter((h) => h !== undefined).flatMap((h) => grid.corners(h.at));
  const { x0, y0, x1, y1 } = boxOf(corners);
  return { west: x0, north: y0, width: x1 - x0, height: y1 - y0 };
}

/** Where nobody has surveyed the ground it is sketched from what the rules see. */
function sketched(board: Board, g: HexGround, spec: HexGrid, size: Point): Survey {
  const grid = new Grid(spec, size[1]);
  const up = ([x, y]: Point): Point => [x, size[1] - y];
  const outline = (id: string): Point[] | undefined => {
    const hex = grid.hex(id);
    return hex && grid.corners(hex.at, 1.02).map(up);
  };
  const areas = (test: (h: HexFace) => boolean): Area[] =>
    g.hexes.filter(test).flatMap((h) => {
      const ring = outline(h.hex);
      return ring ? [{ name: h.name ?? h.hex, outline: ring, label: "" }] : [];
    });
  const centre = (id: string): Point | undefined => {
    const hex = grid.hex(id);
    return hex && up(hex.at);
  };
  const across = (feature: string): Line[] =>
    g.sides.flatMap((s) => {
      const [a, b] = [centre(s.a), s.b ? centre(s.b) : undefined];
      return a && b && s.features.includes(feature) ? [{ name: `${s.a}-${s.b}`, line: [a, b], label: "" }] : [];
    });
  const edgeOf = (s: SideOfHex, feature: string): Line | undefined => {
    const a = grid.hex(s.a);
    const b = s.b ? grid.hex(s.b) : undefined;
    if (!a || !b || !s.features.includes(feature)) return undefined;
    const i = [0, 1, 2, 3, 4, 5].find((n) => grid.neighbour(a, n)?.id === b.id);
    if (i === undefined) return undefined;
    const corners = grid.corners(a.at);
    return { name: `${s.a}/${s.b}`, line: [corners[i], corners[(i + 1) % 6]].map(up), label: "" };
  };
  const edges = (feature: string): Line[] => g.sides.flatMap((s) => edgeOf(s, feature) ?? []);
  /** A slope that no hill on the sheet shows: it falls away from the first hex named. */
  const levels = new Map(g.hexes.map((h) => [h.hex, h.level]));
  const slopes = g.sides.flatMap((s): Escarpment[] => {
    if (!s.b || levels.get(s.a) !== levels.get(s.b)) return [];
    const [low, edge] = [centre(s.b), edgeOf(s, "slope")];
    if (!low || !edge) return [];
    const [[x0, y0], [x1, y1]] = edge.line;
    const left = (x1 - x0) * (low[1] - y0) - (y1 - y0) * (low[0] - x0) > 0;
    return [{ ...edge, falls: left ? "left" : "right" }];
  });
  /** A sunken road runs from hex to hex of its kind, with banks on both sides. */
  const sunken = new Set(g.hexes.filter((h) => /sunken/i.test(h.terrain)).map((h) => h.hex));
  const lanes = [...sunken].flatMap((id): Line[] => {
    const hex = grid.hex(id)!;
    return [0, 1, 2, 3, 4, 5].flatMap((n): Line[] => {
      const next = grid.neighbour(hex, n);
      return next && sunken.has(next.id) && id < next.id ? [{ name: `${id}-${next.id}`, line: [up(hex.at), up(next.at)], label: "" }] : [];
    });
  });
  return {
    title: board.title,
    subtitle: board.subtitle,
    size,
    cut: lanes,
    escarpment: slopes,
    high: g.hexes.flatMap((h) => {
      const ring = outline(h.hex);
      return ring && h.level > 0 ? Array.from({ length: h.level }, (_, n) => ({ name: h.hex, level: n + 1, outline: ring, label: "" })) : [];
    }),
    woods: areas((h) => /wood|forest/i.test(h.terrain)),
    town: areas((h) => /town|city|building|village/i.test(h.terrain)),
    marsh: areas((h) => /marsh|swamp/i.test(h.terrain)),
    orchard: areas((h) => /orchard/i.test(h.terrain)),
    field: areas((h) => /field|corn/i.test(h.terrain)),
    water: [...edges("stream").map((l) => ({ ...l, kind: "stream" })), ...edges("creek").map((l) => ({ ...l, kind: "creek" })), ...edges("river").map((l) => ({ ...l, kind: "river" }))],
    road: [...across("road").map((l) => ({ ...l, kind: "road" })), ...across("minor road").map((l) => ({ ...l, kind: "lane" })), ...across("railroad").map((l) => ({ ...l, kind: "railroad" })), ...lanes.map((l) => ({ ...l, kind: "lane" }))],
  };
}

/** Names of a dry country. */
const DRY = /kraal|veldt|hacienda|mesa/i;
/** Broken ground about a house shows the house. */
const HOUSE = /house|hacienda|cabin/i;
const COTTAGE: Point = [1.5, 1];

const cottage = ([x, y]: Point): Point[] => [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]): Point => [x + (a * COTTAGE[0]) / 2, y + (b * COTTAGE[1]) / 2]);

function tableRequest(board: Board, t: TableGround): SheetRequest {
  const inch = ([x, y]: [number, number]): Point => [x / THOUSAND, y / THOUSAND];
  const survey: Survey = {
    title: board.title,
    subtitle: board.subtitle,
    size: [t.width / THOUSAND, t.depth / THOUSAND],
    high: [], woods: [], town: [], marsh: [], field: [], orchard: [], water: [], road: [], wall: [], place: [], escarpment: [], building: [], hollow: [], rough: [], yard: [],
    country: t.terrain.some((piece) => DRY.test(piece.name ?? "")) ? "veldt" : "meadow",
  };
  for (const piece of t.terrain) {
    const points = piece.points.map(inch);
    const name = piece.name ?? "";
    const label = /^its /.test(name) ? "" : name;
    const area: Area = { name: name || `${piece.kind} ${points[0]?.join()}`, outline: points, label };
    const line = { name: area.name, line: points, label };
    const kind = piece.kind.toLowerCase();
    if (!piece.closed) {
      if (/stream|brook|run/.test(kind)) survey.water!.push({ ...line, kind: "stream", width: piece.width / THOUSAND });
      else if (/river|creek/.test(kind)) survey.water!.push({ ...line, kind: "creek", width: Math.max(0.4, piece.width / THOUSAND) });
      else if (/railroad|rail$/.test(kind)) survey.road!.push({ ...line, kind: "railroad" });
      else if (/lane|track|path/.test(kind) || /lane|track|path/i.test(name)) survey.road!.push({ ...line, kind: "lane", width: piece.width / THOUSAND });
      else if (/road/.test(kind)) survey.road!.push({ ...line, kind: "road", width: piece.width / THOUSAND });
      else survey.wall!.push({ ...line, kind });
    } else if (/wood|forest/.test(kind)) survey.woods!.push(area);
    else if (/hill|ridge|high|plateau/.test(kind)) survey.high!.push({ ...area, level: 1 + survey.high!.filter((h) => h.outline.length > 2 && inside(h.outline, middle(points))).length });
    else if (/marsh|swamp/.test(kind)) survey.marsh!.push(area);
    else if (/orchard/.test(kind)) survey.orchard!.push(area);
    else if (/field|corn|crop/.test(kind)) survey.field!.push(area);
    else if (/town|village/.test(kind)) survey.town!.push(area);
    else if (/building|house|farm|built|barn|hospital|store/.test(kind)) {
      survey.building!.push(area);
      survey.place!.push({ name, kind: "building", at: middle(points), chief: true, label: name });
    } else if (/depression|ditch|ravine|hollow/.test(kind)) survey.hollow!.push(area);
    else if (/clear|yard/.test(kind)) survey.yard!.push(area);
    else if (/rough|rock|broken/.test(kind)) {
      survey.rough!.push(area);
      if (HOUSE.test(name)) survey.building!.push({ name, outline: cottage(middle(points)), label: "" });
    }
    else if (/pond|lake|water/.test(kind)) survey.marsh!.push(area);
    else survey.field!.push(area);
  }
  return { survey, inch: 1 };
}

function inside(ring: Point[], [x, y]: Point): boolean {
  let odd = false;
  ring.forEach(([ax, ay], i) => {
    const [bx, by] = ring[(i + 1) % ring.length];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) odd = !odd;
  });
  return odd;
}

function middle(points: Point[]): Point {
  const n = points.length || 1;
  return [points.reduce((s, p) => s + p[0], 0) / n, points.reduce((s, p) => s + p[1], 0) / n];
}

/** Where a place lies on the sheet, units with y down. */
export function pointOf(sheet: Sheet, place: Place): Point | undefined {
  if ("hex" in place) return sheet.grid?.hex(place.hex)?.at;
  if ("box" in place) return undefined;
  const k = UNIT_INCH / THOUSAND;
  return [place.pose.x * k, sheet.request.survey.size[1] * unitsPerYard(sheet.request) - place.pose.y * k];
}

export const unitsPerThousandth = UNIT_INCH / THOUSAND;
