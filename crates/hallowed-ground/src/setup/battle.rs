//! Chapter 2: the armies as the scenario musters them, and a position of the game.

use std::fmt;

use arrayvec::ArrayVec;
use game::{Agenda, BySide, Outcome, Rule, Side};
use serde::{Deserialize, Serialize};
use table::{Area, Disc, Line, Pose, Rect, Road, Side as Edge, Spot, TableTop};

use crate::notation::decimal;
use crate::rules::charges::Charge;
use crate::rules::formations::{ARMY_DISC, Arm, BRIGADE_DISC, Formation, Stat, footprint, stat};
use crate::rules::melee::Melee;
use crate::rules::sequence::Step;

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

/// Why something is not allowed: the rule and one sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct No {
    pub rule: Rule,
    pub why: &'static str,
    /// The length that was asked for and the longest that is allowed, in thousandths of an inch.
    pub lengths: Option<(i32, i32)>,
}

impl No {
    pub(crate) const fn new(rule: Rule, why: &'static str) -> Self {
        Self { rule, why, lengths: None }
    }
}

impl fmt::Display for No {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why)?;
        match self.lengths {
            Some((asked, most)) => {
                write!(f, " ({} in asked for, {} in allowed)", decimal(asked), decimal(most))
            }
            None => Ok(()),
        }
    }
}

/// It fits the rules, or not.
pub(crate) type Fits<T = ()> = Result<T, No>;

pub(crate) const fn no<T>(rule: Rule, why: &'static str) -> Fits<T> {
    Err(No::new(rule, why))
}

/// Too long, by so much.
pub(crate) const fn too_long<T>(rule: Rule, why: &'static str, asked: i32, most: i32) -> Fits<T> {
    Err(No { rule, why, lengths: Some((asked, most)) })
}

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

#[derive(Debug, Clone)]
pub struct Objective {
    pub name: String,
    pub at: Spot,
    pub points: BySide<i32>,
    pub held_at_start: Option<Side>,
}

/// A side of the battle.
#[derive(Debug, Clone)]
pub struct Army {
    pub id: String,
    pub name: String,
    pub livery: String,
    /// Its infantry has the Rebel Yell.
    pub confederate: bool,
    pub own_edge: Border,
    pub points_at_start: i32,
}

/// Who goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Initiative {
    Given(Side),
    /// A D6 each, the higher chooses (4.2.a).
    Rolled,
}

/// One of the rows of the terrain table.
#[allow(clippy::enum_variant_names, reason = "the table's own words")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    LightWoods,
    DenseWoods,
    Stream,
    River,
    Obstacle,
    TallObstacle,
    LowField,
    CornField,
    Building,
    GentleHill,
    SteepHill,
    RockyGround,
    HedgeRow,
    Road,
}

/// How a kind of ground takes its place on the table.
#[derive(Debug, Clone)]
pub enum Shape {
    /// A polygon, or a line with a width.
    Area(Area),
    /// A line without width.
    Line(Line),
    /// A centreline that columns follow.
    Road(Road),
}

/// A piece of terrain.
#[derive(Debug, Clone)]
pub struct Feature {
    pub name: String,
    pub ground: Ground,
    pub shape: Shape,
    /// How wide it was laid as a line, in thousandths of an inch; none for an outline.
    pub width: Option<i64>,
    /// The open top of a hill.
    pub plateau: Option<Area>,
    /// An obstacle made for defence (G19).
    pub works: bool,
    pub points: Vec<Spot>,
}

/// A compiled scenario.
#[derive(Debug)]
pub struct Battle {
    pub title: String,
    pub subtitle: String,
    pub blurb: String,
    pub top: TableTop,
    pub armies: BySide<Army>,
    pub brigades: Vec<Brigade>,
    pub units: Vec<Roster>,
    pub officers: Vec<Officer>,
    pub terrain: Vec<Feature>,
    /// The numbers of those that are open, difficult, impassable.
    pub(crate) by_going: [Vec<u16>; 3],
    pub objectives: Vec<Objective>,
    pub turns: u8,
    pub initiative: Initiative,
    /// Points for the side that goes second.
    pub second_bonus: i32,
    /// Sight in thousandths of an inch from a turn on (dusk), if the house rule is on.
    pub dusk: Vec<(u8, i64)>,
    pub options: Vec<(String, bool)>,
}

