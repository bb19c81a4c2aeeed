//! 12 Tide of Battle markers: one die of one's own, rolled again.

use game::{Effects, Entry, Kind, Side};

use crate::refusals::{Bar, bar};
use crate::rules::combat;
use crate::rules::command::in_command;
use crate::setup::battle::Battle;
use crate::state::{State, Step, Units};

/// 12.0: the side still has its marker, and a unit in command is involved.
pub(crate) fn may_use(state: &State, side: Side, involved: Units) -> bool {
    state.tide[side] && involved.iter().any(|unit| in_command(state, unit))
}

/// Why the marker may not be used now.
pub(crate) fn why_not(state: &State, side: Side) -> Bar {
    if state.tide[side] {
        bar!("12.0.b", "only dice of fire attacks and morale checks of a unit in command are rolled again")
    } else {
        bar!("12.0.d", "the marker has been used")
    }
}

/// The marker is set aside.
fn spend(state: &mut State, side: Side, fx: &mut impl Effects) {
    state.tide[side] = false;
    fx.tell(|| {
        Entry::new(Kind::Note, "The Tide of Battle marker is used: the die is rolled again.")
            .side(side)
            .rule(cite!("12.0.a"))
    });
}

/// The die on the table is rolled again, and the new one stands.
pub(crate) fn use_marker(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    match state.agenda.top() {
        Some(Step::CombatDie { .. }) => {
            spend(state, combat::firing_side(state), fx);
            let target = state.fire.at.and_then(|at| state.unit_at(at).map(|unit| (at, unit)));
            if let Some((at, unit)) = target {
                let natural = combat::roll(battle, state, at, unit, fx);
                state.agenda.replace(Step::CombatDie { natural });
            }
        }
        Some(Step::LeaderDie { leader, .. }) => {
            spend(state, combat::firing_side(state), fx);
            state.agenda.replace(Step::LoneLeader { leader });
        }
        Some(Step::MoraleDie { unit, why, .. }) => {
            spend(state, battle.unit(unit).side, fx);
            state.agenda.replace(Step::Morale { unit, why });
        }
        _ => {}
    }
}
