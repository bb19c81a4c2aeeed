//! The expanded sequence of play: nine phases, their steps, and who decides what.

use arrayvec::ArrayVec;
use game::{Die, Effects, Entry, Kind, Outcome, RollNote, Rule, Side};
use serde::{Deserialize, Serialize};
use table::{EPS, INCH};

use crate::action::Action;
use crate::basics::Formation;
use crate::battle::{Battle, TableEdge};
use crate::charge::{self, Charge, Charged, Charger, Reaction};
use crate::cite;
use crate::fire::{self, Aim, FireOrder, Volley, When};
use crate::morale::{self, Cause};
use crate::movement;
use crate::rolls::{Sum, tell_of, two_dice};
use crate::rout;
use crate::state::{BodyId, Face, Go, Marks, Order, State, Where};
use crate::{forts, leaders, melee, orders, reaction, skirmishers, special, victory};

/// The phases of a turn, the orders before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    Orders,
    Replacement,
    Reaction,
    Charge,
    Movement,
    Fire,
    Melee,
    LeaderLoss,
    Morale,
    Rout,
}

impl Phase {
    pub const NAMES: [&'static str; 10] = [
        "orders",
        "replacement",
        "reaction",
        "charge",
        "movement",
        "fire",
        "melee",
        "leader-loss",
        "morale",
        "rout",
    ];
    pub const ALL: [Phase; 10] = [
        Phase::Orders,
        Phase::Replacement,
        Phase::Reaction,
        Phase::Charge,
        Phase::Movement,
        Phase::Fire,
        Phase::Melee,
        Phase::LeaderLoss,
        Phase::Morale,
        Phase::Rout,
    ];

    /// In a heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Phase::Orders => "Orders",
            Phase::Replacement => "Leader replacement",
            Phase::Reaction => "Reaction",
            Phase::Charge => "Charge",
            Phase::Movement => "Movement",
            Phase::Fire => "Fire",
            Phase::Melee => "Melee",
            Phase::LeaderLoss => "Leader casualties",
            Phase::Morale => "Morale",
            Phase::Rout => "Rout and pursuit",
        }
    }

    fn next(self) -> Phase {
        Phase::ALL[(self as usize + 1) % 10]
    }
}

/// A step of a procedure under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Step {
    /// This phase begins.
    Begin(Phase),
    /// The turn is over.
    TurnEnd,
    /// A side issues orders.
    Orders {
        side: Side,
    },
    /// The next unit takes its Reaction Test.
    Reactions,
    /// Shots at scouts.
    ScoutShots,
    /// A side looks for markers.
    Sight {
        side: Side,
    },
    /// The next charge.
    Charges,
    ChargerTests,
    TargetTest {
        target: u8,
    },
    React {
        target: u8,
    },
    /// The target has left its place: it is taken, and pursuit is tested.
    GaveWay {
        target: u8,
    },
    Support,
    ChargeFire,
    AfterFire {
        target: u8,
    },
    Home {
        charger: u8,
    },
    ChargeEnd,
    /// The next move.
    Moves,
    March,
    /// The enemy of the mover may interrupt.
    Interrupt,
    /// A side declares fire.
    Declare {
        side: Side,
        moving: bool,
    },
    Resolve,
    /// The next melee.
    Melees,
    Split {
        body: BodyId,
    },
    Brawl {
        body: BodyId,
    },
    /// A test of the Morale Phase takes effect.
    Tested {
        body: BodyId,
        missed: i8,
    },
    /// A test provoked by others.
    Test {
        body: BodyId,
        cause: Cause,
    },
    AfterTests,
    AfterTest {
        body: BodyId,
    },
    Pursuits,
    Pursue {
        by: BodyId,
        quarry: BodyId,
    },
    PursuitChoice {
        by: BodyId,
        quarry: BodyId,
        total: i8,
    },
    Reform {
        body: BodyId,
    },
    EndMorale,
    Recover {
        side: Side,
    },
}

/// The side that must decide, if the step on top needs a decision.
#[must_use]
pub fn decides(battle: &Battle, state: &State) -> Option<Side> {
    Some(match state.agenda.top()? {
        Step::Orders { side }
        | Step::Sight { side }
        | Step::Declare { side, .. }
        | Step::Recover { side } => side,
        Step::Reactions | Step::Charges | Step::Moves | Step::Melees => state.turn_of,
        Step::React { target } => battle.side_of(state, state.charge.targets[usize::from(target)].body),
        Step::Support => battle.side_of(state, state.charge.targets.first()?.body),
        Step::Interrupt => battle.side_of(state, state.march.unit?).enemy(),
        Step::Split { body } | Step::AfterTest { body } | Step::Reform { body } => {
            battle.side_of(state, body)
        }
        Step::PursuitChoice { by, .. } => battle.side_of(state, by),
        _ => return None,
    })
}

