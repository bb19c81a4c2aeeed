//! Everything that is kept of an account, in one file.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use serde::Serialize;
use serde_json::json;
use store::OwnSeatRow;

use super::games::side;
use super::sessions::Member;
use crate::hall::Hall;
use crate::problem::OrFailed;
use host::Failure;
use host::seats::Held;
use host::wire::{ChatLine, GameFace, Problems};

/// A game in the file.
#[derive(Serialize)]
struct Exported {
    game: GameFace,
    side: game::Side,
    /// The journal, line by line; none while it would tell what is concealed.
    journal: Option<Vec<String>>,
    chat: Vec<ChatLine>,
}

#[utoipa::path(get, path = "/api/v1/account/export", tag = "account",
    responses((status = 200, body = Object, content_type = "application/json"), Problems), security(("session" = [])))]
pub(crate) async fn export(State(hall): State<Arc<Hall>>, member: Member) -> Result<Response, Failure> {
    let face = hall.account_face(&member).await?;
    let account =
        serde_json::to_string(&face).map_err(|_| Failure::internal("an account cannot be written"))?;
    let order = crate::order::own_order(&hall, &member.session.account).await?;
    let order =
        serde_json::to_string(&order).map_err(|_| Failure::internal("an account cannot be written"))?;
    let seats = hall.shared.store.own_seats(&member.session.account).await.or_failed()?;
    let notices = crate::notices::exported(&hall, &member.session.account).await?;
    let ratings = serde_json::to_string(&hall.own_ratings(member.account()).await?)
        .map_err(|_| Failure::internal("ratings cannot be written"))?;
    let head = format!(
        "{{\"account\":{account},\"ratings\":{ratings},\"order\":{order},\"notices\":{notices},\"games\":["
    );
    let disposition = "attachment; filename=\"linstock-account.json\"";
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CONTENT_DISPOSITION, disposition)];
    Ok((headers, Body::from_stream(written(hall, head, seats))).into_response())
}

/// The file, a game at a time: all of them together may be larger than one wants in memory.
fn written(
    hall: Arc<Hall>,
    head: String,
    seats: Vec<OwnSeatRow>,
) -> impl stream::Stream<Item = Result<Bytes, Infallible>> {
    let game = move |(n, seat): (usize, OwnSeatRow)| {
        let hall = hall.clone();
        async move {
            let game = hall.exported(&seat).await.unwrap_or_else(|failure| missing(&seat, &failure));
            let comma = if n == 0 { "" } else { "," };
            Bytes::from(format!("{comma}{game}"))
        }
    };
    let games = stream::iter(seats.into_iter().enumerate()).then(game);
    let (head, tail) = (Bytes::from(head), Bytes::from_static(b"]}\n"));
    stream::iter([head]).chain(games).chain(stream::iter([tail])).map(Ok)
}

/// What stands for a game that cannot be read.
fn missing(seat: &OwnSeatRow, failure: &Failure) -> String {
    json!({ "id": seat.game, "problem": failure.0.message }).to_string()
}

impl Hall {
    async fn exported(&self, seat: &OwnSeatRow) -> Result<String, Failure> {
        let side = side(seat.side);
        let held = Held::side(side);
        let room = self.fetch(&seat.game).await?;
        let play = room.play().await?;
        let (play, journal) = room.work(play, move |_, play| play.journal(held)).await?;
        let game = room.face(&play, held);
        drop(play);
        let journal = journal.ok().map(|text| text.lines().map(str::to_owned).collect());
        let chat = crate::chat::read(&room, held, 0).await?;
        serde_json::to_string(&Exported { game, side, journal, chat })
            .map_err(|_| Failure::internal("a game cannot be written"))
    }
}
