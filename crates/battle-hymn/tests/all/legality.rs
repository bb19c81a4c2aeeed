//! One source of legality: what is offered and what is allowed are the same set.

use std::collections::BTreeSet;

use battle_hymn::{Action, Battle, BattleHymn};
use game::dice::{Dice, QuickDice};
use game::{Fx, Notation, Now, Rules, Silent};
use hexmap::Hex;

/// Every order that can be written, but for divisions of fire and ways named hex by hex.
fn every_order(battle: &Battle) -> Vec<Action> {
    let mut orders = vec![Action::Combat, Action::Wait, Action::Done, Action::Pass];
    let hexes: Vec<Hex> = battle.ground.grid.hexes().collect();
    orders.extend(hexes.iter().map(|&to| Action::AdvanceInto { to }));
    for unit in battle.ids() {
        orders.extend([
            Action::Mount { unit },
            Action::Rally { unit },
            Action::Withdraw { unit },
            Action::Check { unit },
            Action::FallBack { unit },
            Action::RetreatOff { unit },
        ]);
        for &hex in &hexes {
            orders.extend([
                Action::March { unit, to: hex, path: None },
                Action::Dismount { unit, horses: hex },
                Action::Enter { unit, at: Some(hex) },
                Action::Exit { unit, by: hex },
                Action::Place { unit, at: hex },
                Action::Retreat { unit, to: hex },
                Action::Advance { unit, to: hex },
            ]);
        }
        for at in battle.ids() {
            orders.extend([Action::Bombard { unit, at }, Action::Attack { unit, at }]);
        }
    }
    orders
}

fn offered_and_allowed_agree(id: &str, games: u64, every: u64) {
    let battle = suite::battle::<BattleHymn>(id);
    let orders = every_order(&battle);
    let written = |action: &Action| BattleHymn::write(&battle, action);
    let mut offers = Vec::new();
    for seed in 0..games {
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut state = BattleHymn::muster(&battle);
        BattleHymn::settle(&battle, &mut state, &mut fx);
        let mut decisions = seed;
        while let Now::Decides(_) = BattleHymn::now(&battle, &state) {
            offers.clear();
            BattleHymn::offers(&battle, &state, &mut offers);
            if decisions % every == 0 {
                // An engagement may be named by any member, a division of fire has its own test.
                let compared = |a: &&Action| !matches!(a, Action::Engage { .. } | Action::Split { .. });
                let offered: BTreeSet<String> = offers.iter().filter(compared).map(written).collect();
                let allowed = orders.iter().filter(|a| BattleHymn::check(&battle, &state, a).is_ok());
                let allowed: BTreeSet<String> = allowed.map(written).collect();
                assert_eq!(offered, allowed, "{id}, seed {seed}, decision {decisions}");
            }
            decisions += 1;
            let action = offers[fx.dice.below(offers.len() as u32) as usize];
            BattleHymn::play_unchecked(&battle, &mut state, &action, &mut fx);
        }
    }
}

#[test]
fn on_the_drill_field() {
    offered_and_allowed_agree("battle-hymn/drill", 20, 1);
}

#[test]
fn on_mcphersons_ridge() {
    offered_and_allowed_agree("battle-hymn/mcphersons-ridge", 4, 9);
}

#[test]
fn by_day_and_night_on_pea_ridge() {
    offered_and_allowed_agree("battle-hymn/pea-ridge", 1, 31);
}
