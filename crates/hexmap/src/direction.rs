//! The six ways out of a flat-topped hex.

use serde::{Deserialize, Serialize};

/// One of the six neighbours of a flat-topped hex, clockwise from the north.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Direction {
    /// Up the map.
    North,
    /// Up and to the right.
    NorthEast,
    /// Down and to the right.
    SouthEast,
    /// Down the map.
    South,
    /// Down and to the left.
    SouthWest,
    /// Up and to the left.
    NorthWest,
}

use Direction::{North, NorthEast, NorthWest, South, SouthEast, SouthWest};

impl Direction {
    /// All six, clockwise.
    pub const ALL: [Direction; 6] = [North, NorthEast, SouthEast, South, SouthWest, NorthWest];

    /// 0 for north, clockwise to 5 for north-west.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction with this index, counted modulo six.
    #[inline]
    pub const fn from_index(index: usize) -> Direction {
        Self::ALL[index % 6]
    }

    /// This direction's bit in a six-bit mask.
    #[inline]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// The direction back.
    #[inline]
    pub const fn opposite(self) -> Direction {
        Self::from_index(self as usize + 3)
    }

    /// One sixth of a turn counter-clockwise.
    #[inline]
    pub const fn left(self) -> Direction {
        Self::from_index(self as usize + 5)
    }

    /// One sixth of a turn clockwise.
    #[inline]
    pub const fn right(self) -> Direction {
        Self::from_index(self as usize + 1)
    }

    /// `N`, `NE`, `SE`, `S`, `SW` or `NW`.
    pub const fn abbreviation(self) -> &'static str {
        match self {
            North => "N",
            NorthEast => "NE",
            SouthEast => "SE",
            South => "S",
            SouthWest => "SW",
            NorthWest => "NW",
        }
    }

    /// Reads `N`, `NE`, ... as [`abbreviation`](Self::abbreviation) writes them.
    pub fn parse(text: &str) -> Option<Direction> {
        Self::ALL.into_iter().find(|direction| direction.abbreviation() == text)
    }

    /// Where the neighbour lies: columns to the east, half hexes to the south.
    pub(crate) const fn offset(self) -> (i32, i32) {
        match self {
            North => (0, -2),
            NorthEast => (1, -1),
            SouthEast => (1, 1),
            South => (0, 2),
            SouthWest => (-1, 1),
            NorthWest => (-1, -1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning() {
        for direction in Direction::ALL {
            assert_eq!(direction.left().right(), direction);
            assert_eq!(direction.opposite().opposite(), direction);
            assert_eq!(direction.right().right().right(), direction.opposite());
            assert_eq!(Direction::parse(direction.abbreviation()), Some(direction));
        }
    }
}
