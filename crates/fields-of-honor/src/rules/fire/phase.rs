//! The Fire Phase: declared by both, rolled on one state, applied together.

use game::{Effects, Side};

use crate::cite;
use crate::rules::basics::Formation;
use crate::rules::fire::arcs::{Bearing, bearing, why_not};
use crate::rules::fire::{
    Aim, FireOrder, No, Volley, When, apply, has_fired, may_be_target, may_fire, roll_shot,
};
use crate::setup::battle::Battle;
use crate::state::{BodyId, Command, MAX_BODIES, MAX_LEADERS, MAX_VOLLEYS, Marks, State};

/// The stands of a body that have not been given a target yet.
#[must_use]
pub fn unassigned(state: &State, by: BodyId) -> u16 {
    let given = state.volleys.iter().filter(|v| v.by == by && !matches!(v.at, Aim::Leader(_)));
    !given.fold(0, |all, v| all | v.stands)
}

/// Whether a body that has declared a fire may declare another: everybody else's first fire, and a shot at every leader,
/// must still find room.
fn may_split(state: &State, by: BodyId) -> Result<(), No> {
    let again = state.volleys.iter().any(|v| v.by == by && !matches!(v.at, Aim::Leader(_)));
    if again && state.volleys.len() >= MAX_VOLLEYS - MAX_BODIES - MAX_LEADERS {
        return Err(No::new(cite!("fire.arcs.b"), "108 fires are declared; give all its stands one target"));
    }
    Ok(())
}

/// Whether a body fires in this segment of the phase.
#[must_use]
pub fn in_segment(state: &State, by: BodyId, moving: bool) -> bool {
    state.body(by).marks.has(Marks::MOVED) == moving
}

/// Checks a declared fire.
///
/// # Errors
/// The rule that forbids it.
pub fn check_volley(
    battle: &Battle,
    state: &State,
    volley: &Volley,
    side: Side,
    moving: bool,
) -> Result<(), No> {
    if battle.side_of(state, volley.by) != side {
        return Err(No::new(cite!("fire.procedure.a"), "it is not yours"));
    }
    if !in_segment(state, volley.by, moving) {
        return Err(No::new(
            cite!("fire.stationary.a"),
            "stationary units fire first, those that moved afterwards",
        ));
    }
    match volley.at {
        Aim::Leader(leader) => return crate::rules::leaders::may_snipe(battle, state, volley.by, leader),
        Aim::Wall { wall, along } => {
            may_split(state, volley.by)?;
            return crate::rules::forts::may_batter(battle, state, volley, wall, along);
        }
        Aim::Body(_) => {}
    }
    may_split(state, volley.by)?;
    may_fire(battle, state, volley.by, When::Phase)?;
    let Aim::Body(at) = volley.at else { return Ok(()) };
    may_be_target(battle, state, volley.by, at)?;
    let target = state.body(at).layout(battle);
    let aim = bearing(battle, state, volley.by, at, &target)?;
    if volley.stands == 0 {
        return Err(No::new(cite!("fire.arcs.a"), "no stand is left to fire"));
    }
    if let Some(stand) = (0..16).find(|i| (volley.stands & !aim.stands) & (1 << i) != 0) {
        return Err(why_not(battle, state, volley.by, at, &target, stand));
    }
    if volley.stands & !unassigned(state, volley.by) != 0
        || aim.fixed.is_some() && used(state, volley.by, &aim)
    {
        return Err(No::new(cite!("fire.arcs.b"), "a stand fires at one target only"));
    }
    if volley.shrapnel && (!battle.info(state.body(volley.by)).shrapnel || aim.band == 0) {
        return Err(No::new(
            cite!("qrs.artillery.a"),
            "shrapnel is for batteries that have it, beyond short range",
        ));
    }
    order_allows(battle, state, volley.by, aim.band)
}

/// A march column, or the side of a square that bears, has fired: their dice are counted for the whole.
fn used(state: &State, by: BodyId, aim: &Bearing) -> bool {
    unassigned(state, by) & aim.stands != aim.stands
}

