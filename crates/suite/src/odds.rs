use game::dice::{Dice, QuickDice};
use game::odds::{self, Budget, Chance, Horizon};
use game::{Fx, Now, Silent, System};
use rustc_hash::FxHashMap;

use crate::shelf::battle;

/// Compares, for `decisions` random decisions that leave something to chance, the enumerated distribution with `plays`
/// seeded plays of the same decision, by chi-square, corrected for the number of tests. How many decisions were too
/// large to enumerate is given back.
///
/// # Panics
/// When a play ends where the enumeration says it cannot, or the two differ by more than chance allows.
pub fn odds_against_play<S: System>(id: &str, decisions: usize, plays: u32) -> usize {
    let battle = battle::<S>(id);
    let mut mind = QuickDice::new(1863);
    let (mut compared, mut too_large, mut seed) = (0, 0, 0);
    let mut farthest = f64::MIN;
    while compared + too_large < decisions {
        seed += 1;
        assert!(seed < 4_000, "{id}: {compared} decisions that roll dice in {seed} games");
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut state = S::muster(&battle);
        S::settle(&battle, &mut state, &mut fx);
        while let Now::Decides(_) = S::now(&battle, &state) {
            let mut offers = Vec::new();
            S::offers(&battle, &state, &mut offers);
            let action = offers[mind.below(offers.len() as u32) as usize].clone();
            // One decision in some, so that the whole of a game is looked at.
            if mind.below(6) == 0 && compared + too_large < decisions {
                // Dice of its own for each decision, so that one odd stream does not speak for all.
                let dice = (compared + too_large) as u64 + 1;
                match compare::<S>(&battle, &state, &action, decisions, plays, dice << 32) {
                    Compared::Agrees(z) => {
                        compared += 1;
                        farthest = farthest.max(z);
                    }
                    Compared::TooLarge => too_large += 1,
                    Compared::Certain => {}
                    Compared::Differs(how) => panic!("{id}, `{}`: {how}", S::write(&battle, &action)),
                }
            }
            S::play_unchecked(&battle, &mut state, &action, &mut fx);
        }
    }
    told(format_args!(
        "{id}: {compared} decisions against {plays} plays each, {too_large} too large to enumerate; the farthest lies \
         {farthest:.2} standard deviations off, {:.2} are allowed",
        normal_limit(0.01 / decisions as f64)
    ));
    too_large
}

/// How long the odds of random decisions take that roll dice. In an optimised build the bar must be met: the median under
/// a millisecond, 99 % under twenty.
///
/// # Panics
/// When they take longer.
pub fn odds_speed<S: System>(id: &str, decisions: usize) {
    let (times, sampled) = players::bench_odds::<S>(&battle::<S>(id), decisions, 1863);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] / 1000.0;
    let [median, most, nearly_all, longest] = [0.5, 0.9, 0.99, 1.0].map(at);
    told(format_args!(
        "{id}: odds of {} decisions, median {median:.3} ms, 90 % {most:.2} ms, 99 % {nearly_all:.2} ms, longest \
         {longest:.1} ms; {sampled} sampled",
        times.len()
    ));
    if cfg!(not(debug_assertions)) {
        assert!(median < 1.0 && nearly_all < 20.0, "{id}: the odds are too slow");
    }
}

#[allow(clippy::print_stdout, reason = "a long run says what it found")]
pub(crate) fn told(what: std::fmt::Arguments<'_>) {
    println!("{what}");
}

enum Compared {
    /// How many standard deviations chi-square lies above what is due.
    Agrees(f64),
    Certain,
    TooLarge,
    Differs(String),
}

