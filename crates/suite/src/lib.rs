//! For tests alone: what every system must pass.
//!
//! - [`situation_tests!`] makes a test of each situation of a folder, which records the rules it proves;
//! - [`contract`] plays games and checks, at every decision, all that the contract promises;
//! - [`random_games`] plays many more, watching only for endings and invariants;
//! - [`offers_are_all`] proves on hexes that offers are exactly what the rules allow;
//! - [`unoffered`] tries what was never offered, [`unoffered_on_a_table`] where offers are a sample;
//! - [`dragging`] puts pieces of a table where nobody offered them to be put;
//! - [`exact_odds`] compares enumerated odds with a count by hand, as fractions;
//! - [`odds_against_play`] compares enumerated odds with seeded plays, [`odds_speed`] times them;
//! - [`luck_evens_out`] sees that the score without luck is just;
//! - [`model`] has what second readings of the books share;
//! - [`shipped_are_sound`] and [`refused`] try scenario files, sound and broken;
//! - [`proves!`] lets a Rust test name the rules it proves.

mod chances;
mod contract;
mod dragging;
mod exact;
mod fates;
mod faults;
mod legality;
mod luck;
pub mod model;
mod odds;
mod perft;
mod proofs;
mod shelf;
mod situations;
mod unoffered;

pub use chances::every_roll_is_weighed;
pub use contract::{Invariant, contract, random_games, random_games_of};
pub use dragging::dragging;
pub use exact::{Rolled, exact_odds};
pub use fates::odds_in_words;
pub use faults::{faults, manual_is_sound, refused, shipped_are_sound};
pub use legality::offers_are_all;
pub use luck::luck_evens_out;
pub use odds::{odds_against_play, odds_speed};
pub use perft::perft;
pub use proofs::Proof;
pub use shelf::{Shelf, battle, root};
pub use situation_tests::situation_tests;
pub use situations::{situation, situations_but};
pub use unoffered::{Essence, but_for_the_way, unoffered, unoffered_on_a_table};

/// Names the rules a Rust test proves: `suite::proves!("battle-hymn", "2.2.1.c", "3.3");` as its first line. They
/// count only if the test passes.
#[macro_export]
macro_rules! proves {
    ($system:literal, $($id:literal),+ $(,)?) => {
        let _proof = $crate::Proof::new($system, &[$($id),+]);
    };
}

/// How much of a long test to do: `LINSTOCK_LONG=1` asks for the long run.
#[must_use]
pub fn short_or_long(short: u64, long: u64) -> u64 {
    if std::env::var_os("LINSTOCK_LONG").is_some_and(|v| v != "0") { long } else { short }
}

/// Whether a quick answer is wanted: `LINSTOCK_QUICK=1` asks for one random game in twenty. `cargo xtask mutants` does.
pub(crate) fn quick() -> bool {
    std::env::var_os("LINSTOCK_QUICK").is_some_and(|v| v != "0")
}
