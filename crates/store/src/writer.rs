//! The one task that writes.

use sqlx::SqliteConnection;
use tokio::sync::{mpsc, oneshot};

use std::time::{Duration, Instant};

use crate::rows::{Change, ChatRow, Kept, Picture, Request};
use crate::{StoreError, schema};

/// How many writes share a commit at most.
const TOGETHER: usize = 256;
/// A request is forgotten when the journal has grown by so many lines since.
const FORGOTTEN_AFTER: i64 = 64;
/// What a row takes besides its text.
const ROW: usize = 64;

/// Told of every commit: how long it took, and how many writes shared it.
pub type Observer = Box<dyn Fn(Duration, usize) + Send + Sync>;

/// Something to be written.
#[derive(Debug)]
pub(crate) enum Work {
    Create(Box<Kept>),
    Change(Box<Change>),
    Claim {
        game: String,
        side: i64,
        token: String,
        name: String,
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
    /// Other lines from `from` on, as many as there were: the journal written down anew.
    Rewrite {
        game: String,
        lines: Vec<String>,
    },
    Draw {
        game: String,
        picture: Box<Picture>,
    },
    Delete {
        games: Vec<String>,
    },
    Fact {
        name: String,
        value: String,
    },
    Settle,
}

/// Something to be written, and who waits for it.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) work: Work,
    pub(crate) done: oneshot::Sender<Result<(), StoreError>>,
}

/// Writes until nobody is left who could send work.
pub(crate) async fn run(
    connection: &mut SqliteConnection,
    mut inbox: mpsc::Receiver<Job>,
    observer: Option<Observer>,
) {
    let mut jobs = Vec::with_capacity(TOGETHER);
    while inbox.recv_many(&mut jobs, TOGETHER).await > 0 {
        let started = Instant::now();
        let committed = commit(connection, &jobs).await;
        if let Some(observer) = &observer {
            observer(started.elapsed(), jobs.len());
        }
        if committed.is_ok() {
            for job in jobs.drain(..) {
                let _ = job.done.send(Ok(()));
            }
            continue;
        }
        // One of them could not be written; alone, each finds out whether it was the one.
        for job in jobs.drain(..) {
            let result = commit(connection, std::slice::from_ref(&job)).await;
            let _ = job.done.send(result);
        }
    }
}

async fn commit(connection: &mut SqliteConnection, jobs: &[Job]) -> Result<(), StoreError> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let mut result = Ok(());
    for job in jobs {
        result = write(connection, &job.work).await;
        if result.is_err() {
            break;
        }
    }
    if result.is_ok() {
        result = sqlx::query("COMMIT").execute(&mut *connection).await.map(drop).map_err(StoreError::from);
    }
    if result.is_err() {
        // Where the failure has already ended the transaction there is nothing to roll back.
        let _ = sqlx::query("ROLLBACK").execute(&mut *connection).await;
    }
    result
}

