//! Journals, seats and chat: in one SQLite file for one server, or in PostgreSQL for as many as you like. What a call has
//! answered is there after a loss of power; what it has refused has left no trace.
//!
//! Nobody has to be asked who may change a game. Each change names the number of lines that its author knows; whoever comes
//! second is refused ([`StoreError::Conflict`]), reads what is new, and goes on from there.

// The same statements are compiled for each database.
#![allow(clippy::duplicate_mod)]

mod archive;
#[cfg(feature = "s3")]
mod bucket;
mod copy;
mod error;
mod group;
mod lite;
pub mod memory;
mod post;
mod rows;
mod schema;
mod work;

use std::path::Path;
use std::time::Duration;

use tokio::sync::broadcast;

pub use accounts::{AccountRow, CeremonyRow, NewAccount, OwnGame, OwnSeatRow, PasskeyRow, Proof, SessionRow};
pub use archive::Archive;
pub use copy::{Copied, copy};
pub use error::StoreError;
pub use notices::{ChannelRow, NoticeRow, NoticeSettings, Tell};
pub use order::{AuditRow, Deed, MeasureRow, ReportRow, TieRow};
pub use ratings::{RatedRow, RatingRow, Settlement};
pub use rows::{
    ChallengeRow, Change, ChatRow, GameRow, Job, Kept, Kind, NO_GAME, News, Picture, Promise, Request,
    ReviewRow, SeatRow, Task, Untouched, Waiting,
};
pub use slips::{SlipRow, Swap};
pub use work::Observer;
use work::Work;

/// How the store is opened.
#[derive(Default)]
pub struct Limits {
    /// The largest size of an SQLite database in pages of 4 KiB; unlimited if none.
    pub pages: Option<u32>,
    /// How long to wait: for another program that holds an SQLite database (five seconds if none), or for PostgreSQL to answer
    /// at the start (thirty if none).
    pub patience: Option<Duration>,
    /// Told of every commit.
    pub observer: Option<Observer>,
}

impl std::fmt::Debug for Limits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Limits { pages, patience, .. } = self;
        f.debug_struct("Limits").field("pages", pages).field("patience", patience).finish_non_exhaustive()
    }
}

#[derive(Debug)]
enum Backend {
    Lite(lite::Lite),
    Post(Box<post::Post>),
    Memory(memory::Node),
}

/// Journals, seats and chat.
#[derive(Debug)]
pub struct Store {
    backend: Backend,
    archive: Option<Archive>,
}

/// Reads the same from whichever database there is.
macro_rules! read {
    ($self:ident.$name:ident($($argument:expr),*)) => {
        match &$self.backend {
            Backend::Lite(lite) => {
                let mut connection = lite.reader().await?;
                lite::reading::$name(&mut connection, $($argument),*).await
            }
            Backend::Post(post) => {
                let mut connection = post.connection().await?;
                let read = post::within(post::reading::$name(&mut connection, $($argument),*)).await;
                post::in_time(connection, read)
            }
            Backend::Memory(node) => node.$name($($argument),*).await,
        }
    };
}

// After the macro, which they use.
mod accounts;
mod jobs;
mod lobby;
mod notices;
mod order;
mod ratings;
mod slips;

impl Store {
    /// Opens the SQLite database in `folder`, making both if they are not there.
    ///
    /// # Errors
    /// When the folder cannot be written or another server uses it.
    pub async fn open(folder: &Path, limits: Limits) -> Result<Store, StoreError> {
        Ok(Store { backend: Backend::Lite(lite::Lite::open(folder, limits).await?), archive: None })
    }

