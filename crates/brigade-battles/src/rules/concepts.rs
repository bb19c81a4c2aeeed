//! 1.1 Key concepts: stacking, zones of control, strength points, shattered units.

use game::{Effects, Entry, Kind, Side};
use hexmap::{Direction, Hex, HexSet};

use crate::at::{At, Run};
use crate::rules::charts::Closed;
use crate::setup::battle::{Battle, SitePlace};
use crate::setup::map::{Way, feature};
use crate::setup::pieces::Arm;
use crate::state::{Ford, Leaders, Piece, Post, Task, Unit, UnitId, Units};

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

impl Battle {
    /// An entry about a piece.
    pub(crate) fn entry(&self, kind: Kind, text: impl Into<String>, piece: Piece) -> Entry {
        Entry::new(kind, text).side(self.side_of(piece)).piece(self.piece_id(piece))
    }

    /// The entry with the hexes where it happened.
    pub(crate) fn along(&self, entry: Entry, hexes: impl IntoIterator<Item = Hex>) -> Entry {
        hexes.into_iter().fold(entry, |entry, hex| entry.place(self.place(hex)))
    }
}

impl<'a> At<'a> {
    /// The lines as `side` sees them.
    pub(crate) fn lines(self, side: Side) -> Lines {
        let mut lines = Lines {
            friends: self.standing(side),
            enemies: HexSet::EMPTY,
            zone: HexSet::EMPTY,
            beside: HexSet::EMPTY,
            near: HexSet::EMPTY,
        };
        for (hex, enemy) in self.on_map(side.enemy()) {
            lines.enemies.insert(hex);
            lines.beside |= self.battle.map.beside[hex.index()];
            lines.near |= self.battle.map.near[hex.index()];
            self.add_zone(enemy, hex, &mut lines.zone);
        }
        lines
    }

    /// The combat units of a side that are on the map, with their hexes.
    #[inline]
    pub(crate) fn on_map(self, side: Side) -> impl Iterator<Item = (Hex, UnitId)> + use<'a> {
        self.battle.of[side].iter().filter_map(|id| self.state.unit_hex(id).map(|hex| (hex, id)))
    }

    /// 1.1.2: adds the hexes that the unit's zone covers. A routed unit controls only the hex it stands in.
    pub(crate) fn add_zone(self, unit: UnitId, hex: Hex, zone: &mut HexSet) {
        if self.state.unit(unit).routed {
            zone.insert(hex);
            return;
        }
        if !self.battle.map.changes {
            *zone |= self.battle.map.zones[hex.index()];
            return;
        }
        zone.insert(hex);
        for direction in Direction::ALL {
            if let Some(way) = self.way(hex, direction)
                && way.closed != Closed::ToAll
            {
                zone.insert(way.to);
            }
        }
    }

    /// The way over a side as it is now: bridges burn, fords are found.
    #[inline]
    pub(crate) fn way(self, from: Hex, direction: Direction) -> Option<Way> {
        let way = self.battle.map.ways[from.index()][direction.index()]?;
        if !way.changes {
            return Some(way);
        }
        let features = self.features_now(from, direction);
        Some(self.battle.map.way(from, way.to, features, &self.battle.charts))
    }

    /// What lies on the side now.
    pub(crate) fn features_now(self, from: Hex, direction: Direction) -> u8 {
        let side = self.battle.map.grid.side(from, direction);
        let mut features = self.battle.map.sides[side.index()] & !feature::CHANGES;
        for (index, site) in self.battle.sites.iter().enumerate() {
            if site.place == SitePlace::Bridge(side) && self.state.is_burned(index as u8) {
                // R64: the water under the bridge is there again.
                features &= !(feature::BRIDGE | feature::ROAD);
                if features & (feature::RIVER | feature::STREAM | feature::FORD) == 0 {
                    features |= feature::RIVER;
                }
            }
        }
        for (ford, site) in self.state.fords.iter().zip(&self.battle.fords) {
            if site.side == side && *ford == Ford::Found {
                features |= feature::FORD;
            }
        }
        features
    }

    /// The enemy units whose zones cover a hex.
    pub(crate) fn covered_by(self, side: Side, hex: Hex) -> Units {
        self.on_map(side.enemy())
            .filter(|&(at, enemy)| {
                !self.state.unit(enemy).routed
                    && self
                        .battle
                        .map
                        .grid
                        .direction(at, hex)
                        .and_then(|direction| self.way(at, direction))
                        .is_some_and(|way| way.closed != Closed::ToAll)
            })
            .map(|(_, enemy)| enemy)
            .collect()
    }

    /// 1.1.4: an infantry or cavalry unit at or below its back-side SP.
    #[inline]
    pub(crate) fn shattered(self, unit: UnitId) -> bool {
        let sheet = self.battle.unit(unit);
        sheet.arm != Arm::Artillery && self.state.unit(unit).sp <= sheet.back
    }

    /// The leaders of a side in a hex.
    pub(crate) fn leaders_in(self, side: Side, hex: Hex) -> Leaders {
        self.battle.leaders_of[side]
            .iter()
            .filter(|&id| self.state.leader(id).post == Post::On(hex))
            .collect()
    }

    /// An entry about a unit where it stands.
    pub(crate) fn piece_entry(self, kind: Kind, text: String, unit: UnitId) -> Entry {
        let entry = self.battle.entry(kind, text, Piece::Unit(unit));
        self.battle.along(entry, self.state.unit_hex(unit))
    }
}

