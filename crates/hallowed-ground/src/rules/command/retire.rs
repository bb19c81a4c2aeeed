//! Chapter 5.5, Retire: the whole rate to the rear, past friends, never through enemies (procedure P2).

use arrayvec::ArrayVec;
use game::words::does;
use game::{Allowed, Effects, Entry, Kind};
use table::{
    Dir, EPS, Pose, Rect, Way, clear_from, clear_up_to, first_overlap, overlap_while_moving, to_edge,
    touch_distance,
};

use crate::at::Run;
use crate::field::Field;
use crate::legal::no;
use crate::rules::charts::{PROXIMITY, normal_rate};
use crate::rules::command::maneuvers::Bounds;
use crate::rules::command::retire::Outcome as Retreat;
use crate::rules::formations::Formation;
use crate::rules::sequence::Step;
use crate::rules::terrain::Going;
use crate::setup::ground::{Feature, Shape};
use crate::setup::pieces::{MAX_UNITS, UnitId, piece, place_of};
use crate::state::{Flags, State};

/// What stopped a retiring unit short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    Nothing,
    Terrain,
    TableEdge,
}

/// A direction to the rear, tried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Try {
    pose: Pose,
    /// How far it goes.
    by: i64,
    cut: Cut,
    /// It goes on past a friend, beyond its rate (5.5.t).
    stretched: bool,
    /// It would run into an enemy.
    contact: bool,
    /// It would end within 1 in of an enemy.
    close: bool,
}

impl Try {
    const fn barred(&self) -> bool {
        self.contact || self.close
    }
}

/// How a forced Retire goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nowhere to go (5.5.u), or engaged to the rear (5.5.v).
    Broken(game::Rule),
    Goes {
        pose: Pose,
        at_edge: bool,
    },
    /// Both sides serve alike: the owner picks.
    Either {
        left: Pose,
        right: Pose,
        at_edge: (bool, bool),
    },
}

/// A unit about to retire: its base and formation, as it stands or as it has changed them, and how far it must go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rear {
    pub rect: Rect,
    pub formation: Formation,
    pub rate: i64,
}

impl Rear {
    fn of(field: &Field<'_>, u: UnitId) -> Self {
        let formation = field.state.unit(u).formation;
        Self { rect: *field.rect(u), formation, rate: normal_rate(field.battle.unit(u).arm, formation) }
    }

    /// To the rear, off the straight line by so many degrees.
    fn direction(&self, degrees: i32) -> Dir {
        self.rect.facing.turned(18_000 - degrees * 100).dir()
    }

    /// Where friends are in the way, as stretches of a move.
    fn friends(&self, field: &Field<'_>, u: UnitId, dir: Dir) -> ArrayVec<(i64, i64), MAX_UNITS> {
        let start = &self.rect;
        let mut friends = ArrayVec::new();
        // However many friends it must pass, it stays in this strip.
        let far = field.battle.top.width + field.battle.top.height;
        let strip = start.bounds.with(&start.shifted(dir.times(far)).bounds);
        for f in field.friends(u).filter(|f| strip.meets(&field.rect(*f).bounds)) {
            if overlap_while_moving(start, field.rect(f), dir, EPS).is_some() {
                friends.extend(overlap_while_moving(start, field.rect(f), dir, 0));
            }
        }
        friends
    }

    /// P2, steps 2 and 3: how far it goes in a direction, and what it meets.
    fn try_direction(&self, field: &Field<'_>, u: UnitId, at: Pose, degrees: i32) -> Try {
        let (start, dir) = (&self.rect, self.direction(degrees));
        let friends = self.friends(field, u, dir);
        let mut t = clear_from(&friends, self.rate);
        let stretched = t > self.rate;
        let mut cut = Cut::Nothing;
        let top = field.battle.top;
        let edge = to_edge(start, dir, top.width, top.height);
        if edge < t {
            // Within a hair of the edge it goes all its way, yet not a hair over it.
            if edge < t - EPS {
                cut = Cut::TableEdge;
            }
            t = edge;
        }
        let road = field.battle.road_along(self.formation, field.followed_road(u), start, dir.times(t));
        if let Some(terrain) = field.first_impassable(start, dir, t, road)
            && terrain < t
        {
            t = terrain;
            cut = Cut::Terrain;
        }
        if cut != Cut::Nothing {
            t = clear_up_to(&friends, t);
        }
        let pose = at.shifted(dir.times(t));
        let end = Rect::new(pose, start.size());
        let way = Way::between(start, &end);
        let near = start.bounds.with(&end.bounds).grown(PROXIMITY);
        let (mut contact, mut close) = (false, false);
        for e in field.enemies(u).filter(|e| near.meets(&field.rect(*e).bounds)) {
            let enemy = field.rect(e);
            let gap = end.distance(enemy);
            // One that touches it from the start does not bar the way, but it must be left behind (R30).
            let leaves = start.distance(enemy) <= EPS;
            contact |= table::deeper_than_eps(&way, enemy) || (gap <= EPS && !leaves);
            close |= cut != Cut::TableEdge && gap < PROXIMITY - EPS;
        }
        Try { pose, by: t, cut, stretched, contact, close }
    }

