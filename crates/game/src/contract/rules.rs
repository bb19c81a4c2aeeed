//! The rules themselves.

use std::fmt::Debug;
use std::hash::Hash;

use serde::{Serialize, de::DeserializeOwned};

use super::{Now, Refusal};
use crate::{Book, BySide, Effects, Eyes, Side};

/// The rules of a system as a pure function.
///
/// Implement everything here; never override [`Rules::play`] or [`Rules::settle`].
pub trait Rules: Sized + Debug + Send + Sync + 'static {
    /// A compiled scenario: map, order of battle, charts. Immutable.
    type Battle: Debug + Send + Sync;
    /// A position: small, flat, no heap.
    type State: Clone + Eq + Hash + Debug + Send + Sync + Serialize + DeserializeOwned;
    /// One decision of one player.
    type Action: Clone + Eq + Debug + Send;

    /// The inventory of rules.
    fn book() -> &'static Book;

    /// The edition of the rules as implemented: a journal of another edition is refused, not misplayed. Raise it
    /// whenever a change could make an old journal end elsewhere.
    fn edition() -> &'static str {
        "1"
    }

    /// The position at the start. No decision may be pending on a step that runs by itself: callers [`Rules::settle`] it.
    fn muster(battle: &Self::Battle) -> Self::State;

    /// Who decides, or how it ended. Cheap; meaningful only on a settled position.
    fn now(battle: &Self::Battle, state: &Self::State) -> Now;

    /// The legal actions, put into `out` (which the caller has cleared). Empty only when the game is over. On hexes complete up to the choice of
    /// path; on the table a rich, well-spread sample.
    fn offers(battle: &Self::Battle, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Decides any action, also one never offered. Shares its predicates with [`Rules::offers`].
    ///
    /// # Errors
    /// The refusal names the rule.
    fn check(battle: &Self::Battle, state: &Self::State, action: &Self::Action) -> Result<(), Refusal>;

    /// Resolves the decision at hand. The action has passed [`Rules::check`].
    fn answer(battle: &Self::Battle, state: &mut Self::State, action: &Self::Action, fx: &mut impl Effects);

    /// Runs one step that needs no decision; false when a decision is needed or the game is over.
    fn step(battle: &Self::Battle, state: &mut Self::State, fx: &mut impl Effects) -> bool;

    /// The position with what `side` may not know removed: equal for all positions that look alike to it.
    fn seen_by(battle: &Self::Battle, state: &Self::State, side: Side) -> Self::State;

    /// The position as these eyes may know it.
    fn seen(battle: &Self::Battle, state: &Self::State, eyes: Eyes) -> Self::State {
        match eyes {
            Eyes::Of(side) => Self::seen_by(battle, state, side),
            Eyes::Bystander => {
                Self::seen_by(battle, &Self::seen_by(battle, state, Side::First), Side::Second)
            }
            Eyes::All => state.clone(),
        }
    }

    /// Victory points as the rulebook counts them.
    fn score(battle: &Self::Battle, state: &Self::State) -> BySide<i32>;

    /// Runs steps until somebody must decide or the game is over.
    fn settle(battle: &Self::Battle, state: &mut Self::State, fx: &mut impl Effects) {
        while Self::step(battle, state, fx) {}
    }

    /// The fast door: `action` must be legal.
    fn play_unchecked(
        battle: &Self::Battle,
        state: &mut Self::State,
        action: &Self::Action,
        fx: &mut impl Effects,
    ) {
        Self::answer(battle, state, action, fx);
        Self::settle(battle, state, fx);
    }

    /// The checked door: a refused action leaves the position untouched.
    ///
    /// # Errors
    /// As [`Rules::check`].
    fn play(
        battle: &Self::Battle,
        state: &mut Self::State,
        action: &Self::Action,
        fx: &mut impl Effects,
    ) -> Result<(), Refusal> {
        Self::check(battle, state, action)?;
        Self::play_unchecked(battle, state, action, fx);
        Ok(())
    }
}
