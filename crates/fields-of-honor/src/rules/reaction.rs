//! The Reaction Phase: units out of command.

use game::words::does;
use game::{Die, Effects, Kind, RollNote, Side};

use crate::cite;
use crate::rules::basics::Formation;
use crate::rules::leaders;
use crate::rules::rolls::{Sum, rolled_by, tell_of};
use crate::rules::rout::{Flight, flee};
use crate::setup::battle::Battle;
use crate::state::{BodyId, Marks, Order, Part, State};

/// Whether a body must take a Reaction Test (reaction.test.a, R12, R91).
#[must_use]
pub fn must_react(battle: &Battle, state: &State, id: BodyId) -> bool {
    let body = state.body(id);
    body.on_table()
        && !body.marks.has(Marks::TESTED.and(Marks::ABANDONED))
        && !body.order.broken()
        && body.shape.formation != Formation::Unlimbered
        && !body.skirmishing()
        && !matches!(body.part, Part::Skirmishers | Part::Crew)
        && !state.in_melee(id)
        && battle.commander_of(state, id).is_some()
        && !battle.in_command(state, id)
}

/// What is added to the die (qrs.reaction).
#[must_use]
pub fn modifiers(battle: &Battle, state: &State, id: BodyId) -> Sum {
    let body = state.body(id);
    let mods = &battle.tables.test.reaction.modifiers;
    let mut sum = Sum::default();
    sum.add(mods.rating(battle.info(body).morale), "morale rating", cite!("qrs.reaction.b"));
    if body.order == Order::Suppressed {
        sum.add(mods.suppressed, "suppressed", cite!("qrs.reaction.c"));
    }
    let losses = match state.percent_lost(battle, body.bmu) {
        70.. if battle.on.strict_print => 1,
        70.. => mods.casualties_70,
        50.. => mods.casualties_50,
        20.. => mods.casualties_20,
        _ => 0,
    };
    sum.add(losses, "casualties", cite!("qrs.reaction.d"));
    if battle.attached_helper(state, id).is_some() {
        sum.add(mods.sub_commander_attached, "sub-commander attached", cite!("commander.functions.c"));
    }
    if battle.has_brash_leader(state, id) {
        sum.add(mods.brash_attached, "brash leader attached", cite!("personality.c"));
    }
    sum
}

/// Takes the test and does at once what it demands.
pub fn react(battle: &Battle, state: &mut State, id: BodyId, fx: &mut impl Effects) {
    let sum = modifiers(battle, state, id);
    let die = fx.die(Die::D6, || {
        let note = RollNote::new(
            format!("{}: a reaction test", does(&battle.name(state, id), "is out of command")),
            cite!("qrs.reaction.a"),
        )
        .side(battle.side_of(state, id))
        .modifiers(sum.modifiers());
        rolled_by(note, state, id)
    });
    let body = state.body_mut(id);
    body.marks.set(Marks::TESTED);
    match i16::from(die) + sum.total() {
        ..=2 => {
            tell_of(battle, state, id, Kind::Retreat, "withdraws", cite!("qrs.reaction.e"), fx);
            flee(battle, state, id, Flight { cause: None, order: Order::Suppressed, later: false }, fx);
        }
        3 => {
            body.marks.set(Marks::HALT);
            tell_of(battle, state, id, Kind::Check, "halts", cite!("qrs.reaction.f"), fx);
        }
        4 => {
            body.marks.set(Marks::CAUTIOUS);
            tell_of(battle, state, id, Kind::Check, "is cautious", cite!("qrs.reaction.g"), fx);
        }
        _ => tell_of(battle, state, id, Kind::Check, "carries on", cite!("qrs.reaction.h"), fx),
    }
}

/// The units of a side that must still test.
pub fn reactors<'a>(battle: &'a Battle, state: &'a State, side: Side) -> impl Iterator<Item = BodyId> + 'a {
    (0..state.bodies.len())
        .map(|i| BodyId(i as u8))
        .filter(move |id| battle.side_of(state, *id) == side && must_react(battle, state, *id))
}

/// The sappers of a side that stand at a gate.
pub fn miners<'a>(battle: &'a Battle, state: &'a State, side: Side) -> impl Iterator<Item = BodyId> + 'a {
    (0..state.bodies.len()).map(|i| BodyId(i as u8)).filter(move |id| {
        let body = state.body(*id);
        body.on_table() && body.marks.has(Marks::MINING) && battle.side(body) == side
    })
}

pub(crate) fn next_reaction(battle: &Battle, state: &mut State, fx: &mut impl Effects) -> bool {
    let side = state.turn_of;
    let mut mine = reactors(battle, state, side);
    let (first, second) = (mine.next(), mine.next());
    drop(mine);
    let miner = miners(battle, state, side).next();
    match (first, second, miner) {
        (Some(only), None, None) if !leaders::could_help(battle, state, side) => {
            state.turn_of = side.enemy();
            react(battle, state, only, fx);
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
