//! The battle as its scenario musters it: armies, objectives and length (chapter 2).

use game::scenario::Head;
use game::{BySide, Side};
use table::{Spot, TableTop};

use crate::setup::ground::Feature;
use crate::setup::pieces::{Border, Brigade, BrigadeId, CommanderId, Officer, Roster, UnitId};

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

/// A compiled scenario.
#[derive(Debug)]
pub struct Battle {
    pub head: Head,
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

    pub(crate) fn unit_named(&self, slug: &str) -> Option<UnitId> {
        self.units.iter().position(|u| u.slug == slug).map(|i| UnitId(i as u8))
    }

    pub(crate) fn officer_named(&self, slug: &str) -> Option<CommanderId> {
        self.officers.iter().position(|o| o.slug == slug).map(|i| CommanderId(i as u8))
    }

    pub(crate) fn brigade_named(&self, slug: &str) -> Option<BrigadeId> {
        self.brigades.iter().position(|b| b.slug == slug).map(|i| BrigadeId(i as u8))
    }
}
