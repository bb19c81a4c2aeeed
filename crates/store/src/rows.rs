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
    /// Grows with every change of the game, its seats or its chat.
    pub version: i64,
    /// The game in which it is fought again.
    pub rematch: Option<String>,
    /// It has come to its end.
    pub over: bool,
    /// Where its journal is, if it has left the database.
    pub archive: Option<String>,
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
    /// What waited before: a change without new lines is refused when it is something else by now.
    pub was_asked: Option<String>,
    /// Whether the game has come to its end.
    pub over: bool,
    /// What becomes of the computer's work on the game.
    pub job: Job,
    /// What becomes of its slips: if one says something else by now, nothing happens at all.
    pub slips: Vec<crate::slips::Swap>,
    /// Who should be told of it.
    pub tells: Vec<crate::notices::Tell>,
}

/// What a change means for the computer that may have to decide next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// No computer plays.
    None,
    /// No computer waits any longer.
    Done,
    /// One must decide, and whoever finds this time past may do its thinking, in milliseconds since 1970.
    Due(i64),
}

/// What can wait to be done in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A computer must decide.
    Computer,
    /// A finished game is to be looked over.
    Review,
    /// Games that nobody has touched for long are to be deleted; not of one game.
    Expiry,
    /// Finished journals are to leave the database; not of one game.
    Archive,
}

impl Kind {
    /// How the databases write it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Computer => "computer",
            Kind::Review => "review",
            Kind::Expiry => "expiry",
            Kind::Archive => "archive",
        }
    }
}

/// The game of work that is not of one game.
pub const NO_GAME: &str = "";

/// Something that waits and has not been done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// How many lines the journal had when it began to wait.
    pub seq: i64,
    /// How far whoever is at it has come.
    pub done: i64,
}

/// The review of a finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewRow {
    /// How many lines the journal had.
    pub seq: i64,
    /// What was found, as the server writes it; none if the game could not be looked over.
    pub body: Option<String>,
}

/// A game that waits for something to be done in the background.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The game; [`NO_GAME`] for work that is not of one.
    pub game: String,
    /// How many lines its journal had when this began to wait.
    pub seq: i64,
}

/// A secret of dice that is promised to a game to come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promise {
    /// The commitment that was given for it.
    pub commitment: String,
    /// The secret in hexadecimal.
    pub secret: String,
    /// Until when it waits for its game, in milliseconds since 1970.
    pub until: i64,
    /// Who was promised it.
    pub owner: String,
}

/// A seat that waits for anybody who wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChallengeRow {
    /// Its id; not the game's, which is for those who sit there.
    pub id: String,
    /// The game.
    pub game: String,
    /// The free seat: 0 or 1.
    pub side: i64,
    /// When it was put up, in milliseconds since 1970.
    pub made: i64,
    /// Until when it waits.
    pub until: i64,
    /// Somebody sits there by now.
    pub taken: bool,
    /// Who put it up, as its server names them.
    pub owner: String,
    /// What the list shows of it, as its server writes it.
    pub face: String,
}

/// What a game in memory lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    /// The game as it is now.
    pub game: GameRow,
    /// Its seats.
    pub seats: Vec<SeatRow>,
    /// The lines of the journal that are new.
    pub lines: Vec<String>,
    /// The number of the last line of chat.
    pub chat: i64,
}
