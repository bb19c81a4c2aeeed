//! How strong members are in each system, and the rated games that have ended. A game is entered once, together with the
//! ratings that it has changed.

mod statements;
pub(crate) use statements::*;

use crate::work::Work;
use crate::{Backend, Store, StoreError, lite, post};

/// How many rows are copied at once.
const PAGE: i64 = 500;

/// How strong a member is in one system.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingRow {
    /// An account's id, or what stands for a computer's level.
    pub member: String,
    /// `battle-hymn`.
    pub system: String,
    /// On Glicko's scale.
    pub rating: f64,
    /// How sure it is.
    pub deviation: f64,
    /// How steady it is.
    pub volatility: f64,
    /// How many games have counted for it.
    pub games: i64,
    /// When the last of them ended, in milliseconds since 1970.
    pub at: i64,
}

/// A rated game that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatedRow {
    /// The game.
    pub game: String,
    /// `battle-hymn`.
    pub system: String,
    /// `battle-hymn/mcphersons-ridge`.
    pub scenario: String,
    /// When it ended.
    pub at: i64,
    /// Who played the first side; empty for a member who has left.
    pub first: String,
    /// Who played the second.
    pub second: String,
    /// Whether it has changed ratings.
    pub counts: bool,
    /// How it ended and what it changed, as the server writes it.
    pub body: String,
}

/// A rated game that ends now, with the ratings after it. Each is of one game more than the row it replaces.
#[derive(Debug, Clone, PartialEq)]
pub struct Settlement {
    /// The game.
    pub game: RatedRow,
    /// The accounts' ratings from now on.
    pub ratings: Vec<RatingRow>,
}

/// What can be written about ratings: all of it or nothing.
#[derive(Debug, Clone)]
pub(crate) enum RatingWork {
    Settle(Box<Settlement>),
    /// Rows out of another store; what is there already stays.
    Import {
        ratings: Vec<RatingRow>,
        games: Vec<RatedRow>,
    },
}

impl Store {
    async fn of_ratings(&self, work: RatingWork) -> Result<(), StoreError> {
        self.write(Work::Rating(Box::new(work))).await.map(drop)
    }

    /// Enters a game and the ratings after it.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the game was entered before, a rating has changed since it was read, or an account is gone.
    pub async fn settle_ratings(&self, mut settlement: Settlement) -> Result<(), StoreError> {
        // Two games of the same two members wait for each other in the same order.
        settlement.ratings.sort_by(|a, b| a.member.cmp(&b.member));
        self.of_ratings(RatingWork::Settle(Box::new(settlement))).await
    }

    /// A member's rating in a system.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn rating(&self, member: &str, system: &str) -> Result<Option<RatingRow>, StoreError> {
        read!(self.rating(member, system))
    }

    /// A member's ratings.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn ratings(&self, member: &str) -> Result<Vec<RatingRow>, StoreError> {
        read!(self.ratings(member))
    }

    /// A rated game that has ended.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn rated_game(&self, game: &str) -> Result<Option<RatedRow>, StoreError> {
        read!(self.rated_game(game))
    }

    /// The rated games of a member, the latest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn rated_games(&self, member: &str, limit: i64) -> Result<Vec<RatedRow>, StoreError> {
        read!(self.rated_games(member, limit))
    }

    /// The rated games of a scenario that have counted, the latest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn rated_in(&self, scenario: &str, limit: i64) -> Result<Vec<RatedRow>, StoreError> {
        read!(self.rated_in(scenario, limit))
    }

    /// How many games between these two have counted in a system since then.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn met(&self, one: &str, other: &str, system: &str, since: i64) -> Result<u64, StoreError> {
        read!(self.met(one, other, system, since))
    }

    /// Copies all ratings and rated games out of another store. The accounts must be there.
    pub(crate) async fn import_ratings(&self, from: &Store) -> Result<(), StoreError> {
        for account in from.account_ids().await? {
            let ratings = from.ratings(&account).await?;
            self.of_ratings(RatingWork::Import { ratings, games: Vec::new() }).await?;
        }
        let mut after = String::new();
        loop {
            let games = from.rated_after(&after, PAGE).await?;
            let Some(last) = games.last() else { return Ok(()) };
            after.clone_from(&last.game);
            self.of_ratings(RatingWork::Import { ratings: Vec::new(), games }).await?;
        }
    }

    async fn rated_after(&self, game: &str, limit: i64) -> Result<Vec<RatedRow>, StoreError> {
        read!(self.rated_after(game, limit))
    }
}
