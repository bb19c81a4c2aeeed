//! A commander, his orders and his personality.

use serde::{Deserialize, Serialize};
use table::Spot;

use super::{BodyId, Where};

/// An order to a sub-commander.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Command {
    Defend,
    Move,
    Attack,
}

impl Command {
    pub const NAMES: [&'static str; 3] = ["defend", "move", "attack"];
    pub const ALL: [Command; 3] = [Command::Defend, Command::Move, Command::Attack];

    /// In files and notation.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// A commander on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Leader {
    pub at: Spot,
    pub place: Where,
    pub attached: Option<BodyId>,
    /// Out of action until replaced.
    pub disabled: bool,
    pub incompetent: bool,
    pub personality: Personality,
    pub order: Command,
    pub marker: Spot,
    /// Has moved on his own this turn.
    pub moved: bool,
    /// Has been rolled for this turn.
    pub rolled: bool,
    /// A new order has been tried for him this turn.
    pub ordered: bool,
    /// The unit he was with lost a stand this turn before it was removed.
    pub exposed: bool,
}

impl Leader {
    /// In action, on his own, under an order.
    #[must_use]
    pub fn new(at: Spot, order: Command, marker: Spot) -> Leader {
        Leader {
            at,
            place: Where::Table,
            attached: None,
            disabled: false,
            incompetent: false,
            personality: Personality::Typical,
            order,
            marker,
            moved: false,
            rolled: false,
            ordered: false,
            exposed: false,
        }
    }
}

/// The six kinds of sub-commander.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Personality {
    Typical,
    Brash,
    Cautious,
    Perfectionist,
    Political,
    Inspiring,
}

impl Personality {
    pub const NAMES: [&'static str; 6] =
        ["typical", "brash", "cautious", "perfectionist", "political", "inspiring"];
    pub const ALL: [Personality; 6] = [
        Personality::Typical,
        Personality::Brash,
        Personality::Cautious,
        Personality::Perfectionist,
        Personality::Political,
        Personality::Inspiring,
    ];

    /// In files and facts.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// By the sum of two dice (personality.k).
    #[must_use]
    pub fn rolled(sum: u16) -> Personality {
        match sum {
            0..=3 => Personality::Brash,
            4 | 5 => Personality::Cautious,
            6 => Personality::Perfectionist,
            7 | 8 => Personality::Typical,
            9 | 10 => Personality::Political,
            _ => Personality::Inspiring,
        }
    }
}
