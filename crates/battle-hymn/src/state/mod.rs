//! A position: small, flat, off the heap.

use std::hash::{Hash, Hasher};

use game::{Agenda, Outcome, Side};
use hexmap::{Hex, HexSet};
use saved::Saved;
use serde::{Deserialize, Serialize};

pub(crate) use piece::{Mount, Piece, Status};
pub(crate) use steps::{Causes, FireOf, Retreat, Step};
pub use trail::Trail;
pub use units::Id;
pub(crate) use units::UnitSet;

mod piece;
mod saved;
mod steps;
mod trail;
mod units;

/// The most units a battle may have; sets of units are one machine word.
pub(crate) const MAX_UNITS: usize = 64;
/// The most Formations: with the two Combat markers the cup is one half word.
pub(crate) const MAX_FORMATIONS: usize = 30;
/// The most Objectives.
pub(crate) const MAX_OBJECTIVES: usize = 24;
/// The most mishaps: which have befallen is one byte.
pub(crate) const MAX_MISHAPS: usize = 8;
/// Procedures nest at most one retreat for each unit of a side, over the steps of a Combat Turn.
const DEPTH: usize = MAX_UNITS + 12;
/// How many sets of units a position has.
const SETS: usize = 16;
/// At how many different hexes a Formation's units may enter in one Turn and still be counted.
pub(crate) const CONGA: usize = 24;
/// The most hexes a retreat can go.
pub(crate) const LONGEST_RETREAT: u8 = 20;

/// "In no hex."
pub(crate) const NOWHERE: Hex = Hex(u16::MAX);

/// No Formation has this number: how a position without one is written down.
const NO_FORMATION: u8 = u8::MAX;

/// A position.
#[derive(Clone, Serialize, Deserialize)]
#[serde(into = "Saved", from = "Saved")]
pub struct State {
    pub pieces: [Piece; MAX_UNITS],
    /// Who stands in each hex; follows from `pieces`.
    at: [Id; HexSet::CAPACITY],
    pub units: u8,
    /// Index of the Hour.
    pub hour: u8,
    /// Whose Combat Turn it is.
    pub attacker: Option<Side>,
    /// The Formation whose Movement Turn it is.
    pub active: Option<u8>,
    /// Whose Combat marker is held back.
    pub held: Option<Side>,
    pub initiative: Option<Side>,
    /// Movement markers by Formation, then the Combat markers in bits 30 and 31.
    pub cup: u32,
    pub drawn: [u8; 32],
    pub draws: u8,
    /// The unit whose move is under way, and what it has left.
    pub hand: Option<Id>,
    pub left: u8,
    /// Whether that unit may still march: a march is its whole move, but one may follow mounting or entry.
    pub stride: bool,
    /// The Round of the Engagement under way; 0 outside.
    pub round: u8,
    pub mishaps: u8,
    /// Units whose move is over.
    pub moved: UnitSet,
    pub rallied: UnitSet,
    /// Units that began this Movement Turn in an enemy zone (5.3.c).
    pub began_in_zone: UnitSet,
    /// Units that stopped in an enemy zone this Movement Turn, and those that entered the map into one.
    pub stopped: UnitSet,
    pub stopped_entering: UnitSet,
    /// Units whose horses are held on the map.
    pub horse_markers: UnitSet,
    pub placed: UnitSet,
    /// How many units entered at which hex in this Movement Turn (12.2.b).
    pub conga: [(Hex, u8); CONGA],
    pub members: UnitSet,
    pub fought: UnitSet,
    pub bombarded: UnitSet,
    pub advanced: UnitSet,
    pub advanced_now: UnitSet,
    pub retreated: UnitSet,
    pub tried: UnitSet,
    /// Units that have fired in a Round Two of this Combat Turn (6.3.a, R32).
    pub fired_in_two: UnitSet,
    /// Units whose split of odd SPs has been settled; after the Rounds, those that have fallen back.
    pub settled: UnitSet,
    /// Who controls each Objective.
    pub control: [Option<Side>; MAX_OBJECTIVES],
    pub banked: [i16; 2],
    /// Hexes vacated by a cavalry retreat in this Combat Turn (6.1.1.d).
    pub screened: HexSet,
    pub outcome: Option<Outcome>,
    pub agenda: Agenda<Step, DEPTH>,
}

impl State {
    /// Nobody anywhere.
    pub fn empty(units: usize) -> State {
        State {
            pieces: [Piece::NONE; MAX_UNITS],
            at: [Id::NONE; HexSet::CAPACITY],
            units: units as u8,
            hour: 0,
            attacker: None,
            active: None,
            held: None,
            initiative: None,
            cup: 0,
            drawn: [0; 32],
            draws: 0,
            hand: None,
            left: 0,
            stride: false,
            round: 0,
            mishaps: 0,
            moved: UnitSet::EMPTY,
            rallied: UnitSet::EMPTY,
            began_in_zone: UnitSet::EMPTY,
            stopped: UnitSet::EMPTY,
            stopped_entering: UnitSet::EMPTY,
            horse_markers: UnitSet::EMPTY,
            conga: [(NOWHERE, 0); CONGA],
            placed: UnitSet::EMPTY,
            members: UnitSet::EMPTY,
            fought: UnitSet::EMPTY,
            bombarded: UnitSet::EMPTY,
            advanced: UnitSet::EMPTY,
            advanced_now: UnitSet::EMPTY,
            retreated: UnitSet::EMPTY,
            tried: UnitSet::EMPTY,
            fired_in_two: UnitSet::EMPTY,
            settled: UnitSet::EMPTY,
            control: [None; MAX_OBJECTIVES],
            banked: [0; 2],
            screened: HexSet::EMPTY,
            outcome: None,
            agenda: Agenda::new(),
        }
    }

