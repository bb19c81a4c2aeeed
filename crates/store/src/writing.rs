//! What each write does to the tables. Compiled once for each database: `Connection` is that of the module around this one, and
//! so are `record`, which keeps a change of the journal, and `postpone`.

use super::{Connection, accounts, notices, order, postpone, ratings, record};
use crate::rows::{ChallengeRow, ChatRow, Kept, Kind, Picture, Promise, Request, ReviewRow, Task};
use crate::slips::{DELETE_SLIP, INSERT_SLIP, Swap, UPDATE_SLIP};
use crate::work::{Whole, Work, said, size};
use crate::{StoreError, schema};

/// Writes inside a transaction that is already open. Answers the version that the game has come to, 0 where there is none.
pub(crate) async fn write(connection: &mut Connection, work: &Work) -> Result<i64, StoreError> {
    match work {
        Work::Settle => Ok(0),
        Work::Create { kept, due, slips } => {
            create(connection, kept, *due).await?;
            swap(connection, &kept.game.id, slips).await?;
            Ok(0)
        }
        Work::Change(change) => {
            let version = record(connection, change).await?;
            swap(connection, &change.game, &change.slips).await?;
            Ok(version)
        }
        Work::Swap { game, swaps, tells } => {
            let version = changed(connection, game, 0).await?;
            swap(connection, game, swaps).await?;
            notices::tell(connection, game, version, tells).await?;
            Ok(version)
        }
        Work::StandIn { game, side, level, swaps } => {
            let version = changed(connection, game, 0).await?;
            let taken = sqlx::query(schema::STAND_IN).bind(game).bind(side).bind(level);
            must_change(taken.execute(&mut *connection).await?.rows_affected())?;
            swap(connection, game, swaps).await?;
            Ok(version)
        }
        Work::Claim { game, side, token, name, tells } => {
            let claimed = sqlx::query(schema::CLAIM_SEAT).bind(game).bind(side).bind(token).bind(name);
            must_change(claimed.execute(&mut *connection).await?.rows_affected())?;
            let version = changed(connection, game, 0).await?;
            sqlx::query(schema::CLOSE_CHALLENGE).bind(game).bind(side).execute(&mut *connection).await?;
            notices::tell(connection, game, version, tells).await?;
            Ok(version)
        }
        Work::Rename { game, side, name } => {
            let renamed = sqlx::query(schema::RENAME_SEAT).bind(game).bind(side).bind(name);
            renamed.execute(&mut *connection).await?;
            changed(connection, game, 0).await
        }
        Work::Say { game, line, request } => {
            // First the game, so that two who write in one game always wait for each other in the same order.
            let version = changed(connection, game, said(line)).await?;
            keep_request(connection, game, request).await?;
            say(connection, game, line).await?;
            Ok(version)
        }
        Work::Rewrite { game, lines } => {
            let version = sqlx::query_scalar(schema::UPDATE_REWRITTEN).bind(game).bind(lines.len() as i64);
            let version: Option<i64> = version.fetch_optional(&mut *connection).await?;
            let version = version.ok_or(StoreError::Conflict)?;
            sqlx::query(schema::DELETE_LINES).bind(game).execute(&mut *connection).await?;
            append(connection, game, 0, lines).await?;
            Ok(version)
        }
        Work::Draw { game, picture } => draw(connection, game, picture).await,
        Work::Delete { games, before } => delete(connection, games, *before).await,
        Work::Fact { name, value, once } => {
            let statement = if *once { schema::INSERT_FACT_ONCE } else { schema::INSERT_FACT };
            sqlx::query(statement).bind(name).bind(value).execute(connection).await?;
            Ok(0)
        }
        Work::Enqueue { kind, game, seq, due } => {
            let waits = sqlx::query(schema::INSERT_JOB_ONCE).bind(kind.name()).bind(game).bind(seq).bind(due);
            waits.execute(connection).await?;
            Ok(0)
        }
        Work::Dismiss { kind, game, seq } => {
            let gone = sqlx::query(schema::DELETE_JOB).bind(kind.name()).bind(game).bind(seq);
            gone.execute(connection).await?;
            Ok(0)
        }
        Work::Postpone { kind, games, due } => postpone(connection, *kind, games, *due).await,
        Work::Advance { kind, task: Task { game, seq }, done, due } => {
            let on = sqlx::query(schema::ADVANCE_JOB).bind(kind.name()).bind(game).bind(seq).bind(done);
            must_change(on.bind(due).execute(connection).await?.rows_affected())
        }
        Work::Review { game, review } => {
            let done = sqlx::query(schema::FINISH_JOB).bind(Kind::Review.name()).bind(game).bind(review.seq);
            must_change(done.execute(&mut *connection).await?.rows_affected())?;
            keep_review(connection, game, review).await
        }
        Work::Promise(Promise { commitment, secret, until, owner }) => {
            let promised =
                sqlx::query(schema::INSERT_PROMISE).bind(commitment).bind(secret).bind(until).bind(owner);
            promised.execute(connection).await?;
            Ok(0)
        }
        Work::Redeem { commitment } => {
            let kept = sqlx::query(schema::DELETE_PROMISE).bind(commitment).execute(connection).await?;
            must_change(kept.rows_affected())
        }
        Work::Forget { until } => {
            accounts::forget(connection, *until).await?;
            order::forget(connection, *until).await?;
            sqlx::query(schema::FORGET_PROMISES).bind(until).execute(&mut *connection).await?;
            sqlx::query(schema::FORGET_CHALLENGES).bind(until).execute(connection).await?;
            Ok(0)
        }
        Work::PutUp(challenge) => put_up(connection, challenge).await,
        Work::Withdraw { game } => {
            let gone = sqlx::query(schema::WITHDRAW_CHALLENGE).bind(game).execute(connection).await?;
            must_change(gone.rows_affected())
        }
        Work::Accept { id, game, side, token, name, now, tells } => {
            let claimed = sqlx::query(schema::CLAIM_SEAT).bind(game).bind(side).bind(token).bind(name);
            must_change(claimed.execute(&mut *connection).await?.rows_affected())?;
            let version = changed(connection, game, 0).await?;
            let accepted = sqlx::query(schema::ACCEPT_CHALLENGE).bind(id).bind(now);
            must_change(accepted.execute(&mut *connection).await?.rows_affected())?;
            notices::tell(connection, game, version, tells).await?;
            Ok(version)
        }
        Work::Rematch { kept, old, slips } => {
            let version = sqlx::query_scalar(schema::UPDATE_REMATCH).bind(old).bind(&kept.game.id);
            let version: Option<i64> = version.fetch_optional(&mut *connection).await?;
            let version = version.ok_or(StoreError::Conflict)?;
            create(connection, kept, None).await?;
            swap(connection, &kept.game.id, slips).await?;
            Ok(version)
        }
        Work::Archive { game, version, name } => {
            let archived = sqlx::query(schema::UPDATE_ARCHIVED).bind(game).bind(name).bind(version);
            must_change(archived.execute(&mut *connection).await?.rows_affected())?;
            sqlx::query(schema::DELETE_LINES).bind(game).execute(connection).await?;
            Ok(0)
        }
        Work::Account(work) => accounts::write(connection, work).await,
        Work::Notice(work) => notices::write(connection, work).await,
        Work::Order(work) => order::write(connection, work).await,
        Work::Rating(work) => ratings::write(connection, work).await,
        Work::Import(whole) => import(connection, whole).await,
    }
}

