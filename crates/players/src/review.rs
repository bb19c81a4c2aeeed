//! The review of a finished game: the expected margin from decision to decision, choices told apart from dice, and the
//! moments at which it turned.

use game::dice::QuickDice;
use game::{BySide, Now, Side, System};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::General;
use crate::analyst::{LineStep, Names, line, turn_called};
use crate::captain::mixed;
use crate::general::seed;
use crate::rollout::{Desk, Rollouts, margin, mixture};

/// How many turning points are told.
const TURNING_POINTS: usize = 5;
/// How often each candidate is played on at first.
const SCREENED: usize = 12;
/// How often, under fresh dice, where another seemed better.
const CONFIRMED: usize = 48;
/// The candidates beside what was played.
const OTHERS: General = General { candidates: 4, ..General::GENERAL };

/// One decision of a game.
#[derive(Debug, Clone)]
pub struct Decided<S: System> {
    /// The position it was taken in.
    pub before: S::State,
    /// What was decided, in notation.
    pub act: String,
    /// Whether dice were rolled.
    pub rolled: bool,
}

/// A game looked over. Margins are the first side's lead in victory points.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Review {
    /// How often positions were played on in all.
    pub plays: u32,
    /// Decision by decision.
    pub decisions: Vec<Reviewed>,
    /// Where the points went.
    pub shares: Shares,
    /// How well each side chose.
    pub accuracy: BySide<Accuracy>,
    /// Where it turned, in order; at most five.
    pub turning_points: Vec<TurningPoint>,
    /// The game in a sentence.
    pub verdict: String,
}

/// A decision looked over.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Reviewed {
    /// How many decisions had been taken before it.
    pub moment: u64,
    /// The turn.
    pub turn: u32,
    /// Who decided.
    pub side: Side,
    /// The expected margin, as the decision was taken.
    pub margin: f64,
    /// Nine plays in ten come to this at least.
    pub low: f64,
    /// And to this at the most.
    pub high: f64,
    /// What the choice changed: nothing if it was the best, or nearly.
    pub choice: f64,
    /// What the dice changed.
    pub dice: f64,
    /// How good the choice was; none where there was none.
    pub grade: Option<Grade>,
}

/// How good a choice was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Nothing better was found.
    Best,
    /// Nearly as good.
    Good,
    /// Something was given away.
    Weak,
    /// Much was.
    Mistake,
}

/// Where the points went: `start` and all the changes add up to `result`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Shares {
    /// The expected margin at the start.
    pub start: f64,
    /// What each side's choices changed.
    pub choices: BySide<f64>,
    /// What the dice changed, and what no choice explains.
    pub dice: f64,
    /// The margin at the end.
    pub result: f64,
}

/// How well a side chose.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Accuracy {
    /// From 0 to 100.
    pub percent: f64,
    /// Choices than which nothing better was found.
    pub best: u32,
    /// Choices nearly as good.
    pub good: u32,
    /// Choices that gave something away.
    pub weak: u32,
    /// Choices that gave much away.
    pub mistakes: u32,
}

/// A moment at which the game turned.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct TurningPoint {
    /// How many decisions had been taken before it.
    pub moment: u64,
    /// The turn.
    pub turn: u32,
    /// What it is called: `Turn 3`, `Hour 11`.
    pub when: String,
    /// Whose choice it was; nobody's if it was the dice.
    pub side: Option<Side>,
    /// By how much the expected margin changed.
    pub change: f64,
    /// What was played.
    pub played: String,
    /// The expected margin after it.
    pub margin: f64,
    /// What would have been better: the line, the choice first. Empty if it was the dice.
    pub better: Vec<LineStep>,
    /// The expected margin of that.
    pub better_margin: Option<f64>,
}

