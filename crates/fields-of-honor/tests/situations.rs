//! Every rule as a situation; `cargo xtask rules` counts what they prove.

#[test]
fn situations_hold() {
    suite::situations::<fields_of_honor::FieldsOfHonor>("crates/fields-of-honor/situations");
}
