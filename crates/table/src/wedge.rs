//! The wedge of fire of a stand: apex at the middle of its front, a half angle to either side, closed.

use crate::angle::{Angle, Dir};
use crate::convex::{Convex, Hull, distance_to_point};
use crate::grid::{EPS, Pt, mul_div};

/// The ground between two rays from an edge: an arc of fire or of sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wedge {
    apex: Pt,
    /// The bounding rays.
    left: Dir,
    right: Dir,
}

impl Wedge {
    /// `half` is the half angle in hundredths of a degree, below 90 degrees.
    pub fn new(apex: Pt, facing: Angle, half: i32) -> Self {
        Self { apex, left: facing.turned(-half).dir(), right: facing.turned(half).dir() }
    }

    /// The same wedge with its apex elsewhere.
    #[must_use]
    pub fn at(self, apex: Pt) -> Self {
        Self { apex, ..self }
    }

    /// In the wedge, or within EPS of it on the outside of a ray.
    pub fn contains(&self, p: Pt) -> bool {
        let d = p - self.apex;
        self.left.right().along(d) >= -EPS && self.right.left().along(d) >= -EPS
    }

    /// The part of a convex outline that lies in the wedge.
    pub fn cut(&self, body: &(impl Convex + ?Sized)) -> Hull {
        let first = keep(body.corners(), self.apex, self.left.right());
        keep(&first, self.apex, self.right.left())
    }

    /// Whether any of a body lies in it.
    pub fn meets(&self, body: &(impl Convex + ?Sized)) -> bool {
        !self.cut(body).is_empty()
    }

    /// From the apex to the nearest point of the body that lies in the wedge.
    pub fn range(&self, body: &(impl Convex + ?Sized)) -> Option<i64> {
        let part = self.cut(body);
        (!part.is_empty()).then(|| distance_to_point(&part, self.apex))
    }
}

/// The part of an outline on the inner side of a line through `origin`.
fn keep(corners: &[Pt], origin: Pt, inward: Dir) -> Hull {
    let mut out = Hull::new();
    let Some(mut before) = corners.last().copied() else { return out };
    let inside = |p: Pt| inward.along(p - origin) + EPS;
    for p in corners {
        let (g0, g1) = (inside(before), inside(*p));
        if (g0 < 0) != (g1 < 0) {
            let d = *p - before;
            let _ = out.try_push(before + Pt::new(mul_div(d.x, g0, g0 - g1), mul_div(d.y, g0, g0 - g1)));
        }
        if g1 >= 0 {
            let _ = out.try_push(*p);
        }
        before = *p;
    }
    out
}
