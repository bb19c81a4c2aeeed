//! Keeping order: reports, people who want nothing to do with each other, what administrators do, and the list of it. Nothing
//! here changes or removes an entry of that list.

mod statements;
pub(crate) use statements::*;

use crate::work::Work;
use crate::{AccountRow, Backend, Store, StoreError, lite, post};

/// Rows that are copied at once, more than there can be in practice.
const ALL: i64 = 10_000_000;

/// A report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportRow {
    /// Its id.
    pub id: String,
    /// Who reported, as the server names people.
    pub author: String,
    /// Who is reported.
    pub subject: String,
    /// When, in milliseconds since 1970.
    pub made: i64,
    /// Until when it is kept.
    pub until: i64,
    /// What it says, as the server writes it.
    pub body: String,
    /// What came of it; none while it is open.
    pub answer: Option<String>,
}

/// Somebody wants nothing to do with somebody else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TieRow {
    /// Who wants it, as the server names people.
    pub owner: String,
    /// With whom.
    pub other: String,
    /// What exactly, as the server writes it.
    pub kind: String,
    /// How the other was called.
    pub name: String,
    /// Since when.
    pub made: i64,
}

/// Something that was done about an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasureRow {
    /// Its id.
    pub id: String,
    /// Whose account.
    pub account: String,
    /// What, as the server writes it.
    pub kind: String,
    /// Why.
    pub why: String,
    /// When.
    pub made: i64,
    /// Until when it holds, if it ends by itself.
    pub until: Option<i64>,
    /// When it was lifted.
    pub lifted: Option<i64>,
    /// The note of the one concerned.
    pub appeal: Option<String>,
    /// When it came.
    pub appealed: Option<i64>,
    /// What was answered.
    pub answer: Option<String>,
}

/// An entry of the list of what administrators have done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    /// Its id.
    pub id: String,
    /// When.
    pub at: i64,
    /// The administrator's account, or what else has acted.
    pub author: String,
    /// What was done.
    pub act: String,
    /// To whom or what.
    pub subject: String,
    /// In words.
    pub words: String,
}

/// What an administrator does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Makes an account an administrator's.
    Grant {
        /// The account.
        account: String,
    },
    /// Takes that back.
    Revoke {
        /// The account.
        account: String,
    },
    /// Answers a report.
    Settle {
        /// The report.
        report: String,
        /// What came of it.
        answer: String,
        /// Until when it is kept.
        until: i64,
    },
    /// Does something about an account.
    Measure {
        /// What.
        measure: MeasureRow,
        /// Its name from now on.
        rename: Option<String>,
    },
    /// Answers a note.
    Answer {
        /// The measure.
        measure: String,
        /// What.
        answer: String,
        /// The measure holds no longer.
        lift: bool,
    },
    /// Ends a measure before its time.
    Lift {
        /// The measure.
        measure: String,
    },
    /// Takes a challenge out of the lobby.
    RemoveChallenge {
        /// The challenge.
        challenge: String,
        /// What is told to whoever put it up, if they have an account.
        measure: Option<MeasureRow>,
    },
    /// Puts other words in place of a line of chat.
    RemoveLine {
        /// The game.
        game: String,
        /// The line.
        n: i64,
        /// The words.
        text: String,
        /// What is told to whoever wrote it, if they have an account.
        measure: Option<MeasureRow>,
    },
}

/// What can be written about order: all of it or nothing.
#[derive(Debug, Clone)]
pub(crate) enum OrderWork {
    Report(ReportRow),
    Tie(TieRow),
    Untie {
        owner: String,
        other: String,
    },
    /// The one concerned says something to a measure, once.
    Appeal {
        measure: String,
        account: String,
        text: String,
        at: i64,
    },
    /// What an administrator does, with its entry in the list.
    Act {
        deed: Box<Deed>,
        entry: AuditRow,
    },
    Import(Box<WholeOrder>),
}

