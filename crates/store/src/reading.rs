//! What is read, each as one statement or inside one snapshot. Compiled once for each database.

use sqlx::Connection as _;

pub(crate) use super::accounts::{
    account, account_ids, ceremony, own_games, own_seats, passkey, passkeys, recovered, recovery_codes,
    session, sessions,
};
pub(crate) use super::notices::{
    account_of_email, channel, channels, due_notices, notice_settings, noticed, sealed_notices,
};
pub(crate) use super::order::{
    administrators, appeals, audit, count_ties, find_accounts, measure, measures, reports, reports_by,
    seat_account, ties, ties_between,
};
pub(crate) use super::ratings::{met, rated_after, rated_game, rated_games, rated_in, rating, ratings};
use super::{Connection, SNAPSHOT};
use crate::rows::{
    ChallengeRow, ChatRow, GameRow, Kind, News, Picture, Request, ReviewRow, SeatRow, Untouched, Waiting,
};
use crate::slips::{SELECT_DUE_SLIPS, SELECT_SLIPS, SlipRow};
use crate::{StoreError, schema};

type Read<T> = Result<T, StoreError>;
type Game = (
    String,
    i64,
    i64,
    i64,
    String,
    String,
    Option<String>,
    String,
    i64,
    i64,
    Option<String>,
    i64,
    Option<String>,
);
type Seat = (i64, String, String, Option<String>, Option<String>);
type Challenge = (String, String, i64, i64, i64, i64, String, String);
type Line = (i64, i64, String, String, i64);

fn game_row(row: Game) -> GameRow {
    let (id, made, touched, public, secret, summary, asked, owner, bytes, version, rematch, over, archive) =
        row;
    let (public, over) = (public != 0, over != 0);
    GameRow {
        id,
        made,
        touched,
        public,
        secret,
        summary,
        asked,
        owner,
        bytes,
        version,
        rematch,
        over,
        archive,
    }
}

fn seat_row((side, kind, name, invitation, token): Seat) -> SeatRow {
    SeatRow { side, kind, name, invitation, token }
}

fn challenge_row((id, game, side, made, until, taken, owner, face): Challenge) -> ChallengeRow {
    ChallengeRow { id, game, side, made, until, taken: taken != 0, owner, face }
}

fn chat_row((n, side, name, text, at): Line) -> ChatRow {
    ChatRow { n, side, name, text, at }
}

/// The game, its seats and its lines from `from` on, all of one moment.
pub(crate) async fn news(connection: &mut Connection, id: &str, from: i64) -> Read<Option<News>> {
    let mut snapshot = connection.begin_with(SNAPSHOT).await?;
    let Some(game) = summary(&mut snapshot, id).await? else { return Ok(None) };
    let seats = seats(&mut snapshot, id).await?;
    let lines = sqlx::query_scalar(schema::SELECT_LINES).bind(id).bind(from);
    let lines = lines.fetch_all(&mut *snapshot).await?;
    let chat = last_chat(&mut snapshot, id).await?;
    snapshot.commit().await?;
    Ok(Some(News { game, seats, lines, chat }))
}

pub(crate) async fn summary(connection: &mut Connection, id: &str) -> Read<Option<GameRow>> {
    let row: Option<Game> = sqlx::query_as(schema::SELECT_GAME).bind(id).fetch_optional(connection).await?;
    Ok(row.map(game_row))
}

pub(crate) async fn seats(connection: &mut Connection, game: &str) -> Read<Vec<SeatRow>> {
    let rows: Vec<Seat> = sqlx::query_as(schema::SELECT_SEATS).bind(game).fetch_all(connection).await?;
    Ok(rows.into_iter().map(seat_row).collect())
}

pub(crate) async fn public(connection: &mut Connection, before: i64, limit: i64) -> Read<Vec<GameRow>> {
    let rows = sqlx::query_as(schema::SELECT_PUBLIC).bind(before).bind(limit);
    let rows: Vec<Game> = rows.fetch_all(connection).await?;
    Ok(rows.into_iter().map(game_row).collect())
}

pub(crate) async fn ids(connection: &mut Connection) -> Read<Vec<String>> {
    Ok(sqlx::query_scalar(schema::SELECT_IDS).fetch_all(connection).await?)
}

pub(crate) async fn request(connection: &mut Connection, game: &str, id: &str) -> Read<Option<Request>> {
    let row = sqlx::query_as(schema::SELECT_REQUEST).bind(game).bind(id);
    let row: Option<(String, String, i64)> = row.fetch_optional(connection).await?;
    Ok(row.map(|(content, answer, seq)| Request { id: id.to_owned(), content, answer, seq }))
}

pub(crate) async fn requests(connection: &mut Connection, game: &str) -> Read<Vec<Request>> {
    let rows: Vec<(String, String, String, i64)> =
        sqlx::query_as(schema::SELECT_REQUESTS).bind(game).fetch_all(connection).await?;
    Ok(rows.into_iter().map(|(id, content, answer, seq)| Request { id, content, answer, seq }).collect())
}

pub(crate) async fn chat(
    connection: &mut Connection,
    game: &str,
    after: i64,
    limit: i64,
) -> Read<Vec<ChatRow>> {
    let rows = sqlx::query_as(schema::SELECT_CHAT).bind(game).bind(after).bind(limit);
    let rows: Vec<Line> = rows.fetch_all(connection).await?;
    Ok(rows.into_iter().map(chat_row).collect())
}

pub(crate) async fn last_chat(connection: &mut Connection, game: &str) -> Read<i64> {
    let last = sqlx::query_scalar(schema::SELECT_LAST_CHAT).bind(game).fetch_optional(connection).await?;
    Ok(last.unwrap_or(0))
}

type Slip = (String, String, String, Option<i64>);

