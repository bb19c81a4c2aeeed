//! 6.1.4, 6.1.7.f, 6.2: approach fire, the division of fire, the dice of a step, and the checks that follow.

use arrayvec::ArrayVec;
use game::words::does;
use game::{Effects, Refusal, RollNote, Side};

use crate::action::{Action, MAX_TARGETS};
use crate::rules::basics::even_split;
use crate::rules::combat::attacker;
use crate::rules::fire::FireKind;
use crate::rules::zones::{directions, opposite};
use crate::rules::{engagement, fire, morale, zones};
use crate::setup::battle::Battle;
use crate::state::{FireOf, Id, State, Step, UnitSet};

/// The directions of those who draw this unit's approach fire.
fn approach_targets(battle: &Battle, state: &State, firer: Id) -> u8 {
    let hex = state.piece(firer).hex;
    let around = zones::adjacent_to(battle, state, battle.side(firer).enemy(), hex);
    directions(around)
        .filter(|&d| {
            let target = state.occupant(battle.ground.beyond[hex.index()][d]);
            state.piece(target).approach & 1 << opposite(d) != 0
        })
        .fold(0, |m, d| m | 1 << d)
}

/// Step 4: everybody with approach fire takes aim; then splits, dice and checks (R25).
pub(crate) fn begin(battle: &Battle, state: &mut State) {
    state.agenda.pop();
    let mut anybody = false;
    for id in state.on_map() {
        let targets = approach_targets(battle, state, id);
        let piece = state.piece_mut(id);
        piece.was = piece.hex;
        piece.shot_into = targets;
        anybody |= targets != 0;
    }
    if !anybody {
        return remove_markers(state);
    }
    let side = attacker(state);
    state.agenda.push(Step::Advance);
    state.agenda.push(Step::Checks(FireOf::Approach, side));
    state.agenda.push(Step::Checks(FireOf::Approach, side.enemy()));
    state.agenda.push(Step::Fire(FireOf::Approach, Id(0), 0));
    state.agenda.push(Step::Split(FireOf::Approach));
}

/// 6.1.4.g, 13.b.
pub(crate) fn remove_markers(state: &mut State) {
    for piece in &mut state.pieces[..usize::from(state.units)] {
        piece.approach = 0;
    }
}

/// The directions over which a unit divides its SPs: its targets, and in approach fire those that mask (6.1.4.k).
#[must_use]
pub(crate) fn divided_over(battle: &Battle, state: &State, id: Id, fire: FireOf) -> u8 {
    let targets = state.piece(id).shot_into;
    match fire {
        FireOf::Round => targets,
        FireOf::Approach => targets | zones::enemies_over(battle, state, id),
    }
}

/// Those units, in file order, with their directions.
#[must_use]
pub(crate) fn parties(
    battle: &Battle,
    state: &State,
    id: Id,
    mask: u8,
) -> ArrayVec<(Id, usize), MAX_TARGETS> {
    let hex = state.piece(id).hex;
    let mut found: ArrayVec<(Id, usize), MAX_TARGETS> =
        directions(mask).filter_map(|d| Some((state.at(battle.ground.beyond[hex.index()][d])?, d))).collect();
    found.sort_unstable();
    found
}

/// How many SPs do not divide evenly, and over how many.
fn odd_points(battle: &Battle, state: &State, id: Id, fire: FireOf) -> (u8, u8) {
    let n = divided_over(battle, state, id, fire).count_ones() as u8;
    if n < 2 { (0, n) } else { (even_split(state.piece(id).intact(), n).1, n) }
}

/// The next unit whose odd SPs must be assigned: the Attacker's in file order, then the Defender's.
#[must_use]
pub(crate) fn next_to_split(battle: &Battle, state: &State, fire: FireOf) -> Option<Id> {
    let own = battle.armies[attacker(state)].units;
    let all: UnitSet = state.on_map().without(state.settled);
    let odd = |id: &Id| state.piece(*id).shot_into != 0 && odd_points(battle, state, *id, fire).0 > 0;
    let found = all.and(own).into_iter().find(odd);
    found.or_else(|| all.without(own).into_iter().find(odd))
}

/// Odd SPs by themselves: with At Random, or when there are none; false if an owner must choose.
pub(crate) fn split_step(battle: &Battle, state: &mut State, fire: FireOf, fx: &mut impl Effects) -> bool {
    let Some(id) = next_to_split(battle, state, fire) else {
        state.agenda.pop();
        return true;
    };
    if !battle.house.at_random {
        return false;
    }
    let mut left = parties(battle, state, id, divided_over(battle, state, id, fire));
    for _ in 0..odd_points(battle, state, id, fire).0 {
        let drawn = match left.len() {
            1 => 0,
            n => fx.draw(n, || {
                RollNote::new(format!("An odd SP of {}", battle.name(id)), cite!("3.1.c"))
                    .side(battle.side(id))
                    .by(id.piece())
            }),
        };
        let (_, direction) = left.remove(drawn);
        state.piece_mut(id).extra |= 1 << direction;
    }
    settle(battle, state, fire, id);
    true
}

