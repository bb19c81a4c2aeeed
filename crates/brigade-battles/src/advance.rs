//! 9.9 Advance: one of the firing units may move into the hex that the combat has emptied.

use game::{Effects, Entry, Kind, Place};
use hexmap::Hex;

use crate::battle::Battle;
use crate::charts::Closed;
use crate::concepts::{Lines, enter, leaders_in, way};
use crate::movement::may_close;
use crate::refusals::{Bar, bar};
use crate::state::{Leaders, Piece, State, Step, UnitId, Units};
use crate::{leaders, victory};

/// May this unit advance into the vacated hex?
pub(crate) fn may_advance(
    battle: &Battle,
    state: &State,
    lines: &Lines,
    unit: UnitId,
    hex: Hex,
) -> Result<(), Bar> {
    if !state.fire.firers.contains(unit) {
        return Err(bar!("9.9.a", "only a unit that took part in the fire advances"));
    }
    let Some(from) = state.unit(unit).post.hex() else { return Err(bar!("9.9.a", "it is not on the map")) };
    let way = battle.map.grid.direction(from, hex).and_then(|direction| way(battle, state, from, direction));
    match way {
        None => return Err(bar!("9.9.a", "it is not next to the vacated hex")),
        Some(way) if way.closed == Closed::ToAll => {
            return Err(bar!("8.1.4.b", "the hexside is prohibited"));
        }
        Some(_) => {}
    }
    if lines.zone.contains(hex) {
        may_close(battle, state, Some(unit))?;
    }
    Ok(())
}

/// Whether nobody stands in the hex.
fn vacated(state: &State, hex: Hex) -> bool {
    state.unit_at(hex).is_none()
}

/// The units that may advance.
pub(crate) fn candidates(battle: &Battle, state: &State, hex: Hex) -> Units {
    if !vacated(state, hex) {
        return Units::EMPTY;
    }
    let lines = Lines::of(battle, state, state.active);
    let units = state.fire.firers.iter();
    units.filter(|&unit| may_advance(battle, state, &lines, unit, hex).is_ok()).collect()
}

/// Carries an advance out; leaders with the unit may come along.
pub(crate) fn advance(battle: &Battle, state: &mut State, unit: UnitId, hex: Hex, fx: &mut impl Effects) {
    state.agenda.pop();
    let side = battle.unit(unit).side;
    let from = state.unit(unit).post.hex();
    fx.tell(|| {
        let text = format!("{} advances into {}.", battle.unit(unit).name, battle.number(hex));
        let mut entry = Entry::new(Kind::Advance, text).side(side).rule(cite!("9.9.a"));
        entry = entry.piece(battle.piece_id(Piece::Unit(unit)));
        for hex in from.into_iter().chain([hex]) {
            entry = entry.place(Place::Hex(battle.number(hex)));
        }
        entry
    });
    enter(battle, state, unit, hex, Leaders::EMPTY, fx);
    victory::stand(battle, state, unit, fx);
    leaders::displace_beside(battle, state, side.enemy(), hex);
    if let Some(from) = from {
        for leader in leaders_in(battle, state, side, from).iter() {
            state.agenda.push(Step::Follow { leader, to: hex });
        }
    }
}

/// A leader comes along with the advance, or stays behind.
pub(crate) fn follow(battle: &Battle, state: &mut State, leader: crate::state::LeaderId, to: Option<Hex>) {
    state.agenda.pop();
    if let Some(to) = to {
        state.leaders[leader.index()].post = crate::state::Post::On(to);
    } else {
        leaders::displace(battle, state, Leaders::one(leader));
    }
}
