//! Terrain: what ground costs, what covers, what hides, lines of sight (qrs.terrain, terrain.special,
//! fire.visibility).

use game::words::does;
use game::{Effects, Entry, Kind, Rule, Side};
use smallvec::SmallVec;
use table::{
    Bounds, Convex, EPS, INCH, Pt, Rect, UNIT, closest_on_segment, deeper_than_eps, mul_div, part_inside,
};

use crate::at::{At, Run};
use crate::cite;
use crate::rules::basics::Layout;
use crate::rules::rolls::piece;
use crate::setup::battle::Battle;
use crate::setup::ground::{Cover, Ground, Linear, Woods};
use crate::state::{Body, BodyId, Marks};

/// Stretches of a march as shares of it, each with its cost. They hardly ever spill to the heap.
type Pieces = SmallVec<[(i64, i64, i64); 32]>;

/// Stretches of a line as shares of it.
type Stretches = SmallVec<[(i64, i64); 16]>;

/// What a straight march costs the stand that pays most: inches weighted by the ground (R101), roads where every stand
/// is on one (R106).
pub(crate) fn track_cost(battle: &Battle, fronts: &[Pt], by: Pt, road: bool, unknown: u32) -> i64 {
    let length = by.length();
    let mut bounds = Bounds::of(fronts);
    bounds.take_in(bounds.lo + by);
    bounds.take_in(bounds.hi + by);
    let near: SmallVec<[&Ground; 32]> =
        battle.grounds(unknown).filter(|a| a.changes_pace(road) && a.area.bounds().meets(&bounds)).collect();
    if near.is_empty() {
        return length;
    }
    let paved = if road { on_road(&near, fronts, by) } else { Stretches::new() };
    let mut worst = 0;
    for front in fronts {
        let track = Bounds::of(&[*front, *front + by]);
        let mut pieces = Pieces::new();
        for area in near.iter().filter(|a| !a.road && a.area.bounds().meets(&track)) {
            for part in area.area.parts() {
                if let Some((lo, hi)) = part_inside(part, *front, *front + by) {
                    pieces.push((lo, hi, area.cost));
                }
            }
        }
        let weight = if pieces.is_empty() && paved.is_empty() { 2 * UNIT } else { weigh(&pieces, &paved) };
        worst = worst.max(weight);
    }
    mul_div(length, worst, 2 * UNIT)
}

/// The stretches, as shares of the march, in which every stand is on a road.
fn on_road(near: &[&Ground], fronts: &[Pt], by: Pt) -> Stretches {
    let mut common = Stretches::new();
    common.push((0, UNIT));
    for front in fronts {
        let mut mine = Stretches::new();
        for area in near.iter().filter(|a| a.road) {
            for part in area.area.parts() {
                if let Some(piece) = part_inside(part, *front, *front + by) {
                    mine.push(piece);
                }
            }
        }
        let mut both = Stretches::new();
        for a in &common {
            for b in &mine {
                let (lo, hi) = (a.0.max(b.0), a.1.min(b.1));
                if hi > lo {
                    both.push((lo, hi));
                }
            }
        }
        common = both;
    }
    common
}

/// The weighted length of a track: the larger multiplier where types overlap, the road's where it is paved.
fn weigh(pieces: &Pieces, paved: &[(i64, i64)]) -> i64 {
    let mut cuts: SmallVec<[i64; 64]> = SmallVec::new();
    cuts.push(0);
    cuts.push(UNIT);
    for (lo, hi) in pieces.iter().map(|p| (p.0, p.1)).chain(paved.iter().copied()) {
        cuts.extend([lo, hi]);
    }
    cuts.sort_unstable();
    let mut total = 0;
    for pair in cuts.windows(2) {
        let middle = pair[0] + (pair[1] - pair[0]) / 2;
        let cost = if paved.iter().any(|(lo, hi)| *lo <= middle && middle < *hi) {
            1
        } else {
            pieces.iter().filter(|(lo, hi, _)| *lo <= middle && middle < *hi).map(|p| p.2).max().unwrap_or(2)
        };
        total += (pair[1] - pair[0]) * cost;
    }
    total
}

/// Twice the multiplier at a point.
pub(crate) fn cost_at(battle: &Battle, p: Pt, unknown: u32) -> i64 {
    battle.grounds(unknown).filter(|a| !a.road && a.area.contains(p)).map(|a| a.cost).max().unwrap_or(2)
}

