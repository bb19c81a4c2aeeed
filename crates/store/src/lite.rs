//! SQLite: one file, one process. All writes go through one task that commits whatever has gathered while the disk was busy
//! with the last commit (group commit): a lone write waits for one flush, and a thousand a second still share a few hundred.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::sqlite::{
    Sqlite, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection as _};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::rows::{Change, Job, Kind, Task};
use crate::work::{FORGOTTEN_AFTER, Observer, Work, size};
use crate::{Limits, StoreError, schema};

#[path = "accounts/tables.rs"]
pub(crate) mod accounts;
#[path = "notices/tables.rs"]
pub(crate) mod notices;
#[path = "order/tables.rs"]
pub(crate) mod order;
#[path = "ratings/tables.rs"]
pub(crate) mod ratings;
#[path = "reading.rs"]
pub(crate) mod reading;
#[path = "writing.rs"]
mod writing;

type Connection = SqliteConnection;
const SNAPSHOT: &str = "BEGIN";
/// How many writes share a commit at most.
const TOGETHER: usize = 256;

/// Something to be written, and who waits for it.
struct Asked {
    work: Work,
    done: oneshot::Sender<Result<i64, StoreError>>,
}

/// An open database.
#[derive(Debug)]
pub(crate) struct Lite {
    folder: PathBuf,
    readers: SqlitePool,
    jobs: mpsc::Sender<Asked>,
    writer: JoinHandle<()>,
    /// Held while the store is open, so that two servers never play the same games.
    _lock: File,
}

impl Lite {
    pub(crate) async fn open(folder: &Path, limits: Limits) -> Result<Self, StoreError> {
        fs::create_dir_all(folder)?;
        let lock = File::create(folder.join("linstock.lock"))?;
        lock.try_lock().map_err(|_| StoreError::InUse(folder.to_owned()))?;
        Self::over(folder, limits, lock, true).await
    }

    async fn over(folder: &Path, limits: Limits, lock: File, update: bool) -> Result<Self, StoreError> {
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
        if update {
            schema::sqlite().run(&mut connection).await?;
        }
        let readers = SqlitePoolOptions::new()
            .max_connections(4)
            .acquire_timeout(Duration::from_secs(10))
            .connect_with(options.clone().pragma("query_only", "1"))
            .await?;
        let (jobs, inbox) = mpsc::channel(4096);
        let writer = tokio::spawn(async move {
            run(&mut connection, inbox, limits.observer).await;
            if let Err(error) = connection.close().await {
                tracing::warn!(%error, "the database did not close cleanly");
            }
        });
        Ok(Lite { folder: folder.to_owned(), readers, jobs, writer, _lock: lock })
    }

    /// The same beside a server that may have it open: it is not brought up to date while that runs.
    pub(crate) async fn beside(folder: &Path) -> Result<Self, StoreError> {
        match Self::open(folder, Limits::default()).await {
            Err(StoreError::InUse(_)) => {
                let lock = File::open(folder.join("linstock.lock"))?;
                Self::over(folder, Limits::default(), lock, false).await
            }
            done => done,
        }
    }

    pub(crate) async fn close(self) {
        drop(self.jobs);
        if self.writer.await.is_err() {
            tracing::error!("the writer of the store has failed");
        }
        self.readers.close().await;
    }

    pub(crate) async fn reader(&self) -> Result<PoolConnection<Sqlite>, StoreError> {
        Ok(self.readers.acquire().await?)
    }

    /// Games in which a computer has been waited for.
    pub(crate) async fn due(&self, kind: Kind, now: i64, limit: i64) -> Result<Vec<Task>, StoreError> {
        let rows = sqlx::query_as(schema::SELECT_DUE).bind(kind.name()).bind(now).bind(limit);
        let rows: Vec<(String, i64)> = rows.fetch_all(&mut *self.reader().await?).await?;
        Ok(rows.into_iter().map(|(game, seq)| Task { game, seq }).collect())
    }

    pub(crate) async fn version(&self, game: &str) -> Result<Option<i64>, StoreError> {
        let version = sqlx::query_scalar(schema::SELECT_VERSION).bind(game);
        Ok(version.fetch_optional(&mut *self.reader().await?).await?)
    }

