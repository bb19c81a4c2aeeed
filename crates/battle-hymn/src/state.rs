//! A position: small, flat, off the heap.

use std::hash::{Hash, Hasher};

use game::{Agenda, Outcome, Side};
use hexmap::{Hex, HexSet};
use serde::{Deserialize, Serialize};

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

/// A unit: its place in file order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Id(pub u8);

impl Id {
    /// No unit.
    pub const NONE: Id = Id(u8::MAX);

    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitSet(pub u64);

impl UnitSet {
    pub const EMPTY: UnitSet = UnitSet(0);

    #[inline]
    #[must_use]
    pub fn contains(self, id: Id) -> bool {
        self.0 >> (id.0 & 63) & 1 != 0
    }

    #[inline]
    pub fn insert(&mut self, id: Id) {
        self.0 |= 1 << (id.0 & 63);
    }

    #[inline]
    pub fn remove(&mut self, id: Id) {
        self.0 &= !(1 << (id.0 & 63));
    }

    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    #[inline]
    #[must_use]
    pub fn and(self, other: UnitSet) -> UnitSet {
        UnitSet(self.0 & other.0)
    }

    #[inline]
    #[must_use]
    pub fn or(self, other: UnitSet) -> UnitSet {
        UnitSet(self.0 | other.0)
    }

    #[inline]
    #[must_use]
    pub fn without(self, other: UnitSet) -> UnitSet {
        UnitSet(self.0 & !other.0)
    }

    /// The first in file order.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<Id> {
        (self.0 != 0).then(|| Id(self.0.trailing_zeros() as u8))
    }
}

impl IntoIterator for UnitSet {
    type Item = Id;
    type IntoIter = Units;
    #[inline]
    fn into_iter(self) -> Units {
        Units(self.0)
    }
}

impl FromIterator<Id> for UnitSet {
    fn from_iter<I: IntoIterator<Item = Id>>(ids: I) -> UnitSet {
        let mut set = UnitSet::EMPTY;
        ids.into_iter().for_each(|id| set.insert(id));
        set
    }
}

/// The units of a set, in file order.
#[derive(Debug, Clone)]
pub struct Units(u64);

impl Iterator for Units {
    type Item = Id;
    #[inline]
    fn next(&mut self) -> Option<Id> {
        if self.0 == 0 {
            return None;
        }
        let id = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Id(id))
    }
}

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
    #[must_use]
    pub fn intact(&self) -> u8 {
        self.strength - self.demoralised
    }

    #[inline]
    #[must_use]
    pub fn on_map(&self) -> bool {
        self.status == Status::OnMap
    }
}

/// What caused a retreat: hexes next to `at`, by direction (7.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Causes {
    pub at: Hex,
    pub directions: u8,
}

impl Causes {
    pub const NONE: Causes = Causes { at: NOWHERE, directions: 0 };
}

/// A retreat under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Retreat {
    /// The directions gone so far, three bits each, the first lowest.
    pub path: u64,
    pub unit: Id,
    pub steps: u8,
    pub start: Hex,
    pub causes: Causes,
    /// The hex of a friend it waits to enter (7.8).
    pub pausing_before: Hex,
    /// The friend who has checked there.
    pub checked: Id,
    pub voluntary: bool,
    /// Which paths are open to it, once that has been found out (R47).
    pub plan: Option<crate::rules::retreat::Plan>,
}

/// Which fire a check follows (10.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FireOf {
    Approach,
    Round,
}

/// The procedures of the rulebook, as they wait on the agenda.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Step {
    /// Initiative and cup of a new Hour (4.a, 4.b).
    Hour,
    /// Declare, or draw (4.d).
    Draw,
    /// The Movement Turn of the active Formation (5).
    March,
    /// A rallied unit is placed (10.5.3).
    Place(Id),
    /// Step 1 of a Combat Turn (6.1.1).
    CavalryRetreat,
    /// Step 2 (6.1.2).
    Bombard,
    /// Step 3 (6.1.3).
    Withdraw,
    /// Step 4: who fires at whom (6.1.4).
    Approach,
    /// Steps 5 and 6: the next Engagement (6.1.5).
    Engage,
    /// Optional attacks of the Round (6.1.7.c).
    Options,
    /// All targets of the Round are known.
    Aim,
    /// Odd SPs are assigned (6.1.7.f).
    Split(FireOf),
    /// The dice of a step, one fire at a time: whose is next, and at which of his targets.
    Fire(FireOf, Id, u8),
    /// Checks of the Defender's, then the Attacker's hit units.
    Checks(FireOf, Side),
    /// Advances after combat (8).
    Advance,
    /// Another Round, or the end of the Engagement (6.1.8).
    NextRound,
    /// Retreats at the end of an Engagement (6.1.8.b).
    FallBack,
    /// Step 7 (6.1.d).
    Sweep,
    /// Somebody falls back (7).
    Retreat(Retreat),
    /// The time marker moves (4.h).
    TimePasses,
}

