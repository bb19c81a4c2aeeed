//! The Movement Phase: what a move is made of, what it costs, whom it may pass.

use arrayvec::ArrayVec;
use game::{Effects, Entry, Kind};
use serde::{Deserialize, Serialize};
use table::{Angle, Bounds, Dir, EPS, INCH, MIL, Pose, Pt, Rect, overlap_while_moving};

use crate::basics::{Arm, Formation, Layout, Shape};
use crate::battle::{Battle, Cover};
use crate::cite;
use crate::fire::No;
use crate::rolls::{piece, tell_of};
use crate::state::{BodyId, Command, Marks, Order, Part, Personality, State};
use crate::tables::Rating;
use crate::terrain::{cost_at, track_cost};

/// A whole move: the allowance is a fraction of it.
pub const WHOLE: i64 = 1_000_000_000;

/// One part of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Leg {
    /// Straight on, or slantwise within the arc: thousandths of an inch, hundredths of a degree from the front.
    Ahead {
        length: i32,
        aside: i16,
    },
    /// About a front corner, clockwise about the right one.
    Wheel {
        turn: i16,
    },
    /// The same backwards: the far end goes back.
    WheelBack {
        turn: i16,
    },
    /// Every stand turns: a quarter to either side or about.
    Face {
        turn: i16,
    },
    /// A new formation, so many stands wide (0: as usual).
    Form {
        formation: Formation,
        files: u8,
    },
    /// Out of the arc, in any direction, a little way.
    Sidle {
        length: i32,
        bearing: i16,
    },
    /// Guns are turned on the spot.
    Slew {
        turn: i16,
    },
    Prone,
    Up,
    Dismount,
    Mount,
    Hide,
    /// Two stands go out as skirmishers, so far ahead in thousandths of an inch.
    Detach {
        ahead: i16,
    },
    /// Skirmishers or gunners go back to their own.
    Rejoin,
    /// Joins the box of a friend that it touches.
    Box,
    /// Leaves the box.
    Unbox,
}

/// The parts of a move.
pub type Legs = ArrayVec<Leg, 6>;

/// A move under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct March {
    pub unit: Option<BodyId>,
    pub legs: Legs,
    /// Which leg, and how much of it is done.
    pub leg: u8,
    pub done: i32,
    /// The enemy lets the rest of the move go by.
    pub waved: bool,
}

/// How far a leg goes between two chances to interrupt it (R63).
const STEP: i32 = 1000;

/// Whether a body may move in this phase at all.
///
/// # Errors
/// The rule that forbids it.
pub fn may_move(battle: &Battle, state: &State, id: BodyId) -> Result<(), No> {
    let body = state.body(id);
    let marks = body.marks;
    if !body.on_table() || marks.has(Marks::ABANDONED) {
        return Err(No::new(cite!("charge.defender.i"), "nobody is there to move it"));
    }
    if body.order.broken() {
        return Err(No::new(cite!("seq.move.d"), "it is Shaken or Routed and must rally first"));
    }
    if marks.has(Marks::GONE_ABOUT) {
        return Err(No::new(cite!("move.initiative.b"), "it has moved this phase"));
    }
    if marks.has(Marks::MOVED_EARLY) {
        return Err(No::new(cite!("seq.move.c"), "it moved in the Reaction or Charge Phase"));
    }
    if marks.has(Marks::BARRED) {
        return Err(No::new(
            cite!("morale.retreat.i"),
            "it failed a Morale Test and may not move in this Movement Phase",
        ));
    }
    if marks.has(Marks::SNAPPED) {
        return Err(No::new(cite!("fire.opportunity.c"), "it used opportunity fire this turn"));
    }
    if state.in_melee(id) {
        return Err(No::new(
            cite!("melee.withdraw.a"),
            "it is in melee and leaves it only in the Morale Phase",
        ));
    }
    if marks.has(Marks::PASSED) {
        return Err(No::new(cite!("move.penetration.c"), "friends passed through it: it must stay still"));
    }
    if matches!(body.part, Part::Skirmishers) {
        let parent = parent(state, id);
        if parent.is_some_and(|p| state.go.chosen & p.bit() == 0) {
            return Err(No::new(cite!("move.initiative.d"), "a detachment moves when its parent moves"));
        }
    }
    if marks.has(Marks::BOX) && crate::forts::box_has_guns(battle, state, id) {
        return Err(No::new(cite!("box.b"), "a box with artillery does not move"));
    }
    Ok(())
}

/// The main body of a detachment.
#[must_use]
pub fn parent(state: &State, id: BodyId) -> Option<BodyId> {
    let bmu = state.body(id).bmu;
    state.on_table().find(|(o, b)| *o != id && b.bmu == bmu && b.part == Part::Main).map(|(o, _)| o)
}

