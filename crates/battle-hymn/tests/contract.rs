//! What every system promises, proved on Battle Hymn.

use battle_hymn::{BattleHymn, invariant};

#[test]
fn the_contract_holds() {
    suite::contract::<BattleHymn>("battle-hymn/drill", 20, invariant);
}

#[test]
fn random_games_end() {
    suite::random_games::<BattleHymn>("battle-hymn/drill", suite::short_or_long(1_000, 20_000), invariant);
}
