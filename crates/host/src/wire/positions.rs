//! What a pair of eyes sees of a game.

use game::board::{Offer, Prompt, View};
use game::session::Undo;
use game::{Entry, Eyes, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::descriptions::{SideName, UndoName};
use super::games::Status;

/// Whose eyes a position is seen with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Sight {
    /// The first side's.
    First,
    /// The second side's.
    Second,
    /// A bystander's: only what both sides know.
    Bystander,
    /// Everything; only once the game is over.
    All,
}

impl Status {
    /// The same for the engine.
    #[must_use]
    pub fn now(&self) -> game::Now {
        match self {
            Status::Deciding { side, .. } => game::Now::Decides(*side),
            Status::Over { outcome, .. } => game::Now::Over(*outcome),
        }
    }
}

impl Sight {
    /// The same for the engine.
    #[must_use]
    pub fn eyes(self) -> Eyes {
        match self {
            Sight::First => Eyes::Of(Side::First),
            Sight::Second => Eyes::Of(Side::Second),
            Sight::Bystander => Eyes::Bystander,
            Sight::All => Eyes::All,
        }
    }
}

/// A position, complete for drawing and deciding.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Position {
    /// The number of the present state; an act answers it.
    pub state: u64,
    /// Decisions on the line that stands.
    pub moment: u64,
    /// The moment this view shows; equal to `moment` unless an earlier one was asked for.
    pub at: u64,
    /// Whose eyes it is seen with.
    pub sight: Sight,
    /// How far the game is.
    pub status: Status,
    /// What is drawn.
    #[schema(value_type = Object)]
    #[cfg_attr(feature = "declare", ts(as = "View"))]
    pub view: Drawn<View>,
    /// The decision at hand; only for the seat that must take it.
    #[schema(value_type = Option<Object>)]
    pub prompt: Option<Prompt>,
    /// The legal actions; only for the seat that must decide.
    #[schema(value_type = Vec<Object>)]
    pub offers: Vec<Offer>,
    /// Whether this seat may take back its last decision.
    #[schema(value_type = UndoName)]
    pub undo: Undo,
    /// A request to take back that waits for an answer.
    pub asked: Option<UndoAsk>,
    /// The first moment of the log below; what a client has from there on is to be dropped.
    pub log_from: u64,
    /// What happened from there on.
    pub log: Vec<LogLine>,
}

/// What happened at a moment, as far as the eyes may read it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct LogLine {
    /// The decision it followed; 0 is the muster.
    pub moment: u64,
    /// Whose decision it was; none at the muster.
    #[schema(value_type = Option<SideName>)]
    pub side: Option<Side>,
    /// The action in notation, where the eyes may know it.
    pub act: Option<String>,
    /// What happened.
    #[schema(value_type = Vec<Object>)]
    #[cfg_attr(feature = "declare", ts(as = "Vec<Entry>"))]
    pub entries: Vec<Drawn<Entry>>,
    /// An order that its side had prepared decided it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "declare", ts(as = "Option<bool>", optional))]
    pub ordered: bool,
}

/// Something to look at: as it is now, or as an earlier edition of the rules drew it.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Drawn<T> {
    /// As it is now.
    Now(T),
    /// As it was kept.
    Kept(serde_json::Value),
}

/// Somebody asks to take a decision back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct UndoAsk {
    /// The number to answer with.
    pub ask: u64,
    /// Who asks.
    #[schema(value_type = SideName)]
    pub by: Side,
}
