//! Instructions of ten random games of each system's smallest battle, and of the odds of fifty of its decisions, asked three times.

use std::hint::black_box;
use std::sync::Arc;

use catalogue::Scenario;
use game::{BySide, Options};
use gungraun::{library_benchmark, library_benchmark_group, main};
use players::Player;

fn open(id: &str) -> Arc<dyn Scenario> {
    catalogue::open(id, &Options::new()).expect("the library opens")
}

#[library_benchmark(setup = open)]
#[bench::battle_hymn("battle-hymn/drill")]
#[bench::brigade_battles("brigade-battles/drill")]
#[bench::american_revolution("american-revolution/drill")]
#[bench::hallowed_ground("hallowed-ground/drill")]
#[bench::fields_of_honor("fields-of-honor/drill-ground")]
fn ten_random_games(scenario: Arc<dyn Scenario>) -> u64 {
    let seats = BySide::from_fn(|_| Player::Random);
    // On this thread: the work of others is not counted.
    (0..10).map(|game| black_box(scenario.play_one(seats, 1863 + game)).decisions).sum()
}

#[library_benchmark(setup = open)]
#[bench::battle_hymn("battle-hymn/drill")]
#[bench::brigade_battles("brigade-battles/drill")]
#[bench::american_revolution("american-revolution/drill")]
// Its drill is over before a die is cast.
#[bench::hallowed_ground("hallowed-ground/crossroads")]
#[bench::fields_of_honor("fields-of-honor/drill-ground")]
fn odds_of_fifty_decisions(scenario: Arc<dyn Scenario>) -> usize {
    black_box(scenario.bench_odds(50, 1863)).1
}

library_benchmark_group!(name = random_play; benchmarks = ten_random_games, odds_of_fifty_decisions);
main!(library_benchmark_groups = random_play);
