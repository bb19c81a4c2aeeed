//! What administrators can do. Each act is in the list of what they have done, or it was not done.

use std::path::Path;
use std::time::Duration;

use host::wire::{
    AnswerAppeal, AppealFace, AuditFace, Because, Code, MeasureKind, PersonFace, ReportFace, TakeMeasure,
};
use host::{Failure, requests};
use store::{AccountRow, AuditRow, Deed, Limits, MeasureRow, Store, StoreError};

use super::measures::{measure_face, word};
use super::people::Person;
use super::reports::{self, KEPT_ANSWERED};
use crate::accounts::name_in_journal;
use crate::lobby::offered_by;
use crate::problem::{OrFailed, store_failed};
use crate::serve::ServeError;
use crate::{chance, world};

/// How many of each are shown at once.
const LISTED: i64 = 200;
/// Days that an account can be suspended.
const DAYS: std::ops::RangeInclusive<u32> = 1..=365;
/// What stands in place of a line of chat.
const REMOVED: &str = "[removed by an administrator]";

/// An administrator at work.
#[derive(Debug)]
pub struct Desk<'a> {
    store: &'a Store,
    author: &'a str,
    named: &'a [String],
}

/// Opens the games for an administrator on the command line: those of a data directory, also while a server has them open, or
/// those of a database.
///
/// # Errors
/// When there are none, or the database fails.
pub fn desk<T>(
    data: &Path,
    database: Option<&str>,
    work: impl AsyncFnOnce(Desk<'_>) -> Result<T, Failure>,
) -> Result<Result<T, String>, ServeError> {
    tokio::runtime::Runtime::new()?.block_on(async {
        let store = match database {
            Some(url) => Store::connect(url, Limits::default()).await?,
            None if data.join("linstock.sqlite").is_file() => Store::beside(data).await?,
            None => return Err(ServeError::NoData(data.to_owned())),
        };
        let done = work(Desk::new(&store, "command line", &[])).await;
        store.close().await;
        Ok(done.map_err(|failure| failure.0.message))
    })
}

fn nothing() -> Failure {
    Failure::new(
        Code::NoSuchRecord,
        "There is nothing of this id that it could be done to, or it was done before.",
    )
}

impl<'a> Desk<'a> {
    pub(super) fn new(store: &'a Store, author: &'a str, named: &'a [String]) -> Self {
        Desk { store, author, named }
    }

    // ------------------------------------------------------------------------------------------ looking

    /// Reports, open ones first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn reports(&self) -> Result<Vec<ReportFace>, Failure> {
        let rows = self.store.reports(LISTED).await.or_failed()?;
        Ok(rows.into_iter().filter_map(reports::face).collect())
    }

    /// Accounts of this id, or with this in their names.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn accounts(&self, text: &str) -> Result<Vec<PersonFace>, Failure> {
        let rows = self.store.find_accounts(text.trim(), LISTED).await.or_failed()?;
        let administrators = self.store.administrators().await.or_failed()?;
        let mut faces = Vec::new();
        for AccountRow { id, name, made } in rows {
            let measures = self.store.measures(&id).await.or_failed()?;
            faces.push(PersonFace {
                administrator: self.named.contains(&id) || administrators.iter().any(|(of, _)| *of == id),
                measures: measures.into_iter().filter_map(measure_face).collect(),
                id,
                name,
                made: made as u64,
            });
        }
        Ok(faces)
    }

    /// Measures with a note that nobody has answered.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn appeals(&self) -> Result<Vec<AppealFace>, Failure> {
        let mut faces = Vec::new();
        for row in self.store.appeals(LISTED).await.or_failed()? {
            let account = row.account.clone();
            let name =
                self.store.account(&account).await.or_failed()?.map_or_else(String::new, |row| row.name);
            faces.extend(measure_face(row).map(|measure| AppealFace { account, name, measure }));
        }
        Ok(faces)
    }

    /// What administrators have done before a time, the latest first.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn audit(&self, before: Option<u64>) -> Result<Vec<AuditFace>, Failure> {
        let before = before.and_then(|at| i64::try_from(at).ok()).unwrap_or(i64::MAX);
        let rows = self.store.audit(before, LISTED).await.or_failed()?;
        let face = |row: AuditRow| {
            let AuditRow { at, author, act, subject, words, .. } = row;
            AuditFace { at: at as u64, author, act, subject, words }
        };
        Ok(rows.into_iter().map(face).collect())
    }

    // ------------------------------------------------------------------------------------------ acting

    async fn act(&self, deed: Deed, act: &str, subject: &str, words: String) -> Result<(), Failure> {
        let entry = AuditRow {
            id: chance::id()?,
            at: world::now() as i64,
            author: self.author.to_owned(),
            act: act.to_owned(),
            subject: subject.to_owned(),
            words,
        };
        self.store.administer(deed, entry).await.map_err(|error| match error {
            StoreError::Conflict => nothing(),
            error => store_failed(error),
        })
    }

    fn measure(
        account: &str,
        kind: MeasureKind,
        why: &str,
        days: Option<u32>,
    ) -> Result<MeasureRow, Failure> {
        let made = world::now() as i64;
        let last = |days: u32| made + Duration::from_secs(u64::from(days) * 24 * 3600).as_millis() as i64;
        Ok(MeasureRow {
            id: chance::id()?,
            account: account.to_owned(),
            kind: word(kind).to_owned(),
            why: why.to_owned(),
            made,
            until: days.map(last),
            lifted: None,
            appeal: None,
            appealed: None,
            answer: None,
        })
    }

    /// Does something about an account. Answers the name that it has from now on, if that is another.
    ///
    /// # Errors
    /// When it is an administrator's, there is none, or what is asked for does not go together.
    pub async fn take(&self, account: &str, take: TakeMeasure) -> Result<Option<String>, Failure> {
        let TakeMeasure { kind, why, days, name } = take;
        let why = requests::chat(&why)?;
        let malformed = |what: &str| Err(Failure::new(Code::Malformed, what));
        match (kind, days, &name) {
            (MeasureKind::Suspended, Some(days), None) if DAYS.contains(&days) => {}
            (MeasureKind::Suspended, _, None) => return malformed("Suspend for 1 to 365 days: give `days`."),
            (MeasureKind::Renamed, None, Some(_)) => {}
            (MeasureKind::Renamed, None, None) => return malformed("Give the `name` from now on."),
            (MeasureKind::Warned | MeasureKind::Closed, None, None) => {}
            (MeasureKind::LineRemoved | MeasureKind::ChallengeRemoved, ..) => {
                return malformed("A line or a challenge is removed where it is.");
            }
            _ => return malformed("`days` are for `suspended`, and `name` is for `renamed`."),
        }
        let name = name.map(|name| requests::name(&name)).transpose()?;
        let administrators = self.store.administrators().await.or_failed()?;
        if self.named.iter().chain(administrators.iter().map(|(id, _)| id)).any(|id| id == account) {
            let what = "This is an administrator's account. Take that away first: `linstock admin revoke`.";
            return Err(Failure::new(Code::Protected, what));
        }
        let words = match (&name, days) {
            (Some(name), _) => format!("{why} (to {name})"),
            (None, Some(days)) => format!("{why} ({days} days)"),
            (None, None) => why.clone(),
        };
        let measure = Self::measure(account, kind, &why, days)?;
        let deed = Deed::Measure { measure, rename: name.clone() };
        self.act(deed, word(kind), account, words).await?;
        if let Some(name) = &name {
            for seat in self.store.own_seats(account).await.or_failed()? {
                name_in_journal(self.store, &seat, name).await?;
            }
        }
        Ok(name)
    }

    /// Answers a report.
    ///
    /// # Errors
    /// When there is none of this id, or it is answered.
    pub async fn settle(&self, report: &str, because: Because) -> Result<(), Failure> {
        let answer = requests::chat(&because.why)?;
        let until = world::now() as i64 + KEPT_ANSWERED.as_millis() as i64;
        let deed = Deed::Settle { report: report.to_owned(), answer: answer.clone(), until };
        self.act(deed, "settled", &format!("report {report}"), answer).await
    }

    /// Answers the note of the one concerned.
    ///
    /// # Errors
    /// When there is none, or it is answered.
    pub async fn answer(&self, measure: &str, body: AnswerAppeal) -> Result<(), Failure> {
        let answer = requests::chat(&body.answer)?;
        let act = if body.lift { "answered and lifted" } else { "answered" };
        let deed = Deed::Answer { measure: measure.to_owned(), answer: answer.clone(), lift: body.lift };
        self.act(deed, act, &format!("measure {measure}"), answer).await
    }

    /// Ends a measure before its time.
    ///
    /// # Errors
    /// When there is none of this id, or it was lifted before.
    pub async fn lift(&self, measure: &str, because: Because) -> Result<(), Failure> {
        let why = requests::chat(&because.why)?;
        self.act(Deed::Lift { measure: measure.to_owned() }, "lifted", &format!("measure {measure}"), why)
            .await
    }

    /// Takes a challenge out of the lobby. Whoever put it up is told, if they have an account.
    ///
    /// # Errors
    /// When there is none of this id.
    pub async fn remove_challenge(&self, challenge: &str, because: Because) -> Result<(), Failure> {
        let why = requests::chat(&because.why)?;
        let row = self.store.challenge(challenge).await.or_failed()?.ok_or_else(nothing)?;
        let person = Person::at(self.store, &row.game, offered_by(&row)).await?;
        let measure = Self::told(&person, MeasureKind::ChallengeRemoved, &why)?;
        let deed = Deed::RemoveChallenge { challenge: challenge.to_owned(), measure };
        self.act(deed, "challenge removed", &format!("challenge {challenge}"), why).await
    }

    /// Removes what a line of chat says. Whoever wrote it is told, if they have an account.
    ///
    /// # Errors
    /// When there is no such line.
    pub async fn remove_line(&self, game: &str, n: u64, because: Because) -> Result<(), Failure> {
        let why = requests::chat(&because.why)?;
        let n = i64::try_from(n).map_err(|_| nothing())?;
        let line = self.store.chat(game, n.saturating_sub(1), 1).await.or_failed()?.pop();
        let line = line.filter(|line| line.n == n && line.text != REMOVED).ok_or_else(nothing)?;
        let side = if line.side == 0 { game::Side::First } else { game::Side::Second };
        let measure = Self::told(&Person::at(self.store, game, side).await?, MeasureKind::LineRemoved, &why)?;
        let deed = Deed::RemoveLine { game: game.to_owned(), n, text: REMOVED.to_owned(), measure };
        self.act(deed, "line removed", &format!("game {game} line {n}"), why).await
    }

    fn told(person: &Person, kind: MeasureKind, why: &str) -> Result<Option<MeasureRow>, Failure> {
        person.account().map(|account| Self::measure(account, kind, why, None)).transpose()
    }

    /// Makes an account an administrator's.
    ///
    /// # Errors
    /// When there is no such account, or it is one already.
    pub async fn grant(&self, account: &str) -> Result<(), Failure> {
        self.act(Deed::Grant { account: account.to_owned() }, "granted", account, String::new()).await
    }

    /// Takes that back.
    ///
    /// # Errors
    /// When it is none.
    pub async fn revoke(&self, account: &str) -> Result<(), Failure> {
        self.act(Deed::Revoke { account: account.to_owned() }, "revoked", account, String::new()).await
    }
}
