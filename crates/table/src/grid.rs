//! The units of length: poses in thousandths of an inch, working coordinates in millionths.

use serde::{Deserialize, Serialize};
use std::ops::{Add, Mul, Neg, Sub};

/// One inch in working units.
pub const INCH: i64 = 1_000_000;
/// One thousandth of an inch in working units: the grid on which poses are written.
pub const MIL: i64 = 1_000;
/// The tolerance of every comparison, 0.001 in.
pub const EPS: i64 = MIL;

/// A length written in thousandths of an inch.
pub const fn inches(thousandths: i64) -> i64 {
    thousandths * MIL
}

/// A length written in tenths of a millimetre, rounded to an even number of working units so that it has an exact half.
pub const fn mm(tenths: i64) -> i64 {
    2 * ((tenths * INCH + 254) / (2 * 254))
}

/// `n / d` rounded to the nearest whole, halves away from zero (so that the answer does not depend on the sign).
pub const fn div_round(n: i64, d: i64) -> i64 {
    let half = d.abs() / 2;
    if (n < 0) == (d < 0) { (n.abs() + half) / d.abs() } else { -((n.abs() + half) / d.abs()) }
}

/// `a * b / d` through 128 bits where 64 do not suffice, rounded like [`div_round`].
pub const fn mul_div(a: i64, b: i64, d: i64) -> i64 {
    if let Some(n) = a.checked_mul(b)
        && n.unsigned_abs() < 1 << 62
    {
        return div_round(n, d);
    }
    let n = a as i128 * b as i128;
    let d = d as i128;
    let half = d.abs() / 2;
    let q = (n.abs() + half) / d.abs();
    (if (n < 0) == (d < 0) { q } else { -q }) as i64
}

/// A point or vector in working units, x to the east, y to the north.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pt {
    /// To the east.
    pub x: i64,
    /// To the north.
    pub y: i64,
}

impl Pt {
    /// The point at these coordinates.
    pub const fn new(x: i64, y: i64) -> Self {
        Self { x, y }
    }

    /// The scalar product.
    pub const fn dot(self, o: Self) -> i64 {
        self.x * o.x + self.y * o.y
    }

    /// Positive when `o` lies counter-clockwise of `self`.
    pub const fn cross(self, o: Self) -> i64 {
        self.x * o.y - self.y * o.x
    }

    /// The length, squared.
    pub const fn norm2(self) -> i64 {
        self.dot(self)
    }

    /// The length, rounded to the nearest unit.
    pub fn length(self) -> i64 {
        root(self.norm2())
    }

    /// How far it is to another point, rounded.
    pub fn to(self, o: Self) -> i64 {
        Self::new(o.x - self.x, o.y - self.y).length()
    }

    /// Half way to another point.
    pub const fn middle(self, o: Self) -> Self {
        Self::new(self.x + (o.x - self.x) / 2, self.y + (o.y - self.y) / 2)
    }

    /// The point `num / den` of the way from here to `o`.
    pub const fn part_way(self, o: Self, num: i64, den: i64) -> Self {
        Self::new(self.x + mul_div(o.x - self.x, num, den), self.y + mul_div(o.y - self.y, num, den))
    }

    /// The nearest point of the grid of thousandths.
    pub const fn spot(self) -> Spot {
        Spot { x: div_round(self.x, MIL) as i32, y: div_round(self.y, MIL) as i32 }
    }
}

/// The square root rounded to the nearest whole number. The floating-point guess only saves time: whatever it is, the
/// integers correct it.
pub(crate) fn root(n: i64) -> i64 {
    let mut r = (n as f64).sqrt() as i64;
    while r * r > n {
        r -= 1;
    }
    while (r + 1) * (r + 1) <= n {
        r += 1;
    }
    if n - r * r > r { r + 1 } else { r }
}

impl Add for Pt {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self::new(self.x + o.x, self.y + o.y)
    }
}

impl Sub for Pt {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Self::new(self.x - o.x, self.y - o.y)
    }
}

impl Neg for Pt {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

impl Mul<i64> for Pt {
    type Output = Self;
    fn mul(self, k: i64) -> Self {
        Self::new(self.x * k, self.y * k)
    }
}

/// A point on the grid of thousandths of an inch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Spot {
    /// To the east.
    pub x: i32,
    /// To the north.
    pub y: i32,
}

impl Spot {
    /// The point at these coordinates.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The same on the fine grid.
    pub const fn pt(self) -> Pt {
        Pt::new(self.x as i64 * MIL, self.y as i64 * MIL)
    }
}
