//! A scenario made ready for play.

pub mod battle;
pub(crate) mod position;
pub(crate) mod scenario;
