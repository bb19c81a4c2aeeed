//! Seats that wait for anybody who wants them, and games that are fought again.

use crate::work::Work;
use crate::{Backend, ChallengeRow, Kept, Store, StoreError, Swap, lite, post};

impl Store {
    /// Puts a free seat up for anybody.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when somebody holds the seat, or a seat of this game was put up before.
    pub async fn put_up(&self, challenge: ChallengeRow) -> Result<(), StoreError> {
        self.write(Work::PutUp(Box::new(challenge))).await.map(drop)
    }

    /// Takes back what nobody has taken.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when no seat of the game waits.
    pub async fn withdraw(&self, game: &str) -> Result<(), StoreError> {
        self.write(Work::Withdraw { game: game.to_owned() }).await.map(drop)
    }

    /// Takes the seat that a challenge offers, if it is still offered `now`. Answers the game's version.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when somebody was faster, or it is withdrawn or too old.
    pub async fn accept(
        &self,
        challenge: &ChallengeRow,
        token: String,
        name: String,
        now: i64,
        tells: Vec<crate::Tell>,
    ) -> Result<i64, StoreError> {
        let (id, game, side) = (challenge.id.clone(), challenge.game.clone(), challenge.side);
        self.write(Work::Accept { id, game, side, token, name, now, tells }).await
    }

    /// Keeps a new game in which `old` is fought again; a game is fought again once.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it is already.
    pub async fn create_rematch(&self, kept: Kept, old: &str, slips: Vec<Swap>) -> Result<i64, StoreError> {
        self.write(Work::Rematch { kept: Box::new(kept), old: old.to_owned(), slips }).await
    }

    /// What is offered `now`, the latest first.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn challenges(&self, now: i64, limit: i64) -> Result<Vec<ChallengeRow>, StoreError> {
        read!(self.challenges(now, limit))
    }

    /// A challenge, whatever has become of it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn challenge(&self, id: &str) -> Result<Option<ChallengeRow>, StoreError> {
        read!(self.challenge(id))
    }

    /// The challenge that offers a seat of this game, whatever has become of it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn challenge_of(&self, game: &str) -> Result<Option<ChallengeRow>, StoreError> {
        read!(self.challenge_of(game))
    }

    /// How many challenges are open `now`, and how many of them are `owner`'s.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn open_challenges(&self, owner: &str, now: i64) -> Result<(u64, u64), StoreError> {
        read!(self.open_challenges(owner, now))
    }
}
