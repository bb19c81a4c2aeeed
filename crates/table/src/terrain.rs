//! The lie of the land: areas cut into convex parts, lines without width, the table top.

use crate::convex::{
    Axis, Bounds, Convex, Hull, closest_on_segment, deeper_by_axes, deeper_than_eps, distance,
    distance_to_point, edges, unit_axis,
};
use crate::grid::{EPS, Pt, mul_div};
use crate::rect::Rect;
use arrayvec::ArrayVec;

/// A simple polygon, cut into convex parts when it is made.
#[derive(Clone, Debug)]
pub struct Area {
    outline: Vec<Pt>,
    parts: Vec<Part>,
    bounds: Bounds,
}

/// A convex part of an area, its box and the directions of its sides worked out once.
#[derive(Clone, Debug)]
pub struct Part {
    corners: Hull,
    bounds: Bounds,
    axes: ArrayVec<Option<Axis>, 12>,
}

impl Part {
    fn new(corners: Hull) -> Self {
        let axes = edges(&corners).map(|(p, q)| unit_axis(q - p)).collect();
        Self { bounds: Bounds::of(&corners), axes, corners }
    }
}

impl Convex for Part {
    fn corners(&self) -> &[Pt] {
        &self.corners
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn axis(&self, side: usize) -> Option<Axis> {
        self.axes[side]
    }
}

impl std::ops::Deref for Part {
    type Target = Hull;

    fn deref(&self) -> &Hull {
        &self.corners
    }
}

impl Area {
    /// `None` unless the outline is a simple polygon with an inside.
    pub fn new(mut outline: Vec<Pt>) -> Option<Self> {
        outline.dedup();
        if outline.len() > 1 && outline.first() == outline.last() {
            outline.pop();
        }
        if outline.len() < 3 || crosses_itself(&outline) {
            return None;
        }
        if doubled_area(&outline) < 0 {
            outline.reverse();
        }
        let parts = join(cut_ears(&outline)?).into_iter().map(Part::new).collect();
        Some(Self { bounds: Bounds::of(&outline), outline, parts })
    }

    /// A line of the given width, each leg squared off half a width beyond its ends so that bends are filled.
    pub fn ribbon(points: &[Pt], width: i64) -> Option<Self> {
        let mut parts = Vec::new();
        for leg in points.windows(2) {
            let side = leg[1] - leg[0];
            let length = side.length();
            if length == 0 {
                return None;
            }
            let on = Pt::new(mul_div(side.x, width / 2, length), mul_div(side.y, width / 2, length));
            let across = Pt::new(on.y, -on.x);
            let (a, b) = (leg[0] - on, leg[1] + on);
            parts.push([b + across, b - across, a - across, a + across].into_iter().collect::<Hull>());
        }
        let all: Vec<Pt> = parts.iter().flatten().copied().collect();
        let parts: Vec<Part> = parts.into_iter().map(Part::new).collect();
        (!all.is_empty()).then(|| Self { bounds: Bounds::of(&all), outline: points.to_vec(), parts })
    }

    pub fn outline(&self) -> &[Pt] {
        &self.outline
    }

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    pub const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Inside or on the border.
    pub fn contains(&self, p: Pt) -> bool {
        self.bounds.meets(&Bounds { lo: p, hi: p }) && self.parts.iter().any(|h| h.contains(p))
    }

    pub fn overlaps(&self, body: &(impl Convex + ?Sized)) -> bool {
        self.bounds.meets(&body.bounds()) && self.parts.iter().any(|h| deeper_than_eps(h, body))
    }

    pub fn distance(&self, body: &(impl Convex + ?Sized)) -> i64 {
        self.parts.iter().map(|h| distance(h, body)).min().unwrap_or(i64::MAX)
    }

    /// How far a base is away at least, less than zero if it stands inside: quicker than [`Self::distance`].
    pub fn clearance(&self, r: &Rect) -> i64 {
        self.parts.iter().map(|h| clearance(r, h)).min().unwrap_or(i64::MAX)
    }

