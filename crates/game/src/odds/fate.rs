use std::collections::BTreeMap;

use num_traits::Zero;
use serde::Serialize;

use super::{Chance, Likelihood, Odds};
use crate::{PieceId, Place, System};

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

#[derive(Default)]
struct Sums {
    fates: BTreeMap<Fate, Chance>,
    lost: BTreeMap<i32, Chance>,
    hurt: BTreeMap<i32, Chance>,
}

/// Adds up, over all ends, what becomes of each piece; pieces to which nothing can happen are left out.
pub(super) fn pieces<S: System>(
    battle: &S::Battle,
    state: &S::State,
    odds: &Odds<S::State>,
) -> Vec<PieceOdds> {
    let before: BTreeMap<PieceId, Standing> = S::standings(battle, state).into_iter().collect();
    let mut sums = BTreeMap::<PieceId, Sums>::new();
    let add =
        |map: &mut BTreeMap<i32, Chance>, n: i32, c: &Chance| *map.entry(n).or_insert_with(Chance::zero) += c;
    for (end, chance) in &odds.ends {
        for (piece, after) in S::standings(battle, end) {
            let Some(was) = before.get(&piece) else { continue };
            let sum = sums.entry(piece).or_default();
            *sum.fates.entry(fate(was, &after)).or_insert_with(Chance::zero) += chance;
            add(&mut sum.lost, i32::from(after.lost) - i32::from(was.lost), chance);
            add(&mut sum.hurt, i32::from(after.hurt) - i32::from(was.hurt), chance);
        }
    }
    let share = |c: &Chance| Likelihood::of(c, odds.sampled);
    let counts =
        |map: BTreeMap<i32, Chance>| map.iter().map(|(&n, c)| CountOdds { n, share: share(c) }).collect();
    sums.into_iter()
        .filter(|(_, sum)| sum.fates.keys().any(|f| *f != Fate::Unhurt))
        .map(|(piece, sum)| PieceOdds {
            piece,
            fates: sum.fates.iter().map(|(&fate, c)| FateOdds { fate, share: share(c) }).collect(),
            lost: counts(sum.lost),
            hurt: counts(sum.hurt),
        })
        .collect()
}

/// The standings read off the view: right for every system, if not the quickest.
pub(crate) fn from_view<S: crate::Words>(battle: &S::Battle, state: &S::State) -> Fates {
    let view = S::view(battle, state, None);
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