    #[inline]
    pub fn piece(&self, id: Id) -> &Piece {
        &self.pieces[id.index()]
    }

    #[inline]
    pub fn piece_mut(&mut self, id: Id) -> &mut Piece {
        &mut self.pieces[id.index()]
    }

    /// Who stands there.
    #[inline]
    pub fn at(&self, hex: Hex) -> Option<Id> {
        let id = self.at[hex.index()];
        (id != Id::NONE).then_some(id)
    }

    /// Who stands there, [`Id::NONE`] if nobody does.
    #[inline]
    pub fn occupant(&self, hex: Hex) -> Id {
        self.at[hex.index()]
    }

    /// Takes a unit up from its hex. Where two friends pass each other in retreats, the one that stays keeps the hex.
    #[inline]
    pub fn lift(&mut self, id: Id) {
        let hex = self.pieces[id.index()].hex;
        if hex != NOWHERE {
            if self.at[hex.index()] == id {
                self.at[hex.index()] = self.also_at(hex, id);
            }
            self.pieces[id.index()].hex = NOWHERE;
        }
    }

    /// Another unit in the same hex: only while somebody retreats through a friend.
    fn also_at(&self, hex: Hex, but: Id) -> Id {
        if !self.agenda_holds_retreat() {
            return Id::NONE;
        }
        let other = (0..usize::from(self.units)).find(|&i| i != but.index() && self.pieces[i].hex == hex);
        other.map_or(Id::NONE, |i| Id(i as u8))
    }

    fn agenda_holds_retreat(&self) -> bool {
        self.agenda.iter().rev().any(|s| matches!(s, Step::Retreat(_)))
    }

    /// Puts a unit down; a friend already there stays the one the hex belongs to.
    #[inline]
    pub fn put(&mut self, id: Id, hex: Hex) {
        self.pieces[id.index()].hex = hex;
        self.pieces[id.index()].status = Status::OnMap;
        let here = &mut self.at[hex.index()];
        if *here == Id::NONE {
            *here = id;
        }
    }

    /// Every unit on the map.
    pub fn on_map(&self) -> UnitSet {
        let mut set = UnitSet::EMPTY;
        for i in 0..self.units {
            if self.pieces[usize::from(i)].status == Status::OnMap {
                set.insert(Id(i));
            }
        }
        set
    }

    fn key(&self) -> (&[Piece], [u64; SETS], [u8; 10], &[u8]) {
        let sets = [
            self.moved,
            self.rallied,
            self.began_in_zone,
            self.stopped,
            self.stopped_entering,
            self.horse_markers,
            self.placed,
            self.members,
            self.fought,
            self.bombarded,
            self.advanced,
            self.advanced_now,
            self.retreated,
            self.tried,
            self.fired_in_two,
            self.settled,
        ];
        let small = [
            self.hour,
            self.active.unwrap_or(NO_FORMATION),
            self.hand.unwrap_or(Id::NONE).0,
            self.left,
            self.round,
            self.mishaps,
            u8::from(self.stride),
            side_code(self.attacker),
            side_code(self.held),
            side_code(self.initiative),
        ];
        (
            &self.pieces[..usize::from(self.units)],
            sets.map(|s| s.0),
            small,
            &self.drawn[..usize::from(self.draws)],
        )
    }
}

fn side_code(side: Option<Side>) -> u8 {
    side.map_or(2, |s| s.index() as u8)
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.key() == other.key()
            && self.cup == other.cup
            && self.conga == other.conga
            && self.control == other.control
            && self.banked == other.banked
            && self.screened == other.screened
            && self.outcome == other.outcome
            && self.agenda == other.agenda
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key().hash(hasher);
        (self.cup, self.conga, self.control, self.banked, self.screened, self.outcome).hash(hasher);
        self.agenda.hash(hasher);
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Saved::from(self.clone()).fmt(f)
    }
}

impl State {
    /// Works out who stands where. A unit passing through a friend's hex never hides the friend.
    pub fn stand_in_hexes(&mut self) {
        self.at = [Id::NONE; HexSet::CAPACITY];
        let retreating = self.agenda.iter().filter_map(|s| match s {
            Step::Retreat(r) => Some(r.unit),
            _ => None,
        });
        // A unit that entered the map on a friend passes through him too.
        let entering = self.hand;
        let passing: UnitSet = retreating.chain(entering).collect();
        for pass in [false, true] {
            for i in 0..usize::from(self.units) {
                let hex = self.pieces[i].hex;
                if passing.contains(Id(i as u8)) == pass
                    && hex.index() < HexSet::CAPACITY
                    && self.at[hex.index()] == Id::NONE
                {
                    self.at[hex.index()] = Id(i as u8);
                }
            }
        }
    }
}
