//! What may be decided: the offers, and the check of any action, by the same predicates.

use arrayvec::ArrayVec;
use game::{Refusal, Side};
use table::{Angle, INCH, MIL};

use crate::action::Action;
use crate::cite;
use crate::rules::basics::{Arm, Formation, Shape};

use crate::rules::charge::{ChargeLine, Reaction};

use crate::rules::fire::No;
use crate::rules::footprints::Footprints;

use crate::rules::movement::{Leg, Legs, Plan, WHOLE};

use crate::at::At;
use crate::rules::sequence::Step;
use crate::rules::skirmishers::thickens;
use crate::rules::{fire, melee, movement};
use crate::setup::battle::{Battle, TableEdge};
use crate::state::{BodyId, Marks, Order, Part, State};

impl At<'_> {
    /// The legal actions; on a table a rich sample of the moves.
    pub(crate) fn offers(self, out: &mut Vec<Action>) {
        if self.state.over.is_some() {
            return;
        }
        let (Some(step), Some(side)) = (self.state.agenda.top(), self.decides()) else { return };
        match step {
            Step::Orders { .. } => {
                let mut found = Vec::new();
                self.find_orders(side, &mut found);
                out.extend(found.into_iter().map(|(leader, order, marker)| Action::Order {
                    leader,
                    order,
                    marker,
                }));
                out.push(Action::Pass);
            }
            Step::Reactions => {
                out.extend(self.reactors(side).map(Action::Test));
                let before = out.len();
                out.extend(self.miners(side).map(Action::Blow));
                if before == 0 || out.len() > before {
                    out.push(Action::Pass);
                }
                let mut found = Vec::new();
                self.before_reaction(side, &mut found);
                out.extend(found.into_iter().map(|(leader, lead)| Action::Lead { leader, lead }));
            }
            Step::Leads { .. } => {
                let mut found = Vec::new();
                self.before_morale(side, &mut found);
                out.extend(found.into_iter().map(|(leader, lead)| Action::Lead { leader, lead }));
                out.push(Action::Pass);
            }
            Step::Sight { .. } => {
                // From left to right, so that the order does not tell who is who.
                for at in self.markers(side.enemy()) {
                    let place = self.state.body(at).pose.at;
                    let able = self.state.on_table().filter(|(by, _)| self.may_spot(side, *by, at).is_ok());
                    out.extend(able.map(|(by, _)| Action::Spot { by, at: place }));
                }
                out.push(Action::Pass);
            }
            Step::Charges => {
                self.offer_charges(side, out);
                self.offer_leads(side, out);
                out.push(Action::Pass);
            }
            Step::React { target } => self.offer_reactions(usize::from(target), out),
            Step::Support => {
                out.extend(self.fire_supporters().map(|(by, at)| Action::Support { by, at }));
                out.push(Action::Pass);
            }
            Step::Moves => {
                let here = Footprints::of(self.battle, self.state);
                for (id, body) in self.state.on_table() {
                    if self.battle.side(body) == side && self.can_be_moved(id) {
                        self.offer_moves(&here, id, out);
                        if self.may_leave(id).is_ok() {
                            out.push(Action::Leave(id));
                        }
                    }
                }
                self.offer_leads(side, out);
                out.push(Action::Pass);
            }
            Step::Interrupt => {
                let mut found = Vec::new();
                for (by, body) in self.state.on_table() {
                    if self.battle.side(body) != side {
                        continue;
                    }
                    out.extend(self.can_snap(by).map(|stands| Action::Snap { by, stands }));
                    self.dashes(by, &mut found);
                }
                out.extend(found.into_iter().map(Action::Dash));
                out.push(Action::Pass);
                out.push(Action::Wave);
            }
            Step::Declare { moving, .. } => {
                let mut found = Vec::new();
                self.find_volleys(side, moving, usize::MAX, &mut found);
                out.extend(found.into_iter().map(Action::Fire));
                out.push(Action::Pass);
            }
            Step::Melees => out.extend(self.state.melees_to_fight().into_iter().map(Action::Fight)),
            Step::Split { body } => self.offer_splits(body, out),
            Step::AfterTest { body } => {
                out.push(Action::Stay);
                if self.may_turn(body) {
                    out.push(Action::Turn);
                }
                if self.state.may_withdraw(body) {
                    out.push(Action::Withdraw);
                }
            }
            Step::PursuitChoice { .. } => out.extend([Action::Pursue, Action::Hold]),
            Step::Reform { body } => {
                let mut found = Vec::new();
                self.reforms(body, &mut found);
                for shape in found {
                    let action = Action::Reform { formation: shape.formation, files: shape.files };
                    if !out.contains(&action) {
                        out.push(action);
                    }
                }
            }
            Step::Recover { .. } => {
                let able = self
                    .state
                    .on_table()
                    .filter(|(id, b)| self.battle.side(b) == side && self.may_recover(*id));
                out.extend(able.map(|(id, _)| Action::Recover(id)));
                out.push(Action::Pass);
            }
            _ => {}
        }
    }

    fn offer_leads(self, side: Side, out: &mut Vec<Action>) {
        let mut found = Vec::new();
        self.find_leads(side, &mut found);
        out.extend(found.into_iter().map(|(leader, lead)| Action::Lead { leader, lead }));
    }

    fn offer_charges(self, side: Side, out: &mut Vec<Action>) {
        let mut lines: Vec<ChargeLine> = Vec::new();
        for (by, body) in self.state.on_table() {
            if self.battle.side(body) == side {
                self.charge_lines(by, &mut lines);
            }
        }
        for line in &lines {
            let mut one = ArrayVec::new();
            one.push(*line);
            out.push(Action::Charge(one));
        }
        // Pairs at one target or at neighbours: the first line of each.
        for (i, a) in lines.iter().enumerate() {
            let first = |l: &ChargeLine, at: usize| !lines[..at].iter().any(|o| o.by == l.by && o.at == l.at);
            if !first(a, i) {
                continue;
            }
            for (j, b) in lines.iter().enumerate().skip(i + 1) {
                if a.by == b.by || !first(b, j) {
                    continue;
                }
                let mut both: ArrayVec<ChargeLine, 4> = ArrayVec::new();
                both.push(*a);
                both.push(*b);
                if self.check_together(&both).is_ok() {
                    out.push(Action::Charge(both));
                }
            }
        }
    }

    fn offer_reactions(self, target: usize, out: &mut Vec<Action>) {
        let charged = self.state.charge.targets[target];
        let guns = self.battle.arm(self.state.body(charged.body)).is_artillery();
        let mut all: ArrayVec<Reaction, 8> = ArrayVec::new();
        all.push(Reaction::Stand);
        for band in 0..if guns { 4 } else { 1 } {
            all.push(Reaction::Retire { band });
        }
        all.extend([Reaction::Counter, Reaction::Face, Reaction::Square]);
        for reaction in all {
            if self.check_reaction(target, reaction).is_err() {
                continue;
            }
            for (i, charger) in self.state.charge.chargers.iter().enumerate() {
                if charger.on && charger.line.at == charged.body {
                    out.push(Action::React { reaction, fires_at: i as u8 });
                }
            }
        }
    }

    fn offer_splits(self, body: BodyId, out: &mut Vec<Action>) {
        let even = self.even_shares(body);
        let n = even.len();
        let mut push = |shares: melee::Shares| {
            let action = Action::Split(shares);
            if !out.contains(&action) {
                out.push(action);
            }
        };
        push(even.clone());
        let all: u8 = even.iter().map(|s| s.dice).sum();
        let least = u8::from(usize::from(all) >= n);
        for heavy in 0..n {
            let mut shares = even.clone();
            for (i, share) in shares.iter_mut().enumerate() {
                share.dice = if i == heavy { all - least * (n as u8 - 1) } else { least };
            }
            push(shares);
        }
    }
}

