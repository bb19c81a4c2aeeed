//! Exact odds: the engine's own code under dice that walk every outcome. There is no second formula.
//!
//! A distribution over positions is pushed forward one step at a time, and equal positions merge after each, so that
//! the cost follows the number of different positions and not the number of ways the dice can fall. Where even that is
//! too much for the budget, the same question is answered by playing it many times, and the answer says so.

mod enumerate;
mod fate;
mod happens;
mod sealed;
mod walk;
mod weight;

use std::collections::BTreeMap;

use num_traits::ToPrimitive;
use serde::Serialize;

pub use enumerate::{Chance, EveryDice, enumerate};
pub(crate) use fate::from_view;
pub use fate::{CountOdds, Fate, FateOdds, Fates, PieceOdds, Standing, Tone};
pub use happens::Happening;
pub use sealed::{SealedCell, SealedChoice, SealedOdds, SealedResult, Suffered, Verdict, sealed};

pub use walk::plain_policy;
use walk::{Exact, Walk, Weighed};
use weight::{Share, Shares};

use crate::System;
use crate::dice::QuickDice;

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Horizon {
    /// To the next decision, a forced one too: as far as one line of a journal goes.
    Line,
    /// To the next decision that is not forced.
    Decision,
    /// To the end of the affair (engagement, charge, close combat); later decisions are taken by the plain policy:
    /// the offer of the best promise, the first of equals.
    Affair,
}

/// How much work an answer may cost.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Different positions held at once before play is sampled instead.
    pub positions: usize,
    /// Ways of the dice walked in all before play is sampled instead.
    pub ways: usize,
    /// Ways walked in all before an answer leaves off with the scene it is in.
    pub beyond: usize,
    /// Plays of a sample.
    pub plays: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { positions: 20_000, ways: 120_000, beyond: 2_000, plays: 20_000 }
    }
}

/// Where an action leads, and how likely.
#[derive(Debug, Clone)]
pub struct Odds<T> {
    /// Each different end with its chance.
    pub ends: Vec<(T, Chance)>,
    /// How many plays it was sampled from; none if it is exact.
    pub sampled: Option<u32>,
    /// The scene with which it leaves off, if what follows would be too much to enumerate.
    pub last_scene: Option<u32>,
}

/// The distribution over the positions that `action` leads to.
pub fn of_action<S: System>(
    battle: &S::Battle,
    state: &S::State,
    action: &S::Action,
    horizon: Horizon,
    budget: Budget,
) -> Odds<S::State> {
    let Found { ends, sampled, last_scene, .. } = weighed::<S>(battle, state, action, horizon, budget);
    Odds {
        ends: ends.into_iter().map(|(end, weight)| (*end, weight.reduced())).collect(),
        sampled,
        last_scene,
    }
}

/// The same before chances are reduced.
struct Found<T> {
    ends: Weighed<T>,
    sampled: Option<u32>,
    last_scene: Option<u32>,
    rolled: bool,
}

fn weighed<S: System>(
    battle: &S::Battle,
    state: &S::State,
    action: &S::Action,
    horizon: Horizon,
    budget: Budget,
) -> Found<S::State> {
    let walk = Walk::<S>::from(battle, state, action, horizon, budget);
    match walk.exact(state, action) {
        Some(Exact { ends, last_scene, rolled }) => Found { ends, sampled: None, last_scene, rolled },
        None => {
            let (ends, plays) = walk.sampled(state, action);
            Found { ends, sampled: Some(plays), last_scene: None, rolled: true }
        }
    }
}

/// By how many points the first side's lead is due to change before the next decision, and whether that is a sample's
/// word.
pub fn due_lead<S: System>(
    battle: &S::Battle,
    state: &S::State,
    action: &S::Action,
    budget: Budget,
) -> (f64, bool) {
    let Found { ends, sampled, .. } = weighed::<S>(battle, state, action, Horizon::Line, budget);
    let before = lead::<S>(battle, state);
    let due = ends.into_iter().map(|(end, weight)| {
        let gained = lead::<S>(battle, &end) - before;
        f64::from(gained) * weight.reduced().to_f64().unwrap_or(0.0)
    });
    (due.sum(), sampled.is_some())
}

/// Victory points of the first side less those of the second.
pub(crate) fn lead<S: System>(battle: &S::Battle, state: &S::State) -> i32 {
    let score = S::score(battle, state);
    score.first - score.second
}

