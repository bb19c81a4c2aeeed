//! What was never offered is refused.

use american_revolution::AmericanRevolution;

fn refused(id: &str, games: u64, every: usize) {
    let tried = suite::unoffered::<AmericanRevolution>(id, games, every, suite::but_for_the_way);
    assert!(tried > 1_000, "{tried} orders only");
}

#[test]
fn on_the_drill_field() {
    refused("american-revolution/drill", 8, 1);
}

#[test]
fn at_the_third_line() {
    refused("american-revolution/third-line", 3, 3);
}

#[test]
fn at_freemans_farm() {
    refused("american-revolution/freemans-farm", 2, 11);
}

#[test]
fn at_guilford_court_house() {
    refused("american-revolution/guilford-court-house", 1, 11);
}
