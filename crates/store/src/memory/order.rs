//! The same about order.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Node, Read, Tables};
use crate::order::{AuditRow, Deed, MeasureRow, OrderWork, ReportRow, TieRow};
use crate::{AccountRow, StoreError};

#[derive(Debug, Default)]
pub(super) struct Order {
    administrators: BTreeMap<String, i64>,
    reports: BTreeMap<String, ReportRow>,
    ties: BTreeMap<(String, String), TieRow>,
    measures: BTreeMap<String, MeasureRow>,
    audit: BTreeMap<String, AuditRow>,
}

impl Node {
    pub(crate) async fn reports(&self, limit: i64) -> Read<Vec<ReportRow>> {
        let mut rows: Vec<ReportRow> =
            self.read(|tables| tables.order.reports.values().cloned().collect()).await?;
        rows.sort_by_key(|row| (row.answer.is_some(), Reverse(row.made), row.id.clone()));
        rows.truncate(limit as usize);
        Ok(rows)
    }

    pub(crate) async fn reports_by(&self, author: &str) -> Read<Vec<ReportRow>> {
        let own = |row: &&ReportRow| row.author == author;
        let mut rows: Vec<ReportRow> =
            self.read(|tables| tables.order.reports.values().filter(own).cloned().collect()).await?;
        rows.sort_by_key(|row| (Reverse(row.made), row.id.clone()));
        Ok(rows)
    }

    pub(crate) async fn ties(&self, owner: &str) -> Read<Vec<TieRow>> {
        let own = |row: &&TieRow| row.owner == owner;
        let mut rows: Vec<TieRow> =
            self.read(|tables| tables.order.ties.values().filter(own).cloned().collect()).await?;
        rows.sort_by_key(|row| (Reverse(row.made), row.other.clone()));
        Ok(rows)
    }

    pub(crate) async fn ties_between(&self, owner: [&str; 2], other: [&str; 2]) -> Read<Vec<TieRow>> {
        let fits = |row: &&TieRow| owner.contains(&row.owner.as_str()) && other.contains(&row.other.as_str());
        self.read(|tables| tables.order.ties.values().filter(fits).cloned().collect()).await
    }

    pub(crate) async fn count_ties(&self, owner: &str) -> Read<i64> {
        self.ties(owner).await.map(|ties| ties.len() as i64)
    }

    pub(crate) async fn seat_account(&self, game: &str, side: i64) -> Read<Option<String>> {
        self.read(|tables| tables.accounts.owner(game, side).map(str::to_owned)).await
    }

    pub(crate) async fn measures(&self, account: &str) -> Read<Vec<MeasureRow>> {
        let own = |row: &&MeasureRow| row.account == account;
        let mut rows: Vec<MeasureRow> =
            self.read(|tables| tables.order.measures.values().filter(own).cloned().collect()).await?;
        rows.sort_by_key(|row| (Reverse(row.made), row.id.clone()));
        Ok(rows)
    }

    pub(crate) async fn measure(&self, id: &str) -> Read<Option<MeasureRow>> {
        self.read(|tables| tables.order.measures.get(id).cloned()).await
    }

    pub(crate) async fn appeals(&self, limit: i64) -> Read<Vec<MeasureRow>> {
        let open = |row: &&MeasureRow| row.appeal.is_some() && row.answer.is_none();
        let mut rows: Vec<MeasureRow> =
            self.read(|tables| tables.order.measures.values().filter(open).cloned().collect()).await?;
        rows.sort_by_key(|row| (row.appealed, row.id.clone()));
        rows.truncate(limit as usize);
        Ok(rows)
    }

    pub(crate) async fn find_accounts(&self, text: &str, limit: i64) -> Read<Vec<AccountRow>> {
        let part = text.to_lowercase();
        let mut rows = self.read(|tables| tables.accounts.all()).await?;
        rows.retain(|row| row.id == text || row.name.to_lowercase().contains(&part));
        rows.sort_by_key(|row| (Reverse(row.made), row.id.clone()));
        rows.truncate(limit as usize);
        Ok(rows)
    }

    pub(crate) async fn administrators(&self) -> Read<Vec<(String, i64)>> {
        let mut rows: Vec<(String, i64)> = self
            .read(|tables| tables.order.administrators.iter().map(|(id, at)| (id.clone(), *at)).collect())
            .await?;
        rows.sort_by_key(|(id, at)| (*at, id.clone()));
        Ok(rows)
    }

    pub(crate) async fn audit(&self, before: i64, limit: i64) -> Read<Vec<AuditRow>> {
        let mut rows: Vec<AuditRow> =
            self.read(|tables| tables.order.audit.values().cloned().collect()).await?;
        rows.retain(|row| row.at < before);
        rows.sort_by_key(|row| (Reverse(row.at), row.id.clone()));
        rows.truncate(limit as usize);
        Ok(rows)
    }
}

fn must(there: bool) -> Result<(), StoreError> {
    there.then_some(()).ok_or(StoreError::Conflict)
}