/// The shares stand. An attack that no SP makes is none, unless the attacker is bound to it: the defender is not fired at and
/// does not answer (6.1.7.c, R28).
fn settle(battle: &Battle, state: &mut State, fire: FireOf, unit: Id) {
    state.settled.insert(unit);
    if fire == FireOf::Approach || battle.side(unit) != attacker(state) {
        return;
    }
    let bound = engagement::bound_to_fire_on(battle, state, unit);
    let shares = shares(battle, state, unit, fire);
    for &(target, d, _) in shares.iter().filter(|(_, d, points)| *points == 0 && bound & 1 << d == 0) {
        state.piece_mut(unit).shot_into &= !(1 << d);
        state.piece_mut(target).shot_into &= !(1 << opposite(d));
    }
    // What is left may divide evenly now.
    let left = state.piece(unit).shot_into;
    if u32::from(state.piece(unit).intact()) == left.count_ones() {
        state.piece_mut(unit).extra = 0;
    }
}

/// The SPs a unit gives to each party it divides its fire over.
#[must_use]
pub(crate) fn shares(
    battle: &Battle,
    state: &State,
    id: Id,
    fire: FireOf,
) -> ArrayVec<(Id, usize, u8), MAX_TARGETS> {
    let mask = divided_over(battle, state, id, fire);
    let each = even_split(state.piece(id).intact(), mask.count_ones().max(1) as u8).0;
    let extra = state.piece(id).extra;
    parties(battle, state, id, mask)
        .into_iter()
        .map(|(party, d)| (party, d, each + (extra >> d & 1)))
        .collect()
}

/// Every way to assign the odd SPs.
pub(crate) fn split_offers(battle: &Battle, state: &State, fire: FireOf, out: &mut Vec<Action>) {
    let Some(unit) = next_to_split(battle, state, fire) else { return };
    let parties = parties(battle, state, unit, divided_over(battle, state, unit, fire));
    let (odd, n) = odd_points(battle, state, unit, fire);
    let each = even_split(state.piece(unit).intact(), n).0;
    for chosen in (0u8..1 << n).filter(|c| c.count_ones() == u32::from(odd)) {
        let (mut targets, mut shares) = ([Id::NONE; MAX_TARGETS], [0; MAX_TARGETS]);
        for (i, (id, _)) in parties.iter().enumerate() {
            (targets[i], shares[i]) = (*id, each + (chosen >> i & 1));
        }
        out.push(Action::Split { unit, targets, shares });
    }
}

/// `split`.
///
/// # Errors
/// 6.1.7.f, or 6.1.4.h in approach fire.
pub(crate) fn check_split(
    battle: &Battle,
    state: &State,
    fire: FireOf,
    unit: Id,
    targets: &[Id; MAX_TARGETS],
    shares: &[u8; MAX_TARGETS],
) -> Result<(), Refusal> {
    if next_to_split(battle, state, fire) != Some(unit) {
        return Err(Refusal::off_turn("Another unit divides its fire."));
    }
    let parties = parties(battle, state, unit, divided_over(battle, state, unit, fire));
    let each = even_split(state.piece(unit).intact(), parties.len() as u8).0;
    let named = targets.iter().filter(|t| **t != Id::NONE).count();
    let all_named = named == parties.len() && parties.iter().all(|(id, _)| targets.contains(id));
    let total: u16 = shares.iter().map(|&s| u16::from(s)).sum();
    let even = targets.iter().zip(shares).all(|(t, &s)| *t == Id::NONE || s == each || s == each + 1);
    if all_named && even && total == u16::from(state.piece(unit).intact()) {
        return Ok(());
    }
    let rule = if fire == FireOf::Approach { cite!("6.1.4.h") } else { cite!("6.1.7.f") };
    let (name, points, n) = (battle.name(unit), state.piece(unit).intact(), parties.len());
    let why = format!(
        "{points} SP divide over {n} as evenly as possible: {each} each, the odd ones as you choose."
    );
    Err(Refusal::new(does(name, "does not divide the fire so."), why, rule))
}

