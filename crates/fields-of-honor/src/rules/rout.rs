//! Retreats, routs and pursuits (morale.retreat, seq.rout, pursuit.test, qrs.pursuit, R78-R81, R124).

use arrayvec::ArrayVec;
use game::words::{does, verb};
use game::{Allowed, Die, Effects, Entry, Kind, RollNote, Sum};
use table::{Angle, Dir, EPS, INCH, Pt, Rect, clear_from, clear_up_to, overlap_while_moving, to_edge};

use crate::at::{At, Run};
use crate::cite;
use crate::legal::require;
use crate::rules::basics::{Formation, Layout, Shape};
use crate::rules::charge::movement::touch_distance;
use crate::rules::charts::Rating;
use crate::rules::forts;
use crate::rules::morale::Cause;
use crate::rules::rolls::{piece, place};
use crate::rules::sequence::{Phase, Step};
use crate::setup::battle::Battle;
use crate::setup::ground::{Cover, TableEdge};
use crate::state::{Body, BodyId, MAX_BODIES, Marks, Order, Part, State, Where};

/// Who lies on the way of a body that runs, each with how far off it begins to lie in it and when it is past.
#[derive(Default)]
struct Track {
    /// Where nobody may stop: on friends, and on those it leaves.
    taken: ArrayVec<(i64, i64), MAX_BODIES>,
    friends: ArrayVec<(BodyId, i64, i64), MAX_BODIES>,
    enemies: ArrayVec<i64, MAX_BODIES>,
}

/// A compulsory move (R124).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flight {
    /// From whom.
    pub cause: Option<BodyId>,
    /// What it becomes.
    pub order: Order,
    /// A move after the first: to the own edge, round friends.
    pub later: bool,
}

impl State {
    /// Takes a body off the table for good, with the leader who was with it left where it stood.
    pub(crate) fn remove(&mut self, id: BodyId) {
        self.leave_melee(id);
        let bmu = self.body(id).bmu;
        let main = self.body(id).part == Part::Main;
        self.body_mut(id).place = Where::Gone;
        // The leader of a unit that lost its last stands is at risk like any other (leader-loss.a).
        if self.body(id).marks.has(Marks::LOST_STAND) {
            self.leaders.iter_mut().filter(|l| l.attached == Some(id)).for_each(|l| l.exposed = true);
        }
        self.release(id);
        // Skirmishers whose parent is gone are all that is left of it.
        if main
            && let Some(rest) =
                self.bodies.iter_mut().find(|b| b.bmu == bmu && b.on_table() && b.part == Part::Skirmishers)
        {
            rest.part = Part::Main;
        }
    }

    /// Nobody is attached to it, chases it or fears it any more.
    pub(crate) fn release(&mut self, id: BodyId) {
        for leader in self.leaders.iter_mut().filter(|l| l.attached == Some(id)) {
            leader.attached = None;
        }
        for body in self.bodies.iter_mut().filter(|b| b.other == Some(id)) {
            body.other = None;
            body.marks.clear(Marks::PURSUING);
        }
    }

    /// A body breaks contact.
    pub(crate) fn leave_melee(&mut self, id: BodyId) {
        let mut freed: ArrayVec<BodyId, MAX_BODIES> = self.opponents(id).map(|(_, other)| other).collect();
        if freed.is_empty() {
            return;
        }
        // A defender of a wall who wins never pursues (fort.assault.g).
        let stays = |other: BodyId| {
            self.bouts.iter().any(|b| b.attacker == id && b.defender == other && b.wall.wall().is_some())
        };
        let pursuing: ArrayVec<BodyId, MAX_BODIES> = freed.iter().copied().filter(|o| !stays(*o)).collect();
        // Whoever drove the defender from a wall is on it now (fort.assault.g).
        let taken: ArrayVec<BodyId, MAX_BODIES> = self
            .bouts
            .iter()
            .filter(|b| b.defender == id && b.wall.wall().is_some())
            .map(|b| b.attacker)
            .collect();
        if !taken.is_empty() {
            self.body_mut(id).marks.clear(Marks::ON_WALL);
        }
        for attacker in taken {
            self.body_mut(attacker).marks.set(Marks::ON_WALL.and(Marks::WALL_WON));
        }
        self.bouts.retain(|b| b.attacker != id && b.defender != id);
        for other in &pursuing {
            let victor = self.body_mut(*other);
            victor.marks.set(Marks::DUE);
            victor.other = Some(id);
        }
        freed.push(id);
        for other in freed {
            if !self.in_melee(other) {
                self.body_mut(other).marks.set(Marks::IN_MELEE);
            }
        }
    }

