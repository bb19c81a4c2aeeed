//! Reading and writing about accounts. Compiled once for each database: `Connection` is that of the module around this one.

use super::Connection;
use super::notices;
use super::writing::{changed, must_change};
use crate::accounts::{self as sql, AccountWork, NewAccount, OwnGame, Proof, SESSIONS, WholeAccount};
use crate::ratings::LEAVE_RATINGS;
use crate::{AccountRow, CeremonyRow, OwnSeatRow, PasskeyRow, SessionRow, StoreError, schema};

type Passkey = (String, String, String, String, i64, i64);
type Session = (String, String, String, i64, i64, i64, String);
type Own = (String, i64, String, i64);
type Read<T> = Result<T, StoreError>;
type Written = Result<(), StoreError>;
/// A game, one's side, when it was touched, whether it is over, its summary, and the other seat: its kind and name.
type Played = (String, i64, i64, i64, String, String, String);

fn passkey_row((id, account, label, body, made, used): Passkey) -> PasskeyRow {
    PasskeyRow { id, account, label, body, made, used }
}

fn session_row((token, id, account, made, seen, until, agent): Session) -> SessionRow {
    SessionRow { token, id, account, made, seen, until, agent }
}

fn own_seat_row((game, side, account, made): Own) -> OwnSeatRow {
    OwnSeatRow { game, side, account, made }
}

// ---------------------------------------------------------------------------------------------- reading

pub(crate) async fn ceremony(connection: &mut Connection, id: &str, now: i64) -> Read<Option<String>> {
    Ok(sqlx::query_scalar(sql::SELECT_CEREMONY).bind(id).bind(now).fetch_optional(connection).await?)
}

pub(crate) async fn account(connection: &mut Connection, id: &str) -> Read<Option<AccountRow>> {
    let row: Option<(String, String, i64)> =
        sqlx::query_as(sql::SELECT_ACCOUNT).bind(id).fetch_optional(connection).await?;
    Ok(row.map(|(id, name, made)| AccountRow { id, name, made }))
}

pub(crate) async fn account_ids(connection: &mut Connection) -> Read<Vec<String>> {
    Ok(sqlx::query_scalar(sql::SELECT_ACCOUNT_IDS).fetch_all(connection).await?)
}

pub(crate) async fn session(connection: &mut Connection, token: &str, now: i64) -> Read<Option<SessionRow>> {
    let row: Option<Session> =
        sqlx::query_as(sql::SELECT_SESSION).bind(token).bind(now).fetch_optional(connection).await?;
    Ok(row.map(session_row))
}

pub(crate) async fn sessions(connection: &mut Connection, account: &str, now: i64) -> Read<Vec<SessionRow>> {
    let rows: Vec<Session> =
        sqlx::query_as(sql::SELECT_SESSIONS).bind(account).bind(now).fetch_all(connection).await?;
    Ok(rows.into_iter().map(session_row).collect())
}

pub(crate) async fn passkeys(connection: &mut Connection, account: &str) -> Read<Vec<PasskeyRow>> {
    let rows: Vec<Passkey> = sqlx::query_as(sql::SELECT_PASSKEYS).bind(account).fetch_all(connection).await?;
    Ok(rows.into_iter().map(passkey_row).collect())
}

pub(crate) async fn passkey(connection: &mut Connection, id: &str) -> Read<Option<PasskeyRow>> {
    let row: Option<Passkey> =
        sqlx::query_as(sql::SELECT_PASSKEY).bind(id).fetch_optional(connection).await?;
    Ok(row.map(passkey_row))
}

pub(crate) async fn recovery_codes(connection: &mut Connection, account: &str) -> Read<Vec<String>> {
    Ok(sqlx::query_scalar(sql::SELECT_CODES).bind(account).fetch_all(connection).await?)
}

pub(crate) async fn recovered(connection: &mut Connection, hash: &str) -> Read<Option<String>> {
    Ok(sqlx::query_scalar(sql::SELECT_CODE).bind(hash).fetch_optional(connection).await?)
}

pub(crate) async fn own_seats(connection: &mut Connection, account: &str) -> Read<Vec<OwnSeatRow>> {
    let rows: Vec<Own> = sqlx::query_as(sql::SELECT_OWN_SEATS).bind(account).fetch_all(connection).await?;
    Ok(rows.into_iter().map(own_seat_row).collect())
}

