//! What the board shows.

use super::Rules;
use crate::Eyes;
use crate::board::{Ask, Board, March, Offer, Overlay, Prompt, View};

/// Pictures and sentences as plain data: what a person sees of the game, its decisions and its offers.
pub trait Display: Rules {
    /// What the board draws once: ground, sides, charts.
    fn board(battle: &Self::Battle) -> Board;

    /// What the board draws at each moment. `state` has already been through [`Rules::seen`] for `eyes`.
    fn view(battle: &Self::Battle, state: &Self::State, eyes: Eyes) -> View;

    /// The decision at hand in one sentence.
    fn prompt(battle: &Self::Battle, state: &Self::State) -> Prompt;

    /// A legal action as the board offers it: words, and the pieces and places it is anchored to.
    fn offer(battle: &Self::Battle, state: &Self::State, action: &Self::Action) -> Offer;

    /// Many legal actions of one position, each as [`Display::offer`] gives it. Override it where they share work, such as
    /// the reach of a piece.
    fn offer_all(battle: &Self::Battle, state: &Self::State, actions: &[Self::Action]) -> Vec<Offer> {
        actions.iter().map(|action| Self::offer(battle, state, action)).collect()
    }

    /// A legal march hex by hex, with the fire it would draw. Nothing for other actions, and by default.
    fn march(_battle: &Self::Battle, _state: &Self::State, _action: &Self::Action) -> Option<March> {
        None
    }

    /// Answers a question about the position: zones, lines of sight, reach. The default knows no overlay.
    fn overlay(_battle: &Self::Battle, _state: &Self::State, _ask: &Ask) -> Overlay {
        Overlay::default()
    }
}