impl Battle {
    pub fn unit(&self, u: UnitId) -> &Roster {
        &self.units[u.i()]
    }

    pub fn officer(&self, c: CommanderId) -> &Officer {
        &self.officers[c.i()]
    }

    pub fn brigade(&self, b: BrigadeId) -> &Brigade {
        &self.brigades[b.i()]
    }

    pub fn army_commander(&self, side: Side) -> Option<CommanderId> {
        self.officers.iter().position(|o| o.side == side && o.brigade.is_none()).map(|i| CommanderId(i as u8))
    }

    pub fn brigades_of(&self, side: Side) -> impl Iterator<Item = BrigadeId> + '_ {
        (0..self.brigades.len()).map(|i| BrigadeId(i as u8)).filter(move |b| self.brigade(*b).side == side)
    }

    pub fn all_units(&self) -> impl Iterator<Item = UnitId> + use<> {
        (0..self.units.len() as u8).map(UnitId)
    }

    pub fn all_officers(&self) -> impl Iterator<Item = CommanderId> + use<> {
        (0..self.officers.len() as u8).map(CommanderId)
    }

    /// How far one can see this turn, if the house rule of dusk limits it.
    pub fn sight_limit(&self, turn: u8) -> Option<i64> {
        self.dusk.iter().rev().find(|(from, _)| turn >= *from).map(|(_, limit)| *limit)
    }
}

/// Where a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Whereabouts {
    /// Yet to arrive.
    Reserve,
    Table,
    Broken,
    /// Left the table Steady, of its own will.
    Left,
}

/// The six order markers (4.1.a).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Marker {
    Hold,
    Advance,
    March,
    Charge,
    Rally,
    Reform,
}

impl Marker {
    pub const WORDS: [&str; 6] = ["hold", "advance", "march", "charge", "rally", "reform"];
    pub const ALL: [Marker; 6] =
        [Marker::Hold, Marker::Advance, Marker::March, Marker::Charge, Marker::Rally, Marker::Reform];

    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }
}

/// What is to be remembered of a unit, one bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Flags(pub u16);

impl Flags {
    /// Moved, turned or changed formation this turn (R14).
    pub const MOVED: u16 = 1;
    /// Shot in a Shooting phase this turn (8.7.a).
    pub const SMOKE: u16 = 1 << 1;
    /// Has had its order this round.
    pub const ORDERED: u16 = 1 << 2;
    /// May not shoot this round.
    pub const SILENT: u16 = 1 << 3;
    /// Took unsaved hits this Shooting phase and has yet to test (8.6.d).
    pub const SHAKY: u16 = 1 << 4;
    /// Charged or countercharged into the round to come (9.2.d).
    pub const IMPETUS: u16 = 1 << 5;
    /// That charge went through difficult terrain (9.2.f).
    pub const DIFFICULT: u16 = 1 << 6;
    /// Won the last round of its melee.
    pub const WON: u16 = 1 << 7;
    /// Has broken through this turn (9.5.a).
    pub const BROKE_THROUGH: u16 = 1 << 8;
    /// Has fought in this Melee phase.
    pub const FOUGHT: u16 = 1 << 9;
    /// Must retire from its melee, a test having said so: parting hits fall (9.4.a).
    pub const TESTED_OUT: u16 = 1 << 10;
    /// Must retire.
    pub const RETIRING: u16 = 1 << 11;
    /// Has yet to test morale for the round just fought.
    pub const LOSER: u16 = 1 << 12;
    pub const WORDS: [(&str, u16); 7] = [
        ("moved", Self::MOVED),
        ("smoke", Self::SMOKE),
        ("ordered", Self::ORDERED),
        ("silent", Self::SILENT),
        ("charging", Self::IMPETUS),
        ("difficult", Self::DIFFICULT),
        ("won", Self::WON),
    ];

    pub const fn has(self, bit: u16) -> bool {
        self.0 & bit != 0
    }

    pub const fn set(&mut self, bit: u16) {
        self.0 |= bit;
    }

    pub const fn clear(&mut self, bit: u16) {
        self.0 &= !bit;
    }
}

