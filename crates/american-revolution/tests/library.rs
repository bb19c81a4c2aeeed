//! Every scenario of the library can be read and plays to its end.

use american_revolution::{AmericanRevolution, invariant};

const ALL: [&str; 4] = [
    "american-revolution/third-line",
    "american-revolution/guilford-court-house",
    "american-revolution/the-cabin",
    "american-revolution/freemans-farm",
];

#[test]
fn scenarios_play_to_their_end() {
    for id in ALL {
        suite::contract::<AmericanRevolution>(id, 1, invariant);
        suite::random_games::<AmericanRevolution>(id, suite::short_or_long(250, 5_000), invariant);
    }
}
