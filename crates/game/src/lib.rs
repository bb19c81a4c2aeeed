//! The contract every rule system fulfils, and what follows from it alone: decisions, dice, citations, log, journal,
//! replay, undo, situations.
//!
//! This crate knows no system, no map, no file system and no network.

#![warn(missing_docs)]

pub mod board;
pub mod dice;
pub mod faults;
pub mod journal;
pub mod log;
pub mod luck;
pub mod odds;
pub mod read;
pub mod scenario;
pub mod session;
pub mod situation;
pub mod words;

mod agenda;
mod contract;
mod effects;
mod line;
mod no;
mod rule;
mod side;
mod sum;

pub use agenda::Agenda;
pub use board::{PieceId, Place};
pub use contract::{
    Display, Facts, Files, Foresight, Judgement, Library, Notation, Now, Odds, Options, Outcome, Refusal,
    Rules, System,
};
pub use dice::{Dice, Die, Need, Test};
pub use effects::{AnyFx, Effects, Fx};
pub use faults::Faults;
pub use line::Line;
pub use log::{Chronicle, Entry, Kind, Modifier, RollNote, Silent};
pub use no::{Allowed, No};
pub use rule::{Book, Rule, RuleText};
pub use side::{BySide, Eyes, Side};
pub use sum::Sum;
