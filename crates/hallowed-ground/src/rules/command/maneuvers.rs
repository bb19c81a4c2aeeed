//! Chapter 5.5: the maneuvers, from a written move to the pose it ends in, with everything that forbids it.

use arrayvec::ArrayVec;
use game::{Allowed, No};
use table::{Angle, Convex, EPS, MIL, Pose, Pt, Rect, Size, Way, overlap_while_moving, pivot_is_clear};

use crate::action::{Change, Double, Maneuver, Slant};
use crate::field::{Field, Surroundings};
use crate::legal::no;
use crate::rules::charts::{GUN_DEPTH, PROXIMITY, footprint, stat};
use crate::rules::command::retire::Rear;
use crate::rules::formations::{Arm, Formation};
use crate::rules::terrain::Going;
use crate::setup::battle::Battle;
use crate::setup::ground::Shape;
use crate::setup::pieces::{MAX_UNITS, UnitId};

/// The poses on the way of a move, the start first.
pub(crate) type Trail = ArrayVec<Pose, 16>;

/// What a move comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plan {
    pub pose: Pose,
    pub formation: Formation,
    /// It left the table.
    pub exit: bool,
    /// The road whose bends it followed.
    pub road: Option<u16>,
}

/// Whether a move may run off the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bounds {
    Stay,
    Exit,
}

/// A unit under way.
pub(crate) struct Mover<'n, 'f, 'a> {
    near: &'n Surroundings<'f, 'a>,
    arm: Arm,
    formation: Formation,
    pose: Pose,
    pub(crate) rect: Rect,
    /// The road that it has kept to so far, once that mattered (R24).
    carried: Option<u16>,
    way: &'n mut Trail,
}

impl<'n, 'f, 'a> Mover<'n, 'f, 'a> {
    pub(crate) fn new(near: &'n Surroundings<'f, 'a>, way: &'n mut Trail) -> Self {
        let (arm, now) = (near.field.battle.unit(near.unit).arm, near.field.state.unit(near.unit));
        way.clear();
        way.push(now.pose);
        let rect = *near.field.rect(near.unit);
        Mover { near, arm, formation: now.formation, pose: now.pose, rect, carried: None, way }
    }

    pub(crate) fn size(&self) -> Size {
        footprint(self.arm, self.formation)
    }

    pub(crate) fn go(&mut self, pose: Pose, rect: Rect) {
        if pose != self.pose {
            self.pose = pose;
            self.rect = rect;
            let _ = self.way.try_push(pose);
        }
    }

    /// A direction relative to the facing.
    fn heading(&self, relative: i32) -> table::Dir {
        match relative {
            0 => self.rect.ahead,
            9_000 => self.rect.ahead.right(),
            -9_000 => self.rect.ahead.left(),
            18_000 => self.rect.ahead.back(),
            _ => self.pose.facing.turned(relative).dir(),
        }
    }

    /// A straight leg in a direction relative to the facing.
    fn straight(&mut self, relative: i32, by: i32) -> Allowed {
        if by < 0 {
            return no(cite!("5.5.a"), "A move cannot have a negative length.");
        }
        if by == 0 {
            return Ok(());
        }
        let shift = self.heading(relative).times(i64::from(by) * MIL).spot().pt();
        if !self.near.empty() {
            self.look_along(relative, by, shift)?;
        }
        if self.near.impassable_near() {
            self.carried = self.road_along(shift);
        }
        self.rect.shift(shift);
        self.pose = self.pose.shifted(shift);
        let _ = self.way.try_push(self.pose);
        Ok(())
    }

    fn look_along(&self, relative: i32, by: i32, shift: Pt) -> Allowed {
        let shared = self.way.len() == 1 && relative == 0;
        match self.near.leg.get() {
            Some((known, fits)) if shared && known == by => return fits,
            _ => {}
        }
        let fits = self.sweep(shift);
        if shared {
            self.near.leg.set(Some((by, fits)));
        }
        fits
    }

