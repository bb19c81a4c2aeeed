//! Enumerated odds against seeded plays of the same decision.

use brigade_battles::state::Piece;
use brigade_battles::{Action, BrigadeBattles};
use game::dice::{Dice, QuickDice};
use game::odds::{self, Budget, Horizon};
use game::{Fx, Now, Rules, Silent};

#[test]
fn odds_agree_with_play() {
    let (decisions, plays) =
        (suite::short_or_long(40, 200) as usize, suite::short_or_long(4_000, 100_000) as u32);
    let too_large =
        suite::odds_against_play::<BrigadeBattles>("brigade-battles/sunken-road", decisions, plays);
    assert!(too_large * 10 <= decisions, "{too_large} of {decisions} decisions were too large to enumerate");
}

#[test]
fn odds_are_quick() {
    let decisions = suite::short_or_long(60, 2_000) as usize;
    suite::odds_speed::<BrigadeBattles>("brigade-battles/sunken-road", decisions);
}

/// A combat die may be rolled again, which is a decision before anything has happened: asked to the end of the affair,
/// as the board then does, the odds of opening fire must say what becomes of the target.
#[test]
fn opening_fire_has_odds() {
    let battle = suite::battle::<BrigadeBattles>("brigade-battles/sunken-road");
    let [mut asked, mut to_the_end] = [0; 2];
    for seed in 0..100 {
        let mut mind = QuickDice::new(!seed);
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut state = BrigadeBattles::muster(&battle);
        BrigadeBattles::settle(&battle, &mut state, &mut fx);
        let mut offers = Vec::new();
        while let Now::Decides(_) = BrigadeBattles::now(&battle, &state) {
            offers.clear();
            BrigadeBattles::offers(&battle, &state, &mut offers);
            let target = state.fire.at.and_then(|at| state.unit_at(at));
            if let Some(target) = target.filter(|_| offers.contains(&Action::Open)) {
                let ask = |horizon| {
                    odds::report::<BrigadeBattles>(&battle, &state, &Action::Open, horizon, Budget::default())
                };
                let mut told = ask(Horizon::Decision).pieces;
                if told.is_empty() {
                    told = ask(Horizon::Affair).pieces;
                    to_the_end += 1;
                }
                let target = battle.piece_id(Piece::Unit(target));
                assert!(told.iter().any(|piece| piece.piece == target), "nothing is said of the target");
                asked += 1;
            }
            let action = offers[mind.below(offers.len() as u32) as usize];
            BrigadeBattles::play_unchecked(&battle, &mut state, &action, &mut fx);
        }
    }
    assert!(asked > 20 && to_the_end > 5, "{asked} fires were met, {to_the_end} with a marker left");
}

#[test]
fn luck_evens_out() {
    suite::luck_evens_out::<brigade_battles::BrigadeBattles>(
        "brigade-battles/sunken-road",
        suite::short_or_long(20, 1_000),
    );
}
