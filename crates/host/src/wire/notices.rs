//! Notices: what somebody with an account is told of when they are not there.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// `GET /api/v1/notices`: what this server can send. Nothing, where nobody has set it up.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct NoticeTerms {
    /// Letters, and so signing in by a link in one.
    pub email: bool,
    /// The server's key for Web Push, in base64url; none if it sends none.
    pub push: Option<String>,
    /// Calls to other programs.
    pub webhooks: bool,
}

/// `GET /api/v1/account/notices`: where and when one is told.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct NoticesFace {
    /// Where, the oldest first.
    pub channels: Vec<ChannelFace>,
    /// Of what, and when.
    pub wishes: NoticeWishes,
}

/// One place where one is told.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct ChannelFace {
    /// Its id.
    pub id: String,
    /// What it is.
    pub kind: ChannelKind,
    /// The address, the browser, or the host that is called. Data, never markup.
    pub label: String,
    /// Since when, in milliseconds since 1970.
    pub made: u64,
    /// One has unsubscribed: nothing is sent there.
    pub muted: bool,
    /// Why nothing could be sent there the last time.
    pub fault: Option<String>,
}

/// How one is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ChannelKind {
    /// A letter.
    Email,
    /// A message of the browser.
    Push,
    /// A call to another program.
    Webhook,
}

/// Of what one wants to be told, and when. `POST /api/v1/account/notices` sets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NoticeWishes {
    /// One must decide.
    pub turn: bool,
    /// Somebody has taken the seat opposite.
    pub joined: bool,
    /// The opponent asks to take something back.
    pub undo: bool,
    /// Half of one's time is gone, or nine tenths of it.
    pub clock: bool,
    /// A game is over.
    pub over: bool,
    /// How often letters go out. What the clock makes urgent does not wait.
    pub letters: Letters,
    /// When nothing is sent.
    pub quiet: Option<Quiet>,
    /// Where one lives, as `Europe/Berlin`: for quiet hours and daily letters.
    #[schema(max_length = 60)]
    pub zone: String,
}

/// How often letters go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Letters {
    /// At once.
    Now,
    /// At the full hour, all in one.
    Hourly,
    /// At eight in the morning, all in one.
    Daily,
}

/// Hours in which nothing is sent, in minutes after midnight. They may go past midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Quiet {
    /// From.
    #[schema(maximum = 1439)]
    pub from: u16,
    /// Until.
    #[schema(maximum = 1439)]
    pub to: u16,
}

/// An address of one's own: `POST /api/v1/account/notices/email` sends a link to it, and it counts once that was followed;
/// `POST /api/v1/account/email/sign-in` sends a link that signs in.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskLetter {
    /// The address.
    #[schema(max_length = 254)]
    pub address: String,
}

/// A link was followed.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct EndLetter {
    /// The last part of the link.
    #[schema(max_length = 64)]
    pub token: String,
}

/// `POST /api/v1/account/notices/push`: this browser wants to be told.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskPush {
    /// Where its messages go.
    #[schema(max_length = 1000)]
    pub endpoint: String,
    /// Its public key, in base64url.
    #[schema(max_length = 200)]
    pub p256dh: String,
    /// Its secret, in base64url.
    #[schema(max_length = 100)]
    pub auth: String,
}

/// `POST /api/v1/account/notices/webhook`: another program wants to be told.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskWebhook {
    /// Its address.
    #[schema(max_length = 1000)]
    pub url: String,
    /// What it expects.
    pub format: WebhookFormat,
}

/// What a webhook expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum WebhookFormat {
    /// Our own JSON, as `docs/api.md` describes it.
    Json,
    /// Discord.
    Discord,
    /// Slack.
    Slack,
}

/// `POST /api/v1/account/notices/channels/{channel}/mute`.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Mute {
    /// Nothing is to be sent there, or something again.
    pub muted: bool,
}
