//! The rules, situation by situation.

use battle_hymn::BattleHymn;

#[test]
fn situations() {
    suite::situations::<BattleHymn>("crates/battle-hymn/situations");
}