    /// The same for a moment's work beside a server that may have it open. What that server has in memory it does not learn.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub async fn beside(folder: &Path) -> Result<Store, StoreError> {
        Ok(Store { backend: Backend::Lite(lite::Lite::beside(folder).await?), archive: None })
    }

    /// Opens a PostgreSQL database (`postgres://user@host/name`), which other servers may use at the same time.
    ///
    /// # Errors
    /// When it cannot be reached or a newer program has changed it.
    pub async fn connect(url: &str, limits: Limits) -> Result<Store, StoreError> {
        if !["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
            return Err(StoreError::Address("write it as postgres://user:password@host:5432/name".into()));
        }
        Ok(Store { backend: Backend::Post(Box::new(post::Post::open(url, limits).await?)), archive: None })
    }

    pub(crate) fn at(node: memory::Node) -> Store {
        Store { backend: Backend::Memory(node), archive: None }
    }

    /// The same, with an archive for finished journals.
    #[must_use]
    pub fn with_archive(self, archive: Option<Archive>) -> Store {
        Store { archive, ..self }
    }

    /// Whether other servers may change the games too.
    #[must_use]
    pub fn shared(&self) -> bool {
        !matches!(self.backend, Backend::Lite(_))
    }

    /// Finishes what is under way and closes the database.
    pub async fn close(self) {
        match self.backend {
            Backend::Lite(lite) => lite.close().await,
            Backend::Post(post) => post.close().await,
            Backend::Memory(_) => {}
        }
    }

    /// Waits until everything sent so far is on disk.
    pub async fn settle(&self) {
        // The one writer takes its work in order: when this is done, so is all before it.
        if let Backend::Lite(lite) = &self.backend {
            let _ = lite.write(Work::Settle).await;
        }
    }

    #[tracing::instrument(level = "debug", name = "transaction", skip_all, fields(game = work.changes()), err(level = "debug"))]
    async fn write(&self, work: Work) -> Result<i64, StoreError> {
        match &self.backend {
            Backend::Lite(lite) => lite.write(work).await,
            Backend::Post(post) => post.write(work).await,
            Backend::Memory(node) => node.write(work).await,
        }
    }

    /// Keeps a new game. If a computer must decide first, others may do its thinking from `due` on.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when there is a game of that id.
    pub async fn create(&self, kept: Kept, due: Option<i64>) -> Result<(), StoreError> {
        self.create_with(kept, due, Vec::new()).await
    }

    /// Keeps what happened in a game: all of it or nothing. Answers the version that the game has come to.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the journal has grown meanwhile, the request's id was used before, or the game is gone.
    pub async fn change(&self, change: Change) -> Result<i64, StoreError> {
        self.write(Work::Change(Box::new(change))).await
    }

    /// Takes a free seat.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when somebody holds it.
    pub async fn claim(&self, game: &str, side: i64, token: String, name: String) -> Result<i64, StoreError> {
        self.claim_and_tell(game, side, token, name, Vec::new()).await
    }

    /// Gives a seat another name.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn rename(&self, game: &str, side: i64, name: String) -> Result<i64, StoreError> {
        self.write(Work::Rename { game: game.to_owned(), side, name }).await
    }

    /// Keeps a line of chat.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when there is a line of that number or the request's id was used before.
    pub async fn say(&self, game: &str, line: ChatRow, request: Request) -> Result<i64, StoreError> {
        self.write(Work::Say { game: game.to_owned(), line, request }).await
    }

    /// A game with all that belongs to it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn game(&self, id: &str) -> Result<Option<Kept>, StoreError> {
        let found = self.news(id, 0).await?;
        Ok(found.map(|News { game, seats, lines, .. }| Kept { game, seats, lines }))
    }

    /// A game and its lines from `from` on, counted from 0, all of one moment.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn news(&self, id: &str, from: i64) -> Result<Option<News>, StoreError> {
        let Some(mut news) = read!(self.news(id, from))? else { return Ok(None) };
        if let Some(name) = &news.game.archive {
            let archived = self.archive()?.get(name).await?;
            let later = std::mem::take(&mut news.lines);
            news.lines = archived.into_iter().skip(from as usize).chain(later).collect();
        }
        Ok(Some(news))
    }

    /// A game without its seats and journal.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn summary(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        read!(self.summary(id))
    }

    /// The version that a game has come to; none if there is no such game.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn version(&self, id: &str) -> Result<Option<i64>, StoreError> {
        match &self.backend {
            Backend::Lite(lite) => lite.version(id).await,
            Backend::Post(post) => post.version(id).await,
            Backend::Memory(node) => node.version(id).await,
        }
    }

    /// Those of these games that have another version by now, or are gone. Where nobody else writes there are none.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn outdated(&self, known: &[(String, i64)]) -> Result<Vec<String>, StoreError> {
        match &self.backend {
            Backend::Lite(_) => Ok(Vec::new()),
            Backend::Post(post) => post.outdated(known).await,
            Backend::Memory(node) => node.outdated(known).await,
        }
    }

    /// Games that other servers say they have changed. A hint may be lost: what is true, [`Store::outdated`] tells.
    #[must_use]
    pub fn hints(&self) -> Option<broadcast::Receiver<String>> {
        match &self.backend {
            Backend::Post(post) => Some(post.hints()),
            Backend::Lite(_) | Backend::Memory(_) => None,
        }
    }

    /// The seats of a game.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn seats(&self, game: &str) -> Result<Vec<SeatRow>, StoreError> {
        read!(self.seats(game))
    }

    /// Public games, the latest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn public(&self, before: i64, limit: i64) -> Result<Vec<GameRow>, StoreError> {
        read!(self.public(before, limit))
    }

    /// Every game's id, the oldest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn ids(&self) -> Result<Vec<String>, StoreError> {
        read!(self.ids())
    }

    /// A request that has been granted.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn request(&self, game: &str, id: &str) -> Result<Option<Request>, StoreError> {
        read!(self.request(game, id))
    }

    pub(crate) async fn requests(&self, game: &str) -> Result<Vec<Request>, StoreError> {
        read!(self.requests(game))
    }

    /// Chat after line `after`, at most `limit` lines.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn chat(&self, game: &str, after: i64, limit: i64) -> Result<Vec<ChatRow>, StoreError> {
        read!(self.chat(game, after, limit))
    }

    /// The number of the last line of chat, 0 if there is none.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn last_chat(&self, game: &str) -> Result<i64, StoreError> {
        read!(self.last_chat(game))
    }

    // ------------------------------------------------------------------------------------------ promises of dice

    /// Promises the secret of its dice to a game to come.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn promise(&self, promise: Promise) -> Result<(), StoreError> {
        self.write(Work::Promise(promise)).await.map(drop)
    }

    /// How many promises wait for their games, and how many of them are `owner`'s.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn promises(&self, owner: &str, now: i64) -> Result<(u64, u64), StoreError> {
        read!(self.promises(owner, now))
    }

    /// The secret behind a commitment, for the one game that uses it.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub async fn redeem(&self, commitment: &str, now: i64) -> Result<Option<String>, StoreError> {
        let Some(secret) = read!(self.promised(commitment, now))? else { return Ok(None) };
        match self.write(Work::Redeem { commitment: commitment.to_owned() }).await {
            Ok(_) => Ok(Some(secret)),
            Err(StoreError::Conflict) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Forgets promises that nobody has used.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn forget_promises(&self, until: i64) -> Result<(), StoreError> {
        self.write(Work::Forget { until }).await.map(drop)
    }

    // ------------------------------------------------------------------------------------------ the archive

    fn archive(&self) -> Result<&Archive, StoreError> {
        let missing =
            || StoreError::Archive("a finished journal is there; name the place with --archive".into());
        self.archive.as_ref().ok_or_else(missing)
    }

    /// Whether finished journals leave the database.
    #[must_use]
    pub fn archives(&self) -> bool {
        self.archive.is_some()
    }

    /// At most `limit` finished games that nobody has touched since `before` and whose journals are in the database.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn finished(&self, before: i64, limit: i64) -> Result<Vec<String>, StoreError> {
        read!(self.finished(before, limit))
    }

    /// Moves the journal of a game to the archive, from where it is read as before.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when something has happened in the game meanwhile, or it is there already.
    pub async fn move_to_archive(&self, game: &str) -> Result<(), StoreError> {
        let archive = self.archive()?;
        let news = self.news(game, 0).await?.filter(|news| news.game.archive.is_none());
        let News { game: GameRow { version, .. }, lines, .. } = news.ok_or(StoreError::Conflict)?;
        let name = archive::name(game, lines.len(), version);
        archive.put(&name, &lines).await?;
        self.write(Work::Archive { game: game.to_owned(), version, name }).await.map(drop)
    }

    // ------------------------------------------------------------------------------------------ upkeep

    /// Writes the journal of a game down anew, line for line: the same game under another edition.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it has more or fewer lines than that.
    pub async fn rewrite(&self, game: &str, lines: Vec<String>) -> Result<i64, StoreError> {
        let archived = match &self.archive {
            Some(archive) => {
                self.summary(game).await?.and_then(|row| row.archive).map(|name| (archive, name))
            }
            None => None,
        };
        let version = self.write(Work::Rewrite { game: game.to_owned(), lines }).await?;
        // What was written before is nowhere else: it may have held a name that had to go.
        if let Some((archive, name)) = archived {
            archive.forget(&name).await;
        }
        Ok(version)
    }

    /// Keeps the last view of a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn draw(&self, game: &str, picture: Picture) -> Result<(), StoreError> {
        self.write(Work::Draw { game: game.to_owned(), picture: Box::new(picture) }).await.map(drop)
    }

    /// The last view of a game that was kept.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn picture(&self, game: &str) -> Result<Option<Picture>, StoreError> {
        read!(self.picture(game))
    }

    /// At most `limit` games touched after `since` whose present state was never drawn, the latest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn undrawn(&self, since: i64, limit: i64) -> Result<Vec<String>, StoreError> {
        read!(self.undrawn(since, limit))
    }

    /// At most `limit` games that nobody has touched for long, the oldest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn untouched(&self, since: Untouched, limit: i64) -> Result<Vec<String>, StoreError> {
        read!(self.untouched(since, limit))
    }

    /// Deletes games with all that belongs to them, but for those that were touched at `before` or later.
    ///
    /// # Errors
    /// When they cannot be deleted.
    pub async fn delete(&self, games: Vec<String>, before: i64) -> Result<(), StoreError> {
        let mut archived = Vec::new();
        if let Some(archive) = &self.archive {
            for game in &games {
                let name = self.summary(game).await?.and_then(|row| row.archive);
                archived.extend(name.map(|name| (archive, game.clone(), name)));
            }
        }
        self.write(Work::Delete { games, before }).await?;
        for (archive, game, name) in archived {
            if self.summary(&game).await?.is_none() {
                archive.forget(&name).await;
            }
        }
        Ok(())
    }

    /// How many games somebody has made, and how many bytes they take.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn holdings(&self, owner: &str) -> Result<(u64, u64), StoreError> {
        read!(self.holdings(owner))
    }

    /// Notes something about the server itself. When this is done it is on disk, so it also tells whether one can write.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn note(&self, name: &str, value: String) -> Result<(), StoreError> {
        self.write(Work::Fact { name: name.to_owned(), value, once: false }).await.map(drop)
    }

    /// Notes something that all servers must agree on, unless it is noted already; answers what is noted.
    ///
    /// # Errors
    /// When it cannot be written or read.
    pub async fn note_once(&self, name: &str, value: String) -> Result<String, StoreError> {
        self.write(Work::Fact { name: name.to_owned(), value: value.clone(), once: true }).await?;
        Ok(self.noted(name).await?.unwrap_or(value))
    }

    /// What was noted.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn noted(&self, name: &str) -> Result<Option<String>, StoreError> {
        read!(self.noted(name))
    }

    /// How many writes wait for the next commit, or are under way.
    #[must_use]
    pub fn waiting(&self) -> usize {
        match &self.backend {
            Backend::Lite(lite) => lite.waiting(),
            Backend::Post(post) => post.waiting(),
            Backend::Memory(_) => 0,
        }
    }

    /// How many bytes the database has on disk.
    #[must_use]
    pub fn size(&self) -> u64 {
        match &self.backend {
            Backend::Lite(lite) => lite.size(),
            Backend::Post(post) => post.size(),
            Backend::Memory(_) => 0,
        }
    }
}
