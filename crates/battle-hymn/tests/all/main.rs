//! All tests of this crate in one program: what they share is compiled and linked once.

mod contract;
mod exact_odds;
mod faults;
mod invariant;
mod legality;
mod model_fire;
mod model_march;
mod odds;
mod odds_in_words;
mod rules;
mod situations;
mod told;
mod unoffered;
