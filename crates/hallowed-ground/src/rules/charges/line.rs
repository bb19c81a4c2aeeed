//! Chapters 7.1, 7.2 and 7.4: who may charge whom, the line of charge, its route, and the pose it ends in.

use arrayvec::ArrayVec;
use game::{Allowed, No};
use serde::{Deserialize, Serialize};
use table::{
    Angle, Dir, EPS, INCH, MIL, Pose, Pt, Rect, Side as Edge, Size, Spot, Way, conform, distance_to_segment,
    nearest_free, overlap_while_moving, touch,
};

use crate::field::Field;
use crate::legal::no;
use crate::rules::charts::{FRONTAL_ZONE, GRIP};
use crate::rules::formations::{Arm, Formation};
use crate::rules::terrain::Going;
use crate::setup::battle::Battle;
use crate::setup::ground::Shape;
use crate::setup::pieces::{MAX_UNITS, UnitId};
use crate::state::Flags;

/// One unit of a charge: its line, route and final pose, fixed at declaration (R46, R47).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Charger {
    pub unit: UnitId,
    /// Where it started.
    pub start: Pose,
    /// The point of the target closest to its leader point.
    pub aim: Spot,
    /// The length of the line of charge, in thousandths of an inch.
    pub distance: i32,
    /// Straight on so far, then facing this way, then so far.
    pub first: i32,
    pub facing: Angle,
    pub then: i32,
    /// Flush on the struck side.
    pub pose: Pose,
    pub side: Edge,
    /// The way leads through difficult terrain (R49).
    pub difficult: bool,
    /// The road that a straight charge in column keeps to (R46).
    pub road: Option<u16>,
    /// Hits to save or dice to take of a volley.
    pub share: u8,
    /// Took unsaved hits.
    pub hurt: bool,
    /// Out of the charge.
    pub out: bool,
}

impl Charger {
    pub const fn length(&self) -> i32 {
        self.first + self.then
    }

    /// The pose after so much of the route.
    pub fn along(&self, field: &Field<'_>, by: i32) -> Pose {
        if by <= self.first {
            return self.start.moved(0, i64::from(by) * MIL);
        }
        self.turned(field).moved(0, i64::from(by - self.first) * MIL)
    }

    /// The ground of its route up to so much of it: a straight way, and another after the pivot.
    pub fn legs(&self, field: &Field<'_>, by: i32) -> ArrayVec<Way, 2> {
        self.legs_of(field, by, field.rect(self.unit).size())
    }

    /// The same for a base of another size.
    fn legs_of(&self, field: &Field<'_>, by: i32, size: Size) -> ArrayVec<Way, 2> {
        let rect = |pose: Pose| Rect::new(pose, size);
        let corner = self.along(field, by.min(self.first));
        let mut legs: ArrayVec<Way, 2> = ArrayVec::new();
        legs.push(Way::between(&rect(self.start), &rect(corner)));
        if by > self.first {
            legs.push(Way::between(&rect(self.turned(field)), &rect(self.along(field, by))));
        }
        legs
    }

    /// The way of its leader point.
    fn path(&self, field: &Field<'_>) -> Path {
        let at = |by: i32| self.along(field, by).at.pt();
        [at(0), at(self.first), self.turned(field).at.pt(), at(self.length())]
    }

    /// The pose after the pivot.
    pub fn turned(&self, field: &Field<'_>) -> Pose {
        let corner = self.start.moved(0, i64::from(self.first) * MIL);
        corner.pivoted(field.rect(self.unit).size(), self.facing)
    }
}

