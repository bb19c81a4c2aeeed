//! People who want to be known again: how they sign in, where they are signed in, and the seats that belong to them. Whatever
//! opens an account is kept as a hash, or as the public half of a key.

mod statements;
pub(crate) use statements::*;

use crate::work::Work;
use crate::{Backend, ChannelRow, NoticeSettings, Store, StoreError, lite, post};

/// How many sessions an account may have; those not used for longest are ended.
pub(crate) const SESSIONS: i64 = 50;

/// An account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountRow {
    /// Its id.
    pub id: String,
    /// How its owner is called.
    pub name: String,
    /// When it was made, in milliseconds since 1970.
    pub made: i64,
}

/// A passkey: its public half.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasskeyRow {
    /// The credential's id, in hexadecimal.
    pub id: String,
    /// Whose it is.
    pub account: String,
    /// What its owner calls it.
    pub label: String,
    /// The key, as the server writes it.
    pub body: String,
    /// When it was added.
    pub made: i64,
    /// When somebody last signed in with it.
    pub used: i64,
}

/// Somebody is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// Hash of the token.
    pub token: String,
    /// What it is called in lists.
    pub id: String,
    /// Whose it is.
    pub account: String,
    /// When they signed in.
    pub made: i64,
    /// When it was last used.
    pub seen: i64,
    /// Until when it can be used.
    pub until: i64,
    /// The browser, in words.
    pub agent: String,
}

/// The first half of signing in or of adding a key, until the second half comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CeremonyRow {
    /// Its id.
    pub id: String,
    /// What the server must remember, as it writes it.
    pub state: String,
    /// Until when it waits.
    pub until: i64,
}

/// A seat that belongs to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnSeatRow {
    /// The game.
    pub game: String,
    /// 0 or 1.
    pub side: i64,
    /// Whose it is.
    pub account: String,
    /// Since when.
    pub made: i64,
}

/// A game in which a seat belongs to an account, in short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnGame {
    /// The game.
    pub game: String,
    /// The side of that seat: 0 or 1.
    pub side: i64,
    /// When something last happened.
    pub touched: i64,
    /// It has come to its end.
    pub over: bool,
    /// What lists show of it, as its server writes it.
    pub summary: String,
    /// The other seat: `here`, `link` or `computer`.
    pub other_kind: String,
    /// How its holder is called; a computer's level.
    pub other_name: String,
}

/// A new account, with the first key and the first session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// The account.
    pub account: AccountRow,
    /// Its first key.
    pub passkey: PasskeyRow,
    /// Hashes of its recovery codes.
    pub codes: Vec<String>,
    /// Its first session.
    pub session: SessionRow,
}

/// How somebody has proved who they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// By a passkey, with what is kept of it from now on.
    Passkey {
        /// Its id.
        id: String,
        /// The key.
        body: String,
    },
    /// By a recovery code, which is used up: its hash.
    Code(String),
    /// By a link that was sent to this address.
    Email(String),
}

/// What can be written about accounts: all of it or nothing.
#[derive(Debug, Clone)]
pub(crate) enum AccountWork {
    Begin(CeremonyRow),
    End {
        id: String,
    },
    Join(Box<NewAccount>),
    SignIn {
        session: SessionRow,
        proof: Proof,
        /// The session that this browser had before.
        before: Option<String>,
    },
    Seen {
        token: String,
        at: i64,
        until: i64,
    },
    /// Ends one session, or all but the one that is kept.
    Revoke {
        account: String,
        id: Option<String>,
        keep: String,
    },
    Rename {
        account: String,
        name: String,
    },
    AddPasskey(PasskeyRow),
    RemovePasskey {
        account: String,
        id: String,
    },
    NewCodes {
        account: String,
        codes: Vec<String>,
    },
    Adopt(OwnSeatRow),
    /// Another token for a seat of one's own; the one before opens it no longer.
    Reseat {
        account: String,
        game: String,
        side: i64,
        token: String,
    },
    /// The seat belongs to the account no longer, and nothing there tells its owner's name.
    Leave {
        seat: OwnSeatRow,
        name: String,
    },
    Delete {
        account: String,
    },
    /// A whole account out of another store.
    Import(Box<WholeAccount>),
}