/// The height of the ground.
pub(crate) fn level_at(battle: &Battle, p: Pt) -> i8 {
    battle.areas.iter().filter(|a| a.level != 0 && a.area.contains(p)).map(|a| a.level).max().unwrap_or(0)
}

/// On any hill.
pub(crate) fn on_hill(battle: &Battle, p: Pt) -> bool {
    battle.areas.iter().any(|a| a.hill && a.area.contains(p))
}

impl Battle {
    /// The areas but for these.
    pub fn grounds(&self, but: u32) -> impl Iterator<Item = &Ground> {
        self.areas.iter().enumerate().filter(move |(i, _)| *i >= 32 || but & (1 << i) == 0).map(|(_, a)| a)
    }

    /// The height at which a body stands.
    pub fn level(&self, body: &Body) -> i8 {
        level_at(self, body.layout(self).centre())
    }

    /// The ground that suppresses a body: under the middle of one of its stands, or on the way of one (R101).
    pub fn suppressing(&self, before: &Layout, after: &Layout, unknown: u32) -> Option<&Ground> {
        let mut grounds = self.grounds(unknown).filter(|a| a.suppress).peekable();
        grounds.peek()?;
        let (from, to) = (before.centres(), after.centres());
        grounds.find(|ground| {
            let on_it = to.iter().any(|&stand| ground.area.contains(stand));
            on_it || from.iter().zip(&to).any(|(&a, &b)| ground.area.chord(a, b) > EPS)
        })
    }

    /// Whether all of a body stands on clear ground.
    pub fn clear_ground(&self, layout: &Layout, unknown: u32) -> bool {
        let block = layout.block();
        !self.grounds(unknown).any(|a| a.rough && a.area.overlaps(&block))
    }

    /// Whether a body is in woods.
    pub fn in_woods(&self, layout: &Layout) -> bool {
        let wooded = |p: &Pt| self.areas.iter().any(|a| a.woods.is_some() && a.area.contains(*p));
        let stands = layout.centres();
        2 * stands.iter().filter(|p| wooded(p)).count() >= stands.len()
    }

    /// What the ground under a stand gives it.
    fn area_cover(&self, stand: Pt, melee: bool, unknown: u32) -> Cover {
        let counts = |a: &&Ground| (!melee || a.building) && a.cover > Cover::None;
        let areas = self.grounds(unknown).filter(counts).filter(|a| a.area.contains(stand));
        areas.map(|a| a.cover).max().unwrap_or(Cover::None)
    }
}

