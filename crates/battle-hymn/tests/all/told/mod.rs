//! What players and situations are told: facts, fates, the log, notation, and that telling changes nothing.

mod facts;
mod fates;
mod log;
mod notation;
mod scenario_rules;
mod silence;
