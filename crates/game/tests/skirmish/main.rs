//! What follows from the contract alone, tried on a small system of our own: situations, odds, games and journals.

mod games;
mod odds;
mod situations;
mod system;
