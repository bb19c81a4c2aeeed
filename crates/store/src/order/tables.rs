//! Reading and writing about order. Compiled once for each database: `Connection` is that of the module around this one.

use super::Connection;
use super::writing::{changed, must_change};
use crate::order::{self as sql, AuditRow, Deed, MeasureRow, OrderWork, ReportRow, TieRow, WholeOrder};
use crate::{AccountRow, StoreError};

type Read<T> = Result<T, StoreError>;
type Written = Result<(), StoreError>;
type Report = (String, String, String, i64, i64, String, Option<String>);
type Tie = (String, String, String, String, i64);
type Measure = (
    String,
    String,
    String,
    String,
    i64,
    Option<i64>,
    Option<i64>,
    Option<String>,
    Option<i64>,
    Option<String>,
);
type Audit = (String, i64, String, String, String, String);

fn report_row((id, author, subject, made, until, body, answer): Report) -> ReportRow {
    ReportRow { id, author, subject, made, until, body, answer }
}

fn tie_row((owner, other, kind, name, made): Tie) -> TieRow {
    TieRow { owner, other, kind, name, made }
}

fn measure_row(row: Measure) -> MeasureRow {
    let (id, account, kind, why, made, until, lifted, appeal, appealed, answer) = row;
    MeasureRow { id, account, kind, why, made, until, lifted, appeal, appealed, answer }
}

fn audit_row((id, at, author, act, subject, words): Audit) -> AuditRow {
    AuditRow { id, at, author, act, subject, words }
}

// ---------------------------------------------------------------------------------------------- reading

pub(crate) async fn reports(connection: &mut Connection, limit: i64) -> Read<Vec<ReportRow>> {
    let rows: Vec<Report> = sqlx::query_as(sql::SELECT_REPORTS).bind(limit).fetch_all(connection).await?;
    Ok(rows.into_iter().map(report_row).collect())
}

pub(crate) async fn reports_by(connection: &mut Connection, author: &str) -> Read<Vec<ReportRow>> {
    let rows: Vec<Report> = sqlx::query_as(sql::SELECT_REPORTS_BY).bind(author).fetch_all(connection).await?;
    Ok(rows.into_iter().map(report_row).collect())
}

pub(crate) async fn ties(connection: &mut Connection, owner: &str) -> Read<Vec<TieRow>> {
    let rows: Vec<Tie> = sqlx::query_as(sql::SELECT_TIES).bind(owner).fetch_all(connection).await?;
    Ok(rows.into_iter().map(tie_row).collect())
}

pub(crate) async fn ties_between(
    connection: &mut Connection,
    owner: [&str; 2],
    other: [&str; 2],
) -> Read<Vec<TieRow>> {
    let rows = sqlx::query_as(sql::SELECT_TIES_BETWEEN).bind(owner[0]).bind(owner[1]);
    let rows: Vec<Tie> = rows.bind(other[0]).bind(other[1]).fetch_all(connection).await?;
    Ok(rows.into_iter().map(tie_row).collect())
}

pub(crate) async fn count_ties(connection: &mut Connection, owner: &str) -> Read<i64> {
    Ok(sqlx::query_scalar(sql::COUNT_TIES).bind(owner).fetch_one(connection).await?)
}

pub(crate) async fn seat_account(connection: &mut Connection, game: &str, side: i64) -> Read<Option<String>> {
    Ok(sqlx::query_scalar(sql::SELECT_SEAT_ACCOUNT).bind(game).bind(side).fetch_optional(connection).await?)
}

pub(crate) async fn measures(connection: &mut Connection, account: &str) -> Read<Vec<MeasureRow>> {
    let rows: Vec<Measure> = sqlx::query_as(sql::SELECT_MEASURES).bind(account).fetch_all(connection).await?;
    Ok(rows.into_iter().map(measure_row).collect())
}

pub(crate) async fn measure(connection: &mut Connection, id: &str) -> Read<Option<MeasureRow>> {
    let row: Option<Measure> =
        sqlx::query_as(sql::SELECT_MEASURE).bind(id).fetch_optional(connection).await?;
    Ok(row.map(measure_row))
}