    /// The skirmishers that a unit has out.
    fn skirmishers_of(&self, id: BodyId) -> Option<BodyId> {
        let body = self.body(id);
        let mut out = self.on_table().filter(|(_, b)| b.bmu == body.bmu && b.part == Part::Skirmishers);
        out.next().map(|(out, _)| out).filter(|_| body.part == Part::Main)
    }

    fn friends_leaving(&self, id: BodyId, cause: Option<BodyId>) -> ArrayVec<BodyId, MAX_BODIES> {
        let mut out: ArrayVec<BodyId, MAX_BODIES> = self.opponents(id).map(|(_, o)| o).collect();
        out.extend(cause);
        out
    }

    /// A mob about the same middle, facing as before (R118).
    pub(crate) fn become_mob(&mut self, battle: &Battle, id: BodyId) {
        let body = self.body(id);
        let arm = battle.arm(body);
        let formation = if arm.is_artillery() { Formation::Limbered } else { Formation::Mob };
        if body.shape.formation == formation {
            return;
        }
        let shape = Shape::of(formation, arm, body.fighting(battle), 0);
        let layout = body.layout(battle).rearranged(shape, body.pose.facing);
        let body = self.body_mut(id);
        body.shape = shape;
        body.pose = on_table(battle, &layout);
    }

    /// The leader with a body goes where it goes.
    pub(crate) fn carry_leader(&mut self, id: BodyId) {
        let at = self.body(id).pose.at;
        for leader in self.leaders.iter_mut().filter(|l| l.attached == Some(id)) {
            leader.at = at;
        }
    }

    /// Turned as the result demands if there is room for it.
    fn place_after_flight(&mut self, battle: &Battle, id: BodyId, layout: Layout, away: Angle, order: Order) {
        let facing = if order.broken() { away } else { away.reversed() };
        let turned = layout.rearranged(layout.shape, facing);
        let near = |pose: table::Pose| {
            let d = pose.facing.turn_to(facing).abs();
            d < 50
        };
        let chosen = match () {
            () if near(layout.pose) && At::new(battle, self).is_free(id, &layout) => layout.pose,
            () if At::new(battle, self).is_free(id, &turned) => turned.pose,
            () if At::new(battle, self).is_free(id, &layout) => layout.pose,
            () => At::new(battle, self).nearest_room(id, &layout),
        };
        self.body_mut(id).pose = chosen;
    }

    /// Of those who charged together only the first that catches their target comes into contact with it (R122).
    fn caught_already(&self, by: BodyId, quarry: BodyId) -> bool {
        let charges = |id: BodyId| self.charge.chargers.iter().any(|c| c.line.by == id);
        charges(by) && self.opponents(quarry).any(|(_, other)| charges(other))
    }

    /// Puts a body down if there is room, else where it was.
    fn settle_at(&mut self, battle: &Battle, id: BodyId, layout: &Layout, pose: table::Pose) {
        let there = layout.at(pose);
        if At::new(battle, self).is_free(id, &there) {
            self.body_mut(id).pose = pose;
        }
    }

    /// The next of those whose melee enemy has left tests for pursuit.
    pub(crate) fn next_pursuit(&mut self) {
        while let Some(i) = self.bodies.iter().position(|b| b.marks.has(Marks::DUE)) {
            let by = BodyId(i as u8);
            let body = self.body_mut(by);
            let due = body.on_table() && !body.marks.has(Marks::FLED);
            body.marks.clear(Marks::DUE);
            let quarry = body.other;
            if due
                && !self.in_melee(by)
                && let Some(quarry) = quarry
                && self.body(quarry).on_table()
            {
                self.agenda.push(Step::Pursue { by, quarry });
                return;
            }
        }
        self.agenda.pop();
    }
}

