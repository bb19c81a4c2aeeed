//! Luck: each test of dice against what was due.

use serde::Serialize;

use crate::log::Roll;
use crate::{BySide, Entry, Side, Test};

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
}

/// The luck of a game from what happened at each moment. Only tests count: hits that should fall, checks that should
/// be passed; a draw among equals favours nobody that the dice know of.
pub fn of<'e>(moments: impl Iterator<Item = (u64, &'e [Entry])>) -> Luck {
    let mut points = Vec::new();
    for (moment, entries) in moments {
        points.extend(entries.iter().filter_map(|entry| point(moment, entry.side?, entry.roll.as_ref()?)));
    }
    let sums = BySide::from_fn(|side| sum(points.iter().filter(|p| p.side == side)));
    Luck { points, sums }
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
    }
}
