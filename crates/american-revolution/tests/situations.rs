//! Every rule as a situation; `cargo xtask rules` counts what they prove.

#[test]
fn situations_hold() {
    suite::situations::<american_revolution::AmericanRevolution>("crates/american-revolution/situations");
}
