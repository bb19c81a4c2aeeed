//! Mass play: many games, one dice stream a game, the same result on any number of cores.

use std::time::{Duration, Instant};

use game::dice::{Dice, QuickDice};
use game::odds::{self, Budget, Horizon};
use game::{BySide, Fx, Now, Outcome, Rules, Side, Silent, System};
use rayon::prelude::*;
use serde::Serialize;

use crate::record::{Unwatched, Watch};
use crate::rollout::Desk;
use crate::{Captain, General, Player};

/// A game that has not ended by then never will; no scenario comes near it.
const ENDLESS: u64 = 2_000_000;

/// How one game went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct GameResult {
    /// How it ended; none if it did not.
    pub outcome: Option<Outcome>,
    /// Victory points.
    pub score: BySide<i32>,
    /// Decisions taken.
    pub decisions: u64,
    /// Options offered at them.
    pub options: u64,
    /// The longest that a side's computer thought about a decision, in microseconds of its thread's own time.
    #[serde(skip)]
    pub longest: BySide<u64>,
    /// What each side's computer thought in all, in microseconds of its thread's own time.
    #[serde(skip)]
    pub thought: BySide<u64>,
    /// The decisions of each side.
    #[serde(skip)]
    pub taken: BySide<u64>,
}

/// Plays one game without a word.
pub fn play_game<S: System>(battle: &S::Battle, seats: BySide<Player>, seed: u64) -> GameResult {
    play_told::<S, _>(battle, seats, seed, &mut Unwatched)
}

/// Plays one game and tells `watch` each decision.
pub(crate) fn play_told<S: System, W: Watch<S>>(
    battle: &S::Battle,
    seats: BySide<Player>,
    seed: u64,
    watch: &mut W,
) -> GameResult {
    let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
    // The players' own chance is apart from the game's, so that another player meets the same dice.
    let mut minds = BySide::from_fn(|side| QuickDice::new(seed ^ (0x9E37_79B9_7F4A_7C15 << side.index())));
    let mut state = S::muster(battle);
    S::settle(battle, &mut state, &mut fx);
    let mut offers = Vec::with_capacity(512);
    let (mut decisions, mut options) = (0, 0);
    let [mut longest, mut thought, mut taken] = [BySide::from_fn(|_| 0); 3];
    let outcome = loop {
        match S::now(battle, &state) {
            Now::Over(outcome) => break Some(outcome),
            Now::Decides(side) => {
                offers.clear();
                S::offers(battle, &state, &mut offers);
                decisions += 1;
                options += offers.len() as u64;
                let mut choose = || seats[side].choose::<S>(battle, &state, &offers, &mut minds[side]);
                let (action, took) =
                    if seats[side] == Player::Random { (choose(), 0) } else { clocked(choose) };
                longest[side] = took.max(longest[side]);
                thought[side] += took;
                taken[side] += 1;
                watch.before(&state, side, &action);
                watch.play(battle, &mut state, &action, &mut fx);
                watch.after(&state, decisions);
            }
        }
        if decisions == ENDLESS {
            break None;
        }
    };
    GameResult { outcome, score: S::score(battle, &state), decisions, options, longest, thought, taken }
}

/// The seed of a game of a series that begins with `seed`.
#[must_use]
pub fn seed_of(seed: u64, game: u64) -> u64 {
    seed.wrapping_add(game.wrapping_mul(0x2545_F491_4F6C_DD1D))
}

/// Many games added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Games won by each side.
    pub won: BySide<u64>,
    /// Games drawn.
    pub drawn: u64,
    /// Games that did not end.
    pub endless: u64,
    /// Victory points in all.
    pub score: BySide<i64>,
    /// Decisions in all.
    pub decisions: u64,
    /// Options in all.
    pub options: u64,
    /// The longest that a side's computer thought about a decision, in microseconds of its thread's own time.
    pub longest: BySide<u64>,
}

