//! How a battle comes to be: scenario files, the ground, written positions.

pub mod battle;
pub(crate) mod ground;
pub mod map;
pub mod pieces;
pub(crate) mod position;
pub(crate) mod scenario;
