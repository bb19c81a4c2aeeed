/** The throws of a battle, for the tab of dice. */
import type { DiceProof, LogLine, ThrowFace } from "../wire";

/** A throw as the tab lists it; its line and what the player mixed in are known when the battle is over. */
export type Throw = Pick<ThrowFace, "moment" | "side" | "faces"> & Partial<Pick<ThrowFace, "line" | "salt">>;

/** Every throw: from the journal when the battle is over, until then those of the log, which the server withholds from the proof because some may still be concealed. */
export function throwsOf(proof: Pick<DiceProof, "throws">, log: LogLine[]): Throw[] {
  const known: Throw[] = proof.throws.length > 0 ? proof.throws : log.map(({ moment, side, entries }) => ({ moment, side, faces: entries.flatMap((entry) => entry.roll?.faces ?? []) }));
  return known.filter((t) => t.faces.length > 0);
}
