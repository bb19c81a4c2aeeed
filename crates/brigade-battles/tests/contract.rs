//! What every system promises, proved on the Brigade Battle Series.

use brigade_battles::{BrigadeBattles, invariant};

#[test]
fn the_contract_holds() {
    suite::contract::<BrigadeBattles>("brigade-battles/drill", 20, invariant);
}

#[test]
fn random_games_end() {
    suite::random_games::<BrigadeBattles>("brigade-battles/sunken-road", suite::short_or_long(1_000, 20_000), invariant);
}
