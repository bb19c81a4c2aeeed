//! Hints and reviews: what the General thinks of a decision, and of a whole game. Both are worked out away from the games.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use host::Failure;
use host::seats::Tokens;
use host::wire::{AskHint, Code, Problems, ReviewFace};
use players::{General, Hint};

use crate::api::{Answer, Body, Path, weighing};
use crate::hall::Hall;
use crate::reviews;

/// How often the candidates of a hint are played on.
const PLAYS: u32 = 400;

#[utoipa::path(post, path = "/api/v1/games/{game}/hint", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = AskHint, responses((status = 200, body = Object), Problems),
    security(("seat" = [])))]
pub(crate) async fn hint(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(ask): Body<AskHint>,
) -> Answer<Hint> {
    let room = hall.room(&game).await?;
    if room.is_rated() {
        return Err(Failure::new(Code::NoHints, "In a rated game there are no hints."));
    }
    let analyst = room.play().await?.analyst(&tokens, &ask)?;
    let general = General { rollouts: PLAYS, ..General::GENERAL };
    let none = || Failure::new(Code::Over, "There is nothing to decide.");
    weighing(&hall, move || analyst(general).map(Json).ok_or_else(none)).await
}

#[utoipa::path(get, path = "/api/v1/games/{game}/review", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 200, body = ReviewFace), Problems), security((), ("seat" = [])))]
pub(crate) async fn review(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
) -> Answer<ReviewFace> {
    reviewed(&hall, &game, &tokens).await.map(Json)
}

/// The review of a game, or how far it has come.
pub(crate) async fn reviewed(hall: &Hall, game: &str, tokens: &Tokens) -> Result<ReviewFace, Failure> {
    let room = hall.room(game).await?;
    let play = room.play().await?;
    room.admit(&play, tokens)?;
    let (seq, of) = (play.state as i64 + 1, play.table.moment() as u32);
    // What was found once stays readable, whether or not the game can still be replayed.
    if play.over()
        && let Some(face) = reviews::kept(&hall.shared, game, seq, of).await?
    {
        return Ok(face);
    }
    drop(play.reviewer()?);
    drop(play);
    reviews::ask(&hall.shared, game, seq, of).await
}