pub(crate) async fn appeals(connection: &mut Connection, limit: i64) -> Read<Vec<MeasureRow>> {
    let rows: Vec<Measure> = sqlx::query_as(sql::SELECT_APPEALS).bind(limit).fetch_all(connection).await?;
    Ok(rows.into_iter().map(measure_row).collect())
}

pub(crate) async fn find_accounts(
    connection: &mut Connection,
    text: &str,
    limit: i64,
) -> Read<Vec<AccountRow>> {
    let rows = sqlx::query_as(sql::FIND_ACCOUNTS).bind(text).bind(within(text)).bind(limit);
    let rows: Vec<(String, String, i64)> = rows.fetch_all(connection).await?;
    Ok(rows.into_iter().map(|(id, name, made)| AccountRow { id, name, made }).collect())
}

/// A pattern for names with this in them, where nothing stands for anything else.
fn within(text: &str) -> String {
    let mut pattern = String::from("%");
    for letter in text.to_lowercase().chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern + "%"
}

pub(crate) async fn administrators(connection: &mut Connection) -> Read<Vec<(String, i64)>> {
    Ok(sqlx::query_as(sql::SELECT_ADMINISTRATORS).fetch_all(connection).await?)
}

pub(crate) async fn audit(connection: &mut Connection, before: i64, limit: i64) -> Read<Vec<AuditRow>> {
    let rows: Vec<Audit> =
        sqlx::query_as(sql::SELECT_AUDIT).bind(before).bind(limit).fetch_all(connection).await?;
    Ok(rows.into_iter().map(audit_row).collect())
}

// ---------------------------------------------------------------------------------------------- writing

/// Writes inside a transaction that is already open.
pub(crate) async fn write(connection: &mut Connection, work: &OrderWork) -> Result<i64, StoreError> {
    match work {
        OrderWork::Report(report) => add_report(connection, report).await?,
        OrderWork::Tie(tie) => add_tie(connection, tie).await?,
        OrderWork::Untie { owner, other } => {
            sqlx::query(sql::DELETE_TIE).bind(owner).bind(other).execute(connection).await?;
        }
        OrderWork::Appeal { measure, account, text, at } => {
            let said = sqlx::query(sql::APPEAL).bind(measure).bind(account).bind(text).bind(at);
            must_change(said.execute(connection).await?.rows_affected())?;
        }
        OrderWork::Act { deed, entry } => {
            let version = act(connection, deed, entry.at).await?;
            add_audit(connection, entry).await?;
            return Ok(version);
        }
        OrderWork::Import(whole) => import(connection, whole).await?,
    }
    Ok(0)
}

/// Answers the version of the game that was changed, 0 if none was.
async fn act(connection: &mut Connection, deed: &Deed, at: i64) -> Result<i64, StoreError> {
    let done = match deed {
        Deed::Grant { account } => sqlx::query(sql::GRANT).bind(account).bind(at).execute(connection).await?,
        Deed::Revoke { account } => sqlx::query(sql::REVOKE).bind(account).execute(connection).await?,
        Deed::Settle { report, answer, until } => {
            sqlx::query(sql::ANSWER_REPORT).bind(report).bind(answer).bind(until).execute(connection).await?
        }
        Deed::Measure { measure, rename } => {
            return take_measure(connection, measure, rename.as_deref()).await;
        }
        Deed::Answer { measure, answer, lift } => {
            let lifted = lift.then_some(at);
            sqlx::query(sql::ANSWER_APPEAL)
                .bind(measure)
                .bind(answer)
                .bind(lifted)
                .execute(connection)
                .await?
        }
        Deed::Lift { measure } => sqlx::query(sql::LIFT).bind(measure).bind(at).execute(connection).await?,
        Deed::RemoveChallenge { challenge, measure } => {
            let gone = sqlx::query(sql::REMOVE_CHALLENGE).bind(challenge).execute(&mut *connection).await?;
            must_change(gone.rows_affected())?;
            return tell(connection, measure.as_ref()).await;
        }
        Deed::RemoveLine { game, n, text, measure } => {
            let version = changed(connection, game, 0).await?;
            let gone = sqlx::query(sql::REMOVE_LINE).bind(game).bind(n).bind(text);
            must_change(gone.execute(&mut *connection).await?.rows_affected())?;
            tell(connection, measure.as_ref()).await?;
            return Ok(version);
        }
    };
    must_change(done.rows_affected())
}

