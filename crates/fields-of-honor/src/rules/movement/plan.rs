//! Working out a move: its legs one after the other, what they cost, whom they meet (move.range, move.penetration,
//! move.artillery).

use arrayvec::ArrayVec;
use game::{Allowed, No};
use table::{Angle, Bounds, Dir, EPS, MIL, Pose, Pt, Rect, overlap_while_moving};

use super::formations::{faced, wheeled};
use super::{Leg, Legs, WHOLE, slewed};
use crate::at::At;
use crate::cite;
use crate::rules::basics::{Arm, Formation, Layout, Shape};
use crate::rules::footprints::Footprints;
use crate::rules::skirmishers::{reformed, thickens};
use crate::rules::terrain::{cost_at, track_cost};
use crate::setup::ground::{Cover, Ground};
use crate::state::{Body, BodyId, Marks, Order, Part, Personality};

/// Rounding never costs a move (a hundred thousandth of the allowance).
const GRACE: i64 = WHOLE / 100_000;

/// A move being worked out: where its legs so far lead, and what they cost.
#[derive(Debug, Clone)]
pub(crate) struct Plan<'a> {
    at: At<'a>,
    others: &'a Footprints,
    id: BodyId,
    legs: Legs,
    layout: Layout,
    /// The rectangle around the layout.
    block: Rect,
    spent: i64,
    budget: i64,
    far: bool,
    prone: bool,
    /// Friends it passes that are no skirmishers.
    passed: u64,
    dismounted: bool,
    limbered: bool,
    /// Suppressed under a Perfectionist: it stands still to dress its lines (R94).
    dressing: bool,
    /// Ground its side does not know.
    unknown: u32,
}

/// What a legal move comes to.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    pub layout: Layout,
    /// Where it starts, and where it stands after each part.
    pub way: ArrayVec<Pose, 7>,
    pub spent: i64,
    /// What is left of the allowance.
    pub slack: i64,
    /// At the Charge rate.
    pub far: bool,
    pub passed: u64,
}

impl At<'_> {
    /// Works a move out.
    pub(crate) fn plan_move(self, id: BodyId, legs: &[Leg]) -> Allowed<Outcome> {
        self.may_move(id)?;
        let others = self.footprints();
        let mine = self.layout(id);
        let nearest = others.nearest_enemy(self.side_of(id), &mine, &mine.block());
        let far = self.at_charge_rate(id, nearest.map(|(_, distance)| distance));
        let mut plan = Plan::new(self, &others, id, far);
        let mut way = ArrayVec::new();
        way.push(plan.layout.pose);
        for leg in legs {
            plan.add(*leg, legs.len())?;
            way.push(plan.layout.pose);
        }
        plan.ends()?;
        let slack = plan.budget - plan.spent;
        Ok(Outcome { layout: plan.layout, way, spent: plan.spent, slack, far, passed: plan.passed })
    }

    /// The rest of the move under way when ground has come to light that was unknown to the mover (`before`) when it began: as
    /// much of it as the allowance pays for on the ground as it is (terrain.special.b).
    pub(crate) fn rest_on_known_ground(self, id: BodyId, before: u32) -> (Legs, bool) {
        let march = &self.state.march;
        let rest: Legs = march
            .legs
            .iter()
            .enumerate()
            .skip(usize::from(march.leg))
            .map(|(i, leg)| match *leg {
                Leg::Ahead { length, aside } if i == usize::from(march.leg) => {
                    Leg::Ahead { length: length - march.done, aside }
                }
                Leg::Sidle { length, bearing } if i == usize::from(march.leg) => {
                    Leg::Sidle { length: length - march.done, bearing }
                }
                other => other,
            })
            .collect();
        let others = self.footprints();
        let mut plan = Plan::new(self, &others, id, march.far);
        let mut meant = plan.clone();
        (meant.unknown, meant.budget) = (before, i64::MAX / 4);
        for leg in &rest {
            if meant.add(*leg, rest.len()).is_err() {
                break;
            }
        }
        plan.budget = march.slack + meant.spent;
        let mut kept = Legs::new();
        for leg in &rest {
            let mut next = plan.clone();
            if next.add(*leg, rest.len()).is_ok() {
                kept.push(*leg);
                plan = next;
                continue;
            }
            if let Leg::Ahead { length, aside } = *leg {
                let far = farthest(length, |length| {
                    plan.clone().add(Leg::Ahead { length, aside }, rest.len()).is_ok()
                });
                kept.extend((far > 0).then_some(Leg::Ahead { length: far, aside }));
            }
            break;
        }
        let whole = kept == rest;
        (kept, whole)
    }

    /// Ground closed to guns or to formed cavalry.
    pub(crate) fn closed_ground(self, id: BodyId, fronts: &[Pt], by: Pt, there: &Rect) -> Allowed {
        let body = self.body(id);
        let guns = self.battle.arm(body).is_artillery();
        let horse = body.mounted(self.battle);
        if !guns && !horse {
            return Ok(());
        }
        let known = self.battle.grounds(self.unknown(self.battle.side(body)));
        for area in known.filter(|a| (guns && a.closed_to_guns) || (horse && a.closed_to_cavalry)) {
            let entered =
                area.area.overlaps(there) || fronts.iter().any(|f| area.area.chord(*f, *f + by) > EPS);
            if entered && (area.building || guns || !body.shape.formation.is_loose()) {
                return Err(No::new(
                    cite!("qrs.terrain.c"),
                    "this ground is closed to guns and to formed cavalry",
                ));
            }
        }
        Ok(())
    }
}