impl Field<'_> {
    /// Who may declare a charge (7.1).
    pub(crate) fn may_charge(&self, u: UnitId) -> Allowed {
        let (unit, roster) = (self.state.unit(u), self.battle.unit(u));
        if !self.state.on_table(u) {
            return no(cite!("7.1.a"), "The unit is not on the table.");
        }
        if roster.arm.is_artillery() || unit.formation == Formation::DismountedLine || unit.shaken {
            return no(cite!("7.1.b"), "Artillery, dismounted cavalry and Shaken units do not charge.");
        }
        if self.state.brigade_broken(roster.brigade) {
            return no(cite!("11.3.c"), "Units of a Broken brigade may not charge.");
        }
        if self.state.engaged(u) {
            return no(cite!("5.4.l"), "A unit engaged in melee holds.");
        }
        Ok(())
    }

    /// What may be charged by whom, and from where: everything that needs no route.
    fn may_be_charged(&self, u: UnitId, target: UnitId) -> Allowed {
        if !self.state.on_table(target) || self.side(target) == self.side(u) {
            return no(cite!("7.2.b"), "The target must be an enemy unit on the table.");
        }
        if self.battle.unit(u).arm == Arm::Infantry && self.is_mounted(target) {
            return no(cite!("7.1.c"), "Infantry may not charge mounted cavalry.");
        }
        let (away, reach) = (self.range(u, target), 2 * self.rate(u));
        if away > i64::from(reach) * MIL + EPS {
            let asked = table::div_round(away, MIL) as i32;
            return Err(No::long(
                cite!("7.2.b"),
                "The target is farther away than twice the rate",
                asked,
                reach,
            ));
        }
        Ok(())
    }
}

/// The strip straight ahead of a unit's front, 4 in deep; its border is outside (R50).
fn in_strip(x: &Rect, p: Pt) -> bool {
    let (u, v) = x.local(p);
    u.abs() < x.a - EPS && v - x.b > EPS && v - x.b < FRONTAL_ZONE - EPS
}

/// The strip as an outline.
fn strip_of(x: &Rect) -> [Pt; 4] {
    let far = x.b + FRONTAL_ZONE;
    [x.from_local(x.a, x.b), x.from_local(x.a, far), x.from_local(-x.a, far), x.from_local(-x.a, x.b)]
}

/// The zone in which a charge past this unit stops: its front arc within 4 in.
fn in_zone(x: &Rect, p: Pt) -> bool {
    x.distance_to(p) < FRONTAL_ZONE && x.arc_of(p) == Edge::Front
}

impl Field<'_> {
    /// The enemies whose zones a charge must respect: all but those it is aimed at.
    fn wardens<'f>(&'f self, u: UnitId, involved: &'f [UnitId]) -> impl Iterator<Item = &'f Rect> {
        self.enemies(u).filter(|e| !involved.contains(e)).map(|e| self.rect(e))
    }
}

/// The way of a charger's leader point: its start, before and after the pivot, its end.
type Path = [Pt; 4];

/// Does a charge cross this enemy's front to reach a target beyond it (7.4.d, R50)? A target right before that front is
/// not beyond it, and who starts there and goes straight away from it crosses nothing.
fn bars(x: &Rect, path: &Path, aim: Pt) -> bool {
    let strip = strip_of(x);
    let crosses = |i: usize| table::deeper_than_eps(&[path[i], path[i + 1]][..], &strip[..]);
    (crosses(0) || crosses(2)) && !in_strip(x, aim) && !(in_strip(x, path[0]) && leaves_ahead(x, path))
}

/// Does a path that starts in the strip leave it by its far line, for good?
fn leaves_ahead(x: &Rect, path: &Path) -> bool {
    let Some(out) = (1..path.len()).find(|i| !in_strip(x, path[*i])) else { return false };
    let ((u0, v0), (u1, v1)) = (x.local(path[out - 1]), x.local(path[out]));
    let (far, rise) = (x.b + FRONTAL_ZONE, v1 - v0);
    let by_far_line =
        rise > 0 && v1 >= far - EPS && (u0 + table::mul_div(u1 - u0, far - v0, rise)).abs() < x.a;
    let again = |i: usize| table::deeper_than_eps(&[path[i], path[i + 1]][..], &strip_of(x)[..]);
    by_far_line && !(out..path.len() - 1).any(again)
}

impl Field<'_> {
    /// Friendly infantry touching a flank of a deployed battery, the closest to the line of charge; both if they are
    /// equally close (7.7.c, R61).
    pub(crate) fn supports_of(&self, target: UnitId, from: Pt, aim: Pt) -> ArrayVec<UnitId, 2> {
        let mut closest: ArrayVec<UnitId, 2> = ArrayVec::new();
        if self.state.unit(target).formation != Formation::Deployed {
            return closest;
        }
        let guns = self.rect(target);
        let mut least = i64::MAX / 2;
        for f in self.friends(target).filter(|f| self.battle.unit(*f).arm == Arm::Infantry) {
            if !touch(guns, self.rect(f)).is_some_and(|t| t.mine.is_flank() && t.length >= GRIP) {
                continue;
            }
            let away = segment_distance(self.rect(f), from, aim);
            if away < least - EPS {
                closest.clear();
            }
            if away <= least + EPS {
                least = least.min(away);
                let _ = closest.try_push(f);
            }
        }
        closest
    }
}

