//! Convex outlines: bounds, distance, depth of overlap, hulls.
//!
//! Everything that occupies ground (a base, a swept move, a part of a wood) is at last a short counter-clockwise list of
//! corners. The tests are by separating axes, with the penetration measured so that "deeper than EPS" is literal.

use crate::grid::{EPS, Pt, mul_div};
use arrayvec::ArrayVec;

/// The corners of a convex outline, counter-clockwise, held inline.
pub type Hull = ArrayVec<Pt, 12>;

/// An axis-parallel box: the broad phase of every test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The corner to the south-west.
    pub lo: Pt,
    /// The corner to the north-east.
    pub hi: Pt,
}

impl Bounds {
    /// The smallest that holds all these points.
    pub fn of(points: &[Pt]) -> Self {
        let mut b = Self { lo: points[0], hi: points[0] };
        for p in &points[1..] {
            b.take_in(*p);
        }
        b
    }

    /// Grows to hold a point.
    pub fn take_in(&mut self, p: Pt) {
        self.lo = Pt::new(self.lo.x.min(p.x), self.lo.y.min(p.y));
        self.hi = Pt::new(self.hi.x.max(p.x), self.hi.y.max(p.y));
    }

    /// Wider by so much on each hand.
    #[must_use]
    pub const fn grown(self, by: i64) -> Self {
        Self { lo: Pt::new(self.lo.x - by, self.lo.y - by), hi: Pt::new(self.hi.x + by, self.hi.y + by) }
    }

    /// The same elsewhere.
    #[must_use]
    pub fn shifted(self, by: Pt) -> Self {
        Self { lo: self.lo + by, hi: self.hi + by }
    }

    /// The box round both.
    #[must_use]
    pub fn with(mut self, o: &Self) -> Self {
        self.take_in(o.lo);
        self.take_in(o.hi);
        self
    }

    /// Whether two of them touch.
    pub const fn meets(&self, o: &Self) -> bool {
        self.lo.x <= o.hi.x && o.lo.x <= self.hi.x && self.lo.y <= o.hi.y && o.lo.y <= self.hi.y
    }
}

/// Anything with a convex outline.
pub trait Convex {
    /// Counter-clockwise corners; two of them for a segment, one for a point.
    fn corners(&self) -> &[Pt];

    /// What it lies within.
    fn bounds(&self) -> Bounds {
        Bounds::of(self.corners())
    }

    /// How many of the sides, counted from the first corner, have directions of their own; the others are opposite to
    /// one of them and part nothing that it does not.
    fn directions(&self) -> usize {
        match self.corners().len() {
            2 => 1,
            n => n,
        }
    }

    /// The direction across one of its sides.
    fn axis(&self, side: usize) -> Option<Axis> {
        let corners = self.corners();
        unit_axis(corners[(side + 1) % corners.len()] - corners[side])
    }

    /// Whether a point lies in it or on its edge.
    fn contains(&self, p: Pt) -> bool {
        edges(self.corners()).all(|(a, b)| (b - a).cross(p - a) >= 0)
    }
}

impl Convex for [Pt] {
    fn corners(&self) -> &[Pt] {
        self
    }
}

impl Convex for Hull {
    fn corners(&self) -> &[Pt] {
        self
    }
}

/// The sides of an outline, in order; a segment has its two directions.
pub(crate) fn edges(corners: &[Pt]) -> impl Iterator<Item = (Pt, Pt)> + '_ {
    let n = corners.len();
    (0..n).map(move |i| (corners[i], corners[if i + 1 == n { 0 } else { i + 1 }]))
}

/// A direction and its length.
pub type Axis = (Pt, i64);

/// The length of axes, as a power of two.
pub(crate) const AXIS_BITS: u32 = 24;

/// The directions that can separate two outlines, scaled to about a million so that projections stay small.
pub(crate) fn axes<'a>(
    a: &'a (impl Convex + ?Sized),
    b: &'a (impl Convex + ?Sized),
) -> impl Iterator<Item = Axis> + 'a {
    let of_a = (0..a.directions()).filter_map(|i| a.axis(i));
    of_a.chain((0..b.directions()).filter_map(|i| b.axis(i)))
}

/// The sides that can tell outlines apart.
fn directed(a: &(impl Convex + ?Sized)) -> impl Iterator<Item = (Pt, Pt)> + '_ {
    edges(a.corners()).take(a.directions())
}

/// A vector at right angles to `side`, with its length.
pub(crate) fn unit_axis(side: Pt) -> Option<Axis> {
    const SCALE: i64 = 1 << AXIS_BITS;
    let length = side.length();
    if length == 0 {
        return None;
    }
    let axis = Pt::new(mul_div(side.y, SCALE, length), mul_div(-side.x, SCALE, length));
    Some((axis, SCALE))
}

