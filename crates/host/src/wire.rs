//! Everything that travels between the server and a client. The TypeScript declarations in `web/src/wire` and the
//! OpenAPI description are generated from these types; `docs/api.md` explains them.

use game::board::{Offer, Prompt, View};
use game::session::{RollRequest, Undo};
use game::{BySide, Entry, Eyes, Options, Outcome, Refusal, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

// ---------------------------------------------------------------------------------------------- the library

/// A rule system.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct SystemFace {
    /// `battle-hymn`.
    pub id: String,
    /// `Battle Hymn`.
    pub title: String,
    /// Computer players that know it, the weakest first.
    pub levels: Vec<LevelFace>,
    /// The chapters of its book.
    pub chapters: Vec<ChapterFace>,
}

/// A chapter of a rulebook.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct ChapterFace {
    /// The first part of its rules' numbers: `5`.
    pub key: String,
    /// What it is about: `Marching`.
    pub name: String,
}

/// A computer player.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct LevelFace {
    /// `captain`.
    pub id: String,
    /// `Captain`.
    pub name: String,
    /// How it plays, in a sentence.
    pub says: String,
}

/// A scenario of the library, as the set-up screen lists it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct ScenarioFace {
    /// `battle-hymn/mcphersons-ridge`.
    pub id: String,
    /// `battle-hymn`.
    pub system: String,
    /// `McPherson's Ridge`.
    pub title: String,
    /// `Gettysburg, 1 July 1863, morning`.
    pub subtitle: String,
    /// Two or three sentences.
    pub blurb: String,
    /// The two sides.
    #[schema(value_type = Object)]
    pub sides: BySide<game::board::SideFace>,
    /// How many pieces.
    pub units: u32,
    /// How many hours or turns it lasts at the most.
    pub turns: u32,
    /// House rules that may be switched.
    #[schema(value_type = Vec<Object>)]
    pub options: Vec<game::board::HouseRule>,
    /// A typical unit of each side, as a picture of the battle.
    #[schema(value_type = Vec<Object>)]
    pub sign: Vec<game::board::Piece>,
}

/// `POST /api/scenarios`: a scenario of one's own is read and set up, and nothing is kept.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct OwnScenario {
    /// What it shall be called, as in `<system>/<name>`: up to 100 characters.
    #[schema(max_length = 100)]
    pub name: String,
    /// The text, at most 200 KiB.
    pub text: String,
}

/// Something wrong in a written text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct TextFault {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// How many characters it covers.
    pub width: u32,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub expected: String,
}

/// A scenario before anybody plays it: the map and the opening position.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Preview {
    /// The scenario.
    pub scenario: ScenarioFace,
    /// What is drawn once.
    #[schema(value_type = Object)]
    pub board: game::board::Board,
    /// The opening position as a bystander sees it.
    #[schema(value_type = Object)]
    pub view: View,
}

/// A rule in our words.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct RuleFace {
    /// `5.3.c`.
    pub id: String,
    /// A short name.
    pub name: String,
    /// What it asks.
    pub says: String,
}

// ---------------------------------------------------------------------------------------------- games

/// Who sits at a seat of a new game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Sitter {
    /// Whoever creates the game, or somebody beside them at the same screen.
    Here {
        /// How they are called.
        #[schema(min_length = 1, max_length = 40)]
        name: String,
    },
    /// Whoever first opens the seat's invitation.
    Link,
    /// A computer player.
    Computer {
        /// `captain`.
        level: String,
    },
}

/// How the dice of a new game fall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum DiceKind {
    /// From a secret that the server has committed to, mixed with the players' randomness.
    #[default]
    Sealed,
    /// Real dice at a real table, typed in.
    Table,
}

/// A promise of dice: the SHA-256 of a secret that the server will use for one game.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Commitment {
    /// SHA-256 of the secret, in hexadecimal.
    pub commitment: String,
    /// For how many seconds a game can be created with it.
    pub seconds: u32,
}

