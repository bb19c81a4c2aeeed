//! What is needed to recompute the dice.

use game::Side;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::descriptions::SideName;

/// `GET /api/v1/games/{game}/dice`: what is needed to recompute every roll.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct DiceProof {
    /// SHA-256 of the secret.
    pub commitment: Option<String>,
    /// The secret; only once the game is over.
    pub secret: Option<String>,
    /// What the server's own check found: `holds`, `not_yet_revealed`, `table_dice`, or `broken`.
    pub verdict: Verdict,
    /// Where it does not hold.
    pub broken: Option<String>,
    /// How many lines of the journal were taken over from another: their faces stand as written there, and the secret here
    /// says nothing about them.
    pub taken_over: u64,
    /// Each act with its randomness and faces, as the journal has them, those taken back too.
    pub throws: Vec<ThrowFace>,
}

/// What a check of the dice found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every roll follows from the secret.
    Holds,
    /// The secret is still sealed.
    NotYetRevealed,
    /// Real dice were typed in.
    TableDice,
    /// Something does not hold.
    Broken,
}

/// The dice of one act.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct ThrowFace {
    /// The line of the journal after the first, counted from 0; it is mixed into the dice.
    pub line: u64,
    /// The decision.
    pub moment: u64,
    /// Who decided.
    #[schema(value_type = Option<SideName>)]
    pub side: Option<Side>,
    /// What the acting player mixed in, in hexadecimal.
    pub salt: String,
    /// The faces.
    pub faces: Vec<u8>,
}
