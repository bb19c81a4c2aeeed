//! The pieces: units, commanders and brigades as the order of battle lists them (2.1 to 2.5).

use std::fmt;

use arrayvec::ArrayVec;
use game::{PieceId, Place, Side};
use serde::{Deserialize, Serialize};
use table::{Pose, Spot};

use crate::rules::charts::{ARMY_DISC, BRIGADE_DISC};
use crate::rules::formations::{Arm, Formation};
use crate::setup::battle::Battle;

pub(crate) const MAX_UNITS: usize = 48;
pub(crate) const MAX_COMMANDERS: usize = 16;
pub(crate) const MAX_BRIGADES: usize = 12;

/// An index into the order of battle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitId(pub u8);

/// An index into the commanders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CommanderId(pub u8);

/// An index into the brigades.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BrigadeId(pub u8);

impl UnitId {
    pub const fn i(self) -> usize {
        self.0 as usize
    }
}

impl CommanderId {
    pub const fn i(self) -> usize {
        self.0 as usize
    }
}

impl BrigadeId {
    pub const fn i(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unit {}", self.0)
    }
}

impl fmt::Debug for CommanderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "commander {}", self.0)
    }
}

impl fmt::Debug for BrigadeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "brigade {}", self.0)
    }
}

/// Units in the order somebody named them.
pub(crate) type Units = ArrayVec<UnitId, 8>;

/// Special rules of chapter 13, one bit each; Rebel Yell goes with the side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Specials(pub u8);

impl Specials {
    pub const WORDS: [&str; 5] = ["sharpshooters", "elite", "independent", "green", "stubborn"];
    pub const SHARPSHOOTERS: u8 = 1;
    pub const ELITE: u8 = 2;
    pub const INDEPENDENT: u8 = 4;
    pub const GREEN: u8 = 8;
    pub const STUBBORN: u8 = 16;

    pub const fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    pub fn words(self) -> impl Iterator<Item = &'static str> {
        Self::WORDS.into_iter().enumerate().filter(move |(i, _)| self.0 & (1 << i) != 0).map(|(_, w)| w)
    }
}

/// An edge of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Border {
    South,
    North,
    West,
    East,
}

impl Border {
    pub const WORDS: [&str; 4] = ["south", "north", "west", "east"];
    pub const ALL: [Border; 4] = [Border::South, Border::North, Border::West, Border::East];
}

/// When and where reinforcements come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    pub turn: u8,
    pub border: Border,
    /// The stretch of the edge, in thousandths of an inch.
    pub from: i32,
    pub to: i32,
}

/// A unit of the order of battle.
#[derive(Debug, Clone)]
pub struct Roster {
    pub slug: String,
    pub name: String,
    pub side: Side,
    pub brigade: BrigadeId,
    pub arm: Arm,
    pub specials: Specials,
    pub pose: Pose,
    pub formation: Formation,
    pub hits: u8,
    pub arrival: Option<Arrival>,
    pub men: String,
}

/// A commander of the order of battle.
#[derive(Debug, Clone)]
pub struct Officer {
    pub slug: String,
    pub name: String,
    pub side: Side,
    /// None for the army commander.
    pub brigade: Option<BrigadeId>,
    pub at: Spot,
    /// The turn he arrives, if not at the start.
    pub arrives: Option<u8>,
    /// A scenario may nail him down.
    pub fixed: bool,
}

impl Officer {
    pub const fn radius(&self) -> i64 {
        if self.brigade.is_some() { BRIGADE_DISC } else { ARMY_DISC }
    }
}

#[derive(Debug, Clone)]
pub struct Brigade {
    pub name: String,
    pub slug: String,
    pub side: Side,
    pub commander: CommanderId,
    /// Infantry and cavalry at the start, arrived or not (11.3.a).
    pub troops: u8,
}

/// Some of the units of a battle, one bit each; they come in the order of battle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitSet(u64);

impl UnitSet {
    pub const fn insert(&mut self, u: UnitId) {
        self.0 |= 1 << u.0;
    }

    pub const fn remove(&mut self, u: UnitId) {
        self.0 &= !(1 << u.0);
    }

    pub const fn iter(self) -> Self {
        self
    }

    pub const fn has(self, u: UnitId) -> bool {
        self.0 & (1 << u.0) != 0
    }

    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn without(self, u: UnitId) -> Self {
        Self(self.0 & !(1 << u.0))
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Iterator for UnitSet {
    type Item = UnitId;

    fn next(&mut self) -> Option<UnitId> {
        if self.0 == 0 {
            return None;
        }
        let u = UnitId(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(u)
    }
}

/// Some of the brigades of a battle, one bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BrigadeSet(u16);

impl BrigadeSet {
    pub const fn insert(&mut self, b: BrigadeId) {
        self.0 |= 1 << b.0;
    }

    pub const fn has(self, b: BrigadeId) -> bool {
        self.0 & (1 << b.0) != 0
    }
}

/// A pose as the board and the log place it.
pub(crate) fn place_of(pose: Pose) -> Place {
    Place::Pose { x: pose.at.x, y: pose.at.y, facing: pose.facing.get() }
}

/// Where a commander stands, who faces nowhere.
pub(crate) fn spot_place(spot: Spot) -> Place {
    Place::Pose { x: spot.x, y: spot.y, facing: 0 }
}

/// The piece of a unit on the board.
pub(crate) fn piece(u: UnitId) -> PieceId {
    PieceId(u16::from(u.0))
}

impl Battle {
    /// The piece of a commander: they come after the units.
    pub(crate) fn commander_piece(&self, c: CommanderId) -> PieceId {
        PieceId((self.units.len() + c.i()) as u16)
    }
}
