//! Facts by name: what is unknown is named, and every phase and decision has its word.

use battle_hymn::BattleHymn;
use game::dice::{Dice, QuickDice};
use game::{Display, Facts, Fx, Now, Rules, Silent};

#[track_caller]
fn unknown(name: &str, says: &str) {
    let battle = suite::battle::<BattleHymn>("battle-hymn/drill");
    let state = BattleHymn::muster(&battle);
    let said = BattleHymn::fact(&battle, &state, name).expect_err(name).to_string();
    assert_eq!(said, says, "{name}");
}

#[test]
fn the_unknown_part_is_named() {
    unknown("wead.hex", "`wead` is not a unit; did you mean `weed`?");
    unknown("weed.hexx", "`hexx` is not a fact of a unit; did you mean `hex`?");
    unknown(
        "sight.0505.9999",
        "`9999` is not a hex or a unit on the map; known: weed, tilton, hazlett, vincent, davis, archer, pegram, brockenbrough",
    );
    unknown("terrain.1105", "`1105` is not a hex of the map");
    unknown("cost.weed.0505.0507", "`0507` is not a neighbour of 0505; did you mean `0504`?");
    unknown("side.0505.0507", "`0507` is not a neighbour of 0505; did you mean `0504`?");
    unknown("score.usb", "`usb` is not a side; did you mean `usa`?");
    unknown("control.0505", "`0505` is not the hex of an Objective; did you mean `0504`?");
    unknown("hours", "`hours` is not a fact; did you mean `hour`?");
    unknown("weed", "`weed` is not a fact: `weed.hex` would be one");
    unknown("weed.hex.now", "`now` is not part of a fact of a unit");
    unknown("terrain", "`terrain` is not a fact as the manual writes it");
}

/// In random games every prompt is of a kind that is listed, and every step that runs by itself has a name that is.
#[test]
fn kinds_and_stops_are_all_there_is() {
    for id in ["battle-hymn/drill", "battle-hymn/mcphersons-ridge"] {
        let battle = suite::battle::<BattleHymn>(id);
        for seed in 0..20 {
            let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
            let mut state = BattleHymn::muster(&battle);
            let mut offers = Vec::new();
            loop {
                let name = BattleHymn::upcoming(&battle, &state);
                if BattleHymn::step(&battle, &mut state, &mut fx) {
                    let name = name.expect("a step that runs has a name");
                    assert!(BattleHymn::stops().contains(&name), "{name}");
                    continue;
                }
                let Now::Decides(_) = BattleHymn::now(&battle, &state) else { break };
                let kind = BattleHymn::prompt(&battle, &state).kind;
                assert!(BattleHymn::kinds().contains(&kind.as_str()), "{kind}");
                offers.clear();
                BattleHymn::offers(&battle, &state, &mut offers);
                let action = offers[fx.dice.below(offers.len() as u32) as usize];
                BattleHymn::answer(&battle, &mut state, &action, &mut fx);
            }
        }
    }
}