/// Runs the step on top if nobody has to decide it; false if somebody has.
pub fn run(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    if state.over.is_some() {
        return false;
    }
    let Some(step) = state.agenda.top() else { return false };
    match step {
        Step::Begin(phase) => {
            state.agenda.replace(Step::Begin(phase.next()));
            begin(battle, state, phase, fx);
        }
        Step::TurnEnd => {
            state.agenda.pop();
            turn_end(battle, state, fx);
        }
        Step::Orders { side } => {
            let mut found = Vec::new();
            orders::orders(battle, state, side, &mut found);
            if !found.is_empty() {
                return false;
            }
            state.agenda.pop();
        }
        Step::Reactions => return next_reaction(battle, state, fx),
        Step::ScoutShots => {
            state.agenda.pop();
            special::snipe_scouts(battle, state, fx);
        }
        Step::Sight { side } => {
            if can_spot(battle, state, side) {
                return false;
            }
            state.agenda.pop();
        }
        Step::Charges => return next_charge(battle, state),
        Step::ChargerTests => charger_tests(battle, state, fx),
        Step::TargetTest { target } => target_test(battle, state, usize::from(target), fx),
        Step::GaveWay { target } => {
            state.agenda.pop();
            gave_way(battle, state, usize::from(target), fx);
        }
        Step::Support => {
            if supporters(battle, state).next().is_some() {
                return false;
            }
            state.agenda.pop();
        }
        Step::ChargeFire => charge_fire(battle, state, fx),
        Step::AfterFire { target } => after_fire(battle, state, usize::from(target), fx),
        Step::Home { charger } => home(battle, state, usize::from(charger), fx),
        Step::ChargeEnd => {
            state.agenda.pop();
            charge_end(state);
        }
        Step::Moves => return next_move(battle, state),
        Step::March => {
            if movement::go_on(battle, state, fx) {
                if battle.on.opportunity && !state.march.waved {
                    state.agenda.push(Step::Interrupt);
                }
            } else {
                state.agenda.pop();
                movement::finish(battle, state, fx);
            }
        }
        Step::Interrupt => {
            let open = state.march.unit.is_some_and(|u| state.body(u).on_table()) && !state.march.waved;
            if open && can_interrupt(battle, state) {
                return false;
            }
            state.agenda.pop();
        }
        Step::Declare { side, moving } => {
            let mut found = Vec::new();
            fire::volleys(battle, state, side, moving, 1, &mut found);
            if !found.is_empty() && !state.volleys.is_full() {
                return false;
            }
            state.agenda.pop();
        }
        Step::Resolve => {
            state.agenda.pop();
            if !state.volleys.is_empty() {
                fx.revealed();
                fire::resolve(battle, state, fx);
                state.volleys.clear();
            }
        }
        Step::Melees => return next_melee(battle, state),
        Step::Split { body } => {
            let foes = state.opponents(body).count();
            if foes > 1 && melee::dice(battle, state, body).dice > 0 {
                return false;
            }
            state.agenda.pop();
        }
        Step::Brawl { body } => {
            state.agenda.pop();
            melee::fight(battle, state, body, fx);
            state.shares.clear();
        }
        Step::Tested { body, missed } => {
            state.agenda.pop();
            morale::tested(battle, state, body, i16::from(missed), fx);
        }
        Step::Test { body, cause } => {
            state.agenda.pop();
            morale::test_now(battle, state, body, cause, fx);
        }
        Step::AfterTests => {
            state.agenda.pop();
            for i in (0..state.bodies.len()).rev() {
                let id = BodyId(i as u8);
                let body = state.body(id);
                if body.on_table()
                    && body.marks.has(Marks::STEADY)
                    && state.in_melee(id)
                    && !state.agenda_full()
                {
                    state.agenda.push(Step::AfterTest { body: id });
                }
            }
        }
        Step::AfterTest { body } => {
            let asked = state.in_melee(body) && state.body(body).on_table();
            if asked && (melee::may_withdraw(state, body) || melee::may_turn(state, body)) {
                return false;
            }
            state.agenda.pop();
        }
        Step::Pursuits => {
            state.agenda.pop();
            for i in (0..state.bodies.len()).rev() {
                let by = BodyId(i as u8);
                let body = state.body_mut(by);
                let due = body.on_table() && body.marks.has(Marks::DUE) && !body.marks.has(Marks::FLED);
                body.marks.clear(Marks::DUE);
                let quarry = body.other;
                if due
                    && !state.in_melee(by)
                    && let Some(quarry) = quarry
                    && state.body(quarry).on_table()
                {
                    state.agenda.push(Step::Pursue { by, quarry });
                }
            }
        }
        Step::Pursue { by, quarry } => {
            state.agenda.pop();
            rout::pursue(battle, state, by, quarry, fx);
        }
        Step::EndMorale => {
            state.agenda.pop();
            end_morale(battle, state, fx);
        }
        Step::Recover { side } => {
            if morale::recoverers(battle, state, side) {
                return false;
            }
            state.agenda.pop();
        }
        Step::React { .. } | Step::PursuitChoice { .. } => return false,
        Step::Reform { body } => {
            if state.body(body).on_table() && !state.body(body).order.broken() {
                return false;
            }
            state.agenda.pop();
        }
    }
    true
}

/// Both roll a die until they differ; the higher goes first.
fn initiative(battle: &Battle, state: &State, bonus: [i16; 2], rule: Rule, fx: &mut impl Effects) -> Side {
    for _ in 0..100 {
        let mut totals = [0; 2];
        for side in Side::BOTH {
            let plus = bonus[side.index()];
            let die = fx.die(Die::D6, || {
                let mut sum = Sum::default();
                sum.add(plus, "initiative", rule);
                RollNote::new(format!("{} rolls for initiative", battle.sides[side].name), rule)
                    .side(side)
                    .modifiers(sum.modifiers())
            });
            totals[side.index()] = i16::from(die) + plus;
        }
        if totals[0] != totals[1] {
            return if totals[0] > totals[1] { Side::First } else { Side::Second };
        }
    }
    state.turn_of
}

fn attacker_bonus(battle: &Battle) -> [i16; 2] {
    Side::BOTH.map(|s| i16::from(battle.attacker == Some(s)))
}

fn begin(battle: &Battle, state: &mut State, phase: Phase, fx: &mut impl Effects) {
    state.phase = phase;
    state.go = Go { batch: state.go.batch, ..Go::default() };
    match phase {
        Phase::Orders => new_turn(battle, state, fx),
        Phase::Replacement => leaders::replace(battle, state, fx),
        Phase::Reaction => {
            sighting(battle, state);
            let testers = (0..state.bodies.len()).any(|i| {
                let id = BodyId(i as u8);
                reaction::must_react(battle, state, id) || state.body(id).marks.has(Marks::MINING)
            });
            if testers {
                state.turn_of = initiative(battle, state, [0; 2], cite!("seq.reaction.a"), fx);
                state.agenda.push(Step::Reactions);
            }
        }
        Phase::Charge => {
            if Side::BOTH.into_iter().any(|s| can_charge(battle, state, s)) {
                state.turn_of = initiative(battle, state, attacker_bonus(battle), cite!("seq.charge.a"), fx);
                state.agenda.push(Step::Charges);
            }
        }
        Phase::Movement => begin_movement(battle, state, fx),
        Phase::Fire => {
            state.agenda.push(Step::Resolve);
            state.agenda.push(Step::Declare { side: Side::Second, moving: true });
            state.agenda.push(Step::Declare { side: Side::First, moving: true });
            state.agenda.push(Step::Resolve);
            state.agenda.push(Step::Declare { side: Side::Second, moving: false });
            state.agenda.push(Step::Declare { side: Side::First, moving: false });
        }
        Phase::Melee => {
            state.turn_of = state.mover;
            state.agenda.push(Step::Melees);
        }
        Phase::LeaderLoss => leaders::losses(battle, state, fx),
        Phase::Morale => {
            state.bodies.iter_mut().for_each(|b| b.marks.clear(Marks::DUE));
            morale::phase(battle, state, fx);
        }
        Phase::Rout => {
            state.agenda.push(Step::TurnEnd);
            rout::phase(battle, state, fx);
        }
    }
}