pub(super) fn must_change(rows: u64) -> Result<i64, StoreError> {
    if rows == 0 { Err(StoreError::Conflict) } else { Ok(0) }
}

/// Something of the game has changed besides its journal.
pub(super) async fn changed(connection: &mut Connection, game: &str, bytes: i64) -> Result<i64, StoreError> {
    let version = sqlx::query_scalar(schema::UPDATE_VERSION).bind(game).bind(bytes);
    version.fetch_optional(connection).await?.ok_or(StoreError::Conflict)
}

async fn create(connection: &mut Connection, kept: &Kept, due: Option<i64>) -> Result<i64, StoreError> {
    let game = &kept.game;
    sqlx::query(schema::INSERT_GAME)
        .bind(&game.id)
        .bind(game.made)
        .bind(game.touched)
        .bind(i64::from(game.public))
        .bind(&game.secret)
        .bind(&game.summary)
        .bind(&game.asked)
        .bind(&game.owner)
        .bind(size(&kept.lines))
        .bind(kept.lines.len() as i64)
        .bind(&game.rematch)
        .bind(i64::from(game.over))
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
    append(connection, &game.id, 0, &kept.lines).await?;
    if let Some(due) = due {
        wait(connection, &game.id, kept.lines.len() as i64, due).await?;
    }
    Ok(0)
}

pub(super) async fn wait(
    connection: &mut Connection,
    game: &str,
    seq: i64,
    due: i64,
) -> Result<(), StoreError> {
    let waits = sqlx::query(schema::INSERT_JOB).bind(Kind::Computer.name()).bind(game).bind(seq).bind(due);
    waits.execute(connection).await?;
    Ok(())
}

/// Changes slips that still say what they said.
async fn swap(connection: &mut Connection, game: &str, swaps: &[Swap]) -> Result<(), StoreError> {
    for Swap { name, was, body, due } in swaps {
        let query = match (was, body) {
            (None, None) => continue,
            (None, Some(body)) => sqlx::query(INSERT_SLIP).bind(game).bind(name).bind(body).bind(due),
            (Some(was), None) => sqlx::query(DELETE_SLIP).bind(game).bind(name).bind(was),
            (Some(was), Some(body)) => {
                sqlx::query(UPDATE_SLIP).bind(game).bind(name).bind(body).bind(due).bind(was)
            }
        };
        must_change(query.execute(&mut *connection).await?.rows_affected())?;
    }
    Ok(())
}

