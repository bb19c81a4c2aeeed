use std::collections::HashMap;

use game::dice::{Dice as _, QuickDice};
use game::{Foresight, Now, System};
use rayon::prelude::*;

use crate::Captain;
use crate::captain::mixed;
use crate::rollout::{Desk, Rollouts, mixture};

/// How many candidates are played on how often to see what that costs.
const TRIED: usize = 3;
const TRIAL: usize = 2;
/// Fewer rollouts of each candidate tell nothing: then fewer candidates are played on.
const TELLING: usize = 8;

/// A player that plans: it keeps the offers that look best at first sight, plays each on many times under the same dice,
/// drops the worse half, and so on until one is left (sequential halving).
///
/// It counts rollouts, not seconds, so that the same position gets the same choice on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct General {
    /// How many offers are played on.
    pub candidates: u32,
    /// How often in all.
    pub rollouts: u32,
    /// How many positions it looks at in all while it plays on, roughly: where turns are long it plays on less often.
    pub effort: u32,
    /// How many whole turns a rollout goes on beyond the present one; none as the system has it.
    pub turns: Option<u32>,
    /// How many options a rollout looks at for one decision at the most.
    pub width: u32,
    /// Under how many sets of dice it looks at an option that rolls some.
    pub looks: u32,
}

impl General {
    /// The strongest.
    pub const GENERAL: General =
        General { candidates: 12, rollouts: 384, effort: 120_000, turns: None, width: 64, looks: 1 };
    /// Half as patient, and it sees less.
    pub const COLONEL: General = General { candidates: 6, rollouts: 48, effort: 30_000, ..General::GENERAL };

    pub(crate) fn choose<S: System>(
        self,
        battle: &S::Battle,
        state: &S::State,
        offers: &[S::Action],
        dice: &mut QuickDice,
    ) -> S::Action {
        assert!(!offers.is_empty(), "a decision has at least one offer");
        if offers.len() == 1 {
            return offers[0].clone();
        }
        if let Some(drawn) = mixed::<S>(battle, state, offers, dice) {
            return offers[drawn].clone();
        }
        let candidates = self.candidates::<S>(battle, state, offers, dice);
        let Some(rollouts) = self.rollouts::<S>(battle, state) else { return offers[0].clone() };
        let judged = self.halving(&rollouts, offers, candidates, seed(dice), Patience::UntilClear);
        offers[judged[0].index].clone()
    }