    /// The ground of a straight leg: no enemy in it or within 1 in of it, nothing impassable (R16, R17).
    fn sweep(&self, shift: Pt) -> Allowed {
        let room = self.rect.bounds.with(&self.rect.bounds.shifted(shift));
        let past_enemies = self.near.passes_enemies(&self.rect, shift, &room);
        if past_enemies && !self.near.impassable_about(&room) {
            return Ok(());
        }
        let way = &Way::between(&self.rect, &self.rect.shifted(shift));
        if !past_enemies && self.near.meets_enemy(way) {
            return no(cite!("5.7.c"), "The way leads through an enemy unit.");
        }
        if !past_enemies && !self.near.keeps_distance(way) {
            return no(cite!("4.4.a"), "The way comes within 1 in of an enemy unit.");
        }
        if self.near.impassable(way) && !self.is_carried(shift, way) {
            return no(cite!("6.1.d"), "The way leads into impassable terrain.");
        }
        Ok(())
    }

    /// Does a road carry it over what is impassable on such a move (R24, G16)?
    fn is_carried(&self, shift: Pt, ground: &(impl Convex + ?Sized)) -> bool {
        self.road_along(shift).is_some_and(|road| self.near.field.battle.is_bridged(road, ground))
    }

    /// The road that a straight move from here keeps to.
    fn road_along(&self, shift: Pt) -> Option<u16> {
        let field = self.near.field;
        let followed = if self.way.len() == 1 { field.followed_road(self.near.unit) } else { self.carried };
        field.battle.road_along(self.formation, followed, &self.rect, shift)
    }

    /// A pivot about the centre (R18).
    fn pivot(&mut self, turn: i32) -> Allowed {
        if turn == 0 {
            return Ok(());
        }
        if turn.abs() > 9_000 {
            return no(cite!("5.5.f"), "A pivot turns at most 90 degrees from the original facing.");
        }
        self.turn_base(turn)?;
        self.carried = None;
        self.pose = self.rect.pose();
        let _ = self.way.try_push(self.pose);
        Ok(())
    }

    fn turn_base(&mut self, turn: i32) -> Allowed {
        let shared = self.way.len() == 1;
        if shared
            && let Some((known, turned)) = &*self.near.turn.borrow()
            && *known == turn
        {
            self.rect = *turned.as_ref().map_err(|no| *no)?;
            return Ok(());
        }
        let to = self.pose.facing.turned(turn);
        let free = if self.near.empty() { Ok(()) } else { self.sweep_pivot(&self.rect, to) };
        if free.is_ok() {
            self.rect.pivot(to);
        }
        if shared {
            *self.near.turn.borrow_mut() = Some((turn, free.map(|()| self.rect)));
        }
        free
    }

    fn sweep_pivot(&self, rect: &Rect, to: Angle) -> Allowed {
        let reach = rect.half_diagonal();
        // Only what lies within the circle of the corners can be met.
        let room = table::Bounds { lo: rect.centre, hi: rect.centre }.grown(reach + PROXIMITY);
        let mut near: ArrayVec<(&Rect, i64), MAX_UNITS> = ArrayVec::new();
        for (e, limit) in self.near.enemies(&room) {
            if e.distance_to(rect.centre) < reach + PROXIMITY {
                near.push((e, limit - EPS));
            }
        }
        let from_enemies =
            |r: &Rect| near.iter().map(|(e, limit)| r.distance(e) - limit).min().unwrap_or(i64::MAX / 4);
        if !near.is_empty() && !pivot_is_clear(rect, to, from_enemies) {
            return no(cite!("4.4.a"), "The pivot comes within 1 in of an enemy unit.");
        }
        if !self.near.field.battle.pivots_on_passable(rect, to) {
            return no(cite!("6.1.d"), "The pivot touches impassable terrain.");
        }
        Ok(())
    }

    /// A turn on the spot, whichever way round is clear (R34).
    fn sweep_turn(&self, rect: &Rect, to: Angle) -> Allowed {
        let turn = rect.facing.turn_to(to);
        if turn == 0 || self.near.empty() {
            return Ok(());
        }
        self.sweep_pivot(rect, to).or_else(|no| {
            // The other way round is more than half a turn: in two halves.
            let half = rect.facing.turned((turn - 36_000 * turn.signum()) / 2);
            let about = self.sweep_pivot(rect, half).and_then(|()| self.sweep_pivot(&rect.pivoted(half), to));
            about.map_err(|_| no)
        })
    }

    /// The rule that limits a move: its own, or that of the change of formation which halves it.
    const fn rate_rule(&self, change: Change, own: game::Rule) -> game::Rule {
        match (change, self.arm) {
            (Change::None, _) => own,
            (_, Arm::Cavalry) => cite!("5.5.w"),
            _ => cite!("5.5.aa"),
        }
    }

