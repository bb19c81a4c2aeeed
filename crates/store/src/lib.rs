//! Journals, seats and chat on disk. What a call has answered is there after a loss of power; what it has refused
//! has left no trace.
//!
//! All writes go through one task that commits whatever has gathered while the disk was busy with the last commit
//! (group commit): a lone write waits for one flush, and a thousand a second still share a few hundred.

mod rows;
mod schema;
mod writer;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, Row};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

pub use rows::{Change, ChatRow, GameRow, Kept, Picture, Request, SeatRow, Untouched};
pub use writer::Observer;
use writer::{Job, Work};

/// Why the store did not do what was asked. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Somebody else was faster, or it is there already.
    #[error("this is there already, or somebody else was faster")]
    Conflict,
    /// There is no room left.
    #[error("the disk is full")]
    Full,
    /// Another program holds the database.
    #[error("the database is held by another program")]
    Locked,
    /// The data directory is in use by another server.
    #[error("the data directory {} is in use by another server", .0.display())]
    InUse(PathBuf),
    /// A later version of the program has written it.
    #[error("the database was written by a newer version of this program: {0}")]
    Newer(String),
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
    /// Anything else, in the database's words.
    #[error("the database failed: {0}")]
    Failed(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        // Primary result codes of SQLite; extended ones carry them in their low byte.
        const BUSY: u32 = 5;
        const TABLE_LOCKED: u32 = 6;
        const FULL: u32 = 13;
        if let sqlx::Error::Database(db) = &error {
            if db.is_unique_violation() {
                return StoreError::Conflict;
            }
            let code = db.code().and_then(|c| c.parse::<u32>().ok()).map(|c| c & 0xff);
            match code {
                Some(BUSY | TABLE_LOCKED) => return StoreError::Locked,
                Some(FULL) => return StoreError::Full,
                _ => {}
            }
        }
        match error {
            sqlx::Error::PoolTimedOut => StoreError::Locked,
            sqlx::Error::PoolClosed => StoreError::Closed,
            other => StoreError::Failed(other.to_string()),
        }
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull => StoreError::Full,
            _ => StoreError::Failed(error.to_string()),
        }
    }
}

impl From<sqlx::migrate::MigrateError> for StoreError {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        use sqlx::migrate::MigrateError;
        match error {
            MigrateError::Execute(error) => error.into(),
            MigrateError::VersionMissing(version) => StoreError::Newer(format!("it has schema {version}")),
            other => StoreError::Failed(other.to_string()),
        }
    }
}

/// How the store is opened.
#[derive(Default)]
pub struct Limits {
    /// The largest size of the database in pages of 4 KiB; unlimited if none.
    pub pages: Option<u32>,
    /// How long to wait for another program that holds the database; five seconds if none.
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

/// Journals, seats and chat on disk.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    readers: SqlitePool,
    jobs: mpsc::Sender<Job>,
    writer: JoinHandle<()>,
    /// Held while the store is open, so that two servers never play the same games.
    _lock: File,
}

impl Store {
    /// Opens the database in `folder`, making both if they are not there.
    ///
    /// # Errors
    /// When the folder cannot be written or another server uses it.
    pub async fn open(folder: &Path, limits: Limits) -> Result<Store, StoreError> {
        fs::create_dir_all(folder)?;
        let lock = File::create(folder.join("linstock.lock"))?;
        lock.try_lock().map_err(|_| StoreError::InUse(folder.to_owned()))?;
        let mut options = SqliteConnectOptions::new()
            .filename(folder.join("linstock.sqlite"))
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(false)
            .busy_timeout(limits.patience.unwrap_or(Duration::from_secs(5)))
            .disable_statement_logging();
        if let Some(pages) = limits.pages {
            options = options.pragma("max_page_count", pages.to_string());
        }
        let mut connection = options.connect().await?;
        schema::migrations().run(&mut connection).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(4)
            .acquire_timeout(Duration::from_secs(10))
            .connect_with(options.clone().pragma("query_only", "1"))
            .await?;
        let (jobs, inbox) = mpsc::channel(4096);
        let writer = tokio::spawn(async move {
            writer::run(&mut connection, inbox, limits.observer).await;
            if let Err(error) = connection.close().await {
                tracing::warn!(%error, "the database did not close cleanly");
            }
        });
        Ok(Store { folder: folder.to_owned(), readers, jobs, writer, _lock: lock })
    }