    pub fn distance_to(&self, p: Pt) -> i64 {
        self.parts.iter().map(|h| distance_to_point(h, p)).min().unwrap_or(i64::MAX)
    }

    /// How much of a segment runs inside.
    pub fn chord(&self, a: Pt, b: Pt) -> i64 {
        if !self.bounds.meets(&Bounds::of(&[a, b])) {
            return 0;
        }
        // Parts of a ribbon overlap at bends, so the pieces are united before they are measured.
        let mut pieces: Vec<(i64, i64)> = self.parts.iter().filter_map(|h| part_inside(h, a, b)).collect();
        pieces.sort_unstable();
        let (mut total, mut end) = (0, 0);
        for (lo, hi) in pieces {
            total += (hi - lo.max(end)).max(0);
            end = end.max(hi);
        }
        mul_div(a.to(b), total, UNIT)
    }
}

/// The length of any segment in its own coordinate, in which [`part_inside`] gives shares.
pub const UNIT: i64 = 1 << 40;

/// The part of a segment inside a convex outline, as shares of its length.
pub fn part_inside(h: &[Pt], a: Pt, b: Pt) -> Option<(i64, i64)> {
    let (mut lo, mut hi) = (0, UNIT);
    for (p, q) in crate::convex::edges(h) {
        let (ga, gb) = ((q - p).cross(a - p), (q - p).cross(b - p));
        if ga < 0 && gb < 0 {
            return None;
        }
        if ga < 0 {
            lo = lo.max(mul_div(UNIT, -ga, gb - ga));
        } else if gb < 0 {
            hi = hi.min(mul_div(UNIT, ga, ga - gb));
        }
    }
    (hi > lo).then_some((lo, hi))
}

/// A line without width: a wall, a fence, a hedge.
#[derive(Clone, Debug)]
pub struct Line {
    points: Vec<Pt>,
    bounds: Bounds,
}

impl Line {
    pub fn new(points: Vec<Pt>) -> Option<Self> {
        (points.len() >= 2).then(|| Self { bounds: Bounds::of(&points), points })
    }

    pub fn points(&self) -> &[Pt] {
        &self.points
    }

    pub fn legs(&self) -> impl Iterator<Item = (Pt, Pt)> + '_ {
        self.points.windows(2).map(|w| (w[0], w[1]))
    }

    pub const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Does the line run through the inside of a body, deeper than EPS?
    pub fn crosses(&self, body: &(impl Convex + ?Sized)) -> bool {
        self.bounds.meets(&body.bounds()) && self.legs().any(|(a, b)| deeper_than_eps(&[a, b][..], body))
    }

    pub fn distance(&self, body: &(impl Convex + ?Sized)) -> i64 {
        self.legs().map(|(a, b)| distance(&[a, b][..], body)).min().unwrap_or(i64::MAX)
    }

    /// As [`Area::clearance`].
    pub fn clearance(&self, r: &Rect) -> i64 {
        self.legs().map(|(a, b)| clearance(r, &[a, b][..])).min().unwrap_or(i64::MAX)
    }

    pub fn distance_to(&self, p: Pt) -> i64 {
        self.legs().map(|s| p.to(closest_on_segment(p, s))).min().unwrap_or(i64::MAX)
    }

    /// Does a segment cross or touch the line?
    pub fn crossed_by(&self, a: Pt, b: Pt) -> bool {
        self.legs().any(|(p, q)| segments_meet(a, b, p, q))
    }
}

fn clearance(r: &Rect, body: &(impl Convex + ?Sized)) -> i64 {
    let gap = r.gap(body);
    if gap > EPS {
        gap
    } else if deeper_by_axes(body, r) {
        -1
    } else {
        distance(body, r)
    }
}

/// The table: from the origin to its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableTop {
    pub width: i64,
    pub height: i64,
}

impl TableTop {
    /// A base may touch the edge but not cross it.
    pub const fn holds(&self, r: &Rect) -> bool {
        let b = &r.bounds;
        b.lo.x >= -EPS && b.lo.y >= -EPS && b.hi.x <= self.width + EPS && b.hi.y <= self.height + EPS
    }