fn new_turn(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for body in &mut state.bodies {
        body.marks.new_turn();
    }
    for leader in &mut state.leaders {
        leader.moved = false;
        leader.rolled = false;
        leader.ordered = false;
    }
    state.commands = game::BySide::default();
    forts::new_turn(state);
    fx.tell(|| Entry::new(Kind::Time, format!("Turn {}.", state.turn)).rule(cite!("qrs.sequence.a")));
    victory::at_start(battle, state);
    if state.turn == 1 {
        leaders::appoint(battle, state, fx);
    }
    if battle.on.orders {
        orders::convert(battle, state, fx);
        state.agenda.push(Step::Orders { side: Side::Second });
        state.agenda.push(Step::Orders { side: Side::First });
    }
}

/// Scouting: the last step of the Reaction and of the Movement Phase (R13).
fn sighting(battle: &Battle, state: &mut State) {
    if battle.on.sighting {
        state.agenda.push(Step::Sight { side: Side::Second });
        state.agenda.push(Step::Sight { side: Side::First });
        state.agenda.push(Step::ScoutShots);
    }
}

fn begin_movement(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    arrivals(battle, state, fx);
    sighting(battle, state);
    let mut bonus = attacker_bonus(battle);
    for side in Side::BOTH {
        let chief = battle.overall(side);
        if chief.is_some_and(|c| state.leaders[c.i()].incompetent && state.leaders[c.i()].leads()) {
            bonus[side.index()] -= 1;
        }
    }
    state.turn_of = initiative(battle, state, bonus, cite!("seq.move.a"), fx);
    state.mover = state.turn_of;
    for side in Side::BOTH {
        let die = fx.die(Die::Average, || {
            RollNote::new(format!("{}'s averaging die", battle.sides[side].name), cite!("move.initiative.b"))
                .side(side)
        });
        let mut bmus: u64 = 0;
        state.on_table().filter(|(_, b)| battle.side(b) == side).for_each(|(_, b)| bmus |= 1 << b.bmu);
        state.go.batch[side] = (bmus.count_ones() as u8 / die).max(1) * 2;
    }
    state.agenda.push(Step::Moves);
}

/// Units due this turn stand at their stretch of the edge, slid along it if somebody is in the way.
fn arrivals(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for i in 0..state.bodies.len() {
        let id = BodyId(i as u8);
        let body = *state.body(id);
        let Some(arrival) = battle.info(&body).arrival.filter(|a| a.turn <= state.turn) else { continue };
        if body.place != Where::Coming {
            continue;
        }
        let mut layout = body.layout(battle);
        layout.pose.facing = arrival.facing;
        let block = table::Rect::at(table::Pt::default(), arrival.facing, layout.extent());
        let (w, h) = (battle.top.width, battle.top.height);
        let middle = i64::midpoint(arrival.from, arrival.to);
        for step in 0..200_i64 {
            let along = middle + if step % 2 == 0 { 1 } else { -1 } * (step + 1) / 2 * (INCH / 2);
            let front = match arrival.edge {
                TableEdge::North => table::Pt::new(along, h - block.bounds.hi.y),
                TableEdge::South => table::Pt::new(along, -block.bounds.lo.y),
                TableEdge::East => table::Pt::new(w - block.bounds.hi.x, along),
                TableEdge::West => table::Pt::new(-block.bounds.lo.x, along),
            };
            layout.pose.at = front.spot();
            let there = table::Pose { at: front.spot(), facing: arrival.facing };
            let inside = layout.at(there);
            if movement::free(battle, state, id, &inside) {
                let body = state.body_mut(id);
                body.pose = there;
                body.place = Where::Table;
                tell_of(battle, state, id, Kind::March, "arrives", cite!("move.initiative.b"), fx);
                for (l, info) in battle.leaders.iter().enumerate() {
                    if info.arrives_with == Some(state.body(id).bmu)
                        && state.leaders[l].place == Where::Coming
                    {
                        state.leaders[l].place = Where::Table;
                        state.leaders[l].at = there.at;
                    }
                }
                break;
            }
        }
    }
}

// ---- reaction ----

/// The units of a side that must still test.
pub fn reactors<'a>(battle: &'a Battle, state: &'a State, side: Side) -> impl Iterator<Item = BodyId> + 'a {
    (0..state.bodies.len())
        .map(|i| BodyId(i as u8))
        .filter(move |id| battle.side_of(state, *id) == side && reaction::must_react(battle, state, *id))
}

/// The sappers of a side that stand at a gate.
pub fn miners<'a>(battle: &'a Battle, state: &'a State, side: Side) -> impl Iterator<Item = BodyId> + 'a {
    (0..state.bodies.len()).map(|i| BodyId(i as u8)).filter(move |id| {
        let body = state.body(*id);
        body.on_table() && body.marks.has(Marks::MINING) && battle.side(body) == side
    })
}

fn next_reaction(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    let side = state.turn_of;
    let mut mine = reactors(battle, state, side);
    let (first, second) = (mine.next(), mine.next());
    drop(mine);
    let miner = miners(battle, state, side).next();
    match (first, second, miner) {
        (Some(only), None, None) => {
            state.turn_of = side.enemy();
            reaction::react(battle, state, only, fx);
            true
        }
        (None, _, None) => {
            let other = reactors(battle, state, side.enemy()).next().is_some()
                || miners(battle, state, side.enemy()).next().is_some();
            if other {
                state.turn_of = side.enemy();
            } else {
                state.agenda.pop();
            }
            true
        }
        _ => false,
    }
}

fn can_spot(battle: &Battle, state: &State, side: Side) -> bool {
    state.on_table().any(|(at, b)| {
        battle.side(b) != side
            && special::is_marker(state, at)
            && state.go.looked & at.bit() == 0
            && state.on_table().any(|(by, _)| special::may_spot(battle, state, side, by, at).is_ok())
    })
}

// ---- charge ----

/// Whether a side has a charge to declare.
#[must_use]
pub fn can_charge(battle: &Battle, state: &State, side: Side) -> bool {
    let mut found = Vec::new();
    for (by, body) in state.on_table() {
        if battle.side(body) == side {
            charge::lines(battle, state, by, &mut found);
            if !found.is_empty() {
                return true;
            }
        }
    }
    false
}

