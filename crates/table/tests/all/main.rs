//! All tests of this crate in one program: what they share is compiled and linked once.

mod brute_force;
mod common;
mod exact;
mod examples;
mod invariance;
