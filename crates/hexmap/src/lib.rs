//! Hexes and hexsides for wargames on flat-topped grids.
//!
//! Everything is a small integer into flat arrays: [`Hex`] and [`Side`] index whatever the game keeps for
//! them. The [`Grid`] knows numbering and neighbourhood, [`HexSet`] is a set without an allocation,
//! [`Sightlines`] walk exactly from centre to centre, [`March`] finds what a unit can reach, [`Zones`]
//! says which hexes a unit controls. The crate knows no game: what a hex costs or hides is the caller's.

#![warn(missing_docs)]

/// Hex maps made from surveys of the ground.
pub mod compile;
mod direction;
mod grid;
mod march;
mod set;
mod sight;
mod zones;

pub use direction::Direction;
pub use grid::{EvenColumns, Grid, GridError, Hex, HexName, Side};
pub use march::{March, Passage};
pub use set::{HexSet, Hexes};
pub use sight::{Crossing, Leg, Legs, Pass, Sightline, Sightlines, Trace};
pub use zones::Zones;
