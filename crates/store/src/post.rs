//! PostgreSQL: any number of processes. Changes of games travel together (`group`); any other write is a transaction of its own.
//! Whatever does not answer in time is given up together with its connection.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgListener, PgPool, PgPoolOptions, Postgres};
use sqlx::{ConnectOptions, Connection as _};
use tokio::sync::{broadcast, mpsc};
use tokio::task::JoinHandle;

use crate::group::{self, Fate, Group};
use crate::notices::NoticeRow;
use crate::rows::{Change, Kind, Task};
use crate::work::{Observer, Work};
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

type Connection = PgConnection;
const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// How many connections a node has, besides the one it listens on and the two of its groups.
const CONNECTIONS: u32 = 16;
/// How long something waits for a connection, and then for its answer.
pub(crate) const CONNECTED_WITHIN: Duration = Duration::from_secs(5);
pub(crate) const ANSWERED_WITHIN: Duration = Duration::from_secs(5);
/// A connection that was used so lately is not tried out before it is used again.
pub(crate) const TRUSTED: Duration = Duration::from_secs(1);
/// How long a node waits for the database when it starts.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long changes gather before the other nodes are given a hint, and how large a hint may be.
const GATHERED: Duration = Duration::from_millis(10);
const LARGEST_HINT: usize = 7000;
const CHANNEL: &str = "linstock";
/// A listener that has heard nothing for so long is set up anew: its connection may be dead without a sign.
const SILENCE: Duration = Duration::from_secs(30);
/// The fact that a migration writes which nodes of an earlier schema cannot live with.
const OLDEST: &str = "oldest_schema";

/// A database that is shared with other nodes.
#[derive(Debug)]
pub(crate) struct Post {
    pool: PgPool,
    group: Group,
    under_way: AtomicUsize,
    size: Arc<AtomicU64>,
    changed: mpsc::UnboundedSender<String>,
    heard: broadcast::Sender<String>,
    tasks: Vec<JoinHandle<()>>,
    told: Arc<Told>,
}

/// Whoever is told of commits.
pub(crate) struct Told(Option<Observer>);

impl Told {
    pub(crate) fn commit(&self, took: Duration, writes: usize) {
        if let Told(Some(observer)) = self {
            observer(took, writes);
        }
    }
}

impl std::fmt::Debug for Told {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Told")
    }
}

