//! Fields of Honor, rules summary: a table in inches, three scales, players who interrupt each other.

pub mod action;
pub mod at;
pub mod board;
mod contract;
pub mod facts;
mod invariant;
pub mod judgement;
pub mod legal;
mod notation;
pub mod rules;
pub mod setup;
pub mod state;

pub use contract::FieldsOfHonor;
game::rulebook!();

/// What must hold of every position: nobody lies in anybody, nobody is off the table, no body has more hits than stands.
///
/// # Errors
/// What does not hold.
pub fn invariant(battle: &setup::battle::Battle, state: &state::State) -> Result<(), String> {
    at::At::new(battle, state).invariant()
}
