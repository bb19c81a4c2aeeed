//! Chapters 5.1 and 12: commanders attach, detach, ride, evade, and leave a unit that breaks.

use arrayvec::ArrayVec;
use game::{Allowed, Effects, Entry, Kind, No, Side};
use table::{Angle, Bounds, Convex, EPS, INCH, Pt, Rect, Spot, Way, closest_on_segment};

use crate::action::Action;
use crate::at::{At, Run};
use crate::field::Field;
use crate::legal::no;
use crate::rules::charts::{COMMANDER_MOVE, PROXIMITY};
use crate::rules::terrain::Going;
use crate::setup::battle::Battle;
use crate::setup::ground::Shape;
use crate::setup::pieces::{Border, CommanderId, MAX_UNITS, UnitId, piece, spot_place};
use crate::state::State;

impl Field<'_> {
    /// May this commander attach to that unit at all, and can he reach it (5.1.b, 12.a, 12.b, R43)?
    pub(crate) fn may_attach(&self, c: CommanderId, u: UnitId) -> Allowed {
        let (officer, now) = (self.battle.officer(c), &self.state.commanders[c.i()]);
        if !now.on_table || now.moved || officer.side != self.side(u) || !self.state.on_table(u) {
            return no(cite!("5.1.b"), "He cannot attach to this unit now.");
        }
        if officer.fixed {
            return no(cite!("scenario.d"), "The scenario does not let him move or attach.");
        }
        if now.attached == Some(u) {
            return no(cite!("5.1.b"), "He is attached to this unit already.");
        }
        self.leaves_melee(c)?;
        if officer.brigade.is_some_and(|b| b != self.battle.unit(u).brigade) {
            return no(cite!("12.b"), "A brigade commander attaches to units of his own brigade only.");
        }
        if self.disc(c).distance(self.rect(u)) > COMMANDER_MOVE + EPS {
            return no(cite!("2.6.n"), "The unit is farther than the 24 in a commander moves.");
        }
        let goal = self.rect(u).closest(now.at.pt());
        let reaches = |p: Pt| self.rides_free(officer.side, now.at.pt(), p);
        if !reaches(goal) && !reaches(behind(self.rect(u), 0)) {
            return no(cite!("6.1.d"), "Enemies or impassable terrain block his way to the unit.");
        }
        Ok(())
    }

    fn leaves_melee(&self, c: CommanderId) -> Allowed {
        match self.state.commanders[c.i()].attached {
            Some(u) if self.state.engaged(u) => {
                no(cite!("12.1.b"), "He may not detach from a unit engaged in melee.")
            }
            _ => Ok(()),
        }
    }

    /// May he detach to this spot, 1 in from his unit (5.1.d)?
    pub(crate) fn may_detach(&self, c: CommanderId, to: Spot) -> Allowed {
        let now = &self.state.commanders[c.i()];
        let Some(u) = now.attached else { return no(cite!("5.1.d"), "He is not attached to a unit.") };
        if now.moved {
            return no(cite!("5.1.d"), "He has already moved to attach and does not move again.");
        }
        self.leaves_melee(c)?;
        let radius = self.battle.officer(c).radius();
        let away = self.rect(u).distance_to(to.pt()) - radius;
        if (away - INCH).abs() > 2 * EPS {
            return no(cite!("5.1.d"), "On detaching he is placed exactly 1 in from the unit.");
        }
        self.may_rest(c, to)
    }

    /// A spot where a free commander may rest: on the table, passable, 1 in from enemies, on no friend (R43).
    fn may_rest(&self, c: CommanderId, to: Spot) -> Allowed {
        let (p, radius) = (to.pt(), self.battle.officer(c).radius());
        if !self.battle.top.holds_point(p) {
            return no(cite!("5.5.af"), "He would leave the table.");
        }
        let side = self.battle.officer(c).side;
        if self.of_side(!side).any(|e| self.rect(e).distance_to(p) - radius < PROXIMITY - EPS) {
            return no(cite!("4.4.a"), "He must end at least 1 in from enemy units.");
        }
        if self.of_side(side).any(|f| self.rect(f).distance_to(p) < radius - EPS) {
            return no(cite!("5.7.a"), "He would end on top of a friendly unit.");
        }
        if self.battle.impassable(&point_box(p)[..]) {
            return no(cite!("6.1.d"), "He would stand in impassable terrain.");
        }
        Ok(())
    }
}