/// `POST /api/games`
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// `battle-hymn/mcphersons-ridge`.
    #[schema(max_length = 200)]
    pub scenario: String,
    /// The text of a scenario of one's own, at most 200 KiB; `scenario` then is `<system>/<any name>`.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(optional))]
    #[schema(max_length = 204800)]
    pub text: Option<String>,
    /// Who sits where.
    #[schema(value_type = Both<Sitter>)]
    pub seats: BySide<Sitter>,
    /// House rules set apart from the scenario's.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(as = "Option<Options>", optional))]
    pub options: Options,
    /// How the dice fall.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(as = "Option<DiceKind>", optional))]
    pub dice: DiceKind,
    /// A commitment from `POST /api/commitments`; without one the server makes one now.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(optional))]
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub commitment: Option<String>,
    /// Fresh randomness for the dice of the muster: 32 to 128 hexadecimal digits. Needed with sealed dice.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(optional))]
    #[schema(pattern = "^([0-9A-Fa-f]{2}){16,64}$")]
    pub salt: Option<String>,
    /// Anybody may watch, and the game is listed for everybody.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(as = "Option<bool>", optional))]
    pub public: bool,
}

/// `POST /api/games/import`: goes on from a journal.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Import {
    /// The journal, JSON Lines.
    pub journal: String,
    /// Who sits where from now on.
    #[schema(value_type = Both<Sitter>)]
    pub seats: BySide<Sitter>,
    /// Anybody may watch.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(as = "Option<bool>", optional))]
    pub public: bool,
}

/// The answer to a new or imported game.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Created {
    /// The game's id.
    pub game: String,
    /// What its creator needs for each seat.
    #[schema(value_type = Both<NewSeat>)]
    pub seats: BySide<NewSeat>,
    /// Where an imported journal stopped holding, if it did; the game goes on from the last good line.
    pub broken: Option<String>,
}

/// What the creator gets for a seat. Each of these is shown once and kept by the server only as a hash.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct NewSeat {
    /// Holds the seat; given for `here`.
    pub token: Option<String>,
    /// Opens the seat for whoever claims it first; given for `link`.
    pub invitation: Option<String>,
}

/// `POST /api/games/{game}/claim`: sits down with an invitation.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The invitation.
    pub invitation: String,
    /// How one is called: up to 40 characters.
    #[schema(min_length = 1, max_length = 40)]
    pub name: String,
    /// The token the client has made up for itself: 64 hexadecimal digits. Sent again after a lost answer it finds its own seat.
    #[schema(pattern = "^[0-9A-Fa-f]{64}$")]
    pub token: String,
}

/// `POST /api/games/{game}/invitation`: what an invitation is for, before anybody sits down.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskInvitation {
    /// The invitation.
    pub invitation: String,
}

/// What an invitation is for.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Invited {
    /// The game.
    pub game: GameFace,
    /// The side that one would play.
    #[schema(value_type = SideName)]
    pub side: Side,
}

/// The answer to a claim.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Claimed {
    /// The side one now plays.
    #[schema(value_type = SideName)]
    pub side: Side,
}

/// `POST /api/games/{game}/name`: another name for one's seat.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Rename {
    /// Up to 40 characters.
    #[schema(min_length = 1, max_length = 40)]
    pub name: String,
}

/// A seat as everybody sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct SeatFace {
    /// `here`, `link` or `computer`.
    pub kind: SeatKind,
    /// How its holder is called; for a computer its level. Data, never markup.
    pub name: String,
    /// Somebody holds it.
    pub taken: bool,
    /// Its holder is connected; a computer always is.
    pub present: bool,
}

/// What kind of seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SeatKind {
    /// The creator's, or somebody's at the same screen.
    Here,
    /// By invitation.
    Link,
    /// A computer's.
    Computer,
}

/// How far a game is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Status {
    /// A side must decide.
    Deciding {
        /// Which.
        #[schema(value_type = SideName)]
        side: Side,
        /// A computer is at work on it.
        thinking: bool,
    },
    /// Over.
    Over {
        /// How it ended.
        #[schema(value_type = OutcomeName)]
        outcome: Outcome,
        /// Who gave up, if somebody did.
        #[schema(value_type = Option<SideName>)]
        resigned: Option<Side>,
    },
}

