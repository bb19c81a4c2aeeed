//! 10 Rally Phase.

use crate::action::Action;
use crate::refusals::{Bar, bar};
use crate::rules::command::in_command;
use crate::setup::battle::Battle;
use crate::state::{State, UnitId};

/// 10.1: may the unit try to rally?
pub(crate) fn may_rally(battle: &Battle, state: &State, unit: UnitId) -> Result<(), Bar> {
    let here = state.unit(unit);
    if battle.unit(unit).side != state.active {
        return Err(bar!("10.1.a", "only units of the player whose turn it is rally"));
    }
    if here.post.hex().is_none() || !here.routed {
        return Err(bar!("10.1.a", "it carries no ROUT marker"));
    }
    if !in_command(state, unit) {
        return Err(bar!("10.1.a", "it is out of command: only units in command rally"));
    }
    if state.acted.contains(unit) {
        return Err(bar!("10.1.1.b", "it has tried in this phase: it may try again in the next Rally Phase"));
    }
    Ok(())
}

/// The units that may try.
pub(crate) fn candidates<'a>(battle: &'a Battle, state: &'a State) -> impl Iterator<Item = UnitId> + use<'a> {
    battle.of[state.active].iter().filter(|&unit| may_rally(battle, state, unit).is_ok())
}

pub(crate) fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    out.extend(candidates(battle, state).map(|unit| Action::Rally { unit }));
}
