//! Exact odds: the engine's own code under dice that walk every outcome. There is no second formula.
//!
//! A distribution over positions is pushed forward one step at a time, and equal positions merge after each, so that
//! the cost follows the number of different positions and not the number of ways the dice can fall. Where even that is
//! too much for the budget, the same question is answered by playing it many times, and the answer says so.

mod enumerate;
mod fate;
mod weight;

use num_traits::{ToPrimitive, Zero};
use serde::Serialize;

pub use enumerate::{Chance, EveryDice, enumerate};
pub(crate) use fate::from_view;
pub use fate::{CountOdds, Fate, FateOdds, Fates, PieceOdds, Standing};

use enumerate::{Merged, weighed};
use weight::Weight;

use crate::dice::QuickDice;
use crate::{Fx, Now, Silent, System};

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Horizon {
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
    /// Plays of a sample.
    pub plays: u32,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { positions: 20_000, ways: 120_000, plays: 20_000 }
    }
}

/// Where an action leads, and how likely.
#[derive(Debug, Clone)]
pub struct Odds<T> {
    /// Each different end with its chance.
    pub ends: Vec<(T, Chance)>,
    /// How many plays it was sampled from; none if it is exact.
    pub sampled: Option<u32>,
}

/// The distribution over the positions that `action` leads to.
pub fn of_action<S: System>(
    battle: &S::Battle,
    state: &S::State,
    action: &S::Action,
    horizon: Horizon,
    budget: Budget,
) -> Odds<S::State> {
    let walk = Walk::<S> { battle, affair: S::affair(battle, state), horizon, budget };
    match walk.exact(state, action) {
        Some(ends) => Odds { ends, sampled: None },
        None => walk.sampled(state, action),
    }
}

/// Plays `action` once, as far as [`of_action`] looks.
pub fn play_once<S: System>(
    battle: &S::Battle,
    state: &S::State,
    action: &S::Action,
    horizon: Horizon,
    seed: u64,
) -> S::State {
    let walk = Walk::<S> { battle, affair: S::affair(battle, state), horizon, budget: Budget::default() };
    walk.play_out(state, action, QuickDice::new(seed))
}

struct Walk<'b, S: System> {
    battle: &'b S::Battle,
    affair: Option<u32>,
    horizon: Horizon,
    budget: Budget,
}

impl<S: System> Walk<'_, S> {
    fn exact(&self, state: &S::State, action: &S::Action) -> Option<Vec<(S::State, Chance)>> {
        let mut ways = self.budget.ways;
        let mut open = Merged::default();
        let mut ends = Merged::default();
        for (after, chance) in self.answered(state, action, &mut ways)? {
            open.add(after, chance);
        }
        while !open.list.is_empty() {
            let mut next = Merged::default();
            for (state, chance) in open.list {
                let after = match self.stepped(&state, &mut ways)? {
                    Stepped::On(after) => after,
                    Stepped::Settled(settled) => match self.next_answer(&settled) {
                        Some(answer) => self.answered(&settled, &answer, &mut ways)?,
                        None => {
                            ends.add(settled, chance);
                            continue;
                        }
                    },
                };
                after.into_iter().for_each(|(s, c)| next.add(s, c * &chance));
                if next.list.len() + ends.list.len() > self.budget.positions {
                    return None;
                }
            }
            open = next;
        }
        Some(ends.list.into_iter().map(|(end, weight)| (end, weight.reduced())).collect())
    }

    /// Every position an answer leads to before anything runs by itself.
    fn answered(
        &self,
        state: &S::State,
        action: &S::Action,
        ways: &mut usize,
    ) -> Option<Vec<(S::State, Weight)>> {
        self.every_way(ways, |fx| {
            let mut after = state.clone();
            S::answer(self.battle, &mut after, action, fx);
            after
        })
    }

    /// Every position one step leads to.
    fn stepped(&self, state: &S::State, ways: &mut usize) -> Option<Stepped<S::State>> {
        let mut moved = true;
        let mut after = self.every_way(ways, |fx| {
            let mut after = state.clone();
            moved = S::step(self.battle, &mut after, fx);
            after
        })?;
        Some(match moved {
            true => Stepped::On(without_repeats(state, after)),
            false => Stepped::Settled(after.swap_remove(0).0),
        })
    }

    fn every_way(
        &self,
        ways: &mut usize,
        mut run: impl FnMut(&mut Fx<&mut EveryDice, Silent>) -> S::State,
    ) -> Option<Vec<(S::State, Weight)>> {
        let mut walked = 0;
        let found = weighed(*ways, |dice| {
            walked += 1;
            run(&mut Fx { dice, log: Silent })
        });
        *ways -= walked.min(*ways);
        found
    }

    /// The answer to a decision that need not be asked: a forced one or, to the end of an affair, the policy's.
    fn next_answer(&self, settled: &S::State) -> Option<S::Action> {
        if matches!(S::now(self.battle, settled), Now::Over(_)) {
            return None;
        }
        let mut offers = Vec::new();
        S::offers(self.battle, settled, &mut offers);
        if offers.len() == 1 {
            return offers.pop();
        }
        let goes_on = self.affair.is_some() && S::affair(self.battle, settled) == self.affair;
        if self.horizon == Horizon::Affair && goes_on {
            return plain_policy::<S>(self.battle, settled, offers);
        }
        None
    }

    fn sampled(&self, state: &S::State, action: &S::Action) -> Odds<S::State> {
        let plays = self.budget.plays.max(1);
        let mut ends = Merged::default();
        for play in 0..plays {
            ends.add(
                self.play_out(state, action, QuickDice::new(u64::from(play))),
                Weight::new(1, plays.into()),
            );
        }
        let ends = ends.list.into_iter().map(|(end, weight)| (end, weight.reduced())).collect();
        Odds { ends, sampled: Some(plays) }
    }

    fn play_out(&self, state: &S::State, action: &S::Action, dice: QuickDice) -> S::State {
        let mut after = state.clone();
        let mut fx = Fx { dice, log: Silent };
        S::answer(self.battle, &mut after, action, &mut fx);
        loop {
            S::settle(self.battle, &mut after, &mut fx);
            let Some(answer) = self.next_answer(&after) else { return after };
            S::answer(self.battle, &mut after, &answer, &mut fx);
        }
    }
}