fn next_charge(battle: &Battle, state: &mut State) -> bool {
    if state.go.passes >= 2 {
        state.agenda.pop();
        return true;
    }
    if can_charge(battle, state, state.turn_of) {
        return false;
    }
    state.go.passes += 1;
    state.turn_of = state.turn_of.enemy();
    true
}

/// Opens a charge as declared.
pub fn declare(battle: &Battle, state: &mut State, lines: &[charge::ChargeLine], opportunity: bool) {
    state.charge = Charge { opportunity, ..Charge::default() };
    for line in lines {
        let Ok(way) = charge::way(battle, state, line) else { continue };
        let charger = Charger {
            line: *line,
            d: way.d,
            face: way.face,
            hits: 0,
            under_fire: false,
            on: true,
            joined: true,
        };
        state.charge.chargers.push(charger);
        let mounted = state.body(line.by).mounted(battle);
        let body = state.body_mut(line.by);
        body.marks.set(Marks::CHARGED);
        if line.rush {
            body.marks.set(Marks::RUSH);
        }
        let target = state.body_mut(line.at);
        target.marks.set(if mounted { Marks::BY_HORSE } else { Marks::BY_FOOT });
        if !state.charge.targets.iter().any(|t| t.body == line.at) {
            let target = Charged {
                body: line.at,
                reaction: Reaction::None,
                fires_at: 0,
                masked: false,
                pinned: false,
                gone: false,
            };
            state.charge.targets.push(target);
        }
    }
    state.agenda.push(Step::ChargeEnd);
    state.agenda.push(Step::ChargerTests);
}

fn charger_tests(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.agenda.pop();
    for i in 0..state.charge.chargers.len() {
        let by = state.charge.chargers[i].line.by;
        let missed = morale::roll(battle, state, by, Cause::Charging, fx);
        if missed > 0 {
            state.charge.chargers[i].on = false;
            state.charge.chargers[i].joined = false;
            let body = state.body_mut(by);
            body.marks.set(Marks::HALVED);
            body.marks.clear(Marks::RUSH);
            tell_of(
                battle,
                state,
                by,
                Kind::Check,
                "does not charge; half speed and half fire this turn",
                cite!("charge.sequence.b"),
                fx,
            );
        }
    }
    if state.charge.chargers.iter().all(|c| !c.on) {
        return;
    }
    if state.charge.opportunity {
        // The mover halts; its move is over (oppcharge.b).
        state.march.unit = None;
    }
    let mut order: ArrayVec<u8, 4> = (0..state.charge.chargers.len() as u8).collect();
    order.sort_by_key(|i| state.charge.chargers[usize::from(*i)].d);
    for i in order.iter().rev() {
        state.agenda.push(Step::Home { charger: *i });
    }
    for i in (0..state.charge.targets.len() as u8).rev() {
        state.agenda.push(Step::AfterFire { target: i });
    }
    state.agenda.push(Step::ChargeFire);
    state.agenda.push(Step::Support);
    for i in (0..state.charge.targets.len() as u8).rev() {
        state.agenda.push(Step::TargetTest { target: i });
    }
}

fn chargers_at(state: &State, target: BodyId) -> ArrayVec<u8, 4> {
    let all = state.charge.chargers.iter().enumerate();
    let mut mine: ArrayVec<u8, 4> =
        all.filter(|(_, c)| c.on && c.line.at == target).map(|(i, _)| i as u8).collect();
    mine.sort_by_key(|i| state.charge.chargers[usize::from(*i)].d);
    mine
}

fn target_test(battle: &Battle, state: &mut State, target: usize, fx: &mut impl Effects) {
    state.agenda.pop();
    let id = state.charge.targets[target].body;
    let chargers = chargers_at(state, id);
    let Some(first) = chargers.first() else { return };
    let by = state.charge.chargers[usize::from(*first)].line.by;
    if state.body(id).marks.has(Marks::PRONE) {
        let body = state.body_mut(id);
        body.marks.clear(Marks::PRONE);
        body.marks.set(Marks::STOOD);
        tell_of(battle, state, id, Kind::March, "stands up", cite!("move.prone.c"), fx);
    }
    if state.body(by).marks.has(Marks::WAS_HIDDEN) {
        state.body_mut(id).marks.set(Marks::SURPRISED);
    }
    let masked = skirmishers::fall_back_before_charge(battle, state, id, by, fx);
    state.charge.targets[target].masked = masked;
    if state.in_melee(id) {
        return;
    }
    let body = state.body(id);
    let formed = !state.body(by).shape.formation.is_loose();
    let from = state.body(by).layout(battle).centre();
    let open = battle.cover(state, &body.layout(battle), Some(from), false) == crate::battle::Cover::None;
    if body.skirmishing() && formed && open && body.part != crate::state::Part::Group {
        tell_of(
            battle,
            state,
            id,
            Kind::Retreat,
            "is ridden off the field as a Shaken mob",
            cite!("skirmish.h"),
            fx,
        );
        // Whoever they run through tests before the charger comes up.
        state.agenda.push(Step::GaveWay { target: target as u8 });
        rout::flee(
            battle,
            state,
            id,
            rout::Flight { cause: Some(by), order: Order::Shaken, later: false },
            fx,
        );
        return;
    }
    if body.marks.has(Marks::ON_WALL) && forts::wall_between(battle, state, by, id).is_some() {
        state.charge.targets[target].reaction = Reaction::Stand;
        return;
    }
    let missed = morale::roll(battle, state, id, Cause::Charged(by), fx);
    match missed {
        1 if !state.body(id).order.broken() => {
            morale::fail(battle, state, id, missed, Some(by), fx);
            state.charge.targets[target].pinned = true;
        }
        1.. => {
            let broken = state.body(id).order.broken();
            state.agenda.push(Step::GaveWay { target: target as u8 });
            if broken {
                // Already running: it runs on.
                let order = state.body(id).order;
                rout::flee(battle, state, id, rout::Flight { cause: Some(by), order, later: false }, fx);
            } else {
                morale::fail(battle, state, id, missed, Some(by), fx);
            }
        }
        _ if state.body(id).order.broken() => state.charge.targets[target].pinned = true,
        _ => {
            if morale::cautious_retreat(battle, state, id, Some(by), fx) {
                gave_way(battle, state, target, fx);
            } else {
                state.agenda.push(Step::React { target: target as u8 });
            }
        }
    }
}

