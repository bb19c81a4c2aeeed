//! One source of legality: what is offered and what is allowed are the same set.

use american_revolution::AmericanRevolution;

fn offers_are_all(id: &str, games: u64, every: u64) {
    let tried = suite::offers_are_all::<AmericanRevolution>(id, games, every, suite::but_for_the_way);
    assert!(tried > 10_000, "only {tried} orders were tried");
}

#[test]
fn on_the_drill_field() {
    offers_are_all("american-revolution/drill", 3, 5);
}

#[test]
fn at_the_cabin() {
    offers_are_all("american-revolution/the-cabin", 4, 7);
}
