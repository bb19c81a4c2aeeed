//! Lines from the centre of one hex to the centre of another, in exact integers.
//!
//! Sight lines do not depend on scale or shear, so the picture is squeezed until every centre and every
//! corner of a hex has whole coordinates: columns lie 3 apart, hexes of a column 2 apart, and the corners
//! of a hex at (±2, 0) and (±1, ±1) from its centre. Which side of the line a corner lies on is then the
//! sign of a product of whole numbers: nothing is rounded, and a line seen from its other end is the same line.
//!
//! The way a line takes depends only on where the far hex lies from the near one. [`Sightlines`] keeps one
//! list of steps for each such displacement and walks it over the grid's neighbours.

use crate::grid::{Grid, Hex, Side};
use crate::{Direction, HexSet};

/// What a line passes on its way, strictly between its end hexes.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum Pass {
    /// Through the inside of a hex.
    Through(Hex),
    /// Along the side between two hexes, the lower number first; at the edge of the map one is missing.
    Spine(Hex, Option<Hex>),
}

/// How a line goes from one hex (or spine) to the next.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum Crossing {
    /// Across the inside of a hexside.
    Side(Side),
    /// Through a corner: the two sides meeting there of the hex (or spine) left, and of the one entered.
    Corner {
        /// The two of the hex left.
        leaving: [Side; 2],
        /// The two of the hex entered.
        entering: [Side; 2],
    },
}

/// One crossing and what lies beyond it.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct Leg {
    /// What it crosses to get there.
    pub over: Crossing,
    /// How it passes through the hex.
    pub into: Pass,
}

/// One step of a line from the inside of a hex to the inside of the next.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Step {
    Side(Direction),
    /// Through a corner into one of the two hexes that meet there, past the other.
    Corner {
        into: Direction,
        beside: Direction,
    },
    /// Through a corner and along the side between the neighbours in this direction and the next clockwise.
    Spine(Direction),
}

/// The corners of a hex; the side in direction `i` runs from corner `i` to corner `i + 1`.
const CORNERS: [(i32, i32); 6] = [(-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0)];

/// Positive where `point` lies to the right of the `heading`, zero where it lies on the line.
fn right_of(heading: (i32, i32), point: (i32, i32)) -> i32 {
    heading.0 * point.1 - heading.1 * point.0
}

/// The steps of the line to the hex so many columns to the east and half hexes to the south.
fn steps_to(east: i32, south: i32) -> Vec<Step> {
    let target = (3 * east, south);
    let mut centre = (0, 0);
    let mut steps = Vec::new();
    while centre != target {
        let step = step_out_of(centre, target);
        let moved = match step {
            Step::Side(direction) | Step::Corner { into: direction, .. } => direction.offset(),
            Step::Spine(left) => {
                let (a, b) = (left.offset(), left.right().offset());
                (a.0 + b.0, a.1 + b.1)
            }
        };
        centre = (centre.0 + 3 * moved.0, centre.1 + moved.1);
        steps.push(step);
    }
    steps
}

/// Where the line from the origin to `target` leaves the hex around `centre`: where the hex's corners, taken
/// clockwise, go over from its left to its right.
fn step_out_of(centre: (i32, i32), target: (i32, i32)) -> Step {
    let lies = |corner: usize| {
        let (x, y) = CORNERS[corner % 6];
        right_of(target, (centre.0 + x, centre.1 + y)).signum()
    };
    let out = (0..6).find(|&i| lies(i + 5) < 0 && lies(i) == 0 && lies(i + 1) > 0);
    let Some(corner) = out else {
        let side = (0..6).find(|&i| lies(i) < 0 && lies(i + 1) > 0).unwrap_or(0);
        return Step::Side(Direction::from_index(side));
    };
    let (left, right) = (Direction::from_index(corner + 5), Direction::from_index(corner));
    match right_of(target, CORNERS[corner]) {
        0 => Step::Spine(left),
        1.. => Step::Corner { into: left, beside: right },
        _ => Step::Corner { into: right, beside: left },
    }
}

