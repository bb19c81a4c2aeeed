//! What a player sees and reads.

pub(crate) mod fate;
pub(crate) mod offer;
pub(crate) mod view;
