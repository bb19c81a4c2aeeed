//! Every rule as a situation, each file a test; `cargo xtask rules` counts what they prove.

suite::situation_tests!(fields_of_honor::FieldsOfHonor, "situations");
