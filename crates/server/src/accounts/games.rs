//! The seats of an account: adopted by whoever holds them, listed, searched, and played in another browser.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use game::{Outcome, Side};
use serde::Deserialize;
use store::{OwnSeatRow, StoreError};
use utoipa::{IntoParams, ToSchema};

use super::sessions::Member;
use crate::api::{Answer, Body, Path, Query, to_the_end};
use crate::hall::{Hall, no_such_game};
use crate::problem::{OrFailed, store_failed};
use crate::room::News;
use crate::summary::{self, Summary};
use crate::world;
use host::Failure;
use host::seats::{self, Held};
use host::wire::{
    Accepted, Adopt, Adopted, Code, Ended, MySeat, OwnGame, OwnGames, Problems, Resume, Status, Tally,
};

/// Seats that one account may have, that may be adopted at once, and games that are listed at once.
const MOST: usize = 2_000;
const AT_ONCE: usize = 200;
const LISTED: usize = 50;

/// Which of one's games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage {
    /// Those that go on.
    #[default]
    Going,
    /// Finished ones.
    Over,
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    /// `going` if left out.
    #[serde(default)]
    #[param(inline)]
    stage: Stage,
    /// `battle-hymn`.
    system: Option<String>,
    /// Part of the battle's title or id.
    scenario: Option<String>,
    /// Part of the opponent's name.
    opponent: Option<String>,
    /// How it went.
    #[param(inline)]
    result: Option<Ended>,
    /// How many to pass over.
    #[serde(default)]
    from: usize,
}

impl Search {
    fn fits(&self, own: &Own) -> bool {
        let holds = |text: &str, part: &Option<String>| {
            part.as_ref().is_none_or(|part| text.to_lowercase().contains(&part.trim().to_lowercase()))
        };
        let battle = format!("{} {}", own.summary.title, own.summary.scenario);
        own.row.over == (self.stage == Stage::Over)
            && self.system.as_ref().is_none_or(|system| own.summary.system == *system)
            && holds(&battle, &self.scenario)
            && holds(&own.row.other_name, &self.opponent)
            && self.result.is_none_or(|result| own.result() == Some(result))
    }
}

/// A game of an account, read.
struct Own {
    row: store::OwnGame,
    summary: Summary,
}

impl Own {
    fn read(row: store::OwnGame) -> Option<Self> {
        Summary::parse(&row.summary).map(|summary| Own { row, summary })
    }

    fn side(&self) -> Side {
        side(self.row.side)
    }

    fn turn(&self) -> bool {
        matches!(self.summary.status, Status::Deciding { side, .. } if side == self.side())
    }

    fn result(&self) -> Option<Ended> {
        match self.summary.status {
            Status::Deciding { .. } => None,
            Status::Over { outcome: Outcome::Drawn, .. } => Some(Ended::Drawn),
            Status::Over { outcome: Outcome::Won(side), .. } if side == self.side() => Some(Ended::Won),
            Status::Over { .. } => Some(Ended::Lost),
        }
    }
}

pub(crate) fn side(number: i64) -> Side {
    if number == 0 { Side::First } else { Side::Second }
}

fn statistics(games: &[Own]) -> Vec<Tally> {
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for own in games {
        let Some(result) = own.result() else { continue };
        let system = own.summary.system.as_str();
        let none = || Tally { system: system.to_owned(), won: 0, lost: 0, drawn: 0 };
        let tally = tallies.entry(system).or_insert_with(none);
        match result {
            Ended::Won => tally.won += 1,
            Ended::Lost => tally.lost += 1,
            Ended::Drawn => tally.drawn += 1,
        }
    }
    tallies.into_values().collect()
}

// ---------------------------------------------------------------------------------------------- addresses

#[utoipa::path(post, path = "/api/v1/account/seats", tag = "account", request_body = Adopt,
    responses((status = 200, body = Adopted), Problems), security(("session" = [])))]
pub(crate) async fn adopt(
    State(hall): State<Arc<Hall>>,
    member: Member,
    Body(body): Body<Adopt>,
) -> Answer<Adopted> {
    to_the_end(async move { hall.adopt(&member.session.account, body).await }).await.map(Json)
}

#[utoipa::path(get, path = "/api/v1/account/games", tag = "account", params(Search),
    responses((status = 200, body = OwnGames), Problems), security(("session" = [])))]
pub(crate) async fn games(
    State(hall): State<Arc<Hall>>,
    member: Member,
    Query(search): Query<Search>,
) -> Answer<OwnGames> {
    hall.own_games(&member.session.account, &search).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/account/games/{game}/seat", tag = "account",
    params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")), request_body = Resume,
    responses((status = 200, body = Accepted), Problems), security(("session" = [])))]
pub(crate) async fn resume(
    State(hall): State<Arc<Hall>>,
    member: Member,
    Path(game): Path<String>,
    Body(body): Body<Resume>,
) -> Answer<Accepted> {
    to_the_end(async move { hall.resume_seat(&member.session.account, game, body).await }).await.map(Json)
}