impl At<'_> {
    /// The ground that a side does not know: special terrain that the attacker has not come upon (terrain.special.a). Bits
    /// by the numbers of the areas.
    pub(crate) fn unknown(self, side: Side) -> u32 {
        let attacks = self.battle.on.hidden_terrain && self.battle.attacker == Some(side);
        if attacks || self.state.blind { self.battle.unseen & !self.state.revealed } else { 0 }
    }

    /// The ground that is not there for whoever looks at this position.
    pub(crate) fn left_out(self) -> u32 {
        if self.state.blind { self.battle.unseen & !self.state.revealed } else { 0 }
    }

    /// Whether the linear feature of that index stands, whole, at a place along it.
    pub(crate) fn is_standing(self, index: usize) -> bool {
        self.battle.lines[index].stands(self.state.turn)
    }

    /// The cover of a body against somebody at `from` (R61); in melee only works and linear features count.
    pub(crate) fn cover(self, layout: &Layout, from: Option<Pt>, melee: bool) -> Cover {
        if self.battle.areas.is_empty() && self.battle.lines.is_empty() {
            return Cover::None;
        }
        let block = layout.block().bounds.grown(INCH);
        let lines = self.battle.lines.iter().any(|l| l.cover > Cover::None && l.line.bounds().meets(&block));
        let unknown = self.left_out();
        let areas =
            self.battle.grounds(unknown).any(|a| a.cover > Cover::None && a.area.bounds().meets(&block));
        match from {
            Some(from) if lines => most_of(layout.rects().iter().map(|stand| {
                self.battle.area_cover(stand.centre, melee, unknown).max(self.line_cover(stand, from))
            })),
            _ if areas => {
                most_of(layout.centres().iter().map(|&stand| self.battle.area_cover(stand, melee, unknown)))
            }
            _ => Cover::None,
        }
    }

    /// What the linear features before a stand give it against somebody at `from`.
    fn line_cover(self, stand: &Rect, from: Pt) -> Cover {
        let lines = self.battle.lines.iter().enumerate();
        let lines =
            lines.filter(|(i, l)| l.cover > Cover::None && self.is_standing(*i) && shelters(l, stand, from));
        lines.map(|(_, l)| l.cover).max().unwrap_or(Cover::None)
    }

    /// Whether a line is free, and which enemy skirmishers it passes (R52-R56).
    pub(crate) fn line_of_sight(self, look: &Look) -> Result<Option<BodyId>, Blocked> {
        let Look { from, to, .. } = *look;
        let length = from.to(to);
        let mut limit = self.battle.row.max_visibility * INCH;
        if on_hill(self.battle, from) {
            limit += limit / 2;
        }
        if length > limit + EPS {
            return Err(Blocked::TooFar);
        }
        self.unlimited_line(look)
    }

    /// The same however far it is: sighting has its own table of ranges (R111).
    fn unlimited_line(self, look: &Look) -> Result<Option<BodyId>, Blocked> {
        let (high, low) = (level_at(self.battle, look.from), level_at(self.battle, look.to));
        self.ground_between(look, high, low)?;
        self.bodies_between(look, high)
    }

    fn ground_between(self, look: &Look, from_level: i8, to_level: i8) -> Result<(), Blocked> {
        let Look { from, to, .. } = *look;
        let length = from.to(to);
        let bounds = Bounds::of(&[from, to]);
        let (mut wooded, mut limit) = (0, i64::MAX);
        for area in &self.battle.areas {
            let rises = area.level > from_level.max(to_level);
            if (area.woods.is_none() && !area.building && !rises) || !area.area.bounds().meets(&bounds) {
                continue;
            }
            for part in area.area.parts() {
                let Some(share) = part_inside(part, from, to) else { continue };
                if !counts(from_level, to_level, share) || mul_div(length, share.1 - share.0, UNIT) <= EPS {
                    continue;
                }
                // Between equal heights only what stands on that height hides anything (R54).
                let share_as_high = match from_level == to_level {
                    true => as_high(self.battle, look, from_level, share),
                    false => share.1 - share.0,
                };
                if let Some(woods) =
                    area.woods.filter(|_| area.level >= from_level.min(to_level) || from_level == to_level)
                {
                    wooded += mul_div(length, share_as_high, UNIT);
                    limit = limit.min(woods_sight(self.battle, woods));
                }
                // A building hides what is beyond it, not who holds it; the shared hill hides nobody.
                let within = share.0 == 0 || share.1 == UNIT;
                let stands_there = area.building && mul_div(length, share_as_high, UNIT) > EPS;
                if (stands_there || rises) && !within {
                    return Err(Blocked::Ground);
                }
            }
        }
        if wooded > limit.saturating_add(EPS) {
            return Err(Blocked::Woods);
        }
        // A wall between different heights counts by where it is crossed, between equal ones if it stands as high (R54).
        let hides = |at: Pt| {
            let share = mul_div(from.to(at), UNIT, length.max(1));
            match from_level == to_level {
                true => level_at(self.battle, at) >= from_level,
                false => counts(from_level, to_level, (share, share)),
            }
        };
        let wall = self.battle.lines.iter().enumerate().any(|(i, l)| {
            l.high
                && self.is_standing(i)
                && l.line.bounds().meets(&bounds)
                && l.line.distance_to(from) > INCH / 2
                && l.line.distance_to(to) > INCH / 2
                && crossings(l, from, to).any(hides)
        });
        if wall { Err(Blocked::Ground) } else { Ok(()) }
    }

    fn bodies_between(self, look: &Look, level: i8) -> Result<Option<BodyId>, Blocked> {
        let segment = [look.from, look.to];
        let bounds = Bounds::of(&segment);
        let mut passed = None;
        for (id, body) in self.state.on_table() {
            if id == look.by || Some(id) == look.at {
                continue;
            }
            let friend = self.battle.side(body) == look.side;
            if !friend && body.marks.unsighted() {
                continue;
            }
            let layout = body.layout(self.battle);
            if !layout.may_meet(&bounds) {
                continue;
            }
            let block = layout.block();
            if !block.bounds.meets(&bounds) || !deeper_than_eps(&segment[..], &block) {
                continue;
            }
            let rows = layout.rows();
            if !layout.solid() && !rows.iter().any(|row| deeper_than_eps(&segment[..], row)) {
                continue;
            }
            if self.battle.level(body) < level {
                continue;
            }
            let loose = body.skirmishing();
            match look.through {
                Through::Sight if loose || body.marks.has(Marks::PRONE) => {}
                Through::SmallArms if loose && !friend => passed = Some(id),
                Through::Artillery if loose => {
                    let gap = self.battle.row.artillery_through_skirmish_gap * INCH - EPS;
                    let near = |p: Pt| rows.iter().any(|row| row.distance_to(p) < gap);
                    if near(look.from) || near(look.to) {
                        return Err(Blocked::Body(id));
                    }
                }
                // Men who lie down are in nobody's sight; only small arms are kept from firing over them.
                Through::Artillery if body.marks.has(Marks::PRONE) => {}
                _ => return Err(Blocked::Body(id)),
            }
        }
        Ok(passed)
    }

    /// Whether any stand of one body sees any of another: from its fronts to the nearest point, and from its middle.
    pub(crate) fn sees(self, by: BodyId, at: BodyId) -> bool {
        self.any_stand(by, at, |look| self.line_of_sight(look).is_ok())
    }

    /// As [`sees`], however far it is: what lies between alone counts (R111).
    pub(crate) fn descries(self, by: BodyId, at: BodyId) -> bool {
        self.any_stand(by, at, |look| self.unlimited_line(look).is_ok())
    }

    /// As [`descries`], to the place of a marker: who stands there is not known (R129).
    pub(crate) fn descries_place(self, by: BodyId, marker: BodyId) -> bool {
        let place = self.body(marker).pose.at.pt();
        self.any_look(by, marker, |_| place, |look| self.unlimited_line(look).is_ok())
    }

    fn any_stand(self, by: BodyId, at: BodyId, free: impl Fn(&Look) -> bool) -> bool {
        let target = self.layout(at).block();
        self.any_look(by, at, |from| target.closest(from), free)
    }

    /// Whether one of a body's stands has a free line to a point of another body.
    fn any_look(
        self,
        by: BodyId,
        at: BodyId,
        point: impl Fn(Pt) -> Pt,
        free: impl Fn(&Look) -> bool,
    ) -> bool {
        let side = self.side_of(by);
        self.layout(by).rects().iter().any(|r| {
            let (from, to) = (r.front, point(r.front));
            free(&Look { from, to, by, at: Some(at), through: Through::Sight, side })
        })
    }
}

