//! What every system must pass, and what must hold of every position of this one.

use battle_hymn::{Battle, BattleHymn, State};

#[test]
fn contract_on_the_drill_field() {
    suite::contract::<BattleHymn>("battle-hymn/drill", 20, holds);
}

#[test]
fn random_games_on_the_drill_field() {
    suite::random_games::<BattleHymn>("battle-hymn/drill", suite::short_or_long(1_000, 20_000), holds);
}

/// What must hold whenever somebody decides.
fn holds(battle: &Battle, state: &State) -> Result<(), String> {
    battle_hymn::invariant(battle, state)
}
