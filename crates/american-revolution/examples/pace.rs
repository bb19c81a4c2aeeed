//! Random play on one core: decisions and offered options a second.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use american_revolution::AmericanRevolution;
use game::dice::{Dice, QuickDice};
use game::{Fx, Now, Ruleset, Silent};

fn main() {
    let id = std::env::args().nth(1).unwrap_or_else(|| "american-revolution/third-line".into());
    let battle = suite::battle::<AmericanRevolution>(&id);
    let (mut decisions, mut options, mut games) = (0u64, 0u64, 0u64);
    let mut offers = Vec::new();
    let start = Instant::now();
    while start.elapsed().as_millis() < 3_000 {
        let mut mind = QuickDice::new(!games);
        let mut fx = Fx { dice: QuickDice::new(games), log: Silent };
        let mut state = AmericanRevolution::muster(&battle);
        AmericanRevolution::settle(&battle, &mut state, &mut fx);
        while let Now::Decides(_) = AmericanRevolution::now(&battle, &state) {
            offers.clear();
            AmericanRevolution::offers(&battle, &state, &mut offers);
            let action = offers[mind.below(offers.len() as u32) as usize];
            AmericanRevolution::play_unchecked(&battle, &mut state, &action, &mut fx);
            decisions += 1;
            options += offers.len() as u64;
        }
        games += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{id}: {games} games, {:.0} decisions/s, {:.0} options/s, {:.1} options a decision, state {} bytes, action {} bytes",
        decisions as f64 / seconds,
        options as f64 / seconds,
        options as f64 / decisions as f64,
        size_of::<american_revolution::State>(),
        size_of::<american_revolution::Action>()
    );
}
