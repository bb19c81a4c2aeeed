//! Moves: the ground a straight move sweeps, the steps of a pivot, and where along a move bodies meet.

use crate::angle::{Angle, Dir};
use crate::convex::{Bounds, Convex, Hull, axes, hull, reach_from};
use crate::grid::{EPS, INCH, Pt, div_round};
use crate::rect::Rect;

/// The ground swept by a straight move: the convex hull of its two ends.
#[derive(Clone, Debug)]
pub struct Way {
    hull: Hull,
    bounds: Bounds,
    /// Sides that have no opposite among those before them.
    directions: usize,
}

impl Way {
    /// The way from one pose to another.
    pub fn between(from: &Rect, to: &Rect) -> Self {
        if from.facing == to.facing && from.size() == to.size() {
            let hull = translated(&from.corners, to.front - from.front);
            // Such a hull has for every side its opposite.
            return Self { bounds: from.bounds.with(&to.bounds), directions: hull.len() / 2, hull };
        }
        let mut points = [Pt::default(); 8];
        points[..4].copy_from_slice(&from.corners);
        points[4..].copy_from_slice(&to.corners);
        let hull = hull(&points);
        Self { bounds: Bounds::of(&points), directions: hull.len(), hull }
    }
}

/// The hull of a base and its image under a translation: sides that look the way it goes are the image's, the others
/// its own.
fn translated(corners: &[Pt; 4], by: Pt) -> Hull {
    let lean = |i: usize| (corners[(i + 1) % 4] - corners[i % 4]).cross(by);
    let mut out = Hull::new();
    let mut before = lean(3);
    for (i, corner) in corners.iter().enumerate() {
        let after = lean(i);
        match (before < 0, after < 0) {
            (true, true) => out.push(*corner + by),
            (false, false) => out.push(*corner),
            // A side along the way runs on without a corner between.
            (true, false) if after == 0 => out.push(*corner + by),
            (false, true) if before == 0 => out.push(*corner + by),
            (true, false) => out.extend([*corner + by, *corner]),
            (false, true) => out.extend([*corner, *corner + by]),
        }
        before = after;
    }
    out
}

