//! What the board shows.

pub(crate) mod charts;
pub(crate) mod fate;
mod ladder;
pub(crate) mod offer;
pub(crate) mod overlay;
pub(crate) mod prompt;
pub(crate) mod view;
