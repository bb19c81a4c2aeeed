//! Every rule as a situation; `cargo xtask rules` counts what they prove.

#[test]
fn situations_hold() {
    suite::situations::<hallowed_ground::HallowedGround>("crates/hallowed-ground/situations");
}