/// A step that may lead back to where it was (a tie that is rolled again) goes on until it does not: the rest share
/// its chance, each in proportion.
fn without_repeats<T: PartialEq>(from: &T, mut after: Vec<(T, Weight)>) -> Vec<(T, Weight)> {
    if after.len() > 1
        && let Some(again) = after.iter().position(|(state, _)| state == from)
    {
        let (_, repeated) = after.remove(again);
        after.iter_mut().for_each(|(_, weight)| weight.given_not(&repeated));
    }
    after
}

enum Stepped<T> {
    /// Something happened: every way it may have gone.
    On(Vec<(T, Weight)>),
    /// Nothing more happens by itself.
    Settled(T),
}

/// The offer of the best promise, the first of equals.
fn plain_policy<S: System>(
    battle: &S::Battle,
    state: &S::State,
    offers: Vec<S::Action>,
) -> Option<S::Action> {
    let mut best: Option<(i32, S::Action)> = None;
    for action in offers {
        let promise = S::promise(battle, state, &action);
        if best.as_ref().is_none_or(|(most, _)| promise > *most) {
            best = Some((promise, action));
        }
    }
    best.map(|(_, action)| action)
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
    /// Who takes later decisions: `nobody` up to the next decision, else the policy in words.
    pub policy: String,
    /// Every piece whose fate is open or changes.
    pub pieces: Vec<PieceOdds>,
    /// Victory points gained by each side, with their chances.
    pub score: Vec<ScoreOdds>,
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
    let odds = of_action::<S>(battle, state, action, horizon, budget);
    let before = S::score(battle, state);
    let mut leads = std::collections::BTreeMap::<i32, Chance>::new();
    for (end, chance) in &odds.ends {
        let after = S::score(battle, end);
        let lead = (after.first - before.first) - (after.second - before.second);
        *leads.entry(lead).or_insert_with(Chance::zero) += chance;
    }
    OddsReport {
        sampled: odds.sampled,
        policy: match horizon {
            Horizon::Decision => "nobody".to_owned(),
            Horizon::Affair => "later choices: the most promising at first sight".to_owned(),
        },
        pieces: fate::pieces::<S>(battle, state, &odds),
        score: leads
            .into_iter()
            .map(|(lead, c)| ScoreOdds { lead, share: Likelihood::of(&c, odds.sampled) })
            .collect(),
        positions: odds.ends.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_is_rolled_again_until_it_is_none() {
        let after = vec![
            ("first", Weight::new(45, 100)),
            ("tie", Weight::new(10, 100)),
            ("second", Weight::new(45, 100)),
        ];
        let half = Chance::new(1u32.into(), 2u32.into());
        let settled: Vec<_> =
            without_repeats(&"tie", after).into_iter().map(|(s, w)| (s, w.reduced())).collect();
        assert_eq!(settled, [("first", half.clone()), ("second", half)]);
    }
}
