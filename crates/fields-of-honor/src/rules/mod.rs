//! The rules, one file for each chapter of the book.

pub mod basics;
pub mod charge;
pub mod charts;
pub mod command;
pub mod concealment;
pub mod contact;
pub mod fire;
pub mod footprints;
pub mod forts;
pub mod initiative;
pub mod leaders;
pub mod melee;
pub mod morale;
pub mod movement;
pub mod opportunity;
pub mod orders;
pub mod reaction;
pub mod rolls;
pub mod rout;
pub mod sequence;
pub mod sighting;
pub mod skirmishers;
pub mod terrain;
pub mod victory;
