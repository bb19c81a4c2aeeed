//! A rated game has ended: it is entered once, with the ratings that it changes, whichever server sees to it and whatever
//! has crashed before. The slip is due from the transaction on that ended the game, until it says what came of it.

use std::sync::Arc;

use game::{BySide, Outcome, Side};
use host::wire::{SeatKind, SettledFace, Sight, Status};
use host::{Failure, Play};
use store::{RatedRow, RatingRow, Settlement, StoreError, Swap};

use super::agreement::{Agreed, Player, SLIP};
use super::formula::{self, Advantage, Fought, Score, Strength};
use super::{FITTED, Kept, level, read, standing};
use crate::hall::Shared;
use crate::problem::{OrFailed, store_failed};
use crate::room::{News, Room};
use crate::world;

/// How many games of the same two members count within [`LATELY`] in a system: so many between people, so many against a
/// computer's level.
const OFTEN: u64 = 4;
const OFTEN_COMPUTER: u64 = 20;
const LATELY: i64 = 30 * 24 * 3_600_000;
/// How often a settlement is tried again when a rating has changed under it.
const ATTEMPTS: usize = 20;

/// A rating as it is by now, and from how many games.
pub(super) fn by_now(row: Option<&RatingRow>, now: i64) -> (Strength, i64) {
    let Some(row) = row else { return (Strength::NEW, 0) };
    let RatingRow { rating, deviation, volatility, games, at, .. } = *row;
    (Strength { rating, deviation, volatility }.after_rest(now - at), games)
}

/// How a game has ended. Where the computer has played on for somebody out of time, they have lost.
fn score(agreed: &Agreed, play: &Play) -> Option<Score> {
    let Status::Over { outcome, .. } = play.status() else { return None };
    let replaced = |side: &Side| {
        let person = matches!(agreed.seats[*side], Some(Player::Account { .. }));
        person && play.seats[*side].kind == SeatKind::Computer
    };
    if let Some(gone) = Side::BOTH.into_iter().find(replaced) {
        return Some(Score::Won(!gone));
    }
    Some(match outcome {
        Outcome::Won(side) => Score::Won(side),
        Outcome::Drawn => Score::Drawn,
    })
}

impl Shared {
    /// What the first side of a scenario is worth, by the last of its rated games.
    pub(super) async fn advantage(&self, scenario: &str) -> Result<Advantage, Failure> {
        let rows = self.store.rated_in(scenario, FITTED).await.or_failed()?;
        let fought: Vec<Fought> = rows.iter().filter_map(|row| Some(read(row)?.fought)).collect();
        Ok(formula::advantage(&fought))
    }
}

impl Room {
    /// When a rated game is over its slip is due, in the transaction that ends the game.
    pub(crate) fn rated_ends(&self, play: &Play, now: u64) -> Option<Swap> {
        let agreed = self.agreed().filter(|agreed| play.over() && agreed.settled.is_none())?;
        agreed.players()?;
        Some(self.slips.swap(SLIP, Some(&agreed), Some(now as i64)))
    }

    /// Settles the game beside everything else. What cannot be done now is done at the next beat of the clocks.
    pub(crate) fn wake_settling(self: &Arc<Self>, play: &Play) {
        if !play.over() || !self.is_rated() {
            return;
        }
        let room = self.clone();
        world::spawn(async move {
            if let Err(failure) = room.settle().await {
                tracing::warn!(game = %room.about.id, problem = %failure.0.message, "a rated game cannot be settled; it is tried again");
            }
        });
    }

    /// Enters the game, unless it was entered before, and notes what came of it.
    pub(crate) async fn settle(self: &Arc<Self>) -> Result<(), Failure> {
        let play = self.play().await?;
        let Some(agreed) = self.agreed().filter(|agreed| agreed.settled.is_none()) else { return Ok(()) };
        let (Some(_), Some(score)) = (agreed.players(), score(&agreed, &play)) else { return Ok(()) };
        // What stands on the board when somebody gives up says little.
        let given_up = matches!(play.status(), Status::Over { resigned: Some(_), .. });
        let fair = if given_up {
            drop(play);
            None
        } else {
            self.work(play, |_, play| play.luck(Sight::All).score.map(|score| score.fair)).await?.1
        };
        let row = self.entered(&agreed, score, fair).await?;
        let kept = read(&row).ok_or_else(|| Failure::internal("a rated game cannot be read"))?;
        let face = |strengths: &BySide<Strength>, more: i64| {
            BySide::from_fn(|side| standing(strengths[side], i64::from(kept.games[side]) + more))
        };
        let settled = SettledFace {
            why_not: kept.why_not.clone(),
            before: face(&kept.fought.before, 0),
            after: face(&kept.after, i64::from(row.counts)),
        };
        let agreed = Agreed { settled: Some(settled), ..agreed };
        let _play = self.play().await?;
        if self.change_slips(vec![self.slips.swap(SLIP, Some(&agreed), None)]).await? {
            self.tell(News::Face);
        }
        Ok(())
    }