/// Under a Move order only at short range (R97).
///
/// # Errors
/// The rule.
pub fn order_allows(battle: &Battle, state: &State, by: BodyId, band: usize) -> Result<(), No> {
    if battle.order_of(state, by) == Some(Command::Move) && band > 0 {
        return Err(No::new(
            cite!("orders.h"),
            "under a Move order it fires only at enemies within its short range",
        ));
    }
    Ok(())
}

/// Every fire a side may declare in a segment; it stops looking once it has found `enough`.
pub fn volleys(
    battle: &Battle,
    state: &State,
    side: Side,
    moving: bool,
    enough: usize,
    out: &mut Vec<Volley>,
) {
    for (by, body) in state.on_table() {
        if out.len() >= enough {
            return;
        }
        if battle.side(body) != side || !in_segment(state, by, moving) {
            continue;
        }
        crate::rules::leaders::snipes(battle, state, by, out);
        if may_fire(battle, state, by, When::Phase).is_err() {
            continue;
        }
        let free = unassigned(state, by);
        if free & 0xfff == 0 && body.shape.formation != Formation::Square || may_split(state, by).is_err() {
            continue;
        }
        let mine = body.layout(battle);
        let far = battle.info(body).weapon.ranges[3] + 2 * table::INCH;
        for (at, enemy) in state.on_table() {
            if battle.side(enemy) == side || !mine.may_be_within(&enemy.layout(battle), far) {
                continue;
            }
            if may_be_target(battle, state, by, at).is_err() {
                continue;
            }
            let Ok(aim) = bearing(battle, state, by, at, &enemy.layout(battle)) else { continue };
            let stands = aim.stands & free;
            if aim.fixed.is_some() && stands != aim.stands {
                continue;
            }
            if stands == 0 || order_allows(battle, state, by, aim.band).is_err() {
                continue;
            }
            let volley = Volley::of(by, Aim::Body(at), stands);
            out.push(volley);
            if battle.info(body).shrapnel && aim.band > 0 {
                out.push(Volley { shrapnel: true, ..volley });
            }
            // The half of the stands that is nearer to either end, so that fire can be split.
            if stands.count_ones() >= 4 && aim.fixed.is_none() {
                let mut half = 0;
                for bit in (0..12).filter(|b| stands & (1 << b) != 0).take(stands.count_ones() as usize / 2) {
                    half |= 1 << bit;
                }
                out.push(Volley { stands: half, ..volley });
            }
        }
        crate::rules::forts::batteries(battle, state, by, out);
    }
}

/// Rolls one declared fire; all are rolled on the same state and strike together (R21).
pub fn roll_volley(battle: &Battle, state: &mut State, index: usize, fx: &mut impl Effects) {
    let mut volley = state.volleys[index];
    match volley.at {
        Aim::Body(at) => {
            let target = state.body(at).layout(battle);
            let Ok(aim) = bearing(battle, state, volley.by, at, &target) else { return };
            let plain = FireOrder::plain(When::Phase, volley.stands);
            let order = FireOrder { shrapnel: volley.shrapnel, ..plain };
            let shot = super::shot(battle, state, volley.by, at, &target, &aim, order);
            volley.hits = roll_shot(battle, state, &shot, fx);
            volley.through = shot.through;
        }
        Aim::Wall { wall, along } => crate::rules::forts::batter(battle, state, &mut volley, wall, along, fx),
        Aim::Leader(_) => {}
    }
    state.volleys[index] = volley;
}

/// What the declared fires have come to falls on all at once (R21).
pub fn strike_all(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for volley in std::mem::take(&mut state.volleys) {
        match volley.at {
            Aim::Body(at) => {
                has_fired(state, volley.by, Marks::FIRED);
                apply(battle, state, volley.by, at, volley.through, volley.hits, fx);
            }
            Aim::Wall { wall, along } => {
                has_fired(state, volley.by, Marks::FIRED);
                crate::rules::forts::record_damage(battle, state, &volley, wall, along, fx);
            }
            Aim::Leader(leader) => crate::rules::leaders::snipe(battle, state, volley.by, leader, fx),
        }
    }
}
