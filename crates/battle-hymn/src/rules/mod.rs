//! The rulebook, chapter by chapter.

pub(crate) mod advance;
pub(crate) mod approach;
pub(crate) mod basics;
pub(crate) mod bombardment;
pub(crate) mod cavalry;
pub(crate) mod charts;
pub(crate) mod combat;
pub(crate) mod engagement;
pub(crate) mod fire;
pub(crate) mod morale;
pub(crate) mod movement;
pub(crate) mod night;
pub(crate) mod reach;
pub(crate) mod reinforcements;
pub(crate) mod restrictions;
pub(crate) mod retreat;
pub(crate) mod sequence;
pub(crate) mod sight;
pub(crate) mod victory;
pub(crate) mod zones;
