//! Bases: the oriented rectangle of a unit and the disc of a commander.

use crate::angle::{Angle, Dir};
use crate::convex::{AXIS_BITS, Axis, Bounds, Convex};
use crate::grid::{EPS, Pt, Spot};
use serde::{Deserialize, Serialize};

/// Where a unit stands: the middle of its front edge, in thousandths of an inch, and its facing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pose {
    /// The middle of the front edge.
    pub at: Spot,
    /// Which way the front looks.
    pub facing: Angle,
}

impl Pose {
    /// A pose at this place.
    pub const fn new(x: i32, y: i32, facing: Angle) -> Self {
        Self { at: Spot::new(x, y), facing }
    }

    /// Shifted by a vector in working units, to the nearest spot.
    #[must_use]
    pub fn shifted(self, by: Pt) -> Self {
        let by = by.spot();
        Self { at: Spot::new(self.at.x + by.x, self.at.y + by.y), facing: self.facing }
    }

    /// Moved `length` in a direction given relative to the facing, in hundredths of a degree clockwise.
    #[must_use]
    pub fn moved(self, relative: i32, length: i64) -> Self {
        self.shifted(self.facing.turned(relative).dir().times(length))
    }

    /// Pivoted about the centre of a base of the given size.
    #[must_use]
    pub fn pivoted(self, size: Size, facing: Angle) -> Self {
        let by = facing.dir().times(size.depth / 2) - self.facing.dir().times(size.depth / 2);
        Self { facing, ..self.shifted(by) }
    }

    /// Wheeled about one of the front corners: a positive turn is clockwise about the right corner, a negative one
    /// counter-clockwise about the left.
    #[must_use]
    pub fn wheeled(self, size: Size, turn: i32) -> Self {
        let facing = self.facing.turned(turn);
        let half = size.width / 2;
        let arm = |a: Angle| if turn >= 0 { a.dir().right().times(half) } else { a.dir().left().times(half) };
        Self { facing, ..self.shifted(arm(self.facing) - arm(facing)) }
    }
}

/// Width and depth of a base, in working units, both even.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Along the front.
    pub width: i64,
    /// From front to rear.
    pub depth: i64,
}

/// A base on the table with everything the tests need worked out once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// The unit leader point: the middle of the front edge.
    pub front: Pt,
    /// The middle.
    pub centre: Pt,
    /// Which way the front looks.
    pub facing: Angle,
    /// The direction of the front.
    pub ahead: Dir,
    /// Half the width and half the depth.
    pub a: i64,
    /// Half the depth.
    pub b: i64,
    /// Front right, front left, rear left, rear right: counter-clockwise.
    pub corners: [Pt; 4],
    /// What it lies within.
    pub bounds: Bounds,
}

impl Convex for Rect {
    fn corners(&self) -> &[Pt] {
        &self.corners
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn directions(&self) -> usize {
        2
    }

    /// Across the front it looks ahead, across the left side to the left.
    fn axis(&self, side: usize) -> Option<Axis> {
        let across = if side == 0 { self.ahead } else { self.ahead.left() };
        Some((across.scaled(AXIS_BITS), 1 << AXIS_BITS))
    }

    fn contains(&self, p: Pt) -> bool {
        let (u, v) = self.local(p);
        u.abs() <= self.a && v.abs() <= self.b
    }
}

impl Rect {
    /// The ground that a base of this size covers in this pose.
    pub fn new(pose: Pose, size: Size) -> Self {
        Self::at(pose.at.pt(), pose.facing, size)
    }

    /// With the middle of the front edge off the grid of poses.
    pub fn at(front: Pt, facing: Angle, size: Size) -> Self {
        Self::looking(front, facing, facing.dir(), size)
    }

    /// With the direction of the facing already known.
    pub fn looking(front: Pt, facing: Angle, ahead: Dir, size: Size) -> Self {
        let (a, b) = (size.width / 2, size.depth / 2);
        let (corners, bounds) = outline(front, ahead, a, b);
        Self { front, centre: front - ahead.times(b), facing, ahead, a, b, corners, bounds }
    }

    /// How wide and deep it is.
    pub const fn size(&self) -> Size {
        Size { width: 2 * self.a, depth: 2 * self.b }
    }

    /// The same elsewhere.
    #[must_use]
    pub fn shifted(&self, by: Pt) -> Self {
        let mut r = *self;
        r.shift(by);
        r
    }

    /// Moves it.
    pub fn shift(&mut self, by: Pt) {
        self.front = self.front + by;
        self.centre = self.centre + by;
        for c in &mut self.corners {
            *c = *c + by;
        }
        self.bounds = self.bounds.shifted(by);
    }

    /// Pivots about the centre, the middle of the front moving by whole thousandths: the base of [`Pose::pivoted`].
    pub fn pivot(&mut self, facing: Angle) {
        let ahead = facing.dir();
        self.front = self.front + (ahead.times(self.b) - self.ahead.times(self.b)).spot().pt();
        self.centre = self.front - ahead.times(self.b);
        (self.facing, self.ahead) = (facing, ahead);
        (self.corners, self.bounds) = outline(self.front, ahead, self.a, self.b);
    }

    /// Turned about its middle.
    #[must_use]
    pub fn pivoted(&self, facing: Angle) -> Self {
        let mut r = *self;
        r.pivot(facing);
        r
    }

    /// The nearest pose on the grid.
    pub const fn pose(&self) -> Pose {
        Pose { at: self.front.spot(), facing: self.facing }
    }

