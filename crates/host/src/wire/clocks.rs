//! Clocks.

use game::{BySide, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::descriptions::{Both, SideName};

/// How much time there is. It is counted by the turn: a bank, what each turn adds, and how far the bank fills up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// 90 minutes for the whole game.
    Live,
    /// 3 days, 8 hours more with each turn up to 5 days; 30 days of leave a year.
    Fast,
    /// 10 days, a day more with each turn up to 15 days; 30 days of leave a year.
    Slow,
}

/// The clock of a game, as it is agreed before the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ClockTerms {
    /// How much time there is.
    pub pace: Pace,
    /// Saturdays and Sundays, where the player lives, are free.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(as = "Option<bool>", optional))]
    pub weekends_off: bool,
}

/// The clocks of a game at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct ClockFace {
    /// How it was agreed.
    pub terms: ClockTerms,
    /// Whose clock runs.
    #[schema(value_type = Option<SideName>)]
    pub runs: Option<Side>,
    /// When all this was so, in milliseconds since 1970.
    pub at: u64,
    /// What each side has.
    #[schema(value_type = Both<HandFace>)]
    pub hands: BySide<HandFace>,
    /// What the side whose clock runs had in its bank when it began to, in milliseconds.
    pub had: u64,
    /// Why the clock that runs takes nothing from the bank just now.
    pub rest: Option<Resting>,
    /// Whose flag has fallen: the other side may claim the game, or let the computer play on.
    #[schema(value_type = Option<SideName>)]
    pub fallen: Option<Side>,
    /// When the flag of the side whose clock runs falls, if nothing happens.
    pub falls: Option<u64>,
    /// Who lost by the clock.
    #[schema(value_type = Option<SideName>)]
    pub lost: Option<Side>,
    /// Nobody had claimed it: the game was given up by both.
    pub abandoned: bool,
}

/// One side's time, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct HandFace {
    /// In the bank.
    pub left: u64,
    /// Of this year's leave, which is spent by itself when the bank is empty.
    pub leave: u64,
    /// It has said where it lives.
    pub zone_known: bool,
}

/// Why a clock that runs takes nothing from the bank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Resting {
    /// It is the weekend where the player lives.
    Weekend {
        /// Until when, in milliseconds since 1970.
        until: u64,
    },
    /// The bank is empty, and leave is spent.
    Leave,
}

/// `POST /api/v1/games/{game}/clock`: what becomes of a game in which the opponent's flag has fallen. To wait, say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AtZero {
    /// What to do.
    pub choice: ZeroChoice,
}

/// What becomes of a game in which the opponent's flag has fallen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ZeroChoice {
    /// Wins the game.
    Claim,
    /// The computer plays on for the opponent.
    Captain,
}

/// `POST /api/v1/games/{game}/zone`: where one lives, for free weekends. It is said once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Zone {
    /// Minutes east of Greenwich.
    #[schema(minimum = -720, maximum = 840)]
    pub minutes: i16,
}
