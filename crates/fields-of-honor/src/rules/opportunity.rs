//! Opportunity fire and opportunity charges: what the enemy of the mover may do after each step.

use game::Effects;
use table::INCH;

use crate::cite;
use crate::rules::basics::Formation;
use crate::rules::fire::{FireOrder, When};
use crate::rules::{charge, fire};
use crate::setup::battle::Battle;
use crate::state::{BodyId, Face, Marks, State};

pub(crate) fn can_interrupt(battle: &Battle, state: &State) -> bool {
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

/// Whether a body may fire at the mover now.
#[must_use]
pub fn can_snap(battle: &Battle, state: &State, by: BodyId) -> Option<u16> {
    let mover = state.march.unit?;
    fire::may_fire(battle, state, by, When::Opportunity).ok()?;
    fire::may_be_target(battle, state, by, mover).ok()?;
    let target = state.body(mover).layout(battle);
    let far = battle.info(state.body(by)).weapon.ranges[3];
    if !state.body(by).layout(battle).may_be_within(&target, far + INCH) {
        return None;
    }
    let aim = fire::bearing(battle, state, by, mover, &target).ok()?;
    fire::order_allows(battle, state, by, aim.band).ok()?;
    Some(aim.stands)
}

pub(crate) fn snap(battle: &Battle, state: &mut State, by: BodyId, stands: u16, fx: &mut impl Effects) {
    let Some(mover) = state.march.unit else { return };
    let target = state.body(mover).layout(battle);
    let Ok(aim) = fire::bearing(battle, state, by, mover, &target) else { return };
    let order = FireOrder::plain(When::Opportunity, stands);
    let shot = fire::shot(battle, state, by, mover, &target, &aim, order);
    let hits = fire::roll_shot(battle, state, &shot, fx);
    fire::has_fired(state, by, Marks::FIRED_EARLY.and(Marks::SNAPPED));
    fire::apply(battle, state, by, mover, shot.through, hits, fx);
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
pub(crate) fn has_had_its_chance(state: &State, by: BodyId) -> bool {
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
