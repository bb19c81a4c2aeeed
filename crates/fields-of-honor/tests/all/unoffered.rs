//! What was never offered is refused, or play goes on from it.

use fields_of_honor::{FieldsOfHonor, invariant};

fn plays_on(id: &str, games: u64, every: usize) {
    let played = suite::unoffered_on_a_table::<FieldsOfHonor>(id, games, every, invariant);
    assert!(played > 100, "{played} orders only");
}

#[test]
fn on_the_drill_ground() {
    plays_on("fields-of-honor/drill-ground", 4, 3);
}

#[test]
fn at_buena_vista() {
    plays_on("fields-of-honor/buena-vista", 1, 11);
}

#[test]
fn on_snodgrass_hill() {
    plays_on("fields-of-honor/snodgrass-hill", 1, 11);
}

#[test]
fn at_rorkes_drift() {
    plays_on("fields-of-honor/rorkes-drift", 1, 11);
}
