//! What of an edge can be seen from a unit leader point.
//!
//! In the frame of the presented edge (x along it, h from the eye towards it) the shadow of a convex body is one
//! interval: cut the body to the strip between eye and edge and throw its corners onto the edge from the eye. Shadows
//! are united, taken from the part of the edge that lies in the viewer's front arc, and what is left is exact.

use crate::angle::Dir;
use crate::arcs::Side;
use crate::convex::{Bounds, Convex};
use crate::grid::{EPS, Pt, div_round, mul_div};
use crate::rect::Rect;
use arrayvec::ArrayVec;
use smallvec::SmallVec;

/// A stretch of an edge, in working units from its left end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Where it begins.
    pub lo: i64,
    /// Where it ends.
    pub hi: i64,
}

/// Disjoint stretches, from left to right.
pub type Spans = ArrayVec<Span, 24>;

/// How far a shadow may run: beyond every table.
const FAR: i64 = i64::MAX / 4;

/// A shadow, with the width at each end below which a slit to the next one is no slit (touching blockers, R7).
#[derive(Clone, Copy, Debug)]
struct Shadow {
    lo: i64,
    hi: i64,
    lo_slack: i64,
    hi_slack: i64,
}

/// Looking from a unit leader point at one edge of a target.
#[derive(Clone, Debug)]
pub struct Look {
    eye: Pt,
    along: Dir,
    towards: Dir,
    /// Distance of the eye from the line of the edge, and the x of the edge's left end seen from the eye.
    height: i64,
    left: i64,
    /// How far it is.
    pub length: i64,
    /// The part of the edge in the viewer's front arc.
    arc: Option<Span>,
    triangle: Bounds,
    shadows: SmallVec<[Shadow; 8]>,
}

impl Look {
    /// `None` when the edge does not show its outer side to the eye.
    pub fn at(viewer: &Rect, target: &Rect, side: Side) -> Option<Self> {
        let eye = viewer.front;
        let (start, end) = target.edge(side);
        let outward = turned(target.ahead, side);
        let (along, towards) = (outward.right(), outward.back());
        let height = towards.along(start - eye);
        if height <= 0 {
            return None;
        }
        let length = target.edge_length(side);
        Some(Self {
            eye,
            along,
            towards,
            height,
            left: along.along(start - eye),
            length,
            arc: in_front_arc(viewer, start, end, length),
            triangle: Bounds::of(&[eye, start, end]),
            shadows: SmallVec::new(),
        })
    }

    /// Does any of the edge lie in the viewer's front arc?
    pub const fn is_ahead(&self) -> bool {
        self.arc.is_some()
    }

    /// A body that hides what lies behind it.
    pub fn blocked_by(&mut self, body: &(impl Convex + ?Sized)) {
        if !self.triangle.meets(&body.bounds()) {
            return;
        }
        if let Some(shadow) = self.shadow(body.corners(), false) {
            self.shadows.push(shadow);
        }
    }

    /// The stretch of the edge to which sight crosses the inside of a body.
    pub fn crossing(&self, body: &(impl Convex + ?Sized)) -> Option<Span> {
        if !self.triangle.meets(&body.bounds()) {
            return None;
        }
        self.shadow(body.corners(), false).and_then(|s| self.on_edge(s))
    }

    /// The stretch of the edge to which sight crosses a line; a line along the edge itself is crossed.
    pub fn crossing_line(&self, a: Pt, b: Pt) -> Option<Span> {
        self.shadow(&[a, b], true).and_then(|s| self.on_edge(s))
    }

    /// What is seen of the edge.
    pub fn seen(&mut self) -> Spans {
        self.unite_shadows();
        let mut out = Spans::new();
        let Some(arc) = self.arc else { return out };
        let mut from = arc.lo;
        for s in &self.shadows {
            if s.lo > from {
                push(&mut out, Span { lo: from, hi: s.lo.min(arc.hi) });
            }
            from = from.max(s.hi);
            if from >= arc.hi {
                break;
            }
        }
        push(&mut out, Span { lo: from, hi: arc.hi });
        out
    }

    /// The point of the edge at `s`.
    pub fn point(&self, s: i64) -> Pt {
        self.eye + self.along.times(self.left + s) + self.towards.times(self.height)
    }

    /// Where it begins.
    pub const fn eye(&self) -> Pt {
        self.eye
    }

    /// Where on the edge's line the ray through `p` arrives, if `p` lies ahead of the eye.
    pub fn cast(&self, p: Pt) -> Option<i64> {
        let h = self.towards.along(p - self.eye);
        (h > 0).then(|| mul_div(self.along.along(p - self.eye), self.height, h) - self.left)
    }

    fn on_edge(&self, s: Shadow) -> Option<Span> {
        let span = Span { lo: s.lo.max(0), hi: s.hi.min(self.length) };
        (span.hi > span.lo).then_some(span)
    }

    fn shadow(&self, corners: &[Pt], thin: bool) -> Option<Shadow> {
        let mut throw = Throw::new(self);
        let mut local: ArrayVec<Pt, 16> = ArrayVec::new();
        for c in corners.iter().take(16) {
            let d = *c - self.eye;
            local.push(Pt::new(self.along.along(d), self.towards.along(d)));
        }
        let mut before = *local.last()?;
        for p in local {
            throw.side(before, p);
            before = p;
        }
        throw.finish(thin)
    }

