//! Accounts: optional, for those who want their games on every device they use.

use game::Side;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::descriptions::SideName;
use super::games::{GameFace, MySeat};

/// `POST /api/v1/account/register`: begins a new account with a passkey.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskRegister {
    /// How one is called: up to 40 characters. It need not be unlike all others.
    #[schema(min_length = 1, max_length = 40)]
    pub name: String,
}

/// The first half of a ceremony with an authenticator.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Ceremony {
    /// Its id, for the second half; good for five minutes, and once.
    pub ceremony: String,
    /// What `navigator.credentials` is asked for, as WebAuthn writes it in JSON.
    #[cfg_attr(feature = "declare", ts(type = "{ publicKey: object }"))]
    #[schema(value_type = Object)]
    pub options: serde_json::Value,
}

/// The second half: what the authenticator has answered.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct EndCeremony {
    /// The id that came with the first half.
    pub ceremony: String,
    /// The credential, as WebAuthn writes it in JSON.
    #[cfg_attr(feature = "declare", ts(type = "object"))]
    #[schema(value_type = Object)]
    pub credential: serde_json::Value,
}

/// `POST /api/v1/account/recover`: signs in with a recovery code, which is used up.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskRecover {
    /// The code; blanks, hyphens and capitals do not matter.
    #[schema(max_length = 100)]
    pub code: String,
}

/// One's own account. Nobody else sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct AccountFace {
    /// How one is called. Data, never markup.
    pub name: String,
    /// When it was made, in milliseconds since 1970.
    pub made: u64,
    /// The passkeys that open it, the oldest first.
    pub passkeys: Vec<PasskeyFace>,
    /// Where one is signed in, the latest first.
    pub sessions: Vec<SessionFace>,
    /// How many recovery codes are left.
    pub codes: u32,
    /// One has signed in lately enough to change what opens the account, or to delete it.
    pub fresh: bool,
}

/// A passkey.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct PasskeyFace {
    /// Its id.
    pub id: String,
    /// The browser that it was made in, in words.
    pub label: String,
    /// When it was added.
    pub made: u64,
    /// When somebody last signed in with it.
    pub used: u64,
}

/// A browser that is signed in.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct SessionFace {
    /// Its id.
    pub id: String,
    /// The browser, in words.
    pub agent: String,
    /// When one signed in.
    pub made: u64,
    /// When it was last used, to the hour.
    pub seen: u64,
    /// It is the one that asks.
    pub here: bool,
}

/// A new account, or new recovery codes: they are shown this once.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Codes {
    /// The account.
    pub account: AccountFace,
    /// Each opens the account once, if no passkey is at hand.
    pub codes: Vec<String>,
}

/// `POST /api/v1/account/seats`: keeps games with one's account.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Adopt {
    /// Seats one holds; at most 200.
    #[schema(max_items = 200)]
    pub seats: Vec<MySeat>,
}

/// What became of them.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Adopted {
    /// Games that are with the account now, also those that were before.
    pub kept: Vec<String>,
    /// Games whose seat is with another account, is gone, or is held by another token.
    pub left: Vec<String>,
}

/// `POST /api/v1/account/games/{game}/seat`: plays a seat of one's own in this browser; the one before holds it no longer.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Resume {
    /// The side.
    #[schema(value_type = SideName)]
    pub side: Side,
    /// The token the client has made up for itself: 64 hexadecimal digits.
    #[schema(pattern = "^[0-9A-Fa-f]{64}$")]
    pub token: String,
}

/// How a finished game went, for oneself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// Won.
    Won,
    /// Lost.
    Lost,
    /// Drawn.
    Drawn,
}

/// A game of one's own.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct OwnGame {
    /// The game; `yours` is one's side.
    pub game: GameFace,
    /// One must decide.
    pub turn: bool,
    /// How it went; none while it goes on.
    pub result: Option<Ended>,
}

/// `GET /api/v1/account/games`: one's own games. Those that go on come with one's own turn first, finished ones the latest first.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct OwnGames {
    /// At most 50.
    pub games: Vec<OwnGame>,
    /// How many there are that fit.
    pub count: u32,
    /// Over all finished games, whatever was searched for.
    pub statistics: Vec<Tally>,
}

/// How one's finished games went in one system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Tally {
    /// `battle-hymn`.
    pub system: String,
    /// Games won.
    pub won: u32,
    /// Games lost.
    pub lost: u32,
    /// Games drawn.
    pub drawn: u32,
}