/// Half BMUs that moving a body uses up in this go (R20).
#[must_use]
pub fn price(state: &State, id: BodyId) -> u8 {
    match state.body(id).part {
        Part::Skirmishers | Part::Crew => 0,
        _ if state
            .bodies
            .iter()
            .enumerate()
            .any(|(i, b)| b.bmu == state.body(id).bmu && state.go.chosen & (1 << i) != 0) =>
        {
            0
        }
        _ if state.go.touching & id.bit() != 0 => 1,
        _ => 2,
    }
}

/// Friends that touch a body.
#[must_use]
pub fn touching(battle: &Battle, state: &State, id: BodyId) -> u64 {
    let body = state.body(id);
    let mine = body.layout(battle);
    let near = mine.block().bounds.grown(INCH / 10);
    let friends = state.on_table().filter(|(o, b)| *o != id && battle.side(b) == battle.side(body));
    friends
        .filter(|(_, b)| {
            let theirs = b.layout(battle);
            theirs.block().bounds.meets(&near) && theirs.distance(&mine) <= EPS
        })
        .fold(0, |all, (o, _)| all | o.bit())
}

/// Whether a body can stand there: on the table and in nobody.
#[must_use]
pub fn free(battle: &Battle, state: &State, id: BodyId, layout: &Layout) -> bool {
    let block = layout.block();
    battle.top.holds(&block)
        && !state.on_table().any(|(o, b)| {
            if o == id || b.marks.has(Marks::ABANDONED) {
                return false;
            }
            let theirs = b.layout(battle);
            theirs.block().overlaps(&block) && layout.overlaps(&theirs)
        })
}

/// The rate of a body at this moment, and whether it is the Charge column (qrs.rates.b, R23).
#[must_use]
pub fn rate(battle: &Battle, state: &State, id: BodyId, formation: Formation, far: bool) -> i64 {
    let body = state.body(id);
    if body.marks.has(Marks::BOX) {
        return battle.rates.line().engaged / 2;
    }
    let formation = if body.part == Part::Group { Formation::Skirmish } else { formation };
    let rate = battle.rates.rate(battle.arm(body), body.mounted(battle), formation);
    if far { rate.charge } else { rate.engaged }
}

/// Whether a body begins far enough from the enemy, and its order lets it, to use the Charge rate.
#[must_use]
pub fn at_charge_rate(battle: &Battle, state: &State, id: BodyId) -> bool {
    !matches!(battle.order_of(state, id), Some(Command::Attack | Command::Defend))
        && !battle.engaged(state, id)
}

/// What a change of formation or facing costs (qrs.rates.g, move.wheel.a, personality.f).
#[must_use]
pub fn change_cost(battle: &Battle, state: &State, id: BodyId) -> i64 {
    let body = state.body(id);
    let quick = match battle.arm(body) {
        Arm::Cavalry => true,
        Arm::Infantry => battle.info(body).morale <= Rating::C,
        _ => false,
    };
    let drilled = battle.spirit(state, id) == Some(Personality::Perfectionist);
    if quick || drilled { WHOLE / 4 } else { WHOLE / 2 }
}

/// Linear obstacles that the tracks of the stands cross, each once.
#[must_use]
pub fn obstacles(battle: &Battle, state: &State, fronts: &[Pt], by: Pt) -> i64 {
    if battle.lines.is_empty() {
        return 0;
    }
    let mut bounds = Bounds::of(fronts);
    bounds.take_in(bounds.lo + by);
    bounds.take_in(bounds.hi + by);
    let lines = battle.lines.iter().enumerate();
    let crossed = lines.filter(|(i, l)| {
        !l.fort
            && battle.standing(state, *i)
            && l.line.bounds().meets(&bounds)
            && fronts.iter().any(|f| l.line.crossed_by(*f, *f + by) && l.line.distance_to(*f) > EPS)
    });
    crossed.count() as i64
}

/// A move being worked out.
struct Plan {
    layout: Layout,
    spent: i64,
    budget: i64,
    far: bool,
    prone: bool,
    /// Friends it passes that are no skirmishers.
    passed: u64,
    dismounted: bool,
    limbered: bool,
}

/// What a legal move comes to.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    pub layout: Layout,
    pub spent: i64,
    pub passed: u64,
}

/// Works a move out.
///
/// # Errors
/// The rule that forbids it.
pub fn plan(battle: &Battle, state: &State, id: BodyId, legs: &[Leg]) -> Result<Outcome, No> {
    may_move(battle, state, id)?;
    let far = at_charge_rate(battle, state, id);
    plan_at(battle, state, id, legs, far)
}