impl<F: Effects> Run<'_, F> {
    /// The dice and inches of a rout or pursuit (qrs.rates.f).
    pub(crate) fn rout_roll(&mut self, id: BodyId, what: &str) -> i64 {
        let dice = if self.state.body(id).mounted(self.battle) { 2 } else { 1 };
        let rolled = self.total(dice, Die::D6, |at| {
            RollNote::new(does(&at.name(id), what), cite!("qrs.rates.f"))
                .side(at.side_of(id))
                .by(piece(id))
                .modifiers(vec![game::Modifier::new(
                    at.battle.rates.rout as i16,
                    "inches besides the dice",
                    cite!("qrs.rates.f"),
                )])
        });
        (self.battle.rates.rout + i64::from(rolled)) * INCH
    }

    /// Makes a compulsory move.
    pub(crate) fn flee(&mut self, id: BodyId, flight: Flight) {
        let length = match flight.order {
            Order::Good | Order::Suppressed => self.battle.rate(self.state.body(id)).engaged / 2,
            _ => {
                // Skirmishers it has sent out break with it, as one mob (skirmish.f).
                if let Some(out) = self.state.skirmishers_of(id) {
                    self.rejoin(out);
                }
                self.state.become_mob(self.battle, id);
                self.rout_roll(id, "runs")
            }
        };
        self.flee_by(id, flight, length);
    }

    /// Makes a compulsory move of a given length.
    pub(crate) fn flee_by(&mut self, id: BodyId, flight: Flight, length: i64) {
        self.state.worsen(id, flight.order);
        let (early, late) = (self.state.phase < Phase::Movement, self.state.phase >= Phase::Morale);
        let body = self.state.body_mut(id);
        body.marks.clear(Marks::PRONE.and(Marks::BOX).and(Marks::PURSUING).and(Marks::ON_WALL));
        body.marks.set(Marks::MOVED);
        if body.marks.has(Marks::SPOTTED) {
            body.marks.show();
        }
        if early {
            body.marks.set(Marks::MOVED_EARLY);
        }
        // Only a move of the Morale Phase spares it that of the phase after it (R75).
        if late {
            body.marks.set(Marks::FLED);
        }
        let leaving = self.state.friends_leaving(id, flight.cause);
        self.state.body_mut(id).other = flight.cause;
        self.state.leave_melee(id);
        let dir = self.at().flight_direction(id, flight);
        self.run_away(id, dir, length, flight, &leaving);
        // It may have come near an enemy leader on the march, or carried its own among the enemy.
        self.convert_orders();
    }

    /// A Routed unit that its pursuers have hold of is gone when it has lost three quarters (R79).
    pub(crate) fn run_down(&mut self, id: BodyId) {
        let body = self.state.body(id);
        let held = body.on_table() && body.order == Order::Routed && self.state.in_melee(id);
        if held && self.state.percent_lost(self.battle, body.bmu) >= 75 {
            self.tell_of(id, Kind::Gone, "has lost three quarters and disperses", cite!("melee.pursuit.b"));
            self.state.remove(id);
        }
    }

    /// A body runs: as far as its dice say, through friends and past those it leaves, short of the enemy, up to the edge.
    fn run_away(&mut self, id: BodyId, away: Angle, length: i64, flight: Flight, leaving: &[BodyId]) {
        let body = *self.state.body(id);
        let dir = away.dir();
        let start = self.at().sidestepped(id, dir, length, flight, leaving);
        let length = match rally_point(self.battle, &body, start.centre()) {
            Some(goal) => length.min(start.centre().to(goal)),
            None => length,
        };
        let track = self.at().track_of(id, &start, dir, leaving);
        let (far, at_edge) = self.at().length_of_flight(id, &start, dir, length, &track);
        let pose = start.pose.shifted(dir.times(far));
        self.state.place_after_flight(self.battle, id, start.at(pose), away, flight.order);
        self.tell(|here| {
            Entry::new(Kind::Retreat, format!("{} {}.", does(&here.name(id), "goes back"), inches(far)))
                .side(here.battle.side(&body))
                .rule(cite!("morale.retreat.a"))
                .piece(piece(id))
                .place(place(body.pose))
                .place(place(here.state.body(id).pose))
        });
        let room = self.at().room_to_edge(&start, dir);
        let own = at_edge && touches_own_edge(self.battle, &body, &start.block().shifted(dir.times(room)));
        if own && flight.order == Order::Routed {
            self.tell_of(id, Kind::Gone, "leaves the table", cite!("morale.retreat.h"));
            self.state.remove(id);
        }
        self.state.carry_leader(id);
        for (friend, from, till) in &track.friends {
            if *from < far && *till > 0 && *from > -INCH {
                self.run_through(&body, *friend, flight);
            }
        }
    }

    /// Whoever is run through is Suppressed and tests at once; skirmishers neither cause nor suffer that (R80).
    fn run_through(&mut self, runner: &Body, friend: BodyId, flight: Flight) {
        let other = self.state.body(friend);
        if runner.skirmishing() || other.skirmishing() || other.order.broken() || other.bmu == runner.bmu {
            return;
        }
        let other = self.state.body_mut(friend);
        other.order = other.order.max(Order::Suppressed);
        other.marks.set(Marks::SHOVED);
        other.shover = flight.cause;
        self.tell_of(friend, Kind::Loss, "is run through and Suppressed", cite!("morale.retreat.c"));
        self.state.provoke(friend, Marks::RUN_THROUGH);
    }

    /// Rolls for pursuit (qrs.pursuit) and asks the owner if the result leaves a choice.
    pub(crate) fn pursue(&mut self, by: BodyId, quarry: BodyId) {
        let body = self.state.body(by);
        if !body.on_table() || self.state.in_melee(by) || body.order.broken() || body.stands(self.battle) == 0
        {
            return;
        }
        // Guns do not pursue.
        if self.battle.arm(body).is_artillery() {
            return;
        }
        let mods = &self.battle.tables.test.pursuit.modifiers;
        let info = self.battle.info(body);
        let mut sum = Sum::new();
        let from = self.at().enemy_point(by, Cause::Phase);
        if body.marks.has(Marks::BOX) {
            sum.add(mods.in_cover, "in a box", cite!("box.d"));
        } else if self.at().cover(&body.layout(self.battle), from, false) > Cover::None {
            sum.add(mods.in_cover, "in cover", cite!("qrs.pursuit.b"));
        }
        if info.morale >= Rating::D {
            sum.add(mods.rating(info.morale), "morale rating", cite!("qrs.pursuit.c"));
        }
        if body.mounted(self.battle) || info.melee_only() {
            sum.add(mods.cavalry_or_melee_only, "cavalry or melee only", cite!("qrs.pursuit.f"));
        }
        if self.at().has_brash_leader(by) {
            sum.add(mods.brash_attached, "brash leader attached", cite!("personality.c"));
        }
        let die = self.die(Die::D6, |here| {
            RollNote::new(does(&here.name(by), "tests for pursuit"), cite!("qrs.pursuit.a"))
                .side(here.side_of(by))
                .by(piece(by))
                .at(piece(quarry))
                .modifiers(sum.modifiers())
        });
        let total = i16::from(die) + sum.total();
        let totals = self.at().pursuit_totals(by, total);
        let (may, may_hold) = (totals.iter().any(|t| *t >= 3), totals.iter().any(|t| *t <= 4));
        match (may, may_hold) {
            (true, true) => self.state.agenda.push(Step::PursuitChoice { by, quarry, total: total as i8 }),
            (true, false) => self.chase(by, quarry),
            (false, _) => self.tell_of(by, Kind::Note, "holds", cite!("qrs.pursuit.a")),
        }
    }

    /// The pursuit move (R78).
    pub(crate) fn chase(&mut self, by: BodyId, quarry: BodyId) {
        let length = self.rout_roll(by, "pursues");
        let early = self.state.phase < Phase::Movement;
        let body = self.state.body_mut(by);
        body.marks.set(if early { Marks::MOVED.and(Marks::MOVED_EARLY) } else { Marks::MOVED });
        body.marks.clear(Marks::PRONE);
        if !self.state.body(quarry).on_table() {
            return;
        }
        let from = self.state.body(by).pose;
        let start = self.at().layout(by);
        let goal = self.at().layout(quarry).centre();
        let away = Angle::of(goal - start.centre());
        let turned = start.rearranged(start.shape, away);
        let turned = if self.at().free_of_friends(by, &turned) { turned } else { start };
        let caught = self.chase_along(by, quarry, &turned, away.dir(), length);
        self.state.carry_leader(by);
        self.ground_tells(by, &turned);
        let body = self.state.body_mut(by);
        if body.marks.has(Marks::SPOTTED) {
            body.marks.show();
        }
        if let Some(prey) = caught {
            body.marks.set(Marks::PURSUING);
            body.other = Some(prey);
        } else {
            body.marks.clear(Marks::PURSUING);
        }
        self.tell(|here| {
            let name = here.name(by);
            let word = verb(&name, if caught.is_some() { "catches" } else { "does not catch" });
            let prey = here.name(caught.unwrap_or(quarry));
            let text = format!("{} and {word} {prey}.", does(&name, "pursues"));
            Entry::new(Kind::Advance, text)
                .side(here.side_of(by))
                .rule(cite!("pursuit.test.c"))
                .piece(piece(by))
                .piece(piece(caught.unwrap_or(quarry)))
                .place(place(from))
                .place(place(here.state.body(by).pose))
        });
        if let Some(prey) = caught {
            self.run_down(prey);
        }
    }

    /// Straight after the quarry, up to whoever it meets first; gives whom it has caught.
    fn chase_along(
        &mut self,
        by: BodyId,
        quarry: BodyId,
        turned: &Layout,
        dir: Dir,
        length: i64,
    ) -> Option<BodyId> {
        let far = length.min(self.at().room_to_edge(turned, dir));
        let met = self.at().first_met(by, turned, dir).filter(|(_, d)| *d <= far + table::EPS);
        let halt = match met {
            Some((other, d)) if self.at().is_prey(by, quarry, other) => {
                return self.come_into_contact(by, turned, other, d, dir, true).then_some(other);
            }
            Some((other, d)) if self.at().side_of(other) == self.at().side_of(by) => d.max(0),
            Some((_, d)) => (d - INCH / 2).max(0),
            None => far,
        };
        let pose = turned.pose.shifted(dir.times(halt));
        self.state.settle_at(self.battle, by, turned, pose);
        None
    }

    /// Phase 9: the next of the Shaken and Routed bodies makes its move, its pursuers go on (R75, R78).
    pub(crate) fn flee_next(&mut self, next: u8) {
        let Some(id) = (next..self.state.bodies.len() as u8).map(BodyId).find(|id| self.at().must_flee(*id))
        else {
            // A melee that the beaten have only now run from is over too.
            self.blow_the_horses();
            self.state.agenda.pop();
            return;
        };
        self.state.agenda.replace(Step::Flights { next: id.0 + 1 });
        let order = self.state.body(id).order;
        let pursuers: ArrayVec<BodyId, MAX_BODIES> = self
            .state
            .on_table()
            .filter(|(_, b)| b.marks.has(Marks::PURSUING) && b.other == Some(id))
            .map(|(p, _)| p)
            .collect();
        let cause = self.at().cause_of(id);
        self.flee(id, Flight { cause, order, later: true });
        for by in pursuers {
            if self.state.body(id).on_table() && !self.state.in_melee(by) {
                self.chase(by, id);
            } else {
                self.state.body_mut(by).marks.clear(Marks::PURSUING);
            }
        }
    }
}

