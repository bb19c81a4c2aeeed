//! Chapters 7.4 and 7.9: chargers are placed flush on their target, and contact of opposing units: who touches whom on
//! which side, and who defends an obstacle (R31, R72).

use arrayvec::ArrayVec;
use game::Effects;
use table::{EPS, Line, MIL, Pose, Rect, Side as Edge, Span, Spans, Way, length, pack_between, touch, unite};

use crate::at::{At, Run};
use crate::field::Field;
use crate::rules::charges::Charge;
use crate::rules::charges::line::{Charger, slide_to_support};
use crate::rules::charts::{COVER, GRIP, POINT_BLANK, PROXIMITY};
use crate::rules::melee::MeleeStep;
use crate::rules::sequence::Step;
use crate::setup::battle::Battle;
use crate::setup::ground::{Ground, Shape};
use crate::setup::pieces::{UnitId, Units};
use crate::state::{Contact, Flags, State};

impl<F: Effects> Run<'_, F> {
    /// P1, step 12: those still in it are placed flush and engaged.
    pub(crate) fn close_in(&mut self, charge: &Charge) {
        let determined = charge.result > 10;
        let mut going: ArrayVec<Charger, 8> = charge
            .active()
            .filter(|c| self.state.on_table(c.unit) && (determined || !self.state.unit(c.unit).shaken))
            .copied()
            .collect();
        self.state.end_charge();
        self.make_room(charge, &going);
        if !self.state.on_table(charge.target) {
            return;
        }
        // While they find no room together, the one with the longest way drops out (7.9.e, R55).
        let mut dropped: ArrayVec<Charger, 8> = ArrayVec::new();
        let (poses, halts) = loop {
            let left_out: Units = dropped.iter().map(|c| c.unit).collect();
            let poses = self.field().poses_for(charge, &going, &left_out);
            let room = poses.and_then(|poses| Some((self.at().halts(&going, &poses, &dropped)?, poses)));
            if let Some((halts, poses)) = room {
                break (poses, halts);
            }
            let Some(worst) = (0..going.len()).max_by_key(|i| (going[*i].distance, going[*i].unit)) else {
                break (ArrayVec::new(), dropped.iter().map(|c| c.start).collect());
            };
            dropped.push(going.remove(worst));
        };
        let mut corridor: Vec<Way> = Vec::new();
        for (c, pose) in going.iter().zip(&poses) {
            let size = self.at().rect_of(c.unit).size();
            corridor.push(Way::between(&Rect::new(*pose, size), &Rect::new(*pose, size)));
            self.set_down(c.unit, *pose, cite!("7.4.g"));
            self.state.keep_to_road(self.battle, c);
        }
        for c in &going {
            self.state.gain_impetus(c.unit, c.difficult);
            self.state.engage_touching(self.battle, c, charge.target);
        }
        for (c, pose) in dropped.iter().zip(halts) {
            self.set_down(c.unit, pose, cite!("7.9.e"));
        }
        for c in going.iter().chain(&dropped) {
            corridor.extend(c.legs(&self.field(), c.length()));
        }
        self.evade(charge.side(self.battle), &corridor);
        for u in self.battle.all_units() {
            if self.state.on_table(u) && self.state.has_commander(u) {
                self.state.commanders_follow(self.battle, u);
            }
        }
        self.state.finish_charge(charge);
    }
}

impl State {
    /// A column that charged along its road is still on it, though it has squared up to its target (R24, R46).
    fn keep_to_road(&mut self, battle: &Battle, c: &Charger) {
        let front = self.unit(c.unit).pose.at.pt();
        if let Some(road) = c.road.filter(|road| battle.is_near_road(*road, front)) {
            self.unit_mut(c.unit).road = Some(road);
        }
    }
}

impl At<'_> {
    /// Where those halt who drop out, each as far along its line as it can, when the others have come up (7.9.e); none
    /// if somebody then has no place left, not even where it came from.
    fn halts(self, going: &[Charger], poses: &[Pose], dropped: &[Charger]) -> Option<ArrayVec<Pose, 8>> {
        let mut after = self.state.clone();
        for (c, pose) in going.iter().zip(poses) {
            after.unit_mut(c.unit).pose = *pose;
        }
        for c in dropped {
            after.unit_mut(c.unit).pose = c.start;
        }
        let mut out = ArrayVec::new();
        for c in dropped {
            let field = At::new(self.battle, &after).field();
            let by = field.last_stand(c, c.length());
            let pose = if by == 0 { c.start } else { c.along(&field, by) };
            if !field.free_of_units(c.unit, &Rect::new(pose, field.rect(c.unit).size())) {
                return None;
            }
            after.unit_mut(c.unit).pose = pose;
            out.push(pose);
        }
        Some(out)
    }
}

