//! All tests of this crate in one program: what they share is compiled and linked once.

mod concealment;
mod contract;
mod exact_odds;
mod fates;
mod faults;
mod invariant;
mod legality;
mod log;
mod model_fire;
mod model_march;
mod odds;
mod odds_in_words;
mod offering;
mod positions;
mod situations;
mod unoffered;
mod variants;
