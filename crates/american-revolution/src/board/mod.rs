//! What the board shows.

pub(crate) mod charts;
pub(crate) mod fate;
mod ladder;
mod march;
pub(crate) mod offer;
pub(crate) mod overlay;
pub(crate) mod prompt;
pub(crate) mod view;
