//! What computer players think.

use super::Rules;
use crate::Side;

/// How far computer players play on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foresight {
    /// To the end of the turn so many beyond the present one.
    Turns(u32),
    /// To the end of the player turn so many beyond the present one, so that both sides see the enemy's answer.
    PlayerTurns(u32),
}

/// A small evaluation for computer players.
pub trait Judgement: Rules {
    /// Whether computer players judge no position in the middle of an affair, but look on to its end, both sides taking
    /// the most promising choice at first sight.
    const SEES_AFFAIRS_THROUGH: bool = false;

    /// How far computer players play on before they judge: found by matches.
    const FORESIGHT: Foresight = Foresight::Turns(0);

    /// How good the position is for `side`, in hundredths of a victory point; antisymmetric is not required. The default
    /// is the lead in points.
    fn worth(battle: &Self::Battle, state: &Self::State, side: Side) -> i32 {
        let score = Self::score(battle, state);
        100 * (score[side] - score[!side])
    }

    /// The number of the turn under way, from 1; it never falls. Computer players plan in turns.
    fn turn(battle: &Self::Battle, state: &Self::State) -> u32;

    /// The number of the player turn under way, where each player has a turn of his own: even in the first half of a turn,
    /// odd in the second; else the turn's number. It never falls.
    fn player_turn(battle: &Self::Battle, state: &Self::State) -> u32 {
        Self::turn(battle, state)
    }

    /// A quick guess at how promising an action is, to look at the best first; 0 knows nothing.
    fn promise(_battle: &Self::Battle, _state: &Self::State, _action: &Self::Action) -> i32 {
        0
    }
}