fn segment_distance(r: &Rect, a: Pt, b: Pt) -> i64 {
    table::distance(r, &[a, b][..])
        .min(r.corners.iter().map(|c| distance_to_segment(*c, (a, b))).min().unwrap_or(0))
}

impl Field<'_> {
    /// Works out the charge of one unit at a target; `group` charges along and is not in the way.
    pub(crate) fn line_of_charge(&self, u: UnitId, target: UnitId, group: &[UnitId]) -> Allowed<Charger> {
        self.may_be_charged(u, target)?;
        if self.is_dark(u, target) {
            return no(cite!("brawners-farm.a"), "At dusk the target is too far away to be seen.");
        }
        if !self.sees(u, target) {
            return no(cite!("7.2.b"), "There is no line of sight to the target.");
        }
        self.line_without_sight(u, target, group)
    }

    /// Could this unit by itself charge that one?
    pub(crate) fn could_charge(&self, u: UnitId, target: UnitId) -> bool {
        self.may_be_charged(u, target).is_ok()
            && self.sees(u, target)
            && self.line_up(u, target, &[u]).is_ok()
    }

    /// The same without the demand for sight (the others of a group when the target comes to meet them).
    pub(crate) fn line_without_sight(&self, u: UnitId, target: UnitId, group: &[UnitId]) -> Allowed<Charger> {
        let mut charger = self.line_up(u, target, group)?;
        charger.difficult = self.crosses_difficult(&charger);
        Ok(charger)
    }

    /// The same before the ground is looked over.
    fn line_up(&self, u: UnitId, target: UnitId, group: &[UnitId]) -> Allowed<Charger> {
        let approach = self.approach(u, target, group)?;
        let Some((first, facing, then)) = approach.route(self, u) else {
            return approach.no_way(self, u);
        };
        let charger = Charger {
            unit: u,
            start: self.state.unit(u).pose,
            aim: approach.aim.spot(),
            distance: table::div_round(self.rect(u).front.to(approach.aim), MIL) as i32,
            first,
            facing,
            then,
            pose: approach.pose,
            side: approach.side,
            difficult: false,
            road: approach.road.filter(|_| first == 0 && facing == self.rect(u).facing),
            share: 0,
            hurt: false,
            out: false,
        };
        let front = self.rect(u).front;
        let starts_barred = |x: &Rect| in_strip(x, front) && bars(x, &charger.path(self), approach.aim);
        if self.wardens(u, &approach.involved).any(starts_barred) {
            return no(
                cite!("7.4.d"),
                "It starts right in front of another enemy and would cross its front.",
            );
        }
        Ok(charger)
    }
}

/// Where a charge leads to, before its way is looked for.
struct Approach {
    aim: Pt,
    side: Edge,
    pose: Pose,
    /// The road that leads straight there.
    road: Option<u16>,
    /// The group, the target and its support.
    involved: ArrayVec<UnitId, 12>,
}

impl Field<'_> {
    fn approach(&self, u: UnitId, target: UnitId, group: &[UnitId]) -> Allowed<Approach> {
        let (start, to) = (self.rect(u), self.rect(target));
        let aim = to.closest(start.front);
        let side = to.arc_of(start.front);
        let mut involved: ArrayVec<UnitId, 12> = group.iter().copied().collect();
        involved.push(target);
        involved.extend(self.supports_of(target, start.front, aim));
        let road = self.road_to(u, aim);
        match self.final_pose(u, target, side, aim, &involved) {
            Some(pose) => Ok(Approach { aim, side, pose, road, involved }),
            None => no(
                cite!("7.4.h"),
                "There is no room to come into proper contact within a turn of 90 degrees.",
            ),
        }
    }
}

impl Approach {
    fn route(&self, field: &Field<'_>, u: UnitId) -> Option<(i32, Angle, i32)> {
        field.charge_route(u, self.aim, &self.involved)
    }

