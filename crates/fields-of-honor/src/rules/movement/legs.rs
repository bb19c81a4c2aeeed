//! What a move is made of.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::rules::basics::Formation;
use crate::state::BodyId;

/// One part of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Leg {
    /// Straight on, or slantwise within the arc: thousandths of an inch, hundredths of a degree from the front.
    Ahead {
        length: i32,
        aside: i16,
    },
    /// About a front corner, clockwise about the right one.
    Wheel {
        turn: i16,
    },
    /// The same backwards: the far end goes back.
    WheelBack {
        turn: i16,
    },
    /// Every stand turns: a quarter to either side or about.
    Face {
        turn: i16,
    },
    /// A new formation, so many stands wide (0: as usual).
    Form {
        formation: Formation,
        files: u8,
    },
    /// Out of the arc, in any direction, a little way.
    Sidle {
        length: i32,
        bearing: i16,
    },
    /// Guns are turned on the spot.
    Slew {
        turn: i16,
    },
    Prone,
    Up,
    Dismount,
    Mount,
    Hide,
    /// Two stands go out as skirmishers, so far ahead in thousandths of an inch.
    Detach {
        ahead: i16,
    },
    /// Skirmishers or gunners go back to their own.
    Rejoin,
    /// Joins the box of a friend that it touches.
    Box,
    /// Leaves the box.
    Unbox,
}

/// The parts of a move.
pub(crate) type Legs = ArrayVec<Leg, 6>;

/// How far guns are turned on the spot in the course of a move, in hundredths of a degree (R107).
pub(crate) fn slewed(legs: &[Leg]) -> i32 {
    let turns = legs.iter().filter_map(|leg| if let Leg::Slew { turn } = leg { Some(*turn) } else { None });
    turns.map(|turn| i32::from(turn).abs()).sum()
}

/// A move under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct March {
    pub unit: Option<BodyId>,
    pub legs: Legs,
    /// Which leg, and how much of it is done.
    pub leg: u8,
    pub done: i32,
    /// The enemy lets the rest of the move go by.
    pub waved: bool,
    /// What the whole of it leaves of the allowance, as a share of a move.
    pub slack: i64,
    /// At the Charge rate.
    pub far: bool,
}
