//! The decisions of the players, as one small enum, and the orders it carries.

use serde::{Deserialize, Serialize};
use table::{Angle, Spot};

use crate::rules::formations::Formation;
use crate::setup::pieces::{BrigadeId, CommanderId, UnitId, Units};
use crate::state::Marker;

/// One decision of one player.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    /// "I am done", "no": ends or declines what is asked.
    Pass,
    /// The winner of the roll goes first, or second.
    Go { first: bool },
    /// "Gibbon joins the 2nd Wisconsin."
    Attach { commander: CommanderId, unit: UnitId },
    /// "Gibbon leaves his unit."
    Detach { commander: CommanderId, to: Spot },
    /// "The 26th and 60th Georgia charge the 7th Wisconsin."
    Charge { target: UnitId, by: Units },
    /// "We meet them half way."
    Countercharge,
    /// "Gibbon's brigade now."
    Activate { brigade: BrigadeId },
    /// "The 2nd Wisconsin advances ..."
    Order { unit: UnitId, order: Order },
    /// A free commander's move.
    Ride { commander: CommanderId, to: Spot },
    /// "The 2nd Wisconsin shoots at the 5th Virginia."
    Shoot { unit: UnitId, target: UnitId },
    /// "This one": whichever unit is asked for.
    Pick { unit: UnitId },
    /// A Stubborn unit rolls again.
    Reroll,
    /// A Retire that could go either way goes to its left, or right.
    Aside { left: bool },
    /// "On, after them."
    BreakThrough { by: Units },
}

/// An order with the maneuver it is for; a Charge is declared by itself (chapter 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Order {
    Hold,
    Rally,
    Advance { maneuver: Maneuver, change: Change, exit: bool },
    March { double: Double, exit: bool },
    Reform { formation: Formation, facing: Angle },
}

impl Order {
    pub const fn marker(&self) -> Marker {
        match self {
            Order::Hold => Marker::Hold,
            Order::Rally => Marker::Rally,
            Order::Advance { .. } => Marker::Advance,
            Order::March { .. } => Marker::March,
            Order::Reform { .. } => Marker::Reform,
        }
    }

    /// Does it mount, dismount, limber or deploy before it moves?
    pub(crate) const fn changes_first(&self) -> bool {
        matches!(self, Order::Advance { change: Change::Before(_), .. })
    }
}

/// A maneuver of an Advance. Lengths in thousandths of an inch, turns in hundredths of a degree, clockwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Maneuver {
    /// Straight on, one pivot, straight on: `forward 3 right 90 5`.
    Forward {
        first: i32,
        turn: i32,
        then: i32,
    },
    /// Along the 45-degree line, facing kept: `oblique right 8`.
    Oblique {
        right: bool,
        by: i32,
    },
    Back {
        slant: Slant,
        by: i32,
    },
    Sidestep {
        right: bool,
        by: i32,
    },
    /// The whole rate to the rear, off the straight line by steps of 5 degrees (to its left when negative).
    Retire {
        degrees: i8,
    },
}

/// Mounting, dismounting, limbering or deploying as part of an Advance (5.5.w, 5.5.aa).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Change {
    None,
    Before(Formation),
    After(Formation),
}

/// Straight, or along the 45-degree line to a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Slant {
    Left,
    Straight,
    Right,
}

impl Slant {
    pub(crate) const fn turn(self) -> i32 {
        match self {
            Slant::Left => -4_500,
            Slant::Straight => 0,
            Slant::Right => 4_500,
        }
    }
}

/// A way to go At The Double.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Double {
    Ahead { slant: Slant, by: i32 },
    Road { by: i32 },
}