/// Slants at which a march is offered, in hundredths of a degree.
const SLANTS: [i16; 5] = [0, -2250, 2250, -4500, 4500];

/// Wheels that are offered, in hundredths of a degree.
const WHEELS: [i32; 6] = [-1500, 1500, -3000, 3000, -6000, 6000];

/// The year from which an extended line is among the offers (basics.formations.g).
const EXTENDED_FROM: i64 = 1861;

/// The moves of one body that are worth offering.
struct Moves<'a> {
    battle: &'a Battle,
    state: &'a State,
    id: BodyId,
    far: bool,
    /// The move without any part: it stands where it stands.
    start: Plan<'a>,
    /// The nearest enemy, the turn towards him and his distance.
    enemy: Option<(i32, i64)>,
    out: &'a mut Vec<Action>,
    /// How many offers there were before this body's.
    before: usize,
}

impl At<'_> {
    /// A well-spread sample of the moves of a body.
    fn offer_moves(self, here: &Footprints, id: BodyId, out: &mut Vec<Action>) {
        let body = self.state.body(id);
        let side = self.battle.side(body);
        let Some(mine) = here.get(id) else { return };
        let nearest = here.nearest_enemy(side, &mine.layout, &mine.block);
        let far = self.at_charge_rate(id, nearest.map(|(_, distance)| distance));
        let enemy = nearest.map(|(enemy, distance)| {
            let bearing = Angle::of(enemy.block.centre - mine.block.centre);
            (mine.layout.pose.facing.turn_to(bearing), distance)
        });
        let start = Plan::new(self.battle, self.state, here, id, far);
        let before = out.len();
        let mut moves = Moves { battle: self.battle, state: self.state, id, far, start, enemy, out, before };
        if body.marks.has(Marks::HALT) {
            for turn in [9000, -9000, 18_000] {
                moves.one(Leg::Face { turn });
            }
        } else if self.battle.arm(body).is_artillery() && body.shape.formation == Formation::Unlimbered {
            moves.of_guns();
        } else if body.marks.has(Marks::PRONE) {
            moves.one(Leg::Up);
            let rate = moves.rate(body.shape.formation);
            for aside in SLANTS {
                for eighths in [6, 3] {
                    moves.both(Leg::Up, ahead(rate * eighths / 8, aside));
                }
            }
            for formation in [Formation::Extended, Formation::Line] {
                if thickens(self.battle.info(body).late, body.shape, Shape { formation, ..body.shape }) {
                    moves.one(Leg::Form { formation, files: 0 });
                }
            }
        } else {
            moves.of_all_kinds();
        }
    }
}

