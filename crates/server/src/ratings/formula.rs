//! The formula behind ratings, and nothing else: no database, no clock. `docs/ratings.md` explains it.
//!
//! A game is one rating period of Glicko-2. What the two sides of a scenario are worth is an offset on the same scale, fitted
//! from the scenario's own results; whoever has the better side meets an opponent who is so much weaker.

use game::{BySide, Side};
use players::Level;
use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, decay_deviation, glicko2_rating_period};

/// Where everybody begins.
const MIDDLE: f64 = 1500.0;
const UNKNOWN: f64 = 350.0;
const STEADY: f64 = 0.06;
/// How much volatility may change: small, as its author advises where results are noisy.
const TAU: f64 = 0.5;
/// Nobody is known better than this.
const SUREST: f64 = 40.0;
/// After so long without a game a rating is less sure, once for each such time.
const PERIOD: i64 = 30 * 24 * 3_600_000;
const MOST_PERIODS: i64 = 120;
/// How large the advantage of a side is before anybody has played the scenario: nothing, give or take this.
const USUAL_ADVANTAGE: f64 = 150.0;
/// One point on the scale, as an exponent of e.
const SCALE: f64 = std::f64::consts::LN_10 / 400.0;

/// How strong somebody is, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Strength {
    /// On Glicko's scale.
    pub(crate) rating: f64,
    /// One standard error.
    pub(crate) deviation: f64,
    /// How steady it is.
    pub(crate) volatility: f64,
}

impl Strength {
    /// Of somebody who has never played.
    pub(crate) const NEW: Strength = Strength { rating: MIDDLE, deviation: UNKNOWN, volatility: STEADY };

    /// Of a computer's level: fixed, from its measured share of the points against the level below.
    pub(crate) fn of(level: Level) -> Option<Strength> {
        let (rating, deviation) = match level {
            Level::Random => return None,
            Level::Ensign => (1145.0, 50.0),
            Level::Sergeant => (1315.0, 50.0),
            Level::Lieutenant => (1410.0, 50.0),
            Level::Captain => (1500.0, 50.0),
            Level::Colonel => (1690.0, 80.0),
            Level::General => (1760.0, 80.0),
        };
        Some(Strength { rating, deviation, volatility: STEADY })
    }

    /// The same after so many milliseconds without a game.
    pub(crate) fn after_rest(self, ms: i64) -> Strength {
        (0..(ms / PERIOD).clamp(0, MOST_PERIODS))
            .fold(self, |strength, _| strength.shifted(decay_deviation(&strength.glicko())))
    }

    fn glicko(self) -> Glicko2Rating {
        let Strength { rating, deviation, volatility } = self;
        Glicko2Rating { rating, deviation, volatility }
    }

    fn shifted(self, Glicko2Rating { rating, deviation, volatility }: Glicko2Rating) -> Strength {
        Strength { rating, deviation: deviation.max(SUREST), volatility }
    }
}

/// How a game ended for the first side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Score {
    /// Won by this side.
    Won(Side),
    /// Drawn.
    Drawn,
}

impl Score {
    fn of(self, side: Side) -> Outcomes {
        match self {
            Score::Won(winner) if winner == side => Outcomes::WIN,
            Score::Won(_) => Outcomes::LOSS,
            Score::Drawn => Outcomes::DRAW,
        }
    }
}

/// A game that was played in a scenario: how strong the two were before it, and how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fought {
    pub(crate) before: BySide<Strength>,
    pub(crate) score: Score,
}

/// What the first side of a scenario is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Advantage {
    /// Points of rating: above 0 the first side has it easier.
    pub(crate) points: f64,
    /// One standard error.
    pub(crate) deviation: f64,
    /// From how many games.
    pub(crate) games: u32,
}

/// Fits the advantage of the first side: the most likely one, if before any game it was nothing give or take
/// [`USUAL_ADVANTAGE`]. Games of people who are hardly known weigh less.
pub(crate) fn advantage(fought: &[Fought]) -> Advantage {
    const ROUNDS: usize = 50;
    let prior = USUAL_ADVANTAGE.powi(2).recip();
    let mut points = 0.0_f64;
    let mut bend = prior;
    for _ in 0..ROUNDS {
        let mut slope = -points * prior;
        bend = prior;
        for game in fought {
            let BySide { first, second } = game.before;
            let doubt = SCALE * weight(first.deviation.hypot(second.deviation));
            let expected = (1.0 + (-doubt * (first.rating + points - second.rating)).exp()).recip();
            slope += doubt * (game.score.of(Side::First).to_chess_points() - expected);
            bend += doubt.powi(2) * expected * (1.0 - expected);
        }
        let step = (slope / bend).clamp(-200.0, 200.0);
        points += step;
        if step.abs() < 0.01 {
            break;
        }
    }
    Advantage { points, deviation: bend.sqrt().recip(), games: fought.len() as u32 }
}

/// How much a result tells if the strengths are so unsure: Glicko's g.
fn weight(deviation: f64) -> f64 {
    let phi = deviation * SCALE;
    (1.0 + 3.0 * (phi / std::f64::consts::PI).powi(2)).sqrt().recip()
}

/// How strong both are after a game between them. What is not known of the advantage is not known of the opponent.
pub(crate) fn after(game: &Fought, advantage: Advantage) -> BySide<Strength> {
    let config = Glicko2Config { tau: TAU, ..Glicko2Config::new() };
    BySide::from_fn(|side| {
        let (own, other) = (game.before[side], game.before[!side]);
        let worth = if side == Side::First { advantage.points } else { -advantage.points };
        let met = Glicko2Rating {
            rating: other.rating - worth,
            deviation: other.deviation.hypot(advantage.deviation),
            volatility: other.volatility,
        };
        own.shifted(glicko2_rating_period(&own.glicko(), &[(met, game.score.of(side))], &config))
    })
}

#[cfg(test)]
mod tests;
