//! Chapter 9: bombardment.

use game::Effects;

use crate::action::Action;
use crate::legal::Bar;
use crate::rules::combat::{army, attacker};
use crate::rules::fire::FireKind;
use crate::rules::sight::in_sight;
use crate::rules::{fire, morale, sight, zones};
use crate::setup::battle::Battle;
use crate::state::{Id, State, UnitSet};

/// Whether a unit may bombard at all in this step (6.1.2.a, R20).
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check_gun(battle: &Battle, state: &State, gun: Id) -> Result<(), Bar> {
    if !battle.unit(gun).arm.has_guns() {
        return Err(Bar::new("Only artillery and horse artillery bombard.", cite!("9.a")));
    }
    if !state.piece(gun).on_map() {
        return Err(Bar::new("It is not on the map.", cite!("9.a")));
    }
    if zones::in_enemy_zone(battle, state, gun) {
        return Err(Bar::new("It stands in an enemy zone of control.", cite!("9.b")));
    }
    if state.bombarded.contains(gun) {
        return Err(Bar::new("It has bombarded in this Combat Turn.", cite!("6.3.a")));
    }
    if let Some(rule) = morale::silenced(battle, state, gun) {
        return Err(Bar::new("Its ammunition is spent.", rule));
    }
    Ok(())
}

/// `bombard`.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn check(battle: &Battle, state: &State, gun: Id, target: Id) -> Result<(), Bar> {
    check_gun(battle, state, gun)?;
    if battle.side(gun) == battle.side(target) || !state.piece(target).on_map() {
        return Err(Bar::new("The target must be an enemy on the map.", cite!("6.1.2.a")));
    }
    let (from, to) = (state.piece(gun).hex, state.piece(target).hex);
    if battle.ground.distance(from, to) > sight::LIMIT {
        return Err(Bar::new("Sight and range end at four hexes.", cite!("9.3.d")));
    }
    if !in_sight(battle, from, to) {
        return Err(Bar::new("The line of sight is blocked.", cite!("9.3.b")));
    }
    Ok(())
}

fn targets(battle: &Battle, state: &State, gun: Id) -> UnitSet {
    let from = state.piece(gun).hex;
    let enemies = army(battle, state, battle.side(gun).enemy());
    enemies.into_iter().filter(|&t| in_sight(battle, from, state.piece(t).hex)).collect()
}

/// The guns that can bombard, each with what it sees.
pub(crate) fn ready<'a>(battle: &'a Battle, state: &'a State) -> impl Iterator<Item = (Id, UnitSet)> + 'a {
    let guns = army(battle, state, attacker(state)).without(state.bombarded);
    guns.into_iter()
        .filter(|&gun| battle.unit(gun).arm.has_guns() && check_gun(battle, state, gun).is_ok())
        .map(|gun| (gun, targets(battle, state, gun)))
        .filter(|(_, targets)| !targets.is_empty())
}

pub(crate) fn offers(battle: &Battle, state: &State, out: &mut Vec<Action>) {
    for (unit, targets) in ready(battle, state) {
        out.extend(targets.into_iter().map(|at| Action::Bombard { unit, at }));
    }
    out.push(Action::Pass);
}

/// 6.1.2.c, 6.3.2.c: all intact SPs at one hex, and the target's check at once.
pub(crate) fn bombard(battle: &Battle, state: &mut State, gun: Id, target: Id, fx: &mut impl Effects) {
    state.bombarded.insert(gun);
    let points = state.piece(gun).intact();
    let hits = fire::roll(battle, state, (gun, target), points, FireKind::Bombardment, fx);
    if hits > 0 {
        morale::check_after_bombardment(battle, state, target, hits, fx);
    }
}
