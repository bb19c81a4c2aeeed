//! Finding an opponent: open challenges and rematches.

use game::{BySide, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::clocks::ClockTerms;
use super::descriptions::SideName;
use super::ratings::{RatingWindow, Standing};

/// `POST /api/v1/games/{game}/challenge`: puts the free seat up for anybody.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PutUp {
    /// A line of words for whoever reads the list: up to 120 characters.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(as = "Option<String>", optional))]
    #[schema(max_length = 120)]
    pub note: String,
    /// For how many hours it waits: 1 to 336, 72 if left out.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(optional))]
    #[schema(minimum = 1, maximum = 336)]
    pub hours: Option<u32>,
    /// For a rated game: only those may accept whose rating is at most this far from one's own. 50 to 1000.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(optional))]
    #[schema(minimum = 50, maximum = 1000)]
    pub within: Option<u32>,
}

/// An open challenge as everybody sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct ChallengeFace {
    /// Its id.
    pub id: String,
    /// Who put it up. Data, never markup.
    pub name: String,
    /// They are connected to the game.
    pub here: bool,
    /// `battle-hymn`.
    pub system: String,
    /// `battle-hymn/mcphersons-ridge`.
    pub scenario: String,
    /// `McPherson's Ridge`.
    pub title: String,
    /// How the sides are called and look.
    #[schema(value_type = Object)]
    pub sides: BySide<game::board::SideFace>,
    /// The side that is free.
    #[schema(value_type = SideName)]
    pub side: Side,
    /// The house rules that differ from the scenario's, by name, and real dice.
    pub house: Vec<String>,
    /// A line of words. Data, never markup.
    pub note: String,
    /// The clock, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "declare", ts(optional))]
    pub clock: Option<ClockTerms>,
    /// For a rated game: how strong whoever put it up was then. It is accepted at `/account/challenges/{challenge}/accept`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "declare", ts(optional))]
    pub rated: Option<Standing>,
    /// The ratings from which on and up to which somebody may accept.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "declare", ts(optional))]
    pub window: Option<RatingWindow>,
    /// When it was put up, in milliseconds since 1970.
    pub made: u64,
    /// Until when it waits.
    pub until: u64,
}

/// `GET /api/v1/challenges`: what is offered now, the latest first.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct ChallengeList {
    /// At most 200.
    pub challenges: Vec<ChallengeFace>,
}

/// `POST /api/v1/challenges/{challenge}/accept`: takes the seat.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Accept {
    /// How one is called: up to 40 characters.
    #[schema(min_length = 1, max_length = 40)]
    pub name: String,
    /// The token the client has made up for itself: 64 hexadecimal digits. Sent again after a lost answer it finds its own seat.
    #[schema(pattern = "^[0-9A-Fa-f]{64}$")]
    pub token: String,
}

/// A seat that one has now.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Accepted {
    /// The game.
    pub game: String,
    /// The side one plays.
    #[schema(value_type = SideName)]
    pub side: Side,
}

/// `POST /api/v1/games/{game}/rematch`: the same battle again with the sides changed. The first who asks sets it up, the other sits
/// down in it.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskRematch {
    /// The token for the new seat, made up by the client: 64 hexadecimal digits.
    #[schema(pattern = "^[0-9A-Fa-f]{64}$")]
    pub token: String,
    /// Fresh randomness for the dice of the muster: 32 to 128 hexadecimal digits.
    #[schema(pattern = "^([0-9A-Fa-f]{2}){16,64}$")]
    pub salt: String,
}
