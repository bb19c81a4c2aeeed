use std::ops::{Index, IndexMut, Not};

use serde::{Deserialize, Serialize};

/// One of the two sides of a battle. Which is which (Union, Crown, ...) the battle says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side that the scenario lists first.
    First,
    /// The side that the scenario lists second.
    Second,
}

impl Side {
    /// Both, in the scenario's order.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[must_use]
    pub const fn enemy(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first side, 1 for the second.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Whose eyes look at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eyes {
    /// A side's: all but what the enemy conceals from it.
    Of(Side),
    /// A bystander's: only what both sides know.
    Bystander,
    /// Everybody's at once: on one screen, or when the game is over.
    All,
}

impl Eyes {
    /// Whether they see what `owner` keeps to itself.
    #[must_use]
    pub fn see(self, owner: Side) -> bool {
        match self {
            Eyes::Of(side) => side == owner,
            Eyes::Bystander => false,
            Eyes::All => true,
        }
    }

    /// The one side whose they are.
    #[must_use]
    pub fn side(self) -> Option<Side> {
        match self {
            Eyes::Of(side) => Some(side),
            Eyes::Bystander | Eyes::All => None,
        }
    }
}

impl Not for Side {
    type Output = Side;
    fn not(self) -> Side {
        self.enemy()
    }
}

/// A pair with one value for each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BySide<T> {
    /// The first side's value.
    pub first: T,
    /// The second side's value.
    pub second: T,
}

impl<T> BySide<T> {
    /// Asks `value` for each side.
    pub fn from_fn(mut value: impl FnMut(Side) -> T) -> Self {
        BySide { first: value(Side::First), second: value(Side::Second) }
    }

    /// The pair with each value turned into another.
    pub fn map<U>(self, mut turn: impl FnMut(T) -> U) -> BySide<U> {
        BySide { first: turn(self.first), second: turn(self.second) }
    }

    /// Each side with its value.
    pub fn iter(&self) -> impl Iterator<Item = (Side, &T)> {
        [(Side::First, &self.first), (Side::Second, &self.second)].into_iter()
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_has_its_own() {
        let mut pair = BySide::from_fn(Side::index);
        assert_eq!((pair[Side::First], pair[Side::Second]), (0, 1));
        pair[Side::Second] = 5;
        assert_eq!(pair.map(|n| n + 1), BySide { first: 1, second: 6 });
        assert_eq!(pair.iter().collect::<Vec<_>>(), [(Side::First, &0), (Side::Second, &5)]);
        assert_eq!((!Side::First, Side::Second.enemy()), (Side::Second, Side::First));
        assert_eq!(Side::BOTH, [Side::First, Side::Second]);
    }

    #[test]
    fn eyes_see_their_own() {
        for side in Side::BOTH {
            assert!(Eyes::Of(side).see(side) && !Eyes::Of(side).see(!side));
            assert!(Eyes::All.see(side) && !Eyes::Bystander.see(side));
            assert_eq!(Eyes::Of(side).side(), Some(side));
        }
        assert_eq!((Eyes::All.side(), Eyes::Bystander.side()), (None, None));
    }
}
