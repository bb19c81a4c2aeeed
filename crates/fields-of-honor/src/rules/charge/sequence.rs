//! The charge sequence: declaration, the charger's and the target's tests.

use arrayvec::ArrayVec;
use game::{Effects, Kind, Side};

use crate::cite;
use crate::rules::charge::movement::{take_place, way};
use crate::rules::charge::{Charge, Charged, Charger, Reaction};
use crate::rules::morale::Cause;
use crate::rules::movement::make_room;
use crate::rules::rolls::tell_of;
use crate::rules::sequence::Step;
use crate::rules::{charge, forts, morale, orders, rout, skirmishers};
use crate::setup::battle::Battle;
use crate::state::{BodyId, Marks, Order, State};

/// Whether a side has a charge to declare.
#[must_use]
pub fn can_charge(battle: &Battle, state: &State, side: Side) -> bool {
    state.on_table().any(|(by, body)| battle.side(body) == side && charge::any_line(battle, state, by))
}

pub(crate) fn next_charge(battle: &Battle, state: &mut State) -> bool {
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
        let Ok(way) = way(battle, state, line) else { continue };
        let charger = Charger {
            line: *line,
            d: way.d,
            point: 0,
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
        // Whoever charges out of hiding is seen from then on (R62); that it was hidden surprises its target.
        body.marks.show();
        if line.rush {
            body.marks.set(Marks::RUSH);
        }
        let target = state.body_mut(line.at);
        target.marks.set(if mounted { Marks::BY_HORSE } else { Marks::BY_FOOT });
        if !state.charge.targets.iter().any(|t| t.body == line.at) {
            let target = Charged {
                body: line.at,
                moved: state.body(line.at).marks.has(Marks::MOVED),
                reaction: Reaction::None,
                fires_at: 0,
                masked: false,
                rejoined: 0,
                pinned: false,
                gone: false,
            };
            state.charge.targets.push(target);
        }
    }
    state.agenda.push(Step::ChargeEnd);
    state.agenda.push(Step::ChargerTests);
}

pub(crate) fn charger_tests(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
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
        // The mover halts; its move is over (oppcharge.b). It does not halt in the middle of friends it passes.
        if let Some(mover) = state.march.unit.take() {
            make_room(battle, state, mover);
        }
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

/// Whoever a countercharge meets comes first: the others find its target where it then stands (R122).
pub(crate) fn met_first(state: &mut State) {
    let countered =
        |i: u8| state.charge.targets.iter().any(|t| t.reaction == Reaction::Counter && t.fires_at == i);
    let mut order: ArrayVec<u8, 4> = (0..state.charge.chargers.len() as u8).collect();
    order.sort_by_key(|i| (!countered(*i), state.charge.chargers[usize::from(*i)].d));
    let homes = state.agenda.iter_mut().rev().filter(|step| matches!(step, Step::Home { .. }));
    homes.zip(order).for_each(|(step, charger)| *step = Step::Home { charger });
}

pub(crate) fn chargers_at(state: &State, target: BodyId) -> ArrayVec<u8, 4> {
    let all = state.charge.chargers.iter().enumerate();
    let mut mine: ArrayVec<u8, 4> =
        all.filter(|(_, c)| c.on && c.line.at == target).map(|(i, _)| i as u8).collect();
    mine.sort_by_key(|i| state.charge.chargers[usize::from(*i)].d);
    mine
}

pub(crate) fn target_test(battle: &Battle, state: &mut State, target: usize, fx: &mut impl Effects) {
    state.agenda.pop();
    let id = state.charge.targets[target].body;
    let chargers = chargers_at(state, id);
    let Some(first) = chargers.first().filter(|_| state.body(id).on_table()) else { return };
    let by = state.charge.chargers[usize::from(*first)].line.by;
    if state.body(id).marks.has(Marks::PRONE) {
        // It has to, and goes nowhere: that is no move (R22).
        let body = state.body_mut(id);
        body.marks.clear(Marks::PRONE);
        body.marks.set(Marks::STOOD);
        tell_of(battle, state, id, Kind::March, "stands up", cite!("move.prone.c"), fx);
    }
    if state.body(by).marks.has(Marks::WAS_HIDDEN) {
        state.body_mut(id).marks.set(Marks::SURPRISED);
    }
    if let Some(back) = skirmishers::fall_back_before_charge(battle, state, id, by, fx) {
        let charged = &mut state.charge.targets[target];
        (charged.masked, charged.rejoined) = (back.between, back.stands);
    }
    if state.in_melee(id) {
        return;
    }
    let body = state.body(id);
    let formed = !state.body(by).shape.formation.is_loose();
    let from = state.body(by).layout(battle).centre();
    let open =
        battle.cover(state, &body.layout(battle), Some(from), false) == crate::setup::battle::Cover::None;
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
            let order = state.body(id).order;
            state.agenda.push(Step::GaveWay { target: target as u8 });
            if order == Order::Routed || order == Order::Shaken && missed < 4 {
                // Already running: it runs on.
                rout::flee(battle, state, id, rout::Flight { cause: Some(by), order, later: false }, fx);
            } else {
                morale::fail(battle, state, id, missed, Some(by), fx);
            }
        }
        // Men who neither fire nor move can only stand; the charger must still close (R123).
        _ if state.body(id).order.broken() => state.charge.targets[target].reaction = Reaction::Stand,
        _ if morale::is_drawn_back(battle, state, id) => {
            state.agenda.push(Step::GaveWay { target: target as u8 });
            morale::draw_back(battle, state, id, Some(by), fx);
        }
        _ => state.agenda.push(Step::React { target: target as u8 }),
    }
}

/// The target is gone from its place: those who charged it take it and test for pursuit (R30).
pub(crate) fn gave_way(battle: &Battle, state: &mut State, target: usize, fx: &mut impl Effects) {
    let id = state.charge.targets[target].body;
    state.charge.targets[target].gone = true;
    let chargers = chargers_at(state, id);
    for i in &chargers {
        let i = usize::from(*i);
        take_place(battle, state, i, fx);
        state.charge.chargers[i].on = false;
    }
    // The nearest pursues first (R122), so its step goes on top.
    for i in chargers.iter().rev() {
        let by = state.charge.chargers[usize::from(*i)].line.by;
        if state.body(id).on_table() {
            state.agenda.push(Step::Pursue { by, quarry: id });
        }
    }
}

pub(crate) fn charge_end(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    let opportunity = state.charge.opportunity;
    state.charge = Charge::default();
    state.scene += state.scene % 2;
    // Chargers, pursuers and those who ran may have brought an enemy near a leader on the march.
    orders::convert(battle, state, fx);
    if !opportunity {
        state.turn_of = state.turn_of.enemy();
        state.go.passes = 0;
    }
}
