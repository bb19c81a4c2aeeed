//! The rulebook, one file for each chapter or long section.

pub(crate) mod advance;
pub(crate) mod army_morale;
pub(crate) mod artillery_fire;
pub(crate) mod charts;
pub(crate) mod close_combat;
pub(crate) mod designation;
pub(crate) mod how_to_win;
pub(crate) mod initiative;
pub(crate) mod intelligence;
pub(crate) mod leaders;
pub(crate) mod momentum;
pub(crate) mod movement;
pub(crate) mod pins;
pub(crate) mod rally;
pub(crate) mod results;
pub(crate) mod retreat;
pub(crate) mod rifle_fire;
pub(crate) mod sequence;
pub(crate) mod stacking;
pub(crate) mod tactics;
pub(crate) mod volume;
pub(crate) mod zones;
