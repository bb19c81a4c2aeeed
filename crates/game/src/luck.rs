//! Luck: each test of dice against what was due.

use serde::Serialize;

use crate::log::Roll;
use crate::odds::{self, Budget};
use crate::session::Moment;
use crate::{BySide, Entry, Side, System, Test};

/// One roll against its expectation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct LuckPoint {
    /// After how many decisions it was rolled.
    pub moment: u64,
    /// Who rolled.
    pub side: Side,
    /// Passes that were due.
    pub due: f64,
    /// Passes that came.
    pub came: u16,
    /// The variance of what was due.
    pub variance: f64,
}

/// What one side was due and got.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct LuckSum {
    /// Passes that were due.
    pub due: f64,
    /// Passes that came.
    pub came: f64,
    /// The chance of so much or more, by the normal approximation.
    pub so_much_or_more: f64,
}

/// The luck of a whole game.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Luck {
    /// Roll by roll.
    pub points: Vec<LuckPoint>,
    /// In all.
    pub sums: BySide<LuckSum>,
    /// The score without luck, once the game is over: before, it could tell what is concealed.
    pub score: Option<FairScore>,
}

/// The luck of a game from what happened at each moment. Only tests count: hits that should fall, checks that should
/// be passed; a draw among equals favours nobody that the dice know of.
pub fn of<'e>(moments: impl Iterator<Item = (u64, &'e [Entry])>) -> Luck {
    let mut points = Vec::new();
    for (moment, entries) in moments {
        points.extend(entries.iter().filter_map(|entry| point(moment, entry.side?, entry.roll.as_ref()?)));
    }
    let sums = BySide::from_fn(|side| sum(points.iter().filter(|p| p.side == side)));
    Luck { points, sums, score: None }
}

/// The score, and what it would be without luck.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct FairScore {
    /// Points of the first side less those of the second.
    pub lead: i32,
    /// The same without what the dice gave beyond what was due.
    pub fair: f64,
    /// Where the dice moved it, in order.
    pub swings: Vec<Swing>,
    /// How many of the swings are measured against a sample, their odds being too large to enumerate.
    pub sampled: usize,
}

/// What the dice of one decision did to the score.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(export))]
pub struct Swing {
    /// After how many decisions.
    pub moment: u64,
    /// Points that the first side's lead gained beyond what was due.
    pub lead: f64,
}

/// Enough for the odds of nearly every decision; a whole game of them is asked for at once.
const BUDGET: Budget = Budget { positions: 5_000, ways: 20_000, beyond: 0, plays: 500 };

/// The luck-adjusted score: from every decision that rolled dice, what the lead gained is set against what it was due to
/// gain by its exact odds, and the difference is taken off. With fair dice the differences cancel out in the long run, so
/// that the adjusted score is as just on the average, and steadier.
pub fn fair_score<S: System>(battle: &S::Battle, moments: &[Moment<S>]) -> FairScore {
    let mut fair = FairScore { lead: 0, fair: 0.0, swings: Vec::new(), sampled: 0 };
    for (n, pair) in moments.windows(2).enumerate() {
        let [before, after] = pair else { continue };
        let (true, Ok(action)) = (!after.rolls.is_empty(), S::read(battle, &before.state, &after.act)) else {
            continue;
        };
        let (due, sampled) = odds::due_lead::<S>(battle, &before.state, &action, BUDGET);
        let gained = odds::lead::<S>(battle, &after.state) - odds::lead::<S>(battle, &before.state);
        fair.sampled += usize::from(sampled);
        fair.swings.push(Swing { moment: n as u64 + 1, lead: f64::from(gained) - due });
    }
    fair.lead = moments.last().map_or(0, |last| odds::lead::<S>(battle, &last.state));
    fair.fair = f64::from(fair.lead) - fair.swings.iter().map(|swing| swing.lead).sum::<f64>();
    fair
}

fn point(moment: u64, side: Side, roll: &Roll) -> Option<LuckPoint> {
    let test = Test { die: roll.die?, need: roll.need? };
    let (good, all) = test.chance();
    let (n, p) = (roll.faces.len() as f64, f64::from(good) / f64::from(all));
    Some(LuckPoint { moment, side, due: n * p, came: roll.result, variance: n * p * (1.0 - p) })
}

fn sum<'p>(points: impl Iterator<Item = &'p LuckPoint>) -> LuckSum {
    let (mut due, mut came, mut variance) = (0.0, 0.0, 0.0);
    for p in points {
        due += p.due;
        came += f64::from(p.came);
        variance += p.variance;
    }
    // Half a pass for continuity: counts are whole.
    let z = if variance > 0.0 { (came - 0.5 - due) / variance.sqrt() } else { 0.0 };
    LuckSum { due, came, so_much_or_more: upper_tail(z) }
}

/// The chance that a normal variable exceeds `z` (Abramowitz and Stegun 26.2.17; error under 1e-7). For show, never
/// for rules.
fn upper_tail(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let poly = t
        * (0.319_381_530
            + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let tail = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * poly;
    if z >= 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_of_the_bell() {
        assert!((upper_tail(0.0) - 0.5).abs() < 1e-6);
        assert!((upper_tail(1.959_964) - 0.025).abs() < 1e-6);
        assert!((upper_tail(-1.0) - 0.841_344_7).abs() < 1e-6);
        assert!((upper_tail(3.0) - 0.001_349_9).abs() < 1e-6);
    }

    #[test]
    fn the_plays_of_a_sample_are_those_of_the_manual() {
        let Budget { positions, ways, beyond, plays } = BUDGET;
        assert_eq!((positions, ways, beyond, plays), (5_000, 20_000, 0, 500));
    }

    #[test]
    fn without_dice_there_is_no_luck() {
        let sum = sum([].iter());
        assert!(sum.due == 0.0 && sum.came == 0.0 && (sum.so_much_or_more - 0.5).abs() < 1e-6);
    }
}
