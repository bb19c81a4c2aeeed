//! What every system promises, proved on Fields of Honor.

use fields_of_honor::{FieldsOfHonor, invariant};

fn random_games_end(id: &str) {
    suite::random_games::<FieldsOfHonor>(id, suite::short_or_long(500, 10_000), invariant);
}

#[test]
fn the_contract_holds() {
    suite::contract::<FieldsOfHonor>("fields-of-honor/drill-ground", suite::short_or_long(4, 40), invariant);
}

#[test]
fn random_games_end_on_the_drill_ground() {
    random_games_end("fields-of-honor/drill-ground");
}

#[test]
fn random_games_end_at_buena_vista() {
    random_games_end("fields-of-honor/buena-vista");
}

#[test]
fn random_games_end_on_snodgrass_hill() {
    random_games_end("fields-of-honor/snodgrass-hill");
}

#[test]
fn random_games_end_at_rorkes_drift() {
    random_games_end("fields-of-honor/rorkes-drift");
}

/// A unit at the edge of the table took its skirmishers back, found no room, and came to lie in a battery.
#[test]
fn a_game_that_once_broke_ends() {
    suite::random_games_of::<FieldsOfHonor>("fields-of-honor/drill-ground", 1_419..1_420, invariant);
    // Units that rallied in contact took a shape that was not.
    suite::random_games_of::<FieldsOfHonor>("fields-of-honor/rorkes-drift", 124..125, invariant);
    suite::random_games_of::<FieldsOfHonor>("fields-of-honor/drill-ground", 351..352, invariant);
}

#[test]
fn perft() {
    suite::perft::<FieldsOfHonor>("crates/fields-of-honor/tests/perft.txt");
}

#[test]
fn a_body_can_be_dragged_anywhere() {
    let tried = suite::dragging::<FieldsOfHonor>("fields-of-honor/drill-ground", &["move", "ride"], 6);
    assert!(tried > 100, "{tried} goals only");
}
