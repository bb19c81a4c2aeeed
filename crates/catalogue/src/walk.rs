//! Games that leave a fingerprint: the same battle, players and seed give the same one on every machine.

use game::dice::QuickDice;
use game::journal::hex;
use game::session::{digest, text_hash};
use game::{BySide, Fx, Now, Silent, System};
use players::Player;
use serde::Serialize;

/// A game that was played for its fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Walked {
    /// Decisions taken.
    pub decisions: u64,
    /// A hash over the positions after each of them; over the last alone if it was to be quick.
    pub digest: String,
}

/// No game is longer.
const LONGEST: u64 = 200_000;

/// Plays one game on this thread.
pub(crate) fn walk<S: System>(battle: &S::Battle, seats: BySide<Player>, seed: u64, quick: bool) -> Walked {
    let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
    let mut minds = BySide::from_fn(|side| QuickDice::new(!seed ^ (1 << side.index())));
    let mut state = S::muster(battle);
    S::settle(battle, &mut state, &mut fx);
    let mut offers = Vec::with_capacity(512);
    let mut walked = Walked { decisions: 0, digest: String::new() };
    while let (Now::Decides(side), true) = (S::now(battle, &state), walked.decisions < LONGEST) {
        offers.clear();
        S::offers(battle, &state, &mut offers);
        let action = seats[side].choose::<S>(battle, &state, &offers, &mut minds[side]);
        S::play_unchecked(battle, &mut state, &action, &mut fx);
        walked.decisions += 1;
        if !quick {
            walked.digest = text_hash(&(walked.digest + &hex(&digest(&state))));
        }
    }
    if quick {
        walked.digest = hex(&digest(&state));
    }
    walked
}
