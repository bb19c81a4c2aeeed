//! A unit in a position.

use hexmap::Hex;
use serde::{Deserialize, Serialize};

use crate::state::NOWHERE;

/// Where a unit is in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Status {
    /// Still to come; `was` holds nothing.
    #[default]
    Due,
    /// Left by a way that leads back; due again in the Hour of index `hits` at the Area of index `extra`.
    Away,
    OnMap,
    Shattered,
    /// Rallied, but not yet placed (10.5.3.c).
    Rallied,
    Eliminated,
    Exited,
}

/// Cavalry in the saddle or out of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Mount {
    /// Mounted, or never had horses.
    #[default]
    Mounted,
    Dismounted,
    /// Dismounted for good (11.3.r).
    HorsesLost,
}

/// A unit in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Piece {
    pub hex: Hex,
    /// Where it stood when this Round's fire fell.
    pub was: Hex,
    /// Its horse marker.
    pub horses: Hex,
    /// Intact and Demoralized SPs, without horse holders (3.4.b).
    pub strength: u8,
    pub demoralised: u8,
    pub holders: u8,
    /// Hits still to be checked.
    pub hits: u8,
    pub status: Status,
    pub mount: Mount,
    /// Directions in which enemies stand who have approach fire at it.
    pub approach: u8,
    /// Directions from `was` from which this Round's fire came.
    pub shot_from: u8,
    /// Directions from `was` into which it fires in this Round.
    pub shot_into: u8,
    /// Which of the directions it divides its fire over get an odd SP.
    pub extra: u8,
}

impl Piece {
    pub const NONE: Piece = Piece {
        hex: NOWHERE,
        was: NOWHERE,
        horses: NOWHERE,
        strength: 0,
        demoralised: 0,
        holders: 0,
        hits: 0,
        status: Status::Due,
        mount: Mount::Mounted,
        approach: 0,
        shot_from: 0,
        shot_into: 0,
        extra: 0,
    };

    /// 3.4.b: SPs that are neither Demoralized nor Lost.
    #[inline]
    pub fn intact(&self) -> u8 {
        self.strength - self.demoralised
    }

    #[inline]
    pub fn on_map(&self) -> bool {
        self.status == Status::OnMap
    }
}
