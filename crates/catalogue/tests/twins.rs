//! Where a system conceals nothing a seat sees the position itself, so that there are no two games that look alike to it and
//! differ in what is hidden.

use catalogue::{NewDice, Table};
use game::dice::QuickDice;
use game::session::Throw;
use game::{BySide, Dice, Eyes, Now, Options, Side};

fn throw(n: u64) -> Throw {
    Throw { salt: n.to_le_bytes().to_vec(), typed: Vec::new() }
}

#[test]
fn three_systems_hide_nothing() {
    for id in ["battle-hymn/drill", "brigade-battles/drill", "hallowed-ground/drill"] {
        let scenario = catalogue::open(id, &Options::new()).unwrap_or_else(|e| panic!("{e}"));
        let seats = BySide::from_fn(|_| String::new());
        let mut table: Box<dyn Table> =
            scenario.start(seats, NewDice::Seed([7; 32]), &throw(0)).expect("musters");
        let mut dice = QuickDice::new(7);
        for n in 1..=60 {
            let Now::Decides(side) = table.now() else { break };
            for eyes in [Eyes::Of(Side::First), Eyes::Of(Side::Second), Eyes::Bystander] {
                assert_eq!(table.seen_digest(eyes), table.digest(), "{id}");
            }
            let offers = table.offers();
            let action = &offers[dice.below(offers.len() as u32) as usize].action;
            table.act(side, action, &throw(n)).expect("an offer is legal");
        }
    }
}
