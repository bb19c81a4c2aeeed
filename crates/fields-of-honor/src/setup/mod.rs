//! A scenario made ready for play.

pub mod battle;
pub mod ground;
pub mod pieces;
pub(crate) mod position;
pub(crate) mod scenario;
