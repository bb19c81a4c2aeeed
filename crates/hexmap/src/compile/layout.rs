//! Where the hexes lie on the sheet.

use survey::geometry::Spot;

use crate::{Direction, Grid, Hex};

/// Yards of a grid on a survey: x to the east, y to the north.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Layout {
    across: f64,
    west: f64,
    north: f64,
}

/// The corners of a hex in its own measure: half sides to the east, half hexes to the south.
const CORNERS: [(f64, f64); 6] =
    [(-1.0, -1.0), (1.0, -1.0), (2.0, 0.0), (1.0, 1.0), (-1.0, 1.0), (-2.0, 0.0)];

impl Layout {
    /// Hexes that are `across` yards from flat to flat, the first at this north-west corner.
    pub fn new(across: u16, west: i32, north: i32) -> Layout {
        Layout { across: f64::from(across), west: f64::from(west), north: f64::from(north) }
    }

    /// Yards from flat to flat.
    pub fn across(&self) -> f64 {
        self.across
    }

    /// Half the length of a hexside.
    fn half_side(&self) -> f64 {
        self.across / 2.0 / 3f64.sqrt()
    }

    /// The middle of a hex, in yards.
    pub fn centre(&self, grid: &Grid, hex: Hex) -> Spot {
        let (x, y) = grid.place(hex);
        self.at(f64::from(2 + 3 * x), f64::from(1 + y))
    }

    /// The centre of the neighbour, on the map or off it.
    pub fn centre_beyond(&self, grid: &Grid, hex: Hex, direction: Direction) -> Spot {
        let ((x, y), (dx, dy)) = (grid.place(hex), direction.offset());
        self.at(f64::from(2 + 3 * (x + dx)), f64::from(1 + y + dy))
    }

    /// The two ends of the hexside in this direction.
    pub fn side(&self, grid: &Grid, hex: Hex, direction: Direction) -> (Spot, Spot) {
        let (x, y) = grid.place(hex);
        let corner = |index: usize| {
            let (dx, dy) = CORNERS[index % 6];
            self.at(f64::from(2 + 3 * x) + dx, f64::from(1 + y) + dy)
        };
        (corner(direction.index()), corner(direction.index() + 1))
    }

    /// Spots spread evenly over a hex.
    pub fn spots_in(&self, grid: &Grid, hex: Hex) -> Vec<Spot> {
        const FINENESS: i32 = 10;
        let (x, y) = grid.place(hex);
        let odd = |half: i32| f64::from(2 * half + 1) / f64::from(2 * FINENESS);
        let mut spots = Vec::new();
        for south in -FINENESS..FINENESS {
            for east in -2 * FINENESS..2 * FINENESS {
                let (dx, dy) = (odd(east), odd(south));
                if dx.abs() + dy.abs() < 2.0 {
                    spots.push(self.at(f64::from(2 + 3 * x) + dx, f64::from(1 + y) + dy));
                }
            }
        }
        spots
    }

    /// The hex a spot lies in; on the line between two of a column the northern.
    pub fn hex_at(&self, grid: &Grid, spot: Spot) -> Option<Hex> {
        self.hexes_near(grid, spot).find(|&hex| {
            let (x, y) = self.centre(grid, hex);
            let (dx, dy) = ((spot.0 - x).abs() / self.half_side(), (spot.1 - y).abs() * 2.0 / self.across);
            dy <= 1.0 && dx + dy <= 2.0
        })
    }

    /// The hex with the nearest centre, for spots in the gaps along the edges of the map too.
    pub fn hex_nearest(&self, grid: &Grid, spot: Spot) -> Option<Hex> {
        let half_sides = f64::from(3 * grid.columns() + 1);
        let half_hexes = f64::from(2 * grid.rows() + u16::from(grid.columns() > 1));
        let ((west, north), (east, south)) = (self.at(0.0, 0.0), self.at(half_sides, half_hexes));
        let inside = west < spot.0 && spot.0 < east && south < spot.1 && spot.1 < north;
        if !inside {
            return None;
        }
        let away = |hex: Hex| {
            let (x, y) = self.centre(grid, hex);
            (spot.0 - x) * (spot.0 - x) + (spot.1 - y) * (spot.1 - y)
        };
        self.hexes_near(grid, spot).min_by(|&a, &b| away(a).total_cmp(&away(b)))
    }

    /// The hexes of the nearest columns that are nearest within them.
    fn hexes_near(&self, grid: &Grid, spot: Spot) -> impl Iterator<Item = Hex> {
        let column = ((spot.0 - self.west) / self.half_side() / 3.0).floor() as i32;
        (column..=column + 2).filter_map(move |column| {
            let column = u16::try_from(column).ok()?;
            let top = self.centre(grid, grid.hex(column, 1)?).1;
            let row = ((top - spot.1) / self.across - 0.5).ceil() as i32 + 1;
            grid.hex(column, row.clamp(1, i32::from(grid.rows())) as u16)
        })
    }

    fn at(&self, half_sides_east: f64, half_hexes_south: f64) -> Spot {
        (self.west + half_sides_east * self.half_side(), self.north - half_hexes_south * self.across / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EvenColumns;

    /// Two centres of the Gettysburg grid, worked out by hand from its origin.
    #[test]
    fn centres() {
        let grid = Grid::new(28, 21, EvenColumns::Lower).unwrap();
        let layout = Layout::new(300, 0, 6450);
        let near = |number: &str, x: f64, y: f64| {
            let at = layout.centre(&grid, grid.parse(number).unwrap());
            assert!((at.0 - x).abs() < 0.5 && (at.1 - y).abs() < 0.5, "{number}: {at:?}");
        };
        near("0101", 173.2, 6300.0);
        near("1010", 2511.5, 3450.0);
    }

    #[test]
    fn every_spot_is_in_its_hex() {
        for even in [EvenColumns::Lower, EvenColumns::Higher] {
            let grid = Grid::new(5, 4, even).unwrap();
            let layout = Layout::new(250, 1000, 3000);
            for hex in grid.hexes() {
                for spot in layout.spots_in(&grid, hex) {
                    assert_eq!(layout.hex_at(&grid, spot), Some(hex));
                }
            }
            assert_eq!(layout.hex_at(&grid, (0.0, 0.0)), None);
            assert_eq!(layout.hex_at(&grid, (1500.0, 9000.0)), None);
        }
    }
}
