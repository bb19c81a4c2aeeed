//! Reports: what somebody tells the administrators, with what they need to judge it.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use game::Side;
use host::seats::Tokens;
use host::wire::{About, AskReport, ChatLine, Code, OrderFace, Problems, ReportChallenge, ReportFace};
use host::{Failure, requests};
use serde::{Deserialize, Serialize};
use store::{ReportRow, StoreError};

use super::people::{Person, Visitor};
use crate::api::{Answer, Body, Path};
use crate::hall::Hall;
use crate::owners::Client;
use crate::problem::{OrFailed, store_failed};
use crate::{chance, chat, lobby, world};

const DAY: Duration = Duration::from_secs(24 * 3600);
/// How long a report is kept that nobody answers.
const KEPT: Duration = DAY.saturating_mul(365);
/// How long after its answer.
pub(super) const KEPT_ANSWERED: Duration = DAY.saturating_mul(180);
/// How many lines of chat before and after the one that is reported come along.
const AROUND: u64 = 5;

/// What a report says, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
struct Words {
    about: About,
    words: String,
    name: String,
    account: Option<String>,
    by: Option<String>,
    game: String,
    side: Side,
    challenge: Option<String>,
    note: String,
    lines: Vec<ChatLine>,
}

pub(super) fn face(row: ReportRow) -> Option<ReportFace> {
    let Words { about, words, name, account, by, game, side, challenge, note, lines } =
        serde_json::from_str(&row.body).ok()?;
    // Who has left since is not named.
    let by = by.filter(|_| !row.author.is_empty());
    let (id, made, answer) = (row.id, row.made as u64, row.answer);
    Some(ReportFace { id, made, about, words, name, account, by, game, side, challenge, note, lines, answer })
}

#[utoipa::path(get, path = "/api/v1/order", tag = "order", responses((status = 200, body = OrderFace), Problems))]
pub(crate) async fn look(State(hall): State<Arc<Hall>>) -> Answer<OrderFace> {
    Ok(Json(OrderFace { reports: hall.keeps_order().await? }))
}

#[utoipa::path(post, path = "/api/v1/games/{game}/report", tag = "order", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = AskReport, responses((status = 204), Problems), security(("seat" = [])))]
pub(crate) async fn report(
    State(hall): State<Arc<Hall>>,
    client: Client,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(ask): Body<AskReport>,
) -> Result<StatusCode, Failure> {
    hall.must_keep_order().await?;
    let words = requests::chat(&ask.words)?;
    let room = hall.room(&game).await?;
    let (side, name, last) = {
        let play = room.play().await?;
        let held = tokens.seats(&play.seats)?;
        let side = held.must_sit(None)?;
        if held.both() || play.seats[!side].kind == host::wire::SeatKind::Computer {
            return Err(Failure::new(Code::NoSuchRecord, "Nobody else sits opposite."));
        }
        (side, play.seats[!side].name.clone(), play.chat as u64)
    };
    // The last lines, or those around the one that is meant.
    let middle = match ask.about {
        About::Line { n } => n,
        About::Person | About::Name => last.saturating_sub(AROUND),
        About::Challenge => return Err(Failure::new(Code::Malformed, "Report a challenge in the lobby.")),
    };
    let lines = chat::since(&room, middle.saturating_sub(AROUND + 1) as i64).await?;
    let lines: Vec<ChatLine> =
        lines.into_iter().take_while(|line| line.n <= middle.saturating_add(AROUND)).collect();
    let theirs = |line: &ChatLine| line.n == middle && line.side == !side;
    if matches!(ask.about, About::Line { .. }) && !lines.iter().any(theirs) {
        return Err(Failure::new(Code::NoSuchRecord, "The other side has written no such line."));
    }
    let store = &hall.shared.store;
    let (own, other) = (Person::at(store, &game, side).await?, Person::at(store, &game, !side).await?);
    hall.order.may_report(client, own.name())?;
    let words = Words {
        about: ask.about,
        words,
        name,
        account: other.account().map(str::to_owned),
        by: own.account().map(str::to_owned),
        game,
        side: !side,
        challenge: None,
        note: String::new(),
        lines,
    };
    hall.keep_report(own.name(), other.name(), &words).await
}

#[utoipa::path(post, path = "/api/v1/challenges/{challenge}/report", tag = "order",
    params(("challenge" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")), request_body = ReportChallenge,
    responses((status = 204), Problems))]
pub(crate) async fn report_challenge(
    State(hall): State<Arc<Hall>>,
    client: Client,
    visitor: Visitor,
    Path(challenge): Path<String>,
    Body(ask): Body<ReportChallenge>,
) -> Result<StatusCode, Failure> {
    hall.must_keep_order().await?;
    let words = requests::chat(&ask.words)?;
    let store = &hall.shared.store;
    let gone = || Failure::new(Code::NoSuchChallenge, "This challenge is no longer open.");
    let row = store.challenge(&challenge).await.or_failed()?.filter(|row| !row.taken).ok_or_else(gone)?;
    let (name, note) = lobby::words(&row).ok_or_else(gone)?;
    let side = if row.side == 0 { Side::Second } else { Side::First };
    let other = Person::at(store, &row.game, side).await?;
    let author = visitor.0.clone().unwrap_or_else(|| hall.shared.owners.name(client));
    hall.order.may_report(client, &author)?;
    let words = Words {
        about: About::Challenge,
        words,
        name,
        account: other.account().map(str::to_owned),
        by: visitor.0,
        game: row.game,
        side,
        challenge: Some(challenge),
        note,
        lines: Vec::new(),
    };
    hall.keep_report(&author, other.name(), &words).await
}

impl Hall {
    /// Whether anybody is an administrator.
    pub(super) async fn keeps_order(&self) -> Result<bool, Failure> {
        let named = !self.order.named.is_empty();
        Ok(named || !self.shared.store.administrators().await.or_failed()?.is_empty())
    }

    async fn must_keep_order(&self) -> Result<(), Failure> {
        let nobody =
            || Failure::new(Code::NoSuchRecord, "This server has no administrators who could read it.");
        self.keeps_order().await?.then_some(()).ok_or_else(nobody)
    }

    async fn keep_report(&self, author: &str, subject: &str, words: &Words) -> Result<StatusCode, Failure> {
        let made = world::now() as i64;
        let row = ReportRow {
            id: chance::id()?,
            author: author.to_owned(),
            subject: subject.to_owned(),
            made,
            until: made + KEPT.as_millis() as i64,
            body: serde_json::to_string(words)
                .map_err(|_| Failure::internal("a report cannot be written"))?,
            answer: None,
        };
        match self.shared.store.report(row).await {
            Ok(()) => Ok(StatusCode::NO_CONTENT),
            Err(StoreError::Conflict) => Err(Failure::internal("an id was drawn twice")),
            Err(error) => Err(store_failed(error)),
        }
    }
}