/// A game as lists and the frame of the board show it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct GameFace {
    /// Its id.
    pub id: String,
    /// `battle-hymn/mcphersons-ridge`.
    pub scenario: String,
    /// `battle-hymn`.
    pub system: String,
    /// `McPherson's Ridge`.
    pub title: String,
    /// How the sides are called and look.
    #[schema(value_type = Object)]
    pub sides: BySide<game::board::SideFace>,
    /// Who sits where.
    #[schema(value_type = Both<SeatFace>)]
    pub seats: BySide<SeatFace>,
    /// How far it is.
    pub status: Status,
    /// The side that the asking token holds; none for a bystander.
    #[schema(value_type = Option<SideName>)]
    pub yours: Option<Side>,
    /// The number of the present state.
    pub state: u64,
    /// Decisions on the line that stands.
    pub moment: u64,
    /// Why it cannot go on as it is, if it cannot; told only of a game that was asked for by itself.
    pub closed: Option<Closed>,
    /// Anybody may watch.
    pub public: bool,
    /// How the dice fall.
    pub dice: DiceKind,
    /// SHA-256 of the secret behind sealed dice.
    pub commitment: Option<String>,
    /// When it was created, in milliseconds since 1970.
    pub created: u64,
    /// When something last happened.
    pub touched: u64,
}

/// Why a game cannot go on. It can still be read: its journal, log, chat and last view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Closed {
    /// In words.
    pub why: String,
    /// The journal replays cleanly under the present rules: `POST /api/games/{game}/continue` goes on under them.
    pub may_continue: bool,
}

/// `GET /api/games`: public games, the latest first.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct GameList {
    /// The games.
    pub games: Vec<GameFace>,
    /// Ask with `?before=` this for more.
    pub next: Option<u64>,
}

/// `POST /api/games/mine`: the games of seats one holds.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Mine {
    /// At most 200.
    #[schema(max_items = 200)]
    pub seats: Vec<MySeat>,
}

/// A seat one holds.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct MySeat {
    /// The game.
    pub game: String,
    /// The seat's token.
    pub token: String,
}

// ---------------------------------------------------------------------------------------------- positions

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

// ---------------------------------------------------------------------------------------------- acting

/// `POST /api/games/{game}/acts`
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// An id of the client's own, 8 to 64 of `A-Z a-z 0-9 - _`; sent twice the act is played once.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub id: String,
    /// The state it answers.
    pub state: u64,
    /// The action in notation, as an offer has it.
    #[schema(max_length = 4000)]
    pub action: String,
    /// Fresh randomness for the dice: 32 to 128 hexadecimal digits. Send the same again with the same id.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(optional))]
    #[schema(pattern = "^([0-9A-Fa-f]{2}){16,64}$")]
    pub salt: Option<String>,
    /// Faces typed in, with dice of the table.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(as = "Option<Vec<u8>>", optional))]
    pub faces: Vec<u8>,
}

/// `POST /api/games/{game}/undo`
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TakeBack {
    /// An id of the client's own.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub id: String,
    /// The state it answers.
    pub state: u64,
}

/// `POST /api/games/{game}/undo/answer`
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AnswerUndo {
    /// An id of the client's own.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub id: String,
    /// The number of the request.
    pub ask: u64,
    /// Whether one agrees.
    pub agree: bool,
}

/// `POST /api/games/{game}/resign`
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// An id of the client's own.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub id: String,
    /// The state it answers.
    pub state: u64,
}

/// The answer to an act, an undo or a resignation: it is on disk.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Acted {
    /// What became of it.
    pub done: Done,
    /// The number of the present state.
    pub state: u64,
    /// The present position; left out when the request says `Prefer: return=minimal`.
    pub position: Option<Position>,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Done {
    /// Played.
    Played,
    /// Taken back.
    TakenBack,
    /// The other side has been asked.
    Asked,
    /// The request to take back was declined.
    Declined,
    /// Given up.
    Resigned,
}

/// `POST /api/games/{game}/check`: whether an action is allowed. The answer is the action as it would be offered.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskCheck {
    /// The state it is about.
    pub state: u64,
    /// The action in notation.
    #[schema(max_length = 4000)]
    pub action: String,
}

/// `POST /api/games/{game}/odds`: what would come of an action.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskOdds {
    /// The state it is about.
    pub state: u64,
    /// The action in notation.
    #[schema(max_length = 4000)]
    pub action: String,
    /// How far to look; to the next decision unless told otherwise.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(as = "Option<HowFar>", optional))]
    pub horizon: HowFar,
}

/// `POST /api/games/{game}/odds/sealed`: every own choice against every one of the enemy's, where both are sealed.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskSealed {
    /// The state it is about.
    pub state: u64,
}

