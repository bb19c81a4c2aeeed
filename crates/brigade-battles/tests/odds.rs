//! Enumerated odds against seeded plays of the same decision.

use brigade_battles::state::Piece;
use brigade_battles::{Action, BrigadeBattles};
use game::dice::{Dice, QuickDice};
use game::odds::{self, Budget, Horizon};
use game::{Fx, Now, Ruleset, Silent};

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
/// the odds of opening fire must say what becomes of the target.
#[test]
fn opening_fire_has_odds() {
    let battle = suite::battle::<BrigadeBattles>("brigade-battles/sunken-road");
    let (mut mind, mut asked) = (QuickDice::new(1862), 0);
    let mut fx = Fx { dice: QuickDice::new(1862), log: Silent };
    let mut state = BrigadeBattles::muster(&battle);
    BrigadeBattles::settle(&battle, &mut state, &mut fx);
    while let Now::Decides(side) = BrigadeBattles::now(&battle, &state) {
        let mut offers = Vec::new();
        BrigadeBattles::offers(&battle, &state, &mut offers);
        if offers.contains(&Action::Open) && state.tide[side] {
            let ask = |horizon| {
                odds::report::<BrigadeBattles>(&battle, &state, &Action::Open, horizon, Budget::default())
            };
            assert!(ask(Horizon::Decision).pieces.is_empty(), "the die lies on the table");
            let target = state.fire.at.and_then(|at| state.unit_at(at));
            let target = target.map(|unit| battle.piece_id(Piece::Unit(unit)));
            let told = ask(Horizon::Affair).pieces;
            assert!(told.iter().any(|piece| Some(piece.piece) == target), "nothing is said of the target");
            asked += 1;
        }
        // Markers are kept, so that there is something to ask about.
        let action = match offers[mind.below(offers.len() as u32) as usize] {
            Action::Tide => Action::Keep,
            action => action,
        };
        BrigadeBattles::play_unchecked(&battle, &mut state, &action, &mut fx);
    }
    assert!(asked > 3, "only {asked} fires with somebody to join were met");
}
