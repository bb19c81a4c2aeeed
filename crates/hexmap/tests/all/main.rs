//! All tests of this crate in one program: what they share is compiled and linked once.

mod battlefields;
mod compile;
mod grid;
mod march;
mod sight;