fn compare<S: System>(
    battle: &S::Battle,
    state: &S::State,
    action: &S::Action,
    tests: usize,
    plays: u32,
    seed: u64,
) -> Compared {
    let odds = odds::of_action::<S>(
        battle,
        state,
        action,
        Horizon::Decision,
        Budget { plays: 1, ..Budget::default() },
    );
    if odds.sampled.is_some() {
        return Compared::TooLarge;
    }
    if odds.ends.len() < 2 {
        return Compared::Certain;
    }
    let index: FxHashMap<&S::State, usize> =
        odds.ends.iter().enumerate().map(|(i, (end, _))| (end, i)).collect();
    let mut counts = vec![0u32; odds.ends.len()];
    for play in 0..plays {
        let end = odds::play_once::<S>(
            battle,
            state,
            action,
            Horizon::Decision,
            odds.last_scene,
            seed + u64::from(play),
        );
        match index.get(&end) {
            Some(&at) => counts[at] += 1,
            None => return Compared::Differs("a play ends where the enumeration says it cannot".into()),
        }
    }
    let expected: Vec<f64> = odds.ends.iter().map(|(_, c)| share(c) * f64::from(plays)).collect();
    let (chi, freedom) = chi_square(&counts, &expected);
    let limit = chi_square_limit(freedom, 0.01 / tests as f64);
    match chi <= limit {
        true => Compared::Agrees(deviation(chi, freedom)),
        false => Compared::Differs(format!(
            "chi-square {chi:.1} of {freedom} degrees of freedom, at most {limit:.1}"
        )),
    }
}

fn share(chance: &Chance) -> f64 {
    let float = |n: &num_bigint::BigUint| num_traits::ToPrimitive::to_f64(n).unwrap_or(0.0);
    float(chance.numer()) / float(chance.denom())
}

/// Bins that are due fewer than five plays are taken together.
fn chi_square(counts: &[u32], expected: &[f64]) -> (f64, usize) {
    let (mut chi, mut bins, mut rest) = (0.0, 0, (0.0, 0.0));
    let mut add = |came: f64, due: f64| {
        chi += (came - due) * (came - due) / due;
        bins += 1;
    };
    for (&came, &due) in counts.iter().zip(expected) {
        if due >= 5.0 {
            add(f64::from(came), due);
        } else {
            rest = (rest.0 + f64::from(came), rest.1 + due);
        }
    }
    if rest.1 >= 1.0 {
        add(rest.0, rest.1);
    }
    (chi, bins.max(2) - 1)
}

/// Where chi-square lies, in standard deviations of a normal variable (Wilson and Hilferty's approximation).
fn deviation(chi: f64, freedom: usize) -> f64 {
    let k = freedom as f64;
    let a = 2.0 / (9.0 * k);
    ((chi / k).cbrt() - (1.0 - a)) / a.sqrt()
}

/// The value that chi-square exceeds with this probability (Wilson and Hilferty's approximation).
fn chi_square_limit(freedom: usize, p: f64) -> f64 {
    let (k, z) = (freedom as f64, normal_limit(p));
    let a = 2.0 / (9.0 * k);
    k * (1.0 - a + z * a.sqrt()).powi(3)
}

/// The value that a normal variable exceeds with this probability (Abramowitz and Stegun 26.2.23).
fn normal_limit(p: f64) -> f64 {
    let t = (-2.0 * p.ln()).sqrt();
    t - (2.515_517 + t * (0.802_853 + t * 0.010_328))
        / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_the_tables() {
        assert!((normal_limit(0.025) - 1.96).abs() < 1e-3);
        assert!((chi_square_limit(10, 0.05) - 18.31).abs() < 0.05);
        assert!((chi_square_limit(3, 0.001) - 16.27).abs() < 0.3);
    }

    #[test]
    fn deviations_are_the_limits_backwards() {
        assert!((deviation(chi_square_limit(7, 0.001), 7) - normal_limit(0.001)).abs() < 1e-9);
    }

    #[test]
    fn loaded_dice_are_found() {
        let (chi, freedom) = chi_square(&[700, 300], &[500.0, 500.0]);
        assert!(chi > chi_square_limit(freedom, 0.001));
    }
}
