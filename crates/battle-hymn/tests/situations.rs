//! Every rule as a situation; `cargo xtask rules` counts what they prove.

#[test]
fn situations_hold() {
    suite::situations::<battle_hymn::BattleHymn>("crates/battle-hymn/situations");
}
