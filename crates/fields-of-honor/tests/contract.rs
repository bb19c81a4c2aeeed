//! What every system promises, proved on Fields of Honor.

use fields_of_honor::{FieldsOfHonor, invariant};

const SCENARIOS: &[&str] = &["fields-of-honor/drill-ground", "fields-of-honor/buena-vista", "fields-of-honor/snodgrass-hill", "fields-of-honor/rorkes-drift"];

#[test]
fn the_contract_holds() {
    for id in SCENARIOS {
        suite::contract::<FieldsOfHonor>(id, 4, invariant);
    }
}

#[test]
fn random_games_end() {
    for id in SCENARIOS {
        suite::random_games::<FieldsOfHonor>(id, suite::short_or_long(500, 10_000), invariant);
    }
}
