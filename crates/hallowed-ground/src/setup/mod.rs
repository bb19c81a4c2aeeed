//! What is there before the first turn: the battle, and how scenarios and positions are read.

pub(crate) mod battle;
pub(crate) mod ground;
pub(crate) mod pieces;
pub(crate) mod position;
pub(crate) mod scenario;
