//! The four arcs, divided by rays at 45 degrees from the corners, and the edges that belong to them.

use crate::grid::{EPS, Pt};
use crate::rect::Rect;
use serde::{Deserialize, Serialize};

/// A side of a unit: its arc, or the edge that belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Ahead.
    Front,
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Behind.
    Rear,
}

impl Side {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Front, Self::Left, Self::Right, Self::Rear];

    /// Whether it is the left or the right.
    pub const fn is_flank(self) -> bool {
        matches!(self, Self::Left | Self::Right)
    }

    /// Where the side looks, relative to the facing, in hundredths of a degree clockwise.
    pub const fn bearing(self) -> i32 {
        match self {
            Self::Front => 0,
            Self::Right => 9_000,
            Self::Rear => 18_000,
            Self::Left => 27_000,
        }
    }
}

impl Rect {
    /// The arc in which a point lies: ties on a front diagonal are front, on a rear diagonal flank.
    pub fn arc_of(&self, p: Pt) -> Side {
        let (u, v) = self.local(p);
        let (du, dv) = (u.abs() - self.a, v.abs() - self.b);
        if dv >= du - EPS && v > 0 {
            Side::Front
        } else if v < 0 && dv > du + EPS {
            Side::Rear
        } else if u < 0 {
            Side::Left
        } else {
            Side::Right
        }
    }

    /// An edge, from left to right for someone in the unit who looks outward across it.
    pub const fn edge(&self, side: Side) -> (Pt, Pt) {
        let [fr, fl, rl, rr] = self.corners;
        match side {
            Side::Front => (fl, fr),
            Side::Right => (fr, rr),
            Side::Rear => (rr, rl),
            Side::Left => (rl, fl),
        }
    }

    /// How long that edge is.
    pub const fn edge_length(&self, side: Side) -> i64 {
        match side {
            Side::Front | Side::Rear => 2 * self.a,
            Side::Left | Side::Right => 2 * self.b,
        }
    }

    /// Does the outward side of this edge look at `p`?
    pub fn shows(&self, side: Side, p: Pt) -> bool {
        let (u, v) = self.local(p);
        match side {
            Side::Front => v > self.b,
            Side::Rear => v < -self.b,
            Side::Right => u > self.a,
            Side::Left => u < -self.a,
        }
    }
}