/// The nearest pose at which nothing hangs over the edge.
pub(crate) fn on_table(battle: &Battle, layout: &Layout) -> table::Pose {
    let b = layout.block().bounds;
    let x = (-b.lo.x).max(0) - (b.hi.x - battle.top.width).max(0);
    let y = (-b.lo.y).max(0) - (b.hi.y - battle.top.height).max(0);
    layout.pose.shifted(Pt::new(x, y))
}

impl At<'_> {
    /// How far a body can go before it leaves the table.
    fn room_to_edge(self, start: &Layout, dir: Dir) -> i64 {
        to_edge(&start.block(), dir, self.battle.top.width, self.battle.top.height)
    }

    /// Who lies on the way of a body that runs.
    fn track_of(self, id: BodyId, start: &Layout, dir: Dir, leaving: &[BodyId]) -> Track {
        let mut track = Track::default();
        for (other, b) in self.state.on_table().filter(|(other, _)| *other != id) {
            let theirs = b.layout(self.battle).block();
            let meets = overlap_while_moving(&start.block(), &theirs, dir, table::EPS);
            let Some((from, till)) = meets.filter(|(_, till)| *till > 0) else { continue };
            let friend = self.battle.side(b) == self.side_of(id);
            if friend {
                track.friends.push((other, from, till));
            }
            if friend || leaving.contains(&other) {
                track.taken.push((from, till));
            } else {
                track.enemies.push(from);
            }
        }
        track
    }

    /// How far it runs, and whether it comes to the edge of the table.
    fn length_of_flight(
        self,
        id: BodyId,
        start: &Layout,
        dir: Dir,
        length: i64,
        track: &Track,
    ) -> (i64, bool) {
        let mut far = clear_from(&track.taken, length);
        let stop = track.enemies.iter().copied().filter(|from| *from > -INCH).min();
        if let Some(enemy) = stop.filter(|e| *e < far) {
            far = clear_up_to(&track.taken, (enemy - INCH / 2).max(0));
        }
        if let Some(closed) = self.impassable(id, start, dir, far) {
            far = clear_up_to(&track.taken, closed);
        }
        let room = self.room_to_edge(start, dir);
        if far >= room { (clear_up_to(&track.taken, room), true) } else { (far, false) }
    }

    /// Whom a pursuer would touch first, and after how far.
    fn first_met(self, by: BodyId, turned: &Layout, dir: Dir) -> Option<(BodyId, i64)> {
        let others = self.state.on_table().filter(|(other, _)| *other != by);
        let met = others
            .filter_map(|(other, b)| Some((other, touch_distance(turned, &b.layout(self.battle), dir)?)));
        met.min_by_key(|(_, d)| *d)
    }

    /// Whether a pursuer falls on a body: on its quarry unless that is caught, and on those who were run through.
    fn is_prey(self, by: BodyId, quarry: BodyId, id: BodyId) -> bool {
        let body = self.body(id);
        let open =
            if id == quarry { !self.state.caught_already(by, quarry) } else { body.marks.has(Marks::SHOVED) };
        open && self.battle.side(body) != self.side_of(by)
    }

    fn flight_direction(self, id: BodyId, flight: Flight) -> Angle {
        let body = self.body(id);
        let centre = body.layout(self.battle).centre();
        if let Some(goal) = rally_point(self.battle, body, centre) {
            return Angle::of(goal - centre);
        }
        if flight.later && flight.order == Order::Routed {
            return to_own_edge(self.battle, body);
        }
        match flight.cause {
            Some(cause) => {
                let from = self.layout(cause).centre();
                if from == centre { body.pose.facing.reversed() } else { Angle::of(centre - from) }
            }
            None => body.pose.facing.reversed(),
        }
    }

    /// How far it gets before ground that its arm may not enter and walls without an opening (R124); none if nothing is in
    /// its way.
    fn impassable(self, id: BodyId, start: &Layout, dir: Dir, far: i64) -> Option<i64> {
        let block = start.block();
        let body = self.body(id);
        let guns = self.battle.arm(body).is_artillery();
        let horse = body.mounted(self.battle);
        let formed = !body.shape.formation.is_loose();
        let closed =
            self.battle.areas.iter().filter(|a| {
                guns && a.closed_to_guns || horse && a.closed_to_cavalry && (a.building || formed)
            });
        let parts = closed.flat_map(|a| a.area.parts());
        let met = parts.filter_map(|part| overlap_while_moving(&block, part, dir, 0)).map(|met| met.0);
        // Ground in which it stands already does not hold it.
        let ground = met.filter(|from| (-4 * EPS..far).contains(from)).map(|from| from.max(0));
        ground.chain(self.wall_in_the_way(start, dir, far)).min()
    }

    /// The body slid sideways, least first, so far that nobody it must avoid is in its way: enemies always, friends only on a
    /// later move (R81). One of its stands still meets the straight edge, which runs through its middle.
    fn sidestepped(self, id: BodyId, dir: Dir, length: i64, flight: Flight, leaving: &[BodyId]) -> Layout {
        let body = self.body(id);
        let start = body.layout(self.battle);
        let side = self.battle.side(body);
        let half = start.extent().width.min(start.extent().depth.max(start.extent().width)) / 2;
        let blocked = |layout: &Layout| {
            let block = layout.block();
            self.state.on_table().any(|(other, b)| {
                if other == id || leaving.contains(&other) || (self.battle.side(b) == side && !flight.later) {
                    return false;
                }
                let met = overlap_while_moving(&block, &b.layout(self.battle).block(), dir, table::EPS);
                met.is_some_and(|(from, till)| till > 0 && from > -INCH && from < length)
            })
        };
        if !blocked(&start) {
            return start;
        }
        for quarter in 1..=(4 * half / INCH) {
            for sign in [-1, 1] {
                let there = start.at(start.pose.shifted(dir.right().times(sign * quarter * INCH / 4)));
                if self.battle.top.holds(&there.block()) && !blocked(&there) {
                    return there;
                }
            }
        }
        start
    }

    /// The nearest place, ring by ring, where a body lies in nobody and on the table; where it is if there is none.
    pub(crate) fn nearest_room(self, id: BodyId, layout: &Layout) -> table::Pose {
        /// Quarters of an inch; one who cannot stay on the table where it is may have far to go.
        const FARTHEST: i64 = 96;
        let here = on_table(self.battle, layout);
        let rings = (0..=FARTHEST).flat_map(|ring| (0..8).map(move |eighth| (ring, eighth)));
        let mut places = rings.map(|(ring, eighth)| here.moved(eighth * 4500, ring * INCH / 4));
        places.find(|there| self.is_free(id, &layout.at(*there))).unwrap_or(here)
    }

    /// What the pursuit die may come to: each total that the owner can make of it.
    pub(crate) fn pursuit_totals(self, by: BodyId, die: i16) -> ArrayVec<i16, 6> {
        let body = self.body(by);
        let info = self.battle.info(body);
        let swing = match info.morale {
            Rating::A => 2,
            Rating::B => 1,
            _ => 0,
        };
        let sub = i16::from(self.attached_helper(by).is_some());
        let mut out = ArrayVec::new();
        for s in [-swing, swing] {
            for l in [-sub, 0, sub] {
                let total = die + s + l;
                if !out.contains(&total) {
                    out.push(total);
                }
            }
        }
        out
    }

    fn free_of_friends(self, id: BodyId, layout: &Layout) -> bool {
        let side = self.side_of(id);
        !self
            .state
            .on_table()
            .any(|(o, b)| o != id && self.battle.side(b) == side && layout.overlaps(&b.layout(self.battle)))
    }

    /// Shaken and not yet stopped, or Routed, and not run this turn.
    fn must_flee(self, id: BodyId) -> bool {
        let body = self.body(id);
        let stopped = body.order == Order::Shaken && self.has_stopped(id) && !self.state.in_melee(id);
        body.on_table() && body.order.broken() && !body.marks.has(Marks::FLED) && !stopped
    }

    /// Whether the die for pursuit leaves this choice.
    pub(crate) fn check_pursuit_choice(self, by: BodyId, die: i16, pursues: bool) -> Allowed {
        let totals = self.pursuit_totals(by, die);
        let fits = totals.iter().any(|t| if pursues { *t >= 3 } else { *t <= 4 });
        require(fits, cite!("qrs.pursuit.a"), "the die leaves no choice")
    }
}

