//! Chapter 13: night.

use crate::setup::battle::Battle;
use crate::state::State;

#[must_use]
pub(crate) fn is_night(battle: &Battle, state: &State) -> bool {
    battle.hours[usize::from(state.hour)].night
}
