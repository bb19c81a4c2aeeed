//! 3.8: zones of control. Who covers a hex, and what being covered on all sides means (6.4.1).

use game::Side;
use hexmap::{Hex, HexSet};

use crate::at::At;
use crate::rules::reach::Bounds;
use crate::setup::pieces::Arm;
use crate::state::{Id, Mount, NOWHERE, UnitSet};

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
pub(crate) fn opposite(direction: usize) -> usize {
    if direction < 3 { direction + 3 } else { direction - 3 }
}

impl At<'_> {
    /// How a unit counts at present: dismounted cavalry is infantry (11.3.l, R10).
    #[inline]
    pub(crate) fn arm_now(self, id: Id) -> Arm {
        match self.unit(id).arm {
            Arm::Cavalry if self.piece(id).mount != Mount::Mounted => Arm::Infantry,
            arm => arm,
        }
    }

    /// The directions in which units of `side` stand whose zones cover `hex`.
    #[inline]
    pub(crate) fn covered_from(self, side: Side, hex: Hex) -> u8 {
        let units = self.battle.armies[side].units;
        let beyond = &self.ground().beyond[hex.index()];
        let mut mask = 0;
        for direction in directions(self.ground().zone_in[hex.index()]) {
            let there = self.state.occupant(beyond[direction]);
            if there != Id::NONE && units.contains(there) {
                mask |= 1 << direction;
            }
        }
        mask
    }

    /// Whether `side`'s zones cover `hex`.
    #[inline]
    pub(crate) fn covers(self, side: Side, hex: Hex) -> bool {
        self.covered_from(side, hex) != 0
    }

    /// The directions in which units of `side` stand next to `hex`.
    #[inline]
    pub(crate) fn adjacent_to(self, side: Side, hex: Hex) -> u8 {
        let units = self.battle.armies[side].units;
        let mut mask = 0;
        for (direction, &beyond) in self.ground().beyond[hex.index()].iter().enumerate() {
            if beyond != NOWHERE {
                let there = self.state.occupant(beyond);
                if there != Id::NONE && units.contains(there) {
                    mask |= 1 << direction;
                }
            }
        }
        mask
    }

    /// The units that stand in these directions from a hex.
    pub(crate) fn units_in(self, hex: Hex, mask: u8) -> UnitSet {
        directions(mask).filter_map(|d| self.state.at(self.ground().beyond[hex.index()][d])).collect()
    }

    /// The enemies of a unit whose zones cover it, by direction.
    #[inline]
    pub(crate) fn enemies_over(self, id: Id) -> u8 {
        self.covered_from(self.side(id).enemy(), self.piece(id).hex)
    }

    #[inline]
    pub(crate) fn is_in_enemy_zone(self, id: Id) -> bool {
        self.enemies_over(id) != 0
    }

    /// 6.4.1.a, with R6 and R7: every neighbour exists and is enemy-occupied or in an enemy zone.
    pub(crate) fn is_surrounded(self, id: Id) -> bool {
        let enemy = self.side(id).enemy();
        let hex = self.piece(id).hex;
        self.ground().beyond[hex.index()].iter().all(|&next| {
            next != NOWHERE
                && (self.state.at(next).is_some_and(|u| self.battle.armies[enemy].units.contains(u))
                    || self.covers(enemy, next))
        })
    }

    /// The field as `side` sees it.
    pub(crate) fn field_of(self, side: Side) -> Field {
        let mut field = Field {
            friends: HexSet::new(),
            enemies: HexSet::new(),
            zone: HexSet::new(),
            foot_zone: HexSet::new(),
        };
        let own = self.battle.armies[side].units;
        for id in self.state.on_map() {
            let hex = self.piece(id).hex;
            if own.contains(id) {
                field.friends.insert(hex);
                continue;
            }
            field.enemies.insert(hex);
            let on_foot = matches!(self.arm_now(id), Arm::Infantry | Arm::Artillery);
            for direction in directions(self.ground().zone_out[hex.index()]) {
                let next = self.ground().beyond[hex.index()][direction];
                field.zone.insert(next);
                if on_foot {
                    field.foot_zone.insert(next);
                }
            }
        }
        field
    }
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
    /// Bounds of a march for which zones did not matter.
    pub(crate) fn without_zones(&self) -> Bounds {
        Bounds { closed: self.enemies, stops: HexSet::EMPTY }
    }
}
