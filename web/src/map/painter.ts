/** Draws an engraved sheet onto a canvas, any part at any scale. */
import { meets, type Box } from "./geometry";
import type { Sheet } from "./engrave";
import { CLASSES, type LetterClass, type Label } from "./labels";
import type { Note } from "./furniture";
import type { PathOp, Zoom } from "./ops";
import { blades } from "./board/blades";
import { coloured } from "./board/turf";
import { palette, reliefOpacity, type Palette, type Theme } from "./palette";

export type Canvas2D = OffscreenCanvasRenderingContext2D;

export interface View {
  /** Pixels a unit. */
  scale: number;
  /** The part of the sheet to draw, units. */
  box: Box;
  theme: Theme;
  zoom: Zoom;
  /** Leave off what needs the map's fonts. */
  mute?: boolean;
  /** Hex numbers are asked for. */
  numbers?: boolean;
}

export const FACES = {
  regular: '400 SIZEpx "Old Standard TT", Georgia, serif',
  italic: 'italic 400 SIZEpx "Old Standard TT", Georgia, serif',
  bold: '700 SIZEpx "Old Standard TT", Georgia, serif',
  figures: '500 SIZEpx "Archivo Narrow Variable", "Arial Narrow", sans-serif',
} as const;

function canvasOf(width: number, height: number, pixels: Uint8ClampedArray): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const image = new ImageData(width, height);
  image.data.set(pixels);
  canvas.getContext("2d")!.putImageData(image, 0, 0);
  return canvas;
}

const font = (face: keyof typeof FACES, size: number) => FACES[face].replace("SIZE", String(size));

export class Painter {
  private readonly sheet: Sheet;
  private readonly paths = new Map<string, Path2D>();
  private readonly relief: OffscreenCanvas;
  private readonly turf = new Map<Theme, OffscreenCanvas>();

  constructor(sheet: Sheet) {
    this.sheet = sheet;
    const { width, height, pixels } = sheet.relief;
    this.relief = canvasOf(width, height, pixels);
  }

  private path(d: string): Path2D {
    let p = this.paths.get(d);
    if (!p) this.paths.set(d, (p = new Path2D(d)));
    return p;
  }

