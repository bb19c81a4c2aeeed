//! From files to a battle ready to be played.

pub(crate) mod battle;
pub(crate) mod ground;
pub(crate) mod map;
pub(crate) mod pieces;
pub(crate) mod position;
pub(crate) mod scenario;