/// No Formation has this number.
pub(crate) const NO_FORMATION: u8 = u8::MAX;

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
    pub active: u8,
    /// Whose Combat marker is held back.
    pub held: Option<Side>,
    pub initiative: Option<Side>,
    /// Movement markers by Formation, then the Combat markers in bits 30 and 31.
    pub cup: u32,
    pub drawn: [u8; 32],
    pub draws: u8,
    /// The unit whose move is under way, and what it has left.
    pub hand: Id,
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
    #[must_use]
    pub fn empty(units: usize) -> State {
        State {
            pieces: [Piece::NONE; MAX_UNITS],
            at: [Id::NONE; HexSet::CAPACITY],
            units: units as u8,
            hour: 0,
            attacker: None,
            active: NO_FORMATION,
            held: None,
            initiative: None,
            cup: 0,
            drawn: [0; 32],
            draws: 0,
            hand: Id::NONE,
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
    #[must_use]
    pub fn piece(&self, id: Id) -> &Piece {
        &self.pieces[id.index()]
    }

    #[inline]
    pub fn piece_mut(&mut self, id: Id) -> &mut Piece {
        &mut self.pieces[id.index()]
    }

    /// Who stands there.
    #[inline]
    #[must_use]
    pub fn at(&self, hex: Hex) -> Option<Id> {
        let id = self.at[hex.index()];
        (id != Id::NONE).then_some(id)
    }

    /// Who stands there, [`Id::NONE`] if nobody does.
    #[inline]
    #[must_use]
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
    #[must_use]
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
            self.active,
            self.hand.0,
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

/// A position as it is written down.
#[derive(Debug, Serialize, Deserialize)]
struct Saved {
    pieces: Vec<Piece>,
    hour: u8,
    attacker: Option<Side>,
    active: u8,
    held: Option<Side>,
    initiative: Option<Side>,
    cup: u32,
    drawn: Vec<u8>,
    hand: Id,
    left: u8,
    stride: bool,
    round: u8,
    mishaps: u8,
    sets: [UnitSet; SETS],
    conga: [(Hex, u8); CONGA],
    control: [Option<Side>; MAX_OBJECTIVES],
    banked: [i16; 2],
    screened: Vec<Hex>,
    outcome: Option<Outcome>,
    agenda: Agenda<Step, DEPTH>,
}

impl From<State> for Saved {
    fn from(state: State) -> Saved {
        Saved {
            pieces: state.pieces[..usize::from(state.units)].to_vec(),
            hour: state.hour,
            attacker: state.attacker,
            active: state.active,
            held: state.held,
            initiative: state.initiative,
            cup: state.cup,
            drawn: state.drawn[..usize::from(state.draws)].to_vec(),
            hand: state.hand,
            left: state.left,
            stride: state.stride,
            round: state.round,
            mishaps: state.mishaps,
            sets: state.key().1.map(UnitSet),
            conga: state.conga,
            control: state.control,
            banked: state.banked,
            screened: state.screened.iter().collect(),
            outcome: state.outcome,
            agenda: state.agenda,
        }
    }
}

impl From<Saved> for State {
    fn from(saved: Saved) -> State {
        let units = saved.pieces.len().min(MAX_UNITS);
        let mut state = State::empty(units);
        state.agenda = saved.agenda;
        for (i, piece) in saved.pieces.into_iter().take(MAX_UNITS).enumerate() {
            state.pieces[i] = piece;
        }
        state.hand = saved.hand;
        state.stand_in_hexes();
        let draws = saved.drawn.len().min(32);
        state.drawn[..draws].copy_from_slice(&saved.drawn[..draws]);
        state.draws = draws as u8;
        [
            state.moved,
            state.rallied,
            state.began_in_zone,
            state.stopped,
            state.stopped_entering,
            state.horse_markers,
            state.placed,
            state.members,
            state.fought,
            state.bombarded,
            state.advanced,
            state.advanced_now,
            state.retreated,
            state.tried,
            state.fired_in_two,
            state.settled,
        ] = saved.sets;
        State {
            hour: saved.hour,
            attacker: saved.attacker,
            active: saved.active,
            held: saved.held,
            initiative: saved.initiative,
            cup: saved.cup,
            left: saved.left,
            stride: saved.stride,
            round: saved.round,
            mishaps: saved.mishaps,
            conga: saved.conga,
            control: saved.control,
            banked: saved.banked,
            screened: saved.screened.into_iter().filter(|h| h.index() < HexSet::CAPACITY).collect(),
            outcome: saved.outcome,
            ..state
        }
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
        let entering = Some(self.hand).filter(|&id| id != Id::NONE);
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
