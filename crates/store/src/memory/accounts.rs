//! The same about accounts.

use std::collections::BTreeMap;

use super::{Node, Read, Tables, once};
use crate::accounts::{AccountWork, NewAccount, OwnGame, Proof, SESSIONS, WholeAccount};
use crate::{AccountRow, CeremonyRow, OwnSeatRow, PasskeyRow, SessionRow, StoreError};

#[derive(Debug, Default)]
pub(super) struct Accounts {
    accounts: BTreeMap<String, AccountRow>,
    passkeys: BTreeMap<String, PasskeyRow>,
    /// Hashes, with the account that each opens.
    codes: BTreeMap<String, String>,
    sessions: BTreeMap<String, SessionRow>,
    ceremonies: BTreeMap<String, CeremonyRow>,
    seats: BTreeMap<(String, i64), OwnSeatRow>,
}

impl Node {
    pub(crate) async fn ceremony(&self, id: &str, now: i64) -> Read<Option<String>> {
        self.read(|tables| {
            let row = tables.accounts.ceremonies.get(id).filter(|row| row.until > now);
            row.map(|row| row.state.clone())
        })
        .await
    }

    pub(crate) async fn account(&self, id: &str) -> Read<Option<AccountRow>> {
        self.read(|tables| tables.accounts.accounts.get(id).cloned()).await
    }

    pub(crate) async fn account_ids(&self) -> Read<Vec<String>> {
        self.read(|tables| tables.accounts.accounts.keys().cloned().collect()).await
    }

    pub(crate) async fn session(&self, token: &str, now: i64) -> Read<Option<SessionRow>> {
        self.read(|tables| tables.accounts.sessions.get(token).filter(|row| row.until > now).cloned()).await
    }

    pub(crate) async fn sessions(&self, account: &str, now: i64) -> Read<Vec<SessionRow>> {
        let own = |row: &&SessionRow| row.account == account && row.until > now;
        let mut rows: Vec<SessionRow> =
            self.read(|tables| tables.accounts.sessions.values().filter(own).cloned().collect()).await?;
        rows.sort_by_key(|row| (std::cmp::Reverse(row.seen), row.id.clone()));
        Ok(rows)
    }

    pub(crate) async fn passkeys(&self, account: &str) -> Read<Vec<PasskeyRow>> {
        let own = |row: &&PasskeyRow| row.account == account;
        let mut rows: Vec<PasskeyRow> =
            self.read(|tables| tables.accounts.passkeys.values().filter(own).cloned().collect()).await?;
        rows.sort_by_key(|row| (row.made, row.id.clone()));
        Ok(rows)
    }

    pub(crate) async fn passkey(&self, id: &str) -> Read<Option<PasskeyRow>> {
        self.read(|tables| tables.accounts.passkeys.get(id).cloned()).await
    }

    pub(crate) async fn recovery_codes(&self, account: &str) -> Read<Vec<String>> {
        let own = |(hash, whose): (&String, &String)| (whose == account).then(|| hash.clone());
        self.read(|tables| tables.accounts.codes.iter().filter_map(own).collect()).await
    }

    pub(crate) async fn recovered(&self, hash: &str) -> Read<Option<String>> {
        self.read(|tables| tables.accounts.codes.get(hash).cloned()).await
    }

    pub(crate) async fn own_seats(&self, account: &str) -> Read<Vec<OwnSeatRow>> {
        let mut rows: Vec<OwnSeatRow> =
            self.read(|tables| tables.accounts.own(account).cloned().collect()).await?;
        rows.sort_by_key(|row| (row.made, row.game.clone(), row.side));
        Ok(rows)
    }

    pub(crate) async fn own_games(&self, account: &str) -> Read<Vec<OwnGame>> {
        let mut games: Vec<OwnGame> = self
            .read(|tables| tables.accounts.own(account).filter_map(|seat| tables.own_game(seat)).collect())
            .await?;
        games.sort_by_key(|own| (std::cmp::Reverse(own.touched), own.game.clone(), own.side));
        Ok(games)
    }
}

impl Tables {
    fn own_game(&self, seat: &OwnSeatRow) -> Option<OwnGame> {
        let game = self.games.get(&seat.game)?;
        let other = game.seats.iter().find(|other| other.side != seat.side)?;
        Some(OwnGame {
            game: seat.game.clone(),
            side: seat.side,
            touched: game.row.touched,
            over: game.row.over,
            summary: game.row.summary.clone(),
            other_kind: other.kind.clone(),
            other_name: other.name.clone(),
        })
    }

