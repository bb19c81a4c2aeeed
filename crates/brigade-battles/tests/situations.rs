//! Every rule as a situation; `cargo xtask rules` counts what they prove.

#[test]
fn situations_hold() {
    suite::situations::<brigade_battles::BrigadeBattles>("crates/brigade-battles/situations");
}
