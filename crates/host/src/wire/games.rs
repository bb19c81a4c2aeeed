//! New games, seats, lists.

use game::{BySide, Options, Outcome, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::clocks::{ClockFace, ClockTerms};
use super::descriptions::{Both, OutcomeName, SideName};
use super::ratings::RatedFace;

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

/// `POST /api/v1/games`
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
    /// Who plays alone may also take back what has rolled dice or revealed something.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(as = "Option<bool>", optional))]
    pub rolls_back: bool,
    /// A commitment from `POST /api/v1/commitments`; without one the server makes one now.
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
    /// The clock, for two people with a seat each; none unless told otherwise.
    #[serde(default)]
    #[cfg_attr(feature = "declare", ts(optional))]
    pub clock: Option<ClockTerms>,
}

/// `POST /api/v1/games/import`: goes on from a journal.
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

/// `POST /api/v1/games/{game}/claim`: sits down with an invitation.
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

/// `POST /api/v1/games/{game}/invitation`: what an invitation is for, before anybody sits down.
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

/// `POST /api/v1/games/{game}/name`: another name for one's seat.
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
    /// Rolls may be taken back by who plays alone; told only of a game that was asked for by itself.
    pub rolls_back: bool,
    /// When it was created, in milliseconds since 1970.
    pub created: u64,
    /// When something last happened.
    pub touched: u64,
    /// The game in which it is fought again, for those who played it.
    pub rematch: Option<String>,
    /// The clocks, if it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "declare", ts(optional))]
    pub clock: Option<ClockFace>,
    /// It shall count for ratings; told only of a game that was asked for by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "declare", ts(optional))]
    pub rated: Option<RatedFace>,
}

/// Why a game cannot go on. It can still be read: its journal, log, chat and last view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct Closed {
    /// In words.
    pub why: String,
    /// The journal replays cleanly under the present rules: `POST /api/v1/games/{game}/continue` goes on under them.
    pub may_continue: bool,
}

/// `GET /api/v1/games`: public games, the latest first.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[cfg_attr(feature = "declare", derive(ts_rs::TS))]
pub struct GameList {
    /// The games.
    pub games: Vec<GameFace>,
    /// Ask with `?before=` this for more.
    pub next: Option<u64>,
}

/// `POST /api/v1/games/mine`: the games of seats one holds.
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
