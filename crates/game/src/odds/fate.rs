use std::collections::BTreeMap;

use serde::Serialize;

use super::Likelihood;
use super::weight::Share;
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

/// How a fate feels to the piece's owner, from best to worst: the colour of its bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "kebab-case")]
pub enum Tone {
    /// It gets what it was sent for, or is better off: contact, an advance, a rally.
    Gains,
    /// It stays as it was, or does as it was told.
    Holds,
    /// It is hurt and stands.
    Hurt,
    /// It gives way against its owner's will: falls back, retreats, routs.
    Yields,
    /// It is gone from the board.
    Gone,
}

/// What becomes of a piece, in the game's own words. Fates sort by tone first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Fate {
    /// How it feels.
    pub tone: Tone,
    /// One word or two, as the piece's predicate: `falls back`, `routed`, `halts short`.
    pub word: &'static str,
}

impl Fate {
    /// Nothing happens to it.
    pub const UNHURT: Fate = Fate::new("unhurt", Tone::Holds);

    /// A fate of that word and tone.
    #[must_use]
    pub const fn new(word: &'static str, tone: Tone) -> Fate {
        Fate { tone, word }
    }

    /// What can be told from the standings alone. A change of place is no more than that: only the rules know whether
    /// it obeyed or gave way.
    #[must_use]
    pub fn of_standings(was: &Standing, is: &Standing) -> Fate {
        if is.off && !was.off {
            Fate::new("gone", Tone::Gone)
        } else if is.lost > was.lost || is.hurt > was.hurt {
            Fate::new("hurt", Tone::Hurt)
        } else if is.order > was.order {
            Fate::new("loses order", Tone::Hurt)
        } else if is.order < was.order || is.lost < was.lost || is.hurt < was.hurt {
            Fate::new("recovers", Tone::Gains)
        } else if is.off != was.off {
            Fate::new("arrives", Tone::Gains)
        } else if is.place != was.place {
            Fate::new("moves", Tone::Holds)
        } else {
            Fate::UNHURT
        }
    }
}

/// The odds of one piece.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct PieceOdds {
    /// Which.
    pub piece: PieceId,
    /// What becomes of it, the best first.
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

/// What becomes of each piece, added up over all ends. `S::fate` is asked only about pieces whose standing changes in
/// one end at least, in all ends then: who stays where it was may have halted short, or not dared.
pub(super) struct Fortunes<'a, S: System, N> {
    battle: &'a S::Battle,
    before: &'a S::State,
    pieces: Vec<(PieceId, Standing, Sums<N>)>,
    ends: Vec<(&'a S::State, &'a N)>,
}

/// The shares of one piece's changes, and the ends in which its standing is the same as before.
struct Sums<N> {
    fates: BTreeMap<Fate, N>,
    lost: BTreeMap<i32, N>,
    hurt: BTreeMap<i32, N>,
    same: Vec<u32>,
}

impl<N: Share> Sums<N> {
    fn none() -> Self {
        Sums { fates: BTreeMap::new(), lost: BTreeMap::new(), hurt: BTreeMap::new(), same: Vec::new() }
    }

    fn add(&mut self, fate: Fate, lost: i32, hurt: i32, share: &N) {
        *self.fates.entry(fate).or_insert_with(N::zero) += share;
        *self.lost.entry(lost).or_insert_with(N::zero) += share;
        *self.hurt.entry(hurt).or_insert_with(N::zero) += share;
    }
}

impl<'a, S: System, N: Share> Fortunes<'a, S, N> {
    pub(super) fn new(battle: &'a S::Battle, before: &'a S::State) -> Self {
        let standings = S::standings(battle, before);
        let pieces = standings.into_iter().map(|(piece, was)| (piece, was, Sums::none())).collect();
        Fortunes { battle, before, pieces, ends: Vec::new() }
    }

    /// Adds an end of this share.
    pub(super) fn add(&mut self, end: &'a S::State, share: &'a N) {
        let nth = self.ends.len() as u32;
        self.ends.push((end, share));
        for (at, (piece, is)) in S::standings(self.battle, end).into_iter().enumerate() {
            // Most often the list is the same as before.
            let same = self.pieces.get(at).is_some_and(|(id, ..)| *id == piece);
            let found = if same { Some(at) } else { self.pieces.iter().position(|(id, ..)| *id == piece) };
            let Some((_, was, sums)) = found.map(|at| &mut self.pieces[at]) else { continue };
            if is == *was {
                sums.same.push(nth);
                continue;
            }
            let fate = S::fate(self.battle, self.before, end, piece, was, &is);
            let lost = i32::from(is.lost) - i32::from(was.lost);
            let hurt = i32::from(is.hurt) - i32::from(was.hurt);
            sums.add(fate, lost, hurt, share);
        }
    }

    /// The pieces to which something can happen, by their numbers.
    pub(super) fn told(self, likelihood: impl Fn(&N) -> Likelihood) -> Vec<PieceOdds> {
        let Fortunes { battle, before, pieces, ends } = self;
        let counts = |map: BTreeMap<i32, N>| {
            map.iter().map(|(&n, share)| CountOdds { n, share: likelihood(share) }).collect()
        };
        let changed = pieces.into_iter().filter(|(.., sums)| !sums.fates.is_empty());
        let mut told: Vec<PieceOdds> = changed
            .map(|(piece, was, mut sums)| {
                for nth in std::mem::take(&mut sums.same) {
                    let (end, share) = ends[nth as usize];
                    sums.add(S::fate(battle, before, end, piece, &was, &was), 0, 0, share);
                }
                let fates =
                    sums.fates.iter().map(|(&fate, share)| FateOdds { fate, share: likelihood(share) });
                PieceOdds { piece, fates: fates.collect(), lost: counts(sums.lost), hurt: counts(sums.hurt) }
            })
            .collect();
        told.sort_by_key(|odds| odds.piece);
        told
    }
}

/// The standings read off the view: right for every system, if not the quickest.
pub(crate) fn from_view<S: crate::Display>(battle: &S::Battle, state: &S::State) -> Fates {
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
            let order = u8::from(piece.state.is_some());
            (piece.id, Standing { whole, hurt, lost, place: numbered(&piece.place), off, order })
        })
        .collect()
}
