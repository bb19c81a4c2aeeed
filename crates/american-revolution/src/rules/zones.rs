//! 8. Zones of Control.

use game::Side;
use hexmap::{Hex, HexSet};

use crate::at::At;
use crate::setup::battle::{Arm, Battle};
use crate::setup::pieces::{Piece, Pieces};

impl At<'_> {
    /// The combat units of a side that project a zone of control: those in Parade Order (8.1.a).
    #[inline]
    pub(crate) fn projecting(self, side: Side) -> Pieces {
        (self.battle.units[side] & self.state.parade() & self.on_map()) - self.state.reeling()
    }

    /// The hexes in the zones of control of these units.
    pub(crate) fn zone_of(self, units: Pieces) -> HexSet {
        let mut zone = HexSet::new();
        for unit in units {
            let Some(hex) = self.hex(unit) else { continue };
            for step in &self.battle.ground.steps[hex.index()] {
                if step.zoc {
                    zone.insert(step.to);
                }
            }
        }
        zone
    }

    /// The hexes in a side's zones of control.
    pub(crate) fn zone(self, side: Side) -> HexSet {
        self.zone_of(self.projecting(side))
    }

    /// Whether a hex lies in a zone of control of `side`.
    pub(crate) fn in_zone(self, side: Side, hex: Hex) -> bool {
        self.projecting(side).any(|unit| {
            self.hex(unit).is_some_and(|from| {
                self.battle.ground.steps[from.index()].iter().any(|step| step.zoc && step.to == hex)
            })
        })
    }

    /// The combat units of `side` in hexes next to `hex`.
    pub(crate) fn beside(self, side: Side, hex: Hex) -> Pieces {
        (self.battle.units[side] & self.on_map())
            .filter(|&unit| self.hex(unit).is_some_and(|at| self.battle.ground.adjacent(at, hex)))
            .collect()
    }

    /// Whether each of six neighbouring hexes holds an enemy unit, lies in an enemy zone or may not be entered (12.7);
    /// a friend in it keeps the enemy's zone out of it (8.2.a, 12.7.c). At the edge of the map there are no six (R48).
    pub(crate) fn is_surrounded(self, side: Side, hex: Hex, arm: Arm) -> bool {
        let zone = self.zone(!side);
        hexmap::Direction::ALL.into_iter().all(|direction| {
            let Some(to) = self.battle.ground.neighbour(hex, direction) else { return false };
            let here = self.in_hex(to);
            if here.meets(self.battle.units[!side]) {
                return true;
            }
            let friend = here.meets(self.battle.units[side]);
            self.battle.ground.cost(arm, hex, direction).is_none() || zone.contains(to) && !friend
        })
    }

    /// How the map lies for `side`.
    pub(crate) fn lay(self, side: Side) -> Lay {
        let (battle, on_map) = (self.battle, self.on_map());
        let mut lay = Lay {
            enemy: HexSet::new(),
            leaders: (battle.leaders[!side] & on_map).filter_map(|p| self.hex(p)).collect(),
            near: HexSet::new(),
            zone: HexSet::new(),
            rifle: HexSet::new(),
            sp: [0; HexSet::CAPACITY],
            guns: [0; HexSet::CAPACITY],
        };
        let parade = self.state.parade();
        for unit in battle.units[!side] & on_map {
            let Some(hex) = self.hex(unit) else { continue };
            lay.enemy.insert(hex);
            let (zone, rifle) = (parade.has(unit), battle.roles.rifle_units().has(unit));
            for step in &battle.ground.steps[hex.index()] {
                let Some(to) = step.on_map() else { continue };
                lay.near.insert(to);
                if zone && step.zoc {
                    lay.zone.insert(to);
                    if rifle {
                        lay.rifle.insert(to);
                    }
                }
            }
        }
        // Nobody enters the hex of a stack that he may not examine, whatever stands there (R92).
        lay.enemy.extend(self.unknown(side).filter_map(|p| self.hex(p)));
        for unit in battle.units[side] & on_map {
            if let Some(hex) = self.hex(unit) {
                lay.carry(self, unit, hex);
            }
        }
        lay
    }
}

/// How the map lies for one side, worked out once a decision.
#[derive(Debug)]
pub(crate) struct Lay {
    /// Hexes that hold enemy combat units.
    pub(crate) enemy: HexSet,
    /// Hexes that hold enemy leaders: a leader does not go there (R91).
    pub(crate) leaders: HexSet,
    /// Hexes next to those.
    pub(crate) near: HexSet,
    /// Hexes in an enemy zone of control.
    pub(crate) zone: HexSet,
    /// Hexes in the zone of an enemy rifle unit (8.31.b).
    pub(crate) rifle: HexSet,
    /// SP of friendly foot and horse.
    sp: [u8; HexSet::CAPACITY],
    /// Friendly guns.
    guns: [u8; HexSet::CAPACITY],
}

impl Lay {
    /// Adds a friendly unit's weight.
    fn carry(&mut self, at: At<'_>, unit: Piece, hex: Hex) {
        if at.battle.roles.artillery.has(unit) {
            self.guns[hex.index()] += 1;
        } else {
            self.sp[hex.index()] += at.strength(unit);
        }
    }

    /// What a unit weighs on the stacking limit of a hex, and how much it still takes.
    pub(crate) fn weight_and_room(&self, battle: &Battle, arm: Arm, sp: u8, hex: Hex) -> (u8, u8) {
        let [most_sp, most_guns] = battle.charts.stacking;
        match arm {
            Arm::Artillery => (1, most_guns.saturating_sub(self.guns[hex.index()])),
            _ => (sp, most_sp.saturating_sub(self.sp[hex.index()])),
        }
    }

    /// Whether a unit of that weight finds room.
    #[inline]
    pub(crate) fn room(&self, battle: &Battle, arm: Arm, sp: u8, hex: Hex) -> bool {
        match arm {
            Arm::Leader => true,
            Arm::Artillery => self.guns[hex.index()] < battle.charts.stacking[1],
            _ => self.sp[hex.index()] + sp <= battle.charts.stacking[0],
        }
    }
}