/// A unit in play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Unit {
    pub pose: Pose,
    pub formation: Formation,
    pub hits: u8,
    pub shaken: bool,
    pub place: Whereabouts,
    pub order: Option<Marker>,
    /// The road that its last move followed, while it has not moved or turned since (R24).
    pub road: Option<u16>,
    pub flags: Flags,
}

/// A commander in play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Commander {
    pub at: Spot,
    pub attached: Option<UnitId>,
    pub on_table: bool,
    /// Attached or rode this phase: no more moves.
    pub moved: bool,
    /// Has issued his Rally this turn (5.4.j).
    pub rallied: bool,
}

/// Two opposing units in contact, with the side of each on which the other stands (R31).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Contact {
    pub a: UnitId,
    pub b: UnitId,
    pub side_of_a: Edge,
    pub side_of_b: Edge,
    /// B, who was come upon, defends an obstacle against A (R72).
    pub defended: bool,
}

/// The phases of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    Start,
    Command,
    Shooting,
    Melee,
    End,
}

/// A position of the game.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    pub turn: u8,
    pub phase: Phase,
    /// Whose round it is.
    pub active: Side,
    /// Who goes first in every turn.
    pub first: Side,
    pub units: ArrayVec<Unit, MAX_UNITS>,
    pub commanders: ArrayVec<Commander, MAX_COMMANDERS>,
    pub contacts: ArrayVec<Contact, MAX_UNITS>,
    /// Brigades activated this round, one bit each.
    pub activated: u16,
    /// Broken brigades, one bit each (11.3).
    pub broken_brigades: u16,
    /// Units charged by a group this phase, one bit each (R41).
    pub charged: u64,
    pub charge: Option<Charge>,
    pub melee: Option<Melee>,
    pub agenda: Agenda<Step, 32>,
    pub outcome: Option<Outcome>,
}

impl State {
    pub fn unit(&self, u: UnitId) -> &Unit {
        &self.units[u.i()]
    }

    pub fn unit_mut(&mut self, u: UnitId) -> &mut Unit {
        &mut self.units[u.i()]
    }

    pub fn on_table(&self, u: UnitId) -> bool {
        self.unit(u).place == Whereabouts::Table
    }

    pub fn steady(&self, u: UnitId) -> bool {
        self.on_table(u) && !self.unit(u).shaken
    }

    /// In stored contact with an enemy (R42).
    pub fn engaged(&self, u: UnitId) -> bool {
        self.contacts.iter().any(|c| c.a == u || c.b == u)
    }

    /// The enemies in contact, each with the side of `u` on which it stands and the side of its own that `u` fights.
    pub fn foes(&self, u: UnitId) -> impl Iterator<Item = (UnitId, Edge, Edge)> + '_ {
        self.contacts.iter().filter_map(move |c| {
            if c.a == u {
                Some((c.b, c.side_of_a, c.side_of_b))
            } else if c.b == u {
                Some((c.a, c.side_of_b, c.side_of_a))
            } else {
                None
            }
        })
    }

    pub fn brigade_broken(&self, b: BrigadeId) -> bool {
        self.broken_brigades & (1 << b.0) != 0
    }

    /// Commanders attached to a unit.
    pub fn attached(&self, u: UnitId) -> impl Iterator<Item = CommanderId> + '_ {
        (0..self.commanders.len() as u8)
            .map(CommanderId)
            .filter(move |c| self.commanders[c.i()].attached == Some(u))
    }

    pub fn has_commander(&self, u: UnitId) -> bool {
        self.attached(u).next().is_some()
    }
}

/// A unit's statistics in its present formation.
pub(crate) fn stat_of(battle: &Battle, state: &State, u: UnitId) -> Stat {
    stat(battle.unit(u).arm, state.unit(u).formation)
}

pub fn rect_of(battle: &Battle, state: &State, u: UnitId) -> Rect {
    let unit = state.unit(u);
    Rect::new(unit.pose, footprint(battle.unit(u).arm, unit.formation))
}

pub(crate) fn disc_of(battle: &Battle, state: &State, c: CommanderId) -> Disc {
    Disc { centre: state.commanders[c.i()].at.pt(), radius: battle.officer(c).radius() }
}

/// Mounted cavalry, in line or column.
pub(crate) fn mounted(battle: &Battle, state: &State, u: UnitId) -> bool {
    battle.unit(u).arm == Arm::Cavalry && state.unit(u).formation != Formation::DismountedLine
}
