//! What every system must pass, and what must hold of every position of this one.

use battle_hymn::{Battle, BattleHymn, State};

/// What must hold whenever somebody decides.
fn holds(battle: &Battle, state: &State) -> Result<(), String> {
    battle_hymn::invariant(battle, state)
}

macro_rules! battles {
    ($($name:ident = $id:literal, $games:literal;)+) => {
        mod contract {
            use super::*;
            $(#[test]
            fn $name() {
                suite::contract::<BattleHymn>($id, $games, holds);
            })+
        }

        mod random_games {
            use super::*;
            $(#[test]
            fn $name() {
                suite::random_games::<BattleHymn>($id, suite::short_or_long(1_000, 20_000), holds);
            })+
        }
    };
}

battles! {
    drill = "battle-hymn/drill", 20;
    mcphersons_ridge = "battle-hymn/mcphersons-ridge", 4;
    leetown = "battle-hymn/leetown", 4;
    the_first_day = "battle-hymn/the-first-day", 1;
    pea_ridge = "battle-hymn/pea-ridge", 1;
}
