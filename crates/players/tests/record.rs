//! What a study takes down of a game.

mod common;

use common::Foray;
use game::BySide;
use players::{Detail, Player, Roster, record};

#[test]
fn the_first_position_that_breaks_an_invariant_is_told_if_asked_for() {
    let roster = Roster::of::<Foray>(&());
    let seats = BySide::from_fn(|_| Player::Random);
    let game = |seed: u64, invariants: bool| {
        record::<Foray>(&(), &roster, seats, seed, Detail { invariants, ..Detail::default() })
    };
    let (mut broken, mut whole) = (0, 0);
    for seed in 0..200 {
        let (checked, plain) = (game(seed, true), game(seed, false));
        assert_eq!(plain.broken, None, "seed {seed}");
        assert_eq!((checked.result.score, &checked.turns), (plain.result.score, &plain.turns), "seed {seed}");
        match checked.broken {
            Some((decision, why)) => {
                assert_eq!(why, "a side has a dozen points");
                // A dozen takes three decisions at least, and it is seen at once, not when the game is over.
                assert!((3..24).contains(&decision), "seed {seed}: {decision}");
                broken += 1;
            }
            None => {
                // The end of the last turn is the end of the game, where nobody decides.
                let (_, turns) = plain.turns.split_last().unwrap();
                let most = turns.iter().flat_map(|turn| [turn.score.first, turn.score.second]).max();
                assert!(most < Some(12), "seed {seed}: {most:?}");
                whole += 1;
            }
        }
    }
    assert!(broken > 0 && whole > 0, "{broken} broken, {whole} whole");
}
