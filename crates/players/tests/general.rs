//! The General: it plans, it is honest, and it answers the same on every machine.

mod common;

use common::{Action, Foray, State};
use game::dice::QuickDice;
use game::{Rules as _, Side};
use players::{Duel, General, Level, Player, play_pairs};

const THINKER: General = General { candidates: 3, rollouts: 48, ..General::GENERAL };

fn choice(player: Player, state: &State, seed: u64) -> Action {
    let mut offers = Vec::new();
    Foray::offers(&(), state, &mut offers);
    player.choose::<Foray>(&(), state, &offers, &mut QuickDice::new(seed))
}

fn duel(challenger: Player, champion: Player, pairs: u64) -> Duel {
    let seeds: Vec<u64> = (1..=pairs).collect();
    Duel::new(play_pairs::<Foray>(&(), challenger, champion, &seeds, &|_| {}))
}

#[test]
fn it_sees_what_pays_later() {
    let start = Foray::muster(&());
    for seed in 0..20 {
        assert_ne!(choice(Level::Captain.player(), &start, seed), Action::Dig);
        assert_eq!(choice(Player::General(THINKER), &start, seed), Action::Dig);
    }
}

#[test]
fn the_same_position_gets_the_same_choice_alone_and_in_company() {
    let start = Foray::muster(&());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let quick = Player::General(General { rollouts: 3, ..THINKER });
    for seed in 0..20 {
        let alone = choice(quick, &start, seed);
        assert_eq!(choice(quick, &start, seed), alone);
        assert_eq!(pool.install(|| choice(quick, &start, seed)), alone);
    }
}

#[test]
fn positions_that_look_alike_get_the_same_choice() {
    let mut twin = Foray::muster(&());
    twin.cards[Side::Second] = 9;
    for level in Level::ALL {
        for seed in 0..20 {
            let player = level.player();
            assert_eq!(
                choice(player, &Foray::muster(&()), seed),
                choice(player, &twin, seed),
                "{player} has looked at the enemy's card"
            );
        }
    }
    let hint = |state: &State| {
        let hint = players::weigh::<Foray>(&(), state, THINKER, &[], &mut QuickDice::new(1)).unwrap();
        hint.choices.iter().map(|c| (c.title.clone(), c.margin.to_bits())).collect::<Vec<_>>()
    };
    assert_eq!(hint(&Foray::muster(&())), hint(&twin));
}

#[test]
fn it_beats_who_looks_one_decision_ahead_with_either_side() {
    let duel = duel(Player::General(THINKER), Level::Captain.player(), 6);
    assert_eq!((duel.share_with(0), duel.share_with(1)), (1.0, 1.0));
}

#[test]
fn more_rollouts_are_not_weaker() {
    let budget = |rollouts| Player::General(General { rollouts, ..THINKER });
    let (share, ..) = duel(budget(64), budget(3), 12).share();
    assert!(share >= 0.5, "{share}");
}

#[test]
fn a_beginner_loses_to_a_captain() {
    let (share, ..) = duel(Level::Ensign.player(), Level::Captain.player(), 20).share();
    assert!(share < 0.4, "{share}");
}

#[test]
fn a_match_is_the_same_however_often_it_is_played() {
    let play = || duel(Player::General(General { rollouts: 6, ..THINKER }), Level::Ensign.player(), 4);
    let results =
        |duel: &Duel| duel.pairs().iter().map(|p| (p.seed, p.halves, p.margins)).collect::<Vec<_>>();
    assert_eq!(results(&play()), results(&play()));
}
