//! Zones of control: the neighbouring hexes a unit commands, where the ground lets it.

use crate::grid::{Grid, Hex};
use crate::{Direction, HexSet};

/// For each hex the directions into which a zone extends from there.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Zones {
    masks: Vec<u8>,
}

impl Zones {
    /// Asks `extends` once for each hex and neighbour on the map.
    pub fn new(grid: &Grid, mut extends: impl FnMut(Hex, Direction, Hex) -> bool) -> Zones {
        let mask = |hex| {
            grid.neighbours(hex)
                .filter(|&(direction, into)| extends(hex, direction, into))
                .fold(0, |mask, (direction, _)| mask | direction.bit())
        };
        Zones { masks: grid.hexes().map(mask).collect() }
    }

    /// The directions into which a zone extends from this hex, one bit each.
    #[inline]
    pub fn mask(&self, hex: Hex) -> u8 {
        self.masks[hex.index()]
    }

    /// Whether a zone extends from this hex in this direction.
    #[inline]
    pub fn extends(&self, hex: Hex, direction: Direction) -> bool {
        self.mask(hex) & direction.bit() != 0
    }

    /// Whether a unit in one hex has the other in its zone.
    #[inline]
    pub fn covers(&self, grid: &Grid, from: Hex, to: Hex) -> bool {
        grid.direction(from, to).is_some_and(|direction| self.extends(from, direction))
    }

    /// Adds the zone of a unit in this hex.
    #[inline]
    pub fn add(&self, grid: &Grid, hex: Hex, zone: &mut HexSet) {
        let mask = self.mask(hex);
        for (direction, &into) in grid.neighbour_row(hex).iter().enumerate() {
            if mask >> direction & 1 != 0 {
                zone.insert(Hex(into));
            }
        }
    }

    /// The zone of a unit in this hex.
    #[inline]
    pub fn of(&self, grid: &Grid, hex: Hex) -> HexSet {
        self.of_all(grid, [hex])
    }

    /// The zones of units in all these hexes together.
    #[inline]
    pub fn of_all(&self, grid: &Grid, hexes: impl IntoIterator<Item = Hex>) -> HexSet {
        let mut zone = HexSet::new();
        for hex in hexes {
            self.add(grid, hex, &mut zone);
        }
        zone
    }
}
