//! Shares, intervals and paired differences.

/// How many standard errors a 95 % interval reaches to either side.
pub const Z: f64 = 1.959_964;

/// An estimate with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether the interval holds `value`.
    #[must_use]
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// Wilson's interval for a share, with a number of games that need not be whole.
fn wilson(share: f64, games: f64) -> Estimate {
    let z2 = Z * Z;
    let middle = (share + z2 / (2.0 * games)) / (1.0 + z2 / games);
    let half = Z / (1.0 + z2 / games) * (share * (1.0 - share) / games + z2 / (4.0 * games * games)).sqrt();
    Estimate { value: share, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
}

/// The share of `part` in `games`.
#[must_use]
pub fn share(part: u64, games: u64) -> Estimate {
    match games {
        0 => Estimate { value: 0.5, low: 0.0, high: 1.0 },
        _ => wilson(part as f64 / games as f64, games as f64),
    }
}

/// The score of a side, draws as halves. A draw scatters less than a game won or lost, so each counts for more games than
/// one; where there are none this is [`share`].
#[must_use]
pub fn score(won: u64, drawn: u64, games: u64) -> Estimate {
    if games == 0 {
        return share(0, 0);
    }
    let n = games as f64;
    let mean = (won as f64 + drawn as f64 / 2.0) / n;
    let even = mean * (1.0 - mean);
    let scatter = (won as f64 + drawn as f64 / 4.0) / n - mean * mean;
    // At least a few games' worth of scatter: from draws alone nobody knows that there is none.
    let least = 2.0 * even / (n + 4.0);
    match even > 0.0 {
        true => wilson(mean, n * even / scatter.max(least)),
        false => wilson(mean, n),
    }
}

/// The mean of differences between games of the same seed.
#[must_use]
pub fn mean(differences: impl Iterator<Item = f64> + Clone) -> Estimate {
    let n = differences.clone().count() as f64;
    if n < 2.0 {
        return Estimate { value: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    let mean = differences.clone().sum::<f64>() / n;
    let variance = differences.map(|d| (d - mean) * (d - mean)).sum::<f64>() / (n - 1.0);
    let half = Z * (variance / n).sqrt();
    Estimate { value: mean, low: mean - half, high: mean + half }
}

/// Values by how often they came.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Histogram(pub std::collections::BTreeMap<i64, u64>);

impl Histogram {
    /// One more.
    pub fn add(&mut self, value: i64, times: u64) {
        *self.0.entry(value).or_default() += times;
    }

    /// How many in all.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.values().sum()
    }

    /// Their mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.0.iter().map(|(value, times)| *value as f64 * *times as f64).sum();
        sum / self.count().max(1) as f64
    }

    /// Their variance.
    #[must_use]
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        let sum: f64 = self.0.iter().map(|(v, times)| (*v as f64 - mean).powi(2) * *times as f64).sum();
        sum / self.count().max(1) as f64
    }

    /// The value below which this part of them lies.
    #[must_use]
    pub fn quantile(&self, part: f64) -> f64 {
        let target = part * self.count() as f64;
        let mut below = 0.0;
        for (value, times) in &self.0 {
            below += *times as f64;
            if below >= target {
                return *value as f64;
            }
        }
        0.0
    }
}

#[cfg(test)]
mod tests {
    use game::dice::{Dice, QuickDice};

    use super::*;

    /// Games with a known chance of a win and of a draw.
    struct Truth {
        win: f64,
        draw: f64,
    }

    impl Truth {
        fn score(&self) -> f64 {
            self.win + self.draw / 2.0
        }

        /// Half points of one game.
        fn play(&self, dice: &mut QuickDice) -> u64 {
            let at = f64::from(dice.below(1 << 24)) / f64::from(1 << 24);
            if at < self.win { 2 } else { u64::from(at < self.win + self.draw) }
        }
    }

    fn studied(points: &[u64]) -> Estimate {
        let count = |half| points.iter().filter(|p| **p == half).count() as u64;
        score(count(2), count(1), points.len() as u64)
    }

