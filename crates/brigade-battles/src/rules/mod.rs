//! The chapters of the book, one file each.

pub(crate) mod advance;
pub mod charts;
pub(crate) mod combat;
pub(crate) mod command;
pub(crate) mod concepts;
pub(crate) mod leaders;
pub(crate) mod march;
pub(crate) mod movement;
pub(crate) mod night;
pub(crate) mod organization;
pub(crate) mod rally;
pub(crate) mod reinforcements;
pub(crate) mod results;
pub(crate) mod retreat;
pub(crate) mod sequence;
pub(crate) mod sight;
pub(crate) mod tide;
pub(crate) mod victory;
