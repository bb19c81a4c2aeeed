//! Charge movement: the turn, the straight way, the face it strikes, the place at contact (charge.movement, R32,
//! R65).

use arrayvec::ArrayVec;
use game::{Allowed, Effects, Kind, No};
use table::{Angle, Dir, EPS, INCH, Pose, Pt, Rect};

use crate::at::{At, Run};
use crate::cite;
use crate::rules::basics::{Formation, Layout, Shape};
use crate::rules::charge::{ChargeLine, Charger};
use crate::rules::contact::in_touch;
use crate::rules::sequence::Phase;
use crate::rules::terrain::track_cost;
use crate::setup::battle::Battle;
use crate::state::{Assault, Body, BodyId, Bout, Face, Marks, Part, State};

/// The least translation along `dir` at which two bodies touch.
pub(crate) fn touch_distance(mover: &Layout, stander: &Layout, dir: Dir) -> Option<i64> {
    if mover.solid() && stander.solid() {
        return table::touch_distance(&mover.block(), &stander.block(), dir);
    }
    table::touch_distance(&mover.block(), &stander.block(), dir)?;
    let theirs = stander.rects();
    let mine = mover.rects();
    mine.iter().flat_map(|a| theirs.iter().filter_map(move |b| table::touch_distance(a, b, dir))).min()
}

/// The way of a charge: how far it goes, what it strikes, where it ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way {
    pub d: i64,
    pub face: Face,
    pub landing: Pose,
}