impl OrderWork {
    /// The game that others may have in memory and that this changes.
    pub(crate) fn changes(&self) -> Option<&str> {
        match self {
            OrderWork::Act { deed, .. } => match &**deed {
                Deed::RemoveLine { game, .. } => Some(game),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Everything about order of another store.
#[derive(Debug, Clone, Default)]
pub(crate) struct WholeOrder {
    pub(crate) administrators: Vec<(String, i64)>,
    pub(crate) reports: Vec<ReportRow>,
    pub(crate) ties: Vec<TieRow>,
    pub(crate) measures: Vec<MeasureRow>,
    pub(crate) audit: Vec<AuditRow>,
}

impl Store {
    async fn of_order(&self, work: OrderWork) -> Result<i64, StoreError> {
        self.write(Work::Order(Box::new(work))).await
    }

    /// Keeps a report.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn report(&self, report: ReportRow) -> Result<(), StoreError> {
        self.of_order(OrderWork::Report(report)).await.map(drop)
    }

    /// At most `limit` reports, open ones first, the latest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn reports(&self, limit: i64) -> Result<Vec<ReportRow>, StoreError> {
        read!(self.reports(limit))
    }

    /// The reports that somebody has made.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn reports_by(&self, author: &str) -> Result<Vec<ReportRow>, StoreError> {
        read!(self.reports_by(author))
    }

    /// Somebody wants nothing to do with somebody else; what was there between the two is written over.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn tie(&self, tie: TieRow) -> Result<(), StoreError> {
        self.of_order(OrderWork::Tie(tie)).await.map(drop)
    }

    /// Takes that back; if it was not there nothing changes.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn untie(&self, owner: &str, other: &str) -> Result<(), StoreError> {
        self.of_order(OrderWork::Untie { owner: owner.to_owned(), other: other.to_owned() }).await.map(drop)
    }

    /// With whom somebody wants nothing to do, the latest first.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn ties(&self, owner: &str) -> Result<Vec<TieRow>, StoreError> {
        read!(self.ties(owner))
    }

    /// What somebody, known by these names, wants of somebody else.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn ties_between(&self, owner: [&str; 2], other: [&str; 2]) -> Result<Vec<TieRow>, StoreError> {
        read!(self.ties_between(owner, other))
    }

    /// With how many somebody wants nothing to do.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn count_ties(&self, owner: &str) -> Result<i64, StoreError> {
        read!(self.count_ties(owner))
    }

    /// The account that a seat belongs to.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn seat_account(&self, game: &str, side: i64) -> Result<Option<String>, StoreError> {
        read!(self.seat_account(game, side))
    }

    /// What was done about an account, the latest first.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn measures(&self, account: &str) -> Result<Vec<MeasureRow>, StoreError> {
        read!(self.measures(account))
    }

    /// The measure of this id.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn measure(&self, id: &str) -> Result<Option<MeasureRow>, StoreError> {
        read!(self.measure(id))
    }

    /// At most `limit` measures with a note that nobody has answered, the oldest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn appeals(&self, limit: i64) -> Result<Vec<MeasureRow>, StoreError> {
        read!(self.appeals(limit))
    }

    /// Keeps the one note to a measure.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when there is one already, or the measure concerns somebody else.
    pub async fn appeal(
        &self,
        measure: &str,
        account: &str,
        text: String,
        at: i64,
    ) -> Result<(), StoreError> {
        let (measure, account) = (measure.to_owned(), account.to_owned());
        self.of_order(OrderWork::Appeal { measure, account, text, at }).await.map(drop)
    }

    /// Accounts of this id, or with this in their names, the latest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn find_accounts(&self, text: &str, limit: i64) -> Result<Vec<AccountRow>, StoreError> {
        read!(self.find_accounts(text, limit))
    }

    /// The accounts of administrators, and since when.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn administrators(&self) -> Result<Vec<(String, i64)>, StoreError> {
        read!(self.administrators())
    }

    /// Does what an administrator wants, and writes it into the list.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it was done before, or there is nothing to do it to.
    pub async fn administer(&self, deed: Deed, entry: AuditRow) -> Result<(), StoreError> {
        self.of_order(OrderWork::Act { deed: Box::new(deed), entry }).await.map(drop)
    }

    /// What administrators have done before a time, the latest first.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn audit(&self, before: i64, limit: i64) -> Result<Vec<AuditRow>, StoreError> {
        read!(self.audit(before, limit))
    }

    /// Copies all of it out of another store.
    pub(crate) async fn import_order(&self, from: &Store) -> Result<(), StoreError> {
        let mut whole = WholeOrder {
            administrators: from.administrators().await?,
            reports: from.reports(ALL).await?,
            audit: from.audit(i64::MAX, ALL).await?,
            ..WholeOrder::default()
        };
        for account in from.account_ids().await? {
            whole.ties.extend(from.ties(&account).await?);
            whole.measures.extend(from.measures(&account).await?);
        }
        for game in from.ids().await? {
            for side in 0..2 {
                whole.ties.extend(from.ties(&format!("{game}:{side}")).await?);
            }
        }
        self.of_order(OrderWork::Import(Box::new(whole))).await.map(drop)
    }
}