/// Plays `action` once, as far as [`of_action`] looked: to its horizon, or to the end of its last scene.
pub fn play_once<S: System>(
    battle: &S::Battle,
    state: &S::State,
    action: &S::Action,
    horizon: Horizon,
    last_scene: Option<u32>,
    seed: u64,
) -> S::State {
    let walk = Walk::<S>::from(battle, state, action, horizon, Budget::default());
    walk.play_out(state, action, last_scene, QuickDice::new(seed))
}

/// A chance for the board and for files: a number, and the fraction it stands for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Likelihood {
    /// From 0 to 1.
    pub p: f64,
    /// `441/1000`; empty for a sample.
    pub exact: String,
    /// Half the width of the 95 % interval; 0 if exact.
    pub within: f64,
}

impl Likelihood {
    pub(crate) fn of(chance: &Chance, sampled: Option<u32>) -> Likelihood {
        let p = chance.to_f64().unwrap_or(0.0);
        match sampled {
            None => Likelihood { p, exact: chance.to_string(), within: 0.0 },
            Some(plays) => Likelihood {
                p,
                exact: String::new(),
                within: 1.959_964 * (p * (1.0 - p) / f64::from(plays)).sqrt(),
            },
        }
    }
}

/// What an action would do, for the board.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct OddsReport {
    /// How many plays it was sampled from; none if it is exact.
    pub sampled: Option<u32>,
    /// The scene before which it leaves off, since all that follows by itself is too much to enumerate.
    pub open: Option<String>,
    /// Who takes later decisions: `nobody` up to the next decision, else the policy in words.
    pub policy: String,
    /// Every piece whose fate is open or changes.
    pub pieces: Vec<PieceOdds>,
    /// Victory points gained by each side, with their chances.
    pub score: Vec<ScoreOdds>,
    /// Where dice fall but leave no piece's fate and no point open: what may come of them, the likeliest first.
    pub happens: Vec<Happening>,
    /// Dice fall, even if they can change nothing.
    pub rolls: bool,
    /// How many different positions may come of it.
    pub positions: usize,
}

/// A change of the score and its chance.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct ScoreOdds {
    /// Points gained by the first side less those gained by the second.
    pub lead: i32,
    /// How likely.
    pub share: Likelihood,
}

/// What `action` would do to the pieces and the score.
pub fn report<S: System>(
    battle: &S::Battle,
    state: &S::State,
    action: &S::Action,
    horizon: Horizon,
    budget: Budget,
) -> OddsReport {
    let Found { ends, sampled, last_scene, rolled } = weighed::<S>(battle, state, action, horizon, budget);
    let policy = match horizon {
        Horizon::Line | Horizon::Decision => "nobody".to_owned(),
        Horizon::Affair => "later choices that look most promising at first sight".to_owned(),
    };
    let (pieces, score) = match Shares::of(&ends) {
        Shares::Small(shares, whole) => added_up::<S, _>(battle, state, &ends, &shares, &whole, sampled),
        Shares::Large(shares, whole) => added_up::<S, _>(battle, state, &ends, &shares, &whole, sampled),
    };
    let settled = score.len() < 2 && pieces.iter().all(|p| p.fates.len() < 2);
    let happens = if rolled && settled {
        let known = happens::Outlook::<S> { battle, state, action, sampled, last_scene };
        known.happenings(&ends, budget)
    } else {
        Vec::new()
    };
    let open = last_scene.and_then(|last| {
        let cut = ends.iter().map(|(end, _)| end).filter(|end| S::scene(battle, end) > last);
        cut.min_by_key(|end| S::scene(battle, end)).map(|end| S::scene_name(battle, end).to_owned())
    });
    OddsReport { sampled, open, policy, pieces, score, happens, rolls: rolled, positions: ends.len() }
}

/// What becomes of the pieces and of the score; the ends' shares are out of `whole`.
fn added_up<S: System, N: Share>(
    battle: &S::Battle,
    state: &S::State,
    ends: &[(Box<S::State>, weight::Weight)],
    shares: &[N],
    whole: &N,
    sampled: Option<u32>,
) -> (Vec<PieceOdds>, Vec<ScoreOdds>) {
    let likelihood = |share: &N| Likelihood::of(&share.out_of(whole), sampled);
    let before = lead::<S>(battle, state);
    let mut leads = BTreeMap::<i32, N>::new();
    let mut fates = fate::Fortunes::<S, N>::new(battle, state);
    for ((end, _), share) in ends.iter().zip(shares) {
        *leads.entry(lead::<S>(battle, end) - before).or_insert_with(N::zero) += share;
        fates.add(end, share);
    }
    let score = leads.iter().map(|(&lead, share)| ScoreOdds { lead, share: likelihood(share) }).collect();
    (fates.told(likelihood), score)
}