/// A line from the centre of one hex to the centre of another.
#[derive(Copy, Clone, Debug)]
pub struct Sightline<'a> {
    grid: &'a Grid,
    from: Hex,
    to: Hex,
    steps: &'a [Step],
}

impl<'a> Sightline<'a> {
    /// Where it begins.
    pub fn from(&self) -> Hex {
        self.from
    }

    /// Where it ends.
    pub fn to(&self) -> Hex {
        self.to
    }

    /// Every crossing in order with what lies beyond it; the last leg enters the far hex.
    #[inline]
    pub fn legs(&self) -> Legs<'a> {
        Legs { grid: self.grid, at: self.from, steps: self.steps.iter(), along: None }
    }

    /// What lies strictly between the two hexes, in order from the near one.
    #[inline]
    pub fn between(&self) -> impl Iterator<Item = Pass> + use<'a> {
        let to = Pass::Through(self.to);
        self.legs().map(|leg| leg.into).take_while(move |&pass| pass != to)
    }

    /// Every crossing in order, the one out of the near hex and the one into the far hex included.
    #[inline]
    pub fn crossings(&self) -> impl Iterator<Item = Crossing> + use<'a> {
        self.legs().map(|leg| leg.over)
    }

    /// Whether something between the two hexes hides one from the other: a hex that `blocks`, or a spine
    /// both of whose hexes do. Beyond the edge of the map nothing can be seen past.
    #[inline]
    pub fn is_blocked(&self, mut blocks: impl FnMut(Hex) -> bool) -> bool {
        self.between().any(|pass| match pass {
            Pass::Through(hex) => blocks(hex),
            Pass::Spine(a, b) => blocks(a) && b.is_none_or(&mut blocks),
        })
    }

    /// As [`is_blocked`](Self::is_blocked), but a spine at the edge of the map has no second hex that could block, so
    /// nothing is hidden there.
    #[inline]
    pub fn is_blocked_by_both(&self, mut blocks: impl FnMut(Hex) -> bool) -> bool {
        self.between().any(|pass| match pass {
            Pass::Through(hex) => blocks(hex),
            Pass::Spine(a, b) => b.is_some_and(|b| blocks(a) && blocks(b)),
        })
    }
}

/// The legs of a [`Sightline`].
#[derive(Clone, Debug)]
pub struct Legs<'a> {
    grid: &'a Grid,
    at: Hex,
    steps: std::slice::Iter<'a, Step>,
    /// Set while the line runs along the spine between this direction and the next clockwise.
    along: Option<Direction>,
}

impl Iterator for Legs<'_> {
    type Item = Leg;

    #[inline]
    fn next(&mut self) -> Option<Leg> {
        if let Some(left) = self.along.take() {
            return self.leave_spine(left);
        }
        match *self.steps.next()? {
            Step::Side(direction) => {
                let over = Crossing::Side(self.grid.side(self.at, direction));
                self.enter(over, self.grid.neighbour(self.at, direction)?)
            }
            Step::Corner { into, beside } => {
                let next = self.grid.neighbour(self.at, into)?;
                let past = if beside == into.right() { beside.right() } else { beside.left() };
                let over = Crossing::Corner {
                    leaving: self.pair(self.at, into, beside),
                    entering: self.pair(next, into.opposite(), past),
                };
                self.enter(over, next)
            }
            Step::Spine(left) => {
                self.along = Some(left);
                let sides = self.pair(self.at, left, left.right());
                let over = Crossing::Corner { leaving: sides, entering: sides };
                Some(Leg { over, into: self.spine(left)? })
            }
        }
    }
}