/// A tiny square about a point, to test areas with.
fn point_box(p: Pt) -> [Pt; 4] {
    let e = 4 * EPS;
    [
        Pt::new(p.x + e, p.y - e),
        Pt::new(p.x + e, p.y + e),
        Pt::new(p.x - e, p.y + e),
        Pt::new(p.x - e, p.y - e),
    ]
}

impl Field<'_> {
    /// The ordinary move of a free commander (2.6.n, 5.3.c, 5.3.e).
    pub(crate) fn may_ride(&self, c: CommanderId, to: Spot) -> Allowed {
        let now = &self.state.commanders[c.i()];
        if self.battle.officer(c).fixed {
            return no(cite!("scenario.d"), "The scenario does not let him move.");
        }
        if !now.on_table || now.attached.is_some() || now.moved {
            return no(cite!("5.3.c"), "Only an unattached commander who has not moved may move.");
        }
        let ridden = now.at.pt().to(to.pt());
        if ridden > COMMANDER_MOVE + EPS {
            let asked = table::div_round(ridden, table::MIL) as i32;
            return Err(No::long(cite!("2.6.n"), "A commander moves up to 24 in", asked, 24_000));
        }
        self.may_rest(c, to)?;
        if !self.rides_free(self.battle.officer(c).side, now.at.pt(), to.pt()) {
            return no(cite!("5.7.c"), "Enemies or impassable terrain block his way.");
        }
        Ok(())
    }

    /// Can he ride from one point to another within 24 in, straight or bending round whatever corners are in the way
    /// (R43)?
    fn rides_free(&self, side: Side, from: Pt, to: Pt) -> bool {
        self.leg_is_free(side, from, to) || self.rides_round(side, from, to)
    }

    /// The shortest way round corners: from the nearest corner reached so far to those it sees, until one sees the
    /// goal.
    fn rides_round(&self, side: Side, from: Pt, to: Pt) -> bool {
        let mut bends = self.corners_between(side, from, to);
        let free = |a: Pt, b: Pt| self.leg_is_free(side, a, b);
        let mut reached: ArrayVec<(i64, Pt), BENDS> = ArrayVec::new();
        reached.push((0, from));
        while let Some(nearest) = (0..reached.len()).min_by_key(|i| reached[*i].0) {
            let (ridden, at) = reached.swap_remove(nearest);
            if at != from && ridden + at.to(to) <= COMMANDER_MOVE && free(at, to) {
                return true;
            }
            bends.retain(|bend| *bend != at);
            for bend in &bends {
                let way = ridden + at.to(*bend);
                let known = reached.iter().position(|(_, p)| p == bend);
                let shorter = known.is_none_or(|i| way < reached[i].0);
                if way + bend.to(to) > COMMANDER_MOVE || !shorter || !free(at, *bend) {
                    continue;
                }
                match known {
                    Some(i) => reached[i].0 = way,
                    None => {
                        let _ = reached.try_push((way, *bend));
                    }
                }
            }
        }
        false
    }
}

/// How many corners are looked at; more than can lie within a ride.
const BENDS: usize = 128;

impl Field<'_> {
    /// The corners of enemies and of impassable ground, a hair outside, by which a ride of 24 in can pass.
    fn corners_between(&self, side: Side, from: Pt, to: Pt) -> ArrayVec<Pt, BENDS> {
        let mut bends = ArrayVec::new();
        let mut corners_of = |corners: &[Pt]| {
            let middle = corners.iter().fold(Pt::default(), |sum, c| sum + *c);
            let middle = Pt::new(middle.x / corners.len() as i64, middle.y / corners.len() as i64);
            for c in corners {
                let bend = *c + Angle::of(*c - middle).dir().times(INCH / 50);
                if from.to(bend) + bend.to(to) <= COMMANDER_MOVE && self.battle.top.holds_point(bend) {
                    let _ = bends.try_push(bend);
                }
            }
        };
        for e in self.of_side(!side) {
            corners_of(&self.rect(e).corners);
        }
        for feature in self.battle.features(Going::Impassable) {
            match &feature.shape {
                // A river's outline is its middle line; its parts are the banks.
                Shape::Area(area) => area.parts().iter().for_each(|part| corners_of(part)),
                Shape::Line(line) => corners_of(line.points()),
                Shape::Road(_) => {}
            }
        }
        bends
    }

    /// A straight way that crosses no enemy and no impassable ground.
    fn leg_is_free(&self, side: Side, from: Pt, to: Pt) -> bool {
        let way = [from, to];
        let bounds = Bounds::of(&way);
        let crossed = self
            .of_side(!side)
            .any(|u| bounds.meets(&self.rect(u).bounds) && table::deeper_than_eps(&way[..], self.rect(u)));
        let rough = self.battle.features(Going::Impassable).any(|f| match &f.shape {
            Shape::Area(area) => bounds.meets(&area.bounds()) && area.chord(from, to) > 2 * EPS,
            Shape::Line(line) => line.crossed_by(from, to),
            Shape::Road(_) => false,
        });
        !crossed && !rough
    }
}

