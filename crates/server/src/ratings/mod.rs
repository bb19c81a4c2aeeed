//! Ratings: how strong members are in each system. A member is an account, or a computer's level, which keeps its rating.
//!
//! - `agreement` is how a game comes to count: each person at the table says so, as a slip that is kept with the game;
//! - `settling` enters a game that has ended, once, whichever server sees to it;
//! - `formula` is what a result changes, and nothing else.

mod agreement;
mod formula;
mod settling;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use game::{BySide, Side};
use players::Level;
use serde::{Deserialize, Serialize};
use store::RatedRow;

use crate::accounts::Member;
use crate::api::{Answer, Body, Path, to_the_end};
use crate::hall::Hall;
use crate::order::Visitor;
use crate::owners::Client;
use crate::problem::OrFailed;
use crate::{slips, world};
pub(crate) use agreement::{Agreed, Player, SLIP};
use formula::{Advantage, Fought, Strength};
use host::Failure;
use host::wire::{
    Accept, Accepted, AskRated, Code, FairMargin, GameFace, LevelRating, OwnRating, OwnRatings, Problems,
    RatingPoint, SideWorth, Standing, SystemRatings,
};

/// How many games an account page tells of, and how many a fit rests on.
const HISTORY: i64 = 1_000;
const FITTED: i64 = 500;
/// How many points of a history are shown in each system.
const SHOWN: usize = 30;

pub(crate) fn router() -> Router<Arc<Hall>> {
    Router::new()
        .route("/ratings/{system}", get(of_system))
        .route("/account/ratings", get(own))
        .route("/account/rated", post(agree))
        .route("/account/challenges/{challenge}/accept", post(accept))
}

// ---------------------------------------------------------------------------------------------- addresses

#[utoipa::path(get, path = "/api/v1/ratings/{system}", tag = "ratings", params(("system" = String, Path)),
    responses((status = 200, body = SystemRatings), Problems))]
pub(crate) async fn of_system(
    State(hall): State<Arc<Hall>>,
    Path(system): Path<String>,
) -> Answer<SystemRatings> {
    hall.system_ratings(&system).await.map(Json)
}

#[utoipa::path(get, path = "/api/v1/account/ratings", tag = "ratings", responses((status = 200, body = OwnRatings), Problems),
    security(("session" = [])))]
pub(crate) async fn own(State(hall): State<Arc<Hall>>, member: Member) -> Answer<OwnRatings> {
    hall.own_ratings(member.account()).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/rated", tag = "ratings", request_body = AskRated,
    responses((status = 200, body = GameFace), Problems), security(("session" = [])))]
pub(crate) async fn agree(
    State(hall): State<Arc<Hall>>,
    client: Client,
    member: Member,
    Body(ask): Body<AskRated>,
) -> Answer<GameFace> {
    let player = Player::of(&hall, member.account(), client);
    to_the_end(async move { hall.agree(player, &ask.game, ask.token).await }).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/challenges/{challenge}/accept", tag = "ratings",
    params(("challenge" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")), request_body = Accept,
    responses((status = 200, body = Accepted), Problems), security(("session" = [])))]
pub(crate) async fn accept(
    State(hall): State<Arc<Hall>>,
    client: Client,
    member: Member,
    Path(challenge): Path<String>,
    Body(body): Body<Accept>,
) -> Answer<Accepted> {
    let player = Player::of(&hall, member.account(), client);
    let visitor = Visitor(Some(member.account().to_owned()));
    to_the_end(async move { hall.accept(&challenge, visitor, body, Some(player)).await }).await.map(Json)
}

// ---------------------------------------------------------------------------------------------- what is told

/// What is kept of a rated game besides who played it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    fought: Fought,
    after: BySide<Strength>,
    games: BySide<u32>,
    why_not: Option<String>,
    /// The first side's lead in points with the dice taken out.
    fair: Option<f64>,
}

