//! Every scenario of the library can be read and plays to its end.

use american_revolution::{AmericanRevolution, invariant};

fn plays_to_its_end(id: &str) {
    suite::contract::<AmericanRevolution>(id, 1, invariant);
    suite::random_games::<AmericanRevolution>(id, suite::short_or_long(1_000, 20_000), invariant);
}

#[test]
fn the_third_line() {
    plays_to_its_end("american-revolution/third-line");
}

#[test]
fn guilford_court_house() {
    plays_to_its_end("american-revolution/guilford-court-house");
}

#[test]
fn the_cabin() {
    plays_to_its_end("american-revolution/the-cabin");
}

#[test]
fn freemans_farm() {
    plays_to_its_end("american-revolution/freemans-farm");
}