    /// Why there is no route.
    fn no_way(&self, field: &Field<'_>, u: UnitId) -> Allowed<Charger> {
        let friends: ArrayVec<UnitId, MAX_UNITS> =
            field.friends(u).chain(self.involved.iter().copied()).take(MAX_UNITS).collect();
        if field.charge_route(u, self.aim, &friends).is_some() {
            no(cite!("7.4.c"), "A friendly unit stands in the way of the charge.")
        } else {
            no(cite!("7.4.a"), "It cannot reach the target within twice its rate and with one pivot.")
        }
    }
}

impl Field<'_> {
    /// The road that a straight charge of a column keeps to, all the way (R46).
    fn road_to(&self, u: UnitId, aim: Pt) -> Option<u16> {
        let (start, unit) = (self.rect(u), self.state.unit(u));
        let straight = Angle::of(aim - start.centre) == start.facing;
        straight
            .then(|| self.battle.road_along(unit.formation, unit.road, start, aim - start.front))
            .flatten()
    }

    /// The straight ways and the final pose, looked over for difficult terrain (R49).
    fn crosses_difficult(&self, c: &Charger) -> bool {
        let (start, end) = (self.rect(c.unit), Rect::new(c.pose, self.rect(c.unit).size()));
        let fronts = c.legs_of(self, c.length(), Size { depth: EPS / 2, ..start.size() });
        self.battle.passes_difficult(c.road, start, &c.legs(self, c.length()), &fronts, &end)
    }
}

impl Battle {
    /// Does a charge pass through difficult terrain? Of the ground it stands in only what its front has yet to cross
    /// counts, and nothing that its road runs through (7.3.g, 9.2.f, R49).
    pub(crate) fn passes_difficult(
        &self,
        road: Option<u16>,
        start: &Rect,
        legs: &[Way],
        fronts: &[Way],
        end: &Rect,
    ) -> bool {
        self.features(Going::Difficult).any(|f| {
            let ways = if f.entered_by(start) { fronts } else { legs };
            let passed = f.entered_by(end) || ways.iter().any(|way| f.entered_by(way));
            passed && !road.is_some_and(|road| self.runs_through(road, f))
        })
    }
}

