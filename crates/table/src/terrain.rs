//! The lie of the land: areas cut into convex parts, lines without width, the table top.

use crate::convex::{
    Axis, Bounds, Convex, Hull, closest_on_segment, deeper_by_axes, deeper_than_eps, distance,
    distance_to_point, edges, unit_axis,
};
use crate::grid::{EPS, MIL, Pt, mul_div};
use crate::rect::Rect;
use arrayvec::ArrayVec;

/// The most corners an outline may have, and the most points a line: what is read from a file is checked against it, so
/// that a table is set up in milliseconds whoever wrote it.
pub const MAX_CORNERS: usize = 200;
/// The most corners and points that all the terrain of a table may have together.
pub const MAX_POINTS: usize = 4_000;

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
    /// `None` unless the outline is a simple polygon with an inside and at most [`MAX_CORNERS`] corners.
    pub fn new(mut outline: Vec<Pt>) -> Option<Self> {
        outline.dedup();
        if outline.len() > 1 && outline.first() == outline.last() {
            outline.pop();
        }
        if !(3..=MAX_CORNERS).contains(&outline.len()) || crosses_itself(&outline) {
            return None;
        }
        if doubled_area(&outline) < 0 {
            outline.reverse();
        }
        let parts = join(triangles(&outline)?).into_iter().map(Part::new).collect();
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

    /// Its outline.
    pub fn outline(&self) -> &[Pt] {
        &self.outline
    }

    /// The convex parts it is made of.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// What it lies within.
    pub const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Inside or on the border.
    pub fn contains(&self, p: Pt) -> bool {
        self.bounds.meets(&Bounds { lo: p, hi: p }) && self.parts.iter().any(|h| h.contains(p))
    }

    /// Whether a body lies in it, even by a little.
    pub fn overlaps(&self, body: &(impl Convex + ?Sized)) -> bool {
        self.bounds.meets(&body.bounds()) && self.parts.iter().any(|h| deeper_than_eps(h, body))
    }

    /// How far it is to a body; 0 where they touch.
    pub fn distance(&self, body: &(impl Convex + ?Sized)) -> i64 {
        self.parts.iter().map(|h| distance(h, body)).min().unwrap_or(i64::MAX)
    }

    /// How far a base is away at least, less than zero if it stands inside: quicker than [`Self::distance`].
    pub fn clearance(&self, r: &Rect) -> i64 {
        self.parts.iter().map(|h| clearance(r, h)).min().unwrap_or(i64::MAX)
    }

    /// How far it is to a point.
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
    /// A line through these points; none if there are fewer than two.
    pub fn new(points: Vec<Pt>) -> Option<Self> {
        (points.len() >= 2).then(|| Self { bounds: Bounds::of(&points), points })
    }

    /// Its points, in order.
    pub fn points(&self) -> &[Pt] {
        &self.points
    }

    /// Each stretch from point to point.
    pub fn legs(&self) -> impl Iterator<Item = (Pt, Pt)> + '_ {
        self.points.windows(2).map(|w| (w[0], w[1]))
    }

    /// What it lies within.
    pub const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Does the line run through the inside of a body, deeper than EPS?
    pub fn crosses(&self, body: &(impl Convex + ?Sized)) -> bool {
        self.bounds.meets(&body.bounds()) && self.legs().any(|(a, b)| deeper_than_eps(&[a, b][..], body))
    }

    /// How far it is to a body; 0 where they touch.
    pub fn distance(&self, body: &(impl Convex + ?Sized)) -> i64 {
        self.legs().map(|(a, b)| distance(&[a, b][..], body)).min().unwrap_or(i64::MAX)
    }

    /// As [`Area::clearance`].
    pub fn clearance(&self, r: &Rect) -> i64 {
        self.legs().map(|(a, b)| clearance(r, &[a, b][..])).min().unwrap_or(i64::MAX)
    }

    /// How far it is to a point.
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
    /// From west to east.
    pub width: i64,
    /// From south to north.
    pub height: i64,
}

impl TableTop {
    /// A base may touch the edge but not cross it.
    pub const fn holds(&self, r: &Rect) -> bool {
        let b = &r.bounds;
        b.lo.x >= -EPS && b.lo.y >= -EPS && b.hi.x <= self.width + EPS && b.hi.y <= self.height + EPS
    }

    /// Whether a point lies on the table.
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

/// Cuts a counter-clockwise outline into triangles. Thousandths of an inch, the grid on which outlines are written, are
/// whole numbers there, so that no rounding decides; should the parts not fill the outline there is no answer.
fn triangles(outline: &[Pt]) -> Option<Vec<Hull>> {
    let mils = |units: i64| units as f64 / MIL as f64;
    let mut corners: Vec<usize> = Vec::new();
    earcut::Earcut::new().earcut(outline.iter().map(|p| [mils(p.x), mils(p.y)]), &[], &mut corners);
    let mut out: Vec<Hull> = Vec::with_capacity(corners.len() / 3);
    for triangle in corners.chunks_exact(3) {
        let [a, b, c] = [outline[triangle[0]], outline[triangle[1]], outline[triangle[2]]];
        match (b - a).cross(c - b).signum() {
            1 => out.push([a, b, c].into_iter().collect()),
            -1 => out.push([a, c, b].into_iter().collect()),
            _ => {}
        }
    }
    let filled: i128 = out.iter().map(|part| i128::from(doubled_area(part))).sum();
    (!out.is_empty() && filled == i128::from(doubled_area(outline))).then_some(out)
}

/// Joins neighbouring parts as long as the whole stays convex and short.
fn join(mut parts: Vec<Hull>) -> Vec<Hull> {
    let mut i = 0;
    while i < parts.len() {
        let found = (i + 1..parts.len()).find_map(|j| Some((j, joined(&parts[i], &parts[j])?)));
        match found {
            Some((j, both)) => {
                parts[i] = both;
                parts.swap_remove(j);
            }
            None => i += 1,
        }
    }
    parts
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::INCH;

    /// A comb: as many teeth as it takes, and every second corner a notch.
    fn comb(corners: usize) -> Vec<Pt> {
        let teeth = (corners - 2) as i64;
        let mut outline: Vec<Pt> =
            (0..teeth).map(|i| Pt::new(i * INCH / 4, if i % 2 == 0 { INCH } else { 20 * INCH })).collect();
        outline.push(Pt::new((teeth - 1) * INCH / 4, 0));
        outline.push(Pt::new(0, 0));
        outline
    }

    #[test]
    fn outlines_have_so_many_corners_and_no_more() {
        let area = Area::new(comb(MAX_CORNERS)).expect("as many as allowed");
        let filled: i64 = area.parts().iter().map(|part| doubled_area(part)).sum();
        assert_eq!(filled, doubled_area(area.outline()), "the parts fill the outline");
        assert!(Area::new(comb(MAX_CORNERS + 1)).is_none());
    }
}