pub(crate) async fn own_games(connection: &mut Connection, account: &str) -> Read<Vec<OwnGame>> {
    let rows: Vec<Played> = sqlx::query_as(sql::SELECT_OWN_GAMES).bind(account).fetch_all(connection).await?;
    let own = |(game, side, touched, over, summary, other_kind, other_name)| {
        let over = over != 0_i64;
        OwnGame { game, side, touched, over, summary, other_kind, other_name }
    };
    Ok(rows.into_iter().map(own).collect())
}

// ---------------------------------------------------------------------------------------------- writing

/// Writes inside a transaction that is already open.
pub(crate) async fn write(connection: &mut Connection, work: &AccountWork) -> Result<i64, StoreError> {
    match work {
        AccountWork::Begin(CeremonyRow { id, state, until }) => {
            sqlx::query(sql::INSERT_CEREMONY).bind(id).bind(state).bind(until).execute(connection).await?;
        }
        AccountWork::End { id } => {
            let ended = sqlx::query(sql::DELETE_CEREMONY).bind(id).execute(connection).await?;
            must_change(ended.rows_affected())?;
        }
        AccountWork::Join(new) => join(connection, new).await?,
        AccountWork::SignIn { session, proof, before } => {
            sign_in(connection, session, proof, before.as_deref()).await?;
        }
        AccountWork::Seen { token, at, until } => {
            sqlx::query(sql::SEE_SESSION).bind(token).bind(at).bind(until).execute(connection).await?;
        }
        AccountWork::Revoke { account, id: Some(id), .. } => {
            let ended = sqlx::query(sql::REVOKE_SESSION).bind(account).bind(id).execute(connection).await?;
            must_change(ended.rows_affected())?;
        }
        AccountWork::Revoke { account, id: None, keep } => {
            sqlx::query(sql::REVOKE_SESSIONS).bind(account).bind(keep).execute(connection).await?;
        }
        AccountWork::Rename { account, name } => {
            sqlx::query(sql::RENAME_ACCOUNT).bind(account).bind(name).execute(connection).await?;
        }
        AccountWork::AddPasskey(passkey) => {
            lock(connection, &passkey.account).await?;
            add_passkey(connection, passkey).await?;
        }
        AccountWork::RemovePasskey { account, id } => {
            lock(connection, account).await?;
            let gone = sqlx::query(sql::DELETE_PASSKEY).bind(account).bind(id).execute(connection).await?;
            must_change(gone.rows_affected())?;
        }
        AccountWork::NewCodes { account, codes } => {
            lock(connection, account).await?;
            sqlx::query(sql::DELETE_CODES).bind(account).execute(&mut *connection).await?;
            add_codes(connection, account, codes).await?;
        }
        AccountWork::Adopt(seat) => {
            lock(connection, &seat.account).await?;
            must_change(own(connection, sql::ADOPT_SEAT, seat).await?)?;
        }
        AccountWork::Reseat { account, game, side, token } => {
            let reseated = sqlx::query(sql::RESEAT).bind(game).bind(side).bind(token).bind(account);
            must_change(reseated.execute(&mut *connection).await?.rows_affected())?;
            return changed(connection, game, 0).await;
        }
        AccountWork::Leave { seat, name } => return leave(connection, seat, name).await,
        AccountWork::Delete { account } => {
            let gone = sqlx::query(sql::DELETE_ACCOUNT).bind(account).execute(&mut *connection).await?;
            must_change(gone.rows_affected())?;
            notices::leave(connection, account).await?;
            for statement in sql::DELETE_ACCOUNT_PARTS.into_iter().chain(LEAVE_RATINGS) {
                sqlx::query(statement).bind(account).execute(&mut *connection).await?;
            }
            super::order::forget_account(connection, account).await?;
        }
        AccountWork::Import(whole) => import(connection, whole).await?,
    }
    Ok(0)
}

/// Forgets ceremonies that nobody has ended, and sessions that can be used no longer.
pub(crate) async fn forget(connection: &mut Connection, until: i64) -> Written {
    for statement in [sql::FORGET_CEREMONIES, sql::FORGET_SESSIONS] {
        sqlx::query(statement).bind(until).execute(&mut *connection).await?;
    }
    Ok(())
}

/// The account must be there, and stays while this is written.
pub(crate) async fn lock(connection: &mut Connection, account: &str) -> Written {
    let there = sqlx::query(sql::LOCK_ACCOUNT).bind(account).execute(connection).await?;
    must_change(there.rows_affected()).map(drop)
}

