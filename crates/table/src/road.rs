//! Roads: a centreline that a column can follow round its bends.

use crate::angle::Angle;
use crate::convex::{Bounds, closest_on_segment};
use crate::grid::Pt;

/// A road, as a line of points with the way along it.
#[derive(Clone, Debug)]
pub struct Road {
    points: Vec<Pt>,
    /// Length of the centreline up to each point.
    reached: Vec<i64>,
    bounds: Bounds,
}

impl Road {
    /// `None` for fewer than two points.
    pub fn new(points: Vec<Pt>) -> Option<Self> {
        if points.len() < 2 {
            return None;
        }
        let mut reached = vec![0];
        for pair in points.windows(2) {
            reached.push(reached[reached.len() - 1] + pair[0].to(pair[1]));
        }
        Some(Self { bounds: Bounds::of(&points), points, reached })
    }

    /// Its points, in order.
    pub fn points(&self) -> &[Pt] {
        &self.points
    }

    /// How long it is.
    pub fn length(&self) -> i64 {
        self.reached[self.reached.len() - 1]
    }

    /// How far along the centreline its nearest point to `p` lies, and how far away it is.
    pub fn nearest(&self, p: Pt) -> (i64, i64) {
        let mut best = (0, i64::MAX);
        for (i, pair) in self.points.windows(2).enumerate() {
            let c = closest_on_segment(p, (pair[0], pair[1]));
            let away = p.to(c);
            if away < best.1 {
                best = (self.reached[i] + pair[0].to(c), away);
            }
        }
        best
    }

    /// How far along the centreline its nearest point lies, if `p` is within so much of it.
    pub fn place_of(&self, p: Pt, within: i64) -> Option<i64> {
        if !self.bounds.grown(within).meets(&Bounds { lo: p, hi: p }) {
            return None;
        }
        let (along, away) = self.nearest(p);
        (away <= within).then_some(along)
    }

    fn leg(&self, along: i64) -> usize {
        let i = self.reached.partition_point(|r| *r <= along);
        i.clamp(1, self.points.len() - 1) - 1
    }

    /// The point so far along it.
    pub fn point(&self, along: i64) -> Pt {
        let along = along.clamp(0, self.length());
        let i = self.leg(along);
        let leg = (self.reached[i + 1] - self.reached[i]).max(1);
        self.points[i].part_way(self.points[i + 1], along - self.reached[i], leg)
    }

    /// The facing of someone who travels up the road (towards its last point) at this place; at a bend, of the leg
    /// that was travelled, which depends on the way one came.
    pub fn tangent(&self, along: i64, upward: bool) -> Angle {
        let along = along.clamp(0, self.length());
        let mut i = self.leg(along);
        if upward && i > 0 && self.reached[i] == along {
            i -= 1;
        }
        let a = Angle::of(self.points[i + 1] - self.points[i]);
        if upward { a } else { a.reversed() }
    }

    /// The corners of the way from one place to another, ends included.
    pub fn between(&self, from: i64, to: i64) -> Vec<Pt> {
        let (lo, hi) = (from.min(to), from.max(to));
        let mut way = vec![self.point(lo)];
        way.extend(
            self.points.iter().zip(&self.reached).filter(|(_, r)| lo < **r && **r < hi).map(|(p, _)| *p),
        );
        way.push(self.point(hi));
        if from > to {
            way.reverse();
        }
        way
    }
}