    /// A point in the unit's own axes from its centre: to its right, and forward.
    pub fn local(&self, p: Pt) -> (i64, i64) {
        let d = p - self.centre;
        (self.ahead.right().along(d), self.ahead.along(d))
    }

    /// The point that lies `u` to the right of its middle and `v` ahead.
    pub fn from_local(&self, u: i64, v: i64) -> Pt {
        self.centre + self.ahead.right().times(u) + self.ahead.times(v)
    }

    /// The middle of the rear edge.
    pub fn rear_middle(&self) -> Pt {
        self.centre - self.ahead.times(self.b)
    }

    /// The point of the base closest to `p` (4.3.b).
    pub fn closest(&self, p: Pt) -> Pt {
        let (u, v) = self.local(p);
        self.from_local(u.clamp(-self.a, self.a), v.clamp(-self.b, self.b))
    }

    /// How far it is to a point; 0 inside.
    pub fn distance_to(&self, p: Pt) -> i64 {
        crate::grid::root(self.square_distance_to(p))
    }

    fn square_distance_to(&self, p: Pt) -> i64 {
        let (u, v) = self.local(p);
        Pt::new((u.abs() - self.a).max(0), (v.abs() - self.b).max(0)).norm2()
    }

    /// Closest-point distance of two bases, zero when they meet.
    pub fn distance(&self, o: &Self) -> i64 {
        if self.deeper_in(o, 0) {
            return 0;
        }
        let mine = o.corners.iter().map(|p| self.square_distance_to(*p)).min();
        let theirs = self.corners.iter().map(|p| o.square_distance_to(*p)).min();
        crate::grid::root(mine.min(theirs).unwrap_or(0))
    }

    /// How far a convex outline is away at least, by this base's own two axes alone; zero or less when they do not tell.
    pub fn gap(&self, outline: &(impl Convex + ?Sized)) -> i64 {
        self.gap_beside(outline, Pt::default())
    }

    /// The same of the ground that the base sweeps in a straight move.
    pub fn gap_on_way(&self, outline: &(impl Convex + ?Sized), by: Pt) -> i64 {
        self.gap_beside(outline, Pt::new(self.ahead.right().along(by), self.ahead.along(by)))
    }

    /// The same of the base drawn out by a vector in its own axes.
    #[inline]
    fn gap_beside(&self, outline: &(impl Convex + ?Sized), drawn: Pt) -> i64 {
        let (mut lo, mut hi) = (Pt::new(i64::MAX, i64::MAX), Pt::new(i64::MIN, i64::MIN));
        for p in outline.corners() {
            let (u, v) = self.local(*p);
            lo = Pt::new(lo.x.min(u), lo.y.min(v));
            hi = Pt::new(hi.x.max(u), hi.y.max(v));
        }
        let aside = (lo.x - drawn.x.max(0)).max(drawn.x.min(0) - hi.x) - self.a;
        let ahead = (lo.y - drawn.y.max(0)).max(drawn.y.min(0) - hi.y) - self.b;
        aside.max(ahead)
    }

    /// Is the closest-point distance at most `limit` (with the tolerance)?
    pub fn within(&self, o: &Self, limit: i64) -> bool {
        self.bounds.grown(limit + EPS).meets(&o.bounds) && self.distance(o) <= limit + EPS
    }

    /// The least translation that parts two bases; zero or less when they do not overlap.
    pub fn depth_of_overlap(&self, o: &Self) -> i64 {
        self.depth_on_own_axes(o).min(o.depth_on_own_axes(self))
    }

    fn depth_on_own_axes(&self, o: &Self) -> i64 {
        let d = o.centre - self.centre;
        let right = self.ahead.right();
        let (ou, ov) = (o.ahead.right().times(o.a), o.ahead.times(o.b));
        let along_u = right.along(ou).abs() + right.along(ov).abs();
        let along_v = self.ahead.along(ou).abs() + self.ahead.along(ov).abs();
        let u = self.a + along_u - right.along(d).abs();
        let v = self.b + along_v - self.ahead.along(d).abs();
        u.min(v)
    }

    /// Whether two of them share more than an edge.
    pub fn overlaps(&self, o: &Self) -> bool {
        self.deeper_in(o, EPS)
    }

    /// Is the overlap deeper than this? One base's axes part most of those that do not.
    #[inline]
    fn deeper_in(&self, o: &Self, by: i64) -> bool {
        self.bounds.meets(&o.bounds) && self.depth_on_own_axes(o) > by && o.depth_on_own_axes(self) > by
    }

    /// From the middle to a corner.
    pub fn half_diagonal(&self) -> i64 {
        Pt::new(self.a, self.b).length()
    }
}

/// Corners and box of a base.
#[inline]
fn outline(front: Pt, ahead: Dir, a: i64, b: i64) -> ([Pt; 4], Bounds) {
    let side = ahead.right().times(a);
    let back = ahead.times(2 * b);
    let corners = [front + side, front - side, front - side - back, front + side - back];
    (corners, Bounds::of(&corners))
}

/// A commander's round base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disc {
    /// The middle.
    pub centre: Pt,
    /// How far it reaches.
    pub radius: i64,
}

impl Disc {
    /// How far it is to a point; 0 inside.
    pub fn distance_to(&self, p: Pt) -> i64 {
        (self.centre.to(p) - self.radius).max(0)
    }

    /// How far it is to a base.
    pub fn distance(&self, rect: &Rect) -> i64 {
        (rect.distance_to(self.centre) - self.radius).max(0)
    }

    /// What it lies within.
    pub fn bounds(&self) -> Bounds {
        Bounds { lo: self.centre, hi: self.centre }.grown(self.radius)
    }
}
