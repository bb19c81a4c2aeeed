//! Matches between two players: pairs of games with the same seed and the sides swapped, and what they prove.

use game::{BySide, Outcome, Side, System};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{GameResult, Player, play_game};

/// Two games of one seed: in the first the challenger has the first side, in the second the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// The seed of both.
    pub seed: u64,
    /// Half points of the challenger in each game: 2 won, 1 drawn, 0 lost.
    pub halves: [u8; 2],
    /// By how many victory points the challenger was ahead at the end of each.
    pub margins: [i32; 2],
    /// The longest that the challenger thought about a decision, in microseconds of processor time.
    pub longest: u64,
    /// What the challenger thought in both games, in microseconds of processor time.
    pub thought: u64,
    /// The challenger's decisions in both games.
    pub decisions: u64,
}

/// Plays a pair.
fn play_pair<S: System>(battle: &S::Battle, challenger: Player, champion: Player, seed: u64) -> Pair {
    let results = Side::BOTH.map(|side| {
        let seats = BySide::from_fn(|s| if s == side { challenger } else { champion });
        (side, play_game::<S>(battle, seats, seed))
    });
    let halves = results.map(|(side, result)| match result.outcome {
        Some(Outcome::Won(winner)) if winner == side => 2,
        Some(Outcome::Won(_)) => 0,
        Some(Outcome::Drawn) | None => 1,
    });
    let of_both = |what: &dyn Fn(Side, &GameResult) -> u64| results.map(|(side, r)| what(side, &r));
    Pair {
        seed,
        halves,
        margins: results.map(|(side, result)| result.score[side] - result.score[!side]),
        longest: of_both(&|side, r| r.longest[side]).into_iter().max().unwrap_or(0),
        thought: of_both(&|side, r| r.thought[side]).into_iter().sum(),
        decisions: of_both(&|side, r| r.taken[side]).into_iter().sum(),
    }
}

/// Plays the pairs of these seeds side by side; `done` is told after each.
pub fn play_pairs<S: System>(
    battle: &S::Battle,
    challenger: Player,
    champion: Player,
    seeds: &[u64],
    done: &(dyn Fn(Pair) + Sync),
) -> Vec<Pair> {
    let play = |&seed: &u64| {
        let pair = play_pair::<S>(battle, challenger, champion, seed);
        done(pair);
        pair
    };
    // In the pool even if there is one pair only, so that a thought is measured on the thread that thinks it.
    rayon::scope(|_| seeds.par_iter().map(play).collect())
}

/// The two ratings a sequential test decides between, in Elo.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// The challenger is no better than this.
    pub low: f64,
    /// Or at least this much.
    pub high: f64,
}

/// What a sequential test says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The challenger is better by the upper bound.
    Better,
    /// It is not.
    NotBetter,
    /// More games are needed.
    Open,
}

/// The errors of both kinds that a sequential test allows are 5 %: ln(0.95 / 0.05).
const DECIDED: f64 = 2.944_438_979;

/// All pairs of a match.
#[derive(Debug, Clone, Default)]
pub struct Duel {
    pairs: Vec<Pair>,
}

impl Duel {
    /// A match of these pairs, by seed.
    #[must_use]
    pub fn new(mut pairs: Vec<Pair>) -> Duel {
        pairs.sort_by_key(|pair| pair.seed);
        Duel { pairs }
    }

    /// One pair more.
    pub fn add(&mut self, pair: Pair) {
        self.pairs.push(pair);
    }

    /// The pairs.
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Won, lost and drawn by the challenger with one side: 0 the first, 1 the second.
    #[must_use]
    pub fn with_side(&self, side: usize) -> [u64; 3] {
        let mut counts = [0; 3];
        for pair in &self.pairs {
            counts[match pair.halves[side] {
                2 => 0,
                0 => 1,
                _ => 2,
            }] += 1;
        }
        counts
    }

    /// The challenger's share with one side, draws as halves.
    #[must_use]
    pub fn share_with(&self, side: usize) -> f64 {
        let [won, lost, drawn] = self.with_side(side).map(|n| n as f64);
        (won + drawn / 2.0) / (won + lost + drawn).max(1.0)
    }

    /// The challenger's share of all points, draws as halves, with its 95 % interval. The unit is the pair: its games share
    /// their dice. One pair is added half won and half lost, so that a clean sweep does not look like certainty.
    #[must_use]
    pub fn share(&self) -> (f64, f64, f64) {
        let (mean, variance) = self.mean_and_variance();
        let n = self.pairs.len() as f64 + 1.0;
        let half = 1.959_964 * (variance / n).sqrt();
        let plain = self.points().sum::<f64>() / (self.pairs.len() as f64).max(1.0);
        (plain, (mean - half).max(0.0), (mean + half).min(1.0))
    }