impl Hall {
    /// Keeps seats with an account. Whoever holds a seat's token may give it to theirs, unless it is another's by now.
    async fn adopt(&self, account: &str, body: Adopt) -> Result<Adopted, Failure> {
        if body.seats.len() > AT_ONCE {
            return Err(Failure::new(Code::Malformed, format!("At most {AT_ONCE} seats at once.")));
        }
        let mut own = self.shared.store.own_seats(account).await.or_failed()?.len();
        let mut adopted = Adopted::default();
        for MySeat { game, token } in body.seats {
            match self.adopt_one(account, &game, &token, own).await? {
                Some(new) => {
                    own += usize::from(new);
                    adopted.kept.push(game);
                }
                None => adopted.left.push(game),
            }
        }
        Ok(adopted)
    }

    /// Keeps one seat with an account. Whether it was new to the account; none if it cannot be adopted.
    pub(crate) async fn adopt_seat(
        &self,
        account: &str,
        game: &str,
        token: &str,
    ) -> Result<Option<bool>, Failure> {
        let own = self.shared.store.own_seats(account).await.or_failed()?.len();
        self.adopt_one(account, game, token, own).await
    }

    /// Whether a seat was new to the account; none if it cannot be adopted.
    async fn adopt_one(
        &self,
        account: &str,
        game: &str,
        token: &str,
        own: usize,
    ) -> Result<Option<bool>, Failure> {
        let store = &self.shared.store;
        let rows = store.seats(game).await.or_failed()?;
        let Some(held) = rows.into_iter().find(|row| summary::seat(row.clone()).is_held_by(token)) else {
            return Ok(None);
        };
        let (game, made) = (game.to_owned(), world::now() as i64);
        let seat = OwnSeatRow { game, side: held.side, account: account.to_owned(), made };
        if self.owns(account, &seat.game, seat.side).await? {
            return Ok(Some(false));
        }
        if own >= MOST {
            let message = format!("An account keeps at most {MOST} games.");
            return Err(Failure::new(Code::Quota, message));
        }
        match store.adopt(seat).await {
            Ok(()) => Ok(Some(true)),
            Err(StoreError::Conflict) => Ok(None),
            Err(error) => Err(store_failed(error)),
        }
    }

    async fn owns(&self, account: &str, game: &str, side: i64) -> Result<bool, Failure> {
        let own = self.shared.store.own_seats(account).await.or_failed()?;
        Ok(own.iter().any(|seat| seat.game == game && seat.side == side))
    }

    async fn own_games(&self, account: &str, search: &Search) -> Result<OwnGames, Failure> {
        let rows = self.shared.store.own_games(account).await.or_failed()?;
        let all: Vec<Own> = rows.into_iter().filter_map(Own::read).collect();
        let statistics = statistics(&all);
        let mut found: Vec<Own> = all.into_iter().filter(|own| search.fits(own)).collect();
        // They come the latest first, and stay so among those with the same answer.
        found.sort_by_key(|own| !own.turn());
        let count = found.len() as u32;
        let mut games = Vec::new();
        for own in found.into_iter().skip(search.from).take(LISTED) {
            let id = &own.row.game;
            // Deleted a moment ago it is left out.
            let Some(row) = self.shared.store.summary(id).await.or_failed()? else { continue };
            let seats = self.shared.store.seats(id).await.or_failed()?;
            let face = Summary::face(&row, seats, Held::side(own.side()), self.present(id));
            games.extend(face.map(|game| OwnGame { game, turn: own.turn(), result: own.result() }));
        }
        Ok(OwnGames { games, count, statistics })
    }

    /// Gives a seat of one's own to the browser that asks; the token before opens it no longer.
    async fn resume_seat(&self, account: &str, game: String, body: Resume) -> Result<Accepted, Failure> {
        let Resume { side, token } = body;
        if !seats::is_token(&token) {
            let message = "`token` must be 64 hexadecimal digits of the client's own making.";
            return Err(Failure::new(Code::Malformed, message));
        }
        if !self.owns(account, &game, side.index() as i64).await? {
            return Err(no_such_game());
        }
        let room = self.room(&game).await?;
        let mut play = room.play().await?;
        if play.seats[side].is_held_by(&token) {
            return Ok(Accepted { game, side });
        }
        if play.seats[!side].is_held_by(&token) {
            return Err(Failure::new(
                Code::SeatTaken,
                "This token holds the other seat. Make up another one.",
            ));
        }
        let hash = seats::hash(&token);
        let reseated = self.shared.store.reseat(account, &game, side.index() as i64, hash.clone()).await;
        let version = reseated.map_err(|error| match error {
            StoreError::Conflict => no_such_game(),
            error => store_failed(error),
        })?;
        room.advance(version);
        play.seats[side].token = Some(hash);
        room.tell(News::Face);
        Ok(Accepted { game, side })
    }
}