impl Field<'_> {
    /// Flush on the struck side, slid along it by the least amount that finds room (R47).
    pub(crate) fn final_pose(
        &self,
        u: UnitId,
        target: UnitId,
        side: Edge,
        aim: Pt,
        involved: &[UnitId],
    ) -> Option<Pose> {
        let to = self.rect(target);
        let flush = conform(to, side, aim);
        if self.state.unit(u).pose.facing.turn_to(flush.facing).abs() > 9_000 {
            return None;
        }
        let rect = Rect::new(flush, self.rect(u).size());
        // Left seen from the charger is negative; the edge from its left to its right.
        let dir = rect.ahead.right();
        let (left, right) = (to.edge(side).1, to.edge(side).0);
        let (lo, hi) = (dir.along(left - rect.front), dir.along(right - rect.front));
        let (lo, hi) = self.on_table_range(&rect, dir, lo + GRIP - rect.a, hi - GRIP + rect.a)?;
        let mut taken: ArrayVec<(i64, i64), 64> = ArrayVec::new();
        let mut block = |interval: Option<(i64, i64)>| {
            if let Some(interval) = interval {
                let _ = taken.try_push(interval);
            }
        };
        for other in self.on_table().filter(|o| *o != u && *o != target) {
            let mate = involved.contains(&other) && self.side(other) == self.side(u);
            if !mate && rect.bounds.grown(to.edge_length(side) + 2 * rect.a).meets(&self.rect(other).bounds) {
                block(
                    overlap_while_moving(&rect, self.rect(other), dir, 0)
                        .filter(|_| overlap_while_moving(&rect, self.rect(other), dir, EPS).is_some()),
                );
            }
        }
        let bridges = self.road_to(u, aim);
        let on_units = taken.clone();
        for feature in self.battle.features(Going::Impassable) {
            let mut block = |interval: Option<(i64, i64)>| {
                if let Some(interval) = interval {
                    let _ = taken.try_push(interval);
                }
            };
            match &feature.shape {
                Shape::Area(area) => {
                    area.parts().iter().for_each(|p| block(overlap_while_moving(&rect, p, dir, 0)));
                }
                Shape::Line(line) => {
                    line.legs().for_each(|(a, b)| block(overlap_while_moving(&rect, &[a, b][..], dir, 0)));
                }
                Shape::Road(_) => {}
            }
        }
        // On its road it may stand over whatever the road runs through.
        let on_bridge = bridges.and_then(|road| {
            let there = flush.shifted(dir.times(nearest_free(&on_units, lo, hi)?));
            let base = Rect::new(there, rect.size());
            let carries = self.battle.is_near_road(road, base.front) && self.battle.is_bridged(road, &base);
            carries.then_some(there)
        });
        on_bridge.or_else(|| Some(flush.shifted(dir.times(nearest_free(&taken, lo, hi)?))))
    }

    /// Cuts a range of shifts to those that keep a base on the table.
    fn on_table_range(&self, rect: &Rect, dir: Dir, lo: i64, hi: i64) -> Option<(i64, i64)> {
        let top = self.battle.top;
        let (mut lo, mut hi) = (lo, hi);
        let b = rect.bounds;
        for (speed, least, most, size) in
            [(dir.x, b.lo.x, b.hi.x, top.width), (dir.y, b.lo.y, b.hi.y, top.height)]
        {
            if speed.abs() < 1 << 10 {
                if least < -EPS || most > size + EPS {
                    return None;
                }
                continue;
            }
            let at = |gap: i64| ((i128::from(gap) << Dir::BITS) / i128::from(speed)) as i64;
            let (t0, t1) = (at(-least), at(size - most));
            lo = lo.max(t0.min(t1));
            hi = hi.min(t0.max(t1));
        }
        (lo <= hi).then_some((lo, hi))
    }

    /// Straight on in steps of a quarter inch until one pivot brings it to the aim: the first that is free (R46).
    fn charge_route(&self, u: UnitId, aim: Pt, involved: &[UnitId]) -> Option<(i32, Angle, i32)> {
        let start = *self.rect(u);
        let limit = 2 * self.rate(u);
        let about = Obstacles::on_way(self, u, involved);
        let free = |way: &Way| about.leave_free(self, way);
        let road = self.road_to(u, aim);
        let mut first = 0;
        while first <= limit {
            let rect = start.shifted(start.ahead.times(i64::from(first) * MIL));
            let away = rect.centre.to(aim);
            let reach = (away - rect.b).max(0);
            let then = (reach / MIL) as i32;
            let total = first + then;
            // Farther on the way is no shorter and the turn no smaller; what is left is for roundings.
            if total > limit + 2 || rect.ahead.along(aim - rect.centre) < -(away >> 12) - EPS {
                return None;
            }
            if first > 0 && !free(&Way::between(&start, &rect)) {
                return None;
            }
            let facing = Angle::of(aim - rect.centre);
            if start.facing.turn_to(facing).abs() <= 9_000 && total <= limit {
                let turned = Rect::at(rect.centre + facing.dir().times(rect.b), facing, rect.size());
                let on = Way::between(&turned, &turned.shifted(facing.dir().times(reach)));
                let by_road = road.filter(|_| first == 0 && facing == start.facing);
                let bridged = by_road.is_some_and(|road| about.leave_bridge_free(self, &on, road));
                if bridged || (free(&on) && about.leave_pivot_free(self, &rect, facing)) {
                    return Some((first, facing, then));
                }
            }
            first += 250;
        }
        None
    }
}

/// The units that can be in the way of a charge, apart from those involved in it.
struct Obstacles<'f> {
    friends: ArrayVec<&'f Rect, MAX_UNITS>,
    enemies: ArrayVec<&'f Rect, MAX_UNITS>,
}

impl<'f> Obstacles<'f> {
    /// Those within its reach.
    fn on_way(field: &'f Field<'_>, u: UnitId, involved: &[UnitId]) -> Self {
        let start = field.rect(u);
        let reach = 2 * i64::from(field.rate(u)) * MIL + 2 * start.half_diagonal();
        let room = table::Bounds { lo: start.centre, hi: start.centre }.grown(reach);
        let mut about = Self { friends: ArrayVec::new(), enemies: ArrayVec::new() };
        for v in field.on_table().filter(|v| *v != u && !involved.contains(v)) {
            let rect = field.rect(v);
            if room.meets(&rect.bounds) {
                let list =
                    if field.side(v) == field.side(u) { &mut about.friends } else { &mut about.enemies };
                list.push(rect);
            }
        }
        about
    }