/// `POST /api/games/{game}/hint`: the best choices of the decision at hand.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskHint {
    /// The state it is about.
    pub state: u64,
}

/// `GET /api/games/{game}/review`: the review of a finished game, or how far it has come. The first who asks sets it going.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct ReviewFace {
    /// Decisions looked over.
    pub done: u32,
    /// Decisions of the game.
    pub of: u32,
    /// The review, once it is there.
    #[schema(value_type = Option<Object>)]
    pub review: Option<players::Review>,
}

/// How far odds look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum HowFar {
    /// To the next decision that is not forced.
    #[default]
    Decision,
    /// To the end of the engagement, charge or close combat; later decisions by the policy that the answer names.
    Affair,
}

// ---------------------------------------------------------------------------------------------- chat

/// `POST /api/games/{game}/chat`
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

// ---------------------------------------------------------------------------------------------- dice

/// `GET /api/games/{game}/dice`: what is needed to recompute every roll.
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

// ---------------------------------------------------------------------------------------------- live

/// What a client says over the WebSocket.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// Must come first, within ten seconds; said again it changes the eyes (hot-seat hand-over).
    Hello {
        /// The seat's token; none to watch.
        #[serde(default)]
        #[cfg_attr(feature = "declare", ts(optional))]
        token: Option<String>,
        /// The last state already known, so that the log begins at what is new; left out, it is whole.
        #[serde(default)]
        #[cfg_attr(feature = "declare", ts(as = "Option<u64>", optional))]
        state: u64,
        /// The last chat line already known.
        #[serde(default)]
        #[cfg_attr(feature = "declare", ts(as = "Option<u64>", optional))]
        chat_after: u64,
    },
    /// Answered by `pong`.
    Ping,
}

/// What the server says over the WebSocket.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The answer to `hello`.
    Welcome {
        /// The game.
        game: Box<GameFace>,
        /// The present position.
        position: Box<Position>,
        /// Chat since `chat_after`.
        chat: Vec<ChatLine>,
    },
    /// Something happened.
    Position {
        /// The present position; its log begins where the last one ended.
        position: Box<Position>,
    },
    /// A seat was taken, somebody came or went, the computer began to think.
    Game {
        /// The game.
        game: Box<GameFace>,
    },
    /// A new line of chat.
    Chat {
        /// The line.
        line: ChatLine,
    },
    /// What the client said could not be understood or allowed.
    Problem {
        /// What is wrong.
        problem: Problem,
    },
    /// The answer to `ping`.
    Pong,
    /// The server is going down; connect again in a moment.
    Bye,
}

// ---------------------------------------------------------------------------------------------- problems

/// Why a request was not granted. Nothing has changed.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Problem {
    /// Its name, for programs.
    pub code: Code,
    /// What is wrong and what to do, for people.
    pub message: String,
    /// For `refused`: what, why and under which rule.
    #[schema(value_type = Option<Object>)]
    pub refusal: Option<Refusal>,
    /// For `stale`: the present position.
    pub position: Option<Box<Position>>,
    /// For `roll_needed`: what to roll at the table next.
    #[schema(value_type = Option<Object>)]
    pub roll: Option<Box<RollRequest>>,
    /// For `faulty_scenario`: each fault at its place in the text.
    pub faults: Vec<TextFault>,
}

