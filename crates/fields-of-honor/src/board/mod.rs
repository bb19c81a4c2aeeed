//! What the board shows and says.

pub(crate) mod dragging;
pub(crate) mod fate;
pub(crate) mod offer;
pub(crate) mod overlay;
pub(crate) mod preview;
pub(crate) mod procedure;
pub(crate) mod prompt;
pub(crate) mod prospect;
pub(crate) mod view;