    fn leave_free(&self, field: &Field<'_>, way: &Way) -> bool {
        self.let_pass(field, way) && !field.battle.impassable(way)
    }

    /// The same on a road, which carries over whatever it runs through.
    fn leave_bridge_free(&self, field: &Field<'_>, way: &Way, road: u16) -> bool {
        self.let_pass(field, way) && field.battle.is_bridged(road, way)
    }

    fn let_pass(&self, field: &Field<'_>, way: &Way) -> bool {
        self.friends.iter().chain(&self.enemies).all(|r| !table::deeper_than_eps(way, *r))
            && table::Convex::corners(way).iter().all(|p| field.near_table(*p))
    }

    fn leave_pivot_free(&self, field: &Field<'_>, rect: &Rect, facing: Angle) -> bool {
        let reach = rect.half_diagonal();
        let enemies: ArrayVec<&Rect, MAX_UNITS> =
            self.enemies.iter().copied().filter(|e| e.distance_to(rect.centre) < reach).collect();
        let gap = |r: &Rect, e: &Rect| if r.overlaps(e) { -1 } else { r.distance(e) };
        let clearance = |r: &Rect| enemies.iter().map(|e| gap(r, e)).min().unwrap_or(i64::MAX / 4);
        (enemies.is_empty() || table::pivot_is_clear(rect, facing, clearance))
            && field.battle.pivots_on_passable(rect, facing)
    }
}