/// The cover that half the stands or more have.
fn most_of(stands: impl Iterator<Item = Cover>) -> Cover {
    let (mut all, mut light, mut heavy) = (0, 0, 0);
    for cover in stands {
        all += 1;
        light += usize::from(cover >= Cover::Light);
        heavy += usize::from(cover == Cover::Heavy);
    }
    match all {
        n if 2 * heavy >= n => Cover::Heavy,
        n if 2 * light >= n => Cover::Light,
        _ => Cover::None,
    }
}

/// Within half an inch behind a line, with the line between.
fn shelters(linear: &Linear, rect: &Rect, from: Pt) -> bool {
    linear.line.bounds().meets(&rect.bounds.grown(INCH))
        && linear.line.distance(rect) <= INCH / 2 + EPS
        && linear.line.crossed_by(from, rect.centre)
}

/// What looks or shoots along a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Through {
    /// Eyes.
    Sight,
    /// Muskets, rifles, bows.
    SmallArms,
    /// Guns.
    Artillery,
}

/// What is in the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blocked {
    TooFar,
    Woods,
    Ground,
    Body(BodyId),
}

impl Blocked {
    /// The rule that says so.
    pub(crate) fn rule(self, through: Through) -> Rule {
        match self {
            Blocked::TooFar => cite!("fire.visibility.a"),
            Blocked::Woods => cite!("fire.visibility.d"),
            Blocked::Ground => cite!("fire.visibility.e"),
            Blocked::Body(_) => match through {
                Through::Sight => cite!("fire.visibility.f"),
                Through::SmallArms => cite!("fire.visibility.g"),
                Through::Artillery => cite!("fire.visibility.h"),
            },
        }
    }
}

/// One look or shot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub from: Pt,
    pub to: Pt,
    pub by: BodyId,
    pub at: Option<BodyId>,
    pub through: Through,
    /// Who looks: bodies hidden from that side do not count.
    pub side: Side,
}

