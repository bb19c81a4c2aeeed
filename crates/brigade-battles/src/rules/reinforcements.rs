//! 8.3 Reinforcements: when they are due, and through which hexes they come.

use game::{Die, Effects, Entry, Kind, RollNote};
use hexmap::{Hex, HexSet};

use crate::refusals::{Bar, bar};
use crate::rules::charts::Closed;
use crate::rules::concepts::Lines;
use crate::rules::movement::Walk;
use crate::setup::battle::Battle;
use crate::setup::pieces::{Arm, Start};
use crate::state::{Piece, State};

/// 8.3.a: a reinforcement may enter from its turn on.
pub(crate) fn is_due(battle: &Battle, state: &State, piece: Piece) -> Result<(), Bar> {
    let start = battle.start_of(piece);
    if let Start::At(_) | Start::Nowhere = start {
        return Err(bar!("8.3.a", "the scenario does not bring it onto the map"));
    }
    match turn_of(state, start) {
        Some(turn) if turn <= state.turn => Ok(()),
        _ => Err(bar!("8.3.a", "it is not due yet")),
    }
}

/// The turn from which a piece may enter, as far as that is known.
pub(crate) fn turn_of(state: &State, start: Start) -> Option<u8> {
    match start {
        Start::Enters { turn, .. } => Some(turn),
        Start::ByDie { lot, .. } => state.lots.get(usize::from(lot)).copied().flatten(),
        Start::At(_) | Start::Nowhere => None,
    }
}

/// 13.0: on the first turn on which they may come, a die tells when those come whose hour the scenario leaves open.
pub(crate) fn draw_lots(battle: &Battle, state: &mut State, fx: &mut impl Effects) {
    for (index, lot) in battle.lots.iter().enumerate() {
        if lot.turns[0] != state.turn || state.lots[index].is_some() {
            continue;
        }
        let face = fx.die(Die::D10, || RollNote::new(format!("{}: when?", lot.name), lot.rule));
        let turn = lot.turns[usize::from(face - 1)];
        state.lots[index] = Some(turn);
        fx.tell(|| {
            let hour = &battle.turns[usize::from(turn)].label;
            Entry::new(Kind::Time, format!("{}: {hour}.", lot.name)).rule(lot.rule)
        });
    }
}

/// 8.3.a, 8.3.c: the hexes through which a reinforcement may come now.
pub(crate) fn doors(battle: &Battle, lines: &Lines, piece: Piece) -> HexSet {
    let (Start::Enters { area, .. } | Start::ByDie { area, .. }) = battle.start_of(piece) else {
        return HexSet::EMPTY;
    };
    let area = &battle.areas[usize::from(area)].1;
    let blocked = |hex: Hex| lines.enemies.contains(hex) || lines.zone.contains(hex);
    let free = |hex: Hex| !blocked(hex) && is_open(battle, piece, hex);
    let open: HexSet = area.iter().copied().filter(|&hex| free(hex)).collect();
    if !open.is_empty() {
        return open;
    }
    let distance =
        |hex: Hex| area.iter().map(|&a| battle.map.grid.distance(a, hex)).min().unwrap_or(u16::MAX);
    let edge = || battle.map.edge.iter().filter(|&hex| free(hex));
    let least = edge().map(distance).min();
    edge().filter(|&hex| Some(distance(hex)) == least).collect()
}

/// 8.1.4.b: whether the ground of the hex is not closed to the piece.
fn is_open(battle: &Battle, piece: Piece, hex: Hex) -> bool {
    let terrain = usize::from(battle.map.terrain[hex.index()]);
    match battle.charts.terrain[terrain].closed {
        Closed::ToNobody => true,
        Closed::ToGuns => !matches!(piece, Piece::Unit(id) if battle.unit(id).arm == Arm::Artillery),
        Closed::ToAll => false,
    }
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
