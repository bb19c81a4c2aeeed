//! Chapter 2: what lies on the table. Counters, Formations, markers, and the charts.

use game::{BySide, Rule, Side};
use hexmap::Hex;

use crate::rules::victory::Victory;
use crate::setup::ground::Ground;
use crate::state::{Id, UnitSet};

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
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Arm::Infantry => "infantry",
            Arm::Cavalry => "cavalry",
            Arm::Artillery => "artillery",
            Arm::HorseArtillery => "horse-artillery",
        }
    }

    /// Artillery or horse artillery.
    #[must_use]
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

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Column::Infantry => "infantry",
            Column::Artillery => "artillery",
            Column::Cavalry => "cavalry",
        }
    }

    /// Horse artillery reads the artillery column.
    #[must_use]
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

/// A space of the Time Record Track.
#[derive(Debug, Clone, Copy)]
pub struct Hour {
    /// Counted from midnight of the first day.
    pub clock: u8,
    pub night: bool,
    pub initiative: Option<Side>,
    /// Victory is judged when the marker enters it.
    pub check: bool,
}

/// An Entry Area (12.2).
#[derive(Debug, Clone)]
pub struct Area {
    pub letter: String,
    pub hexes: Vec<Hex>,
}

/// Where a side's units may leave the map (5.5.a).
#[derive(Debug, Clone)]
pub struct Way {
    pub side: Side,
    pub hex: Hex,
    /// The first Hour in which it is open, as an index.
    pub from: u8,
    /// Those who left come back so many Hours later, at that Area.
    pub back: Option<(u8, u8)>,
    /// The scenario's rule for it, or the rule of the book it rests on.
    pub rule: Rule,
}

/// Which side holds the Initiative while its units are in play, instead of what the track says.
#[derive(Debug, Clone)]
pub struct Condition {
    pub hours: Vec<u8>,
    pub side: Side,
    /// All of these must be on the map.
    pub units: UnitSet,
    /// The scenario's rule for it, or the rule of the book it rests on.
    pub rule: Rule,
}

/// A marker that may stay out of the cup: a leader falls.
#[derive(Debug, Clone)]
pub struct Mishap {
    pub name: String,
    pub formation: u8,
    pub hours: Vec<u8>,
    /// A die of this or less.
    pub at_most: u8,
    /// The scenario's rule for it, or the rule of the book it rests on.
    pub rule: Rule,
}

/// Tired or out of ammunition from an Hour on.
#[derive(Debug, Clone)]
pub struct Fatigue {
    pub units: UnitSet,
    pub from: u8,
    /// Added to the Morale Rating.
    pub morale: i8,
    /// Those units no longer bombard.
    pub silent: bool,
    /// It does not apply while its side controls this Objective.
    pub unless_holding: Option<Hex>,
    /// The scenario's rule for it, or the rule of the book it rests on.
    pub rule: Rule,
}

/// House rules of a scenario.
#[derive(Debug, Clone, Copy, Default)]
pub struct House {
    /// 3.1: the option At Random.
    pub at_random: bool,
}

/// A compiled scenario. Nothing in it changes.
#[derive(Debug)]
pub struct Battle {
    pub title: String,
    pub subtitle: String,
    pub blurb: String,
    pub ground: Ground,
    pub charts: Charts,
    pub units: Vec<Unit>,
    pub formations: Vec<Formation>,
    pub armies: BySide<Army>,
    pub hours: Vec<Hour>,
    pub areas: Vec<Area>,
    pub ways_out: Vec<Way>,
    pub victory: Victory,
    pub conditions: Vec<Condition>,
    pub mishaps: Vec<Mishap>,
    pub fatigues: Vec<Fatigue>,
    pub house: House,
}

impl Battle {
    #[inline]
    #[must_use]
    pub fn unit(&self, id: Id) -> &Unit {
        &self.units[id.index()]
    }

    #[inline]
    #[must_use]
    pub fn side(&self, id: Id) -> Side {
        if self.armies.first.units.contains(id) { Side::First } else { Side::Second }
    }

    /// Every unit, in file order.
    pub fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        (0..self.units.len() as u8).map(Id)
    }

    #[must_use]
    pub fn find(&self, id: &str) -> Option<Id> {
        self.units.iter().position(|u| u.id == id).map(|i| Id(i as u8))
    }

    #[must_use]
    pub fn name(&self, id: Id) -> &str {
        &self.unit(id).name
    }
}

/// A row of the Terrain Effects Chart for hexes.
#[derive(Debug, Clone)]
pub struct HexRow {
    pub name: String,
    /// By column; none: closed.
    pub cost: [Option<u8>; 3],
    pub to_hit: i8,
    pub firing_out: i8,
    pub blocks_sight: bool,
    pub ours: String,
}

/// Where a zone of control stops at a hexside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZoneStop {
    Nowhere,
    Both,
    Up,
    In,
}

/// A row of the Terrain Effects Chart for hexsides.
#[derive(Debug, Clone)]
pub struct SideRow {
    /// Added to the hex's cost by column; none: closed.
    pub cost: [Option<u8>; 3],
    /// Paid instead of everything else.
    pub instead: Option<u8>,
    pub to_hit: i8,
    pub zone: ZoneStop,
    pub ours: String,
}

/// The Special Combat Situations Chart.
#[derive(Debug, Clone)]
pub struct Situations {
    pub firer_surrounded: i8,
    pub target_surrounded: i8,
    pub approach_fire: i8,
    pub from_high_to_low: i8,
    pub infantry_on_guns: i8,
    pub artillery_on_cavalry: i8,
    pub infantry_on_cavalry: i8,
    pub cavalry_on_infantry: i8,
    pub cavalry_on_guns: i8,
    pub ours: String,
}

/// Victory Points a Strength Point: infantry, then all others.
#[derive(Debug, Clone)]
pub struct Points {
    pub lost: [u8; 2],
    pub shattered: [u8; 2],
    pub demoralised: [u8; 2],
}

/// The charts, as a scenario's file and `charts.toml` have them.
#[derive(Debug, Clone)]
pub struct Charts {
    pub hexes: Vec<HexRow>,
    /// By [`crate::setup::ground::Feature`].
    pub sides: Vec<SideRow>,
    pub situations: Situations,
    /// Artillery at range 1 to 4.
    pub range: [i8; 4],
    /// By Morale Rating from -3 to +3.
    pub rally: [u8; 7],
    /// By [`Arm`].
    pub allowance: [u8; 4],
    pub points: Points,
}
