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

#[test]
fn random_games_end_at_antietam() {
    suite::random_games::<BrigadeBattles>(
        "brigade-battles/antietam",
        suite::short_or_long(100, 2_000),
        invariant,
    );
}

#[test]
fn the_legal_actions_are_those_pinned() {
    suite::perft::<BrigadeBattles>("crates/brigade-battles/tests/perft.txt");
}