/// How deep two outlines penetrate each other: the least translation that parts them; zero or less when apart
/// (then it is no distance, only a bound).
pub fn depth(a: &(impl Convex + ?Sized), b: &(impl Convex + ?Sized)) -> i64 {
    let sides = axes(a, b);
    let (a, b) = (a.corners(), b.corners());
    let origin = a[0];
    let mut least = i64::MAX;
    for (axis, scale) in sides {
        let (alo, ahi) = reach_from(a, axis, origin);
        let (blo, bhi) = reach_from(b, axis, origin);
        least = least.min((ahi - blo).min(bhi - alo).div_euclid(scale));
        if least <= 0 {
            return least;
        }
    }
    least
}

pub(crate) fn reach_from(corners: &[Pt], axis: Pt, origin: Pt) -> (i64, i64) {
    let (mut lo, mut hi) = (i64::MAX, i64::MIN);
    for p in corners {
        let at = axis.dot(*p - origin);
        lo = lo.min(at);
        hi = hi.max(at);
    }
    (lo, hi)
}

/// Overlap in the sense of the rulings: penetration deeper than EPS on every axis, compared by squares.
pub fn deeper_than_eps(a: &(impl Convex + ?Sized), b: &(impl Convex + ?Sized)) -> bool {
    a.bounds().meets(&b.bounds()) && deeper_by_axes(a, b)
}

/// The same when the boxes are known to meet, or hardly worth a look.
pub(crate) fn deeper_by_axes(a: &(impl Convex + ?Sized), b: &(impl Convex + ?Sized)) -> bool {
    let mut sides = directed(a).chain(directed(b));
    let (a, b) = (a.corners(), b.corners());
    let origin = a[0];
    sides.all(|(p, q)| {
        let side = q - p;
        if side == Pt::default() {
            return true;
        }
        let axis = Pt::new(side.y, -side.x);
        let (alo, ahi) = reach_from(a, axis, origin);
        let (blo, bhi) = reach_from(b, axis, origin);
        let overlap = (ahi - blo).min(bhi - alo);
        // No axis is longer than its two parts together.
        overlap > 0
            && (overlap > EPS * (axis.x.abs() + axis.y.abs())
                || i128::from(overlap).pow(2) > i128::from(EPS * EPS) * i128::from(axis.norm2()))
    })
}

/// The closest point of a segment.
pub fn closest_on_segment(p: Pt, (a, b): (Pt, Pt)) -> Pt {
    let side = b - a;
    let square = side.norm2();
    let along = (p - a).dot(side);
    if square == 0 || along <= 0 {
        a
    } else if along >= square {
        b
    } else {
        a + Pt::new(mul_div(side.x, along, square), mul_div(side.y, along, square))
    }
}

/// From a point to the nearest point of a segment.
pub fn distance_to_segment(p: Pt, segment: (Pt, Pt)) -> i64 {
    p.to(closest_on_segment(p, segment))
}

/// The distance of a point from an outline, zero inside.
pub fn distance_to_point(a: &(impl Convex + ?Sized), p: Pt) -> i64 {
    if a.corners().len() > 2 && a.contains(p) {
        return 0;
    }
    edges(a.corners()).map(|s| distance_to_segment(p, s)).min().unwrap_or(i64::MAX)
}

/// Have two outlines more than borders in common?
fn overlap(a: &(impl Convex + ?Sized), b: &(impl Convex + ?Sized)) -> bool {
    let mut sides = directed(a).chain(directed(b));
    let (a, b) = (a.corners(), b.corners());
    let origin = a[0];
    sides.all(|(p, q)| {
        let axis = Pt::new(q.y - p.y, p.x - q.x);
        let (alo, ahi) = reach_from(a, axis, origin);
        let (blo, bhi) = reach_from(b, axis, origin);
        axis == Pt::default() || (ahi > blo && bhi > alo)
    })
}

/// The distance of the closest points of two outlines, zero when they meet.
pub fn distance(a: &(impl Convex + ?Sized), b: &(impl Convex + ?Sized)) -> i64 {
    if a.bounds().meets(&b.bounds()) && overlap(a, b) {
        return 0;
    }
    let (a, b) = (a.corners(), b.corners());
    let mut least = i64::MAX;
    for (points, sides) in [(a, b), (b, a)] {
        for side in edges(sides) {
            for p in points {
                least = least.min((*p - closest_on_segment(*p, side)).norm2());
            }
        }
    }
    crate::grid::root(least)
}

/// The convex hull of at most twelve points.
pub fn hull(points: &[Pt]) -> Hull {
    let mut sorted: ArrayVec<Pt, 16> = points.iter().copied().collect();
    sorted.sort_unstable();
    let mut out = Hull::new();
    let half = |out: &mut Hull, from: usize, p: Pt| {
        while out.len() >= from + 2 {
            let (a, b) = (out[out.len() - 2], out[out.len() - 1]);
            if (b - a).cross(p - b) > 0 {
                break;
            }
            out.pop();
        }
        out.push(p);
    };
    for p in &sorted {
        half(&mut out, 0, *p);
    }
    let upper = out.len() - 1;
    for p in sorted.iter().rev().skip(1) {
        half(&mut out, upper, *p);
    }
    if out.len() > 1 {
        out.pop();
    }
    out
}