    /// The last place on the way of a try that keeps 1 in from every enemy and is on no friend (4.4.a, R30); none if
    /// there is no such place.
    fn short_of_enemies(
        &self,
        field: &Field<'_>,
        u: UnitId,
        at: Pose,
        degrees: i32,
        full: &Try,
    ) -> Option<Try> {
        let dir = self.direction(degrees);
        let friends = self.friends(field, u, dir);
        let gap = |by: i64| {
            let here = self.rect.shifted(dir.times(by));
            field.enemies(u).map(|e| here.distance(field.rect(e))).min().unwrap_or(i64::MAX)
        };
        let mut by = full.by;
        while gap(by) < PROXIMITY - EPS {
            // Where the nearest of them is a thousandth farther off; the gap to a base grows steadily on the way back.
            by -= (PROXIMITY - gap(by)).max(EPS);
            by = clear_up_to(&friends, by);
            if by <= 0 {
                return None;
            }
        }
        Some(Try { pose: at.shifted(dir.times(by)), by, close: false, ..*full })
    }

    /// A Retire chosen under an Advance order: any of the 19 directions whose full move is possible.
    pub(crate) fn voluntary(
        &self,
        field: &Field<'_>,
        u: UnitId,
        at: Pose,
        degrees: i8,
        bounds: Bounds,
    ) -> Allowed<Pose> {
        if degrees % 5 != 0 || !(-45..=45).contains(&degrees) {
            return no(cite!("5.5.r"), "A Retire goes into the rear arc, in steps of 5 degrees.");
        }
        let t = self.try_direction(field, u, at, i32::from(degrees));
        if t.barred() {
            return no(cite!("5.5.u"), "The Retire would run into an enemy unit.");
        }
        match (t.cut, bounds) {
            (Cut::Nothing, Bounds::Stay) => Ok(t.pose),
            (Cut::TableEdge, Bounds::Exit) if self.leads_off(field, i32::from(degrees)) => Ok(t.pose),
            (Cut::Terrain, _) => {
                no(cite!("5.5.q"), "Impassable terrain stops the Retire short of its whole rate.")
            }
            (Cut::TableEdge, Bounds::Stay) => {
                no(cite!("5.5.af"), "The Retire would leave the table; that is a declared exit.")
            }
            (_, Bounds::Exit) => no(cite!("5.5.af"), "The Retire does not reach the table edge."),
        }
    }

    /// Does the middle of the rear edge, which leads, reach the table edge with the whole rate (R32)?
    fn leads_off(&self, field: &Field<'_>, degrees: i32) -> bool {
        field.battle.is_off(self.rect.rear_middle() + self.direction(degrees).times(self.rate))
    }
}

impl Field<'_> {
    /// Where a move first touches impassable terrain that the road it keeps to does not run through.
    fn first_impassable(&self, start: &Rect, dir: Dir, limit: i64, road: Option<u16>) -> Option<i64> {
        let mut first: Option<i64> = None;
        let mut meet = |hit: Option<i64>, touch: Option<i64>| {
            if hit.is_some() {
                let at = touch.unwrap_or(0);
                first = Some(first.map_or(at, |f| f.min(at)));
            }
        };
        let room = start.bounds.with(&start.shifted(dir.times(limit)).bounds).grown(EPS);
        let hinders = |f: &&Feature| !road.is_some_and(|road| self.battle.runs_through(road, f));
        let about = self.battle.features(Going::Impassable).filter(|f| room.meets(&f.bounds()));
        for feature in about.filter(hinders) {
            match &feature.shape {
                Shape::Area(area) => area
                    .parts()
                    .iter()
                    .for_each(|p| meet(first_overlap(start, p, dir, limit), touch_distance(start, p, dir))),
                Shape::Line(line) => line.legs().for_each(|(a, b)| {
                    meet(
                        first_overlap(start, &[a, b][..], dir, limit),
                        touch_distance(start, &[a, b][..], dir),
                    )
                }),
                Shape::Road(_) => {}
            }
        }
        first
    }
}

/// The directions of a Retire, the straightest first: so many degrees to either side (R27).
const ASIDE: [i32; 10] = [0, 5, 10, 15, 20, 25, 30, 35, 40, 45];

