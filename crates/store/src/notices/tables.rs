//! Reading and writing about notices. Compiled once for each database: `Connection` is that of the module around this one.

use super::Connection;
use super::accounts::lock;
use super::writing::must_change;
use crate::StoreError;
use crate::notices::{self as sql, CHANNELS, ChannelRow, NoticeRow, NoticeSettings, NoticeWork, Tell};

pub(crate) type Notice = (String, String, i64, i64, i64, i64, i64, Option<String>, i64);
type Channel = (String, String, String, String, String, i64, i64, Option<String>);
type Read<T> = Result<T, StoreError>;
type Written = Result<(), StoreError>;

pub(crate) fn notice_row(row: Notice) -> NoticeRow {
    let (channel, game, side, occasion, version, made, due, delivery, attempts) = row;
    NoticeRow { channel, game, side, occasion, version, made, due, delivery, attempts }
}

fn channel_row((id, account, kind, target, more, made, muted, fault): Channel) -> ChannelRow {
    ChannelRow { id, account, kind, target, more, made, muted: muted != 0, fault }
}

// ---------------------------------------------------------------------------------------------- reading

pub(crate) async fn noticed(connection: &mut Connection, game: &str, side: i64, version: i64) -> Read<i64> {
    let count = sqlx::query_scalar(sql::SELECT_NOTICED).bind(game).bind(side).bind(version);
    Ok(count.fetch_one(connection).await?)
}

pub(crate) async fn due_notices(connection: &mut Connection, now: i64, limit: i64) -> Read<Vec<NoticeRow>> {
    let rows = sqlx::query_as(sql::SELECT_DUE_NOTICES).bind(now).bind(limit);
    let rows: Vec<Notice> = rows.fetch_all(connection).await?;
    Ok(rows.into_iter().map(notice_row).collect())
}

pub(crate) async fn sealed_notices(connection: &mut Connection, delivery: &str) -> Read<Vec<NoticeRow>> {
    let rows: Vec<Notice> = sqlx::query_as(sql::SELECT_SEALED).bind(delivery).fetch_all(connection).await?;
    Ok(rows.into_iter().map(notice_row).collect())
}

pub(crate) async fn channels(connection: &mut Connection, account: &str) -> Read<Vec<ChannelRow>> {
    let rows: Vec<Channel> = sqlx::query_as(sql::SELECT_CHANNELS).bind(account).fetch_all(connection).await?;
    Ok(rows.into_iter().map(channel_row).collect())
}

pub(crate) async fn channel(connection: &mut Connection, id: &str) -> Read<Option<ChannelRow>> {
    let row: Option<Channel> =
        sqlx::query_as(sql::SELECT_CHANNEL).bind(id).fetch_optional(connection).await?;
    Ok(row.map(channel_row))
}

pub(crate) async fn account_of_email(connection: &mut Connection, address: &str) -> Read<Option<String>> {
    Ok(sqlx::query_scalar(sql::SELECT_EMAIL).bind(address).fetch_optional(connection).await?)
}

pub(crate) async fn notice_settings(
    connection: &mut Connection,
    account: &str,
) -> Read<Option<NoticeSettings>> {
    let row: Option<(String, i64, String)> =
        sqlx::query_as(sql::SELECT_SETTINGS).bind(account).fetch_optional(connection).await?;
    Ok(row.map(|(account, occasions, body)| NoticeSettings { account, occasions, body }))
}

// ---------------------------------------------------------------------------------------------- writing