  paint(ctx: Canvas2D, view: View): void {
    const { sheet } = this;
    const ink = palette(view.theme);
    const { scale, box } = view;
    ctx.setTransform(scale, 0, 0, scale, -box.x0 * scale, -box.y0 * scale);
    ctx.fillStyle = ink.sheet;
    ctx.fillRect(box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
    ctx.save();
    ctx.beginPath();
    const { x0, y0, x1, y1 } = sheet.window;
    ctx.rect(x0, y0, x1 - x0, y1 - y0);
    ctx.clip();
    ctx.fillStyle = ink.ground;
    ctx.fillRect(x0, y0, x1 - x0, y1 - y0);
    this.board(ctx, view);
    for (const layer of sheet.art) {
      if (layer.name === "woodtints") this.woodTints(ctx, layer.ops, view, ink);
      else for (const op of layer.ops) this.draw(ctx, op, view, ink);
      if (layer.relief) this.drawRelief(ctx, view);
    }
    for (const op of sheet.grid) this.draw(ctx, op, view, ink);
    for (const op of sheet.rings) this.draw(ctx, op, view, ink);
    ctx.restore();
    if (!view.mute) {
      for (const label of sheet.labels) this.label(ctx, label, view, ink);
      if (view.numbers !== false) for (const note of sheet.notes.numbers) this.note(ctx, note, view, ink);
    }
    for (const op of sheet.plaques) this.draw(ctx, op, view, ink);
    for (const op of sheet.frame) this.draw(ctx, op, view, ink);
    if (!view.mute) {
      for (const note of sheet.notes.figures) this.note(ctx, note, view, ink);
      for (const note of sheet.notes.margin) this.note(ctx, note, view, ink);
    }
  }

  /** The turf of a table, and the blades of grass that stay of one size on the screen. */
  private board(ctx: Canvas2D, view: View): void {
    const { turf, window } = this.sheet;
    if (!turf) return;
    let ground = this.turf.get(view.theme);
    if (!ground) {
      ground = canvasOf(turf.width, turf.height, coloured(turf, view.theme));
      this.turf.set(view.theme, ground);
    }
    const { box } = turf;
    ctx.imageSmoothingEnabled = true;
    ctx.imageSmoothingQuality = "high";
    ctx.drawImage(ground, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
    ctx.save();
    // In whole pixels from the corner of the table, so that tiles meet.
    ctx.setTransform(1, 0, 0, 1, (window.x0 - view.box.x0) * view.scale, (window.y0 - view.box.y0) * view.scale);
    ctx.fillStyle = ctx.createPattern(blades(view.theme, view.scale), "repeat")!;
    ctx.fillRect(0, 0, (window.x1 - window.x0) * view.scale, (window.y1 - window.y0) * view.scale);
    ctx.restore();
  }

  private drawRelief(ctx: Canvas2D, view: View): void {
    const { box } = this.sheet.relief;
    ctx.globalAlpha = reliefOpacity(view.theme);
    ctx.imageSmoothingEnabled = true;
    ctx.imageSmoothingQuality = "high";
    ctx.drawImage(this.relief, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
    ctx.globalAlpha = 1;
  }

  private woodTints(ctx: Canvas2D, ops: PathOp[], view: View, ink: Palette): void {
    const woods = this.sheet.art.find((l) => l.name === "woodbase")?.ops.filter((o) => o.fill === "wood" && meets(o.box, view.box)) ?? [];
    if (woods.length === 0) return;
    ctx.save();
    const all = new Path2D();
    for (const w of woods) all.addPath(this.path(w.d));
    ctx.clip(all);
    for (const op of ops) this.draw(ctx, op, view, ink);
    ctx.restore();
  }

  private draw(ctx: Canvas2D, op: PathOp, view: View, ink: Palette): void {
    if ((op.from ?? 0) > view.zoom || (op.upTo ?? 2) < view.zoom || !meets(op.box, view.box)) return;
    const path = this.path(op.d);
    if (op.shift) {
      ctx.save();
      ctx.translate(op.shift[0], op.shift[1]);
    }
    ctx.globalAlpha = op.alpha ?? 1;
    if (op.fill) {
      ctx.fillStyle = ink[op.fill];
      ctx.fill(path, op.evenOdd ? "evenodd" : "nonzero");
    }
    if (op.stroke) {
      ctx.strokeStyle = ink[op.stroke];
      ctx.lineWidth = op.width ?? 1;
      ctx.lineCap = op.cap ?? "butt";
      ctx.lineJoin = op.join ?? "round";
      ctx.setLineDash(op.dash ?? []);
      ctx.stroke(path);
    }
    ctx.globalAlpha = 1;
    if (op.shift) ctx.restore();
  }

  private label(ctx: Canvas2D, label: Label, view: View, ink: Palette): void {
    if (label.from > view.zoom || label.upTo < view.zoom || !meets(label.box, view.box)) return;
    const style: LetterClass = CLASSES[label.class];
    ctx.font = font(style.face, label.size);
    ctx.textAlign = "center";
    ctx.textBaseline = "alphabetic";
    ctx.lineJoin = "round";
    ctx.setLineDash([]);
    const each = (draw: (text: string) => void) => {
      for (const g of label.glyphs) {
        const c = Math.cos(g.angle);
        const s = Math.sin(g.angle);
        ctx.save();
        ctx.transform(c, s, -s, c, g.x, g.y);
        draw(g.text);
        ctx.restore();
      }
    };
    ctx.strokeStyle = ink[style.halo];
    ctx.lineWidth = view.zoom === 0 ? 16 : style.haloWidth;
    ctx.globalAlpha = style.haloAlpha;
    each((t) => ctx.strokeText(t, 0, 0));
    ctx.globalAlpha = 1;
    ctx.fillStyle = ink[style.paint];
    each((t) => ctx.fillText(t, 0, 0));
  }

  private note(ctx: Canvas2D, note: Note, view: View, ink: Palette): void {
    if ((note.from ?? 0) > view.zoom || (note.upTo ?? 2) < view.zoom) return;
    const reach = note.size * Math.max(2, note.text.length);
    const [x, y] = note.at;
    if (!meets({ x0: x - reach, y0: y - note.size, x1: x + reach, y1: y + note.size }, view.box)) return;
    const size = note.scaled && view.zoom === 0 ? note.size * 1.18 : note.size;
    ctx.font = font(note.font, size).replace("500", note.scaled ? "650" : "500");
    ctx.textAlign = note.align;
    ctx.textBaseline = "alphabetic";
    ctx.letterSpacing = `${note.spacing ?? 0}px`;
    ctx.setLineDash([]);
    const dx = note.align === "center" ? (note.spacing ?? 0) / 2 : 0;
    if (note.halo) {
      ctx.lineJoin = "round";
      ctx.strokeStyle = ink[note.halo.paint];
      ctx.lineWidth = note.halo.width;
      ctx.globalAlpha = note.halo.alpha;
      ctx.strokeText(note.text, x + dx, y);
      ctx.globalAlpha = 1;
    }
    ctx.fillStyle = ink[note.paint];
    ctx.fillText(note.text, x + dx, y);
    ctx.letterSpacing = "0px";
  }
}
