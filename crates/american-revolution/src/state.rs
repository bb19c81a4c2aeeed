//! A position: flat, without heap, a procedure under way included.

use arrayvec::ArrayVec;
use game::{Agenda, BySide, Side};
use hexmap::Hex;
use serde::{Deserialize, Serialize};

use crate::rules::close_combat::Fight;
use crate::rules::results::Hit;
use crate::rules::sequence::Step;
use crate::setup::battle::{Battle, Start};
use crate::setup::pieces::{MOST, Piece, Pieces};

/// Where a piece is: a hex, or a box beside the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Spot(u16);

impl Spot {
    /// Not yet arrived.
    pub const TO_COME: Spot = Spot(u16::MAX);
    /// The eliminated box.
    pub const ELIMINATED: Spot = Spot(u16::MAX - 1);
    /// The captured box.
    pub const CAPTURED: Spot = Spot(u16::MAX - 2);
    /// Left the map of its own will.
    pub const GONE: Spot = Spot(u16::MAX - 3);
    /// Somewhere that the eyes may not see.
    pub const HIDDEN: Spot = Spot(u16::MAX - 4);

    /// On the map.
    #[inline]
    #[must_use]
    pub const fn at(hex: Hex) -> Spot {
        Spot(hex.0)
    }

    /// The hex, if it is on the map.
    #[inline]
    #[must_use]
    pub fn hex(self) -> Option<Hex> {
        (self.0 < Spot::HIDDEN.0).then_some(Hex(self.0))
    }
}

/// The phases of a player turn, and what stands around them (5.a, 5.b).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Phase {
    Initiative,
    Movement,
    Rally,
    Artillery,
    Rifle,
    CloseCombat,
    EndOfTurn,
}

/// A pinned combat: the units of both sides that stand in its hexes, and leaders with them (R14).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pin {
    /// Units and leaders of both sides.
    pub pieces: Pieces,
    /// The phasing player has begun to break it.
    pub broken: bool,
    /// A leader has left it in this movement phase.
    pub left: bool,
}

/// A close combat that has been announced: who attacks whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Attack {
    /// The attacking units.
    pub attackers: Pieces,
    /// All defending units of the hexes attacked.
    pub defenders: Pieces,
}

/// Rifle fire at one unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shot {
    /// Who fires.
    pub by: Pieces,
    /// At whom.
    pub at: Piece,
    /// What it did.
    pub hit: Hit,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ending {
    /// Who won; none: a draw.
    pub winner: Option<Side>,
    /// How greatly.
    pub level: Level,
}

/// The three victory levels (4.a).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Level {
    Draw,
    Marginal,
    Substantial,
    Decisive,
}

/// The most combats, pins or fires of a phase: as many as a side may have units.
pub(crate) const UNITS: usize = 32;

/// A position.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    /// From 1.
    pub turn: u8,
    /// Who takes the first player turn of this game turn.
    pub first: Side,
    /// Who had the initiative before.
    pub previous: Side,
    /// Whose player turn it is.
    pub phasing: Side,
    /// The phase.
    pub phase: Phase,
    /// Where each piece is.
    #[serde(with = "spots")]
    pub at: [Spot; MOST],
    /// On their reduced side.
    pub reduced: Pieces,
    /// Disrupted.
    pub disrupted: Pieces,
    /// Shattered.
    pub shattered: Pieces,
    /// Under a withdrawal marker.
    pub withdrawn: Pieces,
    /// Rifles that have not yet had their first fire.
    pub unfired: Pieces,
    /// Have finished their move in this phase.
    pub moved: Pieces,
    /// Entered the map in this phase.
    pub entered: Pieces,
    /// Have fired, or tried to rally, in this phase.
    pub acted: Pieces,
    /// Have been fired on in this phase.
    pub targeted: Pieces,
    /// Have retreated from a close combat of this phase.
    pub driven: Pieces,
    /// Defended in a close combat of this phase.
    pub defended: Pieces,
    /// Their fence has served.
    pub volleyed: Pieces,
    /// The pinned combats there were when the close combats of this phase were announced.
    pub were_pinned: ArrayVec<Pieces, UNITS>,
    /// Waiting for something at the end of a phase.
    pub waiting: Pieces,
    /// Enemy pieces that each side may examine for now, under limited intelligence.
    pub known: BySide<Pieces>,
    /// Army morale.
    pub morale: BySide<i8>,
    /// Changes of army morale that wait for the end of the combat (12.23.r, 16.24.a).
    pub swing: BySide<i8>,
    /// Whether changes wait.
    pub netting: bool,
    /// Momentum chits held.
    pub chits: BySide<u8>,
    /// Chits spent on this turn's initiative.
    pub spent: BySide<u8>,
    /// Victory points for losses of the enemy.
    pub spoils: BySide<u8>,
    /// Steps lost.
    pub lost: BySide<u8>,
    /// Objectives held, a bit each.
    pub held: BySide<u16>,
    /// Alarms that have been raised, a bit each.
    pub alarmed: u8,
    /// The turn whose release has been brought forward; 0 none.
    pub hastened: u8,
    /// The guns have fired into a melee.
    pub graped: bool,
    /// Broken bridges that somebody stood at when the last turn ended, and those that are mended, a bit each.
    pub attended: u8,
    /// See `attended`.
    pub mended: u8,
    /// Pinned combats.
    pub pins: ArrayVec<Pin, UNITS>,
    /// Close combats announced and not yet resolved.
    pub attacks: ArrayVec<Attack, UNITS>,
    /// Units of the stack that receives the diversion.
    pub diverted: Pieces,
    /// Units that need not attack, and enemy units whose hexes need not be attacked, because pin duties leave nobody
    /// for them (R11).
    pub excused: Pieces,
    /// Excused enemy units one stack of which must receive the diversion (12.13.a, R11).
    pub owed: Pieces,
    /// Rifle fires announced.
    pub shots: ArrayVec<Shot, UNITS>,
    /// The close combat being resolved.
    pub fight: Fight,
    /// Procedures under way.
    pub agenda: Agenda<Step, 24>,
    /// How it ended.
    pub ending: Option<Ending>,
}