fn standing(strength: Strength, games: i64) -> Standing {
    Standing {
        rating: strength.rating.round() as i32,
        deviation: strength.deviation.round() as u32,
        games: games.max(0) as u32,
    }
}

fn read(row: &RatedRow) -> Option<Kept> {
    slips::read(&row.body)
}

impl Hall {
    /// How strong an account is in a system by now.
    pub(crate) async fn standing(&self, account: &str, system: &str) -> Result<Standing, Failure> {
        let row = self.shared.store.rating(account, system).await.or_failed()?;
        let (strength, games) = settling::by_now(row.as_ref(), world::now() as i64);
        Ok(standing(strength, games))
    }

    pub(crate) async fn own_ratings(&self, account: &str) -> Result<OwnRatings, Failure> {
        let store = &self.shared.store;
        let (rows, now) = (store.ratings(account).await.or_failed()?, world::now() as i64);
        let games = store.rated_games(account, HISTORY).await.or_failed()?;
        let mut by_system: BTreeMap<&str, Vec<(Side, i64, Kept)>> = BTreeMap::new();
        for game in &games {
            let side = if game.first == account { Side::First } else { Side::Second };
            if let Some(kept) = read(game).filter(|_| game.counts) {
                by_system.entry(&game.system).or_default().push((side, game.at, kept));
            }
        }
        let own = rows.iter().map(|row| {
            let (strength, games) = settling::by_now(Some(row), now);
            let games_of = by_system.remove(row.system.as_str()).unwrap_or_default();
            let history = games_of.iter().take(SHOWN).rev().map(|(side, at, kept)| RatingPoint {
                at: *at as u64,
                rating: kept.after[*side].rating.round() as i32,
            });
            OwnRating {
                system: row.system.clone(),
                standing: standing(strength, games),
                history: history.collect(),
                fair: fair_margin(&games_of),
            }
        });
        Ok(OwnRatings { systems: own.collect() })
    }

    async fn system_ratings(&self, system: &str) -> Result<SystemRatings, Failure> {
        if !self.shared.library.editions().iter().any(|(known, _)| *known == system) {
            let message = format!("There is no system `{system}`.");
            return Err(Failure::new(Code::NoSuchSystem, message));
        }
        let levels = Level::ALL.into_iter().filter_map(|level| {
            let Standing { rating, deviation, .. } = standing(Strength::of(level)?, 0);
            Some(LevelRating { level: level.id().to_owned(), rating, deviation })
        });
        let shared = self.shared.clone();
        let scenarios = crate::hall::away(move || Ok(shared.library.scenarios())).await?;
        let mut sides = Vec::new();
        for scenario in scenarios.into_iter().filter(|scenario| scenario.system == system) {
            let Advantage { points, deviation, games } = self.shared.advantage(&scenario.id).await?;
            if games > 0 {
                sides.push(SideWorth {
                    scenario: scenario.id,
                    side: if points < 0.0 { Side::Second } else { Side::First },
                    points: points.abs().round() as u32,
                    deviation: deviation.round() as u32,
                    games,
                });
            }
        }
        Ok(SystemRatings { levels: levels.collect(), sides })
    }
}

fn fair_margin(games: &[(Side, i64, Kept)]) -> Option<FairMargin> {
    let own = |(side, _, kept): &(Side, i64, Kept)| {
        kept.fair.map(|fair| if *side == Side::First { fair } else { -fair })
    };
    let margins: Vec<f64> = games.iter().filter_map(own).collect();
    let mean = margins.iter().sum::<f64>() / margins.len() as f64;
    (!margins.is_empty())
        .then(|| FairMargin { points: (mean * 10.0).round() / 10.0, games: margins.len() as u32 })
}

/// A computer's level by its id.
fn level(id: &str) -> Option<Level> {
    Level::ALL.into_iter().find(|level| level.id() == id)
}

/// How a computer's level is called among members. No account's id has a blank.
fn computer(id: &str) -> String {
    format!("computer {id}")
}
