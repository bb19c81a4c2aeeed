//! Contact of two bases, its length, and conforming: setting a charger flush on an edge.

use crate::arcs::Side;
use crate::grid::{EPS, Pt, mul_div};
use crate::rect::{Pose, Rect};

/// Two edges that lie together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The side of the first that touches.
    pub mine: Side,
    /// The side of the other.
    pub theirs: Side,
    /// The length over which the edges are no more than EPS apart.
    pub length: i64,
}

/// The longest contact of two bases; `None` when no edges touch (corner to corner has length zero).
pub fn touch(a: &Rect, b: &Rect) -> Option<Touch> {
    if !a.bounds.grown(EPS).meets(&b.bounds) {
        return None;
    }
    let mut best: Option<Touch> = None;
    for mine in Side::ALL {
        for theirs in Side::ALL {
            let length = common_length(a.edge(mine), b.edge(theirs));
            if length > best.map_or(0, |t| t.length) && a.distance(b) <= EPS && a.depth_of_overlap(b) <= EPS {
                best = Some(Touch { mine, theirs, length });
            }
        }
    }
    best
}

/// The length of the first edge that the second accompanies in the opposite sense, no farther than EPS away.
fn common_length((a0, a1): (Pt, Pt), (b0, b1): (Pt, Pt)) -> i64 {
    let side = a1 - a0;
    let length = side.length();
    if length == 0 || side.dot(b1 - b0) >= 0 {
        return 0;
    }
    let local = |p: Pt| {
        let d = p - a0;
        (mul_div(1, d.dot(side), length), mul_div(1, side.cross(d), length))
    };
    // b runs the other way: its end comes first along a.
    let ((x0, h0), (x1, h1)) = (local(b1), local(b0));
    let (mut lo, mut hi) = (x0, x1);
    for limit in [EPS, -EPS] {
        let (g0, g1) = if limit > 0 { (limit - h0, limit - h1) } else { (h0 - limit, h1 - limit) };
        if g0 < 0 && g1 < 0 {
            return 0;
        }
        let cut = |g0: i64, g1: i64| x0 + mul_div(x1 - x0, g0, g0 - g1);
        if g0 < 0 {
            lo = lo.max(cut(g0, g1));
        } else if g1 < 0 {
            hi = hi.min(cut(g0, g1));
        }
    }
    (hi.min(length) - lo.max(0)).max(0)
}

/// The pose that lies flush on an edge of `target`, the middle of its front at `at` (a point of that edge).
pub fn conform(target: &Rect, side: Side, at: Pt) -> Pose {
    Pose { at: at.spot(), facing: target.facing.turned(side.bearing()).reversed() }
}
