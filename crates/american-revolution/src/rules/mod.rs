//! The rulebook, one file for each chapter or long section.

pub mod advance;
pub mod army_morale;
pub mod artillery_fire;
pub mod charts;
pub mod close_combat;
pub mod designation;
pub mod how_to_win;
pub(crate) mod initiative;
pub(crate) mod intelligence;
pub mod leaders;
pub(crate) mod momentum;
pub mod movement;
pub mod pins;
pub mod rally;
pub mod results;
pub mod retreat;
pub mod rifle_fire;
pub mod sequence;
pub mod stacking;
pub mod tactics;
pub mod volume;
pub mod zones;
