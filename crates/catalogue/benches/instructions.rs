//! Instructions of ten random games of each system's smallest battle.

use std::hint::black_box;
use std::sync::Arc;

use catalogue::Scenario;
use game::{BySide, Options};
use gungraun::{library_benchmark, library_benchmark_group, main};
use players::Player;

fn open(id: &str) -> Arc<dyn Scenario> {
    catalogue::open(id, &Options::new()).expect("the library opens")
}

#[library_benchmark]
#[bench::battle_hymn(args = ("battle-hymn/drill"), setup = open)]
fn ten_random_games(scenario: Arc<dyn Scenario>) -> u64 {
    let seats = BySide::from_fn(|_| Player::Random);
    black_box(scenario.play_many(seats, 10, 1863, &|_, _| {})).decisions
}

library_benchmark_group!(name = random_play; benchmarks = ten_random_games);
main!(library_benchmark_groups = random_play);
