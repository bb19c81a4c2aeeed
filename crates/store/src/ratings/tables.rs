//! Reading and writing about ratings. Compiled once for each database: `Connection` is that of the module around this one.

use super::Connection;
use super::writing::must_change;
use crate::ratings::{self as sql, RatedRow, RatingRow, RatingWork, Settlement};
use crate::{StoreError, accounts};

type Rating = (String, String, f64, f64, f64, i64, i64);
type Rated = (String, String, String, i64, String, String, i64, String);
type Read<T> = Result<T, StoreError>;

fn rating_row((member, system, rating, deviation, volatility, games, at): Rating) -> RatingRow {
    RatingRow { member, system, rating, deviation, volatility, games, at }
}

fn rated_row((game, system, scenario, at, first, second, counts, body): Rated) -> RatedRow {
    RatedRow { game, system, scenario, at, first, second, counts: counts != 0, body }
}

// ---------------------------------------------------------------------------------------------- reading

pub(crate) async fn rating(
    connection: &mut Connection,
    member: &str,
    system: &str,
) -> Read<Option<RatingRow>> {
    let row: Option<Rating> =
        sqlx::query_as(sql::SELECT_RATING).bind(member).bind(system).fetch_optional(connection).await?;
    Ok(row.map(rating_row))
}

pub(crate) async fn ratings(connection: &mut Connection, member: &str) -> Read<Vec<RatingRow>> {
    let rows: Vec<Rating> = sqlx::query_as(sql::SELECT_RATINGS).bind(member).fetch_all(connection).await?;
    Ok(rows.into_iter().map(rating_row).collect())
}

pub(crate) async fn rated_game(connection: &mut Connection, game: &str) -> Read<Option<RatedRow>> {
    let row: Option<Rated> = sqlx::query_as(sql::SELECT_RATED).bind(game).fetch_optional(connection).await?;
    Ok(row.map(rated_row))
}

/// The rows that a statement finds, which takes a text and a limit.
async fn found(
    connection: &mut Connection,
    statement: &'static str,
    key: &str,
    limit: i64,
) -> Read<Vec<RatedRow>> {
    let rows: Vec<Rated> = sqlx::query_as(statement).bind(key).bind(limit).fetch_all(connection).await?;
    Ok(rows.into_iter().map(rated_row).collect())
}

pub(crate) async fn rated_games(
    connection: &mut Connection,
    member: &str,
    limit: i64,
) -> Read<Vec<RatedRow>> {
    found(connection, sql::SELECT_RATED_OF, member, limit).await
}

pub(crate) async fn rated_in(connection: &mut Connection, scenario: &str, limit: i64) -> Read<Vec<RatedRow>> {
    found(connection, sql::SELECT_RATED_IN, scenario, limit).await
}

pub(crate) async fn rated_after(connection: &mut Connection, game: &str, limit: i64) -> Read<Vec<RatedRow>> {
    found(connection, sql::SELECT_RATED_AFTER, game, limit).await
}

pub(crate) async fn met(
    connection: &mut Connection,
    one: &str,
    other: &str,
    system: &str,
    since: i64,
) -> Read<u64> {
    let count = sqlx::query_scalar(sql::COUNT_MET).bind(one).bind(other).bind(system).bind(since);
    let count: i64 = count.fetch_one(connection).await?;
    Ok(count as u64)
}

// ---------------------------------------------------------------------------------------------- writing

/// Writes inside a transaction that is already open.
pub(crate) async fn write(connection: &mut Connection, work: &RatingWork) -> Result<i64, StoreError> {
    match work {
        RatingWork::Settle(settlement) => settle(connection, settlement).await?,
        RatingWork::Import { ratings, games } => {
            for rating in ratings {
                keep(connection, sql::INSERT_RATING, rating).await?;
            }
            for game in games {
                enter(connection, game).await?;
            }
        }
    }
    Ok(0)
}

async fn settle(connection: &mut Connection, settlement: &Settlement) -> Result<(), StoreError> {
    for rating in &settlement.ratings {
        // The account must be there, and stays while this is written.
        let there =
            sqlx::query(accounts::LOCK_ACCOUNT).bind(&rating.member).execute(&mut *connection).await?;
        must_change(there.rows_affected())?;
        let statement = if rating.games == 1 { sql::INSERT_RATING } else { sql::UPDATE_RATING };
        must_change(keep(connection, statement, rating).await?)?;
    }
    must_change(enter(connection, &settlement.game).await?).map(drop)
}

async fn keep(connection: &mut Connection, statement: &'static str, row: &RatingRow) -> Read<u64> {
    let RatingRow { member, system, rating, deviation, volatility, games, at } = row;
    let kept = sqlx::query(statement).bind(member).bind(system).bind(rating).bind(deviation).bind(volatility);
    Ok(kept.bind(games).bind(at).execute(connection).await?.rows_affected())
}

async fn enter(connection: &mut Connection, row: &RatedRow) -> Read<u64> {
    let RatedRow { game, system, scenario, at, first, second, counts, body } = row;
    let entered = sqlx::query(sql::INSERT_RATED).bind(game).bind(system).bind(scenario).bind(at).bind(first);
    let entered = entered.bind(second).bind(i64::from(*counts)).bind(body).execute(connection).await?;
    Ok(entered.rows_affected())
}
