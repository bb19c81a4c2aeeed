//! 10. Rifle Fire.

use game::{Effects, Entry, Kind, Side};
use hexmap::{Hex, HexSet};

use crate::action::Action;
use crate::legal::{Bar, Lawful};
use crate::rules::artillery_fire::{check_marks, marks, may_fire_in_its_order, shoot};
use crate::rules::results::{Effect, Hit};
use crate::rules::sequence::Step;
use crate::rules::tactics;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Shot, State};

/// Whether a rifle unit of that side may still shoot in this phase (10.1).
fn may_shoot(battle: &Battle, state: &State, side: Side, unit: Piece) -> Lawful {
    if !battle.roles.rifles.has(unit) || !battle.units[side].has(unit) || state.hex(unit).is_none() {
        return Err(Bar::new(cite!("10.1.a"), "only the side's own rifle units on the map fire"));
    }
    if state.acted.has(unit) {
        return Err(Bar::new(cite!("10.1.c"), "it has fired in this phase"));
    }
    may_fire_in_its_order(state, unit)
}

fn ready(battle: &Battle, state: &State, side: Side) -> Pieces {
    (battle.roles.rifles & battle.units[side])
        .filter(|&u| may_shoot(battle, state, side, u).is_ok())
        .collect()
}

fn adjacent(battle: &Battle, state: &State, unit: Piece, at: Hex) -> bool {
    state.hex(unit).is_some_and(|from| battle.ground.adjacent(from, at))
}

/// Whether any rifle unit of the side has an enemy beside it.
#[must_use]
pub fn anybody(battle: &Battle, state: &State, side: Side) -> bool {
    let mut rifles = ready(battle, state, side);
    rifles.any(|unit| {
        (battle.units[!side] & state.on_map())
            .filter(|&u| !state.targeted.has(u))
            .any(|u| state.hex(u).is_some_and(|at| adjacent(battle, state, unit, at)))
    })
}

pub(crate) fn offers(battle: &Battle, state: &State, side: Side, out: &mut Vec<Action>) {
    let ready = ready(battle, state, side);
    let foes: HexSet = (battle.units[!side] & state.on_map()).filter_map(|u| state.hex(u)).collect();
    for at in foes {
        if marks(battle, state, at, side).is_empty() {
            continue;
        }
        let able: Pieces = ready.filter(|&u| adjacent(battle, state, u, at)).collect();
        out.extend(able.subsets().map(|rifles| Action::Shoot { rifles, at }));
    }
    out.push(Action::Done);
}

pub(crate) fn check(battle: &Battle, state: &State, side: Side, action: &Action) -> Lawful {
    let (rifles, at) = match *action {
        Action::Shoot { rifles, at } => (rifles, at),
        Action::Done => return Ok(()),
        _ => return Err(Bar::other("this is the rifle fire phase")),
    };
    if rifles.is_empty() || at.index() >= battle.ground.grid.len() {
        return Err(Bar::other("no rifle unit, or no hex of the map, was named"));
    }
    for unit in rifles {
        if unit.index() >= battle.counters.len() {
            return Err(Bar::other("there is no such piece"));
        }
        may_shoot(battle, state, side, unit)?;
        if !adjacent(battle, state, unit, at) {
            return Err(Bar::new(cite!("10.2.b"), "rifles fire at adjacent units only"));
        }
    }
    check_marks(battle, state, at, side, cite!("10.2.b"), cite!("10.2.c"))
}

/// A target is named; nothing is rolled before both sides have named theirs (10.2.a, 10.4.a).
pub(crate) fn announce(battle: &Battle, state: &mut State, by: Pieces, target: Piece, fx: &mut impl Effects) {
    state.shots.push(Shot { by, at: target, hit: Hit::NOTHING });
    fx.tell(|| {
        let names: Vec<&str> = by.map(|u| battle.counter(u).name.as_str()).collect();
        let mut entry = Entry::new(
            Kind::Fire,
            format!("{} will fire at {}.", names.join(", "), battle.counter(target).name),
        )
        .side(battle.side(target).enemy())
        .rule(cite!("10.2.a"));
        entry.pieces.extend(by.map(Piece::id).chain([target.id()]));
        entry
    });
}

/// Whether Jaegers roll twice: each in covered terrain, each with an open flank (10.7.a, R54, R55).
#[must_use]
pub fn fires_twice(battle: &Battle, state: &State, by: Pieces, at: Hex) -> bool {
    let mut units = by;
    by.within(battle.roles.jaegers)
        && units.all(|unit| {
            let Some(from) = state.hex(unit) else { return false };
            let arm = battle.counter(unit).arm;
            battle.ground.terrain[from.index()].is_covered()
                && tactics::common(battle, from, at)
                    .any(|hex| state.in_hex(hex).is_empty() && battle.ground.may_enter(arm, from, hex))
        })
}

/// All fires of both sides are rolled before any takes effect (10.4.a).
pub(crate) fn resolve(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    state.agenda.pop();
    let mut shots = std::mem::take(&mut state.shots);
    for shot in &mut shots {
        shot.hit = shoot(battle, state, shot.by, shot.at, true, fx);
    }
    for shot in &shots {
        state.unfired -= shot.by;
    }
    shots.retain(|shot| shot.hit != Hit::NOTHING);
    if shots.is_empty() {
        return;
    }
    state.shots = shots;
    state.netting = true;
    state.agenda.push(Step::Settle);
    state.agenda.push(Step::Hits);
}

/// The hits take effect together: nobody retreats before everybody who falls has fallen, and then the non-phasing
/// player's units go first (10.4.a, 10.4.b).
pub(crate) fn step_hits(battle: &Battle, state: &mut State) {
    let turn = |shot: &Shot| match () {
        () if !drives(state, shot) => 0,
        () if battle.units[!state.phasing].has(shot.at) => 1,
        () => 2,
    };
    match (0..state.shots.len()).min_by_key(|&i| turn(&state.shots[i])) {
        Some(next) => {
            let shot = state.shots.remove(next);
            state.agenda.push(Step::Struck { unit: shot.at, hit: shot.hit });
        }
        None => drop(state.agenda.pop()),
    }
}

/// Whether a hit makes its target retreat.
fn drives(state: &State, shot: &Shot) -> bool {
    match shot.hit.effect {
        Effect::Retreat => true,
        Effect::Disrupt => !state.shattered.has(shot.at),
        _ => false,
    }
}

/// Units that the volley has disrupted and that have not yet run: they control no zone any more (10.4.a, 8.1.a).
pub(crate) fn reeling(state: &State) -> Pieces {
    state.shots.iter().filter(|shot| shot.hit.effect == Effect::Disrupt).map(|shot| shot.at).collect()
}
