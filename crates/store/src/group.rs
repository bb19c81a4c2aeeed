//! Changes of games on PostgreSQL: whatever has gathered while the last commit was under way goes there in one statement, as it
//! does on SQLite. Each change keeps its own fence. What would have to wait for somebody else is left out and goes alone, so
//! that no game holds up another. The versions that nodes ask for before they answer travel together in the same way.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Connection as _, Executor as _};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use crate::post::{ANSWERED_WITHIN, CONNECTED_WITHIN, TRUSTED, Told};
use crate::rows::{Change, Job, Kind};
use crate::work::{FORGOTTEN_AFTER, size};
use crate::{StoreError, schema};

/// How many travel together at most, and how many may wait for that.
const TOGETHER: usize = 256;
const WAITING: usize = 4096;
/// Everything in these statements is found by its key. PostgreSQL does not know how few rows an array holds: it would plan anew
/// for each, or read whole tables.
const BY_KEY: &str = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; \
     SET enable_hashjoin = off; SET enable_mergejoin = off";

/// What became of a change that travelled with others.
#[derive(Debug)]
pub(crate) enum Fate {
    Settled(Result<i64, StoreError>),
    /// It was not written, and may be tried by itself.
    Alone(Box<Change>),
}

struct AskedChange {
    change: Box<Change>,
    done: oneshot::Sender<Fate>,
}

struct AskedVersion {
    game: String,
    done: oneshot::Sender<Result<Option<i64>, StoreError>>,
}

/// Where changes and questions gather.
#[derive(Debug)]
pub(crate) struct Group {
    changes: mpsc::Sender<AskedChange>,
    versions: mpsc::Sender<AskedVersion>,
}

impl Group {
    /// Ends when it is dropped.
    pub(crate) fn new(options: &PgConnectOptions, told: Arc<Told>) -> Group {
        let (changes, inbox) = mpsc::channel(WAITING);
        tokio::spawn(keep(Lane::new(options), inbox, told));
        let (versions, inbox) = mpsc::channel(WAITING);
        tokio::spawn(tell_versions(Lane::new(options), inbox));
        Group { changes, versions }
    }

    pub(crate) async fn change(&self, change: Box<Change>) -> Fate {
        let (done, answer) = oneshot::channel();
        if self.changes.send(AskedChange { change, done }).await.is_err() {
            return Fate::Settled(Err(StoreError::Closed));
        }
        answer.await.unwrap_or(Fate::Settled(Err(StoreError::Closed)))
    }

    pub(crate) async fn version(&self, game: &str) -> Result<Option<i64>, StoreError> {
        let (done, answer) = oneshot::channel();
        let asked = AskedVersion { game: game.to_owned(), done };
        self.versions.send(asked).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }
}

/// A connection for one kind of statement, beside the pool, so that the plan is made once and nothing else is waited for.
struct Lane {
    options: PgConnectOptions,
    open: Option<(PgConnection, Instant)>,
}

impl Lane {
    fn new(options: &PgConnectOptions) -> Lane {
        Lane { options: options.clone(), open: None }
    }

