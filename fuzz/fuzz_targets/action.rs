//! Any line sent as an action is played or refused, never with a panic. Lines that begin with a number play that offer
//! first, so that the fuzzer gets deep into a battle.
#![no_main]

use std::sync::{Arc, LazyLock};

use catalogue::{NewDice, Scenario};
use game::session::Throw;
use game::{BySide, Eyes, Now, Options};
use libfuzzer_sys::fuzz_target;

/// The smallest scenario of each system.
static SCENARIOS: LazyLock<Vec<Arc<dyn Scenario>>> = LazyLock::new(|| {
    let ids = catalogue::scenario_ids();
    let of = |system: &str| {
        let mut all: Vec<_> = ids.iter().filter(|id| id.starts_with(system)).collect();
        all.sort_by_key(|id| !id.ends_with("drill"));
        catalogue::open(all.first()?, &Options::new()).ok()
    };
    catalogue::systems().iter().filter_map(|s| of(s.book().system)).collect()
});

fuzz_target!(|input: (u8, u8, &str)| {
    let (which, seed, text) = input;
    let scenario = &SCENARIOS[usize::from(which) % SCENARIOS.len()];
    let seats = BySide::from_fn(|_| "fuzz".to_owned());
    let Ok(mut table) = scenario.start(seats, NewDice::Seed([seed; 32]), &Throw::default()) else { return };
    for line in text.lines().take(64) {
        let Now::Decides(side) = table.now() else { return };
        let offers = table.offers();
        let words = match line.split_once(' ').map_or(line, |(first, _)| first).parse::<usize>() {
            Ok(number) => offers[number % offers.len()].action.clone(),
            Err(_) => line.to_owned(),
        };
        let _ = table.act(side, &words, &Throw::default());
        let _ = table.view(Eyes::Of(side.enemy()), None);
    }
});