/// Behind the middle of a unit's rear edge, touching it: where an attached commander is drawn (R43).
fn behind(rect: &Rect, radius: i64) -> Pt {
    rect.rear_middle() - rect.ahead.times(radius)
}

impl State {
    /// Sets the discs of attached commanders behind their unit, or where an enemy stands there, at another side of it
    /// (5.1.c, 12.2.c).
    pub(crate) fn commanders_follow(&mut self, battle: &Battle, u: UnitId) {
        let rect = At::new(battle, self).rect_of(u);
        for i in 0..self.commanders.len() {
            if self.commanders[i].attached != Some(u) {
                continue;
            }
            let radius = battle.officers[i].radius();
            let beside =
                |turn: i32, reach: i64| rect.centre + rect.facing.turned(turn).dir().times(reach + radius);
            let places =
                [behind(&rect, radius), beside(-9_000, rect.a), beside(9_000, rect.a), beside(0, rect.b)];
            let enemies: ArrayVec<Rect, MAX_UNITS> = battle
                .all_units()
                .filter(|v| self.on_table(*v) && battle.unit(*v).side != battle.unit(u).side)
                .map(|v| At::new(battle, self).rect_of(v))
                .collect();
            let free = |p: &&Pt| {
                battle.top.holds_point(**p) && enemies.iter().all(|e| e.distance_to(**p) >= radius - EPS)
            };
            let place = places.iter().find(free).unwrap_or(&places[0]);
            let on_table = Pt::new(place.x.clamp(0, battle.top.width), place.y.clamp(0, battle.top.height));
            self.commanders[i].at = on_table.spot();
        }
    }
}

impl<F: Effects> Run<'_, F> {
    pub(crate) fn attach(&mut self, c: CommanderId, u: UnitId) {
        let commander = &mut self.state.commanders[c.i()];
        commander.attached = Some(u);
        commander.moved = true;
        self.state.commanders_follow(self.battle, u);
        self.fx.tell(|| {
            Entry::new(
                Kind::March,
                format!("{} joins {}.", self.battle.officer(c).name, self.battle.unit(u).name),
            )
            .side(self.battle.officer(c).side)
            .rule(cite!("5.1.b"))
            .piece(self.battle.commander_piece(c))
            .piece(piece(u))
        });
    }

    pub(crate) fn detach(&mut self, c: CommanderId, to: Spot) {
        let commander = &mut self.state.commanders[c.i()];
        commander.attached = None;
        commander.at = to;
        self.fx.tell(|| {
            Entry::new(Kind::March, format!("{} leaves his unit.", self.battle.officer(c).name))
                .side(self.battle.officer(c).side)
                .rule(cite!("5.1.d"))
                .piece(self.battle.commander_piece(c))
        });
    }

    pub(crate) fn ride(&mut self, c: CommanderId, to: Spot) {
        let commander = &mut self.state.commanders[c.i()];
        let from = std::mem::replace(&mut commander.at, to);
        commander.attached = None;
        commander.moved = true;
        self.fx.tell(|| {
            Entry::new(Kind::March, format!("{} rides.", self.battle.officer(c).name))
                .side(self.battle.officer(c).side)
                .rule(cite!("2.6.n"))
                .piece(self.battle.commander_piece(c))
                .place(spot_place(from))
                .place(spot_place(to))
        });
    }
}