impl AccountWork {
    /// The game that others may have in memory and that this changes.
    pub(crate) fn changes(&self) -> Option<&str> {
        match self {
            AccountWork::Reseat { game, .. } => Some(game),
            AccountWork::Leave { seat, .. } => Some(&seat.game),
            _ => None,
        }
    }
}

/// An account with everything that is kept of it, but for its sessions.
#[derive(Debug, Clone)]
pub(crate) struct WholeAccount {
    pub(crate) account: AccountRow,
    pub(crate) passkeys: Vec<PasskeyRow>,
    pub(crate) codes: Vec<String>,
    pub(crate) seats: Vec<OwnSeatRow>,
    pub(crate) channels: Vec<ChannelRow>,
    pub(crate) notices: Option<NoticeSettings>,
}

impl Store {
    async fn of_account(&self, work: AccountWork) -> Result<i64, StoreError> {
        self.write(Work::Account(Box::new(work))).await
    }

    // ------------------------------------------------------------------------------------------ signing in

    /// Keeps the first half of a ceremony.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn begin_ceremony(&self, ceremony: CeremonyRow) -> Result<(), StoreError> {
        self.of_account(AccountWork::Begin(ceremony)).await.map(drop)
    }

    /// What was kept of a ceremony, for the one who ends it: a second time there is nothing.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub async fn end_ceremony(&self, id: &str, now: i64) -> Result<Option<String>, StoreError> {
        let Some(state) = read!(self.ceremony(id, now))? else { return Ok(None) };
        match self.of_account(AccountWork::End { id: id.to_owned() }).await {
            Ok(_) => Ok(Some(state)),
            Err(StoreError::Conflict) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Makes an account.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the passkey opens another account.
    pub async fn join(&self, new: NewAccount) -> Result<(), StoreError> {
        self.of_account(AccountWork::Join(Box::new(new))).await.map(drop)
    }

    /// Signs somebody in; the session that their browser had `before` ends.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the key is gone or the code used up.
    pub async fn sign_in(
        &self,
        session: SessionRow,
        proof: Proof,
        before: Option<String>,
    ) -> Result<(), StoreError> {
        self.of_account(AccountWork::SignIn { session, proof, before }).await.map(drop)
    }

    /// The session of this token, if it can be used `now`.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn session(&self, token: &str, now: i64) -> Result<Option<SessionRow>, StoreError> {
        read!(self.session(token, now))
    }

    /// A session is in use, and can be used longer.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn session_seen(&self, token: &str, at: i64, until: i64) -> Result<(), StoreError> {
        self.of_account(AccountWork::Seen { token: token.to_owned(), at, until }).await.map(drop)
    }

    /// The sessions of an account, the one used last first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn sessions(&self, account: &str, now: i64) -> Result<Vec<SessionRow>, StoreError> {
        read!(self.sessions(account, now))
    }

    /// Ends a session of an account.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when there is none of this id.
    pub async fn end_session(&self, account: &str, id: &str) -> Result<(), StoreError> {
        let (account, id) = (account.to_owned(), Some(id.to_owned()));
        self.of_account(AccountWork::Revoke { account, id, keep: String::new() }).await.map(drop)
    }

    /// Ends all sessions of an account but this one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn end_other_sessions(&self, account: &str, keep: &str) -> Result<(), StoreError> {
        let work = AccountWork::Revoke { account: account.to_owned(), id: None, keep: keep.to_owned() };
        self.of_account(work).await.map(drop)
    }

    // ------------------------------------------------------------------------------------------ the account itself

    /// An account.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn account(&self, id: &str) -> Result<Option<AccountRow>, StoreError> {
        read!(self.account(id))
    }

    pub(crate) async fn account_ids(&self) -> Result<Vec<String>, StoreError> {
        read!(self.account_ids())
    }

    /// Gives an account another name.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn rename_account(&self, account: &str, name: String) -> Result<(), StoreError> {
        self.of_account(AccountWork::Rename { account: account.to_owned(), name }).await.map(drop)
    }

    /// The passkeys of an account, the oldest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn passkeys(&self, account: &str) -> Result<Vec<PasskeyRow>, StoreError> {
        read!(self.passkeys(account))
    }

    /// The passkey of this id.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn passkey(&self, id: &str) -> Result<Option<PasskeyRow>, StoreError> {
        read!(self.passkey(id))
    }

    /// Adds a passkey to an account.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it opens an account already.
    pub async fn add_passkey(&self, passkey: PasskeyRow) -> Result<(), StoreError> {
        self.of_account(AccountWork::AddPasskey(passkey)).await.map(drop)
    }

    /// Removes a passkey, unless it is the last.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it is the last, or not the account's.
    pub async fn remove_passkey(&self, account: &str, id: &str) -> Result<(), StoreError> {
        let (account, id) = (account.to_owned(), id.to_owned());
        self.of_account(AccountWork::RemovePasskey { account, id }).await.map(drop)
    }

    /// The hashes of the recovery codes that an account has left.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn recovery_codes(&self, account: &str) -> Result<Vec<String>, StoreError> {
        read!(self.recovery_codes(account))
    }

    /// The account that a recovery code opens.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn recovered(&self, hash: &str) -> Result<Option<String>, StoreError> {
        read!(self.recovered(hash))
    }

    /// New recovery codes in place of all others.
    ///
    /// # Errors
    /// When they cannot be written.
    pub async fn renew_codes(&self, account: &str, codes: Vec<String>) -> Result<(), StoreError> {
        self.of_account(AccountWork::NewCodes { account: account.to_owned(), codes }).await.map(drop)
    }

    /// Deletes an account with its keys, codes and sessions. Its seats must have been left before.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when seats belong to it still, or there is no such account.
    pub async fn delete_account(&self, account: &str) -> Result<(), StoreError> {
        self.of_account(AccountWork::Delete { account: account.to_owned() }).await.map(drop)
    }

    // ------------------------------------------------------------------------------------------ seats

    /// Gives a seat to an account.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it belongs to one.
    pub async fn adopt(&self, seat: OwnSeatRow) -> Result<(), StoreError> {
        self.of_account(AccountWork::Adopt(seat)).await.map(drop)
    }

    /// The seats of an account.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn own_seats(&self, account: &str) -> Result<Vec<OwnSeatRow>, StoreError> {
        read!(self.own_seats(account))
    }

    /// The games of an account, the latest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn own_games(&self, account: &str) -> Result<Vec<OwnGame>, StoreError> {
        read!(self.own_games(account))
    }

    /// Another token for a seat of an account. Answers the game's version.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the seat is not the account's.
    pub async fn reseat(
        &self,
        account: &str,
        game: &str,
        side: i64,
        token: String,
    ) -> Result<i64, StoreError> {
        let (account, game) = (account.to_owned(), game.to_owned());
        self.of_account(AccountWork::Reseat { account, game, side, token }).await
    }

    /// Takes a seat from an account and puts `name` in place of its owner's, there and in the chat. Answers the game's version.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the seat is not the account's.
    pub async fn leave(&self, seat: OwnSeatRow, name: String) -> Result<i64, StoreError> {
        self.of_account(AccountWork::Leave { seat, name }).await
    }

    /// Copies an account out of another store.
    pub(crate) async fn import_account(&self, from: &Store, id: &str) -> Result<(), StoreError> {
        let Some(account) = from.account(id).await? else { return Ok(()) };
        let whole = WholeAccount {
            account,
            passkeys: from.passkeys(id).await?,
            codes: from.recovery_codes(id).await?,
            seats: from.own_seats(id).await?,
            channels: from.channels(id).await?,
            notices: from.notice_settings(id).await?,
        };
        match self.of_account(AccountWork::Import(Box::new(whole))).await {
            // It is there already.
            Err(StoreError::Conflict) => Ok(()),
            done => done.map(drop),
        }
    }
}