    pub(super) fn write_account(&mut self, work: &AccountWork) -> Result<i64, StoreError> {
        match work {
            AccountWork::Adopt(seat) => {
                self.accounts.must_know(&seat.account)?;
                let there = |game: &super::Game| game.seats.iter().any(|row| row.side == seat.side);
                if !self.games.get(&seat.game).is_some_and(there) {
                    return Err(StoreError::Conflict);
                }
                self.accounts.keep_seat(seat).map(|()| 0)
            }
            AccountWork::Reseat { account, game, side, token } => {
                self.accounts.must_own(account, game, *side)?;
                self.alter(game, |game| {
                    let seat = game.seats.iter_mut().find(|seat| seat.side == *side);
                    seat.ok_or(StoreError::Conflict)?.token = Some(token.clone());
                    Ok(())
                })
            }
            AccountWork::Leave { seat, name } => {
                self.accounts.must_own(&seat.account, &seat.game, seat.side)?;
                self.accounts.seats.remove(&(seat.game.clone(), seat.side));
                self.challenges.retain(|_, row| row.game != seat.game);
                self.notices.leave_seat(&seat.game, seat.side);
                self.alter(&seat.game, |game| {
                    let seats = game.seats.iter_mut().filter(|row| row.side == seat.side);
                    let lines = game.chat.values_mut().filter(|line| line.side == seat.side);
                    let names = seats.map(|row| &mut row.name).chain(lines.map(|line| &mut line.name));
                    names.for_each(|old| old.clone_from(name));
                    Ok(())
                })
            }
            AccountWork::SignIn { session, proof: Proof::Email(address), .. }
                if self.notices.email(address).is_none_or(|row| row.account != session.account) =>
            {
                Err(StoreError::Conflict)
            }
            AccountWork::Delete { account } => {
                self.accounts.write(work)?;
                self.notices.leave(account);
                self.order.forget_account(account);
                self.ratings.forget(account);
                Ok(0)
            }
            AccountWork::Import(whole) => {
                self.accounts.write(work)?;
                self.notices.import(&whole.channels, whole.notices.as_ref());
                Ok(0)
            }
            work => self.accounts.write(work).map(|()| 0),
        }
    }
}

impl Accounts {
    fn own(&self, account: &str) -> impl Iterator<Item = &OwnSeatRow> {
        self.seats.values().filter(move |row| row.account == account)
    }

    pub(super) fn owner(&self, game: &str, side: i64) -> Option<&str> {
        self.seats.get(&(game.to_owned(), side)).map(|row| row.account.as_str())
    }

    pub(super) fn must_know(&self, account: &str) -> Result<(), StoreError> {
        self.accounts.get(account).map(drop).ok_or(StoreError::Conflict)
    }

    fn must_own(&self, account: &str, game: &str, side: i64) -> Result<(), StoreError> {
        let owner = self.seats.get(&(game.to_owned(), side)).map(|row| row.account.as_str());
        if owner == Some(account) { Ok(()) } else { Err(StoreError::Conflict) }
    }

    fn keep_seat(&mut self, seat: &OwnSeatRow) -> Result<(), StoreError> {
        let key = (seat.game.clone(), seat.side);
        if self.seats.contains_key(&key) {
            return Err(StoreError::Conflict);
        }
        once(self.seats.insert(key, seat.clone()))
    }

    pub(super) fn knows(&self, account: &str) -> bool {
        self.accounts.contains_key(account)
    }

    pub(super) fn all(&self) -> Vec<AccountRow> {
        self.accounts.values().cloned().collect()
    }

    pub(super) fn seats_of(&self, account: &str) -> Vec<(String, i64)> {
        self.own(account).map(|row| (row.game.clone(), row.side)).collect()
    }

    pub(super) fn rename(&mut self, account: &str, name: &str) {
        self.accounts.entry(account.to_owned()).and_modify(|row| name.clone_into(&mut row.name));
    }

    pub(super) fn forget_seats(&mut self, game: &str) {
        self.seats.retain(|(seat, _), _| seat != game);
    }

    pub(super) fn forget(&mut self, until: i64) {
        self.ceremonies.retain(|_, row| row.until > until);
        self.sessions.retain(|_, row| row.until > until);
    }