impl At<'_> {
    /// Works out the way of a charge (R24-R27).
    pub(crate) fn charge_way(self, line: &ChargeLine) -> Allowed<Way> {
        let body = self.body(line.by);
        if i32::from(line.turn).abs() > 4500 {
            return Err(No::new(cite!("charge.movement.a"), "it may turn by 45 degrees at the most"));
        }
        let before = body.layout(self.battle);
        let mut start = before;
        start.pose.facing = start.pose.facing.turned(i32::from(line.turn));
        let target = self.layout(line.at);
        let dir = start.pose.facing.dir();
        let Some(d) = touch_distance(&start, &target, dir) else {
            return Err(No::new(cite!("charge.movement.a"), "straight ahead it does not meet the target"));
        };
        let rate = self.battle.rate(body).charge;
        if d > rate + EPS {
            return Err(No::new(cite!("charge.movement.a"), "the target is farther than the Charge rate"));
        }
        if line.turn != 0 && !(self.battle.top.holds(&start.block()) && self.clear_of_others(line, &start)) {
            return Err(No::new(cite!("charge.movement.a"), "there is no room to turn"));
        }
        self.clear_way(line, &start, dir, d)?;
        self.pay_for_charge(line, &start, dir, d, rate)?;
        let face = self.face_struck(line, &before, &start, &target, dir, d);
        if line.files > 0 {
            let change = i64::from(line.files.abs_diff(start.files()));
            if !body.mounted(self.battle) || change > d / (2 * INCH) || line.files > start.stands {
                return Err(No::new(
                    cite!("charge.movement.b"),
                    "cavalry changes its front by one stand for every 2 in of the charge",
                ));
            }
            start.shape.files = line.files;
        }
        let landing = self.square_up(line.by, &start, line.at, d, dir, face);
        let Some(landing) = landing else {
            return Err(No::new(
                cite!("melee.contact.b"),
                "it cannot bring the whole front of a stand against the target",
            ));
        };
        Ok(Way { d, face, landing })
    }

    pub(super) fn clear_of_others(self, line: &ChargeLine, start: &Layout) -> bool {
        let side = self.side_of(line.by);
        let known =
            self.state.on_table().filter(|(_, b)| self.battle.side(b) == side || !b.marks.unsighted());
        !known
            .into_iter()
            .filter(|(o, b)| *o != line.by && *o != line.at && !self.falls_back_on(line.at, *o, b))
            .any(|(_, b)| start.overlaps(&b.layout(self.battle)))
    }

    /// Detached skirmishers of the target fall back on it before the charge arrives (skirmish.g).
    fn falls_back_on(self, target: BodyId, other: BodyId, body: &Body) -> bool {
        other != target && body.bmu == self.body(target).bmu && body.part == Part::Skirmishers
    }

    pub(super) fn clear_way(self, line: &ChargeLine, start: &Layout, dir: Dir, d: i64) -> Allowed {
        let swept = start.block().bounds.grown(d + INCH);
        for (other, b) in self.state.on_table() {
            if other == line.by || other == line.at {
                continue;
            }
            let friend = self.battle.side(b) == self.side_of(line.by);
            let theirs = b.layout(self.battle);
            if !theirs.may_meet(&swept)
                || !theirs.block().bounds.meets(&swept)
                || (friend && b.skirmishing())
                || (!friend && b.marks.unsighted())
                || b.marks.has(Marks::ABANDONED)
            {
                continue;
            }
            if self.falls_back_on(line.at, other, b) {
                continue;
            }
            let Some(met) = touch_distance(start, &theirs, dir) else { continue };
            if met >= d - EPS || (met == 0 && !moves_into(start, &theirs, dir)) {
                continue;
            }
            return Err(match friend {
                true => No::new(
                    cite!("move.penetration.c"),
                    "a friend is in the way, and nobody charges through friends",
                ),
                false => No::new(cite!("charge.movement.a"), "another enemy is in the way"),
            });
        }
        Ok(())
    }

    pub(super) fn pay_for_charge(
        self,
        line: &ChargeLine,
        start: &Layout,
        dir: Dir,
        d: i64,
        rate: i64,
    ) -> Allowed {
        let body = self.body(line.by);
        let fronts = start.fronts();
        let by = dir.times(d);
        let unknown = self.unknown(self.battle.side(body));
        let cost = self.charge_cost(line.by, start, by, unknown);
        self.closed_ground(line.by, &fronts, by, &start.block().shifted(by))?;
        self.charge_over(line, &fronts, by)?;
        if cost > rate + EPS {
            return Err(No::new(
                cite!("charge.movement.a"),
                "the ground costs more than the Charge rate allows",
            ));
        }
        Ok(())
    }

    /// What the ground of a charge costs one to whom some of it is unknown.
    fn charge_cost(self, id: BodyId, start: &Layout, by: Pt, unknown: u32) -> i64 {
        let fronts = start.fronts();
        let body = self.body(id);
        let rate = self.battle.rate(body).charge;
        let standing = if body.marks.has(Marks::PRONE) { rate / 4 } else { 0 };
        track_cost(self.battle, &fronts, by, false, unknown)
            + self.obstacles(start, &fronts, by) * rate / 4
            + standing
    }

    /// How far a charge gets that ground it did not know holds up (terrain.special.a); none if it gets there.
    pub(crate) fn held_up(self, charger: &Charger, start: &Layout) -> Option<i64> {
        let by = charger.line.by;
        let body = self.body(by);
        if self.unknown(self.battle.side(body)) == 0 || self.state.blind {
            return None;
        }
        let (dir, rate) = (start.pose.facing.dir(), self.battle.rate(body).charge);
        let fits = |far: i64| self.charge_cost(by, start, dir.times(far), 0) <= rate + EPS;
        if fits(charger.d) {
            return None;
        }
        let (mut good, mut bad) = (0, charger.d);
        while bad - good > table::MIL {
            let middle = i64::midpoint(good, bad);
            if fits(middle) { good = middle } else { bad = middle }
        }
        Some(good)
    }

    /// Which face is struck (R26, R27).
    pub(super) fn face_struck(
        self,
        line: &ChargeLine,
        before: &Layout,
        start: &Layout,
        target: &Layout,
        dir: Dir,
        d: i64,
    ) -> Face {
        let behind = || before.centres().iter().any(|&stand| target.behind_front(stand));
        if no_flanks(self.body(line.at)) || !behind() {
            return Face::Front;
        }
        touched_face(start, target, dir, d)
    }

    /// The pose flush against the struck edge (R65); none if there is none without overlap.
    pub(crate) fn square_up(
        self,
        by: BodyId,
        start: &Layout,
        at: BodyId,
        d: i64,
        dir: Dir,
        face: Face,
    ) -> Option<Pose> {
        let struck = self.layout(at);
        let target = struck.block();
        let edge = face.edge();
        let (left, right) = target.edge(edge);
        let length = target.edge_length(edge);
        let along = Angle::of(right - left).dir();
        let there = start.block().shifted(dir.times(d));
        let facing = target.facing.turned(edge.bearing()).reversed();
        let contact = contact_point(&there, &target);
        let aside = if there.facing.turn_to(facing).abs() < 20 {
            along.along(there.front - left)
        } else {
            along.along(contact - left) + there.ahead.right().along(contact - there.front)
        };
        let width = start.extent().width;
        let half = INCH / 2;
        let mut spans: ArrayVec<(i64, i64), 12> = ArrayVec::new();
        if length >= INCH - EPS {
            let count = i64::from(start.in_rank(0));
            for i in 0..count {
                let offset = (2 * i - (count - 1)) * i64::from(start.shape.pitch) * table::MIL / 2;
                spans.push((half - offset, length - half - offset));
            }
        } else {
            spans.push((length - width / 2, width / 2));
        }
        let clamp = |s: i64| {
            spans.iter().map(|(lo, hi)| s.clamp(*lo.min(hi), *hi.max(lo))).min_by_key(|c| (c - s).abs())
        };
        let first = clamp(aside)?;
        let near = 2 * start.reach();
        let others: Vec<(BodyId, Layout)> = self
            .others_at_contact(by, at)
            .filter(|(_, theirs)| theirs.may_be_within(&struck, near))
            .collect();
        for step in 0..40 {
            for sign in [1, -1] {
                let s = clamp(first + sign * step * INCH / 4)?;
                let pose = Pose { at: (left + along.times(s)).spot(), facing };
                let there = start.at(pose);
                if self.battle.top.holds(&there.block())
                    && free_at_contact(&others, &there, at)
                    && in_touch(&there, &struck)
                {
                    return Some(pose);
                }
                if step == 0 {
                    break;
                }
            }
        }
        None
    }

    /// Whom a body that comes into contact must not stand in: everybody else, guns that nobody serves apart.
    pub(super) fn others_at_contact(self, by: BodyId, at: BodyId) -> impl Iterator<Item = (BodyId, Layout)> {
        let others = self.state.on_table().filter(move |(o, b)| {
            *o != by && (*o == at || !self.is_apart(by, b) && !self.falls_back_on(at, *o, b))
        });
        others.map(|(o, b)| (o, b.layout(self.battle)))
    }

    /// Guns that nobody serves, and enemies that one's side has not sighted, are in nobody's way.
    pub(crate) fn is_apart(self, by: BodyId, other: &Body) -> bool {
        let unknown = other.marks.unsighted() && self.battle.side(other) != self.side_of(by);
        unknown || other.marks.has(Marks::ABANDONED)
    }

    /// The body as it stands at a distance along its charge, one stand alone: the one that would touch first (R32).
    pub(crate) fn lead_stand(self, charger: &Charger) -> Layout {
        let start = self.charging_layout(charger);
        let dir = start.pose.facing.dir();
        let target = self.layout(charger.line.at);
        let middle = start.pose.at.pt();
        let theirs = target.rects();
        let solid = target.solid();
        let block = target.block();
        let mine = start.rects();
        let lead = mine.iter().enumerate().filter_map(|(i, r)| {
            let d = if solid {
                table::touch_distance(r, &block, dir)
            } else {
                theirs.iter().filter_map(|t| table::touch_distance(r, t, dir)).min()
            }?;
            Some(((d / (2 * EPS), r.front.to(middle) / (2 * EPS), i), *r))
        });
        let rect = lead.min_by_key(|(key, _)| *key).map_or_else(|| mine[0], |(_, r)| r);
        let shape = Shape { files: 1, ..start.shape };
        Layout {
            pose: rect.pose(),
            shape: Shape { formation: Formation::Line, ..shape },
            stands: 1,
            size: start.size,
        }
    }

    /// The layout of a charger, turned, before it goes.
    pub(crate) fn charging_layout(self, charger: &Charger) -> Layout {
        let mut start = self.layout(charger.line.by);
        start.pose.facing = start.pose.facing.turned(i32::from(charger.line.turn));
        start
    }

    /// The lead stand where its distance to the target has come down to `limit`, or where it starts if nearer.
    pub(crate) fn lead_at(self, charger: &Charger, limit: i64) -> (Layout, i64) {
        let lead = self.lead_stand(charger);
        let dir = lead.pose.facing.dir();
        let target = self.layout(charger.line.at);
        let at = |t: i64| Layout { pose: lead.pose.shifted(dir.times(t)), ..lead };
        if at(0).distance(&target) <= limit {
            return (lead, 0);
        }
        // The distance falls as the stand comes on: halve the way until the thousandth is found.
        let (mut lo, mut hi) = (0, charger.d);
        while hi - lo > table::MIL / 2 {
            let mid = lo + (hi - lo) / 2;
            if at(mid).distance(&target) > limit { lo = mid } else { hi = mid }
        }
        (at(hi), hi)
    }

    /// Where defensive fire is resolved: the target's short range or half an inch (R32).
    pub(crate) fn test_point(self, charger: &Charger) -> (Layout, i64) {
        let short = self.info(charger.line.at).weapon.ranges[0];
        self.lead_at(charger, short.max(INCH / 2))
    }
}

