//! A scenario made ready for play.

pub mod battle;
pub(crate) mod ground;
pub(crate) mod pieces;
pub(crate) mod position;
pub(crate) mod scenario;
