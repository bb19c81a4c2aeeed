/** From a survey to the whole sheet. Runs in a worker; the same survey always gives the same paths. */
import { holds, SegmentIndex, type Box } from "./geometry";
import { board } from "./board/art";
import type { Turf } from "./board/turf";
import { heightField, highRings, sink } from "./field";
import { browLines, cuts, escarpments, hachures, reliefImage, tints, woodTints } from "./relief";
import { groves, trees, woodBase } from "./woods";
import { farmOrchards, marshes, orchards, parcels, surveyedFields } from "./country";
import { courses, standing, water as waterOps } from "./water";
import { bridges, fords, railroads, roads, ways, type Way } from "./roads";
import { farms, isBuilt, town, walls } from "./buildings";
import { gridOf, UNIT_HEX, unitsPerYard, windowOf } from "./frame";
import { hexLines, margin, moved, numbers, objectives, type Note } from "./furniture";
import { Lettering, spineOf, type Label, type Letters, type Measure } from "./labels";
import { lengthOf } from "./geometry";
import type { PathOp, ReliefImage } from "./ops";
import type { Point, SheetRequest, Survey } from "./survey";

export interface Layer {
  name: string;
  ops: PathOp[];
  /** The relief image lies over this layer. */
  relief?: boolean;
}

export interface Sheet {
  /** The part of the survey that is on the sheet, units. */
  window: Box;
  unitsPerYard: number;
  /** Clipped to the neatline. */
  art: Layer[];
  relief: ReliefImage;
  /** The ground of an inch table. */
  turf?: Turf;
  grid: PathOp[];
  rings: PathOp[];
  plaques: PathOp[];
  frame: PathOp[];
  labels: Label[];
  notes: { numbers: Note[]; figures: Note[]; margin: Note[] };
}

/** Yards with y north to units with y south. */
export function onto(survey: Survey, k: number): Survey {
  const height = survey.size[1];
  const p = ([x, y]: Point): Point => [x * k, (height - y) * k];
  const area = <T extends { outline: Point[] }>(a: T): T => ({ ...a, outline: a.outline.map(p) });
  const line = <T extends { line: Point[] }>(l: T): T => ({ ...l, line: l.line.map(p) });
  const spot = <T extends { at: Point }>(s: T): T => ({ ...s, at: p(s.at) });
  return {
    ...survey,
    size: [survey.size[0] * k, survey.size[1] * k],
    high: survey.high?.map((h) => ({ ...area(h), level: h.level - (survey.base ?? 0) })).filter((h) => h.level > 0),
    woods: survey.woods?.map(area),
    town: survey.town?.map(area),
    marsh: survey.marsh?.map(area),
    field: survey.field?.map(area),
    orchard: survey.orchard?.map(area),
    escarpment: survey.escarpment?.map(line),
    water: survey.water?.map((w) => ({ ...line({ ...w, line: w.line ?? [] }), outline: w.outline?.map(p), width: w.width === undefined ? undefined : Math.max(14, w.width * k) })),
    road: survey.road?.map((r) => ({ ...line(r), width: r.width === undefined ? undefined : r.width * k })),
    building: survey.building?.map(area),
    hollow: survey.hollow?.map(area),
    rough: survey.rough?.map(area),
    yard: survey.yard?.map(area),
    wall: survey.wall?.map(line),
    cut: survey.cut?.map(line),
    bridge: survey.bridge?.map(spot),
    ford: survey.ford?.map(spot),
    place: survey.place?.map(spot),
  };
}

const TABLE_LETTERS: Letters[] = [{ by: 2, from: 0, upTo: 0 }, { by: 1.4, from: 1, upTo: 1 }, { by: 0.66, from: 2, upTo: 2 }];

