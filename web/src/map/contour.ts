/** Marching squares: the contour lines of a field at one height, as rings and open lines. */
import { CELL, MARGIN, type Field } from "./field";
import { addEdge, rings, type Edge } from "./geometry";
import type { Point } from "./survey";

interface Contours {
  /** Closed outlines of the ground at or above the height, ground kept on the right; outside the field counts as low. */
  rings: Point[][];
}

export function contours(field: Field, height: number): Contours {
  const { cols, rows, values } = field;
  const value = (i: number, j: number) => (i < 0 || j < 0 || i >= cols || j >= rows ? height - 1 : values[j * cols + i]);
  // Each crossing lies on a lattice edge: horizontal (i,j)-(i+1,j) or vertical (i,j)-(i,j+1), with a border of one cell.
  const across = cols + 2;
  const key = (i: number, j: number, vertical: boolean) => ((j + 1) * across + (i + 1)) * 2 + (vertical ? 1 : 0);
  const point = (i: number, j: number, vertical: boolean): Point => {
    const a = value(i, j);
    const b = vertical ? value(i, j + 1) : value(i + 1, j);
    const t = (height - a) / (b - a);
    return [(i + (vertical ? 0 : t)) * CELL - MARGIN, (j + (vertical ? t : 0)) * CELL - MARGIN];
  };
  const next = new Map<number, Edge<number>[]>();
  const link = (from: [number, number, boolean], to: [number, number, boolean]) => addEdge(next, key(...from), { from: point(...from), to: key(...to) });
  for (let j = -1; j < rows; j++) {
    for (let i = -1; i < cols; i++) {
      const nw = value(i, j) >= height ? 8 : 0;
      const ne = value(i + 1, j) >= height ? 4 : 0;
      const se = value(i + 1, j + 1) >= height ? 2 : 0;
      const sw = value(i, j + 1) >= height ? 1 : 0;
      const top: [number, number, boolean] = [i, j, false];
      const bottom: [number, number, boolean] = [i, j + 1, false];
      const left: [number, number, boolean] = [i, j, true];
      const right: [number, number, boolean] = [i + 1, j, true];
      // Directed so that the high ground lies on the right of travel.
      switch (nw | ne | se | sw) {
        case 1: link(left, bottom); break;
        case 2: link(bottom, right); break;
        case 3: link(left, right); break;
        case 4: link(right, top); break;
        case 5: link(left, top); link(right, bottom); break;
        case 6: link(bottom, top); break;
        case 7: link(left, top); break;
        case 8: link(top, left); break;
        case 9: link(top, bottom); break;
        case 10: link(top, right); link(bottom, left); break;
        case 11: link(top, right); break;
        case 12: link(right, left); break;
        case 13: link(right, bottom); break;
        case 14: link(bottom, left); break;
      }
    }
  }
  return { rings: rings(next).filter((ring) => ring.length > 5) };
}
