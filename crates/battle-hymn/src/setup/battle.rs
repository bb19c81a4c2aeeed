//! Chapter 2: a battle as compiled from its scenario, and its start.

use game::log::Kind;
use game::scenario::Head;
use game::words::does;
use game::{BySide, Entry, Place, Rule, Side};
use hexmap::Hex;

use crate::rules::charts::Charts;
use crate::rules::victory::Victory;
use crate::setup::ground::Ground;
use crate::setup::pieces::{Army, Formation, SetUp, Unit};
use crate::state::{Id, State, Step, UnitSet};

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
    pub head: Head,
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
    pub fn unit(&self, id: Id) -> &Unit {
        &self.units[id.index()]
    }

    #[inline]
    pub fn side(&self, id: Id) -> Side {
        if self.armies.first.units.contains(id) { Side::First } else { Side::Second }
    }

    /// Every unit, in file order.
    pub fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        (0..self.units.len() as u8).map(Id)
    }

    pub fn find(&self, id: &str) -> Option<Id> {
        self.units.iter().position(|u| u.id == id).map(|i| Id(i as u8))
    }

    pub fn name(&self, id: Id) -> &str {
        &self.unit(id).name
    }

    /// The hour of the day.
    pub(crate) fn clock(&self, hour: u8) -> u8 {
        self.hours.get(usize::from(hour)).map_or(0, |h| h.clock % 24)
    }

    /// `marches` with the unit's name before it, in its number.
    pub(crate) fn does(&self, unit: Id, verb: &str) -> String {
        does(self.name(unit), verb)
    }

    /// An entry of the log about a unit.
    pub(crate) fn entry(&self, kind: Kind, unit: Id, text: String, rule: Rule) -> Entry {
        Entry::new(kind, text).side(self.side(unit)).rule(rule).piece(unit.piece())
    }

    /// A hex as the board and the log name it.
    pub fn place(&self, hex: Hex) -> Place {
        Place::Hex(self.ground.name(hex))
    }
}

impl Battle {
    /// The position at the start.
    pub(crate) fn muster(&self) -> State {
        let mut state = State::empty(self.units.len());
        for id in self.ids() {
            self.set_up(&mut state, id);
        }
        for (i, objective) in self.victory.objectives.iter().enumerate() {
            let holder = state.at(objective.hex).map(|id| self.side(id));
            state.control[i] = holder.or(objective.control);
        }
        state.agenda.push(Step::Hour);
        state
    }

    /// 2.2.1.d: a unit where its counter says it begins.
    fn set_up(&self, state: &mut State, id: Id) {
        let unit = self.unit(id);
        let piece = state.piece_mut(id);
        piece.strength = unit.strength.saturating_sub(unit.lost);
        piece.demoralised = unit.demoralised.min(piece.strength.saturating_sub(1));
        if let SetUp::At(hex) = unit.set_up {
            state.put(id, hex);
        }
        if let Some(horses) = unit.horses {
            state.begin_dismounted(id, horses);
        }
    }
}
