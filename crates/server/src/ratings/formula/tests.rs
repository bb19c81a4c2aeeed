use game::Dice as _;
use game::dice::QuickDice;

use super::*;

/// A number from 0 to 1.
fn uniform(dice: &mut QuickDice) -> f64 {
    f64::from(dice.below(1_000_000)) / 1e6
}

/// A number around 0 with a standard deviation of 1.
fn normal(dice: &mut QuickDice) -> f64 {
    (0..12).map(|_| uniform(dice)).sum::<f64>() - 6.0
}

fn chance(difference: f64) -> f64 {
    (1.0 + (-SCALE * difference).exp()).recip()
}

fn no_advantage() -> Advantage {
    Advantage { points: 0.0, deviation: 0.0, games: 0 }
}

fn fought(first: Strength, second: Strength, score: Score) -> Fought {
    Fought { before: BySide { first, second }, score }
}

#[test]
fn the_example_of_its_author_comes_out() {
    // Glickman's own example: 1500 ± 200 against 1400 ± 30, won.
    let ada = Strength { rating: 1500.0, deviation: 200.0, volatility: 0.06 };
    let eve = Strength { rating: 1400.0, deviation: 30.0, volatility: 0.06 };
    let after = after(&fought(ada, eve, Score::Won(Side::First)), no_advantage());
    assert!((after.first.rating - 1563.6).abs() < 0.5, "{after:?}");
    assert!((after.first.deviation - 175.4).abs() < 0.5, "{after:?}");
    assert!(after.second.deviation >= SUREST, "nobody is known better");
}

#[test]
fn whoever_wins_with_the_worse_side_gains_more() {
    let gain = |points: f64| {
        let advantage = Advantage { points, ..no_advantage() };
        after(&fought(Strength::NEW, Strength::NEW, Score::Won(Side::First)), advantage).first.rating - MIDDLE
    };
    assert!(gain(200.0) < gain(0.0) && gain(0.0) < gain(-200.0));
    let unsure = Advantage { points: 0.0, deviation: 150.0, games: 0 };
    let little =
        after(&fought(Strength::NEW, Strength::NEW, Score::Won(Side::First)), unsure).first.rating - MIDDLE;
    assert!(little < gain(0.0), "an unknown scenario tells less");
}

#[test]
fn an_advantage_is_drawn_towards_nothing_until_it_is_proved() {
    let known = Strength { rating: 1500.0, deviation: 50.0, volatility: 0.06 };
    let won = |n: usize| advantage(&vec![fought(known, known, Score::Won(Side::First)); n]);
    assert_eq!(won(0), Advantage { points: 0.0, deviation: USUAL_ADVANTAGE, games: 0 });
    assert!(won(1).points > 20.0 && won(1).points < 80.0, "{:?}", won(1));
    assert!(won(20).points > won(1).points && won(20).deviation < won(1).deviation);
    let stranger = Strength::NEW;
    let strangers = advantage(&[fought(stranger, stranger, Score::Won(Side::First))]);
    assert!(strangers.points < won(1).points, "strangers tell less");
    let even =
        [fought(known, known, Score::Won(Side::First)), fought(known, known, Score::Won(Side::Second))];
    assert!(advantage(&even).points.abs() < 0.1);
    let one_sided = advantage(&vec![fought(known, known, Score::Won(Side::First)); 1000]);
    assert!(one_sided.points.is_finite() && one_sided.points < 2_000.0, "{one_sided:?}");
}

#[test]
fn a_newcomer_has_a_number_after_five_games_against_the_computer() {
    for (level, truth) in [(Level::Ensign, 1500.0), (Level::Captain, 1200.0)] {
        let computer = Strength::of(level).unwrap();
        let mut newcomer = Strength::NEW;
        for _ in 0..5 {
            let score =
                if truth > computer.rating { Score::Won(Side::First) } else { Score::Won(Side::Second) };
            newcomer = after(&fought(newcomer, computer, score), no_advantage()).first;
        }
        assert!(newcomer.deviation < 230.0, "{newcomer:?}");
        assert!((newcomer.rating > computer.rating) == (truth > computer.rating), "{newcomer:?}");
    }
}

