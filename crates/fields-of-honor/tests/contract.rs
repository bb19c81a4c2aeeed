//! What every system promises, proved on Fields of Honor.

use fields_of_honor::{FieldsOfHonor, invariant};

/// The learning battle, played often; the great ones are slow and played less often.
const DRILL: &str = "fields-of-honor/drill-ground";
const BATTLES: [&str; 3] =
    ["fields-of-honor/buena-vista", "fields-of-honor/snodgrass-hill", "fields-of-honor/rorkes-drift"];

#[test]
fn the_contract_holds() {
    suite::contract::<FieldsOfHonor>(DRILL, 4, invariant);
}

#[test]
fn random_games_end() {
    suite::random_games::<FieldsOfHonor>(DRILL, suite::short_or_long(500, 10_000), invariant);
    for id in BATTLES {
        suite::random_games::<FieldsOfHonor>(id, suite::short_or_long(1, 500), invariant);
    }
}