/// The target is gone from its place: those who charged it take it and test for pursuit (R30).
fn gave_way(battle: &Battle, state: &mut State, target: usize, fx: &mut impl Effects) {
    let id = state.charge.targets[target].body;
    state.charge.targets[target].gone = true;
    for i in chargers_at(state, id) {
        let i = usize::from(i);
        charge::take_place(battle, state, i, fx);
        state.charge.chargers[i].on = false;
        let by = state.charge.chargers[i].line.by;
        if state.body(id).on_table() && !state.agenda_full() {
            state.agenda.push(Step::Pursue { by, quarry: id });
        }
    }
}

/// Friends of the target that could fire at a charger, and at which (R33).
pub fn supporters<'a>(battle: &'a Battle, state: &'a State) -> impl Iterator<Item = (BodyId, u8)> + 'a {
    let side = state.charge.targets.first().map(|t| battle.side_of(state, t.body));
    let points: ArrayVec<(u8, crate::basics::Layout), 4> = state
        .charge
        .chargers
        .iter()
        .enumerate()
        .filter(|(_, c)| c.on)
        .map(|(i, c)| (i as u8, charge::test_point(battle, state, c).0))
        .collect();
    state.on_table().flat_map(move |(by, body)| {
        let mine = Some(battle.side(body)) == side
            && !state.charge.targets.iter().any(|t| t.body == by)
            && !state.volleys.iter().any(|v| v.by == by)
            && fire::may_fire(battle, state, by, When::Support).is_ok();
        let medium = battle.info(body).weapon.ranges[1];
        let layout = body.layout(battle);
        points.clone().into_iter().filter_map(move |(i, lead)| {
            if !mine || layout.block().distance(&lead.block()) > medium + INCH {
                return None;
            }
            let at = state.charge.chargers[usize::from(i)].line.by;
            let aim = fire::bearing(battle, state, by, at, &lead).ok()?;
            (aim.range <= medium + EPS).then_some((by, i))
        })
    })
}

fn charge_fire(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.agenda.pop();
    let mut blows: ArrayVec<(BodyId, u8, u16, Option<BodyId>), 48> = ArrayVec::new();
    for t in 0..state.charge.targets.len() {
        let target = state.charge.targets[t];
        let silent =
            target.gone || target.pinned || matches!(target.reaction, Reaction::None | Reaction::Counter);
        let own = chargers_at(state, target.body);
        if silent || own.is_empty() || fire::may_fire(battle, state, target.body, When::Defence).is_err() {
            continue;
        }
        let index = if own.contains(&target.fires_at) { target.fires_at } else { own[0] };
        let charger = state.charge.chargers[usize::from(index)];
        let ranges = battle.info(state.body(target.body)).weapon.ranges;
        let guns = battle.arm(state.body(target.body)).is_artillery();
        let (lead, when) = match target.reaction {
            Reaction::Retire { band } if guns && band > 0 => {
                (charge::lead_at(battle, state, &charger, ranges[usize::from(band.min(3))]).0, When::Support)
            }
            _ => (charge::test_point(battle, state, &charger).0, When::Defence),
        };
        let by = target.body;
        let Ok(aim) = fire::bearing(battle, state, by, charger.line.by, &lead) else { continue };
        let order = FireOrder {
            when,
            stands: aim.stands,
            shrapnel: false,
            half: charge::halves(target.reaction),
            masked: target.masked,
        };
        let shot = fire::shot(battle, state, by, charger.line.by, &lead, &aim, order);
        let hits = fire::roll_shot(battle, state, &shot, fx);
        let _ = blows.try_push((by, index, hits, shot.through));
    }
    let volleys = std::mem::take(&mut state.volleys);
    for volley in &volleys {
        let Aim::Body(at) = volley.at else { continue };
        let Some(index) = state.charge.chargers.iter().position(|c| c.line.by == at) else { continue };
        let lead = charge::test_point(battle, state, &state.charge.chargers[index]).0;
        let Ok(aim) = fire::bearing(battle, state, volley.by, at, &lead) else { continue };
        let order = FireOrder {
            when: When::Support,
            stands: volley.stands,
            shrapnel: false,
            half: false,
            masked: false,
        };
        let shot = fire::shot(battle, state, volley.by, at, &lead, &aim, order);
        let hits = fire::roll_shot(battle, state, &shot, fx);
        let _ = blows.try_push((volley.by, index as u8, hits, shot.through));
    }
    for (by, index, hits, through) in blows {
        let at = state.charge.chargers[usize::from(index)].line.by;
        fire::has_fired(state, by, Marks::FIRED_EARLY);
        let before = state.body(at).fresh;
        fire::apply(battle, state, by, at, through, hits, fx);
        let charger = &mut state.charge.chargers[usize::from(index)];
        charger.under_fire = true;
        charger.hits += state.bodies[at.i()].fresh - before.min(state.bodies[at.i()].fresh);
        if !state.body(at).on_table() {
            state.charge.chargers[usize::from(index)].on = false;
            state.charge.chargers[usize::from(index)].joined = false;
        }
    }
}

fn after_fire(battle: &Battle, state: &mut State, target: usize, fx: &mut impl Effects) {
    state.agenda.pop();
    let charged = state.charge.targets[target];
    let own = chargers_at(state, charged.body);
    let Some(first) = own.first() else { return };
    let by = state.charge.chargers[usize::from(*first)].line.by;
    let id = charged.body;
    match charged.reaction {
        Reaction::Square => {
            let room = charge::squared(battle, state, id);
            if charge::square_test(battle, state, target, "forms square", fx)
                && let Some(square) = room
            {
                let body = state.body_mut(id);
                body.pose = square.pose;
                body.shape = square.shape;
                body.marks.set(Marks::MOVED.and(Marks::MOVED_EARLY));
                for c in state.charge.chargers.iter_mut().filter(|c| c.line.at == id) {
                    c.face = Face::Front;
                }
                tell_of(battle, state, id, Kind::March, "forms square", cite!("qrs.square.a"), fx);
            }
        }
        Reaction::Retire { band } if battle.arm(state.body(id)).is_artillery() => {
            let plus = [0, 1, 3, 3][usize::from(band.min(3))];
            let die = fx.die(Die::D6, || {
                RollNote::new(
                    format!("the gunners of {} run", battle.name(state, id)),
                    cite!("charge.defender.f"),
                )
                .side(battle.side_of(state, id))
                .by(crate::rolls::piece(id))
                .modifiers(vec![game::Modifier::new(
                    plus,
                    "range they fired at",
                    cite!("charge.defender.f"),
                )])
            });
            state.charge.targets[target].gone = true;
            skirmishers::abandon_guns(battle, state, id, by, (i64::from(die) + i64::from(plus)) * INCH, fx);
        }
        Reaction::Retire { .. } => {
            rout::become_mob(battle, state, id);
            let length = rout::rout_roll(battle, state, id, "retires", fx);
            state.charge.targets[target].gone = true;
            let flight = rout::Flight { cause: Some(by), order: Order::Suppressed, later: false };
            rout::flee_by(battle, state, id, flight, length, fx);
            tell_of(
                battle,
                state,
                id,
                Kind::Retreat,
                "has fired and retires",
                cite!("charge.defender.d"),
                fx,
            );
        }
        _ => {}
    }
}

