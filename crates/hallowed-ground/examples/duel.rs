//! Plays games between computer players and says who won, and how much processor time the longest decision took:
//! `cargo run --release --example duel -- SCENARIO FIRST SECOND GAMES`.
//! `SCENARIO bench` measures random play, `SCENARIO fingerprint GAMES` hashes every offer and position of random games:
//! a change that is only to make play faster leaves it as it was. The invariant is looked at in each of them.
#![allow(clippy::print_stdout)]

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use game::dice::{Dice, QuickDice};
use game::{BySide, Fx, Now, Ruleset, Silent, Words};
use hallowed_ground::{Battle, HallowedGround, State, invariant};
use players::{Player, bench};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |i: usize, or: &str| words.get(i).cloned().unwrap_or_else(|| or.to_owned());
    let battle = suite::battle::<HallowedGround>(&word(0, "hallowed-ground/crossroads"));
    if word(1, "") == "bench" {
        println!("{:?}", bench::<HallowedGround>(&battle, Duration::from_secs(3), 1));
        return;
    }
    if word(1, "") == "fingerprint" {
        println!("{:016x}", fingerprint(&battle, word(2, "20").parse().expect("a number")));
        return;
    }
    let player = |i: usize, or: &str| word(i, or).parse::<Player>().expect("a player");
    let seats = BySide { first: player(1, "captain"), second: player(2, "random") };
    let games: u64 = word(3, "10").parse().expect("a number");
    let start = Instant::now();
    for seed in 0..games {
        let (state, decisions, longest) = play(&battle, seats, seed);
        let fact = |name: &str| HallowedGround::fact(&battle, &state, name).map(|f| f.to_string());
        let objectives: Vec<String> =
            (0..battle.objectives.len()).filter_map(|i| fact(&format!("objective.{i}"))).collect();
        println!(
            "{seed}: {:?} {:?}, turn {}, {decisions} decisions, the longest {longest:.1} ms, objectives {} after {:.1} s",
            HallowedGround::now(&battle, &state),
            HallowedGround::score(&battle, &state),
            state.turn,
            objectives.join(" "),
            start.elapsed().as_secs_f64()
        );
    }
}

/// As the mass player does, but the last position is kept and the decisions are timed.
fn play(battle: &Battle, seats: BySide<Player>, seed: u64) -> (State, u32, f64) {
    let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
    let mut minds = BySide { first: QuickDice::new(!seed), second: QuickDice::new(seed ^ 0x9E37_79B9) };
    let mut state = HallowedGround::muster(battle);
    HallowedGround::settle(battle, &mut state, &mut fx);
    let (mut offers, mut decisions, mut longest) = (Vec::new(), 0, 0.0f64);
    while let Now::Decides(side) = HallowedGround::now(battle, &state) {
        let start = processor_time();
        offers.clear();
        HallowedGround::offers(battle, &state, &mut offers);
        let action = seats[side].choose::<HallowedGround>(battle, &state, &offers, &mut minds[side]);
        longest = longest.max(processor_time() - start);
        HallowedGround::play_unchecked(battle, &mut state, &action, &mut fx);
        decisions += 1;
    }
    (state, decisions, longest)
}

/// Milliseconds this thread has computed, where the system tells, to a few of them; what other programs take does not
/// count.
fn processor_time() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|t| t.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e6
}

fn fingerprint(battle: &Battle, games: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut offers = Vec::new();
    for seed in 0..games {
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut mind = QuickDice::new(!seed);
        let mut played = Vec::new();
        let mut state = HallowedGround::muster(battle);
        HallowedGround::settle(battle, &mut state, &mut fx);
        while let Now::Decides(_) = HallowedGround::now(battle, &state) {
            offers.clear();
            HallowedGround::offers(battle, &state, &mut offers);
            if let Err(broken) = invariant(battle, &state) {
                let last: Vec<String> =
                    played.iter().rev().take(8).map(|a| HallowedGround::write(battle, a)).collect();
                panic!("seed {seed}: {broken}, after (the last first) {last:?}");
            }
            offers.hash(&mut hasher);
            state.hash(&mut hasher);
            let chosen = offers[mind.below(offers.len() as u32) as usize].clone();
            HallowedGround::play_unchecked(battle, &mut state, &chosen, &mut fx);
            played.push(chosen);
        }
    }
    hasher.finish()
}