export function engrave(request: SheetRequest, measure: Measure): Sheet {
  const k = unitsPerYard(request);
  const survey = onto(request.survey, k);
  const { size } = survey;
  const window = windowOf(request);
  const grid = gridOf(request);
  const streams = courses((survey.water ?? []).filter((w) => w.line.length > 1), size);
  const lakes = (survey.water ?? []).filter((w) => w.outline !== undefined);
  const lines = ways(survey.road ?? [], size);
  const places = survey.place ?? [];
  const high = survey.high ?? [];

  const field = heightField({
    size,
    high,
    creeks: streams.filter((c) => c.kind !== "stream").map((c) => c.axis),
    streams: streams.filter((c) => c.kind === "stream").map((c) => c.axis),
  });
  const roadIndex = new SegmentIndex(lines.map((w) => w.axis));
  const waterIndex = new SegmentIndex(streams.map((c) => c.axis));
  const woods = groves(survey.woods ?? [], size);
  const table = request.inch !== undefined;
  if (table) sink(field, (survey.hollow ?? []).map((h) => h.outline), 0.42);
  const painted = table ? board({ survey, field, woods, ways: lines, roads: roadIndex, streams }) : undefined;
  const { shadow, base } = woodBase(woods);
  const clearings = [...(survey.field ?? []), ...(survey.orchard ?? []), ...(survey.marsh ?? []), ...(survey.town ?? [])].map((a) => a.outline);
  const scarps = (survey.escarpment ?? []).map((e) => e.line);
  const beds = lines.filter((w) => w.kind === "railroad" || w.kind === "unfinished").map((w) => w.axis);
  const squares = places.filter((p) => p.kind === "square" || /diamond|market square/i.test(p.name)).map((p) => p.at);
  const plan = town(survey.town ?? [], squares, roadIndex, waterIndex);

  const art: Layer[] = painted?.art ?? [
    { name: "tints", ops: tints(field) },
    { name: "fields", ops: parcels(size) },
    { name: "woodbase", ops: [...shadow, ...base] },
    { name: "woodtints", ops: woodTintsWithin(woodTints(field), base), relief: true },
    { name: "clearings", ops: surveyedFields(survey.field ?? [], woods.map((w) => w.ring)) },
    { name: "orchards", ops: [...orchards(survey.orchard ?? []), ...farmOrchards(places)] },
    { name: "marsh", ops: marshes(survey.marsh ?? []) },
    { name: "trees", ops: trees(woods, { roads: roadIndex, water: waterIndex, field, size, clearings }) },
    { name: "slopes", ops: [...browLines(field), ...hachures(field, scarps)] },
    { name: "water", ops: [...waterOps(streams, size), ...standing(lakes)] },
    { name: "scarp", ops: escarpments(survey.escarpment ?? []) },
    { name: "town", ops: plan.ground },
    { name: "rail", ops: [...railroads(lines), ...cuts(survey.cut ?? [], beds)] },
    { name: "roads", ops: roads(lines) },
    { name: "houses", ops: plan.houses },
    { name: "bridges", ops: [...bridges(survey.bridge ?? [], lines, streams.map((c) => c.axis)), ...fords(survey.ford ?? [], streams.map((c) => c.axis))] },
    { name: "walls", ops: walls(survey.wall ?? []) },
    { name: "farms", ops: farms(places) },
  ];

  const marked = grid ? objectives(grid, request.objectives ?? []) : { rings: [], plaques: [], figures: [] };
  const surroundings = {
    window,
    hexes: grid?.hexes.map((h) => h.at) ?? [],
    hexSize: UNIT_HEX,
    objectives: (request.objectives ?? []).map((o) => grid?.hex(o.hex)?.at).filter((p) => p !== undefined),
    roads: roadIndex,
    water: waterIndex,
    measure,
  };
  // A table is looked at from farther and nearer than a map, and its names stay of one size on the screen.
  const letterings = table ? TABLE_LETTERS.map((letters) => new Lettering({ ...surroundings, letters })) : [new Lettering(surroundings)];
  for (const lettering of letterings) letter(lettering, survey, lines, streams, window);
  const entries = (request.entries ?? []).map((e) => ({ ...e, at: [e.at[0] * k - window.x0, size[1] - e.at[1] * k - window.y0] as Point }));
  const extent: Point = [window.x1 - window.x0, window.y1 - window.y0];
  const edge = moved(margin(extent, survey.title, survey.subtitle ?? "", entries, k, request.grid?.size), [window.x0, window.y0]);
  return {
    window,
    unitsPerYard: k,
    art,
    relief: reliefImage(field),
    turf: painted?.turf,
    grid: grid ? hexLines(grid) : [],
    rings: marked.rings,
    plaques: marked.plaques,
    frame: edge.ops,
    labels: letterings.flatMap((l) => l.labels),
    notes: { numbers: grid ? numbers(grid) : [], figures: marked.figures, margin: edge.notes },
  };
}

/** The browner tint lies only where woods stand: the painter clips it to the wood base. */
function woodTintsWithin(tinted: PathOp[], base: PathOp[]): PathOp[] {
  return base.length === 0 ? [] : tinted;
}

