use game::dice::{Dice, QuickDice};
use game::odds::plain_policy;
use game::{Fx, Now, Silent, System};

/// A sound one-ply player: plays each promising offer out to the next decision under a few sets of dice, the same for
/// every offer, and takes the one that leaves the best position by the system's own judgement.
///
/// It counts evaluations, not seconds, so that the same position always gets the same answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Captain {
    /// How many positions it may look at for one decision.
    evaluations: usize,
    /// How many sets of dice it tries for each offer at the most.
    samples: usize,
    /// In how many of a hundred decisions it takes the second or third best.
    lapses: u32,
}

impl Captain {
    /// The better player.
    pub const CAPTAIN: Captain = Captain { evaluations: 1600, samples: 8, lapses: 0 };
    /// The same eye, less patience.
    pub const LIEUTENANT: Captain = Captain { evaluations: 40, samples: 2, lapses: 10 };
    /// Sees the obvious.
    pub const SERGEANT: Captain = Captain { evaluations: 12, samples: 1, lapses: 20 };
    /// A beginner.
    pub const ENSIGN: Captain = Captain { evaluations: 5, samples: 1, lapses: 40 };
    /// What the General looks at before it plays on.
    pub(crate) const PRIOR: Captain = Captain { evaluations: 3200, samples: 12, lapses: 0 };

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
        let ranked = self.rank::<S>(battle, state, offers, dice);
        let lapse =
            if self.lapses > 0 && dice.below(100) < self.lapses { 1 + dice.below(2) as usize } else { 0 };
        offers[ranked[lapse.min(ranked.len() - 1)]].clone()
    }

    /// The promising offers by their numbers, the best first.
    pub(crate) fn rank<S: System>(
        self,
        battle: &S::Battle,
        state: &S::State,
        offers: &[S::Action],
        dice: &mut QuickDice,
    ) -> Vec<usize> {
        let candidates = self.promising::<S>(battle, state, offers, dice);
        let samples = (self.evaluations / candidates.len()).clamp(1, self.samples);
        let seeds: Vec<u64> = (0..samples).map(|_| u64::from(dice.below(u32::MAX))).collect();
        let mut ranked: Vec<(i64, u32, usize)> = candidates
            .iter()
            .map(|&index| {
                let worth = outlook_under::<S>(battle, state, &offers[index], &seeds);
                // Equal worth is decided by chance, so that it does not always favour the first hex of the map.
                (worth, dice.below(1 << 20), index)
            })
            .collect();
        ranked.sort_unstable_by(|a, b| b.cmp(a));
        ranked.into_iter().map(|(.., index)| index).collect()
    }

    /// The offers worth a look: all if there is time, else those with the best promise.
    fn promising<S: System>(
        self,
        battle: &S::Battle,
        state: &S::State,
        offers: &[S::Action],
        dice: &mut QuickDice,
    ) -> Vec<usize> {
        let mut order: Vec<usize> = (0..offers.len()).collect();
        if offers.len() > self.evaluations {
            let key =
                |&i: &usize| (std::cmp::Reverse(S::promise(battle, state, &offers[i])), dice.below(1 << 20));
            order.sort_by_cached_key(key);
            order.truncate(self.evaluations);
        }
        order
    }
}

/// Where the system asks for a mixed strategy, one offer drawn by its weights.
pub(crate) fn mixed<S: System>(
    battle: &S::Battle,
    state: &S::State,
    offers: &[S::Action],
    dice: &mut impl Dice,
) -> Option<usize> {
    S::chance(battle, state, &offers[0])?;
    let weights: Vec<u32> = offers.iter().map(|offer| S::chance(battle, state, offer).unwrap_or(0)).collect();
    let total: u32 = weights.iter().sum();
    if total == 0 {
        return None;
    }
    let mut drawn = dice.below(total);
    weights.iter().position(|&weight| {
        let here = drawn < weight;
        drawn = drawn.saturating_sub(weight);
        here
    })
}

/// How the position looks to the deciding side after `action`, added up over the sets of dice. Where nothing is left to
/// chance they all lead to the same position, and one look does for all.
fn outlook_under<S: System>(battle: &S::Battle, state: &S::State, action: &S::Action, seeds: &[u64]) -> i64 {
    let mut sum = 0;
    for &seed in seeds {
        let (worth, rolled) = outlook::<S>(battle, state, action, seed);
        if !rolled {
            return worth * seeds.len() as i64;
        }
        sum += worth;
    }
    sum
}

/// How the position looks to the deciding side after `action`, under one set of dice, and whether any was rolled. What the
/// side may not know is gone from `state` already: it judges by what it sees.
fn outlook<S: System>(battle: &S::Battle, state: &S::State, action: &S::Action, seed: u64) -> (i64, bool) {
    let Now::Decides(side) = S::now(battle, state) else { return (0, false) };
    let mut after = state.clone();
    let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
    S::play_unchecked(battle, &mut after, action, &mut fx);
    look_on::<S>(battle, &mut after, &mut fx);
    let promise = i64::from(S::promise(battle, state, action));
    (i64::from(S::worth(battle, &after, side)) + promise, fx.dice.rolled())
}

/// Plays on to the end of the affair under way, where the system wants it seen through; how many decisions that took.
pub(crate) fn look_on<S: System>(
    battle: &S::Battle,
    after: &mut S::State,
    fx: &mut Fx<QuickDice, Silent>,
) -> u64 {
    /// No affair asks for more decisions.
    const PATIENCE: u64 = 24;
    if !S::SEES_AFFAIRS_THROUGH {
        return 0;
    }
    for looked in 0..PATIENCE {
        if matches!(S::now(battle, after), Now::Over(_)) || S::affair(battle, after).is_none() {
            return looked;
        }
        let Some(plain) = plain_policy::<S>(battle, after) else { return looked };
        S::play_unchecked(battle, after, &plain, fx);
    }
    PATIENCE
}