    /// Does something in time, or gives the connection up.
    async fn run<T>(
        &mut self,
        ask: impl AsyncFnOnce(&mut PgConnection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let late = |_| StoreError::Unreachable("it did not answer in time".into());
        let mut connection = timeout(CONNECTED_WITHIN, self.connection()).await.map_err(late)??;
        let answer = timeout(ANSWERED_WITHIN, ask(&mut connection)).await.map_err(late).flatten();
        if !matches!(answer, Err(StoreError::Unreachable(_))) {
            self.open = Some((connection, Instant::now()));
        }
        answer
    }

    async fn connection(&mut self) -> Result<PgConnection, StoreError> {
        if let Some((mut connection, used)) = self.open.take()
            && (used.elapsed() < TRUSTED || answers(&mut connection).await)
        {
            return Ok(connection);
        }
        let mut connection = self.options.connect().await?;
        connection.execute(BY_KEY).await?;
        Ok(connection)
    }
}

/// Whether a connection that has been idle still lives; one without a sign must not take the time that a new one needs.
async fn answers(connection: &mut PgConnection) -> bool {
    matches!(timeout(CONNECTED_WITHIN / 2, connection.ping()).await, Ok(Ok(())))
}

/// Writes changes until nobody is left who could send some.
async fn keep(mut lane: Lane, mut inbox: mpsc::Receiver<AskedChange>, told: Arc<Told>) {
    let mut gathered = Vec::with_capacity(TOGETHER);
    while inbox.recv_many(&mut gathered, TOGETHER).await > 0 {
        let group = one_of_each_game(gathered.drain(..));
        let changes: Vec<&Change> = group.iter().map(|asked| asked.change.as_ref()).collect();
        let started = Instant::now();
        let written =
            lane.run(async |connection| record(connection, schema::RECORD_FREE, &changes).await).await;
        told.commit(started.elapsed(), group.len());
        for AskedChange { change, done } in group {
            // Whoever has gone finds out when it asks again.
            drop(done.send(fate(&written, change)));
        }
    }
}

/// The first change of each game. A second one waits for the first, and so goes alone.
fn one_of_each_game(gathered: impl Iterator<Item = AskedChange>) -> Vec<AskedChange> {
    let mut games = HashSet::new();
    let mut group = Vec::new();
    for asked in gathered.filter(|asked| !asked.done.is_closed()) {
        if games.insert(asked.change.game.clone()) {
            group.push(asked);
        } else {
            drop(asked.done.send(Fate::Alone(asked.change)));
        }
    }
    group
}

fn fate(written: &Result<Found, StoreError>, change: Box<Change>) -> Fate {
    match written {
        Ok(found) => match found.get(&change.game) {
            Some(version) => Fate::Settled(version.ok_or(StoreError::Conflict)),
            None => Fate::Alone(change),
        },
        Err(StoreError::Unreachable(why)) => Fate::Settled(Err(StoreError::Unreachable(why.clone()))),
        // One of them spoils it, and nothing was written; alone, each finds out whether it was the one.
        Err(_) => Fate::Alone(change),
    }
}

/// The games that could be locked, and the versions that those whose fence let the change pass have come to.
type Found = HashMap<String, Option<i64>>;

/// The fences of changes of different games, and all that is written behind them.
pub(crate) async fn record(
    connection: &mut PgConnection,
    statement: &'static str,
    changes: &[&Change],
) -> Result<Found, StoreError> {
    fn each<'a, T>(changes: &[&'a Change], what: impl Fn(&'a Change) -> T) -> Vec<T> {
        changes.iter().copied().map(what).collect()
    }
    let due = |change: &Change| match change.job {
        Job::Due(due) => Some(due),
        Job::None | Job::Done => None,
    };
    let lines = || {
        changes.iter().flat_map(|change| (change.after..).zip(&change.lines).map(|line| (&change.game, line)))
    };
    let tells = || changes.iter().flat_map(|change| change.tells.iter().map(|tell| (&change.game, tell)));
    let rows: Vec<(String, Option<i64>)> = sqlx::query_as(statement)
        .bind(each(changes, |change| &change.game))
        .bind(each(changes, |change| change.at))
        .bind(each(changes, |change| &change.summary))
        .bind(each(changes, |change| change.asked.as_ref()))
        .bind(each(changes, |change| size(&change.lines)))
        .bind(each(changes, |change| change.lines.len() as i64))
        .bind(each(changes, |change| change.after))
        .bind(each(changes, |change| change.was_asked.as_ref()))
        .bind(each(changes, |change| i64::from(change.over)))
        .bind(each(changes, |change| change.request.as_ref().map(|request| &request.id)))
        .bind(each(changes, |change| change.request.as_ref().map(|request| &request.content)))
        .bind(each(changes, |change| change.request.as_ref().map(|request| &request.answer)))
        .bind(each(changes, |change| change.request.as_ref().map(|request| request.seq)))
        .bind(each(changes, due))
        .bind(each(changes, |change| change.job == Job::Done))
        .bind(lines().map(|(game, _)| game).collect::<Vec<_>>())
        .bind(lines().map(|(_, (seq, _))| seq).collect::<Vec<_>>())
        .bind(lines().map(|(_, (_, line))| line).collect::<Vec<_>>())
        .bind(FORGOTTEN_AFTER)
        .bind(Kind::Computer.name())
        .bind(tells().map(|(game, _)| game).collect::<Vec<_>>())
        .bind(tells().map(|(_, tell)| tell.side).collect::<Vec<_>>())
        .bind(tells().map(|(_, tell)| tell.occasion).collect::<Vec<_>>())
        .bind(tells().map(|(_, tell)| tell.at).collect::<Vec<_>>())
        .bind(tells().map(|(_, tell)| tell.due).collect::<Vec<_>>())
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().collect())
}

/// Answers which versions games have come to, until nobody is left who could ask.
async fn tell_versions(mut lane: Lane, mut inbox: mpsc::Receiver<AskedVersion>) {
    let mut gathered = Vec::with_capacity(TOGETHER);
    while inbox.recv_many(&mut gathered, TOGETHER).await > 0 {
        let games: Vec<&str> = gathered.iter().map(|asked| asked.game.as_str()).collect();
        let found = lane.run(async |connection| versions(connection, &games).await).await;
        for AskedVersion { game, done } in gathered.drain(..) {
            let version = found.as_ref().map(|found| found.get(&game).copied()).map_err(Clone::clone);
            drop(done.send(version));
        }
    }
}

async fn versions(connection: &mut PgConnection, games: &[&str]) -> Result<HashMap<String, i64>, StoreError> {
    let rows = sqlx::query_as(schema::SELECT_VERSIONS).bind(games);
    let rows: Vec<(String, i64)> = rows.fetch_all(connection).await?;
    Ok(rows.into_iter().collect())
}