/// As [`plan`], when it is known that the body may move and at which rate.
///
/// # Errors
/// The rule that forbids it.
pub fn plan_at(battle: &Battle, state: &State, id: BodyId, legs: &[Leg], far: bool) -> Result<Outcome, No> {
    let body = state.body(id);
    let mut budget = WHOLE;
    if body.marks.has(Marks::CAUTIOUS.and(Marks::HALVED)) {
        budget /= 2;
    }
    let mut plan = Plan {
        layout: body.layout(battle),
        spent: 0,
        budget,
        far,
        prone: body.marks.has(Marks::PRONE),
        passed: 0,
        dismounted: body.marks.has(Marks::DISMOUNTED),
        limbered: body.shape.formation == Formation::Limbered,
    };
    for (i, leg) in legs.iter().enumerate() {
        plan.leg(battle, state, id, leg, legs, i)?;
        if plan.spent > plan.budget + WHOLE / 100_000 {
            return Err(too_far(body.marks, plan.passed));
        }
    }
    plan.end(battle, state, id, legs)?;
    Ok(Outcome { layout: plan.layout, spent: plan.spent, passed: plan.passed })
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

impl Plan {
    fn leg(
        &mut self,
        battle: &Battle,
        state: &State,
        id: BodyId,
        leg: &Leg,
        legs: &[Leg],
        i: usize,
    ) -> Result<(), No> {
        let body = state.body(id);
        let info = battle.info(body);
        let guns = battle.arm(body).is_artillery();
        if body.marks.has(Marks::HALT) && !matches!(leg, Leg::Face { .. } | Leg::Slew { .. }) {
            return Err(No::new(
                cite!("qrs.reaction.f"),
                "its Reaction Test lets it change facing and nothing else",
            ));
        }
        if info.civilian_drivers && guns && !matches!(leg, Leg::Slew { turn } if turn.abs() <= 4500) {
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
        let thickening = matches!(leg, Leg::Form { .. }) && info.late;
        if self.prone && !thickening && !matches!(leg, Leg::Up | Leg::Prone) {
            return Err(No::new(cite!("move.prone.a"), "it lies down and must get up first"));
        }
        match *leg {
            Leg::Ahead { length, aside } => self.ahead(battle, state, id, length, aside),
            Leg::Sidle { length, bearing } => self.sidle(battle, state, id, length, bearing, legs),
            Leg::Wheel { turn } => self.wheel(battle, state, id, turn, false),
            Leg::WheelBack { turn } => self.wheel(battle, state, id, turn, true),
            Leg::Face { turn } => self.face(battle, state, id, turn),
            Leg::Form { formation, files } => self.form(battle, state, id, formation, files),
            Leg::Slew { turn } => self.slew(battle, state, id, turn),
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
            Leg::Dismount | Leg::Mount => self.horses(battle, state, id, matches!(leg, Leg::Dismount)),
            Leg::Hide => self.hide(battle, state, id, legs, i),
            Leg::Detach { ahead } => {
                crate::skirmishers::may_detach(battle, state, id, &self.layout, ahead).map(|_| ())
            }
            Leg::Rejoin => crate::skirmishers::may_rejoin(battle, state, id, legs),
            Leg::Box => crate::forts::may_box(battle, state, id),
            Leg::Unbox => {
                if body.marks.has(Marks::BOX) {
                    return Ok(());
                }
                Err(No::new(cite!("box.a"), "it is in no box"))
            }
        }
    }

    fn rate(&self, battle: &Battle, state: &State, id: BodyId) -> i64 {
        let body = state.body(id);
        if self.dismounted != body.marks.has(Marks::DISMOUNTED) {
            let rate = battle.rates.rate(battle.arm(body), !self.dismounted, self.layout.shape.formation);
            return if self.far { rate.charge } else { rate.engaged };
        }
        rate(battle, state, id, self.layout.shape.formation, self.far).max(1)
    }

    fn roams(&self, state: &State, id: BodyId) -> bool {
        let body = state.body(id);
        matches!(self.layout.shape.formation, Formation::Skirmish | Formation::Square)
            || body.part == Part::Group
            || body.part == Part::Crew
            || body.marks.has(Marks::BOX)
    }

    fn ahead(
        &mut self,
        battle: &Battle,
        state: &State,
        id: BodyId,
        length: i32,
        aside: i16,
    ) -> Result<(), No> {
        if length <= 0 || length > 100_000 {
            return Err(No::new(cite!("move.range.b"), "a march has a length"));
        }
        if i32::from(aside).abs() > 4500 && !self.roams(state, id) {
            return Err(No::new(
                cite!("move.range.b"),
                "it moves within 45 degrees of its front; a step aside is a move of its own",
            ));
        }
        if battle.arm(state.body(id)).is_artillery() && !self.limbered {
            return Err(No::new(cite!("move.artillery.a"), "the guns must be limbered to move"));
        }
        let dir = self.layout.pose.facing.turned(i32::from(aside)).dir();
        self.translate(battle, state, id, dir, i64::from(length) * MIL)
    }

    fn sidle(
        &mut self,
        battle: &Battle,
        state: &State,
        id: BodyId,
        length: i32,
        bearing: i16,
        legs: &[Leg],
    ) -> Result<(), No> {
        let most = if state.body(id).mounted(battle) { 2000 } else { 1000 };
        if legs.len() != 1 {
            return Err(No::new(cite!("move.range.d"), "a move out of the arc goes with no other movement"));
        }
        if length <= 0 || length > most {
            return Err(No::new(
                cite!("move.range.d"),
                "a move out of the arc is 1 in at the most, 2 in for cavalry",
            ));
        }
        let dir = self.layout.pose.facing.turned(i32::from(bearing)).dir();
        self.translate(battle, state, id, dir, i64::from(length) * MIL)
    }

    /// Moves the body straight, pays for the ground and minds everybody in the way.
    fn translate(
        &mut self,
        battle: &Battle,
        state: &State,
        id: BodyId,
        dir: Dir,
        length: i64,
    ) -> Result<(), No> {
        let by = dir.times(length);
        let rate = self.rate(battle, state, id);
        let pose = self.layout.pose.shifted(by);
        let there = self.layout.at(pose);
        if !battle.top.holds(&there.block()) {
            return Err(No::new(cite!("move.range.b"), "that leads off the table"));
        }
        let cost = if battle.areas.is_empty() && battle.lines.is_empty() {
            length
        } else {
            let fronts: ArrayVec<Pt, 12> = self.layout.rects().iter().map(|r| r.front).collect();
            closed(battle, state, id, &fronts, by, &there)?;
            let road = self.layout.shape.formation == Formation::MarchColumn
                || self.layout.shape.formation == Formation::Limbered
                || self.layout.stands == 1;
            let ladders = crate::forts::cross(battle, state, id, &self.layout, by)?;
            self.spent += WHOLE / 4 * obstacles(battle, state, &fronts, by) + ladders;
            track_cost(battle, &fronts, by, road)
        };
        self.spent += table::mul_div(cost, WHOLE, rate);
        self.sweep(battle, state, id, dir, length, &there)?;
        self.layout = there;
        Ok(())
    }

    fn sweep(
        &mut self,
        battle: &Battle,
        state: &State,
        id: BodyId,
        dir: Dir,
        length: i64,
        there: &Layout,
    ) -> Result<(), No> {
        let body = state.body(id);
        let (a, b) = (self.layout.block(), there.block());
        let mut bounds = a.bounds;
        bounds.take_in(b.bounds.lo);
        bounds.take_in(b.bounds.hi);
        for (other, friend) in state.on_table() {
            if other == id {
                continue;
            }
            let theirs = friend.layout(battle);
            let block = theirs.block();
            if !block.bounds.meets(&bounds) {
                continue;
            }
            if !sweeps(&self.layout, &a, &theirs, &block, dir, length) {
                continue;
            }
            self.meet(battle, state, id, other, body.skirmishing())?;
        }
        Ok(())
    }

    /// Whether one body may pass through another (move.penetration).
    fn meet(
        &mut self,
        battle: &Battle,
        state: &State,
        id: BodyId,
        other: BodyId,
        loose: bool,
    ) -> Result<(), No> {
        let (body, friend) = (state.body(id), state.body(other));
        if battle.side(friend) != battle.side(body) {
            if friend.marks.has(Marks::HIDDEN) || friend.marks.has(Marks::ABANDONED) {
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

    fn wheel(&mut self, battle: &Battle, state: &State, id: BodyId, turn: i16, back: bool) -> Result<(), No> {
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
            if back {
                arc *= 2;
            }
            let multiplier = self.layout.rects().iter().map(|r| cost_at(battle, r.front)).max().unwrap_or(2);
            self.spent += table::mul_div(arc * multiplier / 2, WHOLE, self.rate(battle, state, id));
            if self.spent > self.budget + WHOLE / 100_000 {
                let rule = if back { cite!("move.wheel.c") } else { cite!("move.wheel.b") };
                return Err(No::new(rule, "the wheel costs more than is left of the move"));
            }
        }
        let start = self.layout;
        let pose_after = |turn: i32| wheeled(start.pose, size, turn, back);
        // What the wheel sweeps is looked at every ten degrees and at its end.
        let steps = (turn.abs() + 999) / 1000;
        for step in 1..=steps {
            let there = start.at(pose_after(turn * step / steps));
            self.land(battle, state, id, &there, step == steps)?;
        }
        self.layout = start.at(pose_after(turn));
        Ok(())
    }

    /// Minds everybody at a place that is reached by turning.
    fn land(
        &mut self,
        battle: &Battle,
        state: &State,
        id: BodyId,
        there: &Layout,
        last: bool,
    ) -> Result<(), No> {
        let block = there.block();
        if !battle.top.holds(&block) {
            return Err(No::new(cite!("move.range.b"), "that leads off the table"));
        }
        for (other, b) in state.on_table() {
            if other == id || b.marks.has(Marks::ABANDONED) {
                continue;
            }
            let theirs = b.layout(battle);
            if !theirs.block().overlaps(&block) || !there.overlaps(&theirs) {
                continue;
            }
            if last && !b.marks.has(Marks::HIDDEN) {
                return Err(No::new(
                    cite!("move.penetration.c"),
                    "there is no room: units never lie in each other",
                ));
            }
            self.meet(battle, state, id, other, there.shape.formation == Formation::Skirmish)?;
        }
        Ok(())
    }

    fn face(&mut self, battle: &Battle, state: &State, id: BodyId, turn: i16) -> Result<(), No> {
        let turn = i32::from(turn);
        let body = state.body(id);
        if battle.arm(body).is_artillery() && !self.limbered {
            return Err(No::new(cite!("move.artillery.c"), "guns are turned on the spot"));
        }
        let any = self.roams(state, id);
        if !any && ![9000, -9000, 18_000, -18_000].contains(&turn) {
            return Err(No::new(
                cite!("move.wheel.a"),
                "it faces left, right or about; other turns are wheels",
            ));
        }
        if !any {
            self.spent += change_cost(battle, state, id);
        }
        let there = faced(&self.layout, turn, any);
        self.land(battle, state, id, &there, true)?;
        self.layout = there;
        Ok(())
    }

    fn form(
        &mut self,
        battle: &Battle,
        state: &State,
        id: BodyId,
        formation: Formation,
        files: u8,
    ) -> Result<(), No> {
        may_form(battle, state, id, &self.layout, formation, files)?;
        self.spent += change_cost(battle, state, id);
        let arm = battle.arm(state.body(id));
        let shape = Shape::of(formation, arm, self.layout.stands, files);
        let there = self.layout.rearranged(shape, self.layout.pose.facing);
        self.land(battle, state, id, &there, true)?;
        self.layout = there;
        self.limbered = formation == Formation::Limbered;
        Ok(())
    }

    fn slew(&mut self, battle: &Battle, state: &State, id: BodyId, turn: i16) -> Result<(), No> {
        if !battle.arm(state.body(id)).is_artillery() || self.limbered {
            return Err(No::new(cite!("move.artillery.d"), "only unlimbered guns are turned on the spot"));
        }
        let facing = self.layout.pose.facing.turned(i32::from(turn));
        let there = self.layout.rearranged(self.layout.shape, facing);
        self.land(battle, state, id, &there, true)?;
        self.layout = there;
        Ok(())
    }

    fn horses(&mut self, battle: &Battle, state: &State, id: BodyId, down: bool) -> Result<(), No> {
        let body = state.body(id);
        if battle.arm(body) != Arm::Cavalry || self.dismounted == down {
            return Err(No::new(cite!("move.artillery.e"), "it is no cavalry that could do that"));
        }
        self.spent += WHOLE / 4;
        self.dismounted = down;
        let all = body.stands(battle);
        self.layout.stands = if down { (all - all / 4).max(1) } else { all };
        let there = self.layout;
        self.land(battle, state, id, &there, true)
    }

    fn hide(&mut self, battle: &Battle, state: &State, id: BodyId, legs: &[Leg], i: usize) -> Result<(), No> {
        if i + 1 != legs.len() || !battle.on.sighting {
            return Err(No::new(
                cite!("move.hiding.a"),
                "a unit hides at the end of its move, where the scenario has sighting",
            ));
        }
        let body = state.body(id);
        let covered = battle.cover(state, &self.layout, None, false) > Cover::None;
        let mut there = state.clone();
        there.body_mut(id).pose = self.layout.pose;
        there.body_mut(id).shape = self.layout.shape;
        let seen = there
            .on_table()
            .any(|(o, b)| battle.side(b) != battle.side(body) && crate::terrain::sees(battle, &there, o, id));
        if !covered || seen {
            return Err(No::new(
                cite!("move.hiding.a"),
                "it must be in cover and out of sight of every enemy",
            ));
        }
        Ok(())
    }

    fn end(&self, battle: &Battle, state: &State, id: BodyId, legs: &[Leg]) -> Result<(), No> {
        let moved = legs.iter().any(|l| {
            !matches!(l, Leg::Prone | Leg::Hide | Leg::Rejoin | Leg::Detach { .. } | Leg::Box | Leg::Unbox)
        });
        if !moved {
            return Ok(());
        }
        if legs.contains(&Leg::Rejoin) {
            return Ok(());
        }
        let body = state.body(id);
        let block = self.layout.block();
        for (other, b) in state.on_table() {
            if other == id || b.marks.has(Marks::ABANDONED) {
                continue;
            }
            let enemy = battle.side(b) != battle.side(body);
            if enemy && b.marks.has(Marks::HIDDEN) {
                continue;
            }
            let theirs = b.layout(battle);
            if !theirs.block().bounds.grown(2 * EPS).meets(&block.bounds) {
                continue;
            }
            if self.layout.overlaps(&theirs) {
                return Err(No::new(
                    cite!("move.penetration.c"),
                    "there is no room: units never lie in each other",
                ));
            }
            if enemy && self.layout.distance(&theirs) <= EPS {
                return Err(No::new(
                    cite!("charge.sequence.a"),
                    "only a charge leads into contact with the enemy",
                ));
            }
        }
        self.mind_the_leash(battle, state, id)?;
        self.mind_the_perfectionist(battle, state, id)
    }

    /// Detached skirmishers stay within 150 yards of their parent (R98).
    fn mind_the_leash(&self, battle: &Battle, state: &State, id: BodyId) -> Result<(), No> {
        if state.body(id).part != Part::Skirmishers {
            return Ok(());
        }
        let Some(parent) = parent(state, id) else { return Ok(()) };
        if state.body(parent).layout(battle).distance(&self.layout) > battle.yards(150) + EPS {
            return Err(No::new(
                cite!("skirmish.a"),
                "detached skirmishers stay within 150 yards of their parent",
            ));
        }
        Ok(())
    }

    /// Under a Perfectionist a Suppressed unit does not go nearer to the enemy (R94).
    fn mind_the_perfectionist(&self, battle: &Battle, state: &State, id: BodyId) -> Result<(), No> {
        let body = state.body(id);
        if body.order != Order::Suppressed || battle.spirit(state, id) != Some(Personality::Perfectionist) {
            return Ok(());
        }
        let side = battle.side(body);
        let before = battle.nearest_enemy(state, side, &body.layout(battle)).map(|n| n.1);
        let after = battle.nearest_enemy(state, side, &self.layout).map(|n| n.1);
        if after < before {
            return Err(No::new(
                cite!("personality.e"),
                "Suppressed, it dresses its lines and does not advance",
            ));
        }
        Ok(())
    }
}

/// Ground closed to guns or to formed cavalry.
fn closed(
    battle: &Battle,
    state: &State,
    id: BodyId,
    fronts: &[Pt],
    by: Pt,
    there: &Layout,
) -> Result<(), No> {
    let body = state.body(id);
    let guns = battle.arm(body).is_artillery();
    let horse = body.mounted(battle);
    if !guns && !horse {
        return Ok(());
    }
    let block = there.block();
    for area in battle.areas.iter().filter(|a| (guns && a.closed_to_guns) || (horse && a.closed_to_cavalry)) {
        let entered = area.area.overlaps(&block) || fronts.iter().any(|f| area.area.chord(*f, *f + by) > EPS);
        if entered && (area.building || guns || !body.shape.formation.is_loose()) {
            return Err(No::new(
                cite!("qrs.terrain.c"),
                "this ground is closed to guns and to formed cavalry",
            ));
        }
    }
    Ok(())
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

/// The pose after a wheel about a front corner; backwards the far end goes to the rear.
#[must_use]
pub fn wheeled(pose: Pose, size: table::Size, turn: i32, back: bool) -> Pose {
    if !back {
        return pose.wheeled(size, turn);
    }
    // Backwards and clockwise the body hinges on its left corner.
    let facing = pose.facing.turned(turn);
    let half = size.width / 2;
    let arm = |a: Angle| if turn >= 0 { a.dir().left().times(half) } else { a.dir().right().times(half) };
    let mut there = pose.shifted(arm(pose.facing) - arm(facing));
    there.facing = facing;
    there
}

/// The stands after facing: turned in place, or the whole about its middle where direction is free.
fn faced(layout: &Layout, turn: i32, any: bool) -> Layout {
    let facing = layout.pose.facing.turned(turn);
    let mut shape = layout.shape;
    let quarter = turn.rem_euclid(18_000) != 0;
    if quarter
        && !any
        && !matches!(shape.formation, Formation::Mob | Formation::MarchColumn | Formation::Limbered)
    {
        let depth = (layout.size.depth / MIL) as u16;
        shape.files = layout.ranks();
        (shape.pitch, shape.gap) = (layout.shape.gap.max(1000), layout.shape.pitch.max(depth));
    }
    layout.rearranged(shape, facing)
}

/// Which formations a body may take (basics.formations, G54-G56).
///
/// # Errors
/// The rule that forbids it.
pub fn may_form(
    battle: &Battle,
    state: &State,
    id: BodyId,
    layout: &Layout,
    formation: Formation,
    files: u8,
) -> Result<(), No> {
    let body = state.body(id);
    let info = battle.info(body);
    let arm = battle.arm(body);
    let stands = layout.stands;
    let no = |rule, why| Err(No::new(rule, why));
    if arm.is_artillery() != matches!(formation, Formation::Limbered | Formation::Unlimbered) {
        return no(cite!("move.wheel.a"), "that is a formation of another arm");
    }
    match formation {
        Formation::Extended if arm != Arm::Infantry => {
            no(cite!("basics.formations.g"), "only infantry forms an extended line")
        }
        Formation::Square if arm != Arm::Infantry => {
            no(cite!("charge.defender.c"), "only infantry forms square")
        }
        Formation::Square if body.shape.formation.is_loose() => {
            no(cite!("basics.formations.e"), "skirmishers and mobs do not form square")
        }
        Formation::AttackColumn if !battle.row.attack_columns => {
            no(cite!("basics.ratings.b"), "at company scale there are no attack columns")
        }
        Formation::AttackColumn
            if arm != Arm::Infantry || stands < 4 || (files > 0 && (files < 2 || files > stands / 2)) =>
        {
            no(
                cite!("move.wheel.a"),
                "an attack column is 2 to half its stands wide, two ranks deep at least",
            )
        }
        Formation::Line if files > 0 && (files > stands || stands.div_ceil(files) > 2) => {
            no(cite!("move.wheel.a"), "a line is two ranks deep at the most")
        }
        Formation::Skirmish if !info.skirmish || !battle.on.skirmish => {
            no(cite!("skirmish.a"), "the scenario does not let this unit skirmish")
        }
        Formation::MarchColumn if matches!(battle.order_of(state, id), Some(Command::Defend)) => {
            no(cite!("orders.e"), "under a Defend order nobody is in march column")
        }
        Formation::MarchColumn if matches!(battle.order_of(state, id), Some(Command::Attack)) => {
            no(cite!("orders.k"), "under an Attack order nobody is in march column")
        }
        _ => Ok(()),
    }
}

// ---- carrying a move out ----

/// Begins a move: the go pays for it, and the friends it touches become cheaper.
pub fn begin(battle: &Battle, state: &mut State, id: BodyId, legs: &[Leg]) {
    let passed = plan(battle, state, id, legs).map_or(0, |o| o.passed);
    state.go.used += price(state, id);
    state.go.touching |= touching(battle, state, id);
    state.go.chosen |= id.bit();
    let body = state.body_mut(id);
    body.marks.set(Marks::GONE_ABOUT);
    if passed != 0 {
        body.marks.set(Marks::PASSED);
        for i in (0..state.bodies.len()).filter(|i| passed & (1 << i) != 0) {
            state.bodies[i].marks.set(Marks::PASSED);
        }
    }
    state.march =
        March { unit: Some(id), legs: legs.iter().copied().collect(), leg: 0, done: 0, waved: false };
}

/// Carries out the next inch or turn of a move; false when it is over.
pub fn go_on(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    let Some(id) = state.march.unit else { return false };
    let Some(leg) = state.march.legs.get(usize::from(state.march.leg)).copied() else { return false };
    if !state.body(id).on_table() {
        return false;
    }
    let from = state.body(id).pose;
    match leg {
        Leg::Ahead { length, aside } => advance(battle, state, id, length, i32::from(aside)),
        Leg::Sidle { length, bearing } => advance(battle, state, id, length, i32::from(bearing)),
        _ => {
            turn_or_change(battle, state, id, leg, fx);
            state.march.leg += 1;
        }
    }
    crate::rout::carry_leader(state, id);
    ground_tells(battle, state, id, fx);
    come_into_view(battle, state, id);
    fx.tell(|| {
        let place = |p: Pose| game::Place::Pose { x: p.at.x, y: p.at.y, facing: p.facing.get() };
        Entry::new(Kind::March, format!("{} moves.", battle.name(state, id)))
            .side(battle.side_of(state, id))
            .rule(cite!("move.range.b"))
            .piece(piece(id))
            .place(place(from))
            .place(place(state.body(id).pose))
    });
    true
}

fn advance(battle: &Battle, state: &mut State, id: BodyId, length: i32, bearing: i32) {
    let chunk = (length - state.march.done).min(STEP);
    let done = state.march.done + chunk;
    // Each step is measured from the beginning of the leg, so that rounding never adds up.
    let body = state.body_mut(id);
    let dir = body.pose.facing.turned(bearing).dir();
    let before = dir.times(i64::from(done - chunk) * MIL).spot();
    let after = dir.times(i64::from(done) * MIL).spot();
    body.pose.at.x += after.x - before.x;
    body.pose.at.y += after.y - before.y;
    body.marks.set(Marks::MOVED);
    let _ = battle;
    state.march.done = done;
    if done >= length {
        state.march.leg += 1;
        state.march.done = 0;
    }
}

fn turn_or_change(battle: &Battle, state: &mut State, id: BodyId, leg: Leg, fx: &mut impl Effects) {
    let layout = state.body(id).layout(battle);
    let any = {
        let body = state.body(id);
        matches!(body.shape.formation, Formation::Skirmish | Formation::Square)
            || matches!(body.part, Part::Group | Part::Crew)
            || body.marks.has(Marks::BOX)
    };
    let body = state.body_mut(id);
    match leg {
        Leg::Wheel { turn } => {
            body.pose = wheeled(body.pose, layout.extent(), i32::from(turn), false);
            body.marks.set(Marks::MOVED);
        }
        Leg::WheelBack { turn } => {
            body.pose = wheeled(body.pose, layout.extent(), i32::from(turn), true);
            body.marks.set(Marks::MOVED);
        }
        Leg::Face { turn } => {
            let there = faced(&layout, i32::from(turn), any);
            body.pose = there.pose;
            body.shape = there.shape;
            body.marks.set(Marks::MOVED);
        }
        Leg::Form { formation, files } => {
            let shape = Shape::of(formation, battle.arm(body), layout.stands, files);
            let there = layout.rearranged(shape, layout.pose.facing);
            // A skirmish line that is only thickened fires as it did (late.b).
            let thickened = battle.info(body).late
                && matches!(
                    (body.shape.formation, formation),
                    (Formation::Skirmish, Formation::Skirmish | Formation::Extended)
                        | (Formation::Extended, Formation::Line)
                );
            body.pose = there.pose;
            body.shape = shape;
            if !thickened {
                body.marks.set(Marks::MOVED);
            }
            if battle.arm(body).is_artillery() {
                body.marks.set(Marks::LIMBERING);
            }
        }
        Leg::Slew { turn } => {
            let there = layout.rearranged(layout.shape, layout.pose.facing.turned(i32::from(turn)));
            body.pose = there.pose;
            body.marks.set(if turn.abs() <= 4500 { Marks::PROLONGED } else { Marks::MOVED });
        }
        Leg::Prone => body.marks.set(Marks::PRONE),
        Leg::Up => {
            body.marks.clear(Marks::PRONE);
            body.marks.set(Marks::STOOD.and(Marks::MOVED));
        }
        Leg::Dismount => body.marks.set(Marks::DISMOUNTED.and(Marks::MOVED)),
        Leg::Mount => {
            body.marks.clear(Marks::DISMOUNTED);
            body.marks.set(Marks::MOVED);
        }
        Leg::Hide => body.marks.set(Marks::HIDDEN.and(Marks::LURKING)),
        Leg::Detach { ahead } => crate::skirmishers::detach(battle, state, id, ahead, fx),
        Leg::Rejoin => crate::skirmishers::rejoin(battle, state, id, fx),
        Leg::Box => crate::forts::join_box(battle, state, id),
        Leg::Unbox => body.marks.clear(Marks::BOX),
        Leg::Ahead { .. } | Leg::Sidle { .. } => {}
    }
}

/// Some ground suppresses whoever sets foot on it; squares are suppressed by anything but clear ground.
fn ground_tells(battle: &Battle, state: &mut State, id: BodyId, fx: &mut impl Effects) {
    crate::special::reveal(battle, state, id, fx);
    let body = state.body(id);
    if body.order >= Order::Suppressed || battle.areas.is_empty() {
        return;
    }
    let layout = body.layout(battle);
    let square = body.shape.formation == Formation::Square && !battle.clear_ground(&layout);
    if square || battle.suppressing(&layout) {
        state.body_mut(id).order = Order::Suppressed;
        let rule = if square { cite!("basics.formations.b") } else { suppressing_rule(battle, &layout) };
        tell_of(battle, state, id, Kind::Loss, "is Suppressed by the ground", rule, fx);
    }
}

fn suppressing_rule(battle: &Battle, layout: &Layout) -> game::Rule {
    let rects = layout.rects();
    let area = battle.areas.iter().find(|a| a.suppress && rects.iter().any(|r| a.area.contains(r.centre)));
    match area.map(|a| a.kind.as_str()) {
        Some("heavy woods") => cite!("qrs.terrain.a"),
        Some("sheer hill") => cite!("qrs.terrain.b"),
        _ => cite!("qrs.terrain.e"),
    }
}

/// A hidden unit that moves in view is hidden no longer (R62).
fn come_into_view(battle: &Battle, state: &mut State, id: BodyId) {
    if !state.body(id).marks.has(Marks::HIDDEN) || state.march.legs.last() == Some(&Leg::Hide) {
        return;
    }
    let side = battle.side_of(state, id);
    let enemies: ArrayVec<BodyId, 64> =
        state.on_table().filter(|(_, b)| battle.side(b) != side).map(|(o, _)| o).collect();
    if enemies.iter().any(|o| crate::terrain::sees(battle, state, *o, id)) {
        state.body_mut(id).marks.clear(Marks::HIDDEN.and(Marks::SPOTTED).and(Marks::LURKING));
    }
}

/// The move is over: skirmishers give way before it (R99), crews man guns.
pub fn finish(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let Some(id) = state.march.unit.take() else { return };
    state.march.legs.clear();
    if state.body(id).on_table() {
        crate::skirmishers::give_way(battle, state, id, fx);
        crate::skirmishers::man_guns(battle, state, id, fx);
        crate::orders::convert(battle, state, fx);
    }
}