impl Convex for Way {
    fn corners(&self) -> &[Pt] {
        &self.hull
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn directions(&self) -> usize {
        self.directions
    }
}

/// The vector of a straight move.
pub fn travel(dir: Dir, length: i64) -> Pt {
    dir.times(length)
}

/// The open interval of distances along `dir`, forward or backward, at which a moving body is deeper than `by` in a
/// standing one.
pub fn overlap_while_moving(
    mover: &(impl Convex + ?Sized),
    stander: &(impl Convex + ?Sized),
    dir: Dir,
    by: i64,
) -> Option<(i64, i64)> {
    /// Below this (2^-22 of a unit a unit) the move is parallel to the axis.
    const PARALLEL: i64 = 4;
    if pass_by(mover.corners(), stander.corners(), dir) {
        return None;
    }
    let sides = axes(mover, stander);
    let (a, b) = (mover.corners(), stander.corners());
    let origin = a[0];
    let (mut from, mut till) = (i64::MIN, i64::MAX);
    for (axis, scale) in sides {
        let speed = dir.along(axis);
        let (alo, ahi) = reach_from(a, axis, origin);
        let (blo, bhi) = reach_from(b, axis, origin);
        let (enter, leave) = (blo + by * scale - ahi, bhi - by * scale - alo);
        if enter >= leave {
            return None;
        }
        if speed.abs() <= PARALLEL {
            if enter >= 0 || leave <= 0 {
                return None;
            }
            continue;
        }
        let (t0, t1) = (div_round(enter, speed), div_round(leave, speed));
        from = from.max(t0.min(t1));
        till = till.min(t0.max(t1));
        if from >= till {
            return None;
        }
    }
    Some((from, till))
}

/// Does a body go past another, however far it goes? Only what is plain: bodies that almost touch are left to the axes.
fn pass_by(mover: &[Pt], stander: &[Pt], dir: Dir) -> bool {
    const PLAIN: i64 = 16;
    let (across, origin) = (dir.right(), mover[0]);
    let reach = |corners: &[Pt]| {
        corners
            .iter()
            .map(|p| across.along(*p - origin))
            .fold((i64::MAX, i64::MIN), |(lo, hi), at| (lo.min(at), hi.max(at)))
    };
    let ((alo, ahi), (blo, bhi)) = (reach(mover), reach(stander));
    ahi + PLAIN < blo || bhi + PLAIN < alo
}

/// The first distance in `0..=limit` at which the mover would go deeper than EPS into the stander.
pub fn first_overlap(
    mover: &(impl Convex + ?Sized),
    stander: &(impl Convex + ?Sized),
    dir: Dir,
    limit: i64,
) -> Option<i64> {
    let (from, till) = overlap_while_moving(mover, stander, dir, EPS)?;
    (till > 0 && from < limit).then(|| from.max(0))
}

/// The least translation along `dir` at which the mover touches the stander; `None` if it never does.
pub fn touch_distance(
    mover: &(impl Convex + ?Sized),
    stander: &(impl Convex + ?Sized),
    dir: Dir,
) -> Option<i64> {
    let (from, till) = overlap_while_moving(mover, stander, dir, 0)?;
    (till > 0).then(|| from.max(0))
}

/// How far a base can go along `dir` until it touches the edge of a table of the given size.
pub fn to_edge(rect: &Rect, dir: Dir, width: i64, height: i64) -> i64 {
    /// Slower than this towards an edge is along it.
    const CREEP: i64 = 1 << 6;
    let axis = |speed: i64, lo: i64, hi: i64, size: i64| {
        let room = if speed > 0 { size - hi } else { lo };
        if speed.abs() <= CREEP {
            i64::MAX
        } else {
            (((room.max(0) as i128) << Dir::BITS) / speed.abs() as i128) as i64
        }
    };
    let b = rect.bounds;
    axis(dir.x, b.lo.x, b.hi.x, width).min(axis(dir.y, b.lo.y, b.hi.y, height))
}

/// No corner moves farther than this between two poses of a pivot.
const PIVOT_STEP: i64 = INCH / 50;

/// The poses of a pivot about the centre, no corner moving more than 0.02 in from one to the next; the last is the end.
pub fn pivot_steps(rect: &Rect, to: Angle) -> impl Iterator<Item = Rect> {
    let pivot = Pivot::new(rect, to);
    (1..=pivot.count).map(move |i| pivot.pose(i))
}

/// Is every pose of a pivot clear? `clearance` says how far a pose is from trouble, less than zero in it; as long as
/// that is more than the steps can use up, they need not be looked at one by one.
pub fn pivot_is_clear(rect: &Rect, to: Angle, mut clearance: impl FnMut(&Rect) -> i64) -> bool {
    let pivot = Pivot::new(rect, to);
    let mut i = 1;
    while i <= pivot.count {
        let room = clearance(&pivot.pose(i));
        if room < 0 {
            return false;
        }
        i = if i == pivot.count {
            i + 1
        } else {
            (i + 1 + (room / PIVOT_STEP).min(1 << 20) as i32).min(pivot.count)
        };
    }
    true
}

#[derive(Clone, Copy)]
struct Pivot {
    rect: Rect,
    to: Angle,
    step: i32,
    turn: i32,
    count: i32,
}

impl Pivot {
    fn new(rect: &Rect, to: Angle) -> Self {
        let step = Angle::turn_for_arc(PIVOT_STEP, rect.half_diagonal());
        let turn = rect.facing.turn_to(to);
        Self { rect: *rect, to, step, turn, count: (turn.abs() + step - 1) / step }
    }

    fn pose(&self, i: i32) -> Rect {
        let turned = self.rect.facing.turned(self.turn.signum() * self.step * i);
        let facing = if i == self.count { self.to } else { turned };
        Rect::at(self.rect.centre + facing.dir().times(self.rect.b), facing, self.rect.size())
    }
}