    /// Finishes what is under way and closes the database.
    pub async fn close(self) {
        drop(self.jobs);
        if self.writer.await.is_err() {
            tracing::error!("the writer of the store has failed");
        }
        self.readers.close().await;
    }

    /// Waits until everything sent so far is on disk.
    pub async fn settle(&self) {
        // The writer takes its work in order: when this is done, so is all before it.
        let _ = self.write(Work::Settle).await;
    }

    async fn write(&self, work: Work) -> Result<(), StoreError> {
        let (done, answer) = oneshot::channel();
        self.jobs.send(Job { work, done }).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// Keeps a new game.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when there is a game of that id.
    pub async fn create(&self, kept: Kept) -> Result<(), StoreError> {
        self.write(Work::Create(Box::new(kept))).await
    }

    /// Keeps what happened in a game: all of it or nothing.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the journal has grown meanwhile or the request's id was used before.
    pub async fn change(&self, change: Change) -> Result<(), StoreError> {
        self.write(Work::Change(Box::new(change))).await
    }

    /// Takes a free seat.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when somebody holds it.
    pub async fn claim(&self, game: &str, side: i64, token: String, name: String) -> Result<(), StoreError> {
        self.write(Work::Claim { game: game.to_owned(), side, token, name }).await
    }

    /// Gives a seat another name.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn rename(&self, game: &str, side: i64, name: String) -> Result<(), StoreError> {
        self.write(Work::Rename { game: game.to_owned(), side, name }).await
    }

    /// Keeps a line of chat.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when there is a line of that number or the request's id was used before.
    pub async fn say(&self, game: &str, line: ChatRow, request: Request) -> Result<(), StoreError> {
        self.write(Work::Say { game: game.to_owned(), line, request }).await
    }