/// Whether terrain between two heights counts: only what is nearer to the higher end (R54).
fn counts(high: i8, low: i8, share: (i64, i64)) -> bool {
    match high.cmp(&low) {
        std::cmp::Ordering::Equal => true,
        std::cmp::Ordering::Greater => share.0 < UNIT / 2,
        std::cmp::Ordering::Less => share.1 > UNIT / 2,
    }
}

/// How much of a stretch of a line of sight lies on ground of at least that level, as a share of the line.
fn as_high(battle: &Battle, look: &Look, level: i8, stretch: (i64, i64)) -> i64 {
    if level <= 0 {
        return stretch.1 - stretch.0;
    }
    let hills = battle.areas.iter().filter(|a| a.level >= level).flat_map(|a| a.area.parts());
    let parts = hills.filter_map(|part| part_inside(part, look.from, look.to));
    let mut high: Stretches = parts.map(|(lo, hi)| (lo.max(stretch.0), hi.min(stretch.1))).collect();
    high.sort_unstable();
    let (mut total, mut reached) = (0, stretch.0);
    for (lo, hi) in high {
        total += (hi - lo.max(reached)).max(0);
        reached = reached.max(hi);
    }
    total
}

/// Where a segment crosses a linear feature.
pub(crate) fn crossings(linear: &Linear, a: Pt, b: Pt) -> impl Iterator<Item = Pt> + '_ {
    linear.line.legs().filter_map(move |(p, q)| {
        let (r, s) = (b - a, q - p);
        let denom = r.cross(s);
        let (t, u) = ((p - a).cross(s), (p - a).cross(r));
        if denom == 0 {
            return None;
        }
        let (t, u, d) = if denom < 0 { (-t, -u, -denom) } else { (t, u, denom) };
        let meet = (0..=d).contains(&t) && (0..=d).contains(&u);
        meet.then(|| a + Pt::new(mul_div(r.x, t, d), mul_div(r.y, t, d)))
    })
}

fn woods_sight(battle: &Battle, woods: Woods) -> i64 {
    let sight = &battle.row.woods_sight;
    INCH * match woods {
        Woods::Light => sight.light,
        Woods::Medium => sight.medium,
        Woods::Heavy => sight.heavy,
    }
}

/// The nearest point of a line of points to `p`, as a distance along it.
pub(crate) fn along_line(linear: &Linear, p: Pt) -> i64 {
    let (mut best, mut at, mut reached) = (i64::MAX, 0, 0);
    for (a, b) in linear.line.legs() {
        let c = closest_on_segment(p, (a, b));
        if c.to(p) < best {
            best = c.to(p);
            at = reached + a.to(c);
        }
        reached += a.to(b);
    }
    at
}

/// The point so far along a line.
pub(crate) fn point_along(linear: &Linear, along: i64) -> Pt {
    let mut left = along;
    let mut last = linear.line.points()[0];
    for (a, b) in linear.line.legs() {
        let length = a.to(b).max(1);
        if left <= length {
            return a.part_way(b, left.max(0), length);
        }
        left -= length;
        last = b;
    }
    last
}

/// Whether an outline of the table holds at least one stand of a body.
pub(crate) fn any_inside(area: &table::Area, layout: &Layout) -> bool {
    area.bounds().meets(&layout.block().bounds())
        && layout.centres().iter().any(|&stand| area.contains(stand))
}

impl<F: Effects> Run<'_, F> {
    /// An attacker who comes near uncovers hidden ground (terrain.special.b).
    pub(crate) fn reveal_ground(&mut self, id: BodyId) {
        if self.at().unknown(self.at().side_of(id)) == 0 || self.state.blind {
            return;
        }
        let block = self.at().layout(id).block();
        for (i, area) in self.battle.areas.iter().enumerate().take(32) {
            let Some(near) = area.unseen else { continue };
            if self.state.revealed & (1 << i) == 0 && area.area.distance(&block) <= near + EPS {
                self.state.revealed |= 1 << i;
                self.fx.revealed();
                self.tell(|at| {
                    Entry::new(Kind::Note, does(&at.name(id), &format!("comes upon {}.", area.name)))
                        .rule(cite!("terrain.special.b"))
                        .piece(piece(id))
                });
            }
        }
    }
}
