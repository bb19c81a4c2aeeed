//! The battles with what their players may choose besides.

use brigade_battles::state::Ford;
use brigade_battles::{Action, Battle, BrigadeBattles, State, invariant};
use game::dice::{Dice, QuickDice};
use game::{Files, Fx, Library, Now, Options, Rules, Silent};
use suite::Shelf;

fn battle(id: &str, chosen: &[&str]) -> Battle {
    let text = Shelf.scenario(&format!("brigade-battles/{id}")).expect("a scenario of the library");
    let options: Options = chosen.iter().map(|&name| (name.to_owned(), true)).collect();
    BrigadeBattles::compile(&text, &Shelf, &options)
        .unwrap_or_else(|faults| panic!("{}", faults.report(id, &text)))
}

/// Plays at random to the end; `see` looks at every decision.
fn play(battle: &Battle, seed: u64, mut see: impl FnMut(&State, &[Action])) -> State {
    let mut mind = QuickDice::new(!seed);
    let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
    let mut state = BrigadeBattles::muster(battle);
    BrigadeBattles::settle(battle, &mut state, &mut fx);
    let mut offers = Vec::new();
    while let Now::Decides(_) = BrigadeBattles::now(battle, &state) {
        offers.clear();
        BrigadeBattles::offers(battle, &state, &mut offers);
        if let Err(broken) = invariant(battle, &state) {
            panic!("seed {seed}: {broken}");
        }
        see(&state, &offers);
        let action = offers[mind.below(offers.len() as u32) as usize];
        BrigadeBattles::check(battle, &state, &action).expect("an offer is legal");
        BrigadeBattles::play_unchecked(battle, &mut state, &action, &mut fx);
    }
    state
}

#[test]
fn games_end_with_every_variant() {
    let all = [
        ("antietam", vec!["morell", "bolder_mcclellan", "hill_by_die", "fords"]),
        ("antietam", vec!["hill_by_die", "fords", "mixed_fords"]),
        ("cedar-mountain", vec!["sigel", "banks_attacks"]),
    ];
    for (id, chosen) in all {
        let battle = battle(id, &chosen);
        for seed in 0..suite::short_or_long(3, 300) {
            play(&battle, seed, |_, _| {});
        }
    }
}

#[test]
fn a_die_tells_when_hill_comes() {
    let battle = battle("antietam", &["hill_by_die"]);
    let mut told = [0; 3];
    for seed in 0..20 {
        // Quick games: nobody does anything.
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut state = BrigadeBattles::muster(&battle);
        BrigadeBattles::settle(&battle, &mut state, &mut fx);
        while let Now::Decides(_) = BrigadeBattles::now(&battle, &state) {
            assert_eq!(state.lots[0].is_some(), state.turn >= 8, "thrown when the ninth turn begins");
            let mut offers = Vec::new();
            BrigadeBattles::offers(&battle, &state, &mut offers);
            let gregg = battle.unit_named("gregg").expect("he is there");
            let marches = offers
                .iter()
                .any(|action| matches!(action, Action::March { piece, .. } if *piece == brigade_battles::state::Piece::Unit(gregg)));
            let due = state.lots[0].is_some_and(|turn| turn <= state.turn);
            assert!(due || !marches, "Gregg comes before his time");
            let idle = if offers.contains(&Action::Done) { Action::Done } else { offers[0] };
            BrigadeBattles::play_unchecked(&battle, &mut state, &idle, &mut fx);
        }
        told[usize::from(state.lots[0].expect("thrown") - 8)] += 1;
    }
    assert!(told[0] > 0 && told[1] > told[0] && told[2] > 0, "{told:?}");
}

#[test]
fn banks_gains_by_attacking() {
    let battle = battle("cedar-mountain", &["banks_attacks"]);
    let plain = self::battle("cedar-mountain", &[]);
    let won = (0..60).map(|seed| play(&battle, seed, |_, _| {})).filter(|end| end.prizes == 1).count();
    assert!(won > 0, "no Union infantry has come to the Gate in 60 games");
    assert_eq!(play(&plain, 0, |_, _| {}).prizes, 0);
}

#[test]
fn fords_of_the_antietam_are_known_unless_they_are_to_be_searched_for() {
    let known = battle("antietam", &[]);
    assert!(known.fords.is_empty());
    let (west, east) = (known.map.parse("1228").expect("1228"), known.map.parse("1328").expect("1328"));
    let way =
        |battle: &Battle| battle.map.ways[west.index()].iter().flatten().find(|way| way.to == east).copied();
    assert_eq!(
        way(&known).map(|way| (way.changes, way.closed)),
        Some((false, brigade_battles::rules::charts::Closed::ToNobody))
    );
    let hidden = battle("antietam", &["fords"]);
    assert!(
        way(&hidden)
            .is_some_and(|way| way.changes && way.closed == brigade_battles::rules::charts::Closed::ToAll)
    );
    let state = BrigadeBattles::muster(&hidden);
    assert!(state.fords.iter().all(|ford| matches!(ford, Ford::Unsearched(_))));
}