    /// Mounts, dismounts, limbers or deploys on the spot (R33).
    fn change(&mut self, to: Formation) -> Allowed {
        use Formation as F;
        match (self.arm, self.formation, to) {
            (Arm::Cavalry, F::SupportedLine | F::MarchColumn, F::DismountedLine) => {}
            (Arm::Cavalry, F::DismountedLine, F::SupportedLine) => {}
            (Arm::Cavalry, F::DismountedLine, _) => {
                return no(cite!("5.5.z"), "Cavalry that mounts ends in supported line.");
            }
            (Arm::Cavalry, ..) => {
                return no(cite!("5.5.x"), "This change of formation needs a Reform order.");
            }
            (Arm::Infantry, ..) => {
                return no(cite!("5.4.k"), "Infantry changes formation on a Reform order.");
            }
            (_, F::Limbered, F::Deployed) => self.pose = self.pose.moved(0, GUN_DEPTH),
            (_, F::Deployed, F::Limbered) => {}
            _ => return no(cite!("3.3.d"), "Artillery is limbered or deployed."),
        }
        self.formation = to;
        self.rect = Rect::new(self.pose, self.size());
        let _ = self.way.try_push(self.pose);
        Ok(())
    }

    /// A final pose: on the table, off impassable ground, clear of friends and enemies.
    fn stands(&self) -> Allowed {
        let (near, field, rect) = (self.near, self.near.field, &self.rect);
        if !field.battle.top.holds(rect) {
            return no(cite!("5.5.af"), "The unit would cross the table edge; leaving is a declared exit.");
        }
        // Only a Retire past many friends can lead beyond what was looked at.
        let about = near.holds(rect);
        let bridged = |road: u16| field.battle.is_bridged(road, rect);
        let impassable = if about { near.impassable(rect) } else { field.battle.impassable(rect) };
        if impassable && !self.carried.is_some_and(bridged) && !self.is_carried(Pt::default(), rect) {
            return no(cite!("6.1.d"), "The unit would stand in impassable terrain.");
        }
        let clear = if about { near.stands_clear(rect) } else { field.keeps_distance(near.unit, rect) };
        if !clear {
            return no(cite!("4.4.a"), "The unit would end within 1 in of an enemy unit.");
        }
        let free = if about { near.free_of_units(rect) } else { field.free_of_units(near.unit, rect) };
        if !free {
            return no(cite!("5.7.a"), "The unit would end on top of another unit.");
        }
        Ok(())
    }

    pub(crate) fn done(self, exit: bool) -> Plan {
        Plan { pose: self.pose, formation: self.formation, exit, road: None }
    }
}

impl Field<'_> {
    /// Normal rate in thousandths of an inch.
    pub(crate) fn rate(&self, u: UnitId) -> i32 {
        (stat(self.battle.unit(u).arm, self.state.unit(u).formation).rate * 1_000) as i32
    }
}

pub(crate) fn within(by: i32, limit: i32, rule: game::Rule, why: &'static str) -> Allowed {
    if by > limit { Err(No::long(rule, why, by, limit)) } else { Ok(()) }
}

