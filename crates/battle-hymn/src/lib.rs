//! Battle Hymn, standard rules. The source files are the rulebook's chapters: a player with the book in hand finds the
//! code of section 7 in `retreat.rs`.

game::rulebook!();

mod action;
mod advance;
mod approach;
mod bar;
mod basics;
mod bombardment;
mod cavalry;
mod charts;
mod combat;
mod engagement;
mod equipment;
mod face;
mod facts;
mod fates;
mod fire;
mod ground;
mod judgement;
mod map;
mod morale;
mod movement;
mod notation;
mod orders;
mod phases;
mod position;
mod reach;
mod reinforcements;
mod retreat;
mod rules;
mod scenario;
mod sequence;
mod sight;
mod state;
mod victory;
mod view;
mod zones;

pub use action::Action;
pub use equipment::Battle;
pub use rules::BattleHymn;
pub use state::{Id, State};

/// What holds of every position in which somebody decides: nobody stacked, no strength out of nowhere, no unit on the
/// map without an intact SP, Objectives in the hands of who stands on them, no horses left where the enemy reaches.
///
/// # Errors
/// What does not hold.
pub fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
    basics::invariant(battle, state)
}