impl<F: Effects> Run<'_, F> {
    /// Point blank is a passing halt: who fails there and stays (R60) may not stand on top of anybody.
    fn make_room(&mut self, charge: &Charge, going: &[Charger]) {
        for c in charge.active().filter(|c| going.iter().all(|g| g.unit != c.unit)) {
            let by = {
                let field = self.field();
                let here = field.to_point_blank(c, field.rect(charge.target), POINT_BLANK);
                let stays = self.state.on_table(c.unit)
                    && (here == 0 || c.along(&field, here) == self.state.unit(c.unit).pose);
                (stays && !field.free_of_units(c.unit, field.rect(c.unit))).then(|| field.last_stand(c, here))
            };
            if let Some(by) = by {
                self.move_along(c, by, cite!("5.7.a"));
            }
        }
    }
}

impl State {
    /// The contact of a breakthrough is fought at once (9.5.e, R80).
    pub(crate) fn finish_charge(&mut self, charge: &Charge) {
        if charge.breakthrough {
            self.agenda.push(Step::Melee(MeleeStep::AfterBreakthrough { target: charge.target }));
        }
    }

    /// Stores the contact with the target and with any neighbour that is really touched (R31, R62).
    fn engage_touching(&mut self, battle: &Battle, c: &Charger, target: UnitId) {
        let touched: ArrayVec<(UnitId, Edge, Edge), 8> = {
            let field = At::new(battle, self).field();
            let rect = field.rect(c.unit);
            let start = Rect::new(c.start, rect.size());
            field
                .enemies(c.unit)
                .filter_map(|e| {
                    let t = touch(rect, field.rect(e)).filter(|t| t.length >= GRIP - 2 * EPS)?;
                    let struck = if e == target { c.side } else { field.rect(e).arc_of(start.front) };
                    let mine = if e == target { Edge::Front } else { t.mine };
                    Some((e, mine, struck))
                })
                .take(8)
                .collect()
        };
        for (e, mine, struck) in touched {
            self.engage(battle, c.unit, e, mine, struck);
        }
    }
}

impl Field<'_> {
    /// Poses for all who go in, side by side on each struck edge (R47, R55); none when somebody finds no room.
    fn poses_for(
        &self,
        charge: &Charge,
        going: &[Charger],
        left_out: &[UnitId],
    ) -> Option<ArrayVec<Pose, 8>> {
        let mut placing = Placing::new(self, charge, going, left_out);
        let mut out: ArrayVec<Option<Pose>, 8> = going.iter().map(|_| None).collect();
        for side in Edge::ALL {
            let mut here: ArrayVec<usize, 8> = (0..going.len()).filter(|i| going[*i].side == side).collect();
            if here.is_empty() {
                continue;
            }
            if let [i] = here[..] {
                let pose = placing.alone(&going[i])?;
                if placing.set_down(going[i].unit, pose) {
                    out[i] = Some(pose);
                    continue;
                }
            }
            let row = placing.in_row(going, &mut here, side)?;
            for (i, (unit, pose)) in here.iter().zip(row) {
                let turn = going[*i].start.facing.turn_to(pose.facing).abs();
                let rect = placing.base(unit, pose);
                if turn > 9_000 || !placing.has_room(unit, &rect) || !placing.set_down(unit, pose) {
                    return None;
                }
                out[*i] = Some(pose);
            }
        }
        out.into_iter().collect()
    }
}

/// Chargers being set down one after another.
struct Placing<'f, 'a> {
    field: &'f Field<'a>,
    target: UnitId,
    support: Option<UnitId>,
    /// Who drops out gives way; who has failed before stands in the way like anybody else.
    involved: ArrayVec<UnitId, 12>,
    placed: ArrayVec<Rect, 8>,
}

impl<'f, 'a> Placing<'f, 'a> {
    fn new(field: &'f Field<'a>, charge: &Charge, going: &[Charger], left_out: &[UnitId]) -> Self {
        let mut involved: ArrayVec<UnitId, 12> =
            going.iter().map(|c| c.unit).chain(left_out.iter().copied()).collect();
        involved.push(charge.target);
        involved.extend(charge.support);
        Self { field, target: charge.target, support: charge.support, involved, placed: ArrayVec::new() }
    }

    fn base(&self, u: UnitId, pose: Pose) -> Rect {
        Rect::new(pose, self.field.rect(u).size())
    }

