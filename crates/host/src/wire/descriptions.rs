//! Names for the OpenAPI description alone.

use utoipa::ToSchema;

// How types of the rules' own crate look on the wire, for the OpenAPI description alone.

/// A side.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase", as = Side)]
pub enum SideName {
    /// The one that the scenario names first.
    First,
    /// The other.
    Second,
}

/// A value for each side.
#[derive(Debug, ToSchema)]
pub struct Both<T> {
    /// The first side's.
    pub first: T,
    /// The second side's.
    pub second: T,
}

/// How a game ended.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase", as = Outcome)]
pub enum OutcomeName {
    /// This side has won.
    Won(SideName),
    /// Nobody has.
    Drawn,
}

/// Whether a side may take its last decision back.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase", as = Undo)]
pub enum UndoName {
    /// Freely.
    Free,
    /// If the other side agrees.
    ByConsent,
    /// Not alone: dice have fallen since, and rolls stay.
    Rolled,
    /// Not alone: something concealed has become known since.
    Revealed,
    /// It has decided nothing yet.
    Nothing,
}

/// A question about the position.
#[derive(Debug, ToSchema)]
#[schema(as = Ask)]
pub struct Question {
    /// Which overlay, as the board names them.
    pub overlay: String,
    /// Whose, where it is a side's.
    pub side: Option<SideName>,
    /// About which place: `{"hex":"0910"}`, `{"pose":{…}}` or `{"box":"…"}`.
    #[schema(value_type = Option<Object>)]
    pub place: Option<String>,
    /// About which piece.
    pub piece: Option<u16>,
}
