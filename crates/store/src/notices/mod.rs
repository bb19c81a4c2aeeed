//! Notices: what people are told of when they are not there. A notice is written in the transaction of what it tells of, and
//! taken from there by whichever server comes first. Before it goes out it is sealed into a delivery with an id of its own: if
//! the server that sends it dies, the next one sends the same notices under the same id.

mod statements;
pub(crate) use statements::*;

use crate::work::Work;
use crate::{Backend, Store, StoreError, lite, post};

/// How many channels an account may have.
pub(crate) const CHANNELS: i64 = 20;

/// Somebody who keeps this seat with an account should be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tell {
    /// 0 or 1.
    pub side: i64,
    /// Of what: one bit, the more urgent the higher.
    pub occasion: i64,
    /// When it happened.
    pub at: i64,
    /// When it may go out.
    pub due: i64,
}

/// Where somebody wants to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelRow {
    /// Its id.
    pub id: String,
    /// Whose it is.
    pub account: String,
    /// `email`, `push`, `webhook`.
    pub kind: String,
    /// The address.
    pub target: String,
    /// What else the server must know, as it writes it.
    pub more: String,
    /// Since when.
    pub made: i64,
    /// Nothing is to be sent there.
    pub muted: bool,
    /// Why nothing could be sent there the last time.
    pub fault: Option<String>,
}

/// How somebody wants to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeSettings {
    /// The account.
    pub account: String,
    /// Of what: one bit each.
    pub occasions: i64,
    /// When, as the server writes it.
    pub body: String,
}

/// A notice that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeRow {
    /// Where it goes.
    pub channel: String,
    /// The game.
    pub game: String,
    /// The seat: 0 or 1.
    pub side: i64,
    /// Of what it tells.
    pub occasion: i64,
    /// The version of the game that it tells of.
    pub version: i64,
    /// When it happened.
    pub made: i64,
    /// When it may go out.
    pub due: i64,
    /// The message that it goes out in.
    pub delivery: Option<String>,
    /// How often that was tried.
    pub attempts: i64,
}

/// What can be written about notices: all of it or nothing.
#[derive(Debug, Clone)]
pub(crate) enum NoticeWork {
    /// A channel, and the settings of whoever has none yet.
    Open {
        channel: ChannelRow,
        settings: NoticeSettings,
    },
    Close {
        id: String,
    },
    Mute {
        id: String,
        muted: bool,
    },
    Fault {
        id: String,
        fault: Option<String>,
    },
    Set(NoticeSettings),
    See {
        game: String,
        side: i64,
        version: i64,
    },
    PutOff {
        notices: Vec<NoticeRow>,
        due: i64,
    },
    Seal {
        notices: Vec<NoticeRow>,
        delivery: String,
        due: i64,
    },
    Finish {
        delivery: String,
    },
    TryLater {
        delivery: String,
        due: i64,
    },
}

impl Store {
    async fn of_notices(&self, work: NoticeWork) -> Result<(), StoreError> {
        self.write(Work::Notice(Box::new(work))).await.map(drop)
    }

    // ------------------------------------------------------------------------------------------ what waits

    /// Takes a free seat as [`Store::claim`] does, and tells somebody.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when somebody holds it.
    pub async fn claim_and_tell(
        &self,
        game: &str,
        side: i64,
        token: String,
        name: String,
        tells: Vec<Tell>,
    ) -> Result<i64, StoreError> {
        self.write(Work::Claim { game: game.to_owned(), side, token, name, tells }).await
    }

    /// Changes slips as [`Store::swap`] does, and tells somebody.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when one says something else by now, or the game is gone.
    pub async fn swap_and_tell(
        &self,
        game: &str,
        swaps: Vec<crate::Swap>,
        tells: Vec<Tell>,
    ) -> Result<i64, StoreError> {
        self.write(Work::Swap { game: game.to_owned(), swaps, tells }).await
    }