/// Looks a game over: `decided` in order, and the position at the `end`. `told` hears how many decisions are done and how
/// many there are, and answers whether to go on; none if it does not.
pub fn review<S: System>(
    battle: &S::Battle,
    decided: Vec<Decided<S>>,
    end: &S::State,
    told: &(dyn Fn(usize, usize) -> bool + Sync),
) -> Option<Review> {
    let (all, done) = (decided.len(), std::sync::atomic::AtomicUsize::new(0));
    let looked: Option<Vec<Looked>> = decided
        .into_par_iter()
        .enumerate()
        .map(|(moment, decision)| {
            let looked = look::<S>(battle, moment as u64, &decision);
            let done = 1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            told(done, all).then_some(looked)
        })
        .collect();
    let looked: Vec<Looked> = looked?;
    Some(added_up::<S>(battle, looked, end))
}

/// Does work that nobody waits for, such as a review, on half the cores and after everything else.
pub fn in_background<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(cores.div_ceil(2)).start_handler(|_| humble());
    match pool.build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

/// This thread gives way to every other.
#[cfg(target_os = "linux")]
fn humble() {
    // Linux counts it by thread. That it may not be so is no reason not to work.
    let _ = rustix::process::setpriority_process(None, 15);
}

#[cfg(not(target_os = "linux"))]
fn humble() {}

/// What was found out about a decision. Margins are the deciding side's.
struct Looked {
    moment: u64,
    turn: u32,
    side: Side,
    rolled: bool,
    forced: bool,
    title: String,
    /// Of what was played.
    margin: f64,
    low: f64,
    high: f64,
    /// How much a play varies.
    spread: f64,
    /// How much better the best was, and its line.
    better: Option<(f64, Vec<LineStep>)>,
    plays: usize,
}

/// Looks at one decision with the eyes of the side that took it.
fn look<S: System>(battle: &S::Battle, moment: u64, decision: &Decided<S>) -> Looked {
    let Now::Decides(side) = S::now(battle, &decision.before) else { unreachable!("somebody decided") };
    let seen = &S::seen_by(battle, &decision.before, side);
    let names = Names::of::<S>(battle, seen);
    let mut looked = Looked {
        moment,
        turn: S::turn(battle, seen),
        side,
        rolled: decision.rolled,
        forced: true,
        title: decision.act.clone(),
        margin: margin::<S>(battle, seen, side) as f64 / 100.0,
        low: 0.0,
        high: 0.0,
        spread: 0.0,
        better: None,
        plays: 0,
    };
    (looked.low, looked.high) = (looked.margin, looked.margin);
    let mut dice = QuickDice::new(mixture([moment, 1, 8, 63]));
    let mut offers = Vec::new();
    S::offers(battle, seen, &mut offers);
    let (Ok(played), Some(rollouts)) =
        (S::read(battle, seen, &decision.act), OTHERS.rollouts::<S>(battle, seen))
    else {
        return looked;
    };
    looked.title = names.title::<S>(battle, seen, &played);
    if S::check(battle, seen, &played).is_err()
        || offers.len() > 1 && mixed::<S>(battle, seen, &offers, &mut dice).is_some()
    {
        return looked;
    }
    looked.forced = offers.len() < 2;
    let table = Sample { rollouts: &rollouts, seed: seed(&mut dice) };
    let plays = table.plays(&played, 0..SCREENED);
    looked.plays = plays.len();
    looked.notice(&plays);
    if looked.forced {
        return looked;
    }
    let others = OTHERS.candidates::<S>(battle, seen, &offers, &mut dice);
    let others = others.into_iter().map(|index| &offers[index]).filter(|&other| *other != played);
    let screened = others.map(|other| (lead(&table.plays(other, 0..SCREENED), &plays), other));
    let screened: Vec<_> = screened.collect();
    looked.plays += screened.len() * SCREENED;
    let best = screened.into_iter().max_by(|(a, _), (b, _)| a.0.total_cmp(&b.0));
    let Some(((seems, error), other)) = best.filter(|((seems, error), _)| *seems > 1.2 * error) else {
        return looked;
    };
    debug_assert!(seems > 0.0 || error <= 0.0);
    // Fresh dice: the best of several looks better than it is under the dice that made it the best.
    let fresh = SCREENED..SCREENED + CONFIRMED;
    let (ours, theirs) = (table.plays(&played, fresh.clone()), table.plays(other, fresh));
    looked.plays += 2 * CONFIRMED;
    looked.notice(&ours);
    let (behind, error) = lead(&theirs, &ours);
    if behind > 2.0 * error && behind > 0.0 {
        let typical = mixture([table.seed, SCREENED as u64, 0, 0]);
        looked.better = Some((behind, line(&rollouts, other, typical, &names)));
    }
    looked
}