/// Every request can be answered by one of these; `Problem.code` says which. For the OpenAPI description alone.
#[derive(Debug, utoipa::IntoResponses)]
pub enum Problems {
    /// `malformed`: the body or a parameter is not as described.
    #[response(status = 400)]
    Malformed(Problem),
    /// `seat_needed`: no token was sent.
    #[response(status = 401)]
    SeatNeeded(Problem),
    /// `foreign_origin`, `forged_seat`, `forged_invitation`, `not_your_decision`, `concealed`, `no_hints`, `quota`.
    #[response(status = 403)]
    Forbidden(Problem),
    /// `no_such_page`, `no_such_system`, `no_such_scenario`, `no_such_rule`, `no_such_game`, `no_such_moment`.
    #[response(status = 404)]
    NoSuch(Problem),
    /// `stale`, `over`, `outdated`, `full`, `id_reused`, `seat_taken`, `nothing_to_undo`, `not_asked`.
    #[response(status = 409)]
    Conflict(Problem),
    /// `too_large`.
    #[response(status = 413)]
    TooLarge(Problem),
    /// `not_json`.
    #[response(status = 415)]
    NotJson(Problem),
    /// `foreign_host`.
    #[response(status = 421)]
    ForeignHost(Problem),
    /// `refused`, `unreadable`, `bad_id`, `salt_needed`, `wrong_faces`, `roll_needed`, `bad_name`, `bad_text`,
    /// `no_such_level`, `no_such_commitment`, `faulty_scenario`, `faulty_journal`.
    #[response(status = 422)]
    Unprocessable(Problem),
    /// `too_many`.
    #[response(status = 429)]
    TooMany(Problem),
    /// `internal`.
    #[response(status = 500)]
    Internal(Problem),
    /// `busy`, `going_down`, `store_failed`.
    #[response(status = 503)]
    Unavailable(Problem),
    /// `disk_full`.
    #[response(status = 507)]
    DiskFull(Problem),
}

/// Names of problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// 400: the body or a parameter is not what `docs/api.md` describes.
    Malformed,
    /// 404: there is no such address.
    NoSuchPage,
    /// 405: not with this method.
    WrongMethod,
    /// 413: larger than allowed.
    TooLarge,
    /// 415: `Content-Type: application/json` is needed.
    NotJson,
    /// 429: wait a moment.
    TooMany,
    /// 403: the page that sent this is not ours.
    ForeignOrigin,
    /// 421: the server is not known by this name.
    ForeignHost,

    /// 404.
    NoSuchSystem,
    /// 404.
    NoSuchScenario,
    /// 404.
    NoSuchRule,
    /// 404: there is no such game, or it is not for these eyes.
    NoSuchGame,
    /// 404: the game has not come so far.
    NoSuchMoment,
    /// 422: the system has no such computer player.
    NoSuchLevel,
    /// 422: the scenario file has faults; the message shows each at its line.
    FaultyScenario,
    /// 422: the journal does not hold even at its beginning.
    FaultyJournal,
    /// 422: the commitment is unknown or has been used.
    NoSuchCommitment,

    /// 401: a seat's token is needed.
    SeatNeeded,
    /// 403: the token holds no seat of this game.
    ForgedSeat,
    /// 403: the invitation does not fit.
    ForgedInvitation,
    /// 409: somebody else has taken the seat.
    SeatTaken,
    /// 403: the other side decides.
    NotYourDecision,
    /// 403: while something is concealed this may not be seen.
    Concealed,
    /// 403: people who play each other get no hints.
    NoHints,

    /// 409: the state it answers is no longer the present one; the present position comes along.
    Stale,
    /// 422: the rules forbid it; `refusal` names the rule.
    Refused,
    /// 422: the notation cannot be read.
    Unreadable,
    /// 409: the game is over.
    Over,
    /// 409: this id was used for something else.
    IdReused,
    /// 422: an id is 8 to 64 of `A-Z a-z 0-9 - _`.
    BadId,
    /// 422: sealed dice need a salt of 32 to 128 hexadecimal digits.
    SaltNeeded,
    /// 422: the faces typed in do not fit what is rolled.
    WrongFaces,
    /// 422: real dice are used; `roll` says what to roll next. Send the act again with all its faces so far.
    RollNeeded,
    /// 409: there is nothing to take back.
    NothingToUndo,
    /// 409: nobody asks, or no longer.
    NotAsked,
    /// 422: a name has 1 to 40 characters and no control characters.
    BadName,
    /// 422: a line of chat has 1 to 1,000 characters and no control characters.
    BadText,

    /// 409: the game was played under an earlier edition of the rules; `GameFace.closed` says whether it may be continued.
    Outdated,
    /// 409: the game has as many lines of journal or chat as a game may have.
    Full,
    /// 403: too much from this address is kept here already.
    Quota,
    /// 503: too much to do; try again.
    Busy,
    /// 503: the server is going down.
    GoingDown,
    /// 503: the database does not answer; nothing was changed.
    StoreFailed,
    /// 507: the disk is full; nothing was changed.
    DiskFull,
    /// 500: our mistake; it is in the server's log.
    Internal,
}

// ---------------------------------------------------------------------------------------------- descriptions

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