    /// The rollouts from a position.
    pub(crate) fn rollouts<'a, S: System>(
        self,
        battle: &'a S::Battle,
        state: &'a S::State,
    ) -> Option<Rollouts<'a, S>> {
        let Now::Decides(side) = S::now(battle, state) else { return None };
        let until = match self.turns.map_or(S::FORESIGHT, Foresight::Turns) {
            Foresight::Turns(beyond) => Foresight::Turns(S::turn(battle, state).saturating_add(beyond)),
            Foresight::PlayerTurns(beyond) => {
                Foresight::PlayerTurns(S::player_turn(battle, state).saturating_add(beyond))
            }
        };
        let (width, looks) = (self.width.max(1) as usize, self.looks.max(1));
        Some(Rollouts { battle, root: state, side, until, width, looks })
    }

    /// The offers to play on: the best at first sight, but not all of one kind (the same verb and piece), for a unit may
    /// have many ways to do nearly the same.
    pub(crate) fn candidates<S: System>(
        self,
        battle: &S::Battle,
        state: &S::State,
        offers: &[S::Action],
        dice: &mut QuickDice,
    ) -> Vec<usize> {
        let most = self.candidates.max(1) as usize;
        let ranked = Captain::PRIOR.rank::<S>(battle, state, offers, dice);
        if ranked.len() <= most {
            return ranked;
        }
        let alike = most.div_ceil(2);
        let mut kinds = HashMap::<String, usize>::new();
        let (mut kept, mut spare) = (Vec::with_capacity(most), Vec::new());
        for index in ranked.into_iter().take(4 * most) {
            let written = S::write(battle, &offers[index]);
            let kind = written.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
            let seen = kinds.entry(kind).or_default();
            *seen += 1;
            if *seen <= alike && kept.len() < most {
                kept.push(index);
            } else {
                spare.push(index);
            }
        }
        let room = most - kept.len();
        kept.extend(spare.into_iter().take(room));
        kept
    }

    /// How many candidates are played on in each round, if there are `plays` rollouts to spend: no more than can be told
    /// apart.
    fn rounds(self, mut candidates: usize, plays: usize, patience: Patience) -> Vec<usize> {
        let plays = plays.min(self.rollouts as usize);
        loop {
            let rounds = patience.rounds(candidates);
            if plays / (rounds.len() * candidates) >= TELLING || candidates <= rounds[rounds.len() - 1] {
                return rounds;
            }
            candidates -= 1;
        }
    }

    /// Spends the rollouts on `candidates`; the best comes first. The i-th rollout of every candidate has the same dice.
    pub(crate) fn halving<S: System>(
        self,
        rollouts: &Rollouts<'_, S>,
        offers: &[S::Action],
        candidates: Vec<usize>,
        seed: u64,
        patience: Patience,
    ) -> Vec<Judged> {
        let mut judged: Vec<Judged> = candidates.into_iter().map(Judged::new).collect();
        let mut purse = Purse { left: self.effort.into(), spent: 0, plays: 0 };
        let play = |judged: &mut [Judged], upto: usize, purse: &mut Purse| {
            let (looked, plays) = play_round(rollouts, offers, judged, upto, seed);
            purse.pay(looked, plays);
        };
        let tried = judged.len().min(TRIED);
        play(&mut judged[..tried], TRIAL, &mut purse);
        let rounds = self.rounds(judged.len(), purse.plays(), patience);
        judged.truncate(rounds[0]);
        let (mut upto, most) = (TRIAL, self.rollouts as usize / rounds.len());
        for (n, &alive) in rounds.iter().enumerate() {
            upto += (purse.plays() / (rounds.len() - n)).min(most) / alive;
            play(&mut judged[..alive], upto, &mut purse);
            judged[..alive].sort_by_key(|j| std::cmp::Reverse(j.sum()));
            let clear = judged[1..alive].iter().all(|other| judged[0].clearly_beats(other));
            if patience == Patience::UntilClear && clear {
                break;
            }
        }
        judged
    }
}

/// The effort that is left, and what a rollout has cost so far.
#[derive(Debug)]
struct Purse {
    left: u64,
    spent: u64,
    plays: u64,
}

impl Purse {
    /// How many rollouts what is left pays for.
    fn plays(&self) -> usize {
        (self.left * self.plays / self.spent.max(1)) as usize
    }

    fn pay(&mut self, looked: u64, plays: usize) {
        self.left = self.left.saturating_sub(looked);
        self.spent += looked;
        self.plays += plays as u64;
    }
}

/// One offer played on until it has as many rollouts as `most`.
pub(crate) fn play_on<S: System>(
    rollouts: &Rollouts<'_, S>,
    offers: &[S::Action],
    mut one: Judged,
    most: usize,
    seed: u64,
) -> Judged {
    play_round(rollouts, offers, std::slice::from_mut(&mut one), most, seed);
    one
}

/// When to stop thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// As soon as the choice is clear.
    UntilClear,
    /// When this many have been played on to the last, so that they can be shown beside each other.
    UntilShown(usize),
}

impl Patience {
    /// How many candidates are played on in each round: half as many from round to round.
    fn rounds(self, candidates: usize) -> Vec<usize> {
        let last = match self {
            Patience::UntilClear => 2,
            Patience::UntilShown(shown) => shown.max(1),
        };
        let mut rounds = vec![candidates];
        let mut alive = candidates;
        while alive > last {
            alive = alive.div_ceil(2).max(last);
            rounds.push(alive);
        }
        rounds
    }
}

