//! A battlefield as surveyed: high ground, woods, waters and roads as outlines and lines in whole yards.
//!
//! The origin is the south-west corner of the sheet, x runs east and y north. One file describes the ground
//! once; hex maps are compiled from it, and the board draws the true shapes from the same data.
//!
//! Where areas overlap, the ground at a point is, in this order, open water, town, marsh, orchard, field,
//! woods: a field inside a wood is a clearing. Of two woods the one written later counts.

mod feature;
pub mod geometry;
mod read;

pub use feature::{
    Area, Crossing, Cut, Escarpment, Hand, High, Place, PlaceKind, Point, Road, RoadKind, Steep, Survey,
    Wall, WallKind, Water, WaterKind, Woods, WoodsKind,
};
pub use read::{Fault, read};
