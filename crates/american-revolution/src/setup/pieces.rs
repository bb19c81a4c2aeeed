//! Pieces by number, and sets of them that fit into one word.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

use game::PieceId;
use serde::{Deserialize, Serialize};

/// The most pieces a battle may have: combat units and leaders of both sides.
pub(crate) const MOST: usize = 64;

/// A combat unit or a leader: an index into [`crate::Battle::counters`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Piece(pub u8);

impl Piece {
    /// The index.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// As the board knows it.
    #[must_use]
    pub const fn id(self) -> PieceId {
        PieceId(self.0 as u16)
    }
}

/// A set of pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pieces(pub u64);

impl Pieces {
    /// Nobody.
    pub const NONE: Pieces = Pieces(0);

    /// One piece alone.
    #[inline]
    #[must_use]
    pub const fn one(piece: Piece) -> Pieces {
        Pieces(1 << piece.0)
    }

    /// Whether `piece` is among them.
    #[inline]
    #[must_use]
    pub const fn has(self, piece: Piece) -> bool {
        self.0 >> piece.0 & 1 == 1
    }

    /// Whether nobody is.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the two sets share a piece.
    #[inline]
    #[must_use]
    pub const fn meets(self, other: Pieces) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all of these are among `other`.
    #[inline]
    #[must_use]
    pub const fn within(self, other: Pieces) -> bool {
        self.0 & !other.0 == 0
    }

    /// How many.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Takes `piece` in.
    #[inline]
    pub fn add(&mut self, piece: Piece) {
        self.0 |= 1 << piece.0;
    }

    /// Lets `piece` go.
    #[inline]
    pub fn drop(&mut self, piece: Piece) {
        self.0 &= !(1 << piece.0);
    }

    /// With `piece`.
    #[inline]
    #[must_use]
    pub const fn with(self, piece: Piece) -> Pieces {
        Pieces(self.0 | 1 << piece.0)
    }

    /// Without `piece`.
    #[inline]
    #[must_use]
    pub const fn without(self, piece: Piece) -> Pieces {
        Pieces(self.0 & !(1 << piece.0))
    }

    /// The lowest.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<Piece> {
        (self.0 != 0).then(|| Piece(self.0.trailing_zeros() as u8))
    }

    /// The only one, if there is exactly one.
    #[inline]
    #[must_use]
    pub fn only(self) -> Option<Piece> {
        if self.len() == 1 { self.first() } else { None }
    }

    /// Every non-empty set that can be made of these.
    pub fn subsets(self) -> impl Iterator<Item = Pieces> {
        let mut part = 0u64;
        std::iter::from_fn(move || {
            part = part.wrapping_sub(self.0) & self.0;
            (part != 0).then_some(Pieces(part))
        })
    }
}

impl Iterator for Pieces {
    type Item = Piece;
    #[inline]
    fn next(&mut self) -> Option<Piece> {
        let first = self.first()?;
        self.0 &= self.0 - 1;
        Some(first)
    }
}

impl FromIterator<Piece> for Pieces {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> Pieces {
        pieces.into_iter().fold(Pieces::NONE, Pieces::with)
    }
}

impl BitOr for Pieces {
    type Output = Pieces;
    #[inline]
    fn bitor(self, other: Pieces) -> Pieces {
        Pieces(self.0 | other.0)
    }
}

impl BitAnd for Pieces {
    type Output = Pieces;
    #[inline]
    fn bitand(self, other: Pieces) -> Pieces {
        Pieces(self.0 & other.0)
    }
}

impl Sub for Pieces {
    type Output = Pieces;
    #[inline]
    fn sub(self, other: Pieces) -> Pieces {
        Pieces(self.0 & !other.0)
    }
}

impl BitOrAssign for Pieces {
    #[inline]
    fn bitor_assign(&mut self, other: Pieces) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for Pieces {
    #[inline]
    fn bitand_assign(&mut self, other: Pieces) {
        self.0 &= other.0;
    }
}

impl SubAssign for Pieces {
    #[inline]
    fn sub_assign(&mut self, other: Pieces) {
        self.0 &= !other.0;
    }
}
