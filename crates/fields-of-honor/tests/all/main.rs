//! All tests of this crate in one program: what they share is compiled and linked once.

mod concealment;
mod contract;
mod exact_odds;
mod faults;
mod model_combat;
mod model_fire;
mod odds;
mod odds_in_words;
mod situations;
mod unoffered;
mod words;
