//! Computer players and mass play, written once against the contract; no system is known here.

mod captain;
mod mass;

use std::fmt;
use std::str::FromStr;

use game::dice::{Dice, QuickDice};
use game::{Now, Rules, System};

pub use captain::Captain;
pub use mass::{Bench, GameResult, Tally, bench, bench_odds, perft, play_game, play_many};

/// Who plays a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Player {
    /// Any offer, each as likely as the next.
    Random,
    /// Looks one decision ahead.
    Captain(Captain),
}

impl Player {
    /// The names that [`Player::from_str`] knows.
    pub const NAMES: [&'static str; 3] = ["random", "lieutenant", "captain"];

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
        match self {
            Player::Random => random::<S>(offers, dice).clone(),
            Player::Captain(captain) => {
                let Now::Decides(side) = S::now(battle, state) else { return offers[0].clone() };
                let seen = S::seen_by(battle, state, side);
                if seen == *state {
                    return captain.choose::<S>(battle, state, offers, dice);
                }
                let sensible = sensible::<S>(battle, &seen, offers);
                captain.choose::<S>(battle, &seen, &sensible, dice)
            }
        }
    }
}

/// The offers that are possible in the position as it is seen; where none is, the first, for it must do something.
fn sensible<S: System>(battle: &S::Battle, seen: &S::State, offers: &[S::Action]) -> Vec<S::Action> {
    let possible: Vec<S::Action> =
        offers.iter().filter(|action| S::check(battle, seen, action).is_ok()).cloned().collect();
    if possible.is_empty() { offers[..1].to_vec() } else { possible }
}

fn random<'o, S: Rules>(offers: &'o [S::Action], dice: &mut QuickDice) -> &'o S::Action {
    &offers[dice.below(offers.len() as u32) as usize]
}

/// A player nobody has heard of.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no player `{0}`; choose one of {names}", names = Player::NAMES.join(", "))]
pub struct Unknown(pub String);

impl FromStr for Player {
    type Err = Unknown;
    fn from_str(name: &str) -> Result<Self, Unknown> {
        match name {
            "random" => Ok(Player::Random),
            "lieutenant" => Ok(Player::Captain(Captain::LIEUTENANT)),
            "captain" => Ok(Player::Captain(Captain::CAPTAIN)),
            _ => Err(Unknown(name.to_owned())),
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Random => "random",
            Player::Captain(c) if *c == Captain::LIEUTENANT => "lieutenant",
            Player::Captain(_) => "captain",
        })
    }
}