mod spots {
    use super::{MOST, Spot};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(spots: &[Spot; MOST], to: S) -> Result<S::Ok, S::Error> {
        spots.as_slice().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[Spot; MOST], D::Error> {
        let read = Vec::<Spot>::deserialize(from)?;
        read.try_into().map_err(|_| serde::de::Error::custom("a position has 64 places"))
    }
}

/// What a unit is in: Parade Order, disrupted, shattered (3.1.f).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Parade,
    Disrupted,
    Shattered,
}

impl State {
    /// Where a piece is.
    #[inline]
    #[must_use]
    pub fn hex(&self, piece: Piece) -> Option<Hex> {
        self.at[piece.index()].hex()
    }

    /// The pieces at spots that pass a test, eight at a time so that the machine can look at them side by side.
    #[inline]
    fn all_where(&self, test: impl Fn(Spot) -> bool) -> Pieces {
        let mut found = 0u64;
        for (i, eight) in self.at.chunks_exact(8).enumerate() {
            let mut byte = 0u8;
            for (bit, &spot) in eight.iter().enumerate() {
                byte |= u8::from(test(spot)) << bit;
            }
            found |= u64::from(byte) << (8 * i);
        }
        Pieces(found)
    }

    /// All pieces in a hex.
    #[inline]
    #[must_use]
    pub fn in_hex(&self, hex: Hex) -> Pieces {
        let here = Spot::at(hex);
        self.all_where(|spot| spot == here)
    }

    /// Everything on the map.
    #[inline]
    #[must_use]
    pub fn on_map(&self) -> Pieces {
        self.all_where(|spot| spot < Spot::HIDDEN)
    }

    /// In Parade Order, as far as order goes.
    #[inline]
    #[must_use]
    pub fn parade(&self) -> Pieces {
        Pieces(!0) - self.disrupted - self.shattered
    }

    /// What a unit is in.
    #[must_use]
    pub fn order(&self, unit: Piece) -> Order {
        match () {
            () if self.shattered.has(unit) => Order::Shattered,
            () if self.disrupted.has(unit) => Order::Disrupted,
            () => Order::Parade,
        }
    }

    /// 0 on the full-strength side, 1 on the reduced.
    #[inline]
    #[must_use]
    pub fn face(&self, unit: Piece) -> usize {
        usize::from(self.reduced.has(unit))
    }

    /// The turn whose release has been brought forward.
    #[inline]
    #[must_use]
    pub fn hastened(&self) -> Option<u8> {
        (self.hastened != 0).then_some(self.hastened)
    }

    /// Puts a piece into a hex.
    pub fn place(&mut self, piece: Piece, hex: Hex) {
        self.at[piece.index()] = Spot::at(hex);
    }
}

/// The position at the start.
pub(crate) fn muster(battle: &Battle) -> State {
    let mut state = State {
        turn: 1,
        first: battle.first_turn.unwrap_or(battle.previous),
        previous: battle.previous,
        phasing: battle.first_turn.unwrap_or(battle.previous),
        phase: Phase::Initiative,
        at: [Spot::GONE; MOST],
        reduced: Pieces::NONE,
        disrupted: Pieces::NONE,
        shattered: Pieces::NONE,
        withdrawn: Pieces::NONE,
        unfired: battle.roles.rifles,
        moved: Pieces::NONE,
        entered: Pieces::NONE,
        acted: Pieces::NONE,
        targeted: Pieces::NONE,
        driven: Pieces::NONE,
        defended: Pieces::NONE,
        volleyed: Pieces::NONE,
        were_pinned: ArrayVec::new(),
        waiting: Pieces::NONE,
        known: BySide::default(),
        morale: BySide::from_fn(|side| battle.armies[side].morale),
        swing: BySide::default(),
        netting: false,
        chits: BySide::from_fn(|side| battle.armies[side].chits),
        spent: BySide::default(),
        spoils: BySide::default(),
        lost: BySide::default(),
        held: BySide::default(),
        alarmed: 0,
        hastened: 0,
        graped: false,
        attended: 0,
        mended: 0,
        pins: ArrayVec::new(),
        attacks: ArrayVec::new(),
        diverted: Pieces::NONE,
        excused: Pieces::NONE,
        owed: Pieces::NONE,
        shots: ArrayVec::new(),
        fight: Fight::default(),
        agenda: Agenda::new(),
        ending: None,
    };
    for (i, counter) in battle.counters.iter().enumerate() {
        state.at[i] = match counter.start {
            Start::At(hex) => Spot::at(hex),
            Start::Enters(..) => Spot::TO_COME,
        };
        if counter.starts_reduced {
            state.reduced.add(Piece(i as u8));
        }
    }
    for (i, objective) in battle.objectives.iter().enumerate() {
        if let Some(side) = objective.held {
            state.held[side] |= 1 << i;
        }
    }
    state.agenda.push(Step::Turn);
    state
}