impl<F: Effects> Run<'_, F> {
    /// Puts the unit into a hex: leaders with it come along, and it takes what it stands on (14.0.b).
    pub(crate) fn enter(&mut self, unit: UnitId, hex: Hex, with: Leaders) {
        self.state.unit_mut(unit).post = Post::On(hex);
        for leader in with.iter() {
            self.state.leaders[leader.index()].post = Post::On(hex);
        }
        self.take_objective(self.battle.unit(unit).side, hex);
    }

    /// 1.1.3: the unit loses SP; at 0 it is eliminated. True while it lives.
    pub(crate) fn lose_sp(&mut self, unit: UnitId, loss: u8) -> bool {
        let side = self.battle.unit(unit).side;
        let before = self.state.unit(unit).sp;
        let loss = loss.min(before);
        let was_shattered = self.at().shattered(unit);
        self.state.unit_mut(unit).sp = before - loss;
        self.state.losses[side] += u16::from(loss);
        let left = before - loss;
        if loss > 0 {
            self.tell(|at| {
                let text = format!("{} loses {loss} SP and has {left} left.", at.battle.unit(unit).name);
                at.piece_entry(Kind::Loss, text, unit).rule(cite!("1.1.3.c"))
            });
        }
        if left == 0 {
            self.eliminate(unit);
            return false;
        }
        if !was_shattered && self.at().shattered(unit) {
            self.tell(|at| {
                let text = format!("{} is shattered.", at.battle.unit(unit).name);
                at.piece_entry(Kind::Loss, text, unit).rule(cite!("1.1.4.a"))
            });
        }
        true
    }

    /// The unit leaves the map with all the SP it still has; leaders with it are checked and go elsewhere (5.3.1).
    pub(crate) fn eliminate(&mut self, unit: UnitId) {
        let side = self.battle.unit(unit).side;
        let Some(hex) = self.state.unit_hex(unit) else { return };
        self.tell(|at| {
            let text = format!("{} is eliminated.", at.battle.unit(unit).name);
            at.piece_entry(Kind::Gone, text, unit).rule(cite!("1.1.3.d"))
        });
        self.state.losses[side] += u16::from(self.state.unit(unit).sp);
        *self.state.unit_mut(unit) =
            Unit { post: Post::Gone, sp: 0, task: Task::None, ..*self.state.unit(unit) };
        let with = self.at().leaders_in(side, hex);
        let with = if self.state.trail.len() > 1 { with.and(self.state.escort) } else { with };
        self.state.trail.clear();
        self.state.bereave(with);
    }
}