async fn join(connection: &mut Connection, new: &NewAccount) -> Written {
    add_account(connection, &new.account).await?;
    add_passkey(connection, &new.passkey).await?;
    add_codes(connection, &new.account.id, &new.codes).await?;
    add_session(connection, &new.session).await
}

async fn sign_in(
    connection: &mut Connection,
    session: &SessionRow,
    proof: &Proof,
    before: Option<&str>,
) -> Written {
    let account = &session.account;
    lock(connection, account).await?;
    let proved = match proof {
        Proof::Passkey { id, body } => {
            sqlx::query(sql::USE_PASSKEY).bind(id).bind(body).bind(session.made).bind(account)
        }
        Proof::Code(hash) => sqlx::query(sql::USE_CODE).bind(hash).bind(account),
        Proof::Email(address) => sqlx::query(crate::notices::USE_EMAIL).bind(address).bind(account),
    };
    must_change(proved.execute(&mut *connection).await?.rows_affected())?;
    if let Some(before) = before {
        sqlx::query(sql::DELETE_SESSION).bind(before).execute(&mut *connection).await?;
    }
    add_session(connection, session).await?;
    sqlx::query(sql::TRIM_SESSIONS).bind(account).bind(SESSIONS).execute(connection).await?;
    Ok(())
}

async fn add_account(connection: &mut Connection, AccountRow { id, name, made }: &AccountRow) -> Written {
    sqlx::query(sql::INSERT_ACCOUNT).bind(id).bind(name).bind(made).execute(connection).await?;
    Ok(())
}

async fn add_passkey(connection: &mut Connection, passkey: &PasskeyRow) -> Written {
    let PasskeyRow { id, account, label, body, made, used } = passkey;
    let added = sqlx::query(sql::INSERT_PASSKEY).bind(id).bind(account).bind(label).bind(body);
    added.bind(made).bind(used).execute(connection).await?;
    Ok(())
}

async fn add_codes(connection: &mut Connection, account: &str, codes: &[String]) -> Written {
    for hash in codes {
        sqlx::query(sql::INSERT_CODE).bind(hash).bind(account).execute(&mut *connection).await?;
    }
    Ok(())
}

async fn add_session(connection: &mut Connection, session: &SessionRow) -> Written {
    let SessionRow { token, id, account, made, seen, until, agent } = session;
    let added = sqlx::query(sql::INSERT_SESSION).bind(token).bind(id).bind(account).bind(made);
    added.bind(seen).bind(until).bind(agent).execute(connection).await?;
    Ok(())
}

async fn own(connection: &mut Connection, statement: &'static str, seat: &OwnSeatRow) -> Read<u64> {
    let OwnSeatRow { game, side, account, made } = seat;
    let added = sqlx::query(statement).bind(game).bind(side).bind(account).bind(made);
    Ok(added.execute(connection).await?.rows_affected())
}

async fn leave(connection: &mut Connection, seat: &OwnSeatRow, name: &str) -> Result<i64, StoreError> {
    let OwnSeatRow { game, side, account, .. } = seat;
    let left = sqlx::query(sql::LEAVE_SEAT).bind(game).bind(side).bind(account);
    must_change(left.execute(&mut *connection).await?.rows_affected())?;
    for statement in [schema::RENAME_SEAT, sql::LEAVE_CHAT] {
        sqlx::query(statement).bind(game).bind(side).bind(name).execute(&mut *connection).await?;
    }
    sqlx::query(sql::LEAVE_LOBBY).bind(game).execute(&mut *connection).await?;
    sqlx::query(crate::notices::LEAVE_NOTICES).bind(game).bind(side).execute(&mut *connection).await?;
    changed(connection, game, 0).await
}

async fn import(connection: &mut Connection, whole: &WholeAccount) -> Written {
    add_account(connection, &whole.account).await?;
    for passkey in &whole.passkeys {
        add_passkey(connection, passkey).await?;
    }
    add_codes(connection, &whole.account.id, &whole.codes).await?;
    for seat in &whole.seats {
        own(connection, sql::COPY_OWN_SEAT, seat).await?;
    }
    for channel in &whole.channels {
        notices::add_channel(connection, channel).await?;
    }
    if let Some(settings) = &whole.notices {
        notices::keep_settings(connection, crate::notices::WRITE_SETTINGS, settings).await?;
    }
    Ok(())
}