impl<'a> Moves<'a> {
    fn rate(&self, formation: Formation) -> i64 {
        At::new(self.battle, self.state).move_rate(self.id, formation, self.far)
    }

    /// Offers a move that goes on from another by one part, if that is legal.
    fn on(&mut self, from: &Plan<'a>, leg: Leg) {
        let mut plan = from.clone();
        if plan.go_on(leg).is_ok() {
            self.offer(&plan);
        }
    }

    /// Offers a move of one part.
    fn one(&mut self, leg: Leg) {
        let mut plan = self.start.clone();
        if plan.go_on(leg).is_ok() {
            self.offer(&plan);
        }
    }

    /// Offers a move of one part unless it is among the offers already.
    fn once(&mut self, leg: Leg) {
        let known = |a: &Action| matches!(a, Action::Move { legs, .. } if legs.as_slice() == [leg]);
        if !self.out[self.before..].iter().any(known) {
            self.one(leg);
        }
    }

    /// Offers a move of one part and leaves in `plan` what it leads to; false if it is illegal.
    fn alone(&mut self, leg: Leg, plan: &mut Plan<'a>) -> bool {
        plan.clone_from(&self.start);
        plan.go_on(leg).is_ok() && self.offer(plan)
    }

    fn both(&mut self, first: Leg, second: Leg) {
        let mut halfway = self.start.clone();
        if halfway.go_on(first).is_ok() {
            self.on(&halfway, second);
        }
    }