    /// A game with all that belongs to it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn game(&self, id: &str) -> Result<Option<Kept>, StoreError> {
        let Some(game) = self.summary(id).await? else { return Ok(None) };
        let seats = self.seats(id).await?;
        let lines = sqlx::query(schema::SELECT_LINES).bind(id).fetch_all(&self.readers).await?;
        let lines = lines.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
        Ok(Some(Kept { game, seats, lines }))
    }

    /// A game without its seats and journal.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn summary(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        let row = sqlx::query(schema::SELECT_GAME).bind(id).fetch_optional(&self.readers).await?;
        Ok(row.as_ref().map(game_row).transpose()?)
    }

    /// The seats of a game.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn seats(&self, game: &str) -> Result<Vec<SeatRow>, StoreError> {
        let rows = sqlx::query(schema::SELECT_SEATS).bind(game).fetch_all(&self.readers).await?;
        Ok(rows.iter().map(seat_row).collect::<Result<_, _>>()?)
    }

    /// Public games, the latest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn public(&self, before: i64, limit: i64) -> Result<Vec<GameRow>, StoreError> {
        let rows =
            sqlx::query(schema::SELECT_PUBLIC).bind(before).bind(limit).fetch_all(&self.readers).await?;
        Ok(rows.iter().map(game_row).collect::<Result<_, _>>()?)
    }

    /// Every game's id, the oldest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn ids(&self) -> Result<Vec<String>, StoreError> {
        let rows = sqlx::query(schema::SELECT_IDS).fetch_all(&self.readers).await?;
        Ok(rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
    }

    /// A request that has been granted.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn request(&self, game: &str, id: &str) -> Result<Option<Request>, StoreError> {
        let row =
            sqlx::query(schema::SELECT_REQUEST).bind(game).bind(id).fetch_optional(&self.readers).await?;
        let Some(row) = row else { return Ok(None) };
        let (content, answer, seq) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        Ok(Some(Request { id: id.to_owned(), content, answer, seq }))
    }

    /// Chat after line `after`, at most `limit` lines.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn chat(&self, game: &str, after: i64, limit: i64) -> Result<Vec<ChatRow>, StoreError> {
        let rows = sqlx::query(schema::SELECT_CHAT)
            .bind(game)
            .bind(after)
            .bind(limit)
            .fetch_all(&self.readers)
            .await?;
        Ok(rows.iter().map(chat_row).collect::<Result<_, _>>()?)
    }

    /// The number of the last line of chat, 0 if there is none.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn last_chat(&self, game: &str) -> Result<i64, StoreError> {
        let row = sqlx::query(schema::SELECT_LAST_CHAT).bind(game).fetch_optional(&self.readers).await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?.unwrap_or(0))
    }

    // ------------------------------------------------------------------------------------------ upkeep

    /// Writes the journal of a game down anew, line for line: the same game under another edition.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it has fewer lines than that.
    pub async fn rewrite(&self, game: &str, lines: Vec<String>) -> Result<(), StoreError> {
        self.write(Work::Rewrite { game: game.to_owned(), lines }).await
    }

    /// Keeps the last view of a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn draw(&self, game: &str, picture: Picture) -> Result<(), StoreError> {
        self.write(Work::Draw { game: game.to_owned(), picture: Box::new(picture) }).await
    }

    /// The last view of a game that was kept.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn picture(&self, game: &str) -> Result<Option<Picture>, StoreError> {
        let row = sqlx::query(schema::SELECT_PICTURE).bind(game).fetch_optional(&self.readers).await?;
        let Some(row) = row else { return Ok(None) };
        let (state, board_hash, body) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let board = row.try_get::<Option<Vec<u8>>, _>(3)?.unwrap_or_default();
        Ok(Some(Picture { state, board_hash, board, body }))
    }

    /// At most `limit` games touched after `since` whose present state was never drawn, the latest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn undrawn(&self, since: i64, limit: i64) -> Result<Vec<String>, StoreError> {
        let rows = sqlx::query(schema::SELECT_UNDRAWN).bind(since).bind(limit);
        let rows = rows.fetch_all(&self.readers).await?;
        Ok(rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
    }

    /// At most `limit` games that nobody has touched for long, the oldest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn untouched(&self, since: Untouched, limit: i64) -> Result<Vec<String>, StoreError> {
        let rows = sqlx::query(schema::SELECT_UNTOUCHED)
            .bind(since.any)
            .bind(since.unbegun)
            .bind(since.machines)
            .bind(limit)
            .fetch_all(&self.readers)
            .await?;
        Ok(rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
    }

    /// Deletes games with all that belongs to them.
    ///
    /// # Errors
    /// When they cannot be deleted.
    pub async fn delete(&self, games: Vec<String>) -> Result<(), StoreError> {
        self.write(Work::Delete { games }).await
    }

    /// How many games somebody has made, and how many bytes they take.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn holdings(&self, owner: &str) -> Result<(u64, u64), StoreError> {
        let row = sqlx::query(schema::SELECT_HOLDINGS).bind(owner).fetch_one(&self.readers).await?;
        Ok((row.try_get::<i64, _>(0)? as u64, row.try_get::<i64, _>(1)? as u64))
    }

    /// Notes something about the server itself. When this is done it is on disk, so it also tells whether one can write.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn note(&self, name: &str, value: String) -> Result<(), StoreError> {
        self.write(Work::Fact { name: name.to_owned(), value }).await
    }

    /// What was noted.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn noted(&self, name: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query(schema::SELECT_FACT).bind(name).fetch_optional(&self.readers).await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?)
    }

    /// How many writes wait for the next commit.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.jobs.max_capacity() - self.jobs.capacity()
    }

    /// How many bytes the database has on disk.
    #[must_use]
    pub fn size(&self) -> u64 {
        let size = |name: &str| fs::metadata(self.folder.join(name)).map_or(0, |file| file.len());
        size("linstock.sqlite") + size("linstock.sqlite-wal")
    }
}

fn game_row(row: &SqliteRow) -> Result<GameRow, sqlx::Error> {
    Ok(GameRow {
        id: row.try_get(0)?,
        made: row.try_get(1)?,
        touched: row.try_get(2)?,
        public: row.try_get::<i64, _>(3)? != 0,
        secret: row.try_get(4)?,
        summary: row.try_get(5)?,
        asked: row.try_get(6)?,
        owner: row.try_get(7)?,
        bytes: row.try_get(8)?,
    })
}

fn seat_row(row: &SqliteRow) -> Result<SeatRow, sqlx::Error> {
    Ok(SeatRow {
        side: row.try_get(0)?,
        kind: row.try_get(1)?,
        name: row.try_get(2)?,
        invitation: row.try_get(3)?,
        token: row.try_get(4)?,
    })
}

fn chat_row(row: &SqliteRow) -> Result<ChatRow, sqlx::Error> {
    Ok(ChatRow {
        n: row.try_get(0)?,
        side: row.try_get(1)?,
        name: row.try_get(2)?,
        text: row.try_get(3)?,
        at: row.try_get(4)?,
    })
}