    fn write(&mut self, work: &AccountWork) -> Result<(), StoreError> {
        match work {
            AccountWork::Begin(row) => return once(self.ceremonies.insert(row.id.clone(), row.clone())),
            AccountWork::End { id } => {
                return self.ceremonies.remove(id).map(drop).ok_or(StoreError::Conflict);
            }
            AccountWork::Join(new) => return self.join(new),
            AccountWork::SignIn { session, proof, before } => {
                return self.sign_in(session, proof, before.as_deref());
            }
            AccountWork::Seen { token, at, until } => {
                self.sessions.entry(token.clone()).and_modify(|row| (row.seen, row.until) = (*at, *until));
            }
            AccountWork::Revoke { account, id: Some(id), .. } => {
                let before = self.sessions.len();
                self.sessions.retain(|_, row| row.account != *account || row.id != *id);
                if self.sessions.len() == before {
                    return Err(StoreError::Conflict);
                }
            }
            AccountWork::Revoke { account, id: None, keep } => {
                self.sessions.retain(|token, row| row.account != *account || token == keep);
            }
            AccountWork::Rename { account, name } => {
                self.accounts.entry(account.clone()).and_modify(|row| row.name.clone_from(name));
            }
            AccountWork::AddPasskey(passkey) => {
                self.must_know(&passkey.account)?;
                return self.add_passkey(passkey);
            }
            AccountWork::RemovePasskey { account, id } => {
                let own = |row: &&PasskeyRow| row.account == *account;
                let there = self.passkeys.get(id).as_ref().is_some_and(own);
                if !there || self.passkeys.values().filter(own).count() < 2 {
                    return Err(StoreError::Conflict);
                }
                self.passkeys.remove(id);
            }
            AccountWork::NewCodes { account, codes } => {
                self.must_know(account)?;
                self.codes.retain(|_, whose| whose != account);
                self.add_codes(account, codes);
            }
            AccountWork::Delete { account } => {
                if self.own(account).next().is_some() {
                    return Err(StoreError::Conflict);
                }
                self.accounts.remove(account).ok_or(StoreError::Conflict)?;
                self.passkeys.retain(|_, row| row.account != *account);
                self.codes.retain(|_, whose| whose != account);
                self.sessions.retain(|_, row| row.account != *account);
            }
            AccountWork::Import(whole) => return self.import(whole),
            AccountWork::Adopt(_) | AccountWork::Reseat { .. } | AccountWork::Leave { .. } => {}
        }
        Ok(())
    }

    fn add_passkey(&mut self, passkey: &PasskeyRow) -> Result<(), StoreError> {
        if self.passkeys.contains_key(&passkey.id) {
            return Err(StoreError::Conflict);
        }
        once(self.passkeys.insert(passkey.id.clone(), passkey.clone()))
    }

    fn add_codes(&mut self, account: &str, codes: &[String]) {
        self.codes.extend(codes.iter().map(|hash| (hash.clone(), account.to_owned())));
    }

    fn join(&mut self, new: &NewAccount) -> Result<(), StoreError> {
        self.add_passkey(&new.passkey)?;
        self.add_codes(&new.account.id, &new.codes);
        self.sessions.insert(new.session.token.clone(), new.session.clone());
        once(self.accounts.insert(new.account.id.clone(), new.account.clone()))
    }

    fn sign_in(
        &mut self,
        session: &SessionRow,
        proof: &Proof,
        before: Option<&str>,
    ) -> Result<(), StoreError> {
        let account = &session.account;
        self.must_know(account)?;
        match proof {
            Proof::Passkey { id, body } => {
                let passkey = self.passkeys.get_mut(id).filter(|row| row.account == *account);
                let passkey = passkey.ok_or(StoreError::Conflict)?;
                passkey.body.clone_from(body);
                passkey.used = session.made;
            }
            Proof::Code(hash) => {
                if self.codes.get(hash) != Some(account) {
                    return Err(StoreError::Conflict);
                }
                self.codes.remove(hash);
            }
            // The channels know whose it is.
            Proof::Email(_) => {}
        }
        if let Some(before) = before {
            self.sessions.remove(before);
        }
        self.sessions.insert(session.token.clone(), session.clone());
        let mut own: Vec<(i64, i64, String)> = self
            .sessions
            .values()
            .filter(|row| row.account == *account)
            .map(|row| (row.seen, row.made, row.token.clone()))
            .collect();
        own.sort_by(|a, b| b.cmp(a));
        for (_, _, token) in own.into_iter().skip(SESSIONS as usize) {
            self.sessions.remove(&token);
        }
        Ok(())
    }

    fn import(&mut self, whole: &WholeAccount) -> Result<(), StoreError> {
        if self.accounts.contains_key(&whole.account.id) {
            return Err(StoreError::Conflict);
        }
        whole.passkeys.iter().try_for_each(|passkey| self.add_passkey(passkey))?;
        whole.seats.iter().try_for_each(|seat| self.keep_seat(seat))?;
        self.add_codes(&whole.account.id, &whole.codes);
        once(self.accounts.insert(whole.account.id.clone(), whole.account.clone()))
    }
}