    /// Offers a move if it may end where it does.
    fn offer(&mut self, plan: &Plan<'_>) -> bool {
        let ends = plan.ends().is_ok();
        if ends {
            self.out.push(Action::Move { unit: self.id, legs: plan.legs().clone() });
        }
        ends
    }

    fn of_guns(&mut self) {
        for turn in [-4500, -2000, 2000, 4500, 9000, -9000, 18_000] {
            self.one(Leg::Slew { turn });
        }
        let limber = Leg::Form { formation: Formation::Limbered, files: 0 };
        self.one(limber);
        self.both(limber, ahead(self.rate(Formation::Limbered) / 2, 0));
    }

    fn of_all_kinds(&mut self) {
        let body = self.state.body(self.id);
        if body.part == Part::Skirmishers {
            self.one(Leg::Rejoin);
        }
        let budget = movement::allowance(body.marks);
        let whole = table::mul_div(self.rate(body.shape.formation), budget, WHOLE);
        self.marches(whole);
        self.turns(whole);
        if !body.skirmishing() {
            let length = if body.mounted(self.battle) { 2000 } else { 1000 };
            for bearing in [9000, -9000, 18_000] {
                self.one(Leg::Sidle { length, bearing });
            }
        }
        self.forms(budget);
        self.changes();
    }

    /// Full, half and quarter moves, slantwise too, all round for those who may.
    fn marches(&mut self, whole: i64) {
        let body = self.state.body(self.id);
        let roams = movement::roams(body, body.shape.formation);
        let slants: &[i16] =
            if roams { &[0, 4500, 9000, 13_500, 18_000, -4500, -9000, -13_500] } else { &SLANTS };
        for aside in slants {
            let mut last = None;
            for quarters in [4, 3, 2, 1] {
                let march = ahead(whole * quarters / 4, *aside);
                if last != Some(march) {
                    self.one(march);
                }
                last = Some(march);
            }
        }
        // Straight at the nearest enemy, up to short range or as near as the move goes.
        if let Some((turn, distance)) = self.enemy
            && (roams || turn.abs() <= 4500)
        {
            let stop = self.battle.info(body).weapon.ranges[0].max(INCH / 2);
            self.once(ahead((distance - stop).clamp(0, whole), turn as i16));
        }
    }

    /// Wheels with the rest of the move after them, facings.
    fn turns(&mut self, whole: i64) {
        let layout = self.state.body(self.id).layout(self.battle);
        let width = layout.extent().width;
        let loose = matches!(
            layout.shape.formation,
            Formation::MarchColumn | Formation::Limbered | Formation::Skirmish
        );
        let mut wheeled = self.start.clone();
        let to_enemy = self.enemy.map(|(turn, _)| turn);
        let to_enemy = to_enemy.filter(|turn| turn.abs() > 200 && !WHEELS.contains(turn));
        for turn in WHEELS.into_iter().chain(to_enemy) {
            let spent = if loose { 0 } else { Angle::arc(turn, width) };
            if spent > whole {
                continue;
            }
            let rest = whole - spent - 2 * MIL;
            if self.alone(Leg::Wheel { turn: turn as i16 }, &mut wheeled) && rest > INCH / 4 {
                self.on(&wheeled, ahead(rest, 0));
                self.on(&wheeled, ahead(rest / 2, 0));
            }
        }
        for turn in [18_000, 9000, -9000] {
            self.one(Leg::Face { turn });
        }
    }

