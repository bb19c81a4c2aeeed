//! Chapters 2.5, 6.2 and 8.5: line of sight, cover and obscurement, by exact intervals on the presented edge.

use arrayvec::ArrayVec;
use table::{EPS, INCH, Look, Pt, Rect, Side as Edge, Span, Spans, length, meet, unite};

use crate::field::Field;
use crate::rules::charts::{COVER, GLIMPSE};
use crate::rules::terrain::Blocks;
use crate::setup::ground::{Feature, Shape};
use crate::setup::pieces::UnitId;

/// What one unit sees of another.
#[derive(Debug, Clone)]
pub struct Sight {
    /// The edge that the target presents (R4).
    pub presented: Edge,
    /// Its length, and how much of it is seen.
    pub length: i64,
    pub visible: i64,
    /// Seen over all edges that face the viewer (R6).
    pub any: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    None,
    Partial,
    Full,
}

impl Sight {
    pub fn kind(&self) -> Kind {
        if self.any <= GLIMPSE {
            Kind::None
        } else if 2 * self.visible >= self.length - 2 * EPS {
            Kind::Full
        } else {
            Kind::Partial
        }
    }

    pub fn exists(&self) -> bool {
        self.kind() != Kind::None
    }
}

impl Field<'_> {
    pub fn sight(&self, viewer: UnitId, target: UnitId) -> Sight {
        self.sight_from(viewer, self.rect(viewer), target)
    }

    pub fn sees(&self, viewer: UnitId, target: UnitId) -> bool {
        self.sight(viewer, target).exists()
    }

    /// Is a target too far away to be seen at dusk?
    pub(crate) fn is_dark(&self, viewer: UnitId, target: UnitId) -> bool {
        self.is_dark_from(self.rect(viewer), target)
    }

    fn is_dark_from(&self, from: &Rect, target: UnitId) -> bool {
        let limit = self.battle.sight_limit(self.state.turn);
        limit.is_some_and(|limit| self.rect(target).distance_to(from.front) > limit + EPS)
    }

    /// As if the viewer stood elsewhere.
    pub fn sight_from(&self, viewer: UnitId, from: &Rect, target: UnitId) -> Sight {
        let presented = self.rect(target).arc_of(from.front);
        let length_of = self.rect(target).edge_length(presented);
        let mut sight = Sight { presented, length: length_of, visible: 0, any: 0 };
        if self.is_dark_from(from, target) {
            return sight;
        }
        sight.visible = self.seen_of(viewer, from, target, presented);
        sight.any = sight.visible;
        if sight.any <= GLIMPSE {
            for edge in Edge::ALL.into_iter().filter(|e| *e != presented) {
                sight.any += self.seen_of(viewer, from, target, edge);
            }
        }
        sight
    }

    /// How much of one edge is seen.
    fn seen_of(&self, viewer: UnitId, from: &Rect, target: UnitId, edge: Edge) -> i64 {
        self.look_at(viewer, from, target, edge).map_or(0, |mut look| length(&look.seen()))
    }

    /// The look at one edge that the viewer has before it, with every blocker taken in.
    fn look_at(&self, viewer: UnitId, from: &Rect, target: UnitId, edge: Edge) -> Option<Look> {
        let to = self.rect(target);
        let mut look = Look::at(from, to, edge).filter(Look::is_ahead)?;
        let from_height = self.battle.is_on_hill(from) || self.on_hill(target);
        for other in self.on_table().filter(|u| *u != viewer && *u != target) {
            // From a hill, or to one, units that are on none are seen over (6.2.p, R12).
            if !from_height || self.on_hill(other) {
                look.blocked_by(self.rect(other));
            }
        }
        for feature in &self.battle.terrain {
            match feature.ground.blocks() {
                Blocks::No => continue,
                Blocks::Hill if feature.is_hill_under(from) || feature.is_hill_under(to) => continue,
                Blocks::Hill | Blocks::Yes => {}
            }
            match &feature.shape {
                Shape::Area(area) => area.parts().iter().for_each(|p| look.blocked_by(p)),
                Shape::Line(line) => line.legs().for_each(|(a, b)| look.blocked_by(&[a, b][..])),
                Shape::Road(_) => {}
            }
        }
        Some(look)
    }

    /// Cover and obscurement of a target (8.5).
    pub fn shelter(&self, viewer: UnitId, from: &Rect, target: UnitId) -> Shelter {
        let sight = self.sight_from(viewer, from, target);
        let edge = if sight.visible > 0 {
            sight.presented
        } else {
            // Nothing of the presented edge is seen: judge by the edge that shows most.
            let seen = |e: &Edge| self.seen_of(viewer, from, target, *e);
            Edge::ALL.into_iter().max_by_key(seen).unwrap_or(sight.presented)
        };
        let Some(mut look) = self.look_at(viewer, from, target, edge) else { return Shelter::default() };
        let seen = look.seen();
        let measure = if sight.kind() == Kind::Full { sight.length } else { length(&seen) };
        let enough =
            |spans: Spans| measure > 0 && 2 * length(&meet(&unite(spans), &seen)) >= measure - 2 * EPS;
        let mut obscured = Spans::new();
        let mut cover = false;
        for feature in self.battle.terrain.iter().filter(|f| f.ground.obscures()) {
            let crossed = crossings(feature, from, &look);
            if crossed.is_empty() || exempt(feature, &look, &seen) {
                continue;
            }
            if let Shape::Line(line) = &feature.shape {
                let close = line.distance(self.rect(target)) <= COVER + EPS;
                cover |= feature.ground.gives_cover() && close && enough(crossed.clone());
            }
            for span in crossed {
                let _ = obscured.try_push(span);
            }
        }
        Shelter { cover, obscured: cover || enough(obscured) }
    }
}