    fn unite_shadows(&mut self) {
        self.shadows.sort_unstable_by_key(|s| (s.lo, s.hi));
        let mut kept = 0;
        for i in 0..self.shadows.len() {
            let s = self.shadows[i];
            match self.shadows[..kept].last_mut() {
                Some(last) if s.lo - last.hi <= last.hi_slack.max(s.lo_slack) => {
                    if s.hi > last.hi {
                        last.hi = s.hi;
                        last.hi_slack = s.hi_slack;
                    }
                }
                _ => {
                    self.shadows[kept] = s;
                    kept += 1;
                }
            }
        }
        self.shadows.truncate(kept);
    }
}

/// Collects the cut corners of one body and their images on the edge.
struct Throw<'a> {
    look: &'a Look,
    shadow: Shadow,
    nearest: i64,
    farthest: i64,
}

impl<'a> Throw<'a> {
    fn new(look: &'a Look) -> Self {
        let shadow = Shadow { lo: FAR, hi: -FAR, lo_slack: 0, hi_slack: 0 };
        Self { look, shadow, nearest: FAR, farthest: -FAR }
    }

    /// One side of the outline, cut to the strip between the eye and the edge.
    fn side(&mut self, p: Pt, q: Pt) {
        let (p, q) = if p.y <= q.y { (p, q) } else { (q, p) };
        let top = self.look.height;
        if q.y < 0 || p.y > top {
            return;
        }
        let at = |h: i64| Pt::new(p.x + mul_div(q.x - p.x, h - p.y, q.y - p.y), h);
        self.corner(if p.y < 0 { at(0) } else { p });
        self.corner(if q.y > top { at(top) } else { q });
    }

    fn corner(&mut self, p: Pt) {
        self.nearest = self.nearest.min(p.y);
        self.farthest = self.farthest.max(p.y);
        let (s, slack) = if p.y > EPS {
            (div_round(p.x * self.look.height, p.y) - self.look.left, EPS * self.look.height / p.y)
        } else if p.x.abs() <= EPS {
            return; // the eye itself
        } else {
            (if p.x > 0 { FAR } else { -FAR }, 0)
        };
        if s < self.shadow.lo {
            self.shadow.lo = s;
            self.shadow.lo_slack = slack;
        }
        if s > self.shadow.hi {
            self.shadow.hi = s;
            self.shadow.hi_slack = slack;
        }
    }

    fn finish(self, thin: bool) -> Option<Shadow> {
        let between = self.farthest > EPS && (thin || self.nearest < self.look.height - EPS);
        (between && self.shadow.hi > self.shadow.lo).then_some(self.shadow)
    }
}

fn turned(ahead: Dir, side: Side) -> Dir {
    match side {
        Side::Front => ahead,
        Side::Right => ahead.right(),
        Side::Rear => ahead.back(),
        Side::Left => ahead.left(),
    }
}

/// The part of an edge in the front arc, which is convex: v > 0 and v - b >= |u| - a.
fn in_front_arc(viewer: &Rect, start: Pt, end: Pt, length: i64) -> Option<Span> {
    let ((u0, v0), (u1, v1)) = (viewer.local(start), viewer.local(end));
    let slope = viewer.a - viewer.b + EPS;
    let mut span = Span { lo: 0, hi: length };
    for (g0, g1) in [(v0, v1), (v0 - u0 + slope, v1 - u1 + slope), (v0 + u0 + slope, v1 + u1 + slope)] {
        if g0 < 0 && g1 < 0 {
            return None;
        }
        if g0 < 0 {
            span.lo = span.lo.max(mul_div(length, -g0, g1 - g0));
        } else if g1 < 0 {
            span.hi = span.hi.min(mul_div(length, g0, g0 - g1));
        }
    }
    (span.hi > span.lo).then_some(span)
}

fn push(out: &mut Spans, s: Span) {
    if s.hi > s.lo {
        let _ = out.try_push(s);
    }
}

/// The total length of disjoint stretches.
pub fn length(spans: &[Span]) -> i64 {
    spans.iter().map(|s| s.hi - s.lo).sum()
}

/// Stretches in any order, sorted and united.
pub fn unite(mut spans: Spans) -> Spans {
    spans.sort_unstable_by_key(|s| (s.lo, s.hi));
    let mut out = Spans::new();
    for s in spans {
        match out.last_mut() {
            Some(last) if s.lo <= last.hi => last.hi = last.hi.max(s.hi),
            _ => push(&mut out, s),
        }
    }
    out
}

/// What two lists of disjoint stretches have in common.
pub fn meet(a: &[Span], b: &[Span]) -> Spans {
    let mut out = Spans::new();
    for s in a {
        for t in b {
            push(&mut out, Span { lo: s.lo.max(t.lo), hi: s.hi.min(t.hi) });
        }
    }
    out
}

/// The first list without the second.
pub fn subtract(a: &[Span], b: &[Span]) -> Spans {
    let mut out = Spans::new();
    for s in a {
        let mut from = s.lo;
        for t in b {
            if t.hi <= from || t.lo >= s.hi {
                continue;
            }
            push(&mut out, Span { lo: from, hi: t.lo });
            from = from.max(t.hi);
        }
        push(&mut out, Span { lo: from, hi: s.hi });
    }
    out
}
