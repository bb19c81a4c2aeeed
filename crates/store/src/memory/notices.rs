//! The same about notices.

use std::collections::{BTreeMap, BTreeSet};

use super::{Node, Read, Tables, once};
use crate::notices::{CHANNELS, NoticeWork};
use crate::{ChannelRow, NoticeRow, NoticeSettings, StoreError, Tell};

#[derive(Debug, Default)]
pub(super) struct Notices {
    channels: BTreeMap<String, ChannelRow>,
    settings: BTreeMap<String, NoticeSettings>,
    waiting: BTreeMap<(String, String, i64), Waiting>,
}

#[derive(Debug)]
struct Waiting {
    row: NoticeRow,
    told: bool,
}

impl Node {
    pub(crate) async fn noticed(&self, game: &str, side: i64, version: i64) -> Read<i64> {
        let old = |row: &&NoticeRow| row.game == game && row.side == side && row.version <= version;
        self.read(|tables| tables.notices.rows().filter(old).count() as i64).await
    }

    pub(crate) async fn due_notices(&self, now: i64, limit: i64) -> Read<Vec<NoticeRow>> {
        let due = |waiting: &&Waiting| !waiting.told && waiting.row.due <= now;
        let mut rows: Vec<NoticeRow> = self
            .read(|tables| {
                tables.notices.waiting.values().filter(due).map(|waiting| waiting.row.clone()).collect()
            })
            .await?;
        rows.sort_by_key(|row| (row.due, row.channel.clone(), row.game.clone(), row.side));
        rows.truncate(limit as usize);
        Ok(rows)
    }

    pub(crate) async fn sealed_notices(&self, delivery: &str) -> Read<Vec<NoticeRow>> {
        let sealed = |waiting: &&Waiting| !waiting.told && waiting.row.delivery.as_deref() == Some(delivery);
        let mut rows: Vec<NoticeRow> = self
            .read(|tables| {
                tables.notices.waiting.values().filter(sealed).map(|waiting| waiting.row.clone()).collect()
            })
            .await?;
        rows.sort_by_key(|row| (row.made, row.game.clone(), row.side));
        Ok(rows)
    }

    pub(crate) async fn channels(&self, account: &str) -> Read<Vec<ChannelRow>> {
        let mut rows: Vec<ChannelRow> =
            self.read(|tables| tables.notices.of(account).cloned().collect()).await?;
        rows.sort_by_key(|row| (row.made, row.id.clone()));
        Ok(rows)
    }

    pub(crate) async fn channel(&self, id: &str) -> Read<Option<ChannelRow>> {
        self.read(|tables| tables.notices.channels.get(id).cloned()).await
    }

    pub(crate) async fn account_of_email(&self, address: &str) -> Read<Option<String>> {
        self.read(|tables| tables.notices.email(address).map(|row| row.account.clone())).await
    }

    pub(crate) async fn notice_settings(&self, account: &str) -> Read<Option<NoticeSettings>> {
        self.read(|tables| tables.notices.settings.get(account).cloned()).await
    }
}

impl Tables {
    /// Writes what somebody should be told of a game that has come to this version.
    pub(super) fn tell(&mut self, game: &str, version: i64, tells: &[Tell]) {
        for Tell { side, occasion, at, due } in tells {
            let Some(account) = self.accounts.owner(game, *side) else { continue };
            let wanted = self.notices.settings.get(account).is_some_and(|s| s.occasions & occasion != 0);
            let channels: Vec<String> = self
                .notices
                .of(account)
                .filter(|row| wanted && !row.muted)
                .map(|row| row.id.clone())
                .collect();
            for channel in channels {
                let key = (channel.clone(), game.to_owned(), *side);
                let less = |waiting: &Waiting| waiting.row.occasion < *occasion;
                if self.notices.waiting.get(&key).is_none_or(less) {
                    let row = NoticeRow {
                        channel,
                        game: game.to_owned(),
                        side: *side,
                        occasion: *occasion,
                        version,
                        made: *at,
                        due: *due,
                        delivery: None,
                        attempts: 0,
                    };
                    self.notices.waiting.insert(key, Waiting { row, told: false });
                }
            }
        }
    }

    pub(super) fn write_notice(&mut self, work: &NoticeWork) -> Result<i64, StoreError> {
        match work {
            NoticeWork::Open { channel, .. } => self.accounts.must_know(&channel.account)?,
            NoticeWork::Set(settings) => self.accounts.must_know(&settings.account)?,
            _ => {}
        }
        self.notices.write(work).map(|()| 0)
    }
}

impl Notices {
    fn rows(&self) -> impl Iterator<Item = &NoticeRow> {
        self.waiting.values().map(|waiting| &waiting.row)
    }

