//! What the board shows.

pub(crate) mod fate;
pub(crate) mod offer;
pub(crate) mod view;
