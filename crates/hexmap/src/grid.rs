//! Hexes, hexsides and their numbering.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Direction, HexSet};

/// A hex: a dense index into the arrays of its [`Grid`], in the order of the printed numbers.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hex(pub u16);

impl Hex {
    /// Its place in an array.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A hexside: a dense index shared by the two hexes it separates.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Side(pub u16);

impl Side {
    /// Its place in an array.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Whether the even columns of a map sit half a hex lower or higher than the odd ones.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvenColumns {
    /// Half a hex lower than their neighbours.
    #[default]
    Lower,
    /// Half a hex higher.
    Higher,
}

/// Why a grid cannot be made.
#[derive(Copy, Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum GridError {
    /// Numbers of two figures do not reach.
    #[error("a map needs between 1 and 99 columns and rows, not {columns} by {rows}")]
    Numbering {
        /// The columns asked for.
        columns: u16,
        /// The rows asked for.
        rows: u16,
    },
    /// More than a [`HexSet`] holds.
    #[error("{hexes} hexes are more than a map may have ({})", HexSet::CAPACITY)]
    TooLarge {
        /// The hexes asked for.
        hexes: usize,
    },
}

/// "No hex here", in the arrays of neighbours.
pub(crate) const OFF_MAP: u16 = u16::MAX;

/// A rectangle of flat-topped hexes, numbered CCRR from 0101 in the north-west.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Grid {
    columns: u16,
    rows: u16,
    even: EvenColumns,
    neighbours: Vec<[u16; 6]>,
    sides: Vec<[u16; 6]>,
    /// The hex that named the side first, and the way out of it.
    side_owners: Vec<(Hex, Direction)>,
    /// Columns from the west and half hexes from the north.
    places: Vec<(i16, i16)>,
}

impl Grid {
    /// A grid of so many columns and rows.
    ///
    /// # Errors
    /// When it has no hex, or more than a [`HexSet`](crate::HexSet) holds.
    pub fn new(columns: u16, rows: u16, even: EvenColumns) -> Result<Grid, GridError> {
        if !(1..=99).contains(&columns) || !(1..=99).contains(&rows) {
            return Err(GridError::Numbering { columns, rows });
        }
        let hexes = usize::from(columns) * usize::from(rows);
        if hexes > HexSet::CAPACITY {
            return Err(GridError::TooLarge { hexes });
        }
        let mut grid = Grid {
            columns,
            rows,
            even,
            neighbours: vec![[OFF_MAP; 6]; hexes],
            sides: vec![[0; 6]; hexes],
            side_owners: Vec::with_capacity(hexes * 3 + 2 * usize::from(columns + rows) + 1),
            places: Vec::with_capacity(hexes),
        };
        for column in 1..=columns {
            let lower = match even {
                EvenColumns::Lower => column % 2 == 0,
                EvenColumns::Higher => column % 2 == 1,
            };
            for row in 1..=rows {
                grid.places.push((column as i16 - 1, 2 * (row as i16 - 1) + i16::from(lower)));
            }
        }
        grid.link();
        Ok(grid)
    }

    /// Fills in neighbours and numbers the sides, each once.
    fn link(&mut self) {
        for hex in 0..self.len() as u16 {
            let (x, y) = self.place(Hex(hex));
            for direction in Direction::ALL {
                let (dx, dy) = direction.offset();
                let other = self.at_place(x + dx, y + dy);
                self.neighbours[usize::from(hex)][direction.index()] = other.map_or(OFF_MAP, |hex| hex.0);
                let shared = other.filter(|other| other.0 < hex);
                self.sides[usize::from(hex)][direction.index()] = match shared {
                    Some(other) => self.sides[other.index()][direction.opposite().index()],
                    None => {
                        self.side_owners.push((Hex(hex), direction));
                        self.side_owners.len() as u16 - 1
                    }
                };
            }
        }
    }