impl Field<'_> {
    /// Where the full free move in a direction ends: 24 in, or the table edge, or impassable ground; none if an enemy
    /// is too near there (12.1.a, R44).
    pub(crate) fn flight(&self, c: CommanderId, direction: Angle) -> Option<Spot> {
        let from = self.state.commanders[c.i()].at.pt();
        let dir = direction.dir();
        let top = self.battle.top;
        let mut t = COMMANDER_MOVE;
        let room = |at: i64, speed: i64, size: i64| {
            if speed == 0 {
                i64::MAX
            } else {
                let gap = if speed > 0 { size - at } else { at };
                (((gap.max(0) as i128) << table::Dir::BITS) / i128::from(speed.abs())) as i64
            }
        };
        t = t.min(room(from.x, dir.x, top.width)).min(room(from.y, dir.y, top.height));
        for feature in self.battle.features(Going::Impassable) {
            let mut stop = |at: Option<i64>| t = at.map_or(t, |at| t.min((at - 8 * EPS).max(0)));
            match &feature.shape {
                Shape::Area(area) => area.parts().iter().for_each(|part| {
                    stop(table::first_overlap(&point_box(from)[..], part, dir, COMMANDER_MOVE))
                }),
                Shape::Line(line) => line.legs().for_each(|(a, b)| {
                    stop(table::first_overlap(&point_box(from)[..], &[a, b][..], dir, COMMANDER_MOVE))
                }),
                Shape::Road(_) => {}
            }
        }
        let to = (from + dir.times(t)).spot();
        self.may_rest(c, to).is_ok().then_some(to)
    }

    /// May the commander of a Broken unit flee to this spot?
    pub(crate) fn may_flee(&self, c: CommanderId, to: Spot) -> Allowed {
        let from = self.state.commanders[c.i()].at.pt();
        if to.pt() == from {
            // Hemmed in on every side he stays where he is.
            let stuck = (0..72).all(|i| self.flight(c, Angle::degrees(5 * i)).is_none());
            return if stuck { Ok(()) } else { no(cite!("12.1.a"), "He must make a full move away.") };
        }
        let direction = Angle::of(to.pt() - from);
        match self.flight(c, direction) {
            Some(end) if end.pt().to(to.pt()) <= 20 * EPS => Ok(()),
            Some(_) => no(
                cite!("12.1.a"),
                "He must make a full move: 24 in, or up to the table edge or impassable terrain.",
            ),
            None => no(cite!("12.2.b"), "He must end at least 1 in from enemy units."),
        }
    }
}

impl<F: Effects> Run<'_, F> {
    /// Free commanders in the way of a unit that has moved step aside: the least way that clears it, 1 in from enemies
    /// (7.5.b, 12.2, R44).
    pub(crate) fn evade(&mut self, mover: Side, corridor: &[Way]) {
        for c in self.battle.all_officers() {
            let now = self.state.commanders[c.i()];
            if now.attached.is_some() || !now.on_table || self.battle.officer(c).side == mover {
                continue;
            }
            if !corridor.iter().any(|way| reaches(way, now.at.pt(), self.battle.officer(c).radius())) {
                continue;
            }
            self.state.commanders[c.i()].at = self.at().step_aside(c, corridor);
            self.fx.tell(|| {
                Entry::new(Kind::Retreat, format!("{} rides out of the way.", self.battle.officer(c).name))
                    .side(self.battle.officer(c).side)
                    .rule(cite!("12.2.a"))
                    .piece(self.battle.commander_piece(c))
            });
        }
    }
}

fn reaches(way: &Way, p: Pt, radius: i64) -> bool {
    way.bounds().grown(radius).meets(&Bounds { lo: p, hi: p }) && table::distance_to_point(way, p) < radius
}

