use std::sync::Arc;

use game::dice::{Dice, QuickDice};
use game::luck::{self, FairScore};
use game::session::{Match, Throw};
use game::{Now, System};

use crate::contract::header;
use crate::shelf::battle;

/// What the dice do to the score beyond what is due evens out over `games` random games, or the adjusted score would be
/// unjust to one side.
///
/// # Panics
/// When it does not: the mean lies more than four standard errors off.
pub fn luck_evens_out<S: System>(id: &str, games: u64) {
    let battle = Arc::new(battle::<S>(id));
    let scores: Vec<FairScore> = (0..games).map(|seed| played::<S>(id, &battle, seed)).collect();
    let moved = scores.iter().filter(|score| f64::from(score.lead) != score.fair).count();
    assert!(moved * 2 > scores.len(), "{id}: the dice move the score in {moved} games of {games} only");
    let (lead, luck, fair) = (
        Spread::of(scores.iter().map(|s| f64::from(s.lead))),
        Spread::of(scores.iter().map(|s| f64::from(s.lead) - s.fair)),
        Spread::of(scores.iter().map(|s| s.fair)),
    );
    crate::odds::told(format_args!(
        "{id}: {games} games, lead {:.1} ± {:.1}, luck {:.2} ± {:.1}, without it {:.1} ± {:.1}",
        lead.mean, lead.deviation, luck.mean, luck.deviation, fair.mean, fair.deviation
    ));
    let error = luck.deviation / (games as f64).sqrt();
    assert!(
        luck.mean.abs() <= 4.0 * error,
        "{id}: the dice favour one side by {:.2}, ± {error:.2}",
        luck.mean
    );
}

struct Spread {
    mean: f64,
    deviation: f64,
}

impl Spread {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Spread {
        let n = values.clone().count().max(1) as f64;
        let mean = values.clone().sum::<f64>() / n;
        let variance = values.map(|v| (v - mean) * (v - mean)).sum::<f64>() / n;
        Spread { mean, deviation: variance.sqrt() }
    }
}

fn played<S: System>(id: &str, battle: &Arc<S::Battle>, seed: u64) -> FairScore {
    let mut mind = QuickDice::new(seed);
    let mut game =
        Match::<S>::start(battle.clone(), header::<S>(id, seed), None, &Throw::default()).expect("musters");
    while let Now::Decides(side) = game.now() {
        let mut offers = Vec::new();
        S::offers(battle, game.state(), &mut offers);
        let chosen = S::write(battle, &offers[mind.below(offers.len() as u32) as usize]);
        game.act(side, &chosen, &Throw::default()).expect("an offer is played");
    }
    luck::fair_score::<S>(battle, game.moments())
}