impl Tally {
    fn of(result: GameResult) -> Tally {
        let mut tally =
            Tally { games: 1, decisions: result.decisions, options: result.options, ..Tally::default() };
        match result.outcome {
            Some(Outcome::Won(side)) => tally.won[side] = 1,
            Some(Outcome::Drawn) => tally.drawn = 1,
            None => tally.endless = 1,
        }
        tally.score = result.score.map(i64::from);
        tally.longest = result.longest;
        tally
    }

    fn plus(mut self, other: Tally) -> Tally {
        self.games += other.games;
        self.drawn += other.drawn;
        self.endless += other.endless;
        self.decisions += other.decisions;
        self.options += other.options;
        for side in Side::BOTH {
            self.won[side] += other.won[side];
            self.score[side] += other.score[side];
            self.longest[side] = self.longest[side].max(other.longest[side]);
        }
        self
    }

    /// The share of games `side` won, with its 95 % interval (Wilson's).
    #[must_use]
    pub fn share(&self, side: Side) -> (f64, f64, f64) {
        wilson(self.won[side], self.games)
    }
}

fn wilson(won: u64, games: u64) -> (f64, f64, f64) {
    if games == 0 {
        return (0.0, 0.0, 1.0);
    }
    let (n, p, z) = (games as f64, won as f64 / games as f64, 1.959_964);
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    (p, (middle - half).max(0.0), (middle + half).min(1.0))
}

/// Plays games `0..games`, in parallel; `done` is told after each.
pub fn play_many<S: System>(
    battle: &S::Battle,
    seats: BySide<Player>,
    games: u64,
    seed: u64,
    done: &(dyn Fn(u64, GameResult) + Sync),
) -> Tally {
    // In the pool even if there is one game only, so that a thought is measured on the thread that thinks it.
    rayon::scope(|_| {
        (0..games)
            .into_par_iter()
            .map(|game| {
                let result = play_game::<S>(battle, seats, seed_of(seed, game));
                done(game, result);
                Tally::of(result)
            })
            .reduce(Tally::default, Tally::plus)
    })
}

/// Random play on one core for a while.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Bench {
    /// Games finished.
    pub games: u64,
    /// Decisions taken.
    pub decisions: u64,
    /// Options offered.
    pub options: u64,
    /// How long it took.
    pub seconds: f64,
}

/// Plays random games on this thread until `time` is up.
pub fn bench<S: System>(battle: &S::Battle, time: Duration, seed: u64) -> Bench {
    let begun = Instant::now();
    let seats = BySide::from_fn(|_| Player::Random);
    let mut bench = Bench { games: 0, decisions: 0, options: 0, seconds: 0.0 };
    while begun.elapsed() < time {
        let result = play_game::<S>(battle, seats, seed.wrapping_add(bench.games));
        bench.games += 1;
        bench.decisions += result.decisions;
        bench.options += result.options;
    }
    bench.seconds = begun.elapsed().as_secs_f64();
    bench
}

/// How many decisions of rollouts the General plays on one core until `time` is up, from the positions of a game between
/// captains: rollouts and their steps.
pub fn bench_steps<S: System>(battle: &S::Battle, general: General, time: Duration, seed: u64) -> Steps {
    let mut steps = Steps { rollouts: 0, steps: 0, seconds: 0.0 };
    let mut mind = QuickDice::new(seed);
    let mut desk = Desk::default();
    let mut spent = Duration::ZERO;
    while spent < time {
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut state = S::muster(battle);
        S::settle(battle, &mut state, &mut fx);
        while let (Now::Decides(_), true) = (S::now(battle, &state), spent < time) {
            let mut offers = Vec::new();
            S::offers(battle, &state, &mut offers);
            let action = Captain::LIEUTENANT.choose::<S>(battle, &state, &offers, &mut mind);
            if let Some(rollouts) = general.rollouts::<S>(battle, &state) {
                let before = busy();
                let end = rollouts.play(&action, steps.rollouts, &mut desk, |_, _| {});
                spent += busy() - before;
                steps.rollouts += 1;
                steps.steps += end.steps as u64;
            }
            S::play_unchecked(battle, &mut state, &action, &mut fx);
        }
    }
    steps.seconds = spent.as_secs_f64();
    steps
}

