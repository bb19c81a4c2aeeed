//! All tests of this crate in one program: what they share is compiled and linked once.

mod bad_input;
mod charts;
mod computer;
mod honest_dice;
mod lessons;
mod library;
mod school;
mod tactics;
mod twins;
