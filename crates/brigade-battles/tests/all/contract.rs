//! What every system promises, proved on the Brigade Battle Series.

use brigade_battles::{BrigadeBattles, invariant};

#[test]
fn the_contract_holds_on_the_drill_field() {
    suite::contract::<BrigadeBattles>("brigade-battles/drill", 20, invariant);
}

#[test]
fn the_contract_holds_at_the_sunken_road() {
    suite::contract::<BrigadeBattles>("brigade-battles/sunken-road", 5, invariant);
}

#[test]
fn the_contract_holds_at_cedar_mountain() {
    suite::contract::<BrigadeBattles>("brigade-battles/cedar-mountain", 1, invariant);
}

#[test]
fn random_games_end_on_the_drill_field() {
    suite::random_games::<BrigadeBattles>(
        "brigade-battles/drill",
        suite::short_or_long(1_000, 20_000),
        invariant,
    );
}

#[test]
fn random_games_end_at_the_sunken_road() {
    suite::random_games::<BrigadeBattles>(
        "brigade-battles/sunken-road",
        suite::short_or_long(1_000, 20_000),
        invariant,
    );
}

#[test]
fn random_games_end_at_cedar_mountain() {
    suite::random_games::<BrigadeBattles>(
        "brigade-battles/cedar-mountain",
        suite::short_or_long(1_000, 20_000),
        invariant,
    );
}

/// A quarter of the games at Antietam, the longest by far: a move of a hundred units, each with a hundred hexes to go to.
fn a_quarter_at_antietam(quarter: u64) {
    let games = suite::short_or_long(250, 5_000);
    let seeds = quarter * games..(quarter + 1) * games;
    suite::random_games_of::<BrigadeBattles>("brigade-battles/antietam", seeds, invariant);
}

#[test]
fn random_games_end_at_antietam() {
    a_quarter_at_antietam(0);
}

#[test]
fn more_random_games_end_at_antietam() {
    a_quarter_at_antietam(1);
}

#[test]
fn still_more_random_games_end_at_antietam() {
    a_quarter_at_antietam(2);
}

#[test]
fn the_last_random_games_end_at_antietam() {
    a_quarter_at_antietam(3);
}

#[test]
fn random_games_end_in_parts_of_the_battles() {
    for part in ["wheatfield", "cedar-mountain-1700", "antietam-morning", "antietam-evening"] {
        let id = format!("brigade-battles/{part}");
        suite::contract::<BrigadeBattles>(&id, 1, invariant);
        suite::random_games::<BrigadeBattles>(&id, suite::short_or_long(250, 20_000), invariant);
    }
}

#[test]
fn the_legal_actions_are_those_pinned() {
    suite::perft::<BrigadeBattles>("crates/brigade-battles/tests/perft.txt");
}
