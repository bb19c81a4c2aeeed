//! Chapter 7.3, defensive fire: chargers halt at point blank and take the volleys of target and support (P1, steps 9 to
//! 11).

use arrayvec::ArrayVec;
use game::Effects;
use table::Way;

use crate::field::Field;
use crate::rules::charges::line::{surprises, to_point_blank};
use crate::rules::charges::{Charge, ChargeStep, next};
use crate::rules::command::roads::shift_unit;
use crate::rules::commanders::{evade, follow};
use crate::rules::formations::POINT_BLANK;
use crate::rules::morale::{After, break_if_due, breaks_with, broken_troops, mark_hits};
use crate::rules::sequence::Step;
use crate::rules::shooting::{Volley, defensive_fire};
use crate::setup::battle::{Battle, State, UnitId, Units};

/// P1, steps 9 and 10: to point blank, and fire unless a charger surprises.
pub(crate) fn point_blank(battle: &Battle, state: &mut State, charge: &Charge, fx: &mut impl Effects) {
    let surprise = {
        let field = Field::new(battle, state);
        charge.active().any(|c| surprises(&field, c))
    };
    for c in charge.active() {
        let pose = {
            let field = Field::new(battle, state);
            let by = to_point_blank(&field, c, field.rect(charge.target), POINT_BLANK);
            if by == 0 { c.start } else { c.along(&field, by) }
        };
        shift_unit(battle, state, c.unit, pose);
        follow(battle, state, c.unit);
    }
    // Commanders leave the path of the charge, all of it, whoever then goes in (7.5.b).
    let path: Vec<Way> = {
        let field = Field::new(battle, state);
        charge.active().flat_map(|c| c.legs(&field, c.length())).collect()
    };
    evade(battle, state, charge.side(battle), &path, fx);
    next(state, if surprise { ChargeStep::Contact } else { ChargeStep::Volleys });
}

/// Who has yet to fire of target and support; the next step.
pub(crate) fn volleys(battle: &Battle, state: &mut State) {
    let Some(charge) = &state.charge else { return };
    let field = Field::new(battle, state);
    let ready = |u: UnitId| charge.active().any(|c| defensive_fire(&field, u, c.unit).is_ok());
    let target = (!charge.fired.0 && ready(charge.target)).then_some(charge.target);
    let support = charge.support.filter(|s| !charge.fired.1 && ready(*s));
    let step = match (target, support) {
        (Some(_), Some(_)) => ChargeStep::WhoFires,
        (Some(shooter), None) | (None, Some(shooter)) => ChargeStep::Fire { shooter },
        (None, None) => ChargeStep::Tests,
    };
    next(state, step);
}

/// The defender's owner has named the first to fire.
pub(crate) fn fires_first(state: &mut State, shooter: UnitId) {
    next(state, ChargeStep::Fire { shooter });
}

/// One defender's volley, shared over the chargers in its front arc and sight (7.9.c, R58).
pub(crate) fn fire(
    battle: &Battle,
    state: &mut State,
    mut charge: Charge,
    shooter: UnitId,
    fx: &mut impl Effects,
) {
    if shooter == charge.target {
        charge.fired.0 = true;
    } else {
        charge.fired.1 = true;
    }
    let field = Field::new(battle, state);
    let shots: ArrayVec<(usize, Volley), 8> = charge
        .chargers
        .iter()
        .enumerate()
        .filter(|(_, c)| !c.out)
        .filter_map(|(i, c)| defensive_fire(&field, shooter, c.unit).ok().map(|v| (i, v)))
        .collect();
    for c in &mut charge.chargers {
        c.share = 0;
    }
    let Some((_, lead)) = shots.first().cloned() else {
        state.charge = Some(charge);
        return next(state, ChargeStep::Volleys);
    };
    let count = shots.len() as u8;
    charge.by_dice = shots.iter().any(|(_, v)| v.need != lead.need || v.dice != lead.dice);
    let whole = if charge.by_dice {
        shots.iter().map(|(_, v)| v.dice).max().unwrap_or(0)
    } else {
        let target = charge.chargers[shots[0].0].unit;
        lead.roll(battle, shooter, target, lead.dice, fx)
    };
    for (i, _) in &shots {
        charge.chargers[*i].share = whole / count;
    }
    charge.odd = if count > 1 { whole % count } else { 0 };
    if count == 1 {
        charge.chargers[shots[0].0].share = whole;
    }
    let odd = charge.odd > 0;
    state.charge = Some(charge);
    next(state, if odd { ChargeStep::Odd { shooter } } else { ChargeStep::Saves { shooter } });
}