impl Looked {
    /// Takes the plays of what was played over.
    fn notice(&mut self, plays: &[f64]) {
        let mut sorted = plays.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
        let n = plays.len() as f64;
        self.margin = plays.iter().sum::<f64>() / n;
        (self.low, self.high) = (at(0.05), at(0.95));
        let variance = plays.iter().map(|p| (p - self.margin).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        self.spread = variance.sqrt();
    }
}

/// Plays of one position under numbered dice.
struct Sample<'a, S: System> {
    rollouts: &'a Rollouts<'a, S>,
    seed: u64,
}

impl<S: System> Sample<'_, S> {
    /// The margins of these plays, in points.
    fn plays(&self, action: &S::Action, numbers: std::ops::Range<usize>) -> Vec<f64> {
        let mut desk = Desk::default();
        let play = |n: usize| {
            self.rollouts.play(action, mixture([self.seed, n as u64, 0, 0]), &mut desk, |_, _| {}).margin
        };
        numbers.map(play).map(|margin| margin as f64 / 100.0).collect()
    }
}

/// By how much `one` is ahead of `other` under the same dice, and the standard error of that.
fn lead(one: &[f64], other: &[f64]) -> (f64, f64) {
    let n = one.len().min(other.len()) as f64;
    let differences = || one.iter().zip(other).map(|(a, b)| a - b);
    let mean = differences().sum::<f64>() / n;
    let variance = differences().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, (variance / n).sqrt())
}

/// The review of what was found out.
fn added_up<S: System>(battle: &S::Battle, looked: Vec<Looked>, end: &S::State) -> Review {
    let score = S::score(battle, end);
    let result = f64::from(score.first - score.second);
    // How much is much: what a play of this game varies by, half the decisions more, half less.
    let mut spreads: Vec<f64> = looked.iter().filter(|l| !l.forced).map(|l| l.spread).collect();
    spreads.sort_by(f64::total_cmp);
    let scale = spreads.get(spreads.len() / 2).copied().unwrap_or(1.0).max(0.5);
    let sign = |side: Side| if side == Side::First { 1.0 } else { -1.0 };
    let mut decisions: Vec<Reviewed> = looked
        .iter()
        .map(|l| {
            let lost = l.better.as_ref().map_or(0.0, |(behind, _)| *behind);
            let (a, b) = (sign(l.side) * l.low, sign(l.side) * l.high);
            Reviewed {
                moment: l.moment,
                turn: l.turn,
                side: l.side,
                margin: sign(l.side) * (l.margin + lost),
                low: a.min(b),
                high: a.max(b),
                choice: -sign(l.side) * lost,
                dice: 0.0,
                grade: None,
            }
        })
        .collect();
    once_a_plan(&looked, &mut decisions);
    for (_, decision) in looked.iter().zip(&mut decisions).filter(|(one, _)| !one.forced) {
        decision.grade = Some(grade(decision.choice.abs() / scale));
    }
    for n in 0..decisions.len() {
        let next = decisions.get(n + 1).map_or(result, |next| next.margin);
        if looked[n].rolled {
            decisions[n].dice = next - (decisions[n].margin + decisions[n].choice);
        }
    }
    let start = decisions.first().map_or(result, |first| first.margin);
    let choices = BySide::from_fn(|side| decisions.iter().filter(|d| d.side == side).map(|d| d.choice).sum());
    let dice = result - start - choices.first - choices.second;
    let shares = Shares { start, choices, dice, result };
    let accuracy = BySide::from_fn(|side| accuracy(decisions.iter().filter(|d| d.side == side), scale));
    Review {
        plays: looked.iter().map(|l| l.plays as u32).sum(),
        turning_points: turning_points::<S>(battle, &looked, &decisions),
        verdict: verdict::<S>(battle, &shares, &accuracy),
        decisions,
        shares,
        accuracy,
    }
}