fn slip_row((game, name, body, due): Slip) -> SlipRow {
    SlipRow { game, name, body, due }
}

pub(crate) async fn slips(connection: &mut Connection, game: &str) -> Read<Vec<SlipRow>> {
    let rows: Vec<Slip> = sqlx::query_as(SELECT_SLIPS).bind(game).fetch_all(connection).await?;
    Ok(rows.into_iter().map(slip_row).collect())
}

pub(crate) async fn due_slips(connection: &mut Connection, now: i64, limit: i64) -> Read<Vec<SlipRow>> {
    let rows = sqlx::query_as(SELECT_DUE_SLIPS).bind(now).bind(limit);
    let rows: Vec<Slip> = rows.fetch_all(connection).await?;
    Ok(rows.into_iter().map(slip_row).collect())
}

pub(crate) async fn picture(connection: &mut Connection, game: &str) -> Read<Option<Picture>> {
    type Row = (i64, String, Vec<u8>, Option<Vec<u8>>);
    let row: Option<Row> =
        sqlx::query_as(schema::SELECT_PICTURE).bind(game).fetch_optional(connection).await?;
    Ok(row.map(|(state, board_hash, body, board)| Picture {
        state,
        board_hash,
        board: board.unwrap_or_default(),
        body,
    }))
}

pub(crate) async fn undrawn(connection: &mut Connection, since: i64, limit: i64) -> Read<Vec<String>> {
    Ok(sqlx::query_scalar(schema::SELECT_UNDRAWN).bind(since).bind(limit).fetch_all(connection).await?)
}

pub(crate) async fn finished(connection: &mut Connection, before: i64, limit: i64) -> Read<Vec<String>> {
    Ok(sqlx::query_scalar(schema::SELECT_FINISHED).bind(before).bind(limit).fetch_all(connection).await?)
}

pub(crate) async fn untouched(
    connection: &mut Connection,
    since: Untouched,
    limit: i64,
) -> Read<Vec<String>> {
    let Untouched { any, unbegun, machines } = since;
    let rows = sqlx::query_scalar(schema::SELECT_UNTOUCHED).bind(any).bind(unbegun).bind(machines);
    Ok(rows.bind(limit).fetch_all(connection).await?)
}

pub(crate) async fn holdings(connection: &mut Connection, owner: &str) -> Read<(u64, u64)> {
    let (games, bytes): (i64, i64) =
        sqlx::query_as(schema::SELECT_HOLDINGS).bind(owner).fetch_one(connection).await?;
    Ok((games as u64, bytes as u64))
}

pub(crate) async fn noted(connection: &mut Connection, name: &str) -> Read<Option<String>> {
    Ok(sqlx::query_scalar(schema::SELECT_FACT).bind(name).fetch_optional(connection).await?)
}

pub(crate) async fn promised(
    connection: &mut Connection,
    commitment: &str,
    now: i64,
) -> Read<Option<String>> {
    let secret = sqlx::query_scalar(schema::SELECT_PROMISE).bind(commitment).bind(now);
    Ok(secret.fetch_optional(connection).await?)
}

pub(crate) async fn promises(connection: &mut Connection, owner: &str, now: i64) -> Read<(u64, u64)> {
    let counted = sqlx::query_as(schema::COUNT_PROMISES).bind(owner).bind(now);
    let (all, own): (i64, i64) = counted.fetch_one(connection).await?;
    Ok((all as u64, own as u64))
}

pub(crate) async fn challenges(connection: &mut Connection, now: i64, limit: i64) -> Read<Vec<ChallengeRow>> {
    let rows = sqlx::query_as(schema::SELECT_CHALLENGES).bind(now).bind(limit);
    let rows: Vec<Challenge> = rows.fetch_all(connection).await?;
    Ok(rows.into_iter().map(challenge_row).collect())
}

pub(crate) async fn challenge(connection: &mut Connection, id: &str) -> Read<Option<ChallengeRow>> {
    let row: Option<Challenge> =
        sqlx::query_as(schema::SELECT_CHALLENGE).bind(id).fetch_optional(connection).await?;
    Ok(row.map(challenge_row))
}

pub(crate) async fn challenge_of(connection: &mut Connection, game: &str) -> Read<Option<ChallengeRow>> {
    let row: Option<Challenge> =
        sqlx::query_as(schema::SELECT_CHALLENGE_OF).bind(game).fetch_optional(connection).await?;
    Ok(row.map(challenge_row))
}

pub(crate) async fn open_challenges(connection: &mut Connection, owner: &str, now: i64) -> Read<(u64, u64)> {
    let counted = sqlx::query_as(schema::COUNT_CHALLENGES).bind(owner).bind(now);
    let (all, own): (i64, i64) = counted.fetch_one(connection).await?;
    Ok((all as u64, own as u64))
}

pub(crate) async fn waits(connection: &mut Connection, kind: Kind, game: &str) -> Read<Option<Waiting>> {
    let row = sqlx::query_as(schema::SELECT_JOB).bind(kind.name()).bind(game);
    let row: Option<(i64, i64)> = row.fetch_optional(connection).await?;
    Ok(row.map(|(seq, done)| Waiting { seq, done }))
}

pub(crate) async fn queued(connection: &mut Connection, kind: Kind) -> Read<u64> {
    let count: i64 = sqlx::query_scalar(schema::COUNT_JOBS).bind(kind.name()).fetch_one(connection).await?;
    Ok(count as u64)
}

pub(crate) async fn review(connection: &mut Connection, game: &str) -> Read<Option<ReviewRow>> {
    let row: Option<(i64, Option<String>)> =
        sqlx::query_as(schema::SELECT_REVIEW).bind(game).fetch_optional(connection).await?;
    Ok(row.map(|(seq, body)| ReviewRow { seq, body }))
}
