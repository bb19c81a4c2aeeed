//! Studies: many games between computers that answer a question about a battle.

use game::{BySide, Options};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::descriptions::Both;

/// `GET /api/v1/studies`: how many studies may be begun from this address.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct StudyTerms {
    /// Studies in a day; 0 where this server plays none.
    pub a_day: u32,
    /// How many more can be begun now.
    pub left: u32,
    /// When the next can be begun, if none can now, in milliseconds since 1970.
    pub more_at: Option<u64>,
    /// How many minutes a study may take.
    pub minutes: u32,
}

/// `POST /api/v1/studies`: begins a study of a battle. It is played in the background.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskStudy {
    /// `battle-hymn/mcphersons-ridge`.
    #[schema(max_length = 200)]
    pub scenario: String,
    /// The text of a scenario of one's own, at most 200 KiB.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(optional))]
    #[schema(max_length = 204800)]
    pub text: Option<String>,
    /// House rules set apart from the scenario's, in every game.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(as = "Option<Options>", optional))]
    pub options: Options,
    /// The level that plays each side: `captain`.
    #[schema(value_type = Both<String>)]
    pub players: BySide<String>,
    /// Games for each row of the report.
    #[schema(minimum = 50, maximum = 2000)]
    pub games: u32,
    /// House rules that are tried the other way round, each in a row of its own.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(as = "Option<Vec<String>>", optional))]
    #[schema(max_items = 12)]
    pub changes: Vec<String>,
}

/// A study, and how far it has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct StudyFace {
    /// Its id. Whoever knows it may look at the study, stop it and go on with it.
    pub id: String,
    /// The battle's title.
    pub title: String,
    /// The battle.
    pub scenario: String,
    /// Who plays.
    #[schema(value_type = Both<String>)]
    pub players: BySide<String>,
    /// Games for each row.
    pub games: u32,
    /// Rows of the report.
    pub rows: u32,
    /// When it was begun, in milliseconds since 1970.
    pub made: u64,
    /// What it is doing.
    pub state: StudyState,
    /// Games played.
    pub done: u64,
    /// Games in all.
    pub of: u64,
    /// About how many seconds are left, while it is played.
    pub seconds_left: Option<u64>,
    /// Why it was stopped or failed.
    pub message: Option<String>,
}

/// What a study is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum StudyState {
    /// Others are played before it.
    Waiting,
    /// Games are being played.
    Playing,
    /// There is a report.
    Done,
    /// It was stopped and can go on.
    Stopped,
    /// It cannot be played.
    Failed,
}