/// What a side decides in a turn before any dice fall is one plan, and a chance that it misses looks missed at each of its
/// decisions. It is counted once, where it was largest.
fn once_a_plan(looked: &[Looked], decisions: &mut [Reviewed]) {
    let mut from = 0;
    for n in 0..decisions.len() {
        let last = looked[n].rolled
            || looked
                .get(n + 1)
                .is_none_or(|next| (next.side, next.turn) != (looked[n].side, looked[n].turn));
        if !last {
            continue;
        }
        let plan = &mut decisions[from..=n];
        let size = |decision: &Reviewed| decision.choice.abs();
        let largest = (0..plan.len()).max_by(|&a, &b| size(&plan[a]).total_cmp(&size(&plan[b])));
        let rest = plan.iter_mut().enumerate().filter(|(at, _)| Some(*at) != largest);
        rest.for_each(|(_, decision)| decision.choice = 0.0);
        from = n + 1;
    }
}

/// How good a choice is that gives away this much of what a play varies by.
fn grade(lost: f64) -> Grade {
    match lost {
        l if l <= 0.0 => Grade::Best,
        l if l < 0.15 => Grade::Good,
        l if l < 0.6 => Grade::Weak,
        _ => Grade::Mistake,
    }
}

fn accuracy<'d>(decisions: impl Iterator<Item = &'d Reviewed>, scale: f64) -> Accuracy {
    let (mut accuracy, mut sum, mut n) = (Accuracy::default(), 0.0, 0.0f64);
    for decision in decisions {
        let Some(grade) = decision.grade else { continue };
        let lost = decision.choice.abs() / scale;
        *match grade {
            Grade::Best => &mut accuracy.best,
            Grade::Good => &mut accuracy.good,
            Grade::Weak => &mut accuracy.weak,
            Grade::Mistake => &mut accuracy.mistakes,
        } += 1;
        (sum, n) = (sum + (-lost).exp(), n + 1.0);
    }
    accuracy.percent = if n > 0.0 { 100.0 * sum / n } else { 100.0 };
    accuracy
}

/// The largest changes, in order of play.
fn turning_points<S: System>(
    battle: &S::Battle,
    looked: &[Looked],
    decisions: &[Reviewed],
) -> Vec<TurningPoint> {
    let mut points = Vec::new();
    for (l, d) in looked.iter().zip(decisions) {
        let point = |side, change| TurningPoint {
            moment: d.moment,
            turn: d.turn,
            when: String::new(),
            side,
            change,
            played: l.title.clone(),
            margin: d.margin + d.choice + if side.is_none() { d.dice } else { 0.0 },
            better: Vec::new(),
            better_margin: None,
        };
        if let (Some((_, line)), true) = (&l.better, d.choice != 0.0) {
            let better = TurningPoint { better: line.clone(), ..point(Some(d.side), d.choice) };
            points.push(TurningPoint { better_margin: Some(d.margin), ..better });
        }
        if d.dice != 0.0 {
            points.push(point(None, d.dice));
        }
    }
    points.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
    points.truncate(TURNING_POINTS);
    points.sort_by_key(|point| point.moment);
    points.iter_mut().for_each(|point| point.when = turn_called::<S>(battle, point.turn));
    points
}

/// The game in a sentence.
fn verdict<S: System>(battle: &S::Battle, shares: &Shares, accuracy: &BySide<Accuracy>) -> String {
    let sides = S::board(battle).sides;
    let better = if accuracy.first.percent >= accuracy.second.percent { Side::First } else { Side::Second };
    let apart = (accuracy.first.percent - accuracy.second.percent).abs();
    let chose = match apart {
        d if d < 2.0 => "Both sides chose about equally well".to_owned(),
        d if d < 8.0 => format!("{} chose a little better", sides[better].name),
        _ => format!("{} chose better", sides[better].name),
    };
    let favoured = if shares.dice >= 0.0 { Side::First } else { Side::Second };
    let gained = shares.dice.abs();
    match gained {
        g if g < 1.0 => format!("{chose}; the dice favoured nobody."),
        g => format!("{chose}; dice and fortune gave {} {g:.0} points.", sides[favoured].name),
    }
}
