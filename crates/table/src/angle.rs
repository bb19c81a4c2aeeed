//! Facings in hundredths of a degree, clockwise from north, and their unit vectors.
//!
//! The sines of the 91 whole degrees and of the 100 hundredths are constants summed from the Taylor series in 128-bit
//! integers; any other angle follows by the addition theorem, worked out for a whole quadrant when the program is built.
//! One rounding, to 2^-30, is left.

use crate::grid::{Pt, div_round};
use serde::{Deserialize, Serialize};

const QUARTER: u16 = 9_000;
const CIRCLE: i32 = 36_000;
/// pi, times 2^60.
const PI_60: i128 = 3_622_009_729_038_561_421;
/// pi, times 10^12.
const PI_E12: i128 = 3_141_592_653_590;

const fn taylor_sin(hundredths: i128) -> i128 {
    let x = PI_60 * hundredths / 18_000;
    let square = (x * x) >> 60;
    let (mut term, mut sum, mut k) = (x, x, 1);
    while term != 0 {
        term = -(((term * square) >> 60) / ((2 * k) * (2 * k + 1)));
        sum += term;
        k += 1;
        if k > 30 {
            break;
        }
    }
    sum
}

const fn taylor_cos(hundredths: i128) -> i128 {
    let x = PI_60 * hundredths / 18_000;
    let square = (x * x) >> 60;
    let (mut term, mut sum, mut k) = (1i128 << 60, 1i128 << 60, 1);
    while k < 30 {
        term = -(((term * square) >> 60) / ((2 * k - 1) * (2 * k)));
        sum += term;
        k += 1;
    }
    sum
}

const WHOLE: [i64; 91] = {
    let mut t = [0i64; 91];
    let mut d = 0;
    while d <= 90 {
        // Beyond 45 degrees the cosine of the complement: one side of the table mirrors the other exactly.
        t[d] =
            (if d <= 45 { taylor_sin(d as i128 * 100) } else { taylor_cos((90 - d as i128) * 100) }) as i64;
        d += 1;
    }
    t
};
const PARTS: [(i64, i64); 100] = {
    let mut t = [(0i64, 0i64); 100];
    let mut h = 0;
    while h < 100 {
        t[h] = (taylor_sin(h as i128) as i64, taylor_cos(h as i128) as i64);
        h += 1;
    }
    t
};

/// A unit vector, its components scaled by 2^30.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dir {
    /// To the east.
    pub x: i64,
    /// To the north.
    pub y: i64,
}

impl Dir {
    /// How many bits a length of one has.
    pub const BITS: u32 = 30;
    const HALF: i64 = 1 << (Self::BITS - 1);

    /// A quarter turn clockwise.
    pub const fn right(self) -> Self {
        Self { x: self.y, y: -self.x }
    }

    /// A quarter to the left.
    pub const fn left(self) -> Self {
        Self { x: -self.y, y: self.x }
    }

    /// The opposite.
    pub const fn back(self) -> Self {
        Self { x: -self.x, y: -self.y }
    }

    /// The direction as a vector of length 2 to the power of `bits`.
    pub const fn scaled(self, bits: u32) -> Pt {
        let spare = 1 << (Self::BITS - bits);
        Pt::new(div_round(self.x, spare), div_round(self.y, spare))
    }

    /// How far `p` reaches along this direction.
    pub const fn along(self, p: Pt) -> i64 {
        unscale(self.x * p.x + self.y * p.y)
    }

    /// The vector of the given length in this direction.
    pub const fn times(self, length: i64) -> Pt {
        Pt::new(unscale(self.x * length), unscale(self.y * length))
    }
}

/// Divides by 2^30, halves away from zero.
const fn unscale(n: i64) -> i64 {
    if n < 0 { -((-n + Dir::HALF) >> Dir::BITS) } else { (n + Dir::HALF) >> Dir::BITS }
}

/// A facing: hundredths of a degree clockwise from north, `0..36000`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Angle(u16);

impl Angle {
    /// Up the table.
    pub const NORTH: Self = Self(0);
    /// To the right.
    pub const EAST: Self = Self(QUARTER);
    /// Down the table.
    pub const SOUTH: Self = Self(2 * QUARTER);
    /// To the left.
    pub const WEST: Self = Self(3 * QUARTER);

    /// From hundredths of a degree, clockwise from north.
    pub const fn hundredths(h: i32) -> Self {
        Self(h.rem_euclid(CIRCLE) as u16)
    }

    /// From degrees, clockwise from north.
    pub const fn degrees(d: i32) -> Self {
        Self::hundredths(d * 100)
    }

    /// In hundredths of a degree.
    pub const fn get(self) -> i32 {
        self.0 as i32
    }

    /// Turned clockwise by so many hundredths of a degree.
    pub const fn turned(self, h: i32) -> Self {
        Self::hundredths(self.0 as i32 + h)
    }

    /// Half a turn on.
    pub const fn reversed(self) -> Self {
        self.turned(CIRCLE / 2)
    }