    /// Whoever sits there has seen the game in this version: what tells of it, or of earlier ones, has done its work.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub async fn see_notices(&self, game: &str, side: i64, version: i64) -> Result<(), StoreError> {
        if read!(self.noticed(game, side, version))? == 0 {
            return Ok(());
        }
        self.of_notices(NoticeWork::See { game: game.to_owned(), side, version }).await
    }

    /// Takes at most `limit` notices that are due; nobody else is given them until `until`.
    ///
    /// # Errors
    /// When they cannot be taken.
    pub async fn take_notices(&self, now: i64, limit: i64, until: i64) -> Result<Vec<NoticeRow>, StoreError> {
        match &self.backend {
            Backend::Post(post) => post.take_notices(now, limit, until).await,
            Backend::Lite(_) | Backend::Memory(_) => {
                let due = read!(self.due_notices(now, limit))?;
                if !due.is_empty() {
                    self.put_off_notices(due.clone(), until).await?;
                }
                Ok(due)
            }
        }
    }

    /// Puts notices off until `due`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn put_off_notices(&self, notices: Vec<NoticeRow>, due: i64) -> Result<(), StoreError> {
        self.of_notices(NoticeWork::PutOff { notices, due }).await
    }

    /// Seals notices into one delivery, to be sent before `due`; answers those that are in it, for some may have been seen
    /// meanwhile.
    ///
    /// # Errors
    /// When it cannot be written or read.
    pub async fn seal_notices(
        &self,
        notices: Vec<NoticeRow>,
        delivery: &str,
        due: i64,
    ) -> Result<Vec<NoticeRow>, StoreError> {
        self.of_notices(NoticeWork::Seal { notices, delivery: delivery.to_owned(), due }).await?;
        self.sealed_notices(delivery).await
    }

    /// What a delivery consists of, as far as it was not told or seen.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn sealed_notices(&self, delivery: &str) -> Result<Vec<NoticeRow>, StoreError> {
        read!(self.sealed_notices(delivery))
    }

    /// A delivery has gone out, or is given up.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn finish_delivery(&self, delivery: &str) -> Result<(), StoreError> {
        self.of_notices(NoticeWork::Finish { delivery: delivery.to_owned() }).await
    }

    /// A delivery did not go out; it is tried again at `due`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn retry_delivery(&self, delivery: &str, due: i64) -> Result<(), StoreError> {
        self.of_notices(NoticeWork::TryLater { delivery: delivery.to_owned(), due }).await
    }

    // ------------------------------------------------------------------------------------------ where and when

    /// Opens a channel. Another address for letters takes the place of the one before.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the address is another account's, there are too many, or there is no such account.
    pub async fn open_channel(
        &self,
        channel: ChannelRow,
        settings: NoticeSettings,
    ) -> Result<(), StoreError> {
        self.of_notices(NoticeWork::Open { channel, settings }).await
    }

    /// Closes a channel; what waits for it is forgotten.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn close_channel(&self, id: &str) -> Result<(), StoreError> {
        self.of_notices(NoticeWork::Close { id: id.to_owned() }).await
    }

    /// Nothing is to be sent there from now on, or something again. What waits is forgotten.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn mute_channel(&self, id: &str, muted: bool) -> Result<(), StoreError> {
        self.of_notices(NoticeWork::Mute { id: id.to_owned(), muted }).await
    }

    /// Notes why nothing can be sent there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn fault_channel(&self, id: &str, fault: Option<String>) -> Result<(), StoreError> {
        self.of_notices(NoticeWork::Fault { id: id.to_owned(), fault }).await
    }

    /// The channels of an account, the oldest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn channels(&self, account: &str) -> Result<Vec<ChannelRow>, StoreError> {
        read!(self.channels(account))
    }

    /// The channel of this id.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn channel(&self, id: &str) -> Result<Option<ChannelRow>, StoreError> {
        read!(self.channel(id))
    }

    /// The account that a confirmed address belongs to.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn account_of_email(&self, address: &str) -> Result<Option<String>, StoreError> {
        read!(self.account_of_email(address))
    }

    /// How an account wants to be told; none if it has never said so.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn notice_settings(&self, account: &str) -> Result<Option<NoticeSettings>, StoreError> {
        read!(self.notice_settings(account))
    }

    /// How an account wants to be told from now on.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when there is no such account.
    pub async fn set_notices(&self, settings: NoticeSettings) -> Result<(), StoreError> {
        self.of_notices(NoticeWork::Set(settings)).await
    }
}
