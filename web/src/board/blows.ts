/** The arrows of a combat that one roll on a table settles: from everyone who takes part to who is struck. */
import type { Mark, Piece, PieceId, Position } from "../wire";

/** Once these are asked, the combat is decided and units have left their places: an arrow would follow them. */
const DECIDED = new Set(["retreat", "advance", "follow", "check", "capture", "second-loss", "casualty"]);

export function blowsOf(position: Position, pieces: ReadonlyMap<PieceId, Piece>): Mark[] {
  if (position.prompt && DECIDED.has(position.prompt.kind)) return [];
  const fires = (position.view.combat?.fires ?? []).filter((f) => f.test === null && f.dice <= 1);
  return fires.flatMap((f) =>
    f.by.flatMap((id): Mark[] => {
      const [by, to] = [pieces.get(id), pieces.get(f.at[0])];
      return by && to ? [{ kind: "attack", place: by.place, to: to.place, side: by.side, text: "", title: `${by.name} takes part` }] : [];
    }),
  );
}