impl Legs<'_> {
    fn enter(&mut self, over: Crossing, hex: Hex) -> Option<Leg> {
        self.at = hex;
        Some(Leg { over, into: Pass::Through(hex) })
    }

    fn spine(&self, left: Direction) -> Option<Pass> {
        let a = self.grid.neighbour(self.at, left);
        let b = self.grid.neighbour(self.at, left.right());
        match (a, b) {
            (Some(a), Some(b)) => Some(Pass::Spine(a.min(b), Some(a.max(b)))),
            (Some(only), None) | (None, Some(only)) => Some(Pass::Spine(only, None)),
            (None, None) => None,
        }
    }

    fn leave_spine(&mut self, left: Direction) -> Option<Leg> {
        let right = left.right();
        let around = |first, second| {
            self.grid.neighbour(self.at, first).and_then(|hex| self.grid.neighbour(hex, second))
        };
        let beyond = around(left, right).or_else(|| around(right, left))?;
        let sides = self.pair(beyond, left.opposite(), right.opposite());
        self.enter(Crossing::Corner { leaving: sides, entering: sides }, beyond)
    }

    fn pair(&self, hex: Hex, one: Direction, other: Direction) -> [Side; 2] {
        let (a, b) = (self.grid.side(hex, one), self.grid.side(hex, other));
        [a.min(b), a.max(b)]
    }
}

/// One line, for occasional use; [`Sightlines`] holds all lines up to a range.
#[derive(Clone, Debug)]
pub struct Trace<'a> {
    grid: &'a Grid,
    from: Hex,
    to: Hex,
    steps: Vec<Step>,
}

impl<'a> Trace<'a> {
    /// The line between the middles of two hexes.
    pub fn new(grid: &'a Grid, from: Hex, to: Hex) -> Trace<'a> {
        let (east, south) = displacement(grid, from, to);
        Trace { grid, from, to, steps: steps_to(east, south) }
    }

    /// The line, to be walked along.
    pub fn line(&self) -> Sightline<'_> {
        Sightline { grid: self.grid, from: self.from, to: self.to, steps: &self.steps }
    }
}

fn displacement(grid: &Grid, from: Hex, to: Hex) -> (i32, i32) {
    let ((ax, ay), (bx, by)) = (grid.place(from), grid.place(to));
    (bx - ax, by - ay)
}

/// All lines up to a range, worked out once.
#[derive(Clone, Debug)]
pub struct Sightlines {
    range: i32,
    /// Where the steps of a displacement begin; they end where those of the next begin.
    starts: Vec<u32>,
    steps: Vec<Step>,
}

impl Sightlines {
    /// All lines of at most this range.
    pub fn up_to(range: u16) -> Sightlines {
        let range = i32::from(range);
        let (mut starts, mut steps) = (Vec::new(), Vec::new());
        for east in -range..=range {
            for south in -2 * range..=2 * range {
                starts.push(steps.len() as u32);
                let across = east.abs();
                let is_hex = (east + south) % 2 == 0;
                if is_hex && across + (south.abs() - across).max(0) / 2 <= range {
                    steps.extend(steps_to(east, south));
                }
            }
        }
        starts.push(steps.len() as u32);
        Sightlines { range, starts, steps }
    }

    /// The longest range it knows.
    pub fn range(&self) -> u16 {
        self.range as u16
    }

    /// The line from one hex to another, or none if they lie further apart than the range.
    #[inline]
    pub fn between<'a>(&'a self, grid: &'a Grid, from: Hex, to: Hex) -> Option<Sightline<'a>> {
        if i32::from(grid.distance(from, to)) > self.range {
            return None;
        }
        let (east, south) = displacement(grid, from, to);
        let slot = ((east + self.range) * (4 * self.range + 1) + south + 2 * self.range) as usize;
        let (start, end) = (self.starts[slot] as usize, self.starts[slot + 1] as usize);
        Some(Sightline { grid, from, to, steps: &self.steps[start..end] })
    }

    /// The hexes within the range that nothing hides; the hex itself is among them.
    pub fn seen_from(&self, grid: &Grid, from: Hex, mut blocks: impl FnMut(Hex) -> bool) -> HexSet {
        grid.within(from, self.range())
            .filter(|&to| self.between(grid, from, to).is_some_and(|line| !line.is_blocked(&mut blocks)))
            .collect()
    }
}