fn home(battle: &Battle, state: &mut State, index: usize, fx: &mut impl Effects) {
    state.agenda.pop();
    let charger = state.charge.chargers[index];
    let by = charger.line.by;
    if !charger.on || !state.body(by).on_table() {
        return;
    }
    let Some(target) = state.charge.targets.iter().find(|t| t.body == charger.line.at).copied() else {
        return;
    };
    if !target.pinned {
        let sum = charge::home_number(battle, state, index);
        let rolled = two_dice(battle, state, by, &sum, "Charge Home Test", cite!("qrs.chargehome.a"), fx);
        if rolled < sum.total() {
            charge::fail_home(battle, state, index, sum.total() - rolled, fx);
            return;
        }
    }
    if target.gone || !state.body(target.body).on_table() {
        charge::take_place(battle, state, index, fx);
        state.charge.chargers[index].on = false;
        let quarry = target.body;
        let chased = if state.body(quarry).marks.has(Marks::ABANDONED) {
            runner_of(state, quarry)
        } else {
            Some(quarry)
        };
        if let Some(quarry) = chased.filter(|q| state.body(*q).on_table()) {
            state.agenda.push(Step::Pursue { by, quarry });
        }
        return;
    }
    if charger.line.rush {
        rush_fire(battle, state, &charger, fx);
        if !state.body(target.body).on_table() {
            charge::take_place(battle, state, index, fx);
            return;
        }
    }
    close(battle, state, index, &target, fx);
}

/// The gunners who left these guns.
fn runner_of(state: &State, guns: BodyId) -> Option<BodyId> {
    let bmu = state.body(guns).bmu;
    state.on_table().find(|(_, b)| b.bmu == bmu && b.marks.has(Marks::CREW)).map(|(id, _)| id)
}

/// A rush that closes fires once, at short range, as a unit that moved (R108).
fn rush_fire(battle: &Battle, state: &mut State, charger: &Charger, fx: &mut impl Effects) {
    let (by, at) = (charger.line.by, charger.line.at);
    if fire::may_fire(battle, state, by, When::Rush).is_err() {
        return;
    }
    let stands = fire::firing_stands(battle, state, by).len() as u32;
    let target = state.body(at).layout(battle);
    let aim = fire::Bearing {
        stands: (1 << stands) - 1,
        range: 0,
        band: 0,
        from: state.body(by).pose.at.pt(),
        through: None,
        flank: charger.face != Face::Front,
        fixed: None,
    };
    let order =
        FireOrder { when: When::Rush, stands: aim.stands, shrapnel: false, half: false, masked: false };
    let shot = fire::shot(battle, state, by, at, &target, &aim, order);
    let hits = fire::roll_shot(battle, state, &shot, fx);
    fire::has_fired(state, by, Marks::FIRED_EARLY);
    fire::apply(battle, state, by, at, None, hits, fx);
}

/// Into contact (R65), the countercharge halfway (R37).
fn close(battle: &Battle, state: &mut State, index: usize, target: &Charged, fx: &mut impl Effects) {
    let charger = state.charge.chargers[index];
    let (by, at) = (charger.line.by, charger.line.at);
    let mut start = charge::charging_layout(battle, state, &charger);
    let dir = start.pose.facing.dir();
    let counter = target.reaction == Reaction::Counter && target.fires_at == index as u8;
    if counter {
        meet_halfway(battle, state, at, charger.d, dir.back());
    }
    let d = charge::touch_distance(&start, &state.body(at).layout(battle), dir).unwrap_or(charger.d);
    if charger.line.files > 0 {
        start.shape.files = charger.line.files;
    }
    let landing = charge::square_up(battle, state, by, &start, at, d, dir, charger.face);
    let Some(pose) = landing else {
        let short = start.pose.shifted(dir.times((d - INCH / 2).max(0)));
        charge::put(battle, state, by, &start, short);
        charge::moved_early(state, by);
        tell_of(battle, state, by, Kind::March, "finds no room to close", cite!("melee.contact.b"), fx);
        return;
    };
    let body = state.body_mut(by);
    body.pose = pose;
    body.shape = start.shape;
    body.marks.set(Marks::IMMUNE);
    charge::moved_early(state, by);
    charge::open_bout(state, by, at, charger.face);
    let wall = forts::wall_between(battle, state, by, at);
    if let Some(bout) = state.bouts.iter_mut().find(|b| b.attacker == by && b.defender == at) {
        bout.charged = true;
        bout.countered = counter;
        if let Some(wall) = wall {
            bout.wall = wall as u8;
            bout.ladders = true;
        }
    }
    tell_of(battle, state, by, Kind::Melee, "charges home", cite!("seq.charge.f"), fx);
}

fn meet_halfway(battle: &Battle, state: &mut State, id: BodyId, gap: i64, dir: table::Dir) {
    let layout = state.body(id).layout(battle);
    let mut far = (gap / 2).min(battle.rate(state.body(id)).charge);
    while far > 0 && !movement::free(battle, state, id, &layout.at(layout.pose.shifted(dir.times(far)))) {
        far -= INCH / 4;
    }
    if far > 0 {
        state.body_mut(id).pose = layout.pose.shifted(dir.times(far));
    }
    charge::moved_early(state, id);
}

fn charge_end(state: &mut State) {
    let opportunity = state.charge.opportunity;
    state.charge = Charge::default();
    if !opportunity {
        state.turn_of = state.turn_of.enemy();
        state.go.passes = 0;
    }
}

// ---- movement ----

/// Whether a body can be chosen in this go.
#[must_use]
pub fn can_be_moved(battle: &Battle, state: &State, id: BodyId) -> bool {
    let side = battle.side_of(state, id);
    state.go.used + movement::price(state, id) <= state.go.batch[side]
        && movement::may_move(battle, state, id).is_ok()
}