impl Tables {
    pub(super) fn write_order(&mut self, work: &OrderWork) -> Result<i64, StoreError> {
        match work {
            OrderWork::Report(row) => self.order.add_report(row),
            OrderWork::Tie(row) => self.order.add_tie(row),
            OrderWork::Untie { owner, other } => {
                self.order.ties.remove(&(owner.clone(), other.clone()));
            }
            OrderWork::Appeal { measure, account, text, at } => {
                let fits = |row: &&mut MeasureRow| row.account == *account && row.appeal.is_none();
                let row = self.order.measures.get_mut(measure).filter(fits).ok_or(StoreError::Conflict)?;
                (row.appeal, row.appealed) = (Some(text.clone()), Some(*at));
            }
            OrderWork::Act { deed, entry } => {
                let version = self.do_deed(deed, entry.at)?;
                self.order.audit.entry(entry.id.clone()).or_insert_with(|| entry.clone());
                return Ok(version);
            }
            OrderWork::Import(whole) => {
                self.order.administrators.extend(whole.administrators.iter().cloned());
                whole.reports.iter().for_each(|row| self.order.add_report(row));
                whole.ties.iter().for_each(|row| self.order.add_tie(row));
                whole.measures.iter().for_each(|row| self.order.add_measure(row));
                for row in &whole.audit {
                    self.order.audit.entry(row.id.clone()).or_insert_with(|| row.clone());
                }
            }
        }
        Ok(0)
    }

    fn do_deed(&mut self, deed: &Deed, at: i64) -> Result<i64, StoreError> {
        match deed {
            Deed::Grant { account } => {
                must(self.accounts.knows(account) && !self.order.administrators.contains_key(account))?;
                self.order.administrators.insert(account.clone(), at);
            }
            Deed::Revoke { account } => must(self.order.administrators.remove(account).is_some())?,
            Deed::Settle { report, answer, until } => {
                let row = self.order.reports.get_mut(report).filter(|row| row.answer.is_none());
                let row = row.ok_or(StoreError::Conflict)?;
                (row.answer, row.until) = (Some(answer.clone()), *until);
            }
            Deed::Measure { measure, rename } => {
                must(self.accounts.knows(&measure.account))?;
                self.order.add_measure(measure);
                self.rename_everywhere(&measure.account, rename.as_deref());
            }
            Deed::Answer { measure, answer, lift } => {
                let open = |row: &&mut MeasureRow| row.appeal.is_some() && row.answer.is_none();
                let row = self.order.measures.get_mut(measure).filter(open).ok_or(StoreError::Conflict)?;
                row.answer = Some(answer.clone());
                row.lifted = row.lifted.or(lift.then_some(at));
            }
            Deed::Lift { measure } => {
                let held = |row: &&mut MeasureRow| row.lifted.is_none();
                let row = self.order.measures.get_mut(measure).filter(held).ok_or(StoreError::Conflict)?;
                row.lifted = Some(at);
            }
            Deed::RemoveChallenge { challenge, measure } => {
                must(self.challenges.get(challenge).is_some_and(|row| !row.taken))?;
                self.challenges.remove(challenge);
                measure.iter().for_each(|row| self.order.add_measure(row));
            }
            Deed::RemoveLine { game, n, text, measure } => {
                let version = self.alter(game, |game| {
                    let line = game.chat.get_mut(n).ok_or(StoreError::Conflict)?;
                    line.text.clone_from(text);
                    Ok(())
                })?;
                measure.iter().for_each(|row| self.order.add_measure(row));
                return Ok(version);
            }
        }
        Ok(0)
    }

    fn rename_everywhere(&mut self, account: &str, name: Option<&str>) {
        let seats = self.accounts.seats_of(account);
        self.challenges.retain(|_, row| row.taken || !seats.iter().any(|(game, _)| *game == row.game));
        let Some(name) = name else { return };
        self.accounts.rename(account, name);
        for (game, side) in seats {
            let Some(game) = self.games.get_mut(&game) else { continue };
            game.row.version += 1;
            let seats = game.seats.iter_mut().filter(|row| row.side == side).map(|row| &mut row.name);
            let lines = game.chat.values_mut().filter(|row| row.side == side).map(|row| &mut row.name);
            seats.chain(lines).for_each(|old| name.clone_into(old));
        }
    }
}

impl Order {
    fn add_report(&mut self, row: &ReportRow) {
        self.reports.entry(row.id.clone()).or_insert_with(|| row.clone());
    }

    fn add_tie(&mut self, row: &TieRow) {
        self.ties.insert((row.owner.clone(), row.other.clone()), row.clone());
    }

    fn add_measure(&mut self, row: &MeasureRow) {
        self.measures.entry(row.id.clone()).or_insert_with(|| row.clone());
    }

    pub(super) fn forget(&mut self, until: i64) {
        self.reports.retain(|_, row| row.until > until);
    }

    pub(super) fn forget_game(&mut self, game: &str) {
        let seats = [format!("{game}:0"), format!("{game}:1")];
        self.ties.retain(|(owner, other), _| !seats.contains(owner) && !seats.contains(other));
    }

    pub(super) fn forget_account(&mut self, account: &str) {
        self.administrators.remove(account);
        self.ties.retain(|(owner, other), _| owner != account && other != account);
        self.measures.retain(|_, row| row.account != account);
        self.reports.retain(|_, row| row.subject != account);
        self.reports.values_mut().filter(|row| row.author == account).for_each(|row| row.author.clear());
    }
}