/// Writes what somebody should be told of a game that has come to this version.
pub(crate) async fn tell(connection: &mut Connection, game: &str, version: i64, tells: &[Tell]) -> Written {
    for Tell { side, occasion, at, due } in tells {
        let told = sqlx::query(sql::TELL).bind(game).bind(side).bind(occasion).bind(version);
        told.bind(at).bind(due).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Writes inside a transaction that is already open.
pub(crate) async fn write(connection: &mut Connection, work: &NoticeWork) -> Result<i64, StoreError> {
    match work {
        NoticeWork::Open { channel, settings } => open(connection, channel, settings).await?,
        NoticeWork::Close { id } => {
            sqlx::query(sql::CLOSE_CHANNEL).bind(id).execute(&mut *connection).await?;
            sqlx::query(sql::FORGET_STRAYS).execute(connection).await?;
        }
        NoticeWork::Mute { id, muted } => {
            sqlx::query(sql::MUTE).bind(id).bind(i64::from(*muted)).execute(&mut *connection).await?;
            sqlx::query(sql::DROP_NOTICES).bind(id).execute(connection).await?;
        }
        NoticeWork::Fault { id, fault } => {
            sqlx::query(sql::FAULT).bind(id).bind(fault).execute(connection).await?;
        }
        NoticeWork::Set(settings) => {
            lock(connection, &settings.account).await?;
            keep_settings(connection, sql::WRITE_SETTINGS, settings).await?;
        }
        NoticeWork::See { game, side, version } => {
            sqlx::query(sql::SEE).bind(game).bind(side).bind(version).execute(connection).await?;
        }
        NoticeWork::PutOff { notices, due } => {
            for row in notices {
                let later = sqlx::query(sql::PUT_OFF).bind(&row.channel).bind(&row.game).bind(row.side);
                later.bind(row.version).bind(due).execute(&mut *connection).await?;
            }
        }
        NoticeWork::Seal { notices, delivery, due } => {
            for row in notices {
                let sealed = sqlx::query(sql::SEAL).bind(&row.channel).bind(&row.game).bind(row.side);
                sealed.bind(row.version).bind(delivery).bind(due).execute(&mut *connection).await?;
            }
        }
        NoticeWork::Finish { delivery } => {
            sqlx::query(sql::FINISH).bind(delivery).execute(connection).await?;
        }
        NoticeWork::TryLater { delivery, due } => {
            sqlx::query(sql::TRY_LATER).bind(delivery).bind(due).execute(connection).await?;
        }
    }
    Ok(0)
}

async fn open(connection: &mut Connection, channel: &ChannelRow, settings: &NoticeSettings) -> Written {
    lock(connection, &channel.account).await?;
    let replaced = match channel.kind.as_str() {
        "email" => Some(sqlx::query(sql::CLOSE_EMAIL).bind(&channel.account)),
        "push" => Some(sqlx::query(sql::CLOSE_PUSH).bind(&channel.target)),
        _ => None,
    };
    if let Some(replaced) = replaced {
        replaced.execute(&mut *connection).await?;
        sqlx::query(sql::FORGET_STRAYS).execute(&mut *connection).await?;
    }
    let count: i64 =
        sqlx::query_scalar(sql::COUNT_CHANNELS).bind(&channel.account).fetch_one(&mut *connection).await?;
    must_change(u64::from(count < CHANNELS))?;
    add_channel(connection, channel).await?;
    keep_settings(connection, sql::INSERT_SETTINGS, settings).await
}

pub(crate) async fn add_channel(connection: &mut Connection, channel: &ChannelRow) -> Written {
    let ChannelRow { id, account, kind, target, more, made, muted, fault } = channel;
    let added = sqlx::query(sql::INSERT_CHANNEL).bind(id).bind(account).bind(kind).bind(target);
    added.bind(more).bind(made).bind(i64::from(*muted)).bind(fault).execute(connection).await?;
    Ok(())
}

pub(crate) async fn keep_settings(
    connection: &mut Connection,
    statement: &'static str,
    settings: &NoticeSettings,
) -> Written {
    let NoticeSettings { account, occasions, body } = settings;
    sqlx::query(statement).bind(account).bind(occasions).bind(body).execute(connection).await?;
    Ok(())
}

/// An account goes, and with it all that waits for it.
pub(crate) async fn leave(connection: &mut Connection, account: &str) -> Written {
    for statement in sql::DELETE_ACCOUNT_NOTICES {
        sqlx::query(statement).bind(account).execute(&mut *connection).await?;
    }
    Ok(())
}
