//! 14. Leaders.

use game::{Effects, Entry, Kind, Place, Side};
use hexmap::Hex;

use crate::rules::army_morale;
use crate::rules::momentum;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Piece, Pieces};
use crate::state::{Spot, State};

/// The leader in command of a hex: the most senior there (14.1.b).
#[must_use]
pub fn in_command(battle: &Battle, state: &State, side: Side, hex: Hex) -> Option<Piece> {
    senior(battle, state.in_hex(hex) & battle.leaders[side])
}

/// The most senior of these.
#[must_use]
pub fn senior(battle: &Battle, leaders: Pieces) -> Option<Piece> {
    leaders.min_by_key(|&leader| battle.sheet(leader).seniority)
}

/// Whether a leader may command these units in close combat (12.54.b).
#[must_use]
pub fn may_command(battle: &Battle, leader: Piece, units: Pieces) -> bool {
    let sheet = battle.sheet(leader);
    !sheet.no_close_combat && (!sheet.dragoons_only || units.meets(battle.roles.dragoons))
}

/// The leader whose close combat DRM counts for a side: the most senior in command in any of its hexes of the combat
/// (3.1.b, 14.21.a, R50). Hexes are those of the side's units.
#[must_use]
pub fn commander_of(battle: &Battle, state: &State, side: Side, units: Pieces) -> Option<Piece> {
    let in_hexes: Pieces =
        units.filter_map(|u| state.hex(u)).filter_map(|hex| in_command(battle, state, side, hex)).collect();
    senior(battle, in_hexes).filter(|&leader| may_command(battle, leader, units))
}

/// Whether a commanding leader is stacked with or adjacent to one of the units (12.53.d, 14.22.a, R51), or a demi-leader
/// among or stacked with them serves (14.4.a).
#[must_use]
pub fn opens_tactics(battle: &Battle, state: &State, side: Side, units: Pieces) -> bool {
    let mut hexes = units.filter_map(|u| state.hex(u));
    hexes.any(|hex| {
        let near =
            |leader: Piece| state.hex(leader).is_some_and(|at| at == hex || battle.ground.adjacent(at, hex));
        let mut leaders = battle.leaders[side] & state.on_map();
        let led = leaders.any(|leader| {
            near(leader)
                && state.hex(leader).and_then(|at| in_command(battle, state, side, at)) == Some(leader)
                && may_command(battle, leader, units)
        });
        led || state.units_in(battle, hex, side).meets(battle.roles.demi_leaders)
    })
}

/// The leadership DRM on a unit's morale check, and whose it is (13.5.c, 14.23.a, 14.23.b, R85).
#[must_use]
pub fn leadership(battle: &Battle, state: &State, unit: Piece) -> Option<(Piece, i8)> {
    let (side, hex) = (battle.side(unit), state.hex(unit)?);
    let own = in_command(battle, state, side, hex);
    let near = (battle.leaders[side] & state.on_map()).filter(|&leader| {
        let Some(at) = state.hex(leader) else { return false };
        battle.sheet(leader).reaches
            && battle.ground.adjacent(at, hex)
            && in_command(battle, state, side, at) == Some(leader)
    });
    own.into_iter()
        .chain(near)
        .map(|leader| (leader, battle.sheet(leader).leadership))
        .max_by_key(|&(_, drm)| drm)
}

/// A combat unit that enters a hex takes enemy leaders who are alone in it, at no cost (14.32.a, 14.32.b).
pub(crate) fn capture_lone(battle: &Battle, state: &mut State, by: Piece, hex: Hex, fx: &mut impl Effects) {
    let side = battle.side(by);
    if !battle.units[side].has(by) || state.shattered.has(by) {
        return;
    }
    let here = state.in_hex(hex);
    if here.meets(battle.units[!side]) {
        return;
    }
    for leader in here & battle.leaders[!side] {
        state.at[leader.index()] = Spot::CAPTURED;
        crate::rules::pins::forget(battle, state, leader);
        fx.tell(|| {
            Entry::new(
                Kind::Gone,
                format!("{} is captured in {}.", battle.counter(leader).name, battle.hex_name(hex)),
            )
            .side(!side)
            .rule(cite!("14.32.a"))
            .piece(leader.id())
            .place(Place::Hex(battle.hex_name(hex)))
        });
        let commander = battle.sheet(leader).commander;
        let chart = &battle.charts.change;
        let change = if commander { chart.army_commander_captured } else { chart.leader_captured };
        gone(battle, state, leader, commander, change, fx);
    }
}

/// A leader falls (13.1.aa).
pub(crate) fn kill(battle: &Battle, state: &mut State, leader: Piece, fx: &mut impl Effects) {
    state.at[leader.index()] = Spot::ELIMINATED;
    crate::rules::pins::forget(battle, state, leader);
    fx.tell(|| {
        Entry::new(Kind::Gone, format!("{} falls.", battle.counter(leader).name))
            .side(battle.side(leader))
            .rule(cite!("13.1.aa"))
            .piece(leader.id())
    });
    let commander = battle.sheet(leader).commander;
    let chart = &battle.charts.change;
    let change = if commander { chart.army_commander_killed } else { chart.leader_killed };
    gone(battle, state, leader, commander, change, fx);
}

fn gone(
    battle: &Battle,
    state: &mut State,
    leader: Piece,
    commander: bool,
    change: [i8; 2],
    fx: &mut impl Effects,
) {
    let side = battle.side(leader);
    state.spoils[!side] += battle.charts.leader_vp[usize::from(commander)] + battle.counter(leader).bonus_vp;
    if commander {
        momentum::gain(battle, state, !side, cite!("12.63.d"), fx);
    }
    army_morale::adjust(battle, state, side, change, fx);
}
