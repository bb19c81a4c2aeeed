//! Slips: what is kept with a game beside its journal, each under a name of its own. Some are due at a time, and then any
//! server may see to them. A slip changes only if it still says what whoever changes it has read.

use crate::work::Work;
use crate::{Backend, Kept, Store, StoreError, lite, post};

/// A slip as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlipRow {
    /// The game.
    pub game: String,
    /// Its name, of which each game has one.
    pub name: String,
    /// What it says, as its server writes it.
    pub body: String,
    /// When somebody should see to it, in milliseconds since 1970.
    pub due: Option<i64>,
}

/// A change of a slip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swap {
    /// Its name.
    pub name: String,
    /// What it said; none if there was no such slip.
    pub was: Option<String>,
    /// What it says from now on; none if it is thrown away.
    pub body: Option<String>,
    /// When somebody should see to it.
    pub due: Option<i64>,
}

pub(crate) const INSERT_SLIP: &str =
    "INSERT INTO slips (game, name, body, due) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
pub(crate) const UPDATE_SLIP: &str =
    "UPDATE slips SET body = $3, due = $4 WHERE game = $1 AND name = $2 AND body = $5";
pub(crate) const DELETE_SLIP: &str = "DELETE FROM slips WHERE game = $1 AND name = $2 AND body = $3";
pub(crate) const DELETE_SLIPS: &str = "DELETE FROM slips WHERE game = $1";
pub(crate) const SELECT_SLIPS: &str = "SELECT game, name, body, due FROM slips WHERE game = $1 ORDER BY name";
pub(crate) const SELECT_DUE_SLIPS: &str =
    "SELECT game, name, body, due FROM slips WHERE due <= $1 ORDER BY due, game, name LIMIT $2";

impl Store {
    /// Keeps a new game together with its slips, as [`Store::create`] does without.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when there is a game of that id.
    pub async fn create_with(
        &self,
        kept: Kept,
        due: Option<i64>,
        slips: Vec<Swap>,
    ) -> Result<(), StoreError> {
        self.write(Work::Create { kept: Box::new(kept), due, slips }).await.map(drop)
    }

    /// The slips of a game.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn slips(&self, game: &str) -> Result<Vec<SlipRow>, StoreError> {
        read!(self.slips(game))
    }

    /// At most `limit` slips of all games that somebody should see to.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn due_slips(&self, now: i64, limit: i64) -> Result<Vec<SlipRow>, StoreError> {
        read!(self.due_slips(now, limit))
    }

    /// Changes slips of a game: all of them or none. Answers the version that the game has come to.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when one says something else by now, or the game is gone.
    pub async fn swap(&self, game: &str, swaps: Vec<Swap>) -> Result<i64, StoreError> {
        self.swap_and_tell(game, swaps, Vec::new()).await
    }

    /// Lets a computer of this level play on at a seat that somebody holds; they keep it to look on. Changes slips with it.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] as [`Store::swap`].
    pub async fn stand_in(
        &self,
        game: &str,
        side: i64,
        level: &str,
        swaps: Vec<Swap>,
    ) -> Result<i64, StoreError> {
        self.write(Work::StandIn { game: game.to_owned(), side, level: level.to_owned(), swaps }).await
    }
}
