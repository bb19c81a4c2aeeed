//! 1.1 Key concepts: stacking, zones of control, strength points, shattered units.

use game::{Effects, Entry, Kind, Place, Side};
use hexmap::{Direction, Hex, HexSet};

use crate::rules::charts::Closed;
use crate::setup::battle::Battle;
use crate::setup::map::{Way, feature};
use crate::setup::pieces::Arm;
use crate::state::{Ford, Leaders, Piece, Post, State, Task, UnitId, Units};

/// What one side sees of the other: made once for a decision, asked many times.
#[derive(Debug, Clone)]
pub(crate) struct Lines {
    /// Hexes with an own combat unit.
    pub(crate) friends: HexSet,
    /// Hexes with an enemy combat unit.
    pub(crate) enemies: HexSet,
    /// Hexes in an enemy zone of control; a routed enemy controls the hex it stands in.
    pub(crate) zone: HexSet,
    /// Hexes next to an enemy combat unit, whether it has a zone or not.
    pub(crate) beside: HexSet,
    /// Hexes within 4 of an enemy combat unit.
    pub(crate) near: HexSet,
}

impl Lines {
    /// As `side` sees them.
    pub(crate) fn of(battle: &Battle, state: &State, side: Side) -> Lines {
        let mut lines = Lines {
            friends: HexSet::EMPTY,
            enemies: HexSet::EMPTY,
            zone: HexSet::EMPTY,
            beside: HexSet::EMPTY,
            near: HexSet::EMPTY,
        };
        for (hex, _) in on_map(battle, state, side) {
            lines.friends.insert(hex);
        }
        for (hex, enemy) in on_map(battle, state, side.enemy()) {
            lines.enemies.insert(hex);
            lines.beside |= battle.map.beside[hex.index()];
            lines.near |= battle.map.near[hex.index()];
            add_zone(battle, state, enemy, hex, &mut lines.zone);
        }
        lines
    }
}

/// The combat units of a side that are on the map, with their hexes.
#[inline]
pub(crate) fn on_map<'a>(
    battle: &'a Battle,
    state: &'a State,
    side: Side,
) -> impl Iterator<Item = (Hex, UnitId)> + use<'a> {
    battle.of[side].iter().filter_map(|id| state.unit(id).post.hex().map(|hex| (hex, id)))
}

/// 1.1.2: adds the hexes that the unit's zone covers. A routed unit controls only the hex it stands in.
pub(crate) fn add_zone(battle: &Battle, state: &State, unit: UnitId, hex: Hex, zone: &mut HexSet) {
    if state.unit(unit).routed {
        zone.insert(hex);
        return;
    }
    if !battle.map.changes {
        *zone |= battle.map.zones[hex.index()];
        return;
    }
    zone.insert(hex);
    for direction in Direction::ALL {
        if let Some(way) = way(battle, state, hex, direction)
            && way.closed != Closed::ToAll
        {
            zone.insert(way.to);
        }
    }
}

/// The way over a side as it is now: bridges burn, fords are found.
#[inline]
pub(crate) fn way(battle: &Battle, state: &State, from: Hex, direction: Direction) -> Option<Way> {
    let way = battle.map.ways[from.index()][direction.index()]?;
    if !way.changes {
        return Some(way);
    }
    let features = features_now(battle, state, from, direction);
    Some(battle.map.way(from, way.to, features, &battle.charts))
}

/// What lies on the side now.
pub(crate) fn features_now(battle: &Battle, state: &State, from: Hex, direction: Direction) -> u8 {
    let side = battle.map.grid.side(from, direction);
    let mut features = battle.map.sides[side.index()] & !feature::CHANGES;
    for (index, site) in battle.sites.iter().enumerate() {
        if site.place == crate::setup::battle::SitePlace::Bridge(side) && state.burned >> index & 1 == 1 {
            // R64: the water under the bridge is there again.
            features &= !(feature::BRIDGE | feature::ROAD);
            if features & (feature::RIVER | feature::STREAM | feature::FORD) == 0 {
                features |= feature::RIVER;
            }
        }
    }
    for (ford, site) in state.fords.iter().zip(&battle.fords) {
        if site.side == side && *ford == Ford::Found {
            features |= feature::FORD;
        }
    }
    features
}

