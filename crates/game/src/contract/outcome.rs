//! Who decides, or how it ended.

use serde::{Deserialize, Serialize};

use crate::Side;

/// Who must decide now, or how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Now {
    /// This side must decide.
    Decides(Side),
    /// The game is over.
    Over(Outcome),
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// This side has won.
    Won(Side),
    /// Nobody has.
    Drawn,
}
