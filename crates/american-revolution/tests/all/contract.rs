//! What every system promises, proved on Battles of the American Revolution.

use american_revolution::{AmericanRevolution, invariant};

#[test]
fn the_contract_holds() {
    suite::contract::<AmericanRevolution>("american-revolution/drill", 20, invariant);
}

#[test]
fn random_games_end() {
    suite::random_games::<AmericanRevolution>(
        "american-revolution/drill",
        suite::short_or_long(1_000, 20_000),
        invariant,
    );
}

#[test]
fn move_counts_are_pinned() {
    suite::perft::<AmericanRevolution>("crates/american-revolution/tests/perft.txt");
}