    pub const fn holds_point(&self, p: Pt) -> bool {
        p.x >= 0 && p.y >= 0 && p.x <= self.width && p.y <= self.height
    }
}

fn doubled_area(outline: &[Pt]) -> i64 {
    let o = outline[0];
    outline.windows(2).map(|w| (w[0] - o).cross(w[1] - o)).sum()
}

fn segments_meet(a: Pt, b: Pt, c: Pt, d: Pt) -> bool {
    let (s1, s2) = ((b - a).cross(c - a).signum(), (b - a).cross(d - a).signum());
    let (s3, s4) = ((d - c).cross(a - c).signum(), (d - c).cross(b - c).signum());
    if s1 == 0 && s2 == 0 {
        return Bounds::of(&[a, b]).meets(&Bounds::of(&[c, d]));
    }
    s1 * s2 <= 0 && s3 * s4 <= 0
}

fn crosses_itself(outline: &[Pt]) -> bool {
    let n = outline.len();
    let side = |i: usize| (outline[i], outline[(i + 1) % n]);
    (0..n).any(|i| {
        (i + 2..n).filter(|j| (j + 1) % n != i).any(|j| {
            let ((a, b), (c, d)) = (side(i), side(j));
            segments_meet(a, b, c, d)
        })
    })
}

/// Cuts a counter-clockwise outline into triangles, ear by ear.
fn cut_ears(outline: &[Pt]) -> Option<Vec<Hull>> {
    let mut rest = outline.to_vec();
    let mut out = Vec::new();
    while rest.len() > 3 {
        let n = rest.len();
        let ear = (0..n).find(|i| is_ear(&rest, *i))?;
        let (a, b, c) = (rest[(ear + n - 1) % n], rest[ear], rest[(ear + 1) % n]);
        if (b - a).cross(c - b) > 0 {
            out.push([a, b, c].into_iter().collect());
        }
        rest.remove(ear);
    }
    if doubled_area(&rest) > 0 {
        out.push(rest.into_iter().collect());
    }
    (!out.is_empty()).then_some(out)
}

fn is_ear(rest: &[Pt], i: usize) -> bool {
    let n = rest.len();
    let (p, q) = ((i + n - 1) % n, (i + 1) % n);
    let (a, b, c) = (rest[p], rest[i], rest[q]);
    let turn = (b - a).cross(c - b);
    if turn == 0 {
        return true; // a corner that is none
    }
    turn > 0
        && (0..n).filter(|j| ![p, i, q].contains(j)).all(|j| {
            let x = rest[j];
            let within = (b - a).cross(x - a) >= 0 && (c - b).cross(x - b) >= 0 && (a - c).cross(x - c) >= 0;
            !within || x == a || x == b || x == c
        })
}

/// Joins neighbouring parts as long as the whole stays convex and short.
fn join(mut parts: Vec<Hull>) -> Vec<Hull> {
    'again: loop {
        for i in 0..parts.len() {
            for j in i + 1..parts.len() {
                if let Some(both) = joined(&parts[i], &parts[j]) {
                    parts[i] = both;
                    parts.remove(j);
                    continue 'again;
                }
            }
        }
        return parts;
    }
}

fn joined(a: &Hull, b: &Hull) -> Option<Hull> {
    let (n, m) = (a.len(), b.len());
    for i in 0..n {
        for j in 0..m {
            // The side a[i] -> a[i+1] is b[j+1] <- b[j].
            if a[i] == b[(j + 1) % m] && a[(i + 1) % n] == b[j] && n + m - 2 <= a.capacity() {
                let mut out = Hull::new();
                out.extend((0..n).map(|k| a[(i + 1 + k) % n]));
                out.extend((2..m).map(|k| b[(j + k) % m]));
                let convex = (0..out.len()).all(|k| {
                    let (p, q, r) = (out[k], out[(k + 1) % out.len()], out[(k + 2) % out.len()]);
                    (q - p).cross(r - q) >= 0
                });
                return convex.then_some(out);
            }
        }
    }
    None
}
