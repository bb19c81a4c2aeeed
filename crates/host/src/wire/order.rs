//! Keeping order: reports, blocking and muting, what administrators do, and what the one concerned may say to it.

use game::Side;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::descriptions::SideName;
use super::talk::ChatLine;

/// `GET /api/v1/order`: whether somebody keeps order here.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct OrderFace {
    /// There are administrators, so things can be reported.
    pub reports: bool,
}

/// What is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum About {
    /// How somebody behaves.
    Person,
    /// How somebody is called.
    Name,
    /// A line of chat.
    Line {
        /// Its number.
        n: u64,
    },
    /// A challenge in the lobby.
    Challenge,
}

/// `POST /api/v1/games/{game}/report`: tells the administrators about the other side.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskReport {
    /// What.
    pub about: About,
    /// In one's own words: up to 1,000 characters.
    #[schema(min_length = 1, max_length = 1000)]
    pub words: String,
}

/// `POST /api/v1/challenges/{challenge}/report`: tells the administrators about a challenge.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ReportChallenge {
    /// In one's own words: up to 1,000 characters.
    #[schema(min_length = 1, max_length = 1000)]
    pub words: String,
}

/// What somebody wants of somebody else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TieKind {
    /// Their chat is hidden.
    Mute,
    /// No challenges and no chat between the two, and their chat is hidden.
    Block,
}

/// `POST /api/v1/games/{game}/tie`: mutes or blocks the other side, or takes that back. Where both seats belong to accounts it
/// holds in all their games, else in this one.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Tie {
    /// None takes it back.
    pub tie: Option<TieKind>,
}

/// `GET /api/v1/account/order`: what concerns oneself.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct OwnOrder {
    /// One is an administrator.
    pub administrator: bool,
    /// What was done about one's account, the latest first.
    pub measures: Vec<MeasureFace>,
    /// Whom one has muted or blocked.
    pub ties: Vec<TieFace>,
}

/// Somebody one has muted or blocked.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct TieFace {
    /// Its id, to take it back.
    pub id: String,
    /// How they were called then. Data, never markup.
    pub name: String,
    /// Which of both.
    pub tie: TieKind,
    /// Since when, in milliseconds since 1970.
    pub made: u64,
}

/// What an administrator can do about an account, a challenge or a line of chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MeasureKind {
    /// A warning.
    Warned,
    /// For a time no chat and no play with strangers.
    Suspended,
    /// The same for good.
    Closed,
    /// Another name.
    Renamed,
    /// A line of chat was removed.
    LineRemoved,
    /// A challenge was removed.
    ChallengeRemoved,
}

/// Something that was done about an account.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct MeasureFace {
    /// Its id.
    pub id: String,
    /// What.
    pub kind: MeasureKind,
    /// Why, in the administrator's words. Data, never markup.
    pub why: String,
    /// When.
    pub made: u64,
    /// Until when it holds, if it ends by itself.
    pub until: Option<u64>,
    /// When it was lifted before its time.
    pub lifted: Option<u64>,
    /// The note of the one concerned. Data, never markup.
    pub appeal: Option<String>,
    /// What was answered to it.
    pub answer: Option<String>,
}

/// `POST /api/v1/account/measures/{measure}/appeal`: the one note that whoever is concerned may write.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Appeal {
    /// Up to 1,000 characters on one line.
    #[schema(min_length = 1, max_length = 1000)]
    pub text: String,
}

// ---------------------------------------------------------------------------------------------- for administrators

/// A report, as administrators see it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct ReportFace {
    /// Its id.
    pub id: String,
    /// When it came.
    pub made: u64,
    /// What is reported.
    pub about: About,
    /// In the words of whoever reported. Data, never markup.
    pub words: String,
    /// How the one reported was called.
    pub name: String,
    /// Their account, if they have one.
    pub account: Option<String>,
    /// The account of whoever reported, if they have one.
    pub by: Option<String>,
    /// The game.
    pub game: String,
    /// The side of the one reported.
    #[schema(value_type = SideName)]
    pub side: Side,
    /// The challenge.
    pub challenge: Option<String>,
    /// The challenge's words.
    pub note: String,
    /// The lines of chat around it, as they were when it was reported.
    pub lines: Vec<ChatLine>,
    /// What came of it; none while it is open.
    pub answer: Option<String>,
}

/// An account, as administrators see it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct PersonFace {
    /// Its id.
    pub id: String,
    /// How its owner is called. Data, never markup.
    pub name: String,
    /// When it was made.
    pub made: u64,
    /// It is an administrator's.
    pub administrator: bool,
    /// What was done about it, the latest first.
    pub measures: Vec<MeasureFace>,
}

/// A measure with a note that nobody has answered.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct AppealFace {
    /// The account concerned.
    pub account: String,
    /// How its owner is called.
    pub name: String,
    /// The measure.
    pub measure: MeasureFace,
}

/// An entry of the list of what administrators have done. It can be read and not changed.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct AuditFace {
    /// When.
    pub at: u64,
    /// The administrator's account, or `command line`.
    pub author: String,
    /// What: `suspended`.
    pub act: String,
    /// To whom or what.
    pub subject: String,
    /// In words. Data, never markup.
    pub words: String,
}

/// `POST /api/v1/admin/accounts/{account}/measures`: does something about an account. Its owner is told.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TakeMeasure {
    /// `warned`, `suspended`, `closed` or `renamed`.
    pub kind: MeasureKind,
    /// Why: up to 1,000 characters on one line. The one concerned reads it.
    #[schema(min_length = 1, max_length = 1000)]
    pub why: String,
    /// For `suspended`: for how many days, 1 to 365.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(optional))]
    #[schema(minimum = 1, maximum = 365)]
    pub days: Option<u32>,
    /// For `renamed`: the name from now on.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(optional))]
    #[schema(max_length = 40)]
    pub name: Option<String>,
}

/// An act of an administrator that needs no more than its reason.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Because {
    /// Up to 1,000 characters on one line.
    #[schema(min_length = 1, max_length = 1000)]
    pub why: String,
}

/// `POST /api/v1/admin/measures/{measure}/answer`: answers the note of the one concerned.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AnswerAppeal {
    /// Up to 1,000 characters on one line. The one concerned reads it.
    #[schema(min_length = 1, max_length = 1000)]
    pub answer: String,
    /// The measure holds no longer.
    pub lift: bool,
}
