//! What is kept, as plain rows. The store reads neither journals nor summaries; it keeps them.

/// A game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRow {
    /// Its id.
    pub id: String,
    /// When it was created, in milliseconds since 1970.
    pub made: i64,
    /// When something last happened.
    pub touched: i64,
    /// Anybody may watch.
    pub public: bool,
    /// The secret behind its dice in hexadecimal; empty where there is none.
    pub secret: String,
    /// What lists show of it, as its server writes it.
    pub summary: String,
    /// A request that waits for an answer, as its server writes it.
    pub asked: Option<String>,
    /// Who made it, as its server names them; empty where nobody knows.
    pub owner: String,
    /// How many bytes its journal and chat have.
    pub bytes: i64,
}

/// A seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatRow {
    /// 0 or 1.
    pub side: i64,
    /// `here`, `link` or `computer`.
    pub kind: String,
    /// How its holder is called; a computer's level.
    pub name: String,
    /// Hash of the invitation.
    pub invitation: Option<String>,
    /// Hash of the token; none while nobody holds the seat.
    pub token: Option<String>,
}

/// A line of chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatRow {
    /// Counted from 1 in each game.
    pub n: i64,
    /// 0 or 1.
    pub side: i64,
    /// How the writer was called.
    pub name: String,
    /// What was written.
    pub text: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// A game with all that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The game.
    pub game: GameRow,
    /// Its seats, the first side's first.
    pub seats: Vec<SeatRow>,
    /// Its journal, the first line too.
    pub lines: Vec<String>,
}

/// A client's request that has been granted: sent again it is answered, not done again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The client's id for it.
    pub id: String,
    /// A hash of what it asked for.
    pub content: String,
    /// What was answered.
    pub answer: String,
    /// How many lines the journal had: a request is forgotten when the journal has grown well beyond it.
    pub seq: i64,
}

/// The last view of a game, as its server writes it, with the board it is drawn on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The state it shows.
    pub state: i64,
    /// A hash of the board, shared by games.
    pub board_hash: String,
    /// The board.
    pub board: Vec<u8>,
    /// The view.
    pub body: Vec<u8>,
}

/// Before when games must have been touched to be deleted, in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Untouched {
    /// Any game.
    pub any: i64,
    /// One in which nobody has decided anything.
    pub unbegun: i64,
    /// One among computers alone.
    pub machines: i64,
}

/// Something that happened in a game; kept whole or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The game.
    pub game: String,
    /// How many lines the journal had before.
    pub after: i64,
    /// New lines of the journal.
    pub lines: Vec<String>,
    /// The request that caused it.
    pub request: Option<Request>,
    /// When.
    pub at: i64,
    /// What lists show from now on.
    pub summary: String,
    /// What waits for an answer from now on.
    pub asked: Option<String>,
}