/// The enemy units whose zones cover a hex.
pub(crate) fn covered_by(battle: &Battle, state: &State, side: Side, hex: Hex) -> Units {
    on_map(battle, state, side.enemy())
        .filter(|&(at, enemy)| {
            !state.unit(enemy).routed
                && battle
                    .map
                    .grid
                    .direction(at, hex)
                    .and_then(|direction| way(battle, state, at, direction))
                    .is_some_and(|way| way.closed != Closed::ToAll)
        })
        .map(|(_, enemy)| enemy)
        .collect()
}

/// 1.1.4: an infantry or cavalry unit at or below its back-side SP.
#[inline]
pub(crate) fn shattered(battle: &Battle, state: &State, unit: UnitId) -> bool {
    let sheet = battle.unit(unit);
    sheet.arm != Arm::Artillery && state.unit(unit).sp <= sheet.back
}

/// The leaders of a side in a hex.
pub(crate) fn leaders_in(battle: &Battle, state: &State, side: Side, hex: Hex) -> Leaders {
    battle.leaders_of[side].iter().filter(|&id| state.leader(id).post == Post::On(hex)).collect()
}

/// Puts the unit into a hex: leaders with it come along, and it takes what it stands on (14.0.b).
pub(crate) fn enter(
    battle: &Battle,
    state: &mut State,
    unit: UnitId,
    hex: Hex,
    with: Leaders,
    fx: &mut impl Effects,
) {
    state.unit_mut(unit).post = Post::On(hex);
    for leader in with.iter() {
        state.leaders[leader.index()].post = Post::On(hex);
    }
    crate::rules::victory::take(battle, state, battle.unit(unit).side, hex, fx);
}

/// 1.1.3: the unit loses SP; at 0 it is eliminated. True while it lives.
pub(crate) fn lose(
    battle: &Battle,
    state: &mut State,
    unit: UnitId,
    loss: u8,
    fx: &mut impl Effects,
) -> bool {
    let side = battle.unit(unit).side;
    let before = state.unit(unit).sp;
    let loss = loss.min(before);
    let was_shattered = shattered(battle, state, unit);
    state.unit_mut(unit).sp = before - loss;
    state.losses[side] += u16::from(loss);
    let left = before - loss;
    if loss > 0 {
        fx.tell(|| {
            let text = format!("{} loses {loss} SP and has {left} left.", battle.unit(unit).name);
            piece_entry(battle, state, Kind::Loss, text, unit).rule(cite!("1.1.3.c"))
        });
    }
    if left == 0 {
        eliminate(battle, state, unit, fx);
        return false;
    }
    if !was_shattered && shattered(battle, state, unit) {
        fx.tell(|| {
            let text = format!("{} is shattered.", battle.unit(unit).name);
            piece_entry(battle, state, Kind::Loss, text, unit).rule(cite!("1.1.4.a"))
        });
    }
    true
}

/// The unit leaves the map with all the SP it still has; leaders with it are checked and go elsewhere (5.3.1).
pub(crate) fn eliminate(battle: &Battle, state: &mut State, unit: UnitId, fx: &mut impl Effects) {
    let side = battle.unit(unit).side;
    let Some(hex) = state.unit(unit).post.hex() else { return };
    fx.tell(|| {
        let text = format!("{} is eliminated.", battle.unit(unit).name);
        piece_entry(battle, state, Kind::Gone, text, unit).rule(cite!("1.1.3.d"))
    });
    state.losses[side] += u16::from(state.unit(unit).sp);
    *state.unit_mut(unit) =
        crate::state::Unit { post: Post::Gone, sp: 0, task: Task::None, ..*state.unit(unit) };
    let with = leaders_in(battle, state, side, hex);
    let with = if state.trail.len() > 1 { with.and(state.escort) } else { with };
    state.trail.clear();
    crate::rules::leaders::bereave(state, with);
}

/// An entry about a unit where it stands.
pub(crate) fn piece_entry(battle: &Battle, state: &State, kind: Kind, text: String, unit: UnitId) -> Entry {
    let mut entry =
        Entry::new(kind, text).side(battle.unit(unit).side).piece(battle.piece_id(Piece::Unit(unit)));
    if let Some(hex) = state.unit(unit).post.hex() {
        entry = entry.place(Place::Hex(battle.number(hex)));
    }
    entry
}