    /// How many hexes there are.
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "a grid is never empty")]
    pub fn len(&self) -> usize {
        self.neighbours.len()
    }

    /// How many columns there are.
    pub fn columns(&self) -> u16 {
        self.columns
    }

    /// How many rows there are.
    pub fn rows(&self) -> u16 {
        self.rows
    }

    /// Which way even columns are shifted.
    pub fn even_columns(&self) -> EvenColumns {
        self.even
    }

    /// Every hex, in the order of the printed numbers.
    pub fn hexes(&self) -> impl DoubleEndedIterator<Item = Hex> + ExactSizeIterator + use<> {
        (0..self.len() as u16).map(Hex)
    }

    /// The hex of a column and a row, both counted from 1.
    pub fn hex(&self, column: u16, row: u16) -> Option<Hex> {
        let on_map = (1..=self.columns).contains(&column) && (1..=self.rows).contains(&row);
        on_map.then(|| Hex((column - 1) * self.rows + row - 1))
    }

    /// The column as printed, from 1.
    #[inline]
    pub fn column(&self, hex: Hex) -> u16 {
        hex.0 / self.rows + 1
    }

    /// The row as printed, from 1.
    #[inline]
    pub fn row(&self, hex: Hex) -> u16 {
        hex.0 % self.rows + 1
    }

    /// Reads a printed number: `0910` is column 9, row 10.
    pub fn parse(&self, number: &str) -> Option<Hex> {
        if number.len() != 4 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        self.hex(number[..2].parse().ok()?, number[2..].parse().ok()?)
    }

    /// The printed number.
    pub fn name(&self, hex: Hex) -> HexName {
        HexName { column: self.column(hex), row: self.row(hex) }
    }

    /// The hex next to this one in a direction, if the map goes on there.
    #[inline]
    pub fn neighbour(&self, hex: Hex, direction: Direction) -> Option<Hex> {
        let other = self.neighbours[hex.index()][direction.index()];
        (other != OFF_MAP).then_some(Hex(other))
    }

    /// The neighbours that are on the map, clockwise from the north.
    #[inline]
    pub fn neighbours(&self, hex: Hex) -> impl Iterator<Item = (Direction, Hex)> + use<'_> {
        let row = &self.neighbours[hex.index()];
        Direction::ALL
            .into_iter()
            .zip(row)
            .filter(|&(_, &other)| other != OFF_MAP)
            .map(|(direction, &other)| (direction, Hex(other)))
    }

    /// The six indices, `u16::MAX` where there is no hex: for the inner loops.
    #[inline]
    pub(crate) fn neighbour_row(&self, hex: Hex) -> &[u16; 6] {
        &self.neighbours[hex.index()]
    }

    /// The way from a hex to its neighbour.
    #[inline]
    pub fn direction(&self, from: Hex, to: Hex) -> Option<Direction> {
        let at = self.neighbours[from.index()].iter().position(|&other| other == to.0)?;
        Some(Direction::from_index(at))
    }

    /// Whether two hexes share a side.
    #[inline]
    pub fn adjacent(&self, a: Hex, b: Hex) -> bool {
        self.distance(a, b) == 1
    }

    /// How many hexes a march in the open takes from `a` to `b`.
    #[inline]
    pub fn distance(&self, a: Hex, b: Hex) -> u16 {
        let (ax, ay) = self.places[a.index()];
        let (bx, by) = self.places[b.index()];
        let across = ax.abs_diff(bx);
        across + ay.abs_diff(by).saturating_sub(across) / 2
    }

    /// Whether some neighbour is off the map.
    pub fn is_edge(&self, hex: Hex) -> bool {
        self.neighbours[hex.index()].contains(&OFF_MAP)
    }

    /// The hexes at exactly this distance.
    pub fn ring(&self, centre: Hex, distance: u16) -> impl Iterator<Item = Hex> + use<'_> {
        self.within(centre, distance).filter(move |&hex| self.distance(centre, hex) == distance)
    }

    /// The hexes at this distance or less, the centre included, in the order of their numbers.
    pub fn within(&self, centre: Hex, distance: u16) -> impl Iterator<Item = Hex> + use<'_> {
        let (column, row) = (self.column(centre), self.row(centre));
        let columns = column.saturating_sub(distance).max(1)..=(column + distance).min(self.columns);
        let rows = row.saturating_sub(distance + 1).max(1)..=(row + distance + 1).min(self.rows);
        columns
            .flat_map(move |column| rows.clone().filter_map(move |row| self.hex(column, row)))
            .filter(move |&hex| self.distance(centre, hex) <= distance)
    }

    /// The hexside one crosses in this direction; sides at the edge of the map count too.
    #[inline]
    pub fn side(&self, hex: Hex, direction: Direction) -> Side {
        Side(self.sides[hex.index()][direction.index()])
    }

    /// The hexside between two neighbours.
    pub fn side_between(&self, a: Hex, b: Hex) -> Option<Side> {
        self.direction(a, b).map(|direction| self.side(a, direction))
    }

    /// How many hexsides there are, those at the edge included.
    #[inline]
    pub fn sides_len(&self) -> usize {
        self.side_owners.len()
    }

    /// Every hexside.
    pub fn sides(&self) -> impl DoubleEndedIterator<Item = Side> + ExactSizeIterator + use<> {
        (0..self.sides_len() as u16).map(Side)
    }

    /// The hex with the lower number, and the hex beyond unless the side is at the edge of the map.
    #[inline]
    pub fn hexes_of(&self, side: Side) -> (Hex, Option<Hex>) {
        let (hex, direction) = self.side_owners[side.index()];
        (hex, self.neighbour(hex, direction))
    }

    /// The hex with the lower number, and the way across the side from there.
    #[inline]
    pub fn crossing(&self, side: Side) -> (Hex, Direction) {
        self.side_owners[side.index()]
    }

    /// Reads a hexside written as its two hexes, `0910/1009`.
    pub fn parse_side(&self, text: &str) -> Option<Side> {
        let (a, b) = text.split_once('/')?;
        self.side_between(self.parse(a)?, self.parse(b)?)
    }

    /// Columns to the east of column 1 and half hexes south of the highest row.
    pub(crate) fn place(&self, hex: Hex) -> (i32, i32) {
        let (x, y) = self.places[hex.index()];
        (x.into(), y.into())
    }

    fn at_place(&self, x: i32, y: i32) -> Option<Hex> {
        let column = u16::try_from(x + 1).ok().filter(|column| (1..=self.columns).contains(column))?;
        let first = self.hex(column, 1)?;
        let row = (y - self.place(first).1).div_euclid(2) + 1;
        self.hex(column, u16::try_from(row).ok()?)
    }
}

/// A hex number as printed on the map: `0910`.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct HexName {
    /// The column, from 1.
    pub column: u16,
    /// The row, from 1.
    pub row: u16,
}

impl fmt::Display for HexName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}{:02}", self.column, self.row)
    }
}
