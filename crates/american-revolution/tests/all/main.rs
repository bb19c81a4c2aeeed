//! All tests of this crate in one program: what they share is compiled and linked once.

mod combat_panel;
mod concealment;
mod contract;
mod exact_odds;
mod fates;
mod faults;
mod legality;
mod library;
mod model_combat;
mod model_march;
mod odds;
mod odds_in_words;
mod positions;
mod situations;
mod unoffered;
