//! What can be written.

use std::time::Duration;

use crate::accounts::AccountWork;
use crate::notices::{NoticeWork, Tell};
use crate::order::OrderWork;
use crate::ratings::RatingWork;
use crate::rows::{ChallengeRow, Change, ChatRow, Kept, Kind, Picture, Promise, Request, ReviewRow, Task};
use crate::slips::{SlipRow, Swap};

/// A request is forgotten when the journal has grown by so many lines since.
pub(crate) const FORGOTTEN_AFTER: i64 = 64;
/// What a row takes besides its text.
const ROW: usize = 64;

/// Told of every commit: how long it took, and how many writes shared it.
pub type Observer = Box<dyn Fn(Duration, usize) + Send + Sync>;

/// Something to be written: all of it or nothing.
#[derive(Debug, Clone)]
pub(crate) enum Work {
    Create {
        kept: Box<Kept>,
        due: Option<i64>,
        slips: Vec<Swap>,
    },
    Change(Box<Change>),
    Claim {
        game: String,
        side: i64,
        token: String,
        name: String,
        tells: Vec<Tell>,
    },
    Rename {
        game: String,
        side: i64,
        name: String,
    },
    Say {
        game: String,
        line: ChatRow,
        request: Request,
    },
    /// Other lines, as many as there were: the journal written down anew.
    Rewrite {
        game: String,
        lines: Vec<String>,
    },
    Draw {
        game: String,
        picture: Box<Picture>,
    },
    /// Games that nobody has touched since `before`.
    Delete {
        games: Vec<String>,
        before: i64,
    },
    Fact {
        name: String,
        value: String,
        /// What is there stays.
        once: bool,
    },
    /// Something is to be done at this line, if nothing of its kind waits yet.
    Enqueue {
        kind: Kind,
        game: String,
        seq: i64,
        due: i64,
    },
    /// What waited up to this line waits no longer.
    Dismiss {
        kind: Kind,
        game: String,
        seq: i64,
    },
    Postpone {
        kind: Kind,
        games: Vec<String>,
        due: i64,
    },
    /// What waits has come so far.
    Advance {
        kind: Kind,
        task: Task,
        done: i64,
        due: i64,
    },
    /// The review of a game that waited for it.
    Review {
        game: String,
        review: ReviewRow,
    },
    Promise(Promise),
    Redeem {
        commitment: String,
    },
    Forget {
        until: i64,
    },
    PutUp(Box<ChallengeRow>),
    Withdraw {
        game: String,
    },
    /// A seat that was put up, if it still is.
    Accept {
        id: String,
        game: String,
        side: i64,
        token: String,
        name: String,
        now: i64,
        tells: Vec<Tell>,
    },
    /// A new game, in which an old one is fought again.
    Rematch {
        kept: Box<Kept>,
        old: String,
        slips: Vec<Swap>,
    },
    Swap {
        game: String,
        swaps: Vec<Swap>,
        tells: Vec<Tell>,
    },
    /// A computer of this level plays on at a seat.
    StandIn {
        game: String,
        side: i64,
        level: String,
        swaps: Vec<Swap>,
    },
    /// The journal is in the archive under this name, if the game still has this version.
    Archive {
        game: String,
        version: i64,
        name: String,
    },
    Account(Box<AccountWork>),
    Notice(Box<NoticeWork>),
    Order(Box<OrderWork>),
    Rating(Box<RatingWork>),
    /// A whole game out of another store.
    Import(Box<Whole>),
    Settle,
}

/// A game with everything that is kept of it.
#[derive(Debug, Clone)]
pub(crate) struct Whole {
    pub(crate) kept: Kept,
    pub(crate) requests: Vec<Request>,
    pub(crate) chat: Vec<ChatRow>,
    pub(crate) picture: Option<Picture>,
    pub(crate) challenge: Option<ChallengeRow>,
    pub(crate) slips: Vec<SlipRow>,
    pub(crate) review: Option<ReviewRow>,
}

impl Work {
    /// The game that others may have in memory and that this changes.
    pub(crate) fn changes(&self) -> Option<&str> {
        match self {
            Work::Change(change) => Some(&change.game),
            Work::Claim { game, .. }
            | Work::Rename { game, .. }
            | Work::Say { game, .. }
            | Work::Rewrite { game, .. }
            | Work::Accept { game, .. }
            | Work::Swap { game, .. }
            | Work::StandIn { game, .. }
            | Work::Rematch { old: game, .. } => Some(game),
            Work::Account(work) => work.changes(),
            Work::Order(work) => work.changes(),
            Work::Create { kept, due: Some(_), .. } => Some(&kept.game.id),
            _ => None,
        }
    }
}

/// How many bytes lines of a journal take.
pub(crate) fn size(lines: &[String]) -> i64 {
    lines.iter().map(|line| line.len() + ROW).sum::<usize>() as i64
}

/// How many bytes a line of chat takes.
pub(crate) fn said(line: &ChatRow) -> i64 {
    (line.text.len() + line.name.len() + ROW) as i64
}
