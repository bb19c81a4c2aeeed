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
pub use invariant::invariant;

game::rulebook!();
