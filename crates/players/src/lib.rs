//! Computer players, the analyst and mass play, written once against the contract; no system is known here.

mod analyst;
mod captain;
mod duel;
mod general;
mod level;
mod mass;
mod record;
mod review;
mod rollout;

use std::fmt;
use std::str::FromStr;

use game::dice::{Dice, QuickDice};
use game::{Now, Rules, System};

pub use analyst::{Choice, Decides, Hint, LineStep, weigh};
pub use captain::Captain;
pub use duel::{Bounds, Duel, Pair, Verdict, play_pairs};
pub use general::{General, think_on};
pub use level::{Level, Spec};
pub use mass::{
    Bench, GameResult, Steps, Tally, bench, bench_odds, bench_steps, perft, play_game, play_many, seed_of,
};
pub use record::{Detail, Record, RollRecord, Roster, Spot, TurnRecord, Unit, record};
pub use review::{Accuracy, Decided, Grade, Review, Reviewed, Shares, TurningPoint, in_background, review};

/// Who plays a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Player {
    /// Declines or ends whatever it can: the opponent of lessons.
    Pass,
    /// Any offer, each as likely as the next.
    Random,
    /// Looks one decision ahead.
    Captain(Captain),
    /// Plays the best choices on before it decides.
    General(General),
}

impl Player {
    /// The action this player takes. `offers` are the legal actions, at least one. Like a person it is told what it may do,
    /// and sees the rest with its own side's eyes.
    ///
    /// # Panics
    /// When there is no offer: then there is no decision.
    pub fn choose<S: System>(
        &self,
        battle: &S::Battle,
        state: &S::State,
        offers: &[S::Action],
        dice: &mut QuickDice,
    ) -> S::Action {
        if *self == Player::Random {
            return random::<S>(offers, dice).clone();
        }
        if *self == Player::Pass {
            return pass::<S>(battle, state, offers).clone();
        }
        let Now::Decides(side) = S::now(battle, state) else { return offers[0].clone() };
        let seen = S::seen_by(battle, state, side);
        let sensible = if seen == *state { offers.to_vec() } else { sensible::<S>(battle, &seen, offers) };
        match self {
            Player::Pass | Player::Random => random::<S>(offers, dice).clone(),
            Player::Captain(captain) => captain.choose::<S>(battle, &seen, &sensible, dice),
            Player::General(general) => general.choose::<S>(battle, &seen, &sensible, dice),
        }
    }
}

/// The offers that are possible in the position as it is seen; where none is, the first, for it must do something.
fn sensible<S: System>(battle: &S::Battle, seen: &S::State, offers: &[S::Action]) -> Vec<S::Action> {
    let possible: Vec<S::Action> =
        offers.iter().filter(|action| S::check(battle, seen, action).is_ok()).cloned().collect();
    if possible.is_empty() { offers[..1].to_vec() } else { possible }
}

/// The offer that the board shows as a button, which declines or ends something; the first where there is none.
fn pass<'o, S: System>(battle: &S::Battle, state: &S::State, offers: &'o [S::Action]) -> &'o S::Action {
    let declines = |action: &&S::Action| offers.len() > 1 && S::offer(battle, state, action).button;
    offers.iter().find(declines).unwrap_or(&offers[0])
}

fn random<'o, S: Rules>(offers: &'o [S::Action], dice: &mut QuickDice) -> &'o S::Action {
    &offers[dice.below(offers.len() as u32) as usize]
}

/// The word for the player that passes; it is no level to choose from.
const PASS: &str = "pass";

/// A player nobody has heard of.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no player `{0}`; choose one of {names}", names = Level::ALL.map(Level::id).join(", "))]
pub struct Unknown(pub String);

impl FromStr for Player {
    type Err = Unknown;
    fn from_str(name: &str) -> Result<Self, Unknown> {
        if name == PASS {
            return Ok(Player::Pass);
        }
        let level = Level::ALL.into_iter().find(|level| level.id() == name);
        level.map(Level::player).ok_or_else(|| Unknown(name.to_owned()))
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (Level::ALL.into_iter().find(|level| level.player() == *self), self) {
            (Some(level), _) => f.write_str(level.id()),
            (None, Player::General(general)) => write!(f, "{}", Spec(*general)),
            (None, Player::Captain(_)) => f.write_str("captain"),
            (None, Player::Pass) => f.write_str(PASS),
            (None, Player::Random) => f.write_str("random"),
        }
    }
}