impl Surroundings<'_, '_> {
    /// Works out a maneuver of an Advance, with a change of formation at its start or its end.
    pub(crate) fn plan_advance(
        &self,
        maneuver: Maneuver,
        change: Change,
        bounds: Bounds,
        way: &mut Trail,
    ) -> Allowed<Plan> {
        let full = self.field.rate(self.unit);
        // Whoever mounts, dismounts, limbers or deploys has half its rate, that of the formation it starts in (R33).
        let rate = if change == Change::None { full } else { full / 2 };
        let mut mover = Mover::new(self, way);
        if let Change::Before(to) = change {
            mover.change(to)?;
            mover.stands()?;
        }
        let mut leads_back = false;
        match maneuver {
            Maneuver::Forward { first, turn, then } => {
                let rule = mover.rate_rule(change, cite!("5.5.e"));
                within(first.saturating_add(then), rate, rule, "Forward goes no farther than the rate")?;
                mover.straight(0, first)?;
                mover.pivot(turn)?;
                mover.straight(0, then)?;
            }
            Maneuver::Oblique { right, by } => {
                let rule = mover.rate_rule(change, cite!("5.5.e"));
                within(by, rate, rule, "An oblique goes no farther than the rate")?;
                mover.straight(if right { 4_500 } else { -4_500 }, by)?;
            }
            Maneuver::Back { slant, by } => {
                let rule = mover.rate_rule(change, cite!("5.5.h"));
                within(by, rate / 2, rule, "Back goes at most half the rate")?;
                mover.straight(18_000 - slant.turn(), by)?;
                leads_back = true;
            }
            Maneuver::Sidestep { right, by } => {
                let rule = mover.rate_rule(change, cite!("5.5.j"));
                within(by, rate / 2, rule, "A sidestep goes at most half the rate")?;
                mover.straight(if right { 9_000 } else { -9_000 }, by)?;
            }
            Maneuver::Retire { degrees } => {
                let rear = Rear { rect: mover.rect, formation: mover.formation, rate: i64::from(rate) * MIL };
                let pose = rear.voluntary(self.field, self.unit, mover.pose, degrees, bounds)?;
                mover.go(pose, Rect::new(pose, mover.size()));
                if bounds == Bounds::Exit {
                    return Ok(mover.done(true));
                }
            }
        }
        if let Change::After(to) = change {
            mover.change(to)?;
        }
        match bounds {
            // A Retire has its own checks: an enemy in contact at its start, the table edge.
            Bounds::Stay if matches!(maneuver, Maneuver::Retire { .. }) && change == Change::None => {
                Ok(mover.done(false))
            }
            Bounds::Stay => {
                mover.stands()?;
                Ok(mover.done(false))
            }
            Bounds::Exit => leave(mover, leads_back),
        }
    }
}

impl Battle {
    /// On the table edge or beyond it.
    pub(crate) const fn is_off(&self, p: Pt) -> bool {
        let top = self.top;
        p.x <= 0 || p.y <= 0 || p.x >= top.width || p.y >= top.height
    }
}

/// A declared exit: the leading point must have reached the edge (R32).
pub(crate) fn leave(mover: Mover<'_, '_, '_>, leads_back: bool) -> Allowed<Plan> {
    let rect = &mover.rect;
    let off = |p: Pt| mover.near.field.battle.is_off(p);
    if !off(rect.rear_middle()) && (leads_back || !off(rect.front)) {
        return no(cite!("5.5.af"), "The move does not reach the table edge.");
    }
    Ok(mover.done(true))
}

impl Surroundings<'_, '_> {
    /// Works out a move At The Double (5.5.k to 5.5.m).
    pub(crate) fn plan_march(&self, double: Double, bounds: Bounds, way: &mut Trail) -> Allowed<Plan> {
        let (field, u) = (self.field, self.unit);
        if field.state.unit(u).formation == Formation::Deployed {
            return no(cite!("5.4.f"), "Deployed artillery may not March.");
        }
        let limit = 2 * field.rate(u);
        match double {
            Double::Road { by } => self.plan_road_march(by, limit, bounds, way),
            Double::Ahead { slant, by } => {
                within(by, limit, cite!("5.5.k"), "At The Double goes at most twice the rate")?;
                if self.in_difficult() {
                    return no(cite!("5.4.e"), "A unit in difficult terrain may not March.");
                }
                let by = self.stopped_by_terrain(slant, by);
                let mut mover = Mover::new(self, way);
                mover.straight(slant.turn(), by)?;
                match bounds {
                    Bounds::Stay => {
                        mover.stands()?;
                        Ok(mover.done(false))
                    }
                    Bounds::Exit => leave(mover, false),
                }
            }
        }
    }

    /// How far a march goes until it meets difficult terrain (6.1.c, R23).
    fn stopped_by_terrain(&self, slant: Slant, by: i32) -> i32 {
        let known = &self.marches[slant as usize];
        let mut march = known.get();
        if by <= march.open {
            return by;
        }
        let reach = i64::from(by) * MIL;
        if let Some((beyond, stop)) = march.stop
            && reach > beyond
        {
            return stop;
        }
        let (limit, beyond) = self.field.to_difficult(self.unit, slant.turn(), reach);
        let limit = (limit / MIL) as i32;
        if limit < by {
            march.stop = Some((beyond, limit));
        } else {
            march.open = by;
        }
        known.set(march);
        limit
    }
}

