/** Hexes over the sheet: flat-topped, numbered CCRR. Only for drawing and pointing; what is legal comes from the server. */
import { addEdge, rings, type Edge } from "./geometry";
import type { HexGrid, Point } from "./survey";

export interface Hex {
  id: string;
  col: number;
  row: number;
  /** Centre on the sheet, yards, y down. */
  at: Point;
}

const two = (n: number) => String(n).padStart(2, "0");

export class Grid {
  readonly spec: HexGrid;
  readonly height: number;
  readonly hexes: Hex[] = [];
  private readonly byId = new Map<string, Hex>();
  /** Half across corners, which is the side. */
  readonly side: number;

  constructor(spec: HexGrid, sheetHeight: number, only?: Iterable<string>) {
    const play = only ? new Set(only) : undefined;
    this.spec = spec;
    this.height = sheetHeight;
    this.side = spec.size / Math.sqrt(3);
    for (let col = 1; col <= spec.cols; col++)
      for (let row = 1; row <= spec.rows; row++) {
        const hex = { id: two(col) + two(row), col, row, at: this.centre(col, row) };
        if (play && !play.has(hex.id)) continue;
        this.hexes.push(hex);
        this.byId.set(hex.id, hex);
      }
  }

  centre(col: number, row: number): Point {
    const { origin, size, parity } = this.spec;
    const lower = parity === "even-low" ? 0.5 : -0.5;
    const x = origin[0] + (col - 1) * 1.5 * this.side;
    const y = this.height - origin[1] + (row - 1) * size + (col % 2 === 0 ? lower * size : 0);
    return [x, y];
  }

  hex(id: string): Hex | undefined {
    return this.byId.get(id);
  }

  /** Corners from the east, clockwise on the sheet. */
  corners([x, y]: Point, scale = 1): Point[] {
    const s = this.side * scale;
    const h = (this.spec.size / 2) * scale;
    return [[x + s, y], [x + s / 2, y + h], [x - s / 2, y + h], [x - s, y], [x - s / 2, y - h], [x + s / 2, y - h]];
  }

  /** The hex under a point of the sheet. */
  under([x, y]: Point): Hex | undefined {
    const guess = Math.round((x - this.spec.origin[0]) / (1.5 * this.side)) + 1;
    let best: Hex | undefined;
    let least = Infinity;
    for (let col = guess - 1; col <= guess + 1; col++) {
      const [, top] = this.centre(col, 1);
      const row = Math.round((y - top) / this.spec.size) + 1;
      const hex = this.byId.get(two(col) + two(row));
      if (!hex) continue;
      const d = (hex.at[0] - x) ** 2 + (hex.at[1] - y) ** 2;
      if (d < least) {
        least = d;
        best = hex;
      }
    }
    return best && least <= this.side ** 2 ? best : undefined;
  }

  /** Neighbour through side 0 (north-east is 5; clockwise from south-east: 0 SE, 1 S, 2 SW, 3 NW, 4 N, 5 NE). */
  neighbour(hex: Hex, side: number): Hex | undefined {
    const lowered = (hex.col % 2 === 0) === (this.spec.parity === "even-low");
    const down = lowered ? 1 : 0;
    const steps: [number, number][] = [[1, down], [0, 1], [-1, down], [-1, down - 1], [0, -1], [1, down - 1]];
    const [dc, dr] = steps[side];
    return this.byId.get(two(hex.col + dc) + two(hex.row + dr));
  }

  neighbours(hex: Hex): Hex[] {
    return [0, 1, 2, 3, 4, 5].map((s) => this.neighbour(hex, s)).filter((h) => h !== undefined);
  }

  /** Steps between two hexes. */
  distance(a: Hex, b: Hex): number {
    const cube = (h: Hex) => {
      const q = h.col - 1;
      const even = h.col % 2 === 0 ? (this.spec.parity === "even-low" ? 0.5 : -0.5) : 0;
      const z = h.row - 1 + even - q / 2;
      return [q, z];
    };
    const [q1, r1] = cube(a);
    const [q2, r2] = cube(b);
    const dq = q1 - q2;
    const dr = r1 - r2;
    return Math.round(Math.max(Math.abs(dq), Math.abs(dr), Math.abs(dq + dr)));
  }

  /** One outline round a set of hexes: each side with the set on one hand only. */
  outline(ids: Iterable<string>): Point[][] {
    const set = new Set(ids);
    const next = new Map<string, Edge<string>[]>();
    const key = ([x, y]: Point) => `${Math.round(x)},${Math.round(y)}`;
    for (const id of set) {
      const hex = this.byId.get(id);
      if (!hex) continue;
      const corners = this.corners(hex.at);
      for (let side = 0; side < 6; side++) {
        const other = this.neighbour(hex, side);
        if (other && set.has(other.id)) continue;
        const from = corners[side];
        addEdge(next, key(from), { from, to: key(corners[(side + 1) % 6]) });
      }
    }
    return rings(next);
  }
}
