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

/// The number of decision sequences, pinned: a change of legal actions never goes unnoticed.
#[test]
fn perft() {
    suite::perft::<BattleHymn>("crates/battle-hymn/tests/perft.txt");
}

/// With At Random on, chance takes decisions off the players, and games still end.
#[test]
fn at_random() {
    use game::dice::{Dice, QuickDice};
    use game::{Files, Fx, Library, Now, Options, Rules, Silent};
    let options = Options::from([("at_random".to_owned(), true)]);
    for id in ["battle-hymn/drill", "battle-hymn/mcphersons-ridge"] {
        let text = suite::Shelf.scenario(id).expect("the scenario is there");
        let battle = BattleHymn::compile(&text, &suite::Shelf, &options).expect("it compiles");
        let mut offers = Vec::new();
        for seed in 0..300 {
            let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
            let mut state = BattleHymn::muster(&battle);
            BattleHymn::settle(&battle, &mut state, &mut fx);
            while let Now::Decides(_) = BattleHymn::now(&battle, &state) {
                holds(&battle, &state).unwrap_or_else(|broken| panic!("{id}, seed {seed}: {broken}"));
                offers.clear();
                BattleHymn::offers(&battle, &state, &mut offers);
                let action = offers[fx.dice.below(offers.len() as u32) as usize];
                BattleHymn::check(&battle, &state, &action).expect("what is offered is legal");
                BattleHymn::play_unchecked(&battle, &mut state, &action, &mut fx);
            }
        }
    }
}
