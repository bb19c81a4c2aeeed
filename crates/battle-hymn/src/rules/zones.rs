//! 3.8: zones of control. Who covers a hex, and what being covered on all sides means (6.4.1).

use game::Side;
use hexmap::{Hex, HexSet};

use crate::setup::battle::Battle;
use crate::setup::pieces::Arm;
use crate::state::{Id, Mount, NOWHERE, State, UnitSet};

/// The directions set in a mask.
#[inline]
pub(crate) fn directions(mask: u8) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let direction = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        Some(direction)
    })
}

/// The opposite of a direction.
#[inline]
#[must_use]
pub(crate) fn opposite(direction: usize) -> usize {
    if direction < 3 { direction + 3 } else { direction - 3 }
}

/// How a unit counts at present: dismounted cavalry is infantry (11.3.l, R10).
#[inline]
#[must_use]
pub(crate) fn arm_now(battle: &Battle, state: &State, id: Id) -> Arm {
    match battle.unit(id).arm {
        Arm::Cavalry if state.piece(id).mount != Mount::Mounted => Arm::Infantry,
        arm => arm,
    }
}

/// The directions in which units of `side` stand whose zones cover `hex`.
#[inline]
#[must_use]
pub(crate) fn covered_from(battle: &Battle, state: &State, side: Side, hex: Hex) -> u8 {
    let units = battle.armies[side].units;
    let beyond = &battle.ground.beyond[hex.index()];
    let mut mask = 0;
    for direction in directions(battle.ground.zone_in[hex.index()]) {
        let there = state.occupant(beyond[direction]);
        if there != Id::NONE && units.contains(there) {
            mask |= 1 << direction;
        }
    }
    mask
}

/// Whether `side`'s zones cover `hex`.
#[inline]
#[must_use]
pub(crate) fn covers(battle: &Battle, state: &State, side: Side, hex: Hex) -> bool {
    covered_from(battle, state, side, hex) != 0
}

/// The directions in which units of `side` stand next to `hex`.
#[inline]
#[must_use]
pub(crate) fn adjacent_to(battle: &Battle, state: &State, side: Side, hex: Hex) -> u8 {
    let units = battle.armies[side].units;
    let mut mask = 0;
    for (direction, &beyond) in battle.ground.beyond[hex.index()].iter().enumerate() {
        if beyond != NOWHERE {
            let there = state.occupant(beyond);
            if there != Id::NONE && units.contains(there) {
                mask |= 1 << direction;
            }
        }
    }
    mask
}

/// The units that stand in these directions from a hex.
#[must_use]
pub(crate) fn units_in(battle: &Battle, state: &State, hex: Hex, mask: u8) -> UnitSet {
    directions(mask).filter_map(|d| state.at(battle.ground.beyond[hex.index()][d])).collect()
}

/// The enemies of a unit whose zones cover it, by direction.
#[inline]
#[must_use]
pub(crate) fn enemies_over(battle: &Battle, state: &State, id: Id) -> u8 {
    covered_from(battle, state, battle.side(id).enemy(), state.piece(id).hex)
}

#[inline]
#[must_use]
pub(crate) fn in_enemy_zone(battle: &Battle, state: &State, id: Id) -> bool {
    enemies_over(battle, state, id) != 0
}

/// 6.4.1.a, with R6 and R7: every neighbour exists and is enemy-occupied or in an enemy zone.
#[must_use]
pub(crate) fn surrounded(battle: &Battle, state: &State, id: Id) -> bool {
    let enemy = battle.side(id).enemy();
    let hex = state.piece(id).hex;
    battle.ground.beyond[hex.index()].iter().all(|&next| {
        next != NOWHERE
            && (state.at(next).is_some_and(|u| battle.armies[enemy].units.contains(u))
                || covers(battle, state, enemy, next))
    })
}

/// The hexes units stand in, and the zones of a side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    pub friends: HexSet,
    pub enemies: HexSet,
    /// Zones of the enemy.
    pub zone: HexSet,
    /// Zones of the enemy's infantry and artillery, closed to cavalry (5.3.f).
    pub foot_zone: HexSet,
}

impl Field {
    /// The field as `side` sees it.
    #[must_use]
    pub(crate) fn seen_by(battle: &Battle, state: &State, side: Side) -> Field {
        let mut field = Field {
            friends: HexSet::new(),
            enemies: HexSet::new(),
            zone: HexSet::new(),
            foot_zone: HexSet::new(),
        };
        let own = battle.armies[side].units;
        for id in state.on_map() {
            let hex = state.piece(id).hex;
            if own.contains(id) {
                field.friends.insert(hex);
                continue;
            }
            field.enemies.insert(hex);
            let on_foot = matches!(arm_now(battle, state, id), Arm::Infantry | Arm::Artillery);
            for direction in directions(battle.ground.zone_out[hex.index()]) {
                let next = battle.ground.beyond[hex.index()][direction];
                field.zone.insert(next);
                if on_foot {
                    field.foot_zone.insert(next);
                }
            }
        }
        field
    }
}
