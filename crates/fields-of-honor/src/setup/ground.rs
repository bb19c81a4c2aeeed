//! The ground as the rules see it: areas, walls, woods and cover.

use table::{Area, Line};

/// A side of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableEdge {
    North,
    East,
    South,
    West,
}

impl TableEdge {
    pub const NAMES: [&'static str; 4] = ["north", "east", "south", "west"];
    pub const ALL: [TableEdge; 4] = [TableEdge::North, TableEdge::East, TableEdge::South, TableEdge::West];
}

/// Cover against fire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cover {
    None,
    Light,
    Heavy,
}

impl Cover {
    pub const NAMES: [&'static str; 3] = ["none", "light", "heavy"];
    pub const ALL: [Cover; 3] = [Cover::None, Cover::Light, Cover::Heavy];
}

/// Kinds of woods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Woods {
    Light,
    Medium,
    Heavy,
}

/// An area of the table.
#[derive(Debug)]
pub struct Ground {
    pub name: String,
    pub kind: String,
    pub area: Area,
    pub level: i8,
    pub cover: Cover,
    /// Twice the movement multiplier.
    pub cost: i64,
    pub suppress: bool,
    pub woods: Option<Woods>,
    pub hill: bool,
    pub road: bool,
    /// Blocks sight at its level.
    pub building: bool,
    /// Closed to guns, and to formed cavalry.
    pub closed_to_guns: bool,
    pub closed_to_cavalry: bool,
    /// Unknown to the attacker until he is as near as this.
    pub unseen: Option<i64>,
    /// Anything but clear, for squares and broken terrain.
    pub rough: bool,
}

impl Ground {
    /// Whether marching over it differs from marching in the open: roads only for those who may use them.
    pub fn changes_pace(&self, road: bool) -> bool {
        if self.road { road } else { self.cost != 2 }
    }
}

/// A wall, fence or work.
#[derive(Debug)]
pub struct Linear {
    pub name: String,
    pub line: Line,
    pub cover: Cover,
    /// A fortification: only entered by assault, gate or breach.
    pub fort: bool,
    /// Its defenders stand above the ground outside.
    pub raised: bool,
    /// Taller than a man.
    pub high: bool,
    /// Stone, to be shot down by cannon.
    pub stone: bool,
    /// Gates: how far along, in working units.
    pub gates: Vec<i64>,
    /// Ladders on the inner side; else stairs.
    pub ladders: bool,
    pub from_turn: u8,
    pub until_turn: u8,
}

impl Linear {
    /// Stands in this turn.
    pub fn stands(&self, turn: u8) -> bool {
        self.from_turn <= turn && turn <= self.until_turn
    }
}
