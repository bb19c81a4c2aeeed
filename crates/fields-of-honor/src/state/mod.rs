//! A position: flat, without heap, a procedure under way included.

mod body;
mod leader;

use arrayvec::ArrayVec;
use game::{Agenda, BySide, Outcome, Side};
use serde::{Deserialize, Serialize};

use crate::rules::charge::Charge;
use crate::rules::fire::Volley;
use crate::rules::movement::March;
use crate::rules::sequence::{Phase, Step};

pub use body::{Bmu, Body, Face, Marks, Order, Part, Where};
pub use leader::{Command, Leader, Personality};

/// No battle has more bodies of troops, detachments included.
pub const MAX_BODIES: usize = 64;
/// No battle has more leaders.
pub const MAX_LEADERS: usize = 20;
/// No body has more enemies in contact: twelve stands have room for twelve at the front, twelve at the rear, and a few at
/// the ends.
pub const MAX_FOES: usize = 32;
/// One fire for every body, one shot at every leader, and room for fire that is split.
pub const MAX_VOLLEYS: usize = 192;
/// Places at which walls are broken or being broken.
pub const MAX_BREACHES: usize = 64;

/// An index into the bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BodyId(pub u8);

impl BodyId {
    /// As an index.
    #[must_use]
    pub const fn i(self) -> usize {
        self.0 as usize
    }

    /// As a bit of a set.
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }
}

/// An index into the leaders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LeaderId(pub u8);

impl LeaderId {
    /// As an index.
    #[must_use]
    pub const fn i(self) -> usize {
        self.0 as usize
    }
}

/// The wall between two bodies, if one assaults it: one byte, so that a position stays small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Assault(u8);

impl Assault {
    /// In the open.
    pub const NONE: Assault = Assault(u8::MAX);

    /// Over a wall, by its number.
    #[must_use]
    pub const fn over(wall: u8) -> Assault {
        Assault(wall)
    }

    /// The number of the wall.
    #[must_use]
    pub fn wall(self) -> Option<u8> {
        (self != Assault::NONE).then_some(self.0)
    }
}

/// Two bodies in contact and at blows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bout {
    /// Who came into contact.
    pub attacker: BodyId,
    pub defender: BodyId,
    /// The face of the defender that is struck.
    pub face: Face,
    /// The face the attacker strikes with: its front, until it turns to somebody else.
    pub back: Face,
    /// The attacker charged into it this turn.
    pub charged: bool,
    /// So did the defender (countercharge).
    pub countered: bool,
    /// Melee Phases fought.
    pub rounds: u8,
    pub wall: Assault,
    /// Ladders go up this turn: no blows yet.
    pub ladders: bool,
    /// Fought in this Melee Phase.
    pub fought: bool,
}

impl Bout {
    /// The other side of it, for one who takes part.
    #[must_use]
    pub fn other_than(&self, id: BodyId) -> Option<BodyId> {
        match id {
            _ if id == self.attacker => Some(self.defender),
            _ if id == self.defender => Some(self.attacker),
            _ => None,
        }
    }

    /// The face of one who takes part at which it is fought.
    #[must_use]
    pub fn face_of(&self, id: BodyId) -> Face {
        if id == self.attacker { self.back } else { self.face }
    }

    /// One who takes part is now fought at another face.
    pub fn set_face_of(&mut self, id: BodyId, face: Face) {
        *(if id == self.attacker { &mut self.back } else { &mut self.face }) = face;
    }
}

/// Whose go it is and what is left of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Go {
    /// Half BMUs a go, by side.
    pub batch: BySide<u8>,
    /// Half BMUs used in this go.
    pub used: u8,
    /// Friends that touched a BMU chosen in this go.
    pub touching: u64,
    /// Bodies moved in this go.
    pub chosen: u64,
    /// Markers that have been looked for at this instant.
    pub looked: u64,
    /// Passes in a row.
    pub passes: u8,
}

/// A share of a unit's dice in a melee against several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Share {
    pub by: BodyId,
    pub at: BodyId,
    pub dice: u8,
}

/// A position.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    pub turn: u8,
    pub phase: Phase,
    pub bodies: ArrayVec<Body, MAX_BODIES>,
    pub bmus: ArrayVec<Bmu, 48>,
    pub leaders: ArrayVec<Leader, MAX_LEADERS>,
    pub agenda: Agenda<Step, 48>,
    /// Whose go it is.
    pub turn_of: Side,
    /// Who won the Movement initiative.
    pub mover: Side,
    pub go: Go,
    pub charge: Charge,
    pub march: March,
    pub volleys: ArrayVec<Volley, MAX_VOLLEYS>,
    /// Nobody attacks two at once, so that there are no more bouts than bodies.
    pub bouts: ArrayVec<Bout, MAX_BODIES>,
    pub shares: ArrayVec<Share, { 2 * MAX_BODIES }>,
    /// Linear features that have fallen: inches of a wall, gates.
    pub breaches: ArrayVec<Breach, MAX_BREACHES>,
    /// Areas of special terrain that the attacker knows.
    pub revealed: u32,
    /// The position as somebody knows it who does not know the rest of the special terrain: to him it is not there.
    pub blind: bool,
    /// Commands issued this turn.
    pub commands: BySide<u8>,
    /// Who holds each objective, by its last visitor.
    pub held: ArrayVec<Option<Side>, 12>,
    /// Points scored for good.
    pub points: BySide<i16>,
    /// Things that score once.
    pub scored: u32,
    pub over: Option<Outcome>,
    /// Scenes of this phase so far. The even ones are what the players do, the odd ones what it leads to: tests of those
    /// who see it, and pursuits.
    pub scene: u8,
}

/// A gate blown in, or an inch of wall shot down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Breach {
    /// Which linear feature.
    pub wall: u8,
    /// How far along it its middle lies, in thousandths of an inch.
    pub along: u16,
    /// Cannon hits this turn.
    pub hits: u8,
    /// Open.
    pub open: bool,
}

impl State {
    /// The ids of all bodies, on the table or not.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..self.bodies.len() as u8).map(BodyId)
    }

    /// The ids of all leaders.
    pub fn leader_ids(&self) -> impl Iterator<Item = LeaderId> + use<> {
        (0..self.leaders.len() as u8).map(LeaderId)
    }

    /// A body by its id.
    #[must_use]
    pub fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.i()]
    }

    /// A body to be changed.
    pub fn body_mut(&mut self, id: BodyId) -> &mut Body {
        &mut self.bodies[id.i()]
    }

    /// Whether a body is in contact with an enemy it fights or is about to fight.
    #[must_use]
    pub fn in_melee(&self, id: BodyId) -> bool {
        self.bouts.iter().any(|b| b.attacker == id || b.defender == id)
    }

    /// The enemies a body is in contact with.
    pub fn opponents(&self, id: BodyId) -> impl Iterator<Item = (usize, BodyId)> {
        self.bouts.iter().enumerate().filter_map(move |(i, b)| b.other_than(id).map(|o| (i, o)))
    }

    /// The enemies a body is at blows with: while ladders go up there is no melee yet (fort.assault.c).
    pub fn foes(&self, id: BodyId) -> impl Iterator<Item = BodyId> {
        self.bouts.iter().filter(|b| !b.ladders).filter_map(move |b| b.other_than(id))
    }

    /// Whether a body is at blows, and not only putting up ladders or waiting for them (fort.assault.c).
    #[must_use]
    pub fn at_blows(&self, id: BodyId) -> bool {
        self.foes(id).next().is_some()
    }
}
