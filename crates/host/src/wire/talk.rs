//! Chat.

use game::Side;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::descriptions::SideName;

/// `POST /api/v1/games/{game}/chat`
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Say {
    /// An id of the client's own.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub id: String,
    /// Up to 1,000 characters. Data, never markup.
    #[schema(min_length = 1, max_length = 1000)]
    pub text: String,
}

/// A line of chat. Seats write and read; bystanders read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct ChatLine {
    /// Counted from 1.
    pub n: u64,
    /// Who wrote it.
    #[schema(value_type = SideName)]
    pub side: Side,
    /// How they were called then.
    pub name: String,
    /// What they wrote.
    pub text: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
}