    /// The turn from here to `o`, in `-17999..=18000`, positive clockwise.
    pub const fn turn_to(self, o: Self) -> i32 {
        let d = (o.0 as i32 - self.0 as i32).rem_euclid(CIRCLE);
        if d > CIRCLE / 2 { d - CIRCLE } else { d }
    }

    /// The same as a direction.
    pub const fn dir(self) -> Dir {
        let (quarters, rest) = (self.0 / QUARTER, self.0 % QUARTER);
        let north = Dir { x: SINES[rest as usize] as i64, y: SINES[(QUARTER - rest) as usize] as i64 };
        match quarters {
            0 => north,
            1 => north.right(),
            2 => north.back(),
            _ => north.left(),
        }
    }

    /// The facing closest to a vector; north for the null vector.
    pub fn of(v: Pt) -> Self {
        let mut v = v;
        let mut quarters = 0;
        if v == Pt::default() {
            return Self::NORTH;
        }
        while !(v.x >= 0 && v.y > 0) {
            v = Pt::new(-v.y, v.x); // a quarter turn back
            quarters += 1;
        }
        // Of the hundredths that are not clockwise of v the last, then whichever of its two neighbours is nearer. The
        // guess is within one or two of it and only saves the search.
        let mut lo = guess(v);
        let (mut below, mut above) = (ahead_by(lo, v), ahead_by(lo + 1, v));
        while below > 0 {
            lo -= 1;
            (below, above) = (ahead_by(lo, v), below);
        }
        while above <= 0 && lo + 2 <= QUARTER {
            lo += 1;
            (below, above) = (above, ahead_by(lo + 1, v));
        }
        let nearer = if below.abs() <= above.abs() { lo } else { lo + 1 };
        Self::hundredths(i32::from(nearer) + quarters * i32::from(QUARTER))
    }

    /// The nearest of eight directions in words: `north-west`.
    pub const fn compass(self) -> &'static str {
        const NAMES: [&str; 8] =
            ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
        NAMES[((self.0 + QUARTER / 4) / (QUARTER / 2)) as usize % NAMES.len()]
    }

    /// The length of the arc that a point at distance `radius` runs through in a turn of so many hundredths.
    pub const fn arc(hundredths: i32, radius: i64) -> i64 {
        let n = PI_E12 * radius as i128 * hundredths.abs() as i128;
        let d = 18_000 * 1_000_000_000_000i128;
        ((n + d / 2) / d) as i64
    }

    /// The largest turn in which a point at distance `radius` runs through no more than `arc`; at least one hundredth.
    pub const fn turn_for_arc(arc: i64, radius: i64) -> i32 {
        let turn = arc as i128 * 18_000 * 1_000_000_000_000 / (PI_E12 * radius as i128);
        if turn < 1 {
            1
        } else if turn > QUARTER as i128 {
            QUARTER as i32
        } else {
            turn as i32
        }
    }
}

/// The sines of all angles up to 90 degrees, times 2^30.
static SINES: [i32; QUARTER as usize + 1] = {
    let mut t = [0; QUARTER as usize + 1];
    let mut h = 0;
    while h <= QUARTER {
        t[h as usize] = sine(h);
        h += 1;
    }
    t
};

/// The sine of an angle up to 90 degrees, times 2^30.
const fn sine(h: u16) -> i32 {
    let (d, part) = ((h / 100) as usize, PARTS[(h % 100) as usize]);
    let (sd, cd) = (WHOLE[d] as i128, WHOLE[90 - d] as i128);
    let (sp, cp) = (part.0 as i128, part.1 as i128);
    ((sd * cp + cd * sp + (1 << 89)) >> 90) as i32
}

/// About how many hundredths of a degree a vector of the first quadrant lies clockwise of north: the arc tangent by a
/// polynomial, in integers.
fn guess(v: Pt) -> u16 {
    const ONE: i64 = 1 << 30;
    /// Odd coefficients from the eleventh power down to the first, times 2^30.
    const POWERS: [i64; 6] =
        [-12_585_543, 56_536_072, -125_018_842, 207_815_709, -357_151_731, 1_073_717_407];
    // Thirty bits are enough for a guess.
    let spare = (64 - (v.x | v.y).leading_zeros()).saturating_sub(30);
    let (x, y) = (v.x >> spare, v.y >> spare);
    let (small, large) = (x.min(y), x.max(y).max(1));
    let t = (small << 30) / large;
    let square = (t * t) >> 30;
    let slope = POWERS.iter().fold(0, |sum, c| ((sum * square) >> 30) + c);
    let near = ((slope * t) >> 30) * 57_295_780 / 10_000 / ONE;
    let from_north = if x <= y { near } else { i64::from(QUARTER) - near };
    from_north.clamp(0, i64::from(QUARTER) - 1) as u16
}

/// How far the direction of an angle lies clockwise of a vector, as a cross product.
fn ahead_by(h: u16, v: Pt) -> i128 {
    let d = Angle::hundredths(i32::from(h)).dir();
    i128::from(d.x) * i128::from(v.y) - i128::from(d.y) * i128::from(v.x)
}