/// Chargers that may take an odd hit: all who are under fire, as the defender likes (7.9.c).
pub(crate) fn odd_takers(field: &Field<'_>, shooter: UnitId) -> Units {
    let Some(charge) = &field.state.charge else { return Units::new() };
    charge.active().map(|c| c.unit).filter(|u| defensive_fire(field, shooter, *u).is_ok()).collect()
}

/// The defender gives an odd hit or die to a charger.
pub(crate) fn give_odd(state: &mut State, shooter: UnitId, to: UnitId) {
    let Some(charge) = &mut state.charge else { return };
    if let Some(c) = charge.chargers.iter_mut().find(|c| c.unit == to) {
        c.share += 1;
        charge.odd -= 1;
    }
    if charge.odd == 0 {
        next(state, ChargeStep::Saves { shooter });
    }
}

/// Each charger saves its own share; hits count at once.
pub(crate) fn saves(
    battle: &Battle,
    state: &mut State,
    mut charge: Charge,
    shooter: UnitId,
    fx: &mut impl Effects,
) {
    for i in 0..charge.chargers.len() {
        let (u, share) = (charge.chargers[i].unit, charge.chargers[i].share);
        charge.chargers[i].share = 0;
        if share == 0 || charge.chargers[i].out {
            continue;
        }
        let Ok(volley) = defensive_fire(&Field::new(battle, state), shooter, u) else { continue };
        let hits = if charge.by_dice { volley.roll(battle, shooter, u, share, fx) } else { share };
        let unsaved = hits - volley.saves(battle, u, hits, fx);
        charge.chargers[i].hurt |= unsaved > 0;
        mark_hits(battle, state, u, unsaved, fx);
    }
    let units: Units = charge.chargers.iter().map(|c| c.unit).collect();
    state.charge = Some(charge);
    next(state, ChargeStep::Volleys);
    for u in units {
        break_if_due(battle, state, u, fx);
    }
}

/// The chargers that have yet to test for the volleys; none of a determined charge (P1, step 11).
pub(crate) fn to_test(state: &State) -> Units {
    let Some(charge) = state.charge.as_ref().filter(|c| c.result <= 10) else { return Units::new() };
    charge.active().filter(|c| c.hurt && state.on_table(c.unit)).map(|c| c.unit).collect()
}

/// The chargers among whom their owner chooses who tests next: where a brigade could break before the last of its units
/// has tested, the order matters (G50).
pub(crate) fn tests_to_order(battle: &Battle, state: &State) -> Units {
    let waiting = to_test(state);
    let could_break = |u: &UnitId| {
        let b = battle.unit(*u).brigade;
        let mates = waiting.iter().filter(|v| battle.unit(**v).brigade == b).count() as u8;
        mates > 1
            && !state.brigade_broken(b)
            && breaks_with(battle, b, broken_troops(battle, state, b) + mates - 1)
    };
    if waiting.iter().any(could_break) { waiting } else { Units::new() }
}

/// P1, step 11: those hit test, one after the other.
pub(crate) fn tests(battle: &Battle, state: &mut State) {
    if !tests_to_order(battle, state).is_empty() {
        return;
    }
    match to_test(state).first() {
        Some(u) => begin_test(state, *u),
        None => next(state, ChargeStep::Contact),
    }
}

pub(crate) fn begin_test(state: &mut State, u: UnitId) {
    let charger = state.charge.as_mut().and_then(|c| c.chargers.iter_mut().find(|c| c.unit == u));
    if let Some(charger) = charger {
        charger.hurt = false;
    }
    state.agenda.push(Step::Morale { unit: u, after: After::Charge });
}