impl Field<'_> {
    fn near_table(&self, p: Pt) -> bool {
        let top = self.battle.top;
        p.x >= -EPS && p.y >= -EPS && p.x <= top.width + EPS && p.y <= top.height + EPS
    }

    /// How far the route goes before the leader point meets the zone of an enemy that is not involved; none if its way
    /// does not cross such an enemy's front (7.4.d, 7.4.e, R50).
    pub(crate) fn stopped_by_zone(&self, c: &Charger, involved: &[UnitId]) -> Option<i32> {
        const STRIDE: i32 = 50;
        let at = |by: i32| c.along(self, by).at.pt();
        let path = c.path(self);
        let zone = table::Bounds::of(&path).grown(FRONTAL_ZONE + EPS);
        let mut stop: Option<i32> = None;
        let wardens = self.wardens(c.unit, involved);
        for x in wardens.filter(|x| zone.meets(&x.bounds) && bars(x, &path, c.aim.pt())) {
            // A zone that is only grazed is looked for by the thousandth.
            let first = |stride: i32| {
                let steps = (0..=c.length() / stride + 1).map(|i| (i * stride).min(c.length()));
                steps.into_iter().find(|by| in_zone(x, at(*by))).map(|by| ((by - stride).max(0), by))
            };
            let Some((mut lo, mut hi)) = first(STRIDE).or_else(|| first(1)) else { continue };
            while hi - lo > 1 {
                let mid = (lo + hi) / 2;
                if in_zone(x, at(mid)) { hi = mid } else { lo = mid }
            }
            stop = Some(stop.map_or(lo, |s: i32| s.min(lo)));
        }
        stop.map(|s| s.min(self.rate(c.unit)))
    }

    /// How far the route goes before it would lead through a friend who is not of the group any more (7.4.c, 5.7.b);
    /// one that is only brushed, to the rounding of poses, is none.
    pub(crate) fn stopped_by_friend(&self, c: &Charger, involved: &[UnitId]) -> Option<i32> {
        let size = self.rect(c.unit).size();
        let legs = [(0, c.start, c.first), (c.first, c.turned(self), c.then)];
        legs.into_iter().find_map(|(before, from, length)| {
            let rect = Rect::new(from, size);
            let friends = self.friends(c.unit).filter(|f| !involved.contains(f));
            let limit = i64::from(length) * MIL;
            let met = |f| overlap_while_moving(&rect, self.rect(f), rect.ahead, 3 * EPS);
            let ahead = |(enters, leaves): &(i64, i64)| *leaves > 0 && *enters < limit;
            let first = friends.filter_map(met).filter(ahead).map(|(enters, _)| enters.max(0)).min();
            first.map(|by| before + (by / MIL) as i32)
        })
    }

    /// How far along its route the leader point is 6 in from the target (R54).
    pub(crate) fn to_point_blank(&self, c: &Charger, target: &Rect, distance: i64) -> i32 {
        let size = self.rect(c.unit).size();
        let gap = |by: i32| target.distance_to(Rect::new(c.along(self, by), size).front);
        if gap(0) <= distance {
            return 0;
        }
        let (mut lo, mut hi) = (0, c.length());
        while hi - lo > 1 {
            let mid = (lo + hi) / 2;
            if gap(mid) > distance { lo = mid } else { hi = mid }
        }
        // The thousandth that is nearer to the mark.
        if (gap(lo) - distance).abs() < (gap(hi) - distance).abs() { lo } else { hi }
    }

    /// The last place of the route, up to `limit`, where the unit may stand: 1 in from enemies and on nobody.
    pub(crate) fn last_stand(&self, c: &Charger, limit: i32) -> i32 {
        let size = self.rect(c.unit).size();
        let fits = |by: i32| {
            let rect = Rect::new(c.along(self, by), size);
            self.clear_of_enemies(c.unit, &rect)
                && self.free_of_units(c.unit, &rect)
                && (!self.battle.impassable(&rect)
                    || c.road.is_some_and(|road| self.battle.is_bridged(road, &rect)))
        };
        let mut by = limit;
        if fits(by) {
            return by;
        }
        while by > 0 && !fits(by) {
            by -= 100;
        }
        if by <= 0 {
            return 0;
        }
        let (mut lo, mut hi) = (by, by + 100);
        while hi - lo > 1 {
            let mid = (lo + hi) / 2;
            if fits(mid) { lo = mid } else { hi = mid }
        }
        lo
    }

    /// Everything the declaration of a charge must fulfil (P1, step 1).
    pub(crate) fn declare(&self, target: UnitId, by: &[UnitId]) -> Allowed<ArrayVec<Charger, 8>> {
        let mut out = ArrayVec::new();
        if by.is_empty() {
            return no(cite!("7.a"), "A charge needs a charger.");
        }
        if self.state.charged.has(target) {
            return no(cite!("7.9.a"), "All who charge the same target do so in one group.");
        }
        for (i, u) in by.iter().enumerate() {
            if by[..i].contains(u) || self.side(*u) != self.state.active {
                return no(cite!("7.9.a"), "Each charger is a unit of the active side, named once.");
            }
            if self.state.unit(*u).flags.has(Flags::ORDERED) {
                return no(cite!("5.4.a"), "The unit already has its order.");
            }
            self.may_charge(*u)?;
            out.push(self.line_of_charge(*u, target, by)?);
        }
        Ok(out)
    }

    /// Half of the charge move: a start no farther than this cancels defensive fire (7.3.m, R51).
    pub(crate) fn surprises(&self, c: &Charger) -> bool {
        i64::from(c.distance) * MIL <= i64::from(self.rate(c.unit)) * MIL + EPS
    }
}

/// The slide that brings a charger of supported guns also against their support, if there is one (R61).
pub(crate) fn slide_to_support(
    pose: Pose,
    size: table::Size,
    guns: &Rect,
    side: Edge,
    support: &Rect,
) -> Pose {
    let rect = Rect::new(pose, size);
    if touch(&rect, support).is_some_and(|t| t.length >= GRIP) {
        return pose;
    }
    let dir = rect.ahead.right();
    // The supports' edge that lies in the line of the struck edge.
    let (left, right) = (support.edge(side).1, support.edge(side).0);
    let level = |p: Pt| rect.ahead.along(p - rect.front).abs() <= EPS;
    if !level(left) || !level(right) {
        return pose;
    }
    let (left, right) = (dir.along(left - rect.front), dir.along(right - rect.front));
    let by = if left > 0 { left + GRIP - rect.a } else { right - GRIP + rect.a };
    let moved = pose.shifted(dir.times(by));
    let still = touch(&Rect::new(moved, size), guns).is_some_and(|t| t.length >= GRIP - INCH / 100);
    if still { moved } else { pose }
}
