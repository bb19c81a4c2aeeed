//! All tests of this crate in one program: what they share is compiled and linked once.

mod contract;
mod exact_odds;
mod facts;
mod fates;
mod faults;
mod invariant;
mod model_combat;
mod model_sight;
mod notation;
mod odds;
mod odds_in_words;
mod positions;
mod situations;
mod tables;
mod told;
mod unoffered;