    /// Whom it charges it may touch, to the rounding of two poses.
    fn stands_on(&self, r: &Rect, v: UnitId) -> bool {
        let other = self.field.rect(v);
        if v == self.target || self.support == Some(v) {
            r.depth_of_overlap(other) > 2 * EPS
        } else {
            r.overlaps(other)
        }
    }

    /// Takes its place unless another charger has it.
    fn set_down(&mut self, u: UnitId, pose: Pose) -> bool {
        let rect = self.base(u, pose);
        let free = self.placed.iter().all(|p| !p.overlaps(&rect));
        if free {
            self.placed.push(rect);
        }
        free
    }

    /// The only one on its edge: where its own line leads, slid against the support of charged guns.
    fn alone(&self, c: &Charger) -> Option<Pose> {
        let field = self.field;
        let mut pose = field.final_pose(c.unit, self.target, c.side, c.aim.pt(), &self.involved)?;
        if let Some(s) = self.support {
            let size = field.rect(c.unit).size();
            let slid = slide_to_support(pose, size, field.rect(self.target), c.side, field.rect(s));
            if self.has_room(c.unit, &Rect::new(slid, size)) {
                pose = slid;
            }
        }
        let mut row = [(c.unit, pose)];
        self.keep_off_neighbours(&mut row);
        Some(row[0].1)
    }

    /// Several on one edge, in the order in which they come along it, from left to right as they see it.
    fn in_row(
        &self,
        going: &[Charger],
        here: &mut ArrayVec<usize, 8>,
        side: Edge,
    ) -> Option<ArrayVec<(UnitId, Pose), 8>> {
        let (field, target) = (self.field, self.field.rect(self.target));
        let lead = &going[here[0]];
        let (start, dir) = (target.edge(side).1, self.base(lead.unit, lead.pose).ahead.right());
        let from = |c: &Charger| self.base(c.unit, c.start).front;
        here.sort_by_key(|i| (dir.along(from(&going[*i]) - start), going[*i].unit));
        let widths: ArrayVec<i64, 8> =
            here.iter().map(|i| 2 * field.rect(going[*i].unit).a + 2 * MIL).collect();
        let desired: ArrayVec<i64, 8> = here.iter().map(|i| dir.along(going[*i].aim.pt() - start)).collect();
        let (mut least, mut greatest) =
            (GRIP - widths.first()? / 2, target.edge_length(side) - GRIP + widths.last()? / 2);
        // Chargers round the corner take room at the ends.
        for p in &self.placed {
            let first = self.base(going[here[0]].unit, table::conform(target, side, start));
            if let Some((lo, hi)) = table::overlap_while_moving(&first, p, dir, 0) {
                if lo + hi < target.edge_length(side) {
                    least = least.max(hi + MIL);
                } else {
                    greatest = greatest.min(lo - MIL);
                }
            }
        }
        let places = pack_between(&desired, &widths, least, greatest)?;
        let mut row: ArrayVec<(UnitId, Pose), 8> = here
            .iter()
            .zip(places)
            .map(|(i, at)| (going[*i].unit, table::conform(target, side, start + dir.times(at))))
            .collect();
        self.keep_off_neighbours(&mut row);
        Some(row)
    }

    /// Where they would come within 1 in of an enemy they do not fight, the chargers on one edge slide along it, 1 in
    /// at the most, to restore the distance, if all keep their contact (R62); else the nearness is accepted.
    fn keep_off_neighbours(&self, row: &mut [(UnitId, Pose)]) {
        let field = self.field;
        let grips = |r: &Rect, e: UnitId| touch(r, field.rect(e)).is_some_and(|t| t.length >= GRIP);
        let strangers = |u: UnitId| field.enemies(u).filter(|e| !self.involved.contains(e));
        let too_near = |&(u, pose): &(UnitId, Pose)| {
            let r = self.base(u, pose);
            strangers(u).any(|e| r.distance(field.rect(e)) < PROXIMITY - EPS && !grips(&r, e))
        };
        if !row.iter().any(too_near) {
            return;
        }
        let fits = |u: UnitId, pose: Pose| {
            let r = self.base(u, pose);
            grips(&r, self.target)
                && strangers(u).all(|e| r.distance(field.rect(e)) >= PROXIMITY - EPS)
                && self.has_room(u, &r)
        };
        let slid = |pose: Pose, by: i64| pose.moved(9_000, by * 10 * MIL);
        let slides = (1..=100i64).flat_map(|i| [-i, i]);
        if let Some(by) = slides.into_iter().find(|by| row.iter().all(|(u, pose)| fits(*u, slid(*pose, *by))))
        {
            for (_, pose) in row {
                *pose = slid(*pose, by);
            }
        }
    }