pub(super) async fn append(
    connection: &mut Connection,
    game: &str,
    after: i64,
    lines: &[String],
) -> Result<(), StoreError> {
    for (seq, line) in (after..).zip(lines) {
        sqlx::query(schema::INSERT_LINE).bind(game).bind(seq).bind(line).execute(&mut *connection).await?;
    }
    Ok(())
}

pub(super) async fn keep_request(
    connection: &mut Connection,
    game: &str,
    request: &Request,
) -> Result<(), StoreError> {
    let Request { id, content, answer, seq } = request;
    let kept = sqlx::query(schema::INSERT_REQUEST).bind(game).bind(id).bind(content).bind(answer).bind(seq);
    kept.execute(connection).await?;
    Ok(())
}

async fn keep_review(connection: &mut Connection, game: &str, review: &ReviewRow) -> Result<i64, StoreError> {
    let kept = sqlx::query(schema::INSERT_REVIEW).bind(game).bind(review.seq).bind(&review.body);
    kept.execute(connection).await?;
    Ok(0)
}

async fn put_up(connection: &mut Connection, challenge: &ChallengeRow) -> Result<i64, StoreError> {
    let ChallengeRow { id, game, side, made, until, owner, face, .. } = challenge;
    let put = sqlx::query(schema::INSERT_CHALLENGE).bind(id).bind(game).bind(side).bind(made).bind(until);
    must_change(put.bind(owner).bind(face).execute(connection).await?.rows_affected())
}

async fn copy_challenge(connection: &mut Connection, challenge: &ChallengeRow) -> Result<(), StoreError> {
    let ChallengeRow { id, game, side, made, until, taken, owner, face } = challenge;
    let put = sqlx::query(schema::COPY_CHALLENGE).bind(id).bind(game).bind(side).bind(made).bind(until);
    put.bind(owner).bind(face).bind(i64::from(*taken)).execute(connection).await?;
    Ok(())
}

async fn say(connection: &mut Connection, game: &str, line: &ChatRow) -> Result<(), StoreError> {
    let ChatRow { n, side, name, text, at } = line;
    let said = sqlx::query(schema::INSERT_CHAT).bind(game).bind(n).bind(side).bind(name).bind(text).bind(at);
    said.execute(connection).await?;
    Ok(())
}

async fn draw(connection: &mut Connection, game: &str, picture: &Picture) -> Result<i64, StoreError> {
    let Picture { state, board_hash, board, body } = picture;
    sqlx::query(schema::INSERT_BOARD).bind(board_hash).bind(board).execute(&mut *connection).await?;
    let drawn = sqlx::query(schema::INSERT_PICTURE).bind(game).bind(state).bind(board_hash).bind(body);
    drawn.execute(&mut *connection).await?;
    let bytes = (board.len() + body.len()) as i64;
    sqlx::query(schema::UPDATE_DRAWN).bind(game).bind(bytes).execute(connection).await?;
    Ok(0)
}

async fn delete(connection: &mut Connection, games: &[String], before: i64) -> Result<i64, StoreError> {
    for game in games {
        let gone = sqlx::query(schema::DELETE_GAME).bind(game).bind(before).execute(&mut *connection).await?;
        if gone.rows_affected() == 0 {
            continue;
        }
        for statement in schema::DELETE_PARTS {
            sqlx::query(statement).bind(game).execute(&mut *connection).await?;
        }
    }
    sqlx::query(schema::DELETE_BOARDS).execute(connection).await?;
    Ok(0)
}

async fn import(connection: &mut Connection, whole: &Whole) -> Result<i64, StoreError> {
    let game = &whole.kept.game.id;
    create(connection, &whole.kept, None).await?;
    for request in &whole.requests {
        keep_request(connection, game, request).await?;
    }
    let mut bytes = 0;
    for line in &whole.chat {
        say(connection, game, line).await?;
        bytes += said(line);
    }
    if let Some(picture) = &whole.picture {
        draw(connection, game, picture).await?;
    }
    if let Some(challenge) = &whole.challenge {
        copy_challenge(connection, challenge).await?;
    }
    for slip in &whole.slips {
        let kept = sqlx::query(INSERT_SLIP).bind(game).bind(&slip.name).bind(&slip.body).bind(slip.due);
        kept.execute(&mut *connection).await?;
    }
    if let Some(review) = &whole.review {
        keep_review(connection, game, review).await?;
    }
    changed(connection, game, bytes).await
}
