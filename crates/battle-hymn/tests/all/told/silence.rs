//! A battle that nobody listens to takes the same course as one that is told: marches take a shorter way through the
//! code then.

use battle_hymn::BattleHymn;
use game::dice::{Dice, QuickDice};
use game::log::Chronicle;
use game::{Fx, Now, Rules, Silent};

fn told_and_silent_agree(id: &str, games: u64) {
    let battle = suite::battle::<BattleHymn>(id);
    let mut offers = Vec::new();
    for seed in 0..games {
        let mut choice = QuickDice::new(!seed);
        let mut silent = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut told = Fx { dice: QuickDice::new(seed), log: Chronicle::default() };
        let (mut one, mut other) = (BattleHymn::muster(&battle), BattleHymn::muster(&battle));
        BattleHymn::settle(&battle, &mut one, &mut silent);
        BattleHymn::settle(&battle, &mut other, &mut told);
        while let Now::Decides(_) = BattleHymn::now(&battle, &one) {
            assert!(one == other, "{id}, seed {seed}: {one:?}\n{other:?}");
            offers.clear();
            BattleHymn::offers(&battle, &one, &mut offers);
            let action = offers[choice.below(offers.len() as u32) as usize];
            BattleHymn::play_unchecked(&battle, &mut one, &action, &mut silent);
            BattleHymn::play_unchecked(&battle, &mut other, &action, &mut told);
            told.log.entries.clear();
        }
        assert!(one == other, "{id}, seed {seed}: the ends differ");
    }
}

#[test]
fn on_the_drill_field() {
    told_and_silent_agree("battle-hymn/drill", 60);
}

#[test]
fn on_mcphersons_ridge() {
    told_and_silent_agree("battle-hymn/mcphersons-ridge", 20);
}
