//! How strong people and computers are, and which games count for it.

use game::{BySide, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::descriptions::{Both, SideName};

/// How strong somebody is in one system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Standing {
    /// The rating.
    pub rating: i32,
    /// One standard error: the smaller, the surer.
    pub deviation: u32,
    /// How many games have counted. Below five the rating says little.
    pub games: u32,
}

/// The ratings from which on and up to which somebody may accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct RatingWindow {
    /// The lowest.
    pub from: i32,
    /// The highest.
    pub to: i32,
}

/// `POST /api/v1/account/rated`: a game of one's own shall count for ratings. Each person at the table says so before their
/// first act.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskRated {
    /// The game.
    pub game: String,
    /// The token of one's seat there.
    pub token: String,
}

/// A game that shall count, or has counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct RatedFace {
    /// Which sides have agreed; a computer always has. It counts if both have.
    #[schema(value_type = Both<bool>)]
    pub agreed: BySide<bool>,
    /// What has come of it, once it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "declare", ts(optional))]
    pub settled: Option<SettledFace>,
}

/// What has come of a rated game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct SettledFace {
    /// Why it did not count, if it did not.
    pub why_not: Option<String>,
    /// How strong the two were before.
    #[schema(value_type = Both<Standing>)]
    pub before: BySide<Standing>,
    /// How strong they are after it.
    #[schema(value_type = Both<Standing>)]
    pub after: BySide<Standing>,
}

/// `GET /api/v1/account/ratings`: one's own ratings.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct OwnRatings {
    /// Those of each system in which one has played a rated game.
    pub systems: Vec<OwnRating>,
}

/// One's own rating in a system.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct OwnRating {
    /// `battle-hymn`.
    pub system: String,
    /// How strong one is now.
    pub standing: Standing,
    /// The rating after each of the last games that counted, the earliest first.
    pub history: Vec<RatingPoint>,
    /// By how many points one has won on the average with the dice taken out, and of how many games; it counts for no rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "declare", ts(optional))]
    pub fair: Option<FairMargin>,
}

/// A rating after a game.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct RatingPoint {
    /// When the game ended, in milliseconds since 1970.
    pub at: u64,
    /// The rating after it.
    pub rating: i32,
}

/// A mean margin without luck.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct FairMargin {
    /// Points a game; above 0 in one's own favour.
    pub points: f64,
    /// Of so many games.
    pub games: u32,
}

/// `GET /api/v1/ratings/{system}`: what ratings in a system rest on.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct SystemRatings {
    /// The computer's levels, which keep their ratings; the weakest first.
    pub levels: Vec<LevelRating>,
    /// What the sides are worth in the scenarios of the library that rated games were played in.
    pub sides: Vec<SideWorth>,
}

/// A computer level's rating.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct LevelRating {
    /// `captain`.
    pub level: String,
    /// The rating.
    pub rating: i32,
    /// One standard error.
    pub deviation: u32,
}

/// What a side of a scenario is worth.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct SideWorth {
    /// `battle-hymn/mcphersons-ridge`.
    pub scenario: String,
    /// The side that has it easier.
    #[schema(value_type = SideName)]
    pub side: Side,
    /// By how many points of rating.
    pub points: u32,
    /// One standard error.
    pub deviation: u32,
    /// From how many games.
    pub games: u32,
}
