//! The rules, one file for each chapter of the book.

pub(crate) mod basics;
pub(crate) mod charge;
pub(crate) mod charts;
pub(crate) mod command;
pub(crate) mod concealment;
pub(crate) mod contact;
pub(crate) mod fire;
pub(crate) mod footprints;
pub(crate) mod forts;
pub(crate) mod initiative;
pub(crate) mod leaders;
pub(crate) mod melee;
pub(crate) mod morale;
pub(crate) mod movement;
pub(crate) mod opportunity;
pub(crate) mod orders;
pub(crate) mod reaction;
pub(crate) mod rolls;
pub(crate) mod rout;
pub mod sequence;
pub(crate) mod sighting;
pub(crate) mod skirmishers;
pub(crate) mod terrain;
pub(crate) mod victory;
