//! A position of the game, and its parts.

use arrayvec::ArrayVec;
use game::{Agenda, Outcome, Side};
use serde::{Deserialize, Serialize};
use table::{Pose, Side as Edge, Spot};

use crate::rules::charges::Charge;
use crate::rules::formations::Formation;
use crate::rules::melee::Melee;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::pieces::{BrigadeId, BrigadeSet, CommanderId, MAX_COMMANDERS, MAX_UNITS, UnitId, UnitSet};

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
    /// Brigades activated this round.
    pub activated: BrigadeSet,
    /// Broken brigades (11.3).
    pub broken_brigades: BrigadeSet,
    /// Units charged by a group this phase (R41).
    pub charged: UnitSet,
    pub charge: Option<Charge>,
    pub melee: Option<Melee>,
    pub agenda: Agenda<Step, 32>,
    pub outcome: Option<Outcome>,
}

impl State {
    /// The position before the first turn.
    pub(crate) fn muster(battle: &Battle) -> Self {
        let units = battle.units.iter().map(|r| Unit {
            pose: r.pose,
            formation: r.formation,
            hits: r.hits,
            shaken: r.hits >= r.arm.morale().0,
            place: if r.arrival.is_some() { Whereabouts::Reserve } else { Whereabouts::Table },
            order: None,
            road: None,
            flags: Flags::default(),
        });
        let commanders = battle.officers.iter().map(|o| Commander {
            at: o.at,
            attached: None,
            on_table: o.arrives.is_none(),
            moved: false,
            rallied: false,
        });
        let mut agenda = Agenda::new();
        agenda.push(Step::Initiative);
        Self {
            turn: 1,
            phase: Phase::Start,
            active: Side::First,
            first: Side::First,
            units: units.collect(),
            commanders: commanders.collect(),
            contacts: ArrayVec::new(),
            activated: BrigadeSet::default(),
            broken_brigades: BrigadeSet::default(),
            charged: UnitSet::default(),
            charge: None,
            melee: None,
            agenda,
            outcome: None,
        }
    }

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
        self.broken_brigades.has(b)
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