    fn of(&self, account: &str) -> impl Iterator<Item = &ChannelRow> {
        self.channels.values().filter(move |row| row.account == account)
    }

    pub(super) fn email(&self, address: &str) -> Option<&ChannelRow> {
        self.channels.values().find(|row| row.kind == "email" && row.target == address)
    }

    pub(super) fn forget_game(&mut self, game: &str) {
        self.waiting.retain(|(_, of, _), _| of != game);
    }

    pub(super) fn leave_seat(&mut self, game: &str, side: i64) {
        self.waiting.retain(|(_, of, at), _| of != game || *at != side);
    }

    pub(super) fn leave(&mut self, account: &str) {
        self.channels.retain(|_, row| row.account != account);
        self.settings.remove(account);
        self.forget_strays();
    }

    pub(super) fn import(&mut self, channels: &[ChannelRow], settings: Option<&NoticeSettings>) {
        self.channels.extend(channels.iter().map(|row| (row.id.clone(), row.clone())));
        self.settings.extend(settings.map(|row| (row.account.clone(), row.clone())));
    }

    fn forget_strays(&mut self) {
        let there: BTreeSet<String> = self.channels.keys().cloned().collect();
        self.waiting.retain(|(channel, ..), _| there.contains(channel));
    }

    /// Those of these rows that still tell of the same and were not told.
    fn untold<'a>(&'a mut self, rows: &'a [NoticeRow]) -> impl Iterator<Item = &'a mut NoticeRow> {
        let same = |row: &NoticeRow| {
            let same = |known: &NoticeRow| {
                (&known.channel, &known.game, known.side, known.version)
                    == (&row.channel, &row.game, row.side, row.version)
            };
            rows.iter().any(same)
        };
        self.waiting
            .values_mut()
            .filter(move |waiting| !waiting.told && same(&waiting.row))
            .map(|waiting| &mut waiting.row)
    }

    fn write(&mut self, work: &NoticeWork) -> Result<(), StoreError> {
        match work {
            NoticeWork::Open { channel, settings } => return self.open(channel, settings),
            NoticeWork::Close { id } => {
                self.channels.remove(id);
                self.forget_strays();
            }
            NoticeWork::Mute { id, muted } => {
                self.channels.entry(id.clone()).and_modify(|row| row.muted = *muted);
                self.waiting.retain(|(channel, ..), _| channel != id);
            }
            NoticeWork::Fault { id, fault } => {
                self.channels.entry(id.clone()).and_modify(|row| row.fault.clone_from(fault));
            }
            NoticeWork::Set(settings) => {
                self.settings.insert(settings.account.clone(), settings.clone());
            }
            NoticeWork::See { game, side, version } => {
                self.waiting.retain(|(_, of, at), waiting| {
                    of != game || at != side || waiting.row.version > *version
                });
            }
            NoticeWork::PutOff { notices, due } => self.untold(notices).for_each(|row| row.due = *due),
            NoticeWork::Seal { notices, delivery, due } => {
                for row in self.untold(notices).filter(|row| row.delivery.is_none()) {
                    (row.delivery, row.due) = (Some(delivery.clone()), *due);
                }
            }
            NoticeWork::Finish { delivery } => {
                self.sealed(delivery).for_each(|waiting| waiting.told = true);
            }
            NoticeWork::TryLater { delivery, due } => {
                for Waiting { row, .. } in self.sealed(delivery).filter(|waiting| !waiting.told) {
                    (row.due, row.attempts) = (*due, row.attempts + 1);
                }
            }
        }
        Ok(())
    }

    fn sealed<'a>(&'a mut self, delivery: &'a str) -> impl Iterator<Item = &'a mut Waiting> {
        self.waiting.values_mut().filter(move |waiting| waiting.row.delivery.as_deref() == Some(delivery))
    }

    fn open(&mut self, channel: &ChannelRow, settings: &NoticeSettings) -> Result<(), StoreError> {
        let replaced = |row: &ChannelRow| match channel.kind.as_str() {
            "email" => row.kind == "email" && row.account == channel.account,
            "push" => row.kind == "push" && row.target == channel.target,
            _ => false,
        };
        let others = |row: &&ChannelRow| !replaced(row);
        let taken = channel.kind == "email" && self.email(&channel.target).filter(others).is_some();
        if taken || self.of(&channel.account).filter(others).count() as i64 >= CHANNELS {
            return Err(StoreError::Conflict);
        }
        self.channels.retain(|_, row| !replaced(row));
        self.forget_strays();
        once(self.channels.insert(channel.id.clone(), channel.clone()))?;
        self.settings.entry(settings.account.clone()).or_insert_with(|| settings.clone());
        Ok(())
    }
}