async fn write(connection: &mut SqliteConnection, work: &Work) -> Result<(), StoreError> {
    match work {
        Work::Settle => Ok(()),
        Work::Create(kept) => create(connection, kept).await,
        Work::Change(change) => record(connection, change).await,
        Work::Claim { game, side, token, name } => {
            let claimed = sqlx::query(schema::CLAIM_SEAT).bind(game).bind(side).bind(token).bind(name);
            match claimed.execute(connection).await?.rows_affected() {
                0 => Err(StoreError::Conflict),
                _ => Ok(()),
            }
        }
        Work::Rename { game, side, name } => {
            sqlx::query(schema::RENAME_SEAT).bind(game).bind(side).bind(name).execute(connection).await?;
            Ok(())
        }
        Work::Say { game, line, request } => {
            keep_request(connection, game, request).await?;
            let ChatRow { n, side, name, text, at } = line;
            let said =
                sqlx::query(schema::INSERT_CHAT).bind(game).bind(n).bind(side).bind(name).bind(text).bind(at);
            said.execute(&mut *connection).await?;
            let bytes = (text.len() + name.len() + ROW) as i64;
            sqlx::query(schema::UPDATE_BYTES).bind(game).bind(bytes).execute(connection).await?;
            Ok(())
        }
        Work::Rewrite { game, lines } => {
            for (seq, line) in (0_i64..).zip(lines) {
                let written = sqlx::query(schema::UPDATE_LINE).bind(game).bind(seq).bind(line);
                if written.execute(&mut *connection).await?.rows_affected() != 1 {
                    return Err(StoreError::Conflict);
                }
            }
            Ok(())
        }
        Work::Draw { game, picture } => {
            let Picture { state, board_hash, board, body } = &**picture;
            sqlx::query(schema::INSERT_BOARD).bind(board_hash).bind(board).execute(&mut *connection).await?;
            let drawn =
                sqlx::query(schema::INSERT_PICTURE).bind(game).bind(state).bind(board_hash).bind(body);
            drawn.execute(&mut *connection).await?;
            let bytes = (board.len() + body.len()) as i64;
            sqlx::query(schema::UPDATE_DRAWN).bind(game).bind(bytes).execute(connection).await?;
            Ok(())
        }
        Work::Delete { games } => {
            for game in games {
                for statement in schema::DELETE_GAME {
                    sqlx::query(statement).bind(game).execute(&mut *connection).await?;
                }
            }
            sqlx::query(schema::DELETE_BOARDS).execute(connection).await?;
            Ok(())
        }
        Work::Fact { name, value } => {
            sqlx::query(schema::INSERT_FACT).bind(name).bind(value).execute(connection).await?;
            Ok(())
        }
    }
}

async fn create(connection: &mut SqliteConnection, kept: &Kept) -> Result<(), StoreError> {
    let game = &kept.game;
    sqlx::query(schema::INSERT_GAME)
        .bind(&game.id)
        .bind(game.made)
        .bind(game.touched)
        .bind(i64::from(game.public))
        .bind(&game.secret)
        .bind(&game.summary)
        .bind(&game.owner)
        .bind(size(&kept.lines))
        .execute(&mut *connection)
        .await?;
    for seat in &kept.seats {
        sqlx::query(schema::INSERT_SEAT)
            .bind(&game.id)
            .bind(seat.side)
            .bind(&seat.kind)
            .bind(&seat.name)
            .bind(&seat.invitation)
            .bind(&seat.token)
            .execute(&mut *connection)
            .await?;
    }
    append(connection, &game.id, 0, &kept.lines).await
}

async fn record(connection: &mut SqliteConnection, change: &Change) -> Result<(), StoreError> {
    if let Some(request) = &change.request {
        keep_request(connection, &change.game, request).await?;
    }
    append(connection, &change.game, change.after, &change.lines).await?;
    sqlx::query(schema::UPDATE_GAME)
        .bind(&change.game)
        .bind(change.at)
        .bind(&change.summary)
        .bind(&change.asked)
        .bind(size(&change.lines))
        .execute(&mut *connection)
        .await?;
    sqlx::query(schema::FORGET_REQUESTS)
        .bind(&change.game)
        .bind(change.after - FORGOTTEN_AFTER)
        .execute(connection)
        .await?;
    Ok(())
}

fn size(lines: &[String]) -> i64 {
    lines.iter().map(|line| line.len() + ROW).sum::<usize>() as i64
}

async fn append(
    connection: &mut SqliteConnection,
    game: &str,
    after: i64,
    lines: &[String],
) -> Result<(), StoreError> {
    for (seq, line) in (after..).zip(lines) {
        sqlx::query(schema::INSERT_LINE).bind(game).bind(seq).bind(line).execute(&mut *connection).await?;
    }
    Ok(())
}

async fn keep_request(
    connection: &mut SqliteConnection,
    game: &str,
    request: &Request,
) -> Result<(), StoreError> {
    let Request { id, content, answer, seq } = request;
    sqlx::query(schema::INSERT_REQUEST)
        .bind(game)
        .bind(id)
        .bind(content)
        .bind(answer)
        .bind(seq)
        .execute(connection)
        .await?;
    Ok(())
}
