//! Initiative, and the goes of the Movement Phase: batches by averaging dice, arrivals.

use game::words::{side_does, the};
use game::{Die, Effects, Kind, RollNote, Rule, Side};
use table::INCH;

use crate::cite;
use crate::rules::movement;
use crate::rules::rolls::{Sum, tell_of};
use crate::rules::sequence::{Phase, Step};
use crate::setup::battle::{Battle, TableEdge};
use crate::state::{BodyId, Marks, State, Where};

/// Both roll a die for the initiative of a phase; the higher goes first. A tie changes nothing and leaves the step where
/// it is, so that it is rolled again.
pub(crate) fn roll(battle: &Battle, state: &mut State, phase: Phase, fx: &mut impl Effects) {
    let rule = match phase {
        Phase::Reaction => cite!("seq.reaction.a"),
        Phase::Charge => cite!("seq.charge.a"),
        _ => cite!("seq.move.a"),
    };
    let mut totals = [0; 2];
    for side in Side::BOTH {
        let sum = terms(battle, state, phase, side, rule);
        let die = fx.die(Die::D6, || {
            RollNote::new(side_does(&battle.sides[side].name, "rolls for initiative"), rule)
                .side(side)
                .modifiers(sum.modifiers())
        });
        totals[side.index()] = i16::from(die) + sum.total();
    }
    if totals[0] == totals[1] {
        return;
    }
    state.turn_of = if totals[0] > totals[1] { Side::First } else { Side::Second };
    state.agenda.replace(match phase {
        Phase::Reaction => Step::Reactions,
        Phase::Charge => Step::Charges,
        _ => Step::Batches,
    });
}

/// What a side adds to its die: the attacker in the Charge and Movement Phases, an incompetent commander in the latter
/// (R17).
fn terms(battle: &Battle, state: &State, phase: Phase, side: Side, rule: Rule) -> Sum {
    let mut sum = Sum::default();
    if phase != Phase::Reaction && battle.attacker == Some(side) {
        sum.add(1, "attacker", rule);
    }
    let chief = battle.overall(side).map(|c| &state.leaders[c.i()]);
    if phase == Phase::Movement && chief.is_some_and(|c| c.incompetent && c.leads()) {
        sum.add(-1, "incompetent commander", cite!("move.initiative.a"));
    }
    sum
}

pub(crate) fn begin_movement(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    // Who charged whom counts within one phase (R46).
    state.bodies.iter_mut().for_each(|b| b.marks.clear(Marks::BY_FOOT.and(Marks::BY_HORSE)));
    arrivals(battle, state, fx);
    crate::rules::sighting::sighting(battle, state);
    state.agenda.push(Step::Initiative(Phase::Movement));
}

/// Whoever has the initiative moves first; how many BMUs a go is the averaging dice's say.
pub(crate) fn batches(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.mover = state.turn_of;
    for side in Side::BOTH {
        let die = fx.die(Die::Average, || {
            RollNote::new(
                format!("The averaging die of {}", the(&battle.sides[side].name)),
                cite!("move.initiative.b"),
            )
            .side(side)
        });
        let mut bmus: u64 = 0;
        state.on_table().filter(|(_, b)| battle.side(b) == side).for_each(|(_, b)| bmus |= 1 << b.bmu);
        state.go.batch[side] = (bmus.count_ones() as u8 / die).max(1) * 2;
    }
    state.agenda.replace(Step::Moves);
}

/// Units due this turn stand at their stretch of the edge, slid along it if somebody is in the way.
pub(crate) fn arrivals(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
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
                tell_of(battle, state, id, Kind::March, "arrives", cite!("scenario.arrival.a"), fx);
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

/// Whether a body can be chosen in this go.
#[must_use]
pub fn can_be_moved(battle: &Battle, state: &State, id: BodyId) -> bool {
    let side = battle.side_of(state, id);
    state.go.used + movement::price(state, id) <= state.go.batch[side]
        && movement::may_move(battle, state, id).is_ok()
}

pub(crate) fn next_move(battle: &Battle, state: &mut State) -> bool {
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