    fn points(&self) -> impl Iterator<Item = f64> + '_ {
        self.pairs.iter().map(|pair| f64::from(pair.halves[0] + pair.halves[1]) / 4.0)
    }

    /// Of a pair's share, with one more pair of which half is won.
    fn mean_and_variance(&self) -> (f64, f64) {
        let n = self.pairs.len() as f64 + 1.0;
        let mean = (self.points().sum::<f64>() + 0.5) / n;
        let squares: f64 = self.points().map(|p| (p - mean).powi(2)).sum();
        // Half of that pair won outright and half lost.
        let extra = 0.5 * mean.powi(2) + 0.5 * (1.0 - mean).powi(2);
        (mean, (squares + extra) / n)
    }

    /// The Elo difference, with its 95 % interval.
    #[must_use]
    pub fn elo(&self) -> (f64, f64, f64) {
        let (share, low, high) = self.share();
        (elo_of(share), elo_of(low), elo_of(high))
    }

    /// The log-likelihood ratio of the two bounds (the normal approximation for pairs), and what it says.
    #[must_use]
    pub fn test(&self, bounds: Bounds) -> (f64, Verdict) {
        let (mean, variance) = self.mean_and_variance();
        let (low, high) = (share_of(bounds.low), share_of(bounds.high));
        let n = self.pairs.len() as f64;
        let ratio = n * (high - low) * (2.0 * mean - low - high) / (2.0 * variance.max(1e-6));
        let verdict = match ratio {
            r if r >= DECIDED => Verdict::Better,
            r if r <= -DECIDED => Verdict::NotBetter,
            _ => Verdict::Open,
        };
        (ratio, verdict)
    }

    /// The challenger's mean margin in victory points, with the half width of its 95 % interval.
    #[must_use]
    pub fn margin(&self) -> (f64, f64) {
        let n = self.pairs.len() as f64;
        if n == 0.0 {
            return (0.0, 0.0);
        }
        let means: Vec<f64> =
            self.pairs.iter().map(|p| f64::from(p.margins[0] + p.margins[1]) / 2.0).collect();
        let mean = means.iter().sum::<f64>() / n;
        let variance = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        (mean, 1.959_964 * (variance / n).sqrt())
    }

    /// The challenger's thought: mean and longest, in milliseconds of processor time.
    #[must_use]
    pub fn thought(&self) -> (f64, f64) {
        let (mut thought, mut decisions, mut longest) = (0, 0, 0);
        for pair in &self.pairs {
            thought += pair.thought;
            decisions += pair.decisions;
            longest = longest.max(pair.longest);
        }
        (thought as f64 / 1000.0 / (decisions as f64).max(1.0), longest as f64 / 1000.0)
    }
}

/// The share that a difference of `elo` is due.
fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference that a share speaks of; a clean sweep counts as 99.9 %.
fn elo_of(share: f64) -> f64 {
    let share = share.clamp(0.001, 0.999);
    400.0 * (share / (1.0 - share)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duel(halves: &[[u8; 2]]) -> Duel {
        let pair = |(seed, &halves): (usize, &[u8; 2])| Pair {
            seed: seed as u64,
            halves,
            margins: [3, -1],
            longest: 10,
            thought: 40,
            decisions: 4,
        };
        Duel::new(halves.iter().enumerate().map(pair).collect())
    }

    #[test]
    fn shares_are_counted_by_side_and_in_all() {
        let duel = duel(&[[2, 0], [2, 1], [2, 2], [0, 2]]);
        assert_eq!(duel.with_side(0), [3, 1, 0]);
        assert_eq!(duel.with_side(1), [2, 1, 1]);
        assert!((duel.share_with(1) - 0.625).abs() < 1e-9);
        let (share, low, high) = duel.share();
        assert!((share - 11.0 / 16.0).abs() < 1e-9 && low < share && share < high, "{low} {share} {high}");
        assert_eq!(duel.margin(), (1.0, 0.0));
        assert_eq!(duel.thought(), (0.01, 0.01));
    }

    #[test]
    fn elo_is_the_share_in_other_words() {
        assert!(elo_of(0.5).abs() < 1e-9);
        assert!((elo_of(0.909_090_9) - 400.0).abs() < 1e-3);
        assert!((share_of(elo_of(0.7)) - 0.7).abs() < 1e-9);
    }

    #[test]
    fn a_sequential_test_ends_when_it_may() {
        let bounds = Bounds { low: 0.0, high: 100.0 };
        assert_eq!(duel(&[]).test(bounds), (0.0, Verdict::Open));
        assert_eq!(duel(&[[2, 0]; 4]).test(bounds).1, Verdict::Open);
        assert_eq!(duel(&[[2, 2]; 40]).test(bounds).1, Verdict::Better);
        assert_eq!(duel(&[[2, 0]; 60]).test(bounds).1, Verdict::NotBetter);
    }

    #[test]
    fn a_sweep_is_not_certainty() {
        let (share, low, high) = duel(&[[2, 2]; 5]).share();
        assert!((share - 1.0).abs() < 1e-9 && low > 0.5 && low < 0.95 && high <= 1.0, "{low}");
    }
}
