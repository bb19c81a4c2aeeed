//! Plays games between computer players and says who won: `cargo run --release --example duel -- SCENARIO FIRST SECOND GAMES`.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use game::BySide;
use hallowed_ground::HallowedGround;
use players::{Player, bench, play_game};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |i: usize, or: &str| words.get(i).cloned().unwrap_or_else(|| or.to_owned());
    let battle = suite::battle::<HallowedGround>(&word(0, "hallowed-ground/crossroads"));
    if word(1, "") == "bench" {
        println!("{:?}", bench::<HallowedGround>(&battle, Duration::from_secs(3), 1));
        return;
    }
    let player = |i: usize, or: &str| word(i, or).parse::<Player>().expect("a player");
    let seats = BySide { first: player(1, "captain"), second: player(2, "random") };
    let games: u64 = word(3, "10").parse().expect("a number");
    let start = Instant::now();
    for seed in 0..games {
        let result = play_game::<HallowedGround>(&battle, seats, seed);
        println!("{seed}: {result:?} after {:.1} s", start.elapsed().as_secs_f64());
    }
}