impl Field<'_> {
    /// How far a base goes until it touches what it would otherwise enter, and where it would have entered it.
    fn to_difficult(&self, u: UnitId, relative: i32, reach: i64) -> (i64, i64) {
        let rect = self.rect(u);
        let dir = rect.facing.turned(relative).dir();
        let mut stop = (reach, reach);
        let mut meet = |part: &dyn Fn(i64) -> Option<(i64, i64)>| {
            let ahead =
                |interval: Option<(i64, i64)>| interval.filter(|(from, till)| *till > 0 && *from < reach);
            if let Some((touch, _)) = ahead(part(0))
                && let Some((enters, _)) = ahead(part(EPS))
            {
                stop = stop.min((touch.max(0), enters));
            }
        };
        let mut top = reach;
        let room = rect.bounds.with(&rect.shifted(dir.times(reach)).bounds);
        for feature in self.battle.features(Going::Difficult).filter(|f| room.meets(&f.bounds())) {
            match &feature.shape {
                Shape::Area(area) => {
                    let plateau = feature.plateau.as_ref();
                    if let Some(flat) = plateau.filter(|p| rect.corners.iter().all(|c| p.contains(*c))) {
                        top = top.min(while_on(flat, rect, dir, reach));
                        continue;
                    }
                    area.parts()
                        .iter()
                        .for_each(|part| meet(&|by| overlap_while_moving(rect, part, dir, by)));
                }
                Shape::Line(line) => {
                    line.legs()
                        .for_each(|(a, b)| meet(&|by| overlap_while_moving(rect, &[a, b][..], dir, by)));
                }
                Shape::Road(_) => {}
            }
        }
        if top < stop.0 { (top, i64::MAX) } else { stop }
    }
}

/// How far a base stays on the flat top of a hill.
fn while_on(top: &table::Area, rect: &Rect, dir: table::Dir, reach: i64) -> i64 {
    let on = |by: i64| rect.shifted(dir.times(by)).corners.iter().all(|c| top.contains(*c));
    if on(reach) {
        return reach;
    }
    let (mut lo, mut hi) = (0, reach);
    while hi - lo > EPS / 4 {
        let mid = (lo + hi) / 2;
        if on(mid) { lo = mid } else { hi = mid }
    }
    // To the nearest thousandth: the border itself belongs to the top.
    table::div_round(lo, MIL) * MIL
}

impl Surroundings<'_, '_> {
    /// Works out a Change Formation (5.5.c, 5.5.d, R34).
    pub(crate) fn plan_reform(&self, to: Formation, facing: Angle, way: &mut Trail) -> Allowed<Plan> {
        let (field, u) = (self.field, self.unit);
        let arm = field.battle.unit(u).arm;
        let mut mover = Mover::new(self, way);
        if !arm.formations().contains(&to) {
            return no(formation_list(arm), "This formation does not exist for its type.");
        }
        let from = mover.formation;
        if arm == Arm::Cavalry && from == Formation::DismountedLine && to == Formation::MarchColumn {
            return no(cite!("5.5.z"), "Cavalry that mounts ends in supported line.");
        }
        let old = *field.rect(u);
        if arm.is_artillery() && from != to {
            mover.change(to)?;
            mover.sweep_turn(&mover.rect, facing)?;
            mover.rect.pivot(facing);
            mover.pose = mover.rect.pose();
            let ahead = |p: &Pt| old.local(*p).1 > old.b + 2 * EPS;
            if to == Formation::Limbered && mover.rect.corners.iter().any(ahead) {
                return no(cite!("5.5.ad"), "The team may not come ahead of the old front of the guns.");
            }
        } else if to != from || facing != old.facing {
            mover.formation = to;
            let (ahead, size) = (facing.dir(), mover.size());
            // It turns as it was or as it will be (R34).
            let turned = mover.sweep_turn(&old, facing).or_else(|no| {
                let anew = Rect::at(old.centre + old.ahead.times(size.depth / 2), old.facing, size);
                mover.sweep_turn(&anew, facing).map_err(|_| no)
            });
            turned?;
            mover.pose = Pose { at: (old.centre + ahead.times(size.depth / 2)).spot(), facing };
            mover.rect = Rect::looking(mover.pose.at.pt(), facing, ahead, size);
        }
        mover.stands()?;
        Ok(mover.done(false))
    }
}

const fn formation_list(arm: Arm) -> game::Rule {
    match arm {
        Arm::Infantry => cite!("3.1.d"),
        Arm::Cavalry => cite!("3.2.d"),
        _ => cite!("3.3.d"),
    }
}
