//! The computer decides from what its side may see.

use catalogue::{NewDice, Scenario, Table};
use game::session::Throw;
use game::{BySide, Now, Options, Side, journal};
use players::Player;
use std::sync::Arc;

fn cabin() -> Arc<dyn Scenario> {
    catalogue::open("american-revolution/the-cabin", &Options::new()).expect("it opens")
}

fn act(table: &mut dyn Table, side: Side, action: &str) {
    table.act(side, action, &Throw::default()).expect("an offer is played");
}

/// A game in which a side is about to seal its tactic, before the enemy does.
fn before_the_cards() -> Box<dyn Table> {
    for seed in 1..50 {
        let seats = BySide::from_fn(|_| "test".to_owned());
        let mut table = cabin().start(seats, NewDice::Seed([seed; 32]), &Throw::default()).expect("musters");
        for n in 0..4_000u64 {
            let Now::Decides(side) = table.now() else { break };
            let offers = table.offers();
            if table.prompt().is_some_and(|p| p.kind == "tactic") && offers.len() > 1 {
                return table;
            }
            let lieutenant: Player = "lieutenant".parse().expect("it is known");
            let action = table.thinker()(lieutenant, n).expect("it decides");
            act(&mut *table, side, &action);
        }
    }
    panic!("no close combat in fifty games");
}

#[test]
fn a_card_that_lies_sealed_does_not_change_its_answer() {
    let table = before_the_cards();
    let text = table.journal();
    let cards: Vec<String> = table.offers().into_iter().map(|offer| offer.action).collect();
    let Now::Decides(first) = table.now() else { panic!("somebody decides") };
    let answers = |card: &String| -> Vec<String> {
        let (mut table, broken) =
            cabin().resume(journal::parse(&text).expect("parses"), None).expect("replays");
        assert!(broken.is_none());
        act(&mut *table, first, card);
        assert_eq!(table.now(), Now::Decides(!first), "the enemy seals next");
        assert!(table.conceals_from(!first));
        let captain: Player = "captain".parse().expect("it is known");
        (0..40).map(|seed| table.thinker()(captain, seed).expect("it decides")).collect()
    };
    let all: Vec<Vec<String>> = cards.iter().map(answers).collect();
    assert!(all.iter().all(|answers| *answers == all[0]), "{all:?}");
}
