/** The engraver's shop: makes the sheet once, then tiles of it on demand. */
import figures from "@fontsource-variable/archivo-narrow/files/archivo-narrow-latin-wght-normal.woff2?url";
import regular from "@fontsource/old-standard-tt/files/old-standard-tt-latin-400-normal.woff2?url";
import italic from "@fontsource/old-standard-tt/files/old-standard-tt-latin-400-italic.woff2?url";
import bold from "@fontsource/old-standard-tt/files/old-standard-tt-latin-700-normal.woff2?url";
import { engrave } from "./engrave";
import type { Face } from "./labels";
import { FACES, Painter, type View } from "./painter";
import type { SheetRequest } from "./survey";

export type ToShop =
  | { kind: "engrave"; request: SheetRequest }
  | { kind: "tile"; id: string; view: View; width: number; height: number }
  | { kind: "forget"; ids: string[] };

export type FromShop =
  | { kind: "ready"; milliseconds: number }
  | { kind: "tile"; id: string; bitmap: ImageBitmap; milliseconds: number };

const shop = self as unknown as {
  fonts: FontFaceSet;
  postMessage(message: FromShop, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToShop>) => void) | null;
};

async function loadFonts(): Promise<void> {
  const faces = [
    new FontFace("Old Standard TT", `url(${regular})`, { weight: "400" }),
    new FontFace("Old Standard TT", `url(${italic})`, { weight: "400", style: "italic" }),
    new FontFace("Old Standard TT", `url(${bold})`, { weight: "700" }),
    new FontFace("Archivo Narrow Variable", `url(${figures})`, { weight: "400 700" }),
  ];
  // A map without its lettering faces is still a map.
  await Promise.allSettled(faces.map(async (face) => shop.fonts.add(await face.load())));
}

const fonts = loadFonts();
let painter: Promise<Painter> | undefined;
const wanted: Extract<ToShop, { kind: "tile" }>[] = [];
let busy = false;

function measure() {
  const ctx = new OffscreenCanvas(1, 1).getContext("2d")!;
  const known = new Map<string, number>();
  return (text: string, face: Face) => {
    const key = face + text;
    let width = known.get(key);
    if (width === undefined) {
      ctx.font = FACES[face].replace("SIZE", "100");
      known.set(key, (width = ctx.measureText(text).width / 100));
    }
    return width;
  };
}

async function open(request: SheetRequest): Promise<Painter> {
  await fonts;
  const start = performance.now();
  const sheet = engrave(request, measure());
  shop.postMessage({ kind: "ready", milliseconds: performance.now() - start });
  return new Painter(sheet);
}

async function work(): Promise<void> {
  if (busy) return;
  busy = true;
  for (let next = wanted.shift(); next; next = wanted.shift()) {
    const ready = await painter;
    if (!ready) break;
    const start = performance.now();
    const canvas = new OffscreenCanvas(next.width, next.height);
    ready.paint(canvas.getContext("2d", { alpha: false })!, next.view);
    const bitmap = canvas.transferToImageBitmap();
    shop.postMessage({ kind: "tile", id: next.id, bitmap, milliseconds: performance.now() - start }, [bitmap]);
    // Let newer wishes in between two tiles.
    await new Promise((done) => setTimeout(done, 0));
  }
  busy = false;
}

shop.onmessage = ({ data }) => {
  if (data.kind === "engrave") painter = open(data.request);
  else if (data.kind === "tile") wanted.push(data);
  else {
    const drop = new Set(data.ids);
    for (let i = wanted.length - 1; i >= 0; i--) if (drop.has(wanted[i].id)) wanted.splice(i, 1);
  }
  void work();
};