#[test]
fn whoever_rests_is_less_sure_and_as_strong() {
    let known = Strength { rating: 1700.0, deviation: 60.0, volatility: 0.06 };
    assert_eq!(known.after_rest(PERIOD - 1), known);
    let rested = known.after_rest(12 * PERIOD);
    assert!(rested.rating == 1700.0 && rested.deviation > 65.0 && rested.deviation < 90.0, "{rested:?}");
    assert!(known.after_rest(i64::MAX).deviation <= UNKNOWN);
    assert_eq!(known.after_rest(-5), known, "a clock that was put back");
}

#[test]
fn the_levels_stand_in_their_order() {
    let known: Vec<f64> = Level::ALL.into_iter().filter_map(Strength::of).map(|s| s.rating).collect();
    assert_eq!(known.len(), Level::ALL.len() - 1, "all but random");
    assert!(known.is_sorted_by(|a, b| a < b));
    // The step that was measured: 73 % of the points against the Ensign.
    assert!((chance(known[1] - known[0]) - 0.73).abs() < 0.01);
}

/// Players of known strength, some of them computers, on scenarios whose sides are not equal.
#[test]
fn ratings_and_advantages_converge_to_the_truth() {
    const PEOPLE: usize = 40;
    let truths_of_sides = [-200.0, -80.0, 0.0, 60.0, 180.0];
    let (mut ratings_within, mut sides_within, mut all_ratings, mut all_sides) = (0, 0, 0, 0);
    let (mut off, mut sides_off) = (0.0, 0.0);
    for seed in 0..6 {
        let mut dice = QuickDice::new(1863 + seed);
        let levels: Vec<Strength> = Level::ALL.into_iter().filter_map(Strength::of).collect();
        let mut truth: Vec<f64> = (0..PEOPLE).map(|_| 1450.0 + 200.0 * normal(&mut dice)).collect();
        let mut known = vec![Strength::NEW; PEOPLE];
        truth.extend(levels.iter().map(|level| level.rating));
        known.extend(&levels);
        let mut played: Vec<Vec<Fought>> = vec![Vec::new(); truths_of_sides.len()];
        for _ in 0..4_000 {
            let one = dice.below(PEOPLE as u32) as usize;
            let other = dice.below(truth.len() as u32) as usize;
            if one == other {
                continue;
            }
            let scenario = dice.below(truths_of_sides.len() as u32) as usize;
            // Some always take the harder side, some the easier one: it must not show in their ratings.
            let first = match one % 4 {
                0 => truths_of_sides[scenario] < 0.0,
                1 => truths_of_sides[scenario] > 0.0,
                _ => dice.below(2) == 0,
            };
            let (a, b) = if first { (one, other) } else { (other, one) };
            let p = chance(truth[a] + truths_of_sides[scenario] - truth[b]);
            // One game in ten may be a draw, which takes as much from either's chance.
            let (roll, narrow) = (uniform(&mut dice), dice.below(10) == 0);
            let score = match (narrow, roll < p) {
                (true, _) if (0.5 * p..0.5 * p + 0.5).contains(&roll) => Score::Drawn,
                (_, true) => Score::Won(Side::First),
                (_, false) => Score::Won(Side::Second),
            };
            let game = fought(known[a], known[b], score);
            let recent = &played[scenario][played[scenario].len().saturating_sub(500)..];
            let after = after(&game, advantage(recent));
            for (who, strength) in [(a, after.first), (b, after.second)] {
                // Computers stay what they are.
                if who < PEOPLE {
                    known[who] = strength;
                }
            }
            played[scenario].push(game);
        }
        for (strength, truth) in known.iter().zip(&truth).take(PEOPLE) {
            all_ratings += 1;
            ratings_within += usize::from((strength.rating - truth).abs() <= 2.0 * strength.deviation);
            off += (strength.rating - truth).abs();
        }
        for (played, truth) in played.iter().zip(truths_of_sides) {
            let found = advantage(&played[played.len().saturating_sub(500)..]);
            all_sides += 1;
            sides_within += usize::from((found.points - truth).abs() <= 2.0 * found.deviation);
            sides_off += (found.points - truth).abs();
        }
    }
    let (off, sides_off) = (off / all_ratings as f64, sides_off / all_sides as f64);
    let told = format!(
        "{ratings_within} of {all_ratings} ratings, off by {off:.0}; {sides_within} of {all_sides} sides, off by {sides_off:.0}"
    );
    assert!(ratings_within * 100 >= all_ratings * 90, "{told}");
    assert!(sides_within * 100 >= all_sides * 80, "{told}");
    assert!(off < 60.0 && sides_off < 30.0, "{told}");
}