async fn take_measure(
    connection: &mut Connection,
    measure: &MeasureRow,
    rename: Option<&str>,
) -> Result<i64, StoreError> {
    let account = &measure.account;
    let there: Option<(String, String, i64)> = sqlx::query_as(crate::accounts::SELECT_ACCOUNT)
        .bind(account)
        .fetch_optional(&mut *connection)
        .await?;
    must_change(u64::from(there.is_some()))?;
    add_measure(connection, measure).await?;
    if let Some(name) = rename {
        for statement in sql::RENAME_EVERYWHERE {
            sqlx::query(statement).bind(account).bind(name).execute(&mut *connection).await?;
        }
    }
    // Whoever may not play with strangers, or had a bad name, waits for nobody in the lobby.
    sqlx::query(sql::WITHDRAW_ALL).bind(account).execute(connection).await?;
    Ok(0)
}

async fn tell(connection: &mut Connection, measure: Option<&MeasureRow>) -> Result<i64, StoreError> {
    if let Some(measure) = measure {
        add_measure(connection, measure).await?;
    }
    Ok(0)
}

async fn add_report(connection: &mut Connection, report: &ReportRow) -> Written {
    let ReportRow { id, author, subject, made, until, body, answer } = report;
    let added = sqlx::query(sql::INSERT_REPORT).bind(id).bind(author).bind(subject).bind(made).bind(until);
    added.bind(body).bind(answer).execute(connection).await?;
    Ok(())
}

async fn add_tie(connection: &mut Connection, tie: &TieRow) -> Written {
    let TieRow { owner, other, kind, name, made } = tie;
    let added = sqlx::query(sql::INSERT_TIE).bind(owner).bind(other).bind(kind).bind(name).bind(made);
    added.execute(connection).await?;
    Ok(())
}

async fn add_measure(connection: &mut Connection, measure: &MeasureRow) -> Written {
    let MeasureRow { id, account, kind, why, made, until, lifted, appeal, appealed, answer } = measure;
    let added = sqlx::query(sql::INSERT_MEASURE).bind(id).bind(account).bind(kind).bind(why).bind(made);
    let added = added.bind(until).bind(lifted).bind(appeal).bind(appealed).bind(answer);
    added.execute(connection).await?;
    Ok(())
}

async fn add_audit(connection: &mut Connection, entry: &AuditRow) -> Written {
    let AuditRow { id, at, author, act, subject, words } = entry;
    let added = sqlx::query(sql::INSERT_AUDIT).bind(id).bind(at).bind(author).bind(act);
    added.bind(subject).bind(words).execute(connection).await?;
    Ok(())
}

async fn import(connection: &mut Connection, whole: &WholeOrder) -> Written {
    for (account, made) in &whole.administrators {
        sqlx::query(sql::COPY_ADMINISTRATOR).bind(account).bind(made).execute(&mut *connection).await?;
    }
    for report in &whole.reports {
        add_report(connection, report).await?;
    }
    for tie in &whole.ties {
        add_tie(connection, tie).await?;
    }
    for measure in &whole.measures {
        add_measure(connection, measure).await?;
    }
    for entry in &whole.audit {
        add_audit(connection, entry).await?;
    }
    Ok(())
}

/// Forgets reports that are too old.
pub(crate) async fn forget(connection: &mut Connection, until: i64) -> Written {
    sqlx::query(sql::FORGET_REPORTS).bind(until).execute(connection).await?;
    Ok(())
}

/// Forgets what is kept of an account that is deleted.
pub(crate) async fn forget_account(connection: &mut Connection, account: &str) -> Written {
    for statement in sql::FORGET_ACCOUNT {
        sqlx::query(statement).bind(account).execute(&mut *connection).await?;
    }
    Ok(())
}
