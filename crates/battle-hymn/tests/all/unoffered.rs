//! What was never offered is refused.

use battle_hymn::BattleHymn;

/// An engagement may be named by any member; `legality.rs` compares the rest of what may be said order by order.
fn essence(notation: &str) -> Option<String> {
    let compared = !notation.starts_with("engage ") && !notation.starts_with("split ");
    compared.then(|| suite::but_for_the_way(notation)).flatten()
}

fn refused(id: &str, games: u64, every: usize) {
    let tried = suite::unoffered::<BattleHymn>(id, games, every, essence);
    assert!(tried > 1_000, "{tried} orders only");
}

#[test]
fn on_the_drill_field() {
    refused("battle-hymn/drill", 20, 1);
}

#[test]
fn on_mcphersons_ridge() {
    refused("battle-hymn/mcphersons-ridge", 4, 5);
}

#[test]
fn at_leetown() {
    refused("battle-hymn/leetown", 4, 5);
}

#[test]
fn by_day_and_night_on_pea_ridge() {
    refused("battle-hymn/pea-ridge", 1, 17);
}