impl Field<'_> {
    /// A forced Retire (P2).
    fn forced_retire(&self, u: UnitId) -> Outcome {
        if self.state.foes(u).any(|(_, side, _)| side == table::Side::Rear) {
            return Outcome::Broken(cite!("5.5.v"));
        }
        let (rear, at) = (Rear::of(self, u), self.state.unit(u).pose);
        let tries =
            ASIDE.map(|degrees| [-degrees, degrees].map(|degrees| rear.try_direction(self, u, at, degrees)));
        let best = |acceptable: &dyn Fn(&Try) -> bool| {
            tries.iter().find_map(|[left, right]| either(left, right, acceptable))
        };
        // Its whole rate before anything else (5.5.q), past a friend only where that cannot be avoided (5.5.t), then to
        // the table edge (5.5.ai), then to impassable ground (R29).
        best(&|t| !t.barred() && t.cut == Cut::Nothing && !t.stretched)
            .or_else(|| best(&|t| !t.barred() && t.cut == Cut::Nothing))
            .or_else(|| best(&|t| !t.barred() && t.cut == Cut::TableEdge))
            .or_else(|| best(&|t| !t.barred()))
            .or_else(|| self.beside_enemies(u, &rear, at, &tries))
            .unwrap_or(Outcome::Broken(cite!("5.5.u")))
    }

    /// Nearness alone does not break it: where it can avoid contact, but not keep the inch, it stops before that (R30).
    fn beside_enemies(&self, u: UnitId, rear: &Rear, at: Pose, tries: &[[Try; 2]; 10]) -> Option<Outcome> {
        ASIDE.iter().zip(tries).find_map(|(degrees, [left, right])| {
            let short = |degrees: i32, t: &Try| {
                let stop = if t.contact { None } else { rear.short_of_enemies(self, u, at, degrees, t) };
                stop.unwrap_or(Try { contact: true, ..*t })
            };
            either(&short(-degrees, left), &short(*degrees, right), &|t| !t.barred())
        })
    }
}

/// Of a direction and its mirror image the one that serves; both, if both do.
fn either(left: &Try, right: &Try, acceptable: &dyn Fn(&Try) -> bool) -> Option<Outcome> {
    let goes = |t: &Try| Outcome::Goes { pose: t.pose, at_edge: t.cut == Cut::TableEdge };
    match (acceptable(left), acceptable(right)) {
        (true, true) if left.pose == right.pose => Some(goes(left)),
        (true, true) => {
            let at_edge = (left.cut == Cut::TableEdge, right.cut == Cut::TableEdge);
            Some(Outcome::Either { left: left.pose, right: right.pose, at_edge })
        }
        (true, false) => Some(goes(left)),
        (false, true) => Some(goes(right)),
        (false, false) => None,
    }
}

impl<F: Effects> Run<'_, F> {
    /// Carries a forced Retire out (P2); `left` is the owner's choice where both sides serve.
    pub(crate) fn retire_unit(&mut self, u: UnitId, left: Option<bool>) {
        let outcome = self.field().forced_retire(u);
        self.state.agenda.pop();
        if !self.state.on_table(u) {
            return;
        }
        if let Some(melee) = &mut self.state.melee {
            melee.gone.insert(u);
        }
        let (pose, at_edge) = match (outcome, left) {
            (Retreat::Broken(rule), _) => return self.break_unit(u, rule),
            (Retreat::Goes { pose, at_edge }, _) => (pose, at_edge),
            (Retreat::Either { left, at_edge, .. }, Some(true)) => (left, at_edge.0),
            (Retreat::Either { right, at_edge, .. }, Some(false)) => (right, at_edge.1),
            (Retreat::Either { .. }, None) => {
                self.state.agenda.push(Step::RetireSide { unit: u });
                return;
            }
        };
        self.state.disengage(u);
        let before = self.state.unit(u).pose;
        self.state.shift_unit(self.battle, u, pose);
        self.state.unit_mut(u).flags.clear(Flags::WON | Flags::IMPETUS | Flags::DIFFICULT);
        self.state.commanders_follow(self.battle, u);
        let size = self.at().rect_of(u).size();
        let way = Way::between(&Rect::new(before, size), &Rect::new(pose, size));
        self.evade(self.battle.unit(u).side, &[way]);
        self.fx.tell(|| {
            Entry::new(Kind::Retreat, does(&self.battle.unit(u).name, "retires."))
                .side(self.battle.unit(u).side)
                .rule(cite!("5.5.q"))
                .piece(piece(u))
                .place(place_of(before))
                .place(place_of(pose))
        });
        if at_edge {
            let near = {
                let field = self.field();
                field.enemies(u).any(|e| field.rect(u).within(field.rect(e), PROXIMITY))
            };
            if near {
                self.break_unit(u, cite!("5.5.aj"));
            }
        }
    }
}

impl State {
    pub(crate) fn begin_retire(&mut self, u: UnitId) {
        self.unit_mut(u).flags.clear(Flags::RETIRING | Flags::TESTED_OUT);
        self.agenda.push(Step::Retire { unit: u });
    }
}