/// Already touching: whether going on would push into it.
pub(super) fn moves_into(start: &Layout, other: &Layout, dir: Dir) -> bool {
    let ahead = start.at(start.pose.shifted(dir.times(INCH / 20)));
    ahead.overlaps(other)
}

/// Squares, boxes and skirmishers have no flank or rear.
pub(crate) fn no_flanks(body: &Body) -> bool {
    matches!(body.shape.formation, Formation::Square | Formation::Skirmish) || body.marks.has(Marks::BOX)
}

/// The edge of the target that contact reaches first; front before side, side before rear on a corner.
pub(crate) fn touched_face(start: &Layout, target: &Layout, dir: Dir, d: i64) -> Face {
    let there = start.block().shifted(dir.times(d));
    let block = target.block();
    if let Some(touch) = table::touch(&there, &block).filter(|t| t.length > 4 * EPS) {
        return Face::of(touch.theirs);
    }
    let gap = |side: table::Side| {
        let (a, b) = block.edge(side);
        table::distance(&[a, b][..], &there)
    };
    let near: ArrayVec<table::Side, 4> =
        table::Side::ALL.into_iter().filter(|s| gap(*s) <= 3 * EPS).collect();
    let first = [table::Side::Front, table::Side::Left, table::Side::Right, table::Side::Rear];
    let found = first.into_iter().find(|s| near.contains(s));
    Face::of(found.unwrap_or_else(|| first.into_iter().min_by_key(|s| gap(*s)).unwrap_or(table::Side::Front)))
}