    /// The share of `studies` whose interval holds the truth.
    fn coverage(studies: u64, mut holds: impl FnMut(&mut QuickDice) -> bool) -> f64 {
        let held = (0..studies).filter(|study| holds(&mut QuickDice::new(1863 + study))).count();
        held as f64 / studies as f64
    }

    const TRUTHS: [Truth; 6] = [
        Truth { win: 0.5, draw: 0.0 },
        Truth { win: 0.4, draw: 0.15 },
        Truth { win: 0.05, draw: 0.02 },
        Truth { win: 0.0, draw: 0.5 },
        Truth { win: 0.9, draw: 0.05 },
        Truth { win: 0.2, draw: 0.6 },
    ];

    #[test]
    fn intervals_of_simulated_studies_hold_the_truth() {
        let mut all = 0.0;
        for truth in &TRUTHS {
            for games in [50, 400] {
                let held = coverage(200, |dice| {
                    let points: Vec<u64> = (0..games).map(|_| truth.play(dice)).collect();
                    studied(&points).holds(truth.score())
                });
                // 200 studies of 95 %: 190 on the average, and under 180 once in a thousand.
                assert!(held >= 0.90, "{} won, {} drawn, {games} games: {held}", truth.win, truth.draw);
                all += held / 12.0;
            }
        }
        assert!((0.935..=0.975).contains(&all), "all together {all}");
    }

    #[test]
    fn intervals_hold_the_truth_where_games_are_added_until_they_are_narrow() {
        for truth in &TRUTHS {
            let held = coverage(200, |dice| {
                let mut points: Vec<u64> = (0..100).map(|_| truth.play(dice)).collect();
                while studied(&points).half_width() > 0.03 {
                    points.extend((0..100).map(|_| truth.play(dice)));
                }
                studied(&points).holds(truth.score())
            });
            assert!(held >= 0.90, "{} won, {} drawn: {held}", truth.win, truth.draw);
        }
    }

    #[test]
    fn paired_differences_are_unbiased_and_narrower() {
        // A change that turns one game in ten of those lost into a win; the other games go as before.
        let (truth, turned) = (Truth { win: 0.45, draw: 0.1 }, 0.1);
        let due = 0.45 * turned;
        let (mut sum, mut narrower) = (0.0, 0);
        let held = coverage(200, |dice| {
            let games = 400;
            let before: Vec<u64> = (0..games).map(|_| truth.play(dice)).collect();
            let after: Vec<u64> =
                before.iter().map(|p| if *p == 0 && dice.below(10) == 0 { 2 } else { *p }).collect();
            let paired = mean(before.iter().zip(&after).map(|(b, a)| (*a as f64 - *b as f64) / 2.0));
            sum += paired.value;
            let apart = studied(&before).half_width().hypot(studied(&after).half_width());
            narrower += u32::from(paired.half_width() < apart);
            paired.holds(due)
        });
        assert!((sum / 200.0 - due).abs() < 0.003, "mean {} of {due}", sum / 200.0);
        assert!(held >= 0.90, "{held}");
        assert_eq!(narrower, 200);
    }

    #[test]
    fn a_score_without_draws_is_a_share() {
        assert_eq!(score(71, 0, 100), share(71, 100));
        let estimate = share(71, 100);
        assert!((estimate.low - 0.6146).abs() < 1e-3 && (estimate.high - 0.7899).abs() < 1e-3);
        assert_eq!(share(0, 0), Estimate { value: 0.5, low: 0.0, high: 1.0 });
        let never = score(0, 0, 20);
        assert!(never.low == 0.0 && never.high > 0.1);
        let drawn = score(0, 20, 20);
        assert!(drawn.low < 0.45 && drawn.high > 0.55);
    }

    #[test]
    fn a_histogram_knows_its_middle() {
        let mut histogram = Histogram::default();
        [(1, 2), (3, 5), (10, 3)].into_iter().for_each(|(value, times)| histogram.add(value, times));
        assert_eq!((histogram.count(), histogram.mean()), (10, 4.7));
        assert_eq!(
            (histogram.quantile(0.05), histogram.quantile(0.5), histogram.quantile(0.95)),
            (1.0, 3.0, 10.0)
        );
    }
}
