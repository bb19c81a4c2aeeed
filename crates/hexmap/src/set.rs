//! A set of hexes that lives on the stack.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

use serde::{Deserialize, Serialize};

use crate::Hex;

const WORDS: usize = 16;

/// A set of hexes of one grid: a fixed array of bits, copied freely, never on the heap.
#[derive(Copy, Clone, Default, Eq, PartialEq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HexSet([u64; WORDS]);

impl HexSet {
    /// The most hexes a grid may have. The largest battlefield, Pea Ridge, has 896.
    pub const CAPACITY: usize = WORDS * 64;

    /// The set without a hex.
    pub const EMPTY: HexSet = HexSet([0; WORDS]);

    /// A set without a hex.
    #[inline]
    pub const fn new() -> HexSet {
        Self::EMPTY
    }

    /// The set with these bits, the lowest number first: for inner loops that keep words of their own.
    #[inline]
    pub const fn from_words(words: [u64; WORDS]) -> HexSet {
        HexSet(words)
    }

    /// The bits of the set, the lowest number first.
    #[inline]
    pub const fn words(&self) -> &[u64; WORDS] {
        &self.0
    }

    /// Whether a hex is in it.
    #[inline]
    pub fn contains(&self, hex: Hex) -> bool {
        self.0[hex.index() / 64] >> (hex.index() % 64) & 1 == 1
    }

    /// Adds a hex; true if it was not there before.
    #[inline]
    pub fn insert(&mut self, hex: Hex) -> bool {
        let fresh = !self.contains(hex);
        self.0[hex.index() / 64] |= 1 << (hex.index() % 64);
        fresh
    }

    /// Takes a hex out; true if it was there.
    #[inline]
    pub fn remove(&mut self, hex: Hex) -> bool {
        let there = self.contains(hex);
        self.0[hex.index() / 64] &= !(1 << (hex.index() % 64));
        there
    }

    /// Takes every hex out.
    #[inline]
    pub fn clear(&mut self) {
        *self = Self::EMPTY;
    }

    /// Whether no hex is in it.
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// How many hexes are in it.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The hexes of either.
    #[inline]
    pub fn union(self, other: HexSet) -> HexSet {
        self | other
    }

    /// The hexes of both.
    #[inline]
    pub fn intersection(self, other: HexSet) -> HexSet {
        self & other
    }

    /// The hexes of this one that the other has not.
    #[inline]
    pub fn difference(self, other: HexSet) -> HexSet {
        self - other
    }

    /// Whether the two sets share a hex.
    #[inline]
    pub fn meets(&self, other: &HexSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// The hex with the lowest number.
    pub fn first(&self) -> Option<Hex> {
        self.iter().next()
    }

    /// The hexes in the order of their numbers.
    #[inline]
    pub fn iter(&self) -> Hexes {
        Hexes { words: self.0, at: 0 }
    }
}

/// The hexes of a [`HexSet`] in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Hexes {
    words: [u64; WORDS],
    at: usize,
}

impl Iterator for Hexes {
    type Item = Hex;

    #[inline]
    fn next(&mut self) -> Option<Hex> {
        while self.at < WORDS {
            let word = &mut self.words[self.at];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(Hex((self.at * 64 + bit) as u16));
            }
            self.at += 1;
        }
        None
    }
}

impl IntoIterator for HexSet {
    type Item = Hex;
    type IntoIter = Hexes;

    fn into_iter(self) -> Hexes {
        self.iter()
    }
}

impl IntoIterator for &HexSet {
    type Item = Hex;
    type IntoIter = Hexes;

    fn into_iter(self) -> Hexes {
        self.iter()
    }
}

impl FromIterator<Hex> for HexSet {
    fn from_iter<I: IntoIterator<Item = Hex>>(hexes: I) -> HexSet {
        let mut set = HexSet::new();
        set.extend(hexes);
        set
    }
}

impl Extend<Hex> for HexSet {
    fn extend<I: IntoIterator<Item = Hex>>(&mut self, hexes: I) {
        for hex in hexes {
            self.insert(hex);
        }
    }
}

macro_rules! word_by_word {
    ($operator:ident, $method:ident, $assigning:ident, $assign:ident, $word:expr) => {
        impl $assigning for HexSet {
            #[inline]
            fn $assign(&mut self, other: HexSet) {
                let word: fn(u64, u64) -> u64 = $word;
                for (mine, theirs) in self.0.iter_mut().zip(other.0) {
                    *mine = word(*mine, theirs);
                }
            }
        }

        impl $operator for HexSet {
            type Output = HexSet;

            #[inline]
            fn $method(mut self, other: HexSet) -> HexSet {
                self.$assign(other);
                self
            }
        }
    };
}

word_by_word!(BitOr, bitor, BitOrAssign, bitor_assign, |a, b| a | b);
word_by_word!(BitAnd, bitand, BitAndAssign, bitand_assign, |a, b| a & b);
word_by_word!(Sub, sub, SubAssign, sub_assign, |a, b| a & !b);

impl fmt::Debug for HexSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|hex| hex.0)).finish()
    }
}
