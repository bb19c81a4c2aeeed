//! Battle Hymn, standard rules. The source files are the rulebook's chapters: a player with the book in hand finds the
//! code of section 7 in `retreat.rs`.

game::rulebook!();

mod action;
mod bar;
mod board;
mod contract;
mod facts;
mod judgement;
mod legal;
mod notation;
mod phases;
mod rules;
mod setup;
mod state;

pub use action::Action;
pub use contract::BattleHymn;
pub use setup::battle::Battle;
pub use state::{Id, State};

/// What holds of every position in which somebody decides: nobody stacked, no strength out of nowhere, no unit on the
/// map without an intact SP, Objectives in the hands of who stands on them, no horses left where the enemy reaches.
///
/// # Errors
/// What does not hold.
pub fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
    rules::basics::invariant(battle, state)
}
