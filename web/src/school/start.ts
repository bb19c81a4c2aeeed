/** Sitting down to a lesson, or to a first battle with the coach. */
import { api, freshSalt } from "../lib/api";
import { enter } from "../lib/begin";
import { gameLink, router } from "../lib/route.svelte";
import { vault } from "../lib/vault";
import { BOTH } from "../lib/words";
import type { ScenarioFace, Sitter, SystemFace } from "../wire";
import type { CourseLesson } from "./library";
import { progress } from "./progress.svelte";

/** A game that is still there is gone on with; else the lesson begins. */
export async function openLesson(lesson: CourseLesson): Promise<void> {
  const kept = progress.lesson(lesson.id);
  if (kept?.game && !kept.solved && (await stillThere(kept.game))) {
    router.go(gameLink(kept.game), true);
    return;
  }
  if (kept?.game) vault.forget(kept.game);
  // The lesson says which side is learnt and who plays the other: whoever sits here gets that seat.
  const here: Sitter = { kind: "here", name: vault.name().trim() || "Learner" };
  const created = await api.begin({ scenario: lesson.id, text: lesson.text, seats: { first: here, second: here }, salt: freshSalt() });
  for (const side of BOTH) {
    const { token } = created.seats[side];
    if (token) vault.hold({ game: created.game, side, token });
  }
  progress.keep(lesson.id, { game: created.game, page: 0 });
  router.go(gameLink(created.game), true);
}

async function stillThere(game: string): Promise<boolean> {
  const [seat] = vault.seatsOf(game);
  if (!seat) return false;
  return api.game(game, seat.token).then(() => true, () => false);
}

/** The weakest computer that plays with a plan. */
export const gentlest = (system: SystemFace) => system.levels.find((l) => l.id === "ensign") ?? system.levels.find((l) => l.id !== "random");

/** The same by the system's name alone. */
export async function firstBattleOf(id: string): Promise<void> {
  const [systems, library] = await Promise.all([api.systems(), api.scenarios()]);
  const [system, battle] = [systems.find((s) => s.id === id), library.find((s) => s.system === id)];
  if (system && battle) await firstBattle(battle, system);
}

/** The introductory battle of a system against the weakest computer; the coach sits in by itself. */
export async function firstBattle(battle: ScenarioFace, system: SystemFace): Promise<void> {
  const level = gentlest(system)?.id ?? "";
  const me: Sitter = { kind: "here", name: vault.name().trim() || battle.sides.first.name };
  const created = await api.begin({ scenario: battle.id, seats: { first: me, second: { kind: "computer", level } }, dice: "sealed", salt: freshSalt(), public: false });
  progress.call(created.game);
  enter(created);
}