/// Rollouts on one core for a while.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Steps {
    /// Rollouts played.
    pub rollouts: u64,
    /// Decisions in them.
    pub steps: u64,
    /// How long it took.
    pub seconds: f64,
}

/// How long the odds of random decisions take that leave something to chance, in microseconds, in ascending order, and
/// how many of them were sampled.
pub fn bench_odds<S: System>(battle: &S::Battle, decisions: usize, seed: u64) -> (Vec<f64>, usize) {
    let mut mind = QuickDice::new(seed);
    let (mut times, mut sampled) = (Vec::with_capacity(decisions), 0);
    for game in 0..10_000 {
        let mut fx = Fx { dice: QuickDice::new(seed.wrapping_add(game)), log: Silent };
        let mut state = S::muster(battle);
        S::settle(battle, &mut state, &mut fx);
        while let Now::Decides(_) = S::now(battle, &state) {
            let mut offers = Vec::new();
            S::offers(battle, &state, &mut offers);
            let action = offers[mind.below(offers.len() as u32) as usize].clone();
            if S::offer(battle, &state, &action).rolls {
                let ask = || odds::report::<S>(battle, &state, &action, Horizon::Decision, Budget::default());
                let (odds, took) = timed(ask);
                if odds.positions > 1 {
                    times.push(took);
                    sampled += usize::from(odds.sampled.is_some());
                }
                if times.len() == decisions {
                    times.sort_by(f64::total_cmp);
                    return (times, sampled);
                }
            }
            S::play_unchecked(battle, &mut state, &action, &mut fx);
        }
    }
    times.sort_by(f64::total_cmp);
    (times, sampled)
}

/// The shortest of three times in microseconds.
fn timed<T>(mut work: impl FnMut() -> T) -> (T, f64) {
    let mut once = || {
        let begun = busy();
        let result = work();
        (result, (busy() - begun).as_secs_f64() * 1e6)
    };
    let (result, first) = once();
    (result, first.min(once().1).min(once().1))
}

/// What `work` gives, and the microseconds it took.
fn clocked<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let begun = busy();
    let result = work();
    (result, (busy() - begun).as_micros() as u64)
}

/// How long this thread has been at work: its own processor time where the system tells it, so that what else the machine
/// does is not counted.
#[cfg(unix)]
fn busy() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn busy() -> Duration {
    static BEGUN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

/// The number of decision sequences of `depth` decisions from `state`. Chance is the same few dice for each action,
/// so that the number is a fingerprint of the legal actions alone.
pub fn perft<S: Rules>(battle: &S::Battle, state: &S::State, depth: u32) -> u64 {
    if matches!(S::now(battle, state), Now::Over(_)) {
        return 0;
    }
    let mut offers = Vec::new();
    S::offers(battle, state, &mut offers);
    if depth <= 1 {
        return if depth == 0 { 1 } else { offers.len() as u64 };
    }
    offers
        .iter()
        .map(|action| {
            let mut after = state.clone();
            S::play_unchecked(
                battle,
                &mut after,
                action,
                &mut Fx { dice: QuickDice::new(1863), log: Silent },
            );
            perft::<S>(battle, &after, depth - 1)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_holds_the_share_and_stays_within_bounds() {
        let (p, low, high) = wilson(71, 100);
        assert!((p - 0.71).abs() < 1e-9);
        assert!((low - 0.6146).abs() < 1e-3 && (high - 0.7899).abs() < 1e-3, "{low} {high}");
        let (_, low, high) = wilson(0, 10);
        assert!(low == 0.0 && high > 0.2);
        assert_eq!(wilson(0, 0), (0.0, 0.0, 1.0));
    }
}