fn next_move(battle: &Battle, state: &mut State) -> bool {
    if state.go.passes >= 2 {
        state.agenda.pop();
        return true;
    }
    let side = state.turn_of;
    let movable = state.on_table().any(|(id, b)| battle.side(b) == side && can_be_moved(battle, state, id));
    if movable {
        return false;
    }
    end_go(state);
    true
}

/// The go is over; one in which nothing moved was a pass.
pub fn end_go(state: &mut State) {
    state.go.passes = if state.go.chosen == 0 { state.go.passes + 1 } else { 0 };
    state.go.used = 0;
    state.go.touching = 0;
    state.go.chosen = 0;
    state.turn_of = state.turn_of.enemy();
}

/// Whether a body may fire at the mover now.
#[must_use]
pub fn can_snap(battle: &Battle, state: &State, by: BodyId) -> Option<u16> {
    let mover = state.march.unit?;
    fire::may_fire(battle, state, by, When::Opportunity).ok()?;
    fire::may_be_target(battle, state, by, mover).ok()?;
    let target = state.body(mover).layout(battle);
    let far = battle.info(state.body(by)).weapon.ranges[3];
    if state.body(by).layout(battle).block().distance(&target.block()) > far + INCH {
        return None;
    }
    let aim = fire::bearing(battle, state, by, mover, &target).ok()?;
    fire::order_allows(battle, state, by, aim.band).ok()?;
    Some(aim.stands)
}

/// Opportunity charges at the mover's flank or rear (R64).
pub fn dashes(battle: &Battle, state: &State, by: BodyId, out: &mut Vec<charge::ChargeLine>) {
    let Some(mover) = state.march.unit else { return };
    if has_had_its_chance(state, by) || charge::may_charge(battle, state, by).is_err() {
        return;
    }
    let mut all = Vec::new();
    charge::lines_at(battle, state, by, mover, &mut all);
    out.extend(all.into_iter().filter(|l| !l.rush && may_dash(battle, state, l).is_ok()));
}

/// It has moved, fired at the opportunity, or tried to charge.
fn has_had_its_chance(state: &State, by: BodyId) -> bool {
    let chances =
        Marks::MOVED.and(Marks::GONE_ABOUT).and(Marks::TRIED).and(Marks::CHARGED).and(Marks::SNAPPED);
    state.body(by).marks.has(chances)
}

/// Whether an opportunity charge may be announced.
///
/// # Errors
/// The rule that forbids it.
pub fn may_dash(battle: &Battle, state: &State, line: &charge::ChargeLine) -> Result<(), fire::No> {
    let body = state.body(line.by);
    if has_had_its_chance(state, line.by) {
        return Err(fire::No::new(
            cite!("oppcharge.a"),
            "only a unit that has neither moved nor tried may charge at an opportunity",
        ));
    }
    if state.march.unit != Some(line.at) {
        return Err(fire::No::new(cite!("oppcharge.a"), "only the unit that moves may be charged now"));
    }
    charge::check(battle, state, battle.side(body), &[*line])?;
    let way = charge::way(battle, state, line)?;
    if way.face == Face::Front && state.body(line.at).shape.formation != Formation::MarchColumn {
        return Err(fire::No::new(cite!("oppcharge.a"), "the mover does not show it a flank or the rear"));
    }
    Ok(())
}

fn can_interrupt(battle: &Battle, state: &State) -> bool {
    let Some(mover) = state.march.unit else { return false };
    if !state.body(mover).marks.has(Marks::MOVED) {
        return false;
    }
    let side = battle.side_of(state, mover).enemy();
    let mut found = Vec::new();
    state.on_table().any(|(by, b)| {
        if battle.side(b) != side {
            return false;
        }
        if can_snap(battle, state, by).is_some() {
            return true;
        }
        dashes(battle, state, by, &mut found);
        !found.is_empty()
    })
}

// ---- melee, morale, end ----

fn next_melee(battle: &Battle, state: &mut State) -> bool {
    let left = melee::to_fight(state);
    match left.len() {
        0 => {
            state.agenda.pop();
        }
        1 => open_melee(battle, state, left[0]),
        _ => return false,
    }
    true
}

/// A melee is fought: whoever has several enemies first shares out his dice.
pub fn open_melee(battle: &Battle, state: &mut State, of: BodyId) {
    state.turn_of = state.turn_of.enemy();
    state.shares.clear();
    state.agenda.push(Step::Brawl { body: of });
    for id in melee::brawl(state, of).iter().rev() {
        if state.opponents(*id).count() > 1 {
            state.agenda.push(Step::Split { body: *id });
        }
    }
    let _ = battle;
}

fn end_morale(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for i in 0..state.bodies.len() {
        let id = BodyId(i as u8);
        let body = state.body(id);
        let ended =
            body.on_table() && body.mounted(battle) && body.marks.has(Marks::IN_MELEE) && !state.in_melee(id);
        if ended && body.order == Order::Good {
            state.body_mut(id).order = Order::Suppressed;
            tell_of(
                battle,
                state,
                id,
                Kind::Loss,
                "is Suppressed after its melee",
                cite!("melee.cover.a"),
                fx,
            );
        }
    }
    morale::end(battle, state, fx);
    forts::lay_charges(battle, state);
    state.agenda.push(Step::Recover { side: Side::Second });
    state.agenda.push(Step::Recover { side: Side::First });
}

fn turn_end(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    victory::visit(battle, state);
    if let Some(outcome) = victory::sudden(battle, state) {
        state.over = Some(outcome);
    } else if state.turn >= battle.turns {
        state.over = Some(victory::verdict(battle, state));
    } else {
        state.turn += 1;
    }
    if let Some(outcome) = state.over {
        fx.tell(|| {
            let text = match outcome {
                Outcome::Won(side) => format!("{} has won.", battle.sides[side].name),
                Outcome::Drawn => "The battle is drawn.".to_owned(),
            };
            Entry::new(Kind::Score, text)
        });
    }
}