/// Where two bodies that touch do so.
pub(super) fn contact_point(a: &Rect, b: &Rect) -> Pt {
    let mine = a.corners.iter().map(|p| (b.distance_to(*p), *p));
    let theirs = b.corners.iter().map(|p| (a.distance_to(*p), *p));
    mine.chain(theirs).min_by_key(|(d, _)| *d).map_or(a.front, |(_, p)| p)
}

/// Whether it stands in none of them.
pub(super) fn free_at_contact(others: &[(BodyId, Layout)], layout: &Layout, at: BodyId) -> bool {
    !others.iter().any(|(o, theirs)| {
        // Snapping to the grid may push a turned front a hair into the target.
        let deep = *o != at || layout.block().depth_of_overlap(&theirs.block()) > 4 * EPS;
        deep && layout.overlaps(theirs)
    })
}

impl<F: Effects> Run<'_, F> {
    /// Moves a body into contact and opens a bout; false if there is no place for it.
    pub(crate) fn come_into_contact(
        &mut self,
        by: BodyId,
        start: &Layout,
        at: BodyId,
        d: i64,
        dir: Dir,
        any_face: bool,
    ) -> bool {
        let target = self.at().layout(at);
        let face = if any_face && !no_flanks(self.state.body(at)) {
            touched_face(start, &target, dir, d)
        } else {
            Face::Front
        };
        let Some(pose) = self.at().square_up(by, start, at, d, dir, face) else {
            let short = start.pose.shifted(dir.times((d - INCH / 2).max(0)));
            if self.at().is_free(by, &start.at(short)) {
                self.state.body_mut(by).pose = short;
            }
            return false;
        };
        self.state.body_mut(by).pose = pose;
        self.state.open_bout(by, at, face);
        self.tell_of(by, Kind::Melee, "comes to blows", cite!("melee.contact.a"));
        true
    }

    /// It has moved in the Charge Phase from `before`, over whatever ground lies between; a leader goes with it.
    pub(crate) fn moved_early(&mut self, by: BodyId, before: &Layout) {
        self.state.mark_moved(by);
        self.state.carry_leader(by);
        self.ground_tells(by, before);
    }

    /// The charger goes to where contact would have been (R30).
    pub(crate) fn take_place(&mut self, index: usize) {
        let charger = self.state.charge.chargers[index];
        let start = self.at().charging_layout(&charger);
        let dir = start.pose.facing.dir();
        let mut far = charger.d;
        while far > 0 && !self.at().is_free(charger.line.by, &start.at(start.pose.shifted(dir.times(far)))) {
            far -= INCH / 4;
        }
        let body = self.state.body_mut(charger.line.by);
        if far > 0 {
            body.pose = start.pose.shifted(dir.times(far));
        }
        body.marks.clear(Marks::RUSH);
        self.moved_early(charger.line.by, &start);
        self.tell_of(charger.line.by, Kind::Advance, "takes the place of the enemy", cite!("seq.charge.c"));
    }
}