impl Drop for Post {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl Post {
    pub(crate) async fn open(url: &str, limits: Limits) -> Result<Self, StoreError> {
        let options: PgConnectOptions = url.parse()?;
        let options = options.application_name("linstock").disable_statement_logging();
        let patience = limits.patience.unwrap_or(PATIENCE);
        let mut connection = connect(&options, patience).await?;
        migrate(&mut connection).await?;
        connection.close().await?;
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS + 1)
            .acquire_timeout(CONNECTED_WITHIN)
            .test_before_acquire(false)
            .before_acquire(|connection, about| {
                Box::pin(async move {
                    if about.idle_for > TRUSTED {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .connect_lazy_with(options.clone());
        let (changed, to_tell) = mpsc::unbounded_channel();
        let heard = broadcast::channel(1024).0;
        let size = Arc::new(AtomicU64::new(0));
        let started = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
        let node = format!("{:x}-{started:x}", std::process::id());
        let tasks = vec![
            tokio::spawn(tell(pool.clone(), node.clone(), to_tell)),
            tokio::spawn(listen(pool.clone(), node, heard.clone())),
            tokio::spawn(measure(pool.clone(), size.clone())),
        ];
        let told = Arc::new(Told(limits.observer));
        let group = Group::new(&options, told.clone());
        Ok(Post { pool, group, under_way: AtomicUsize::new(0), size, changed, heard, tasks, told })
    }

    pub(crate) async fn close(self) {
        self.pool.close().await;
    }

    pub(crate) async fn connection(&self) -> Result<PoolConnection<Postgres>, StoreError> {
        Ok(self.pool.acquire().await?)
    }

    pub(crate) async fn write(&self, work: Work) -> Result<i64, StoreError> {
        self.under_way.fetch_add(1, Ordering::Relaxed);
        let changes = work.changes().map(str::to_owned);
        let written = match work {
            Work::Change(change) if change.slips.is_empty() => self.change(change).await,
            work => self.alone(&work).await,
        };
        self.under_way.fetch_sub(1, Ordering::Relaxed);
        if written.is_ok()
            && let Some(game) = changes
        {
            let _ = self.changed.send(game);
        }
        written
    }

    async fn change(&self, change: Box<Change>) -> Result<i64, StoreError> {
        match self.group.change(change).await {
            Fate::Settled(result) => result,
            Fate::Alone(change) => self.alone(&Work::Change(change)).await,
        }
    }

    async fn alone(&self, work: &Work) -> Result<i64, StoreError> {
        let started = Instant::now();
        let mut connection = self.connection().await?;
        let result = tokio::time::timeout(ANSWERED_WITHIN, transact(&mut connection, work)).await;
        self.told.commit(started.elapsed(), 1);
        in_time(connection, result)
    }

    pub(crate) async fn version(&self, game: &str) -> Result<Option<i64>, StoreError> {
        self.group.version(game).await
    }

    /// Takes work that is due; the other nodes do not see it until `until`.
    pub(crate) async fn take(
        &self,
        kind: Kind,
        now: i64,
        limit: i64,
        until: i64,
    ) -> Result<Vec<Task>, StoreError> {
        let mut connection = self.connection().await?;
        let rows = sqlx::query_as(schema::TAKE_DUE).bind(kind.name()).bind(now).bind(limit).bind(until);
        let result = tokio::time::timeout(ANSWERED_WITHIN, rows.fetch_all(&mut *connection)).await;
        let rows: Vec<(String, i64)> =
            in_time(connection, result.map(|rows| rows.map_err(StoreError::from)))?;
        Ok(rows.into_iter().map(|(game, seq)| Task { game, seq }).collect())
    }

    /// Takes notices that are due; the other nodes do not see them until `until`.
    pub(crate) async fn take_notices(
        &self,
        now: i64,
        limit: i64,
        until: i64,
    ) -> Result<Vec<NoticeRow>, StoreError> {
        let mut connection = self.connection().await?;
        let rows = sqlx::query_as(crate::notices::TAKE_NOTICES).bind(now).bind(limit).bind(until);
        let result = tokio::time::timeout(ANSWERED_WITHIN, rows.fetch_all(&mut *connection)).await;
        let rows: Vec<notices::Notice> =
            in_time(connection, result.map(|rows| rows.map_err(StoreError::from)))?;
        Ok(rows.into_iter().map(notices::notice_row).collect())
    }

    /// Those of these games that have another version by now, or are gone.
    pub(crate) async fn outdated(&self, known: &[(String, i64)]) -> Result<Vec<String>, StoreError> {
        let (ids, versions): (Vec<&str>, Vec<i64>) = known.iter().map(|(id, v)| (id.as_str(), *v)).unzip();
        let mut connection = self.connection().await?;
        let rows = sqlx::query_scalar(
            "SELECT k.id FROM UNNEST($1::text[], $2::bigint[]) AS k (id, version) \
             LEFT JOIN games g ON g.id = k.id WHERE g.version IS DISTINCT FROM k.version",
        );
        let rows = rows.bind(ids).bind(versions);
        let result = tokio::time::timeout(ANSWERED_WITHIN, rows.fetch_all(&mut *connection)).await;
        in_time(connection, result.map(|rows| rows.map_err(StoreError::from)))
    }

    pub(crate) fn hints(&self) -> broadcast::Receiver<String> {
        self.heard.subscribe()
    }

    pub(crate) fn waiting(&self) -> usize {
        self.under_way.load(Ordering::Relaxed)
    }

    pub(crate) fn size(&self) -> u64 {
        self.size.load(Ordering::Relaxed)
    }
}

/// What came of a statement. A connection that did not answer in time, or broke, is not used again.
pub(crate) fn in_time<T>(
    connection: PoolConnection<Postgres>,
    result: Result<Result<T, StoreError>, tokio::time::error::Elapsed>,
) -> Result<T, StoreError> {
    let result = result.unwrap_or_else(|_| Err(StoreError::Unreachable("it did not answer in time".into())));
    if matches!(result, Err(StoreError::Unreachable(_))) {
        drop(connection.detach());
    }
    result
}

/// How long a read may take.
pub(crate) async fn within<T>(
    reading: impl Future<Output = Result<T, StoreError>>,
) -> Result<Result<T, StoreError>, tokio::time::error::Elapsed> {
    tokio::time::timeout(ANSWERED_WITHIN, reading).await
}

/// The fence, and all that is written behind it.
async fn record(connection: &mut Connection, change: &Change) -> Result<i64, StoreError> {
    let found = group::record(connection, schema::RECORD, &[change]).await?;
    found.get(&change.game).copied().flatten().ok_or(StoreError::Conflict)
}

/// Others need not take these before `due`.
async fn postpone(
    connection: &mut Connection,
    kind: Kind,
    games: &[String],
    due: i64,
) -> Result<i64, StoreError> {
    let later = sqlx::query(schema::POSTPONE_JOBS).bind(kind.name()).bind(games).bind(due);
    later.execute(connection).await?;
    Ok(0)
}

async fn transact(connection: &mut Connection, work: &Work) -> Result<i64, StoreError> {
    let mut transaction = connection.begin().await?;
    match writing::write(&mut transaction, work).await {
        Ok(version) => {
            transaction.commit().await?;
            Ok(version)
        }
        Err(error) => {
            transaction.rollback().await?;
            Err(error)
        }
    }
}

/// Waits for a database that is just starting, as in a set of containers.
async fn connect(options: &PgConnectOptions, patience: Duration) -> Result<Connection, StoreError> {
    let until = Instant::now() + patience;
    loop {
        let tried = tokio::time::timeout(CONNECTED_WITHIN, options.connect()).await;
        let error = match tried {
            Ok(Ok(connection)) => return Ok(connection),
            Ok(Err(error)) => StoreError::from(error),
            Err(_) => StoreError::Unreachable("it did not answer in time".into()),
        };
        let (host, port) = (options.get_host(), options.get_port());
        match error {
            StoreError::Unreachable(why) if Instant::now() < until => {
                tracing::warn!(host, port, why, "waiting for the database");
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            StoreError::Unreachable(why) => {
                return Err(StoreError::Unreachable(format!("{host}, port {port}: {why}")));
            }
            other => return Err(other),
        }
    }
}

/// Brings the schema up to date. A later one is fine as long as it says that this program can live with it, so that an old
/// node may start again while others are being replaced.
async fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let mut steps = schema::postgres();
    steps.set_ignore_missing(true);
    steps.run(&mut *connection).await?;
    let oldest = reading::noted(connection, OLDEST).await?.and_then(|n| n.parse::<i64>().ok());
    match oldest {
        Some(oldest) if oldest > schema::POSTGRES => Err(StoreError::Newer(format!(
            "it needs a program of schema {oldest} or later, this one has {}",
            schema::POSTGRES
        ))),
        _ => Ok(()),
    }
}

/// Gives the other nodes hints, many changes in one. A hint may be lost: the version of the game is the truth.
async fn tell(pool: PgPool, node: String, mut changed: mpsc::UnboundedReceiver<String>) {
    while let Some(first) = changed.recv().await {
        tokio::time::sleep(GATHERED).await;
        let mut games = BTreeSet::from([first]);
        while let Ok(game) = changed.try_recv() {
            games.insert(game);
        }
        let mut hint = node.clone();
        for game in games {
            if hint.len() + game.len() >= LARGEST_HINT {
                notify(&pool, &hint).await;
                hint.clone_from(&node);
            }
            hint.push(' ');
            hint.push_str(&game);
        }
        notify(&pool, &hint).await;
    }
}

async fn notify(pool: &PgPool, hint: &str) {
    let told = sqlx::query(schema::NOTIFY).bind(CHANNEL).bind(hint).execute(pool);
    if !matches!(tokio::time::timeout(ANSWERED_WITHIN, told).await, Ok(Ok(_))) {
        tracing::debug!("a hint to the other nodes is lost");
    }
}

/// Hears the hints of the other nodes.
async fn listen(pool: PgPool, node: String, heard: broadcast::Sender<String>) {
    loop {
        if let Ok(Ok(mut listener)) =
            tokio::time::timeout(CONNECTED_WITHIN, PgListener::connect_with(&pool)).await
            && let Ok(Ok(())) = tokio::time::timeout(ANSWERED_WITHIN, listener.listen(CHANNEL)).await
        {
            while let Ok(Ok(hint)) = tokio::time::timeout(SILENCE, listener.recv()).await {
                let mut words = hint.payload().split(' ');
                if words.next() != Some(&node) {
                    // Nobody listening is no failure.
                    words.for_each(|game| drop(heard.send(game.to_owned())));
                }
            }
            continue;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

async fn measure(pool: PgPool, size: Arc<AtomicU64>) {
    loop {
        let asked = sqlx::query_scalar("SELECT pg_database_size(current_database())").fetch_one(&pool);
        if let Ok(Ok(bytes)) = tokio::time::timeout(ANSWERED_WITHIN, asked).await {
            let bytes: i64 = bytes;
            size.store(bytes as u64, Ordering::Relaxed);
        }
        tokio::time::sleep(Duration::from_secs(60)).await;
    }
}
