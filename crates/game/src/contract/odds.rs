//! What odds are counted over, and the words they are told in.

use super::Display;
use crate::odds::{Fate, Fates, Standing, Verdict, from_view};
use crate::{BySide, PieceId};

/// What is at stake: where odds begin and leave off, how pieces stand, and choices made in secret.
///
/// Every method has a default that is right for a game without affairs, scenes and sealed choices.
pub trait Odds: Display {
    /// The affair (engagement, charge, close combat) under way, by a number that stays the same until it is over.
    fn affair(_battle: &Self::Battle, _state: &Self::State) -> Option<u32> {
        None
    }

    /// The scene that play has come to (a phase of a turn): a number that never falls as play goes on. Where too much
    /// follows by itself to be enumerated, odds leave off with the end of a scene.
    fn scene(_battle: &Self::Battle, _state: &Self::State) -> u32 {
        0
    }

    /// What the scene is called.
    fn scene_name(_battle: &Self::Battle, _state: &Self::State) -> &'static str {
        ""
    }

    /// How each piece stands, for adding up odds. The default reads it off the view; a quicker one pays.
    fn standings(battle: &Self::Battle, state: &Self::State) -> Fates {
        from_view::<Self>(battle, state)
    }

    /// What becomes of `piece` between `before` and `after`, in the game's own words; its standing changes from `was` to
    /// `is`. Asked also where the standing stays the same, of pieces to which something else may happen. The default
    /// tells what the standings alone can tell.
    fn fate(
        _battle: &Self::Battle,
        _before: &Self::State,
        _after: &Self::State,
        _piece: PieceId,
        was: &Standing,
        is: &Standing,
    ) -> Fate {
        Fate::of_standings(was, is)
    }

    /// Whether the decision at hand is surely between several actions; false where only [`Rules::offers`] can tell.
    /// Odds look no further than such a decision: a quick answer pays where listing the offers is slow.
    fn is_open(_battle: &Self::Battle, _state: &Self::State) -> bool {
        false
    }

    /// What each side may choose where the decision at hand is sealed against the enemy's own, or lies sealed already.
    fn sealed(_battle: &Self::Battle, _state: &Self::State) -> Option<BySide<Vec<Self::Action>>> {
        None
    }

    /// The position with both sides' choices sealed and nothing turned over yet; asked only where
    /// [`Odds::sealed`] lists choices.
    fn unsealed(_battle: &Self::Battle, state: &Self::State, _choices: BySide<&Self::Action>) -> Self::State {
        state.clone()
    }

    /// What sealed choices have come to, once it is known.
    fn verdict(_battle: &Self::Battle, _state: &Self::State) -> Option<Verdict> {
        None
    }

    /// How often, among its like, an action is to be taken where no one choice is best, such as a card sealed against an
    /// opponent who thinks alike: a mixed strategy. None where the decision is judged like any other.
    fn chance(_battle: &Self::Battle, _state: &Self::State, _action: &Self::Action) -> Option<u32> {
        None
    }
}