    /// Changes of formation, alone and with the rest of the move.
    fn forms(&mut self, budget: i64) {
        let body = self.state.body(self.id);
        let stands = body.fighting(self.battle);
        let now = body.shape;
        let info = self.battle.info(body);
        let cost = At::new(self.battle, self.state).change_cost(self.id);
        let mut forms: ArrayVec<(Formation, u8), 8> = ArrayVec::new();
        if self.battle.arm(body) == Arm::Infantry && (info.late || self.battle.year >= EXTENDED_FROM) {
            forms.push((Formation::Extended, 0));
        }
        if self.battle.arm(body).is_artillery() {
            forms.push((Formation::Unlimbered, 0));
        } else {
            forms.push((Formation::Line, stands));
            if stands > 3 {
                forms.push((Formation::Line, stands.div_ceil(2)));
                forms.push((Formation::AttackColumn, 2));
            }
            forms.push((Formation::MarchColumn, 0));
            forms.push((Formation::Skirmish, 0));
            forms.push((Formation::Square, 0));
            if self.battle.on.forts && At::new(self.battle, self.state).wall_of(self.id).is_some() {
                self.once(ahead(self.battle.arm(body).stand().depth, 0));
            }
        }
        let mut formed = self.start.clone();
        for (formation, files) in forms {
            let same = now.formation == formation && (files == 0 || files == now.files.min(stands));
            if same || cost > budget {
                continue;
            }
            let rest = table::mul_div(self.rate(formation), budget - cost, WHOLE) - MIL;
            if self.alone(Leg::Form { formation, files }, &mut formed)
                && formation != Formation::Unlimbered
                && rest > INCH / 4
            {
                self.on(&formed, ahead(rest, 0));
            }
        }
    }

    /// Lying down, mounting, hiding, detaching, boxes.
    fn changes(&mut self) {
        let (battle, body) = (self.battle, self.state.body(self.id));
        if battle.on.prone {
            self.one(Leg::Prone);
        }
        if battle.arm(body) == Arm::Cavalry {
            self.one(if body.mounted(battle) { Leg::Dismount } else { Leg::Mount });
        }
        if body.order == Order::Good {
            self.one(Leg::Hide);
        }
        if battle.on.skirmish && battle.info(body).skirmish && body.part == Part::Main {
            self.one(Leg::Detach { ahead: 1000 });
        }
        if battle.on.boxes {
            self.one(if body.marks.has(Marks::BOX) { Leg::Unbox } else { Leg::Box });
        }
    }
}

/// A march in whole quarters of an inch, as a ruler measures them; a shorter one to the thousandth.
fn ahead(length: i64, aside: i16) -> Leg {
    const QUARTER: i64 = INCH / 4;
    let length = if length > QUARTER { length - length % QUARTER } else { length };
    Leg::Ahead { length: (length / MIL) as i32, aside }
}

impl At<'_> {
    fn may_leave(self, id: BodyId) -> Result<(), No> {
        let body = self.state.body(id);
        let no = No::new(cite!("scenario.exit.a"), "it may not leave the table here and now");
        let Some((edge, from)) = self.battle.sides[self.battle.side(body)].exit else { return Err(no) };
        let b = body.layout(self.battle).block().bounds;
        let near = match edge {
            TableEdge::North => self.battle.top.height - b.hi.y,
            TableEdge::South => b.lo.y,
            TableEdge::East => self.battle.top.width - b.hi.x,
            TableEdge::West => b.lo.x,
        };
        if self.state.turn < from || near > INCH { Err(no) } else { self.may_move(id) }
    }

    /// Decides any action.
    ///
    /// # Errors
    /// The refusal names the rule.
    pub(crate) fn check(self, action: &Action) -> Result<(), Refusal> {
        let (Some(step), Some(side)) = (self.state.agenda.top(), self.decides()) else {
            return Err(Refusal::off_turn("Nothing is to be decided now."));
        };
        if self.state.over.is_some() {
            return Err(Refusal::off_turn("The battle is over."));
        }
        match self.judge(step, side, action) {
            Some(Ok(())) => Ok(()),
            Some(Err(no)) => Err(Refusal::new("Not allowed.", sentence(no.why), no.rule)),
            None => Err(Refusal::off_turn(format!("The decision is: {}.", sequence_name(step)))),
        }
    }
}

fn sentence(why: &str) -> String {
    let mut chars = why.chars();
    let head: String = chars.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    format!("{head}{}.", chars.as_str())
}

