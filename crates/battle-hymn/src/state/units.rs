//! Units by number, and sets of them.

use game::PieceId;
use serde::{Deserialize, Serialize};

/// A unit: its place in file order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Id(pub u8);

impl Id {
    /// No unit.
    pub const NONE: Id = Id(u8::MAX);

    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// As the board and the log name it.
    pub fn piece(self) -> PieceId {
        PieceId(u16::from(self.0))
    }
}

/// A set of units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitSet(pub u64);

impl UnitSet {
    pub const EMPTY: UnitSet = UnitSet(0);

    #[inline]
    pub fn contains(self, id: Id) -> bool {
        self.0 >> (id.0 & 63) & 1 != 0
    }

    #[inline]
    pub fn insert(&mut self, id: Id) {
        self.0 |= 1 << (id.0 & 63);
    }

    #[inline]
    pub fn remove(&mut self, id: Id) {
        self.0 &= !(1 << (id.0 & 63));
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    #[inline]
    pub fn and(self, other: UnitSet) -> UnitSet {
        UnitSet(self.0 & other.0)
    }

    #[inline]
    pub fn or(self, other: UnitSet) -> UnitSet {
        UnitSet(self.0 | other.0)
    }

    #[inline]
    pub fn without(self, other: UnitSet) -> UnitSet {
        UnitSet(self.0 & !other.0)
    }

    /// The first in file order.
    #[inline]
    pub fn first(self) -> Option<Id> {
        (self.0 != 0).then(|| Id(self.0.trailing_zeros() as u8))
    }
}

impl IntoIterator for UnitSet {
    type Item = Id;
    type IntoIter = Units;
    #[inline]
    fn into_iter(self) -> Units {
        Units(self.0)
    }
}

impl FromIterator<Id> for UnitSet {
    fn from_iter<I: IntoIterator<Item = Id>>(ids: I) -> UnitSet {
        let mut set = UnitSet::EMPTY;
        ids.into_iter().for_each(|id| set.insert(id));
        set
    }
}

/// The units of a set, in file order.
#[derive(Debug, Clone)]
pub struct Units(u64);

impl Iterator for Units {
    type Item = Id;
    #[inline]
    fn next(&mut self) -> Option<Id> {
        if self.0 == 0 {
            return None;
        }
        let id = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Id(id))
    }
}
