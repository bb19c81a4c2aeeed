//! Work in the background, which any server may do: what waits is a row, taken by one server for a while. If that server dies,
//! another is given it. What was done is written in the transaction that takes the row away, so it is done once.

use crate::work::Work;
use crate::{Backend, Kind, ReviewRow, Store, StoreError, Task, Waiting, lite, post};

impl Store {
    /// Something waits to be done from `due` on, if nothing of its kind waits for the game yet.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn enqueue(&self, kind: Kind, game: &str, seq: i64, due: i64) -> Result<(), StoreError> {
        self.write(Work::Enqueue { kind, game: game.to_owned(), seq, due }).await.map(drop)
    }

    /// Takes at most `limit` things that are due; nobody else is given them until `until`. Nothing depends on that: should two
    /// be at it, the first to finish is believed.
    ///
    /// # Errors
    /// When they cannot be taken.
    pub async fn take(&self, kind: Kind, now: i64, limit: i64, until: i64) -> Result<Vec<Task>, StoreError> {
        match &self.backend {
            Backend::Lite(lite) => {
                let due = lite.due(kind, now, limit).await?;
                if !due.is_empty() {
                    self.postpone(kind, due.iter().map(|task| task.game.clone()).collect(), until).await?;
                }
                Ok(due)
            }
            Backend::Post(post) => post.take(kind, now, limit, until).await,
            Backend::Memory(node) => node.take(kind, now, limit, until).await,
        }
    }

    /// Somebody is at these, or they come round again: nobody else need take them before `due`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn postpone(&self, kind: Kind, games: Vec<String>, due: i64) -> Result<(), StoreError> {
        self.write(Work::Postpone { kind, games, due }).await.map(drop)
    }

    /// Somebody is at this, and has come so far.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it does not wait any longer.
    pub async fn advance(&self, kind: Kind, task: &Task, done: i64, due: i64) -> Result<(), StoreError> {
        self.write(Work::Advance { kind, task: task.clone(), done, due }).await.map(drop)
    }

    /// Nothing of this kind waits at this line or before.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn dismiss(&self, kind: Kind, game: &str, seq: i64) -> Result<(), StoreError> {
        self.write(Work::Dismiss { kind, game: game.to_owned(), seq }).await.map(drop)
    }

    /// What of this kind waits for the game.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn waits(&self, kind: Kind, game: &str) -> Result<Option<Waiting>, StoreError> {
        read!(self.waits(kind, game))
    }

    /// How many things of this kind wait.
    ///
    /// # Errors
    /// When they cannot be counted.
    pub async fn queued(&self, kind: Kind) -> Result<u64, StoreError> {
        read!(self.queued(kind))
    }

    /// Keeps the review of a game, which then waits no longer.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it did not wait: somebody else has made it, or the game is gone.
    pub async fn keep_review(&self, game: &str, review: ReviewRow) -> Result<(), StoreError> {
        self.write(Work::Review { game: game.to_owned(), review }).await.map(drop)
    }

    /// The review of a game.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn review(&self, game: &str) -> Result<Option<ReviewRow>, StoreError> {
        read!(self.review(game))
    }
}
