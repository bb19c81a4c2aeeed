//! How long the captain thinks, and who wins: games between captains, the processor time of every decision.
//!
//! `cargo run --release -p american-revolution --example captain_pace -- SCENARIO GAMES SEED`

use std::time::Duration;

use american_revolution::AmericanRevolution as Rules;
use game::dice::QuickDice;
use game::{Fx, Judgement as _, Library as _, Now, Options, Ruleset, Silent, Words as _};
use players::Player;

/// The processor time of this thread.
fn busy() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[allow(clippy::print_stdout, reason = "the answer belongs on standard output")]
fn main() {
    let mut words = std::env::args().skip(1);
    let id = words.next().unwrap_or_else(|| "american-revolution/freemans-farm".into());
    let games: u64 = words.next().and_then(|n| n.parse().ok()).unwrap_or(2);
    let first: u64 = words.next().and_then(|n| n.parse().ok()).unwrap_or(1863);
    let text = suite::Shelf.scenario(&id).expect("a scenario of the library");
    let battle = Rules::compile(&text, &suite::Shelf, &Options::new()).expect("it compiles");
    let mut times: Vec<(f64, String, usize)> = Vec::new();
    let (mut offers, mut sum) = (Vec::new(), 0i64);
    let mut ended = [0u32; 3];
    for seed in first..first + games {
        let mut mind = QuickDice::new(!seed);
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut state = Rules::muster(&battle);
        Rules::settle(&battle, &mut state, &mut fx);
        while let Now::Decides(side) = Rules::now(&battle, &state) {
            offers.clear();
            let begun = busy();
            Rules::offers(&battle, &state, &mut offers);
            let action = Player::Captain(players::Captain::CAPTAIN)
                .choose::<Rules>(&battle, &state, &offers, &mut mind);
            let took = (busy() - begun).as_secs_f64() * 1e3;
            times.push((took, Rules::prompt(&battle, &state).kind, offers.len()));
            sum = sum.wrapping_mul(31).wrapping_add(i64::from(Rules::worth(&battle, &state, side)));
            Rules::play_unchecked(&battle, &mut state, &action, &mut fx);
        }
        let won = state.ending.and_then(|ending| ending.winner);
        ended[won.map_or(2, game::Side::index)] += 1;
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].0;
    println!(
        "{id}: {} decisions, median {:.2} ms, 90 % {:.2} ms, 99 % {:.2} ms, longest {:.1} ms; fingerprint {sum:x}",
        times.len(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
    println!("  won by the first side {}, by the second {}, drawn {}", ended[0], ended[1], ended[2]);
    for (took, kind, offers) in times.iter().rev().take(8) {
        println!("  {took:.1} ms: {kind}, {offers} offers");
    }
}
