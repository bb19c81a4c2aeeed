//! Acts, questions about acts, and what became of them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::positions::Position;

/// `POST /api/v1/games/{game}/acts`
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// An id of the client's own, 8 to 64 of `A-Z a-z 0-9 - _`; sent twice the act is played once.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub id: String,
    /// The state it answers.
    pub state: u64,
    /// The action in notation, as an offer has it.
    #[schema(max_length = 4000)]
    pub action: String,
    /// Fresh randomness for the dice: 32 to 128 hexadecimal digits. Send the same again with the same id.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(optional))]
    #[schema(pattern = "^([0-9A-Fa-f]{2}){16,64}$")]
    pub salt: Option<String>,
    /// Faces typed in, with dice of the table.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(as = "Option<Vec<u8>>", optional))]
    pub faces: Vec<u8>,
    /// A standing order of the player answers, not the player: journal and log say so.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(as = "Option<bool>", optional))]
    pub ordered: bool,
}

/// `POST /api/v1/games/{game}/undo`
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TakeBack {
    /// An id of the client's own.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub id: String,
    /// The state it answers.
    pub state: u64,
}

/// `POST /api/v1/games/{game}/undo/answer`
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AnswerUndo {
    /// An id of the client's own.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub id: String,
    /// The number of the request.
    pub ask: u64,
    /// Whether one agrees.
    pub agree: bool,
}

/// `POST /api/v1/games/{game}/resign`
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// An id of the client's own.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub id: String,
    /// The state it answers.
    pub state: u64,
}

/// The answer to an act, an undo or a resignation: it is on disk.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Acted {
    /// What became of it.
    pub done: Done,
    /// The number of the present state.
    pub state: u64,
    /// The present position; left out when the request says `Prefer: return=minimal`.
    pub position: Option<Position>,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Done {
    /// Played.
    Played,
    /// Taken back.
    TakenBack,
    /// The other side has been asked.
    Asked,
    /// The request to take back was declined.
    Declined,
    /// Given up.
    Resigned,
}

/// `POST /api/v1/games/{game}/check`: whether an action is allowed. The answer is the action as it would be offered.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskCheck {
    /// The state it is about.
    pub state: u64,
    /// The action in notation.
    #[schema(max_length = 4000)]
    pub action: String,
}

/// `POST /api/v1/games/{game}/odds`: what would come of an action.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskOdds {
    /// The state it is about.
    pub state: u64,
    /// The action in notation.
    #[schema(max_length = 4000)]
    pub action: String,
    /// How far to look; to the next decision unless told otherwise.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(as = "Option<HowFar>", optional))]
    pub horizon: HowFar,
}

/// `POST /api/v1/games/{game}/odds/sealed`: every own choice against every one of the enemy's, where both are sealed.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskSealed {
    /// The state it is about.
    pub state: u64,
}

/// `POST /api/v1/games/{game}/hint`: the best choices of the decision at hand.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskHint {
    /// The state it is about.
    pub state: u64,
    /// An action, in notation, that is weighed whether or not it is among the best.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(optional))]
    #[schema(max_length = 4000)]
    pub also: Option<String>,
}

/// `GET /api/v1/games/{game}/review`: the review of a finished game, or how far it has come. The first who asks sets it going.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct ReviewFace {
    /// Decisions looked over.
    pub done: u32,
    /// Decisions of the game.
    pub of: u32,
    /// The review, once it is there.
    #[schema(value_type = Option<Object>)]
    pub review: Option<players::Review>,
}

/// How far odds look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum HowFar {
    /// To the next decision that is not forced.
    #[default]
    Decision,
    /// To the end of the engagement, charge or close combat; later decisions by the policy that the answer names.
    Affair,
}
