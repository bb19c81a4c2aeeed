/** The painted board of an inch table, layer by layer. LOOK-tables in brief: ground stays pale, only pieces, walls, trees and roofs are dark. */
import { organicRing } from "../curve";
import type { Layer } from "../engrave";
import { boxOf, holds, inside, SegmentIndex } from "../geometry";
import type { Field } from "../field";
import { bridges, fords, railroads, type Way } from "../roads";
import type { Point, Survey } from "../survey";
import { marshes } from "../country";
import { BRUSHED, escarpments, hachures } from "../relief";
import { standing, water, type Course } from "../water";
import type { Grove } from "../woods";
import { boardRoads, broken, crops, grass, hollows, roofs } from "./ground";
import { boardTrees } from "./trees";
import { turf, type Turf } from "./turf";
import { boardWalls } from "./walls";

export interface Board {
  turf: Turf;
  art: Layer[];
}

export interface Land {
  survey: Survey;
  field: Field;
  woods: Grove[];
  ways: Way[];
  roads: SegmentIndex;
  streams: Course[];
}

export function board({ survey, field, woods, ways, roads, streams }: Land): Board {
  const { size } = survey;
  const lists = { crops: survey.field ?? [], rough: survey.rough ?? [], hollow: survey.hollow ?? [], building: survey.building ?? [], wall: survey.wall ?? [] };
  const walls = new SegmentIndex(lists.wall.map((w) => w.line));
  const wet = new SegmentIndex(streams.map((c) => c.axis));
  const rings = [...lists.crops, ...lists.building, ...(survey.marsh ?? [])].map((a) => ({ ring: a.outline, box: boxOf(a.outline) }));
  const covered = (p: Point) => rings.some((r) => holds(r.box, p) && inside(r.ring, p));
  const onTheWay = (p: Point, by: number) => roads.distance(p, by) < by || walls.distance(p, by) < by || wet.distance(p, by) < by;
  const lakes = (survey.water ?? []).filter((w) => w.outline !== undefined);
  const trodden = lists.building.map((b) => [...b.outline, b.outline[0]]);
  return {
    turf: turf(
      field,
      size,
      { woods: woods.map((w) => w.ring), tracks: [...ways.map((w) => w.axis), ...lists.wall.map((w) => w.line), ...trodden], yards: (survey.yard ?? []).map((a) => organicRing(a.outline, 20, a.name, [[4, 120]])) },
      survey.country ?? "meadow",
    ),
    art: [
      { name: "hollows", ops: hollows(lists.hollow) },
      { name: "crops", ops: crops(lists.crops) },
      { name: "marsh", ops: marshes(survey.marsh ?? []) },
      { name: "slopes", ops: hachures(field, (survey.escarpment ?? []).map((e) => e.line), BRUSHED) },
      { name: "broken", ops: broken(lists.rough) },
      { name: "water", ops: [...water(streams, size), ...standing(lakes)] },
      { name: "scarp", ops: escarpments(survey.escarpment ?? []) },
      { name: "roads", ops: [...railroads(ways), ...boardRoads(ways)] },
      { name: "bridges", ops: [...bridges(survey.bridge ?? [], ways, streams.map((c) => c.axis)), ...fords(survey.ford ?? [], streams.map((c) => c.axis))] },
      { name: "grass", ops: grass(size, (p) => covered(p) || onTheWay(p, 28) || woods.some((w) => holds(w.box, p) && inside(w.ring, p))) },
      { name: "walls", ops: boardWalls(lists.wall) },
      { name: "roofs", ops: roofs(lists.building) },
      { name: "trees", ops: boardTrees(survey.woods ?? [], woods, (p) => covered(p) || onTheWay(p, 32)) },
    ],
  };
}
