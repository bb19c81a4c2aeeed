//! What must hold of every position.

use game::Side;

use crate::battle::{Arm, Battle};
use crate::concepts::on_map;
use crate::state::{Post, State, Step};

/// Strength never appears from nowhere, one combat unit a hex, nobody outside the map or on prohibited ground.
///
/// # Errors
/// A sentence that names what is wrong.
pub fn invariant(battle: &Battle, state: &State) -> Result<(), String> {
    let going_back = match state.agenda.top() {
        Some(Step::Retreat { unit, .. }) => Some(unit),
        _ => None,
    };
    for side in Side::BOTH {
        let mut lost: u32 = 0;
        for unit in battle.of[side].iter() {
            let (sheet, here) = (battle.unit(unit), state.unit(unit));
            if here.sp > sheet.sp || here.sp == 0 && here.post != Post::Gone {
                return Err(format!("{} has {} SP", sheet.slug, here.sp));
            }
            lost += u32::from(sheet.sp - here.sp);
            if sheet.arm == Arm::Infantry && !here.deployed {
                return Err(format!("{} is no infantry any more", sheet.slug));
            }
        }
        let leaders = u32::from(state.losses[side]).checked_sub(lost);
        if leaders.is_none() {
            return Err(format!("{} SP are gone but only {} counted", lost, state.losses[side]));
        }
        for (hex, unit) in on_map(battle, state, side) {
            let terrain = usize::from(battle.map.terrain[hex.index()]);
            if !battle.map.in_play.contains(hex)
                || battle.charts.terrain[terrain].closed == crate::charts::Closed::ToAll
            {
                return Err(format!("{} stands in {}", battle.unit(unit).slug, battle.number(hex)));
            }
            let other = state
                .units
                .iter()
                .enumerate()
                .find(|(index, other)| *index != unit.index() && other.post == Post::On(hex));
            if let Some((other, _)) = other
                && going_back.is_none_or(|g| g != unit && g.index() != other)
            {
                return Err(format!("two combat units in {}", battle.number(hex)));
            }
        }
    }
    Ok(())
}