pub(crate) fn split(
    battle: &Battle,
    state: &mut State,
    fire: FireOf,
    unit: Id,
    targets: &[Id],
    shares: &[u8],
) {
    let parties = parties(battle, state, unit, divided_over(battle, state, unit, fire));
    let each = even_split(state.piece(unit).intact(), parties.len().max(1) as u8).0;
    for (id, direction) in parties {
        let share = targets.iter().position(|t| *t == id).map_or(0, |i| shares[i]);
        if share > each {
            state.piece_mut(unit).extra |= 1 << direction;
        }
    }
    settle(battle, state, fire, unit);
}

/// One fire of the step: firers in file order, each firer's targets in file order; hits are only marked (6.2.a). A step
/// is one fire so that exact odds can add up equal positions after each.
pub(crate) fn fire_step(
    battle: &Battle,
    state: &mut State,
    fire: FireOf,
    next: (Id, u8),
    fx: &mut impl Effects,
) {
    let Some((firer, at, (target, direction, points))) = next_fire(battle, state, fire, next) else {
        return end_of_fire(battle, state, fire);
    };
    state.agenda.replace(Step::Fire(fire, firer, at + 1));
    let kind = match fire {
        FireOf::Round => FireKind::Round,
        FireOf::Approach => FireKind::Approach,
    };
    let hits = fire::roll(battle, state, (firer, target), points, kind, fx);
    let piece = state.piece_mut(target);
    piece.hits = piece.hits.saturating_add(hits);
    piece.shot_from |= 1 << opposite(direction);
}

/// The next fire from there on that has SPs to it, and which of the firer's shares it is. The share of those that only mask
/// is not fired (6.1.4.l).
fn next_fire(
    battle: &Battle,
    state: &State,
    fire: FireOf,
    (from, at): (Id, u8),
) -> Option<(Id, u8, (Id, usize, u8))> {
    let firers = state.on_map().into_iter().filter(|&id| id >= from && state.piece(id).shot_into != 0);
    for firer in firers {
        let first = if firer == from { usize::from(at) } else { 0 };
        let targets = state.piece(firer).shot_into;
        let shares = shares(battle, state, firer, fire);
        let fired = |(_, (_, direction, points)): &(usize, (Id, usize, u8))| {
            *points > 0 && targets >> direction & 1 != 0
        };
        if let Some((at, share)) = shares.into_iter().enumerate().skip(first).find(fired) {
            return Some((firer, at as u8, share));
        }
    }
    None
}

/// Whoever had no SP for a target has not fired at it: no cause of a retreat, no leave to advance.
fn end_of_fire(battle: &Battle, state: &mut State, fire: FireOf) {
    state.agenda.pop();
    for firer in state.on_map() {
        let idle = shares(battle, state, firer, fire).into_iter().filter(|(_, _, points)| *points == 0);
        let mask = idle.fold(0u8, |m, (_, direction, _)| m | 1 << direction);
        state.piece_mut(firer).shot_into &= !mask;
        if fire == FireOf::Round && state.round == 2 && state.piece(firer).shot_into != 0 {
            state.fired_in_two.insert(firer);
        }
    }
    if fire == FireOf::Approach {
        remove_markers(state);
    }
}

/// The units of a side still to check.
#[must_use]
pub(crate) fn hit_units(battle: &Battle, state: &State, side: Side) -> UnitSet {
    let own = state.on_map().and(battle.armies[side].units);
    own.into_iter().filter(|&id| state.piece(id).hits > 0).collect()
}

/// Checks by themselves; false if the owner must choose the order (6.2.4.b).
pub(crate) fn checks_step(
    battle: &Battle,
    state: &mut State,
    fire: FireOf,
    side: Side,
    fx: &mut impl Effects,
) -> bool {
    let hit = hit_units(battle, state, side);
    let drawn = match hit.len() {
        0 => {
            state.agenda.pop();
            return true;
        }
        1 => 0,
        n if battle.house.at_random => fx.draw(n, || {
            RollNote::new("Who checks next", cite!("3.1.g"))
                .side(side)
                .outcomes(hit.into_iter().map(|u| battle.name(u)))
        }),
        _ => return false,
    };
    if let Some(id) = hit.into_iter().nth(drawn) {
        morale::check_after_fire(battle, state, id, fire, fx);
    }
    true
}

/// `check`.
///
/// # Errors
/// When the unit has no hits.
pub(crate) fn check_order(battle: &Battle, state: &State, side: Side, unit: Id) -> Result<(), Refusal> {
    if hit_units(battle, state, side).contains(unit) {
        return Ok(());
    }
    let why = "Only units of the side that checks, with hits still to be checked, are in question.";
    Err(Refusal::new(does(battle.name(unit), "does not check."), why, cite!("10.4.1.a")))
}