/// Every kind of decision, as [`sequence_name`] names them.
pub(crate) const KINDS: [&str; 16] = [
    "order",
    "reaction",
    "lead",
    "sight",
    "charge",
    "react",
    "support",
    "move",
    "opportunity",
    "fire",
    "melee",
    "split",
    "withdraw",
    "pursuit",
    "reform",
    "recover",
];

/// The decision in a word, for prompts and refusals.
#[must_use]
pub fn sequence_name(step: Step) -> &'static str {
    match step {
        Step::Orders { .. } => "order",
        Step::Reactions => "reaction",
        Step::Leads { .. } => "lead",
        Step::Sight { .. } => "sight",
        Step::Charges => "charge",
        Step::React { .. } => "react",
        Step::Support => "support",
        Step::Moves => "move",
        Step::Interrupt => "opportunity",
        Step::Declare { .. } => "fire",
        Step::Melees => "melee",
        Step::Split { .. } => "split",
        Step::AfterTest { .. } => "withdraw",
        Step::PursuitChoice { .. } => "pursuit",
        Step::Reform { .. } => "reform",
        Step::Recover { .. } => "recover",
        _ => "wait",
    }
}

impl At<'_> {
    /// None: another decision is at hand.
    fn judge(self, step: Step, side: Side, action: &Action) -> Option<Result<(), No>> {
        let ok = Some(Ok(()));
        match (step, action) {
            (
                Step::Reactions | Step::Charges | Step::Moves | Step::Leads { .. },
                Action::Lead { leader, lead },
            ) => Some(self.may_lead(side, *leader, *lead)),
            (Step::Orders { .. }, Action::Order { leader, order, marker }) => {
                Some(self.may_order(side, *leader, *order, *marker))
            }
            (
                Step::Orders { .. }
                | Step::Leads { .. }
                | Step::Sight { .. }
                | Step::Charges
                | Step::Support
                | Step::Moves
                | Step::Interrupt
                | Step::Declare { .. }
                | Step::Recover { .. },
                Action::Pass,
            ) => ok,
            (Step::Interrupt, Action::Wave) => ok,
            (Step::Reactions, Action::Pass) => {
                let must = self.reactors(side).next().is_some() && self.miners(side).next().is_none();
                Some(if must {
                    Err(No::new(cite!("qrs.reaction.a"), "a unit out of command must test"))
                } else {
                    Ok(())
                })
            }
            (Step::Reactions, Action::Test(id)) => Some(if self.reactors(side).any(|r| r == *id) {
                Ok(())
            } else {
                Err(No::new(cite!("reaction.test.a"), "it is in command, has tested, or is excused"))
            }),
            (Step::Reactions, Action::Blow(id)) => Some(if self.miners(side).any(|r| r == *id) {
                Ok(())
            } else {
                Err(No::new(
                    cite!("fort.destroy.c"),
                    "only sappers that stood at a gate through the last turn blow it",
                ))
            }),
            (Step::Sight { .. }, Action::Spot { by, at }) => {
                let marker = self.marker_at(side, *at);
                let none = No::new(cite!("sighting.b"), "there is no enemy marker at that place");
                Some(marker.ok_or(none).and_then(|at| self.may_spot(side, *by, at)))
            }
            (Step::Charges, Action::Charge(lines)) => Some(self.check_charge(side, lines)),
            (Step::React { target }, Action::React { reaction, fires_at }) => {
                let charged = self.state.charge.targets[usize::from(target)];
                let charger = self.state.charge.chargers.get(usize::from(*fires_at));
                if !charger.is_some_and(|c| c.on && c.line.at == charged.body) {
                    return Some(Err(No::new(
                        cite!("charge.defender.a"),
                        "it fires at one of those who charge it",
                    )));
                }
                Some(self.check_reaction(usize::from(target), *reaction))
            }
            (Step::Support, Action::Support { by, at }) => {
                Some(if self.fire_supporters().any(|s| s == (*by, *at)) {
                    Ok(())
                } else {
                    Err(No::new(
                        cite!("charge.sequence.d"),
                        "it does not have the charger within its medium range, in arc and in sight",
                    ))
                })
            }
            (Step::Moves, Action::Move { unit, legs }) => Some(self.check_move(side, *unit, legs)),
            (Step::Moves, Action::Leave(unit)) => Some(self.may_leave(*unit)),
            (Step::Interrupt, Action::Snap { by, stands }) => Some(self.check_snap(side, *by, *stands)),
            (Step::Interrupt, Action::Dash(line)) => Some(self.may_dash(line)),
            (Step::Declare { moving, .. }, Action::Fire(volley)) => {
                Some(self.check_volley(volley, side, moving))
            }
            (Step::Melees, Action::Fight(of)) => Some(if self.state.melees_to_fight().contains(of) {
                Ok(())
            } else {
                Err(No::new(cite!("seq.melee.a"), "there is no such melee to fight"))
            }),
            (Step::Split { body }, Action::Split(shares)) => Some(self.check_shares(body, shares)),
            (Step::AfterTest { .. }, Action::Stay) => ok,
            (Step::AfterTest { body }, Action::Turn) => Some(if self.may_turn(body) {
                Ok(())
            } else if self.state.is_flanked(body) {
                Err(No::new(cite!("melee.withdraw.b"), "there is no room to turn"))
            } else {
                Err(No::new(cite!("melee.withdraw.b"), "it faces its enemy already"))
            }),
            (Step::AfterTest { body }, Action::Withdraw) => Some(if self.state.may_withdraw(body) {
                Ok(())
            } else {
                Err(No::new(cite!("melee.withdraw.a"), "it is held on opposite faces and cannot withdraw"))
            }),
            (Step::PursuitChoice { by, total, .. }, Action::Pursue | Action::Hold) => {
                let totals = self.pursuit_totals(by, i16::from(total));
                let fits = totals.iter().any(|t| if *action == Action::Pursue { *t >= 3 } else { *t <= 4 });
                Some(if fits {
                    Ok(())
                } else {
                    Err(No::new(cite!("qrs.pursuit.a"), "the die leaves no choice"))
                })
            }
            (Step::Reform { body }, Action::Reform { formation, files }) => {
                Some(self.may_reform(body, *formation, *files))
            }
            (Step::Recover { .. }, Action::Recover(id)) => Some(if self.may_recover(*id) {
                Ok(())
            } else {
                Err(No::new(
                    cite!("morale.rally.e"),
                    "once a battle, outside engagement distance, in command, neither Shaken nor Routed",
                ))
            }),
            _ => None,
        }
    }

    fn check_move(self, side: Side, unit: BodyId, legs: &Legs) -> Result<(), No> {
        let body = self.state.body(unit);
        if self.battle.side(body) != side {
            return Err(No::new(cite!("move.initiative.b"), "it is not yours"));
        }
        if legs.is_empty() {
            return Err(No::new(cite!("move.initiative.b"), "a move has at least one part"));
        }
        self.may_move(unit)?;
        if self.state.go.used + self.state.move_price(unit) > self.state.go.batch[side] {
            let rule = if self.state.move_price(unit) == 1 {
                cite!("move.initiative.c")
            } else {
                cite!("move.initiative.b")
            };
            return Err(No::new(rule, "this go has no BMU left for it"));
        }
        self.plan_move(unit, legs).map(|_| ())
    }

    fn check_snap(self, side: Side, by: BodyId, stands: u16) -> Result<(), No> {
        let Some(mover) = self.state.march.unit else {
            return Err(No::new(cite!("fire.opportunity.a"), "nobody is moving"));
        };
        if self.side_of(by) != side {
            return Err(No::new(cite!("fire.opportunity.a"), "it is not yours"));
        }
        self.may_fire(by, fire::When::Opportunity)?;
        self.may_be_target(by, mover)?;
        let aim = self.bearing(by, mover, &self.state.body(mover).layout(self.battle))?;
        if stands == 0 || stands & !aim.stands != 0 {
            return Err(No::new(cite!("fire.arcs.a"), "not all of these stands bear on the mover"));
        }
        self.order_allows_fire(by, aim.band)
    }
}
