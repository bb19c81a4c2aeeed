//! One contract, any number of games. What is written against these traits (journal, undo, odds, computer players,
//! server, board) knows no system; a system knows nothing of what is built on it.
//!
//! | trait | answers |
//! | --- | --- |
//! | [`Rules`] | What may be done, and what comes of it? |
//! | [`Files`] | What does this scenario or position say? |
//! | [`Notation`] | How is this action written? |
//! | [`Facts`] | What is true of this position, by name? |
//! | [`Display`] | What does a person see? |
//! | [`Odds`] | What is at stake, and where does it end? |
//! | [`Judgement`] | How good is this for a side? |
//!
//! Implement all seven and a game plays everywhere: [`System`] follows by itself.

mod display;
mod facts;
mod files;
mod judgement;
mod notation;
mod odds;
mod outcome;
mod refusal;
mod rules;

pub use display::Display;
pub use facts::Facts;
pub use files::{Files, Library, Options};
pub use judgement::{Foresight, Judgement};
pub use notation::Notation;
pub use odds::Odds;
pub use outcome::{Now, Outcome};
pub use refusal::Refusal;
pub use rules::Rules;

/// Everything a system brings.
pub trait System: Rules + Files + Notation + Facts + Display + Odds + Judgement {}
impl<S: Rules + Files + Notation + Facts + Display + Odds + Judgement> System for S {}
