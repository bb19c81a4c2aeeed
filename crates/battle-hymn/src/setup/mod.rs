//! From files to a battle: what lies on the table before the first Hour.

pub(crate) mod battle;
pub(crate) mod ground;
mod map;
pub(crate) mod pieces;
pub(crate) mod position;
pub(crate) mod scenario;