const bare = (name: string) => name.replace(/ \(.*|,.*| and .*/, "");

function letter(l: Lettering, survey: Survey, lines: Way[], streams: ReturnType<typeof courses>, window: Box): void {
  const places = (survey.place ?? []).filter((p) => holds(window, p.at));
  const high = (survey.high ?? []).map((h, i) => ({ ...h, ring: highRings([h], survey.size)[0].ring, i }));
  for (const t of (survey.town ?? []).filter((t) => holds(window, middleOf(t.outline)))) l.add({ kind: "point", class: "town", text: t.label ?? bare(t.name), at: middleOf(t.outline), only: "centre" });
  for (const h of high.filter((h) => h.level >= 2)) {
    const top = Math.min(...h.outline.map((p) => p[1]));
    const text = h.label ?? bare(h.name).replace(/ summit$/, "");
    if (!survey.high?.some((o) => o.level < h.level && o.label === text)) {
      const m = middleOf(h.outline);
      if (holds(window, m)) l.add({ kind: "point", class: "summit", text, at: [m[0], (m[1] + Math.max(window.y0, top)) / 2], only: "above-below" });
    }
  }
  for (const h of high.filter((h) => h.level < 2)) {
    const parts = (h.label ?? bare(h.name)).split(/\s*[|/]\s*/);
    const spine = spineOf(h.ring);
    const long = spine ? lengthOf(spine) : 0;
    const named = new Set(high.filter((o) => o.level > h.level).map((o) => (o.label ?? bare(o.name)).replace(/ summit$/, "")));
    parts.forEach((text, i) => {
      if (text === "" || named.has(text)) return;
      if (long < 700) {
        if (holds(window, middleOf(h.outline))) l.add({ kind: "point", class: "knoll", text, at: middleOf(h.outline), only: "above-below" });
        return;
      }
      const span: [number, number] = [i / parts.length, (i + 1) / parts.length];
      l.add({ kind: "spine", class: long / parts.length < 1300 ? "smallRidge" : "ridge", text, ring: h.ring, span });
    });
  }
  for (const p of places.filter((p) => p.kind === "summit"))
    l.add({ kind: "point", class: "summit", text: p.label ?? bare(p.name), at: p.at, only: "above-below" });
  for (const p of places.filter((p) => p.kind === "label"))
    l.add({ kind: "point", class: "knoll", text: p.label ?? bare(p.name), at: p.at, only: "above-below" });
  for (const p of places.filter((p) => p.kind === "village"))
    l.add({ kind: "point", class: "chief", text: p.label ?? bare(p.name), at: p.at });
  for (const p of places.filter((p) => p.kind === "knoll" || p.kind === "hill"))
    if (!high.some((h) => (h.label ?? bare(h.name)) === bare(p.name))) l.add({ kind: "point", class: "knoll", text: p.label ?? bare(p.name), at: p.at, only: "above-below" });
  const sheet = (axis: Point[]) => axis.filter((p) => holds(window, p));
  const along = (name: string, axis: Point[], cls: Parameters<typeof l.add>[0]["class"], lift: number) => {
    const line = sheet(axis);
    if (line.length > 3) l.add({ kind: "along", class: cls, text: name, line, lift });
  };
  const label = (list: { name: string; label?: string }[] | undefined, name: string) => {
    const own = list?.find((x) => x.name === name);
    return own?.label ?? bare(name);
  };
  for (const c of streams.filter((c) => c.kind !== "stream")) along(label(survey.water, c.name), c.axis, "creek", 24);
  for (const w of lines.filter((w) => w.kind === "road")) along(label(survey.road, w.name), w.axis, "road", 18);
  for (const p of places.filter((p) => ((isBuilt(p.kind) && p.kind !== "village") || p.kind === "landmark") && !/^diamond$/i.test(p.name)))
  {
    // Who holds a house stands in it: its name stands above.
    const house = survey.building?.find((b) => b.name === p.name);
    const above = house && { at: [middleOf(house.outline)[0], Math.min(...house.outline.map((q) => q[1])) - 8] as Point, only: "above-below" as const };
    l.add({ kind: "point", class: p.chief ? "chief" : "farm", text: p.label ?? bare(p.name).replace(/ farm$/, ""), at: p.at, ...above });
  }
  for (const w of survey.woods ?? []) {
    const text = w.label ?? (/woods|grove|wood|thicket/i.test(w.name) ? bare(w.name) : "");
    if (text !== "") l.add({ kind: "within", class: "wood", text, ring: w.outline });
  }
  for (const f of [...(survey.field ?? []), ...(survey.orchard ?? []), ...(survey.marsh ?? []), ...(survey.hollow ?? []), ...(survey.rough ?? [])])
    if ((f.label ?? f.name) !== "") l.add({ kind: "within", class: "chief", text: f.label ?? bare(f.name), ring: f.outline });
  for (const w of lines.filter((w) => w.kind === "railroad" || w.kind === "unfinished")) along(label(survey.road, w.name), w.axis, "railroad", 20);
  for (const w of lines.filter((w) => w.kind === "lane")) along(label(survey.road, w.name), w.axis, "lane", 15);
  const runs = streams.filter((c) => c.kind === "stream").sort((a, b) => lengthOf(b.axis) - lengthOf(a.axis));
  runs.forEach((c, i) => along(label(survey.water, c.name), c.axis, i === 0 && lengthOf(c.axis) > 3000 ? "chiefRun" : "run", 14));
}

function middleOf(ring: Point[]): Point {
  const xs = ring.map((p) => p[0]);
  const ys = ring.map((p) => p[1]);
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}