    /// On the table and passable ground, and on nobody but comrades who have yet to be placed or give way.
    fn has_room(&self, u: UnitId, r: &Rect) -> bool {
        let field = self.field;
        let gives_way = |v: UnitId| field.side(v) == field.side(u) && self.involved.contains(&v);
        field.on_table().all(|v| gives_way(v) || !self.stands_on(r, v))
            && self.placed.iter().all(|p| !p.overlaps(r))
            && !field.battle.impassable(r)
            && field.battle.top.holds(r)
    }
}

impl<F: Effects> Run<'_, F> {
    /// No room or no contact: along its line as far as 1 in from enemies allows (7.4.h, 7.9.e).
    pub(crate) fn stop_short(&mut self, c: &Charger) {
        let by = self.field().last_stand(c, c.length());
        self.move_along(c, by, cite!("7.9.e"));
    }
}

impl State {
    /// Stores that `a` came into contact with `b`, on these sides of each; `b` was come upon, so only it can be
    /// defending.
    pub(crate) fn engage(&mut self, battle: &Battle, a: UnitId, b: UnitId, side_of_a: Edge, side_of_b: Edge) {
        if self.contacts.iter().any(|c| (c.a == a && c.b == b) || (c.a == b && c.b == a)) {
            return;
        }
        let charged = !self.unit(b).flags.has(Flags::IMPETUS);
        let defended =
            charged && battle.defends(&At::new(battle, self).rect_of(b), &At::new(battle, self).rect_of(a));
        let _ = self.contacts.try_push(Contact { a, b, side_of_a, side_of_b, defended });
    }
}

impl Battle {
    /// An obstacle runs along the touching edges, within half an inch of them, over at least half the contact.
    fn defends(&self, defender: &Rect, charger: &Rect) -> bool {
        let Some(contact) = table::touch(charger, defender) else { return false };
        let edge = defender.edge(contact.theirs);
        let other = charger.edge(contact.mine);
        self.terrain.iter().filter(|f| f.ground == Ground::Obstacle).any(|f| match &f.shape {
            Shape::Line(line) => {
                line.distance(defender) <= COVER + EPS
                    && 2 * along(line, edge, other) >= contact.length - 2 * EPS
            }
            _ => false,
        })
    }
}

/// How much of the common stretch of two touching edges a line accompanies.
fn along(line: &Line, edge: (table::Pt, table::Pt), other: (table::Pt, table::Pt)) -> i64 {
    let side = edge.1 - edge.0;
    let long = side.length().max(1);
    let at = |p: table::Pt| {
        let d = p - edge.0;
        (table::mul_div(1, side.dot(d), long), table::mul_div(1, side.cross(d), long))
    };
    let (lo, hi) = (at(other.1).0.max(0), at(other.0).0.min(long));
    let mut spans = Spans::new();
    for (a, b) in line.legs() {
        let ((x0, h0), (x1, h1)) = (at(a), at(b));
        // The part of the leg that lies within half an inch of the edge's line.
        let (mut t0, mut t1) = (0i64, 1 << 20);
        for (g0, g1) in [(COVER + EPS - h0, COVER + EPS - h1), (h0 + COVER + EPS, h1 + COVER + EPS)] {
            if g0 < 0 && g1 < 0 {
                t1 = -1;
            } else if g0 < 0 {
                t0 = t0.max(table::mul_div(1 << 20, -g0, g1 - g0));
            } else if g1 < 0 {
                t1 = t1.min(table::mul_div(1 << 20, g0, g0 - g1));
            }
        }
        if t1 > t0 {
            let x = |t: i64| x0 + table::mul_div(x1 - x0, t, 1 << 20);
            let (p, q) = (x(t0).min(x(t1)), x(t0).max(x(t1)));
            let span = Span { lo: p.max(lo), hi: q.min(hi) };
            if span.hi > span.lo {
                let _ = spans.try_push(span);
            }
        }
    }
    length(&unite(spans))
}

impl State {
    /// Is `u` defending an obstacle against `foe`?
    pub(crate) fn is_defending(&self, u: UnitId, foe: UnitId) -> bool {
        self.contacts.iter().any(|c| c.defended && c.b == u && c.a == foe)
    }

    /// A unit that leaves its place has no contacts any more.
    pub(crate) fn disengage(&mut self, u: UnitId) {
        self.contacts.retain(|c| c.a != u && c.b != u);
    }
}
