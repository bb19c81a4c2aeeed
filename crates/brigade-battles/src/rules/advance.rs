//! 9.9 Advance: units of the fire may move into the hexes that the combat has emptied.

use game::{Effects, Entry, Kind, Place};
use hexmap::{Hex, HexSet};

use crate::refusals::{Bar, bar};
use crate::rules::charts::Closed;
use crate::rules::concepts::{Lines, enter, leaders_in, way};
use crate::rules::movement::may_close;
use crate::rules::{leaders, sight, victory};
use crate::setup::battle::Battle;
use crate::state::{Leaders, Piece, State, Step, UnitId};

/// R34: the hexes that the other side held when the die fell and that nobody holds now.
pub(crate) fn vacated(battle: &Battle, state: &State) -> HexSet {
    let held = |side| sight::standing(battle, state, side);
    state.fire.defended - held(state.active) - held(state.active.enemy())
}

/// May this unit advance into the hex?
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
    if state.fire.defended.contains(from) {
        return Err(bar!("9.9.a", "it has advanced: a unit advances once after a fire"));
    }
    if lines.friends.contains(hex) {
        return Err(bar!("9.9.b", "another unit has advanced into that hex, and only one may"));
    }
    if !vacated(battle, state).contains(hex) {
        return Err(bar!("9.9.a", "that is no hex that this combat has emptied"));
    }
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

/// Every unit with every hex that it may advance into.
pub(crate) fn candidates(battle: &Battle, state: &State) -> impl Iterator<Item = (UnitId, Hex)> {
    let vacated = vacated(battle, state);
    let firers = if vacated.is_empty() { crate::state::Units::EMPTY } else { state.fire.firers };
    let lines = Lines::of(battle, state, state.active);
    let pairs = firers.iter().flat_map(move |unit| {
        let near = state.unit(unit).post.hex().map_or(HexSet::EMPTY, |hex| battle.map.beside[hex.index()]);
        (near & vacated).iter().map(move |hex| (unit, hex))
    });
    pairs.filter(move |&(unit, hex)| may_advance(battle, state, &lines, unit, hex).is_ok())
}

/// Carries an advance out; leaders with the unit may come along. Whoever else may advance is asked after that.
pub(crate) fn advance(battle: &Battle, state: &mut State, unit: UnitId, hex: Hex, fx: &mut impl Effects) {
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
pub(crate) fn follow(state: &mut State, leader: crate::state::LeaderId, to: Option<Hex>) {
    state.agenda.pop();
    if let Some(to) = to {
        state.leaders[leader.index()].post = crate::state::Post::On(to);
    }
}
