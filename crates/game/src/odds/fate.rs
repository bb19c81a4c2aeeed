use std::collections::BTreeMap;

use serde::Serialize;

use super::Likelihood;
use super::weight::Share;
use crate::{PieceId, Place};

/// How a piece stands: what matters of it when odds are added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Standing {
    /// Cells that are whole.
    pub whole: u8,
    /// Cells that are shaken.
    pub hurt: u8,
    /// Cells that are lost.
    pub lost: u8,
    /// Where it is, as a number that is equal for equal places.
    pub place: u32,
    /// It is off the board.
    pub off: bool,
    /// Its state of order as a number; 0 in good order.
    pub order: u8,
}

/// Every piece with its standing.
pub type Fates = Vec<(PieceId, Standing)>;

/// What becomes of a piece, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Nothing.
    Unhurt,
    /// It is hurt and stands.
    Hurt,
    /// It gives way.
    GivesWay,
    /// It is gone from the board.
    Gone,
}

fn fate(before: &Standing, after: &Standing) -> Fate {
    if after.off && !before.off {
        Fate::Gone
    } else if after.place != before.place {
        Fate::GivesWay
    } else if (after.whole, after.hurt, after.lost, after.order)
        != (before.whole, before.hurt, before.lost, before.order)
    {
        Fate::Hurt
    } else {
        Fate::Unhurt
    }
}

/// The odds of one piece.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct PieceOdds {
    /// Which.
    pub piece: PieceId,
    /// What becomes of it, in the order of the fates.
    pub fates: Vec<FateOdds>,
    /// How many cells it loses for good, with the chances.
    pub lost: Vec<CountOdds>,
    /// How many more of its cells are shaken, with the chances.
    pub hurt: Vec<CountOdds>,
}

/// A fate and its chance.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct FateOdds {
    /// Which.
    pub fate: Fate,
    /// How likely.
    pub share: Likelihood,
}

/// A number and its chance.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct CountOdds {
    /// The number.
    pub n: i32,
    /// How likely.
    pub share: Likelihood,
}

/// What becomes of each piece, added up over all ends.
pub(super) struct Fortunes<N> {
    before: Fates,
    sums: Vec<Sums<N>>,
}

/// The shares of one piece's changes; where nothing changes only the whole is counted.
struct Sums<N> {
    whole: N,
    fates: BTreeMap<Fate, N>,
    lost: BTreeMap<i32, N>,
    hurt: BTreeMap<i32, N>,
}

impl<N: Share> Sums<N> {
    fn none() -> Self {
        Sums { whole: N::zero(), fates: BTreeMap::new(), lost: BTreeMap::new(), hurt: BTreeMap::new() }
    }

    /// Nothing happens in what is left of the whole.
    fn filled(&mut self) {
        let changed = self.fates.values().fold(N::zero(), |mut sum, share| {
            sum += share;
            sum
        });
        let rest = self.whole.less(&changed);
        if !rest.is_zero() {
            *self.fates.entry(Fate::Unhurt).or_insert_with(N::zero) += &rest;
            *self.lost.entry(0).or_insert_with(N::zero) += &rest;
            *self.hurt.entry(0).or_insert_with(N::zero) += &rest;
        }
    }
}

impl<N: Share> Fortunes<N> {
    pub(super) fn new(before: Fates) -> Self {
        let sums = before.iter().map(|_| Sums::none()).collect();
        Fortunes { before, sums }
    }

    /// Adds an end of this share.
    pub(super) fn add(&mut self, after: Fates, share: &N) {
        for (at, (piece, after)) in after.into_iter().enumerate() {
            // Most often the list is the same as before.
            let same = self.before.get(at).is_some_and(|(id, _)| *id == piece);
            let found = if same { Some(at) } else { self.before.iter().position(|(id, _)| *id == piece) };
            let Some(at) = found else { continue };
            let (was, sum) = (&self.before[at].1, &mut self.sums[at]);
            sum.whole += share;
            if after == *was {
                continue;
            }
            *sum.fates.entry(fate(was, &after)).or_insert_with(N::zero) += share;
            let lost = i32::from(after.lost) - i32::from(was.lost);
            *sum.lost.entry(lost).or_insert_with(N::zero) += share;
            let hurt = i32::from(after.hurt) - i32::from(was.hurt);
            *sum.hurt.entry(hurt).or_insert_with(N::zero) += share;
        }
    }

    /// The pieces to which something can happen, by their numbers.
    pub(super) fn told(self, likelihood: impl Fn(&N) -> Likelihood) -> Vec<PieceOdds> {
        let counts = |map: &BTreeMap<i32, N>| {
            map.iter().map(|(&n, share)| CountOdds { n, share: likelihood(share) }).collect()
        };
        let mut told: Vec<PieceOdds> = self
            .before
            .iter()
            .zip(self.sums)
            .filter(|(_, sum)| sum.fates.keys().any(|f| *f != Fate::Unhurt))
            .map(|((piece, _), mut sum)| {
                sum.filled();
                PieceOdds {
                    piece: *piece,
                    fates: sum
                        .fates
                        .iter()
                        .map(|(&fate, share)| FateOdds { fate, share: likelihood(share) })
                        .collect(),
                    lost: counts(&sum.lost),
                    hurt: counts(&sum.hurt),
                }
            })
            .collect();
        told.sort_by_key(|odds| odds.piece);
        told
    }
}

/// The standings read off the view: right for every system, if not the quickest.
pub(crate) fn from_view<S: crate::Words>(battle: &S::Battle, state: &S::State) -> Fates {
    let view = S::view(battle, state, crate::Eyes::All);
    let numbered = |place: &Place| match place {
        Place::Hex(hex) => hex.parse().unwrap_or(0),
        Place::Pose { x, y, facing } => {
            (x.wrapping_mul(31).wrapping_add(*y).wrapping_mul(31).wrapping_add(*facing)) as u32
        }
        Place::Box(_) => u32::MAX,
    };
    view.pieces
        .iter()
        .map(|piece| {
            let (whole, hurt, lost) = piece.gauge.as_ref().map_or((0, 0, 0), |g| (g.whole, g.hurt, g.lost));
            let off = matches!(piece.place, Place::Box(_));
            let order = piece
                .state
                .as_ref()
                .map_or(0, |s| s.bytes().fold(1u8, |h, b| h.wrapping_mul(31).wrapping_add(b)).max(1));
            (piece.id, Standing { whole, hurt, lost, place: numbered(&piece.place), off, order })
        })
        .collect()
}
