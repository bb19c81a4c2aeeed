//! What the board shows: pieces, prompts, offers, overlays and odds in words.

pub(crate) mod combat;
pub(crate) mod dragging;
pub(crate) mod fate;
pub(crate) mod offer;
pub(crate) mod overlay;
pub(crate) mod preview;
pub(crate) mod prompt;
pub(crate) mod prospect;
pub(crate) mod view;