impl State {
    /// A new bout between two bodies.
    pub(crate) fn open_bout(&mut self, attacker: BodyId, defender: BodyId, face: Face) {
        let bout = Bout {
            attacker,
            defender,
            face,
            back: Face::Front,
            charged: false,
            countered: false,
            rounds: 0,
            wall: Assault::NONE,
            ladders: false,
            fought: false,
        };
        self.bouts.push(bout);
        self.body_mut(attacker).marks.clear(Marks::WON);
        if !self.bouts.iter().any(|b| b.rounds > 0 && (b.attacker == defender || b.defender == defender)) {
            self.body_mut(defender).marks.clear(Marks::WON);
        }
    }

    /// It counts as having moved, and whoever lay down has stood up (R22, move.prone.d).
    pub(crate) fn mark_moved(&mut self, by: BodyId) {
        let early = self.phase < Phase::Movement;
        let body = self.body_mut(by);
        body.marks.set(Marks::MOVED);
        if body.marks.has(Marks::SPOTTED) {
            body.marks.show();
        }
        if body.marks.has(Marks::PRONE) {
            body.marks.clear(Marks::PRONE);
            body.marks.set(Marks::STOOD);
        }
        body.marks.set(if early { Marks::MOVED_EARLY } else { Marks::GONE_ABOUT });
    }

    /// Puts a body down, or as near as there is room.
    pub(crate) fn put(&mut self, battle: &Battle, id: BodyId, layout: &Layout, pose: Pose) {
        let there = layout.at(pose);
        let pose = if At::new(battle, self).is_free(id, &there) {
            pose
        } else {
            At::new(battle, self).nearest_room(id, &there)
        };
        let body = self.body_mut(id);
        body.pose = pose;
        body.shape = layout.shape;
    }
}
