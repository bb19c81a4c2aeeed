//! 2.2: the playing pieces. Counters and Formations as printed.

use game::{Rule, Side};
use hexmap::Hex;

use crate::state::UnitSet;

/// The four types of combat unit (2.2.1.a).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arm {
    Infantry,
    Cavalry,
    Artillery,
    HorseArtillery,
}

impl Arm {
    pub const ALL: [Arm; 4] = [Arm::Infantry, Arm::Cavalry, Arm::Artillery, Arm::HorseArtillery];

    /// In files.
    pub fn word(self) -> &'static str {
        match self {
            Arm::Infantry => "infantry",
            Arm::Cavalry => "cavalry",
            Arm::Artillery => "artillery",
            Arm::HorseArtillery => "horse-artillery",
        }
    }

    /// Artillery or horse artillery.
    pub fn has_guns(self) -> bool {
        matches!(self, Arm::Artillery | Arm::HorseArtillery)
    }
}

/// The columns of the Terrain Effects Chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    Infantry,
    Artillery,
    Cavalry,
}

impl Column {
    pub const ALL: [Column; 3] = [Column::Infantry, Column::Artillery, Column::Cavalry];

    pub fn word(self) -> &'static str {
        match self {
            Column::Infantry => "infantry",
            Column::Artillery => "artillery",
            Column::Cavalry => "cavalry",
        }
    }

    /// Horse artillery reads the artillery column.
    pub fn of(arm: Arm) -> Column {
        match arm {
            Arm::Infantry => Column::Infantry,
            Arm::Cavalry => Column::Cavalry,
            Arm::Artillery | Arm::HorseArtillery => Column::Artillery,
        }
    }
}

/// Where a unit begins (2.2.1.d).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetUp {
    /// In a hex.
    At(Hex),
    /// In an Hour, at one of these Areas.
    Due { hour: u8, areas: Vec<u8> },
}

/// A counter as printed (2.2.1.b).
#[derive(Debug, Clone)]
pub struct Unit {
    pub id: String,
    pub name: String,
    pub byname: Option<String>,
    pub side: Side,
    pub arm: Arm,
    pub formation: u8,
    pub strength: u8,
    pub morale: i8,
    pub allowance: u8,
    pub set_up: SetUp,
    /// Begins the battle dismounted, its horses there.
    pub horses: Option<Hex>,
    /// Strength Points lost and demoralised before the battle.
    pub lost: u8,
    pub demoralised: u8,
    /// It may not march before this Hour, unless an enemy is within so many hexes.
    pub held: Option<Held>,
}

/// A unit that must wait.
#[derive(Debug, Clone, Copy)]
pub struct Held {
    /// The first Hour in which it may march, as an index.
    pub until: u8,
    /// An enemy this near sets it free.
    pub unless_within: u8,
    /// The scenario's rule for it, or the rule of the book it rests on.
    pub rule: Rule,
}

/// A Formation and its Movement Turn marker (2.2.2).
#[derive(Debug, Clone)]
pub struct Formation {
    pub id: String,
    pub name: String,
    pub side: Side,
    pub units: UnitSet,
}

/// A side.
#[derive(Debug, Clone)]
pub struct Army {
    pub id: String,
    pub name: String,
    pub livery: String,
    /// Victory Points it begins with.
    pub handicap: i16,
    pub units: UnitSet,
}