/// Resolves the decision at hand.
pub fn answer(battle: &Battle, state: &mut State, action: &Action, fx: &mut impl Effects) {
    let Some(step) = state.agenda.top() else { return };
    match (step, action) {
        (_, Action::Lead { leader, lead }) => {
            leaders::lead(state, *leader, *lead);
            fx.tell(|| {
                Entry::new(Kind::March, format!("{} rides.", battle.leaders[leader.i()].name))
                    .side(battle.leaders[leader.i()].side)
                    .rule(cite!("commander.functions.a"))
                    .piece(crate::rolls::leader_piece(*leader))
            });
            orders::convert(battle, state, fx);
        }
        (Step::Orders { .. }, Action::Order { leader, order, marker }) => {
            orders::issue(battle, state, *leader, *order, *marker, fx);
        }
        (Step::Reactions, Action::Test(id)) => {
            state.turn_of = state.turn_of.enemy();
            reaction::react(battle, state, *id, fx);
        }
        (Step::Reactions, Action::Blow(id)) => {
            state.turn_of = state.turn_of.enemy();
            forts::blow_gate(battle, state, *id, fx);
        }
        (Step::Reactions, Action::Pass) => {
            let side = state.turn_of;
            state
                .bodies
                .iter_mut()
                .filter(|b| battle.side(b) == side)
                .for_each(|b| b.marks.clear(Marks::MINING));
        }
        (Step::Sight { .. }, Action::Spot { by, at }) => special::spot(battle, state, *by, *at, fx),
        (Step::Charges, Action::Charge(lines)) => {
            state.go.passes = 0;
            declare(battle, state, lines, false);
        }
        (Step::Charges, Action::Pass) => {
            state.go.passes += 1;
            state.turn_of = state.turn_of.enemy();
        }
        (Step::React { target }, Action::React { reaction, fires_at }) => {
            state.agenda.pop();
            react(battle, state, usize::from(target), *reaction, *fires_at, fx);
        }
        (Step::Support, Action::Support { by, at }) => {
            let charger = state.charge.chargers[usize::from(*at)];
            let lead = charge::test_point(battle, state, &charger).0;
            if let Ok(aim) = fire::bearing(battle, state, *by, charger.line.by, &lead) {
                let volley = Volley {
                    by: *by,
                    at: Aim::Body(charger.line.by),
                    stands: aim.stands,
                    shrapnel: false,
                    hits: 0,
                    through: None,
                };
                let _ = state.volleys.try_push(volley);
            }
        }
        (Step::Moves, Action::Move { unit, legs }) => {
            movement::begin(battle, state, *unit, legs);
            state.agenda.push(Step::March);
        }
        (Step::Moves, Action::Leave(unit)) => {
            state.go.used += movement::price(state, *unit);
            state.go.chosen |= unit.bit();
            state.body_mut(*unit).place = Where::Left;
            rout::release(state, *unit);
            tell_of(battle, state, *unit, Kind::March, "marches off the table", cite!("seq.move.b"), fx);
        }
        (Step::Moves, Action::Pass) => end_go(state),
        (Step::Interrupt, Action::Snap { by, stands }) => snap(battle, state, *by, *stands, fx),
        (Step::Interrupt, Action::Dash(line)) => {
            state.body_mut(line.by).marks.set(Marks::TRIED);
            declare(battle, state, &[*line], true);
        }
        (Step::Interrupt, Action::Wave) => {
            state.march.waved = true;
            state.agenda.pop();
        }
        (Step::Declare { .. }, Action::Fire(volley)) => {
            let _ = state.volleys.try_push(*volley);
        }
        (Step::Melees, Action::Fight(of)) => open_melee(battle, state, *of),
        (Step::Split { .. }, Action::Split(shares)) => {
            state.agenda.pop();
            for share in shares {
                let _ = state.shares.try_push(*share);
            }
        }
        (Step::AfterTest { body }, Action::Turn) => {
            state.agenda.pop();
            melee::turn_to_face(battle, state, body);
        }
        (Step::AfterTest { body }, Action::Withdraw) => {
            state.agenda.pop();
            let cause = state.opponents(body).next().map(|(_, o)| o);
            tell_of(
                battle,
                state,
                body,
                Kind::Retreat,
                "withdraws from the melee",
                cite!("melee.withdraw.a"),
                fx,
            );
            rout::flee(
                battle,
                state,
                body,
                rout::Flight { cause, order: Order::Suppressed, later: false },
                fx,
            );
        }
        (Step::PursuitChoice { by, quarry, .. }, Action::Pursue) => {
            state.agenda.pop();
            rout::chase(battle, state, by, quarry, fx);
        }
        (Step::Reform { body }, Action::Reform { formation, files }) => {
            state.agenda.pop();
            let unit = state.body(body);
            let shape = crate::basics::Shape::of(*formation, battle.arm(unit), unit.fighting(battle), *files);
            let layout = unit.layout(battle).rearranged(shape, unit.pose.facing);
            let unit = state.body_mut(body);
            if shape.formation != unit.shape.formation || shape.files != unit.shape.files {
                unit.shape = shape;
                unit.pose = layout.pose;
            }
        }
        (Step::Recover { .. }, Action::Recover(id)) => morale::recover(battle, state, *id, fx),
        // Pass, Hold, Stay: the step is over.
        _ => {
            state.agenda.pop();
        }
    }
}

fn react(
    battle: &Battle,
    state: &mut State,
    target: usize,
    reaction: Reaction,
    fires_at: u8,
    fx: &mut impl Effects,
) {
    let charged = &mut state.charge.targets[target];
    charged.reaction = reaction;
    charged.fires_at = fires_at;
    let id = charged.body;
    tell_of(battle, state, id, Kind::Check, reaction_words(reaction), cite!("charge.defender.c"), fx);
    if reaction == Reaction::Face && charge::square_test(battle, state, target, "faces the charge", fx) {
        charge::face_charger(battle, state, target);
    }
}

fn reaction_words(reaction: Reaction) -> &'static str {
    match reaction {
        Reaction::None | Reaction::Stand => "stands and fires",
        Reaction::Retire { .. } => "will fire and retire",
        Reaction::Counter => "countercharges",
        Reaction::Face => "tries to face the charge",
        Reaction::Square => "tries to form square",
    }
}

fn snap(battle: &Battle, state: &mut State, by: BodyId, stands: u16, fx: &mut impl Effects) {
    let Some(mover) = state.march.unit else { return };
    let target = state.body(mover).layout(battle);
    let Ok(aim) = fire::bearing(battle, state, by, mover, &target) else { return };
    let order = FireOrder { when: When::Opportunity, stands, shrapnel: false, half: false, masked: false };
    let shot = fire::shot(battle, state, by, mover, &target, &aim, order);
    let hits = fire::roll_shot(battle, state, &shot, fx);
    fire::has_fired(state, by, Marks::FIRED_EARLY.and(Marks::SNAPPED));
    fire::apply(battle, state, by, mover, shot.through, hits, fx);
}