/// Inside a work those who give way go to its middle or to a named rally point (fort.rally.a).
pub(crate) fn rally_point(battle: &Battle, body: &Body, from: Pt) -> Option<Pt> {
    if body.part != Part::Group {
        return None;
    }
    let named = battle.sides[battle.side(body)].rally.iter().copied().min_by_key(|p| p.to(from));
    named.or_else(|| forts::middle_of_the_work(battle, from))
}

/// Whether a block lies along its side's own edge of the table (G68).
fn touches_own_edge(battle: &Battle, body: &Body, block: &Rect) -> bool {
    let b = block.bounds;
    match battle.sides[battle.side(body)].edge {
        Some(TableEdge::North) => b.hi.y >= battle.top.height - EPS,
        Some(TableEdge::East) => b.hi.x >= battle.top.width - EPS,
        Some(TableEdge::South) => b.lo.y <= EPS,
        Some(TableEdge::West) => b.lo.x <= EPS,
        None => false,
    }
}

fn to_own_edge(battle: &Battle, body: &Body) -> Angle {
    match battle.sides[battle.side(body)].edge {
        Some(TableEdge::North) => Angle::NORTH,
        Some(TableEdge::East) => Angle::EAST,
        Some(TableEdge::South) => Angle::SOUTH,
        Some(TableEdge::West) => Angle::WEST,
        None => body.pose.facing,
    }
}

/// Inches for a sentence, to the tenth.
pub(crate) fn inches(units: i64) -> String {
    let tenths = (units + INCH / 20) / (INCH / 10);
    if tenths % 10 == 0 {
        format!("{} in", tenths / 10)
    } else {
        format!("{}.{} in", tenths / 10, tenths % 10)
    }
}

// ---- pursuit ----