/// The greatest length up to `most`, to the hundredth of an inch, that will do.
fn farthest(most: i32, will_do: impl Fn(i32) -> bool) -> i32 {
    let (mut good, mut bad) = (0, most / 10);
    while bad - good > 1 {
        let middle = i32::midpoint(good, bad);
        if will_do(10 * middle) { good = middle } else { bad = middle }
    }
    10 * good
}

/// What is left of the allowance after a Reaction Test or a failed charge.
pub(crate) fn allowance(marks: Marks) -> i64 {
    if marks.has(Marks::CAUTIOUS.and(Marks::HALVED)) { WHOLE / 2 } else { WHOLE }
}

fn too_far(marks: Marks, passed: u64) -> No {
    if passed != 0 {
        return No::new(cite!("move.penetration.c"), "passing through friends it moves at half speed");
    }
    if marks.has(Marks::CAUTIOUS) {
        return No::new(cite!("qrs.reaction.g"), "its Reaction Test lets it move only half its rate");
    }
    if marks.has(Marks::HALVED) {
        return No::new(cite!("charge.sequence.b"), "it failed to charge and moves at half speed");
    }
    No::new(cite!("qrs.rates.b"), "it costs more than one move")
}

impl<'a> Plan<'a> {
    /// No leg yet, for a body that may move, and at the Charge rate if it is far from the enemy.
    pub(crate) fn new(at: At<'a>, others: &'a Footprints, id: BodyId, far: bool) -> Plan<'a> {
        let At { battle, state } = at;
        let body = state.body(id);
        let layout = body.layout(battle);
        Plan {
            at,
            others,
            id,
            legs: Legs::new(),
            layout,
            block: layout.block(),
            spent: 0,
            budget: allowance(body.marks),
            far,
            prone: body.marks.has(Marks::PRONE),
            passed: 0,
            dismounted: body.marks.has(Marks::DISMOUNTED),
            limbered: body.shape.formation == Formation::Limbered,
            dressing: body.order == Order::Suppressed && at.spirit(id) == Some(Personality::Perfectionist),
            unknown: at.unknown(battle.side(body)),
        }
    }

    /// The same move with one more leg at its end.
    pub(crate) fn go_on(&mut self, leg: Leg) -> Allowed {
        self.add(leg, self.legs.len() + 1)
    }

    /// The legs so far.
    pub(crate) fn legs(&self) -> &Legs {
        &self.legs
    }

    /// Adds a leg of a move that has `parts` legs in all.
    fn add(&mut self, leg: Leg, parts: usize) -> Allowed {
        if self.legs.try_push(leg).is_err() {
            return Err(No::new(cite!("move.range.b"), "a move has six parts at the most"));
        }
        self.leg(leg, parts)?;
        if self.spent > self.budget + GRACE {
            return Err(too_far(self.at.state.body(self.id).marks, self.passed));
        }
        Ok(())
    }

    /// The body stands there now.
    fn stand(&mut self, layout: Layout, block: Rect) {
        self.layout = layout;
        self.block = block;
    }

    fn leg(&mut self, leg: Leg, parts: usize) -> Allowed {
        let Plan { at: At { battle, state }, id, .. } = *self;
        let body = state.body(id);
        let info = battle.info(body);
        let guns = battle.arm(body).is_artillery();
        if body.marks.has(Marks::HALT) && !matches!(leg, Leg::Face { .. } | Leg::Slew { .. }) {
            return Err(No::new(
                cite!("qrs.reaction.f"),
                "its Reaction Test lets it change facing and nothing else",
            ));
        }
        let prolongs = matches!(leg, Leg::Slew { .. }) && slewed(&self.legs) <= 4500;
        if info.civilian_drivers && guns && !prolongs {
            return Err(No::new(
                cite!("artillery.drivers.a"),
                "guns with civilian drivers are only prolonged",
            ));
        }
        if guns && body.marks.has(Marks::ON_WALL) && !matches!(leg, Leg::Slew { .. }) {
            return Err(No::new(
                cite!("fort.movement.e"),
                "artillery does not change its level during a battle",
            ));
        }
        let still = prolongs || matches!(leg, Leg::Prone | Leg::Up | Leg::Hide | Leg::Box | Leg::Unbox);
        if self.dressing && !still {
            return Err(No::new(
                cite!("personality.e"),
                "Suppressed, it stands still under its Perfectionist to dress its lines",
            ));
        }
        if !matches!(leg, Leg::Form { .. } | Leg::Prone | Leg::Up) {
            self.at.may_be_in_column(id, self.layout.shape.formation)?;
        }
        let thickening = matches!(leg, Leg::Form { formation, files }
            if thickens(info.late, self.layout.shape, Shape::of(formation, info.arm, self.layout.stands, files)));
        if self.prone && !thickening && !matches!(leg, Leg::Up | Leg::Prone) {
            return Err(No::new(cite!("move.prone.a"), "it lies down and must get up first"));
        }
        match leg {
            Leg::Ahead { length, aside } => self.ahead(length, aside),
            Leg::Sidle { length, bearing } => self.sidle(length, bearing, parts),
            Leg::Wheel { turn } => self.wheel(turn, false),
            Leg::WheelBack { turn } => self.wheel(turn, true),
            Leg::Face { turn } => self.face(turn),
            Leg::Form { formation, files } => self.form(formation, files),
            Leg::Slew { turn } => self.slew(turn),
            Leg::Prone => {
                if !battle.on.prone || body.mounted(battle) || guns {
                    return Err(No::new(
                        cite!("move.prone.a"),
                        "only men on foot lie down, where the scenario has it",
                    ));
                }
                self.prone = true;
                Ok(())
            }
            Leg::Up => {
                if !self.prone {
                    return Err(No::new(cite!("move.prone.a"), "it stands already"));
                }
                self.prone = false;
                self.spent += WHOLE / 4;
                Ok(())
            }
            Leg::Dismount | Leg::Mount => self.horses(leg == Leg::Dismount),
            Leg::Hide => self.hide(parts),
            Leg::Detach { ahead } => self.at.may_detach(id, &self.layout, ahead).map(|_| ()),
            Leg::Rejoin => self.rejoin(parts),
            Leg::Box => self.at.may_box(id),
            Leg::Unbox => {
                if body.marks.has(Marks::BOX) {
                    return Ok(());
                }
                Err(No::new(cite!("box.a"), "it is in no box"))
            }
        }
    }

    fn rate(&self) -> i64 {
        let Plan { at: At { battle, state }, id, .. } = *self;
        let body = state.body(id);
        if self.dismounted != body.marks.has(Marks::DISMOUNTED) {
            let rate = battle.rates.rate(battle.arm(body), !self.dismounted, self.layout.shape.formation);
            return if self.far { rate.charge } else { rate.engaged };
        }
        self.at.move_rate(id, self.layout.shape.formation, self.far).max(1)
    }

    fn roams(&self) -> bool {
        roams(self.at.state.body(self.id), self.layout.shape.formation)
    }

    fn ahead(&mut self, length: i32, aside: i16) -> Allowed {
        if length <= 0 || length > 100_000 {
            return Err(No::new(cite!("move.range.b"), "a march has a length"));
        }
        if i32::from(aside).abs() > 4500 && !self.roams() {
            return Err(No::new(
                cite!("move.range.b"),
                "it moves within 45 degrees of its front; a step aside is a move of its own",
            ));
        }
        if self.at.battle.arm(self.at.state.body(self.id)).is_artillery() && !self.limbered {
            return Err(No::new(cite!("move.artillery.a"), "the guns must be limbered to move"));
        }
        let dir = self.layout.pose.facing.turned(i32::from(aside)).dir();
        self.translate(dir, i64::from(length) * MIL)
    }

    fn sidle(&mut self, length: i32, bearing: i16, parts: usize) -> Allowed {
        let most = if self.at.state.body(self.id).mounted(self.at.battle) { 2000 } else { 1000 };
        if parts != 1 {
            return Err(No::new(cite!("move.range.d"), "a move out of the arc goes with no other movement"));
        }
        if length <= 0 || length > most {
            return Err(No::new(
                cite!("move.range.d"),
                "a move out of the arc is 1 in at the most, 2 in for cavalry",
            ));
        }
        let dir = self.layout.pose.facing.turned(i32::from(bearing)).dir();
        self.translate(dir, i64::from(length) * MIL)
    }

    /// Moves the body straight, pays for the ground and minds everybody in the way.
    fn translate(&mut self, dir: Dir, length: i64) -> Allowed {
        let by = dir.times(length);
        // Poses lie on the grid, and so does the way between two of them.
        let there = self.layout.at(self.layout.pose.shifted(by));
        let block = self.block.shifted(there.pose.at.pt() - self.layout.pose.at.pt());
        if !self.at.battle.top.holds(&block) {
            return Err(No::new(cite!("move.range.b"), "that leads off the table"));
        }
        let swept = self.block.bounds.with(&block.bounds);
        let cost = self.ground(by, length, &block, swept)?;
        self.spent += table::mul_div(cost, WHOLE, self.rate());
        self.sweep(dir, length, swept)?;
        self.stand(there, block);
        Ok(())
    }

    /// What the ground makes of the length of a straight move; walls and ladders are paid at once.
    fn ground(&mut self, by: Pt, length: i64, there: &Rect, swept: Bounds) -> Allowed<i64> {
        let Plan { at: At { battle, state: _ }, id, .. } = *self;
        let road = self.layout.shape.formation == Formation::MarchColumn
            || self.layout.shape.formation == Formation::Limbered
            || self.layout.stands == 1;
        let rough = battle.grounds(self.unknown).any(|a| {
            (a.changes_pace(road) || a.closed_to_guns || a.closed_to_cavalry) && a.area.bounds().meets(&swept)
        });
        let lines = battle.on.forts || battle.lines.iter().any(|l| l.line.bounds().meets(&swept));
        if !rough && !lines {
            return Ok(length);
        }
        let fronts = self.layout.fronts();
        if rough {
            self.at.closed_ground(id, &fronts, by, there)?;
        }
        if lines {
            let ladders = self.at.cross_wall(id, &self.layout, by)?;
            self.spent += WHOLE / 4 * self.at.obstacles(&self.layout, &fronts, by) + ladders;
        }
        Ok(if rough { track_cost(battle, &fronts, by, road, self.unknown) } else { length })
    }

    fn sweep(&mut self, dir: Dir, length: i64, swept: Bounds) -> Allowed {
        let loose = self.at.state.body(self.id).skirmishing();
        let others = self.others;
        for other in others.near(self.id, swept) {
            if sweeps(&self.layout, &self.block, &other.layout, &other.block, dir, length) {
                self.meet(other.id, loose)?;
            }
        }
        Ok(())
    }

    /// Whether one body may pass through another (move.penetration).
    fn meet(&mut self, other: BodyId, loose: bool) -> Allowed {
        let Plan { at: At { battle, state }, id, .. } = *self;
        let (body, friend) = (state.body(id), state.body(other));
        if battle.side(friend) != battle.side(body) {
            if friend.marks.unsighted() || friend.marks.has(Marks::ABANDONED) {
                return Ok(());
            }
            return Err(No::new(
                cite!("charge.sequence.a"),
                "an enemy is in the way; only a charge leads into contact",
            ));
        }
        if friend.marks.has(Marks::ABANDONED) || loose || friend.skirmishing() || friend.bmu == body.bmu {
            return Ok(());
        }
        let solid = |f: Formation| f.is_column() || f == Formation::Square;
        if solid(self.layout.shape.formation) || solid(friend.shape.formation) {
            return Err(No::new(
                cite!("move.penetration.b"),
                "only skirmishers pass through a column or a square",
            ));
        }
        let still = !friend.marks.has(Marks::MOVED) && !state.in_melee(other);
        let silent = !friend.marks.has(Marks::FIRED_EARLY) && !body.marks.has(Marks::FIRED_EARLY);
        if !still || !silent {
            return Err(No::new(
                cite!("move.penetration.c"),
                "the friend in the way has moved or fired this turn",
            ));
        }
        if self.passed == 0 {
            self.budget /= 2;
        }
        self.passed |= other.bit();
        Ok(())
    }

    fn wheel(&mut self, turn: i16, back: bool) -> Allowed {
        let Plan { at: At { battle, state }, id, .. } = *self;
        let turn = i32::from(turn);
        if turn == 0 || turn.abs() > 18_000 {
            return Err(No::new(cite!("move.wheel.b"), "a wheel turns by up to 180 degrees"));
        }
        if battle.arm(state.body(id)).is_artillery() && !self.limbered {
            return Err(No::new(cite!("move.artillery.c"), "unlimbered guns are turned on the spot"));
        }
        let size = self.layout.extent();
        let free_wheel = matches!(
            self.layout.shape.formation,
            Formation::MarchColumn | Formation::Skirmish | Formation::Limbered
        ) || state.body(id).part == Part::Group;
        if !free_wheel {
            let mut arc = Angle::arc(turn, size.width);
            // Only lines pay double (R103).
            if back && matches!(self.layout.shape.formation, Formation::Line | Formation::Extended) {
                arc *= 2;
            }
            let multiplier = self.dearest_ground();
            self.spent += table::mul_div(arc * multiplier / 2, WHOLE, self.rate());
            if self.spent > self.budget + GRACE {
                let rule = if back { cite!("move.wheel.c") } else { cite!("move.wheel.b") };
                return Err(No::new(rule, "the wheel costs more than is left of the move"));
            }
        }
        let start = self.layout;
        let there = start.at(wheeled(start.pose, size, turn, back));
        if self.room_to_wheel(turn, back) {
            self.stand(there, there.block());
            return Ok(());
        }
        // What the wheel sweeps is looked at every ten degrees and at its end.
        let steps = (turn.abs() + 999) / 1000;
        for step in 1..steps {
            self.land(&start.at(wheeled(start.pose, size, turn * step / steps, back)), false)?;
        }
        let block = self.land(&there, true)?;
        self.stand(there, block);
        Ok(())
    }

    /// Twice the largest multiplier under any of its stands.
    fn dearest_ground(&self) -> i64 {
        let near = |a: &Ground| !a.road && a.cost != 2 && a.area.bounds().meets(&self.block.bounds);
        if !self.at.battle.grounds(self.unknown).any(near) {
            return 2;
        }
        self.layout.fronts().iter().map(|f| cost_at(self.at.battle, *f, self.unknown)).max().unwrap_or(2)
    }

    /// Nobody, nor the table's edge, within the circle that the body could turn in.
    fn room_to_wheel(&self, turn: i32, back: bool) -> bool {
        let hinge = self.block.corners[usize::from((turn >= 0) == back)];
        let reach = 2 * self.block.half_diagonal() + 4 * MIL;
        let circle = Bounds { lo: hinge, hi: hinge }.grown(reach);
        let top = &self.at.battle.top;
        circle.lo.x >= 0
            && circle.lo.y >= 0
            && circle.hi.x <= top.width
            && circle.hi.y <= top.height
            && self.others.near(self.id, circle).next().is_none()
    }

    /// Minds everybody at a place that is reached by turning; gives the ground it covers there.
    fn land(&mut self, there: &Layout, last: bool) -> Allowed<Rect> {
        let block = there.block();
        if !self.at.battle.top.holds(&block) {
            return Err(No::new(cite!("move.range.b"), "that leads off the table"));
        }
        let others = self.others;
        for other in others.near(self.id, block.bounds) {
            if other.marks.has(Marks::ABANDONED) || !there.stands_overlap(&block, &other.layout, &other.block)
            {
                continue;
            }
            if last && !other.marks.unsighted() {
                return Err(No::new(
                    cite!("move.penetration.c"),
                    "there is no room: units never lie in each other",
                ));
            }
            self.meet(other.id, there.shape.formation == Formation::Skirmish)?;
        }
        Ok(block)
    }

    /// Stands there, if there is room.
    fn land_at(&mut self, there: Layout) -> Allowed {
        let block = self.land(&there, true)?;
        self.stand(there, block);
        Ok(())
    }

    fn face(&mut self, turn: i16) -> Allowed {
        let Plan { at: At { battle, state }, id, .. } = *self;
        let turn = i32::from(turn);
        if battle.arm(state.body(id)).is_artillery() && !self.limbered {
            return Err(No::new(cite!("move.artillery.c"), "guns are turned on the spot"));
        }
        let any = self.roams();
        if !any && ![9000, -9000, 18_000, -18_000].contains(&turn) {
            return Err(No::new(
                cite!("move.wheel.a"),
                "it faces left, right or about; other turns are wheels",
            ));
        }
        if !any {
            self.spent += self.at.change_cost(id);
        }
        self.land_at(faced(&self.layout, turn, any))
    }

    fn form(&mut self, formation: Formation, files: u8) -> Allowed {
        let Plan { at: At { battle, state }, id, .. } = *self;
        self.at.may_form(id, &self.layout, formation, files)?;
        self.spent += self.at.change_cost(id);
        let arm = battle.arm(state.body(id));
        let shape = Shape::of(formation, arm, self.layout.stands, files);
        self.land_at(reformed(battle.info(state.body(id)).late, self.layout, shape))?;
        self.limbered = formation == Formation::Limbered;
        Ok(())
    }

    fn slew(&mut self, turn: i16) -> Allowed {
        if !self.at.battle.arm(self.at.state.body(self.id)).is_artillery() || self.limbered {
            return Err(No::new(cite!("move.artillery.d"), "only unlimbered guns are turned on the spot"));
        }
        let facing = self.layout.pose.facing.turned(i32::from(turn));
        self.land_at(self.layout.rearranged(self.layout.shape, facing))
    }

    /// Skirmishers go back to their parent, at their own pace (qrs.rates.b).
    fn rejoin(&mut self, parts: usize) -> Allowed {
        let Plan { at: At { battle, state }, id, .. } = *self;
        let home = state.may_rejoin(id, parts)?;
        let way = self.layout.distance(&state.body(home).layout(battle));
        self.spent += table::mul_div(way, WHOLE, self.rate());
        Ok(())
    }

    fn horses(&mut self, down: bool) -> Allowed {
        let body = self.at.state.body(self.id);
        if self.at.battle.arm(body) != Arm::Cavalry || self.dismounted == down {
            return Err(No::new(cite!("move.artillery.e"), "it is no cavalry that could do that"));
        }
        self.spent += WHOLE / 4;
        self.dismounted = down;
        let all = body.stands(self.at.battle);
        let mut there = self.layout;
        there.stands = if down { (all - all / 4).max(1) } else { all };
        self.land_at(there)
    }

    fn hide(&mut self, parts: usize) -> Allowed {
        let Plan { at: At { battle, state }, id, .. } = *self;
        if self.legs.len() != parts {
            return Err(No::new(cite!("move.hiding.a"), "a unit hides at the end of its move"));
        }
        let body = state.body(id);
        let mut there = state.clone();
        there.blind |= self.at.unknown(battle.side(body)) != 0;
        let covered = At::new(battle, &there).cover(&self.layout, None, false) > Cover::None;
        there.body_mut(id).pose = self.layout.pose;
        there.body_mut(id).shape = self.layout.shape;
        let seen = there
            .on_table()
            .any(|(o, b)| battle.side(b) != battle.side(body) && At::new(battle, &there).sees(o, id));
        if !covered || seen {
            return Err(No::new(
                cite!("move.hiding.a"),
                "it must be in cover and out of sight of every enemy",
            ));
        }
        Ok(())
    }

    /// Whether the move may end here.
    pub(crate) fn ends(&self) -> Allowed {
        let Plan { at: At { battle, state }, id, .. } = *self;
        let moved = self.legs.iter().any(|l| {
            !matches!(l, Leg::Prone | Leg::Hide | Leg::Rejoin | Leg::Detach { .. } | Leg::Box | Leg::Unbox)
        });
        if !moved || self.legs.contains(&Leg::Rejoin) {
            return Ok(());
        }
        let side = battle.side(state.body(id));
        for other in self.others.near(id, self.block.bounds.grown(2 * EPS)) {
            if other.marks.has(Marks::ABANDONED) || (other.side != side && other.marks.unsighted()) {
                continue;
            }
            if self.layout.stands_overlap(&self.block, &other.layout, &other.block) {
                return Err(No::new(
                    cite!("move.penetration.c"),
                    "there is no room: units never lie in each other",
                ));
            }
            if other.side != side && self.layout.distance(&other.layout) <= EPS {
                return Err(No::new(
                    cite!("charge.sequence.a"),
                    "only a charge leads into contact with the enemy",
                ));
            }
        }
        self.mind_the_leash()
    }

    /// Detached skirmishers stay within 150 yards of their parent (R98).
    fn mind_the_leash(&self) -> Allowed {
        let Plan { at: At { battle, state }, id, .. } = *self;
        if state.body(id).part != Part::Skirmishers {
            return Ok(());
        }
        let Some(parent) = state.parent_of(id) else { return Ok(()) };
        if state.body(parent).layout(battle).distance(&self.layout) > battle.yards(150) + EPS {
            return Err(No::new(
                cite!("skirmish.a"),
                "detached skirmishers stay within 150 yards of their parent",
            ));
        }
        Ok(())
    }
}

/// Whether a body goes in any direction without turning.
pub(crate) fn roams(body: &Body, formation: Formation) -> bool {
    matches!(formation, Formation::Skirmish | Formation::Square)
        || matches!(body.part, Part::Group | Part::Crew)
        || body.marks.has(Marks::BOX)
}

/// Whether a straight move runs over the stands of another body.
fn sweeps(mover: &Layout, a: &Rect, theirs: &Layout, block: &Rect, dir: Dir, length: i64) -> bool {
    let over = |a: &Rect, b: &Rect| {
        overlap_while_moving(a, b, dir, EPS)
            .is_some_and(|(from, till)| till > 0 && from < length && till > from + EPS)
    };
    if !over(a, block) {
        return false;
    }
    if mover.solid() && theirs.solid() {
        return true;
    }
    let others = theirs.rects();
    mover.rects().iter().any(|r| others.iter().any(|o| over(r, o)))
}
