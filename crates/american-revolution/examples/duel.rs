use american_revolution::AmericanRevolution as S;
use game::dice::{Dice, QuickDice};
use game::{Fx, Now, Outcome, Ruleset, Side, Silent};
use players::Player;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let battle = suite::battle::<S>(&a[1]);
    let seats = [a[2].parse::<Player>().unwrap(), a[3].parse::<Player>().unwrap()];
    let n: u64 = a[4].parse().unwrap();
    let (mut won, mut decisions, mut worst) = ([0u32; 3], 0u64, 0u128);
    let mut levels = std::collections::BTreeMap::new();
    let start = std::time::Instant::now();
    let mut offers = Vec::new();
    let mut turns = 0u64;
    for seed in 0..n {
        let mut mind = QuickDice::new(!seed);
        let mut fx = Fx { dice: QuickDice::new(seed * 77 + 5), log: Silent };
        let mut state = S::muster(&battle);
        S::settle(&battle, &mut state, &mut fx);
        while let Now::Decides(side) = S::now(&battle, &state) {
            offers.clear();
            S::offers(&battle, &state, &mut offers);
            let seen = S::seen_by(&battle, &state, side);
            let t = std::time::Instant::now();
            let action = seats[side.index()].choose::<S>(&battle, &seen, &offers, &mut mind);
            worst = worst.max(t.elapsed().as_micros());
            S::play_unchecked(&battle, &mut state, &action, &mut fx);
            decisions += 1;
        }
        let Now::Over(o) = S::now(&battle, &state) else { unreachable!() };
        won[match o { Outcome::Won(Side::First) => 0, Outcome::Won(Side::Second) => 1, Outcome::Drawn => 2 }] += 1;
        turns += u64::from(state.turn);
        *levels.entry(format!("{:?}", state.ending.map(|e| (e.winner, e.level)))).or_insert(0) += 1;
        let _ = mind.below(2);
    }
    println!("{} {} v {}: first {} second {} drawn {}; {} decisions a game, {:.1} turns, worst {} us, {:.1}s", a[1], a[2], a[3], won[0], won[1], won[2], decisions / n, turns as f64 / n as f64, worst, start.elapsed().as_secs_f64());
    println!("{levels:?}");
}
