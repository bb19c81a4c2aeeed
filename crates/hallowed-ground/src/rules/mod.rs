//! The rules, a file or folder for each chapter of the book.

pub(crate) mod charges;
pub(crate) mod charts;
pub(crate) mod command;
pub(crate) mod commanders;
pub(crate) mod end;
pub(crate) mod formations;
pub(crate) mod melee;
pub(crate) mod morale;
pub(crate) mod reinforcements;
pub(crate) mod rolls;
pub(crate) mod sequence;
pub(crate) mod shooting;
pub(crate) mod terrain;
