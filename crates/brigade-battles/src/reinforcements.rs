//! 8.3 Reinforcements: when they are due, and through which hexes they come.

use hexmap::{Hex, HexSet};

use crate::battle::{Battle, Start};
use crate::concepts::Lines;
use crate::movement::Walk;
use crate::refusals::{Bar, bar};
use crate::state::{Piece, State};

/// 8.3.a: a reinforcement may enter from its turn on.
pub(crate) fn is_due(battle: &Battle, state: &State, piece: Piece) -> Result<(), Bar> {
    match battle.start_of(piece) {
        Start::Enters { turn, .. } if turn <= state.turn => Ok(()),
        Start::Enters { .. } => Err(bar!("8.3.a", "it is not due yet")),
        Start::At(_) | Start::Nowhere => Err(bar!("8.3.a", "the scenario does not bring it onto the map")),
    }
}

/// 8.3.a, 8.3.c: the hexes through which a reinforcement may come now.
pub(crate) fn doors(battle: &Battle, lines: &Lines, piece: Piece) -> HexSet {
    let Start::Enters { area, .. } = battle.start_of(piece) else { return HexSet::EMPTY };
    let area = &battle.areas[usize::from(area)].1;
    let blocked = |hex: Hex| lines.enemies.contains(hex) || lines.zone.contains(hex);
    let open: HexSet = area.iter().copied().filter(|&hex| !blocked(hex)).collect();
    if !open.is_empty() {
        return open;
    }
    let distance =
        |hex: Hex| area.iter().map(|&a| battle.map.grid.distance(a, hex)).min().unwrap_or(u16::MAX);
    let edge = || battle.map.edge.iter().filter(|&hex| !blocked(hex) && is_open(battle, hex));
    let least = edge().map(distance).min();
    edge().filter(|&hex| Some(distance(hex)) == least).collect()
}

fn is_open(battle: &Battle, hex: Hex) -> bool {
    let terrain = usize::from(battle.map.terrain[hex.index()]);
    battle.charts.terrain[terrain].closed != crate::charts::Closed::ToAll
}

/// Why a reinforcement cannot come to a hex.
pub(crate) fn why_not(walk: &Walk<'_>, to: Hex) -> Bar {
    match walk.entry(to) {
        Err(bar) => bar,
        Ok(_) => bar!(
            "8.3.a",
            "it enters through the hexes of its entry area, and that hex is beyond its reach from there"
        ),
    }
}