    pub(crate) async fn write(&self, work: Work) -> Result<i64, StoreError> {
        let (done, answer) = oneshot::channel();
        self.jobs.send(Asked { work, done }).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    pub(crate) fn waiting(&self) -> usize {
        self.jobs.max_capacity() - self.jobs.capacity()
    }

    pub(crate) fn size(&self) -> u64 {
        let size = |name: &str| fs::metadata(self.folder.join(name)).map_or(0, |file| file.len());
        size("linstock.sqlite") + size("linstock.sqlite-wal")
    }
}

/// Writes until nobody is left who could send work.
async fn run(connection: &mut Connection, mut inbox: mpsc::Receiver<Asked>, observer: Option<Observer>) {
    let mut jobs = Vec::with_capacity(TOGETHER);
    while inbox.recv_many(&mut jobs, TOGETHER).await > 0 {
        let started = Instant::now();
        let committed = commit(connection, &jobs).await;
        if let Some(observer) = &observer {
            observer(started.elapsed(), jobs.len());
        }
        if let Ok(versions) = committed {
            for (job, version) in jobs.drain(..).zip(versions) {
                let _ = job.done.send(Ok(version));
            }
            continue;
        }
        // One of them could not be written; alone, each finds out whether it was the one.
        for job in jobs.drain(..) {
            let result = commit(connection, std::slice::from_ref(&job)).await;
            let _ = job.done.send(result.map(|versions| versions.into_iter().sum()));
        }
    }
}

async fn commit(connection: &mut Connection, jobs: &[Asked]) -> Result<Vec<i64>, StoreError> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let result = write_all(connection, jobs).await;
    if result.is_err() {
        // Where the failure has already ended the transaction there is nothing to roll back.
        let _ = sqlx::query("ROLLBACK").execute(&mut *connection).await;
    }
    result
}

async fn write_all(connection: &mut Connection, jobs: &[Asked]) -> Result<Vec<i64>, StoreError> {
    let mut versions = Vec::with_capacity(jobs.len());
    for job in jobs {
        versions.push(writing::write(connection, &job.work).await?);
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(versions)
}

/// The fence: this game has as many lines as whoever changes it knows, or nothing happens. Should that ever be passed by
/// two, the key of the lines stops the second.
async fn record(connection: &mut Connection, change: &Change) -> Result<i64, StoreError> {
    let grown = change.lines.len() as i64;
    let version: Option<i64> = sqlx::query_scalar(schema::UPDATE_GAME)
        .bind(&change.game)
        .bind(change.at)
        .bind(&change.summary)
        .bind(&change.asked)
        .bind(size(&change.lines))
        .bind(grown)
        .bind(change.after)
        .bind(&change.was_asked)
        .bind(i64::from(change.over))
        .fetch_optional(&mut *connection)
        .await?;
    let version = version.ok_or(StoreError::Conflict)?;
    if let Some(request) = &change.request {
        writing::keep_request(connection, &change.game, request).await?;
    }
    writing::append(connection, &change.game, change.after, &change.lines).await?;
    notices::tell(connection, &change.game, version, &change.tells).await?;
    match change.job {
        Job::None => {}
        Job::Done => {
            let done = sqlx::query(schema::DELETE_JOB).bind(Kind::Computer.name()).bind(&change.game);
            done.bind(i64::MAX).execute(&mut *connection).await?;
        }
        Job::Due(due) => writing::wait(connection, &change.game, change.after + grown, due).await?,
    }
    let old = sqlx::query(schema::FORGET_REQUESTS).bind(&change.game);
    old.bind(change.after - FORGOTTEN_AFTER).execute(connection).await?;
    Ok(version)
}

/// Others need not take these before `due`.
async fn postpone(
    connection: &mut Connection,
    kind: Kind,
    games: &[String],
    due: i64,
) -> Result<i64, StoreError> {
    for game in games {
        let later = sqlx::query(schema::POSTPONE_JOB).bind(kind.name()).bind(game).bind(due);
        later.execute(&mut *connection).await?;
    }
    Ok(0)
}
