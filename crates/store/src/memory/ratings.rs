//! The same about ratings.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Node, Read, Tables};
use crate::ratings::{RatingWork, Settlement};
use crate::{RatedRow, RatingRow, StoreError};

#[derive(Debug, Default)]
pub(super) struct Ratings {
    ratings: BTreeMap<(String, String), RatingRow>,
    games: BTreeMap<String, RatedRow>,
}

impl Node {
    pub(crate) async fn rating(&self, member: &str, system: &str) -> Read<Option<RatingRow>> {
        let key = (member.to_owned(), system.to_owned());
        self.read(|tables| tables.ratings.ratings.get(&key).cloned()).await
    }

    pub(crate) async fn ratings(&self, member: &str) -> Read<Vec<RatingRow>> {
        let own = |row: &&RatingRow| row.member == member;
        self.read(|tables| tables.ratings.ratings.values().filter(own).cloned().collect()).await
    }

    pub(crate) async fn rated_game(&self, game: &str) -> Read<Option<RatedRow>> {
        self.read(|tables| tables.ratings.games.get(game).cloned()).await
    }

    pub(crate) async fn rated_games(&self, member: &str, limit: i64) -> Read<Vec<RatedRow>> {
        self.latest(limit, |row| row.first == member || row.second == member).await
    }

    pub(crate) async fn rated_in(&self, scenario: &str, limit: i64) -> Read<Vec<RatedRow>> {
        self.latest(limit, |row| row.counts && row.scenario == scenario).await
    }

    pub(crate) async fn rated_after(&self, game: &str, limit: i64) -> Read<Vec<RatedRow>> {
        let later = |row: &&RatedRow| row.game.as_str() > game;
        self.read(|tables| {
            tables.ratings.games.values().filter(later).take(limit as usize).cloned().collect()
        })
        .await
    }

    pub(crate) async fn met(&self, one: &str, other: &str, system: &str, since: i64) -> Read<u64> {
        let these = |row: &&RatedRow| {
            let pair = (row.first.as_str(), row.second.as_str());
            let these = pair == (one, other) || pair == (other, one);
            row.counts && row.system == system && row.at >= since && these
        };
        self.read(|tables| tables.ratings.games.values().filter(these).count() as u64).await
    }

    async fn latest(&self, limit: i64, wanted: impl Fn(&RatedRow) -> bool) -> Read<Vec<RatedRow>> {
        let mut rows: Vec<RatedRow> = self
            .read(|tables| tables.ratings.games.values().filter(|row| wanted(row)).cloned().collect())
            .await?;
        rows.sort_by_key(|row| (Reverse(row.at), row.game.clone()));
        rows.truncate(limit as usize);
        Ok(rows)
    }
}

impl Tables {
    pub(super) fn write_rating(&mut self, work: &RatingWork) -> Result<i64, StoreError> {
        match work {
            RatingWork::Settle(settlement) => {
                settlement.ratings.iter().try_for_each(|row| self.accounts.must_know(&row.member))?;
                self.ratings.settle(settlement)?;
            }
            RatingWork::Import { ratings, games } => {
                for row in ratings {
                    let key = (row.member.clone(), row.system.clone());
                    self.ratings.ratings.entry(key).or_insert_with(|| row.clone());
                }
                for row in games {
                    self.ratings.games.entry(row.game.clone()).or_insert_with(|| row.clone());
                }
            }
        }
        Ok(0)
    }
}

impl Ratings {
    fn settle(&mut self, settlement: &Settlement) -> Result<(), StoreError> {
        let key = |row: &RatingRow| (row.member.clone(), row.system.clone());
        let fits =
            |row: &RatingRow| self.ratings.get(&key(row)).map_or(0, |known| known.games) == row.games - 1;
        if self.games.contains_key(&settlement.game.game) || !settlement.ratings.iter().all(fits) {
            return Err(StoreError::Conflict);
        }
        self.ratings.extend(settlement.ratings.iter().map(|row| (key(row), row.clone())));
        self.games.insert(settlement.game.game.clone(), settlement.game.clone());
        Ok(())
    }

    /// Somebody leaves.
    pub(super) fn forget(&mut self, member: &str) {
        self.ratings.retain(|(of, _), _| of != member);
        let names = self.games.values_mut().flat_map(|row| [&mut row.first, &mut row.second]);
        names.filter(|name| *name == member).for_each(String::clear);
    }
}
