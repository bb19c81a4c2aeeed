//! 14 Victory: objectives, the loss track, who wins.

use game::words::{side_does, the};
use game::{BySide, Effects, Entry, Kind, Outcome, Place, Side};
use hexmap::Hex;

use crate::rules::concepts::piece_entry;
use crate::setup::battle::Battle;
use crate::setup::pieces::Arm;
use crate::state::{Post, State, UnitId};

/// 14.0.b: an objective belongs to the side whose combat unit last moved through it.
pub(crate) fn take(battle: &Battle, state: &mut State, side: Side, hex: Hex, fx: &mut impl Effects) {
    if !battle.objective_hexes.contains(hex) {
        return;
    }
    for (index, objective) in battle.objectives.iter().enumerate() {
        if objective.hex != hex || state.control[index] == Some(side) {
            continue;
        }
        state.control[index] = Some(side);
        fx.tell(|| {
            let text = format!("{} {}.", side_does(&battle.armies[side].name, "takes"), objective.name);
            Entry::new(Kind::Score, text)
                .side(side)
                .rule(cite!("14.0.b"))
                .place(Place::Hex(battle.number(hex)))
        });
    }
}

/// 14.0.b, R68: who controls the objectives at the start: whoever stands there, else whom the scenario names.
pub(crate) fn set_up(battle: &Battle, state: &mut State) {
    for (index, objective) in battle.objectives.iter().enumerate() {
        let holder = state.unit_at(objective.hex).map(|unit| battle.unit(unit).side);
        state.control[index] = holder.or(objective.control);
    }
}

/// 13.0, 14.0: the unit has come to stand in its hex; the scenario may have a prize for the first that does.
pub(crate) fn stand(battle: &Battle, state: &mut State, unit: UnitId, fx: &mut impl Effects) {
    let sheet = battle.unit(unit);
    for (index, prize) in battle.prizes.iter().enumerate() {
        let won = state.prizes >> index & 1 == 1;
        let there = state.unit(unit).post == Post::On(prize.hex);
        if won || !there || prize.side != sheet.side || sheet.arm != Arm::Infantry {
            continue;
        }
        state.prizes |= 1 << index;
        fx.tell(|| {
            let text = format!(
                "{}: {} points for {}.",
                prize.name,
                prize.points,
                the(&battle.armies[prize.side].name)
            );
            piece_entry(battle, state, Kind::Score, text, unit).rule(prize.rule)
        });
    }
}

/// The prizes a side has won.
pub(crate) fn prizes(battle: &Battle, state: &State, side: Side) -> i32 {
    let won = battle.prizes.iter().enumerate().filter(|&(index, _)| state.prizes >> index & 1 == 1);
    won.filter(|(_, prize)| prize.side == side).map(|(_, prize)| prize.points).sum()
}

/// 14.0.a: the points of the objectives a side controls.
pub(crate) fn ground(battle: &Battle, state: &State, side: Side) -> i32 {
    battle
        .objectives
        .iter()
        .zip(&state.control)
        .filter(|&(_, &control)| control == Some(side))
        .map(|(objective, _)| objective.points)
        .sum()
}

/// 14.0: objectives, the enemy's losses, and what the scenario gives at the start.
pub(crate) fn score(battle: &Battle, state: &State) -> BySide<i32> {
    BySide::from_fn(|side| {
        battle.armies[side].points
            + ground(battle, state, side)
            + prizes(battle, state, side)
            + i32::from(state.losses[side.enemy()])
    })
}

/// 14.0.f, R69: more points win, equal points draw.
pub(crate) fn outcome(battle: &Battle, state: &State) -> Outcome {
    let score = score(battle, state);
    match score.first.cmp(&score.second) {
        std::cmp::Ordering::Greater => Outcome::Won(Side::First),
        std::cmp::Ordering::Less => Outcome::Won(Side::Second),
        std::cmp::Ordering::Equal => Outcome::Drawn,
    }
}