/// Whether a target is in cover, and whether it is obscured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shelter {
    pub cover: bool,
    pub obscured: bool,
}

/// The stretches of the edge to which sight crosses a feature; of a line, elsewhere than at the shooter's own stretch
/// of it (8.5.c, R66).
fn crossings(feature: &Feature, from: &Rect, look: &Look) -> Spans {
    let mut out = Spans::new();
    let mut take = |span: Option<Span>| {
        if let Some(span) = span {
            let _ = out.try_push(span);
        }
    };
    match &feature.shape {
        Shape::Area(area) => area.parts().iter().for_each(|p| take(look.crossing(p))),
        Shape::Line(line) if line.distance(from) > COVER + EPS => {
            line.legs().for_each(|(a, b)| take(look.crossing_line(a, b)));
        }
        Shape::Line(line) => {
            line.legs().flat_map(|leg| beyond(leg, from)).for_each(|(a, b)| take(look.crossing_line(a, b)));
        }
        Shape::Road(_) => {}
    }
    out
}

/// The parts of a leg that are farther than half an inch from a base.
fn beyond((a, b): (Pt, Pt), from: &Rect) -> ArrayVec<(Pt, Pt), 2> {
    const PARTS: i64 = 1 << 20;
    let point = |t: i64| a.part_way(b, t, PARTS);
    let away = |t: i64| from.distance_to(point(t));
    // The distance falls to its least and then rises.
    let (mut lo, mut hi) = (0, PARTS);
    while hi - lo > 2 {
        let (left, right) = (lo + (hi - lo) / 3, hi - (hi - lo) / 3);
        if away(left) <= away(right) { hi = right } else { lo = left }
    }
    let nearest = i64::midpoint(lo, hi);
    let border = |mut far: i64| {
        let mut near = nearest;
        while (far - near).abs() > 1 {
            let middle = i64::midpoint(far, near);
            if away(middle) > COVER + EPS { far = middle } else { near = middle }
        }
        far
    };
    let mut parts = ArrayVec::new();
    if away(nearest) > COVER + EPS {
        parts.push((a, b));
        return parts;
    }
    if away(0) > COVER + EPS {
        parts.push((a, point(border(0))));
    }
    if away(PARTS) > COVER + EPS {
        parts.push((point(border(PARTS)), b));
    }
    parts
}

/// A shooter in the element ignores it when no sight line runs through more than 1 in of it (8.5.c, R66).
fn exempt(feature: &Feature, look: &Look, seen: &[Span]) -> bool {
    match &feature.shape {
        Shape::Area(area) => {
            area.contains(look.eye())
                && watch_points(area.outline(), look, seen)
                    .all(|s| area.chord(look.eye(), look.point(s)) <= INCH + EPS)
        }
        Shape::Line(_) => false,
        Shape::Road(_) => true,
    }
}

/// Where the longest chord can lie: the ends of what is seen, the corners of the element, and places between.
fn watch_points(outline: &[Pt], look: &Look, seen: &[Span]) -> impl Iterator<Item = i64> {
    let mut points: Vec<i64> = Vec::new();
    for span in seen {
        points.extend((0..=8).map(|i| span.lo + (span.hi - span.lo) * i / 8));
        points
            .extend(outline.iter().filter_map(|p| look.cast(*p)).filter(|s| span.lo <= *s && *s <= span.hi));
    }
    points.into_iter()
}