impl At<'_> {
    /// The nearest resting place outside a corridor: straight across a side of what hits him, to the left first.
    fn step_aside(self, c: CommanderId, corridor: &[Way]) -> Spot {
        let field = self.field();
        let (from, radius) = (self.state.commanders[c.i()].at.pt(), self.battle.officer(c).radius());
        let free = |to: Spot| {
            corridor.iter().all(|way| !reaches(way, to.pt(), radius)) && field.may_rest(c, to).is_ok()
        };
        let mut best: Option<(i64, Spot)> = None;
        for way in corridor.iter().filter(|way| reaches(way, from, radius)) {
            let corners = way.corners();
            for i in 0..corners.len() {
                let side = (corners[i], corners[(i + 1) % corners.len()]);
                let along = Angle::of(side.1 - side.0);
                // The outline runs counter-clockwise, so its outside is to the right.
                let out = along.dir().right();
                let foot = closest_on_segment(from, side);
                let depth = out.along(foot - from);
                for extra in [PROXIMITY, 2 * INCH, 4 * INCH, 8 * INCH] {
                    let by = depth + radius + extra;
                    let to = (from + out.times(by)).spot();
                    if best.is_none_or(|(b, _)| by < b) && free(to) {
                        best = Some((by, to));
                    }
                }
            }
        }
        best.map_or(self.state.commanders[c.i()].at, |(_, to)| to)
    }
}

impl Field<'_> {
    pub(crate) fn offer_attachments(&self, out: &mut Vec<Action>) {
        out.push(Action::Pass);
        for c in self.battle.all_officers().filter(|c| self.battle.officer(*c).side == self.state.active) {
            for u in self.of_side(self.state.active) {
                let own = self.battle.officer(c).brigade.is_none_or(|b| b == self.battle.unit(u).brigade);
                if own {
                    self.offer_if_fit(Action::Attach { commander: c, unit: u }, out);
                }
            }
            if let Some(u) = self.state.commanders[c.i()].attached {
                let rect = self.rect(u);
                let away = self.battle.officer(c).radius() + INCH;
                for (side, reach) in [(18_000, rect.b), (9_000, rect.a), (-9_000, rect.a), (0, rect.b)] {
                    let to = (rect.centre + rect.facing.turned(side).dir().times(reach + away)).spot();
                    self.offer_if_fit(Action::Detach { commander: c, to }, out);
                }
            }
        }
    }

    /// Behind each unit he commands, and a rose of directions.
    pub(crate) fn offer_rides(&self, c: CommanderId, out: &mut Vec<Action>) {
        let officer = self.battle.officer(c);
        let from = self.state.commanders[c.i()].at.pt();
        for u in self.of_side(officer.side) {
            if officer.brigade.is_none_or(|b| b == self.battle.unit(u).brigade) {
                let rect = self.rect(u);
                let to = rect.rear_middle() - rect.ahead.times(officer.radius() + INCH);
                self.offer_if_fit(Action::Ride { commander: c, to: to.spot() }, out);
            }
        }
        for i in 0..12 {
            for length in [6 * INCH, 12 * INCH, COMMANDER_MOVE - INCH] {
                let to = (from + Angle::degrees(30 * i).dir().times(length)).spot();
                self.offer_if_fit(Action::Ride { commander: c, to }, out);
            }
        }
    }

    /// Directions for the commander of a Broken unit, the own table edge first (R44).
    pub(crate) fn offer_flights(&self, c: CommanderId, out: &mut Vec<Action>) {
        let home = match self.battle.armies[self.battle.officer(c).side].own_edge {
            Border::South => Angle::SOUTH,
            Border::North => Angle::NORTH,
            Border::West => Angle::WEST,
            Border::East => Angle::EAST,
        };
        let here: Spot = self.state.commanders[c.i()].at;
        for i in 0..72 {
            let turn = [0, 1, -1][i % 3] * 500 * (i as i32 / 3 + i32::from(i % 3 > 0));
            if let Some(to) = self.flight(c, home.turned(turn))
                && to != here
                && out.len() < 16
            {
                self.offer_if_fit(Action::Ride { commander: c, to }, out);
            }
        }
        if out.is_empty() {
            self.offer_if_fit(Action::Ride { commander: c, to: here }, out);
        }
    }
}

impl At<'_> {
    pub(crate) fn anyone_to_attach(self) -> bool {
        self.battle.all_officers().any(|c| {
            let (officer, now) = (self.battle.officer(c), &self.state.commanders[c.i()]);
            officer.side == self.state.active && now.on_table && !now.moved && !officer.fixed
        })
    }

    pub(crate) fn may_still_ride(self, c: CommanderId) -> bool {
        let now = &self.state.commanders[c.i()];
        now.on_table && now.attached.is_none() && !now.moved && !self.battle.officer(c).fixed
    }
}