/// An offer and what its rollouts came to.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    /// Which offer.
    pub index: usize,
    /// Rollout by rollout, in ten-thousandths of half a game ([`Rollouts::play`]).
    pub values: Vec<i64>,
}

impl Judged {
    /// An offer that was not played on yet.
    pub(crate) const fn new(index: usize) -> Judged {
        Judged { index, values: Vec::new() }
    }

    fn sum(&self) -> i64 {
        self.values.iter().sum()
    }

    /// Whether it is better beyond reasonable doubt: by more than three and a half standard errors of the differences.
    pub(crate) fn clearly_beats(&self, other: &Judged) -> bool {
        const ENOUGH: usize = 8;
        let n = self.values.len().min(other.values.len());
        if n < ENOUGH {
            return false;
        }
        let differences = self.values.iter().zip(&other.values).map(|(a, b)| a - b);
        let (sum, squares) = differences.fold((0i128, 0i128), |(sum, squares), d| {
            (sum + i128::from(d), squares + i128::from(d) * i128::from(d))
        });
        // Whole numbers, so that every machine says the same: mean² > 3.5² · variance / n.
        let n = n as i128;
        sum > 0 && 4 * sum * sum * (n - 1) > 49 * (n * squares - sum * sum)
    }
}

/// Plays each of `judged` on until it has `upto` rollouts; how many positions that took a look at, and how many rollouts it
/// was.
fn play_round<S: System>(
    rollouts: &Rollouts<'_, S>,
    offers: &[S::Action],
    judged: &mut [Judged],
    upto: usize,
    seed: u64,
) -> (u64, usize) {
    let play = |desk: &mut Desk<S>, action: &S::Action, number: usize| {
        let end = rollouts.play(action, mixture([seed, number as u64, 0, 0]), desk, |_, _| {});
        (end.value, end.looked)
    };
    let (mut looked, mut plays) = (0, 0);
    // In a pool already (mass play), the games are what runs side by side.
    if rayon::current_thread_index().is_some() {
        let mut desk = Desk::default();
        for one in judged {
            for number in one.values.len()..upto {
                let (value, looks) = play(&mut desk, &offers[one.index], number);
                one.values.push(value);
                looked += looks;
                plays += 1;
            }
        }
        return (looked, plays);
    }
    let mut jobs = Vec::with_capacity(judged.len() * upto);
    for (which, one) in judged.iter().enumerate() {
        let numbers = one.values.len()..upto;
        jobs.extend(numbers.map(|number| (which, number, offers[one.index].clone())));
    }
    let values: Vec<(usize, (i64, u64))> = jobs
        .into_par_iter()
        .map_init(Desk::default, |desk, (which, number, action)| (which, play(desk, &action, number)))
        .collect();
    for (which, (value, looks)) in values {
        judged[which].values.push(value);
        looked += looks;
        plays += 1;
    }
    (looked, plays)
}

/// How many cores all thoughts of this program share; only the first call counts.
pub fn think_on(cores: usize) {
    // Who comes second finds the pool there already.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(cores.max(1)).build_global();
}

/// A seed from dice.
pub(crate) fn seed(dice: &mut QuickDice) -> u64 {
    u64::from(dice.below(u32::MAX)) << 32 | u64::from(dice.below(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effort_pays_for_rollouts() {
        let mut purse = Purse { left: 10_000, spent: 0, plays: 0 };
        purse.pay(2_000, 20);
        // A play cost 100.
        assert_eq!(purse.plays(), 80);
        purse.pay(9_000, 20);
        assert_eq!(purse.plays(), 0);
    }

    #[test]
    fn where_rollouts_are_few_so_are_candidates() {
        let rounds = |plays| General::GENERAL.rounds(12, plays, Patience::UntilClear);
        assert_eq!(rounds(10_000), [12, 6, 3, 2]);
        assert_eq!(rounds(200), [8, 4, 2]);
        assert_eq!(rounds(60), [3, 2]);
        assert_eq!(rounds(0), [2]);
    }
}