    /// The game as it is entered: by us, or by whoever was faster.
    async fn entered(&self, agreed: &Agreed, score: Score, fair: Option<f64>) -> Result<RatedRow, Failure> {
        let store = &self.shared.store;
        for _ in 0..ATTEMPTS {
            if let Some(row) = store.rated_game(&self.about.id).await.or_failed()? {
                return Ok(row);
            }
            let settlement = self.settlement(agreed, score, fair).await?;
            match store.settle_ratings(settlement).await {
                Ok(()) | Err(StoreError::Conflict) => {}
                Err(error) => return Err(store_failed(error)),
            }
        }
        Err(Failure::internal("ratings change too fast"))
    }

    async fn settlement(
        &self,
        agreed: &Agreed,
        score: Score,
        fair: Option<f64>,
    ) -> Result<Settlement, Failure> {
        let Some(players) = agreed.players() else {
            return Err(Failure::internal("a rated game without players"));
        };
        let (store, system, scenario) =
            (&self.shared.store, &self.about.heading.system, &self.about.heading.scenario);
        let now = world::now() as i64;
        let first = self.strength(players.first, now).await?;
        let second = self.strength(players.second, now).await?;
        let members = players.map(Player::member);
        let met = store.met(&members.first, &members.second, system, now - LATELY).await.or_failed()?;
        let people = players.first.account().is_some() && players.second.account().is_some();
        let why_not = match (&first, &second) {
            (None, _) | (_, None) => Some("One of the two has deleted their account.".to_owned()),
            _ if met >= if people { OFTEN } else { OFTEN_COMPUTER } => Some(format!(
                "You two have played {met} games that counted within 30 days. More of them say little, so this one does not count."
            )),
            _ => None,
        };
        let known = BySide {
            first: first.unwrap_or((Strength::NEW, 0)),
            second: second.unwrap_or((Strength::NEW, 0)),
        };
        let fought = Fought { before: known.map(|(strength, _)| strength), score };
        let after = match why_not {
            Some(_) => fought.before,
            None => formula::after(&fought, self.shared.advantage(scenario).await?),
        };
        let after = BySide::from_fn(|side| {
            if players[side].account().is_some() { after[side] } else { fought.before[side] }
        });
        let games = known.map(|(_, games)| games);
        let changed =
            Side::BOTH.into_iter().filter(|side| why_not.is_none() && players[*side].account().is_some());
        let ratings = changed.map(|side| RatingRow {
            member: members[side].clone(),
            system: system.clone(),
            rating: after[side].rating,
            deviation: after[side].deviation,
            volatility: after[side].volatility,
            games: games[side] + 1,
            at: now,
        });
        let ratings = ratings.collect();
        let counts = why_not.is_none();
        let kept = Kept { fought, after, games: games.map(|games| games as u32), why_not, fair };
        let body =
            serde_json::to_string(&kept).map_err(|_| Failure::internal("a rated game cannot be written"))?;
        let BySide { first, second } = members;
        let game = RatedRow {
            game: self.about.id.clone(),
            system: system.clone(),
            scenario: scenario.clone(),
            at: now,
            first,
            second,
            counts,
            body,
        };
        Ok(Settlement { game, ratings })
    }

    /// How strong a player is by now, and from how many games; none if the account is gone.
    async fn strength(&self, player: &Player, now: i64) -> Result<Option<(Strength, i64)>, Failure> {
        let store = &self.shared.store;
        match player {
            Player::Computer(id) => Ok(level(id).and_then(Strength::of).map(|strength| (strength, 0))),
            Player::Account { id, .. } => {
                if store.account(id).await.or_failed()?.is_none() {
                    return Ok(None);
                }
                let row = store.rating(id, &self.about.heading.system).await.or_failed()?;
                Ok(Some(by_now(row.as_ref(), now)))
            }
        }
    }
}
