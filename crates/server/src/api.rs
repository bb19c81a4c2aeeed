//! The addresses under `/api/v1`.

use std::future::Future;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use game::board::{Ask, Offer};
use game::luck::Luck;
use game::odds::{Horizon, OddsReport, SealedOdds};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi};

use crate::hall::{Hall, away, away_with};
use crate::owners::Client;
use crate::problem::OrFailed;
use crate::room::{News, Room};
use crate::{
    accounts, analysis, chat, clocks, live, lobby, notices, order, orders, pictures, ratings, studies,
};
use host::play::not_played;
use host::requests;
use host::seats::Tokens;
use host::wire::{
    Act, Acted, AnswerUndo, AskCheck, AskDemonstration, AskInvitation, AskLesson, AskOdds, AskSealed,
    ChatLine, Claim, Claimed, Code, Commitment, Created, Demonstration, DiceProof, GameFace, GameList,
    HowFar, Import, Invited, LessonFace, Mine, NewGame, OwnScenario, Position, Preview, Problems, Question,
    Rename, Resign, RuleFace, Say, ScenarioFace, Sight, SystemFace, TakeBack,
};
use host::{Failure, Play};

/// Bodies that carry a journal or a scenario may be this large; all others [`SMALL`].
const LARGE: usize = 2 << 20;
const SMALL: usize = 64 << 10;

/// How long a question about odds waits for its turn.
const WEIGH_WITHIN: std::time::Duration = std::time::Duration::from_secs(3);

pub(crate) type Answer<T> = Result<Json<T>, Failure>;

pub(crate) fn router() -> Router<Arc<Hall>> {
    let large = Router::new()
        .route("/games", post(create))
        .route("/games/import", post(import))
        .route("/scenarios", post(read_scenario))
        .route("/situations", post(demonstrate))
        .route("/studies", post(studies::begin).get(studies::terms))
        .layer(DefaultBodyLimit::max(LARGE));
    Router::new()
        .route("/systems", get(systems))
        .route("/systems/{system}/rules", get(rules))
        .route("/systems/{system}/rules/{rule}", get(rule))
        .route("/scenarios", get(scenarios))
        .route("/scenarios/{system}/{name}", get(preview))
        .route("/commitments", post(commitment))
        .route("/games", get(list))
        .route("/games/mine", post(mine))
        .route("/games/{game}", get(face))
        .route("/games/{game}/board", get(board))
        .route("/games/{game}/position", get(position))
        .route("/games/{game}/acts", post(act))
        .route("/games/{game}/undo", post(undo))
        .route("/games/{game}/undo/answer", post(answer_undo))
        .route("/games/{game}/resign", post(resign))
        .route("/games/{game}/continue", post(go_on))
        .route("/games/{game}/invitation", post(invitation))
        .route("/games/{game}/claim", post(claim))
        .route("/games/{game}/name", post(rename))
        .route("/games/{game}/chat", get(read_chat).post(say))
        .route("/games/{game}/overlay", post(overlay))
        .route("/games/{game}/check", post(check))
        .route("/games/{game}/odds", post(odds))
        .route("/games/{game}/odds/sealed", post(sealed_odds))
        .route("/games/{game}/lesson", post(lesson))
        .route("/games/{game}/hint", post(analysis::hint))
        .route("/games/{game}/review", get(analysis::review))
        .route("/games/{game}/luck", get(luck))
        .route("/games/{game}/journal", get(journal))
        .route("/games/{game}/dice", get(dice))
        .route("/games/{game}/live", get(live::open))
        .route("/studies/{study}", get(studies::look))
        .route("/studies/{study}/stop", post(studies::stop))
        .route("/studies/{study}/continue", post(studies::go_on))
        .route("/studies/{study}/report", get(studies::report))
        .route("/studies/{study}/tables/{table}", get(studies::table))
        .route("/openapi.json", get(openapi))
        .merge(lobby::router())
        .merge(accounts::router())
        .merge(order::router())
        .merge(ratings::router())
        .merge(clocks::router())
        .merge(orders::router())
        .merge(notices::router())
        .layer(DefaultBodyLimit::max(SMALL))
        .merge(large)
}

// ---------------------------------------------------------------------------------------------- reading requests

/// JSON, with our problems when it is none.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: serde::de::DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        let json = <Json<T> as FromRequest<S>>::from_request(request, state).await;
        json.map(|Json(value)| Body(value)).map_err(|rejection| match rejection {
            JsonRejection::MissingJsonContentType(_) => {
                Failure::new(Code::NotJson, "Send JSON, with `Content-Type: application/json`.")
            }
            rejection if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Failure::new(Code::TooLarge, "This is larger than the server takes.")
            }
            rejection => Failure::new(Code::Malformed, rejection.body_text()),
        })
    }
}

/// Parts of the address.
pub(crate) struct Path<T>(pub(crate) T);

impl<S: Send + Sync, T: serde::de::DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let path: Result<axum::extract::Path<T>, PathRejection> =
            axum::extract::Path::from_request_parts(parts, state).await;
        path.map(|axum::extract::Path(value)| Path(value))
            .map_err(|e| Failure::new(Code::Malformed, e.body_text()))
    }
}

/// Parameters after the address.
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Send + Sync, T: serde::de::DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let query: Result<axum::extract::Query<T>, QueryRejection> =
            axum::extract::Query::from_request_parts(parts, state).await;
        query
            .map(|axum::extract::Query(value)| Query(value))
            .map_err(|e| Failure::new(Code::Malformed, e.body_text()))
    }
}

/// Whether the answer shall carry the position.
fn full(headers: &HeaderMap) -> bool {
    let minimal = |value: &axum::http::HeaderValue| value.as_bytes() == b"return=minimal";
    !headers.get_all("prefer").iter().any(minimal)
}

/// Sees a change through even if who asked for it hangs up meanwhile.
pub(crate) async fn to_the_end<T: Send + 'static>(
    change: impl Future<Output = Result<T, Failure>> + Send + 'static,
) -> Result<T, Failure> {
    tokio::spawn(change).await.unwrap_or_else(|_| Err(Failure::internal("a change panicked")))
}

// ---------------------------------------------------------------------------------------------- the library

#[utoipa::path(get, path = "/api/v1/systems", tag = "library", responses((status = 200, body = [SystemFace]), Problems))]
async fn systems(State(hall): State<Arc<Hall>>) -> Json<Vec<SystemFace>> {
    Json(hall.shared.library.systems())
}

#[utoipa::path(get, path = "/api/v1/systems/{system}/rules", tag = "library", params(("system" = String, Path)),
    responses((status = 200, body = [RuleFace]), Problems))]
async fn rules(State(hall): State<Arc<Hall>>, Path(system): Path<String>) -> Answer<Vec<RuleFace>> {
    hall.shared.library.rules(&system).map(Json)
}

#[utoipa::path(get, path = "/api/v1/systems/{system}/rules/{rule}", tag = "library",
    params(("system" = String, Path), ("rule" = String, Path)),
    responses((status = 200, body = RuleFace), Problems))]
async fn rule(
    State(hall): State<Arc<Hall>>,
    Path((system, rule)): Path<(String, String)>,
) -> Answer<RuleFace> {
    hall.shared.library.rule(&system, &rule).map(Json)
}

#[utoipa::path(get, path = "/api/v1/scenarios", tag = "library", responses((status = 200, body = [ScenarioFace]), Problems))]
async fn scenarios(State(hall): State<Arc<Hall>>) -> Answer<Vec<ScenarioFace>> {
    away(move || Ok(Json(hall.shared.library.scenarios()))).await
}

#[utoipa::path(get, path = "/api/v1/scenarios/{system}/{name}", tag = "library",
    params(("system" = String, Path), ("name" = String, Path)),
    responses((status = 200, body = Preview), Problems))]
async fn preview(
    State(hall): State<Arc<Hall>>,
    Path((system, name)): Path<(String, String)>,
) -> Answer<Preview> {
    let shared = hall.shared.clone();
    hall.shared.work(move || shared.library.preview(&format!("{system}/{name}")).map(Json)).await
}

#[utoipa::path(post, path = "/api/v1/scenarios", tag = "library", request_body = OwnScenario,
    responses((status = 200, body = Preview), Problems))]
async fn read_scenario(State(hall): State<Arc<Hall>>, Body(own): Body<OwnScenario>) -> Answer<Preview> {
    hall.read_scenario(own).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/situations", tag = "library", request_body = AskDemonstration,
    responses((status = 200, body = Demonstration), Problems))]
async fn demonstrate(
    State(hall): State<Arc<Hall>>,
    Body(ask): Body<AskDemonstration>,
) -> Answer<Demonstration> {
    hall.demonstrate(ask).await.map(Json)
}

// ---------------------------------------------------------------------------------------------- games

#[utoipa::path(post, path = "/api/v1/commitments", tag = "games", responses((status = 200, body = Commitment), Problems))]
async fn commitment(State(hall): State<Arc<Hall>>, client: Client) -> Answer<Commitment> {
    hall.commit(client).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/games", tag = "games", request_body = NewGame,
    responses((status = 201, body = Created), Problems))]
async fn create(
    State(hall): State<Arc<Hall>>,
    client: Client,
    Body(new): Body<NewGame>,
) -> Result<(StatusCode, Json<Created>), Failure> {
    let created = to_the_end(async move { hall.create(new, client).await }).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

#[utoipa::path(post, path = "/api/v1/games/import", tag = "games", request_body = Import,
    responses((status = 201, body = Created), Problems))]
async fn import(
    State(hall): State<Arc<Hall>>,
    client: Client,
    Body(body): Body<Import>,
) -> Result<(StatusCode, Json<Created>), Failure> {
    let created = to_the_end(async move { hall.import(body, client).await }).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
struct Page {
    /// Only games last touched before this, in milliseconds since 1970.
    before: Option<u64>,
    /// At most 100.
    #[param(minimum = 0)]
    limit: Option<u32>,
}

#[utoipa::path(get, path = "/api/v1/games", tag = "games", params(Page), responses((status = 200, body = GameList), Problems))]
async fn list(State(hall): State<Arc<Hall>>, Query(page): Query<Page>) -> Answer<GameList> {
    hall.list(page.before, page.limit).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/games/mine", tag = "games", request_body = Mine,
    responses((status = 200, body = [GameFace]), Problems))]
async fn mine(State(hall): State<Arc<Hall>>, Body(mine): Body<Mine>) -> Answer<Vec<GameFace>> {
    hall.mine(mine).await.map(Json)
}

#[utoipa::path(get, path = "/api/v1/games/{game}", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 200, body = GameFace), Problems), security((), ("seat" = [])))]
async fn face(State(hall): State<Arc<Hall>>, Path(game): Path<String>, tokens: Tokens) -> Answer<GameFace> {
    let room = hall.room(&game).await?;
    let play = room.play().await?;
    let held = room.admit(&play, &tokens)?;
    Ok(Json(room.face(&play, held)))
}

#[utoipa::path(get, path = "/api/v1/games/{game}/board", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 200, body = Object), Problems), security((), ("seat" = [])))]
async fn board(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let room = hall.room(&game).await?;
    room.admit(&*room.play().await?, &tokens)?;
    let (board, tag) = drawn_once(&hall, room).await?;
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response());
    }
    let head = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "private, no-cache".to_owned()),
    ];
    Ok((head, board).into_response())
}

/// The board of a game: as its scenario draws it, or as it was kept when that can no longer be opened.
async fn drawn_once(hall: &Hall, room: Arc<Room>) -> Result<(Bytes, String), Failure> {
    let id = room.about.id.clone();
    let drawn = away(move || Ok(room.board())).await?;
    if let Some(drawn) = drawn {
        return Ok((Bytes::from_owner(drawn.0), drawn.1));
    }
    let kept = hall.shared.store.picture(&id).await.or_failed()?;
    let board = kept.as_ref().and_then(|picture| pictures::unpacked(&picture.board));
    let (Some(board), Some(picture)) = (board.filter(|board| !board.is_empty()), kept) else {
        let message = "The scenario of this game can no longer be opened, and its map was not kept.";
        return Err(Failure::new(Code::NoSuchScenario, message));
    };
    Ok((board.into(), format!("\"{}\"", picture.board_hash)))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
struct Look {
    /// An earlier moment.
    at: Option<u64>,
    /// The first moment whose log is wanted.
    #[serde(default)]
    log_from: u64,
    /// Other eyes, once the game is over.
    #[param(inline)]
    sight: Option<Sight>,
}

#[utoipa::path(get, path = "/api/v1/games/{game}/position", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$"), Look),
    responses((status = 200, body = Position), Problems), security((), ("seat" = [])))]
async fn position(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    Query(look): Query<Look>,
) -> Answer<Position> {
    let room = hall.room(&game).await?;
    let play = room.play().await?;
    let held = room.admit(&play, &tokens)?;
    let own = play.sight(held);
    let sight = look.sight.unwrap_or(own);
    if sight != own && !play.over() {
        return Err(Failure::new(Code::Concealed, "Other eyes can be borrowed once the game is over."));
    }
    let version = room.version();
    let draw = move |_: &Room, play: &mut Play| play.position(held, sight, look.at, look.log_from);
    let (_, position) = room.work(play, draw).await?;
    notices::seen(&room, held, version);
    position.map(Json)
}

#[utoipa::path(post, path = "/api/v1/games/{game}/acts", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")), request_body = Act,
    responses((status = 200, body = Acted), Problems), security(("seat" = [])))]
async fn act(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    headers: HeaderMap,
    Body(act): Body<Act>,
) -> Answer<Acted> {
    requests::action(&act.action)?;
    let (room, full) = (hall.room(&game).await?, full(&headers));
    to_the_end(room.act(tokens, act, full)).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/games/{game}/undo", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = TakeBack, responses((status = 200, body = Acted), Problems),
    security(("seat" = [])))]
async fn undo(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    headers: HeaderMap,
    Body(back): Body<TakeBack>,
) -> Answer<Acted> {
    let (room, full) = (hall.room(&game).await?, full(&headers));
    to_the_end(room.undo(tokens, back, full)).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/games/{game}/undo/answer", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = AnswerUndo, responses((status = 200, body = Acted), Problems),
    security(("seat" = [])))]
async fn answer_undo(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    headers: HeaderMap,
    Body(answer): Body<AnswerUndo>,
) -> Answer<Acted> {
    let (room, full) = (hall.room(&game).await?, full(&headers));
    to_the_end(room.answer_undo(tokens, answer, full)).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/games/{game}/resign", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = Resign, responses((status = 200, body = Acted), Problems),
    security(("seat" = [])))]
async fn resign(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    headers: HeaderMap,
    Body(resign): Body<Resign>,
) -> Answer<Acted> {
    let (room, full) = (hall.room(&game).await?, full(&headers));
    to_the_end(room.resign(tokens, resign, full)).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/games/{game}/continue", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 200, body = GameFace), Problems), security(("seat" = [])))]
async fn go_on(State(hall): State<Arc<Hall>>, Path(game): Path<String>, tokens: Tokens) -> Answer<GameFace> {
    let room = hall.room(&game).await?;
    to_the_end(room.go_on(tokens)).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/games/{game}/invitation", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = AskInvitation, responses((status = 200, body = Invited), Problems))]
async fn invitation(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    Body(ask): Body<AskInvitation>,
) -> Answer<Invited> {
    hall.invited(&game, &ask.invitation).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/games/{game}/claim", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = Claim, responses((status = 200, body = Claimed), Problems))]
async fn claim(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    Body(claim): Body<Claim>,
) -> Answer<Claimed> {
    let claimed = async move { hall.claim(&game, &claim.invitation, &claim.name, &claim.token).await };
    let side = to_the_end(claimed).await?;
    Ok(Json(Claimed { side }))
}

#[utoipa::path(post, path = "/api/v1/games/{game}/name", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = Rename, responses((status = 200, body = GameFace), Problems),
    security(("seat" = [])))]
async fn rename(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(rename): Body<Rename>,
) -> Answer<GameFace> {
    let name = requests::name(&rename.name)?;
    to_the_end(async move {
        let room = hall.room(&game).await?;
        let mut play = room.play().await?;
        let held = tokens.seats(&play.seats)?;
        let side = held.must_sit(play.decides())?;
        let renamed = hall.shared.store.rename(&game, side.index() as i64, name.clone()).await;
        room.advance(renamed.or_failed()?);
        play.seats[side].name = name;
        room.tell(News::Face);
        Ok(Json(room.face(&play, held)))
    })
    .await
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
struct After {
    /// The last line already known.
    #[serde(default)]
    after: u64,
}

#[utoipa::path(get, path = "/api/v1/games/{game}/chat", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$"), After),
    responses((status = 200, body = [ChatLine]), Problems), security((), ("seat" = [])))]
async fn read_chat(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    Query(after): Query<After>,
) -> Answer<Vec<ChatLine>> {
    let room = hall.room(&game).await?;
    let held = room.admit(&*room.play().await?, &tokens)?;
    chat::read(&room, held, after.after).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/games/{game}/chat", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = Say, responses((status = 200, body = ChatLine), Problems),
    security(("seat" = [])))]
async fn say(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(say): Body<Say>,
) -> Answer<ChatLine> {
    let room = hall.room(&game).await?;
    to_the_end(chat::say(room, tokens, say)).await.map(Json)
}

#[utoipa::path(post, path = "/api/v1/games/{game}/overlay", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = Question, responses((status = 200, body = Object), Problems),
    security((), ("seat" = [])))]
async fn overlay(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(ask): Body<Ask>,
) -> Answer<game::board::Overlay> {
    let room = hall.room(&game).await?;
    let play = room.play().await?;
    let held = room.admit(&play, &tokens)?;
    let (_, overlay) =
        room.work(play, move |_, play| play.table.overlay(play.sight(held).eyes(), &ask)).await?;
    Ok(Json(overlay))
}

#[utoipa::path(post, path = "/api/v1/games/{game}/check", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = AskCheck, responses((status = 200, body = Object), Problems),
    security(("seat" = [])))]
async fn check(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(ask): Body<AskCheck>,
) -> Answer<Offer> {
    requests::action(&ask.action)?;
    let room = hall.room(&game).await?;
    let play = room.play().await?;
    let (_, offer) = room.work(play, move |_, play| play.would(&tokens, ask.state, &ask.action)).await?;
    offer.map(Json)
}

#[utoipa::path(post, path = "/api/v1/games/{game}/odds", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = AskOdds, responses((status = 200, body = Object), Problems),
    security(("seat" = [])))]
async fn odds(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(ask): Body<AskOdds>,
) -> Answer<OddsReport> {
    requests::action(&ask.action)?;
    let room = hall.room(&game).await?;
    let weigher = room.play().await?.weigher(&tokens, ask.state)?;
    let horizon = match ask.horizon {
        HowFar::Decision => Horizon::Decision,
        HowFar::Affair => Horizon::Affair,
    };
    weighing(&hall, move || weigher.odds(&ask.action, horizon).map(Json).map_err(not_played)).await
}

#[utoipa::path(post, path = "/api/v1/games/{game}/odds/sealed", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = AskSealed, responses((status = 200, body = Option<Object>), Problems),
    security(("seat" = [])))]
async fn sealed_odds(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(ask): Body<AskSealed>,
) -> Answer<Option<SealedOdds>> {
    let room = hall.room(&game).await?;
    let weigher = room.play().await?.weigher(&tokens, ask.state)?;
    weighing(&hall, move || Ok(Json(weigher.sealed()))).await
}

#[utoipa::path(post, path = "/api/v1/games/{game}/lesson", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    request_body = AskLesson, responses((status = 200, body = LessonFace), Problems),
    security(("seat" = [])))]
async fn lesson(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
    Body(ask): Body<AskLesson>,
) -> Answer<LessonFace> {
    let room = hall.room(&game).await?;
    let play = room.play().await?;
    let (_, face) = room.work(play, move |_, play| play.lesson(&tokens, &ask)).await?;
    face.map(Json)
}

/// Works out odds away from the games, a few at a time.
pub(crate) async fn weighing<T: Send + 'static>(
    hall: &Hall,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let busy = || Failure::new(Code::Busy, "Too many odds are being worked out; ask again in a moment.");
    let turn = tokio::time::timeout(WEIGH_WITHIN, hall.shared.weighers.clone().acquire_owned()).await;
    let turn = turn.ok().and_then(Result::ok).ok_or_else(busy)?;
    away_with(turn, work).await
}

#[utoipa::path(get, path = "/api/v1/games/{game}/luck", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 200, body = Object), Problems), security((), ("seat" = [])))]
async fn luck(State(hall): State<Arc<Hall>>, Path(game): Path<String>, tokens: Tokens) -> Answer<Luck> {
    let room = hall.room(&game).await?;
    let play = room.play().await?;
    let held = room.admit(&play, &tokens)?;
    let (_, luck) = room
        .work(play, move |_, play| {
            let sight = play.sight(held);
            play.luck(sight)
        })
        .await?;
    Ok(Json(luck))
}

#[utoipa::path(get, path = "/api/v1/games/{game}/journal", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 200, body = String, content_type = "application/jsonl"), Problems),
    security((), ("seat" = [])))]
async fn journal(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    tokens: Tokens,
) -> Result<Response, Failure> {
    let room = hall.room(&game).await?;
    let play = room.play().await?;
    let held = room.admit(&play, &tokens)?;
    let text = room.work(play, move |_, play| play.journal(held)).await?.1?;
    let head = [
        (header::CONTENT_TYPE, "application/jsonl".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{game}.jsonl\"")),
    ];
    Ok((head, text).into_response())
}

#[utoipa::path(get, path = "/api/v1/games/{game}/dice", tag = "games", params(("game" = String, Path, pattern = "^[a-km-np-z2-9]{16}$")),
    responses((status = 200, body = DiceProof), Problems), security((), ("seat" = [])))]
async fn dice(State(hall): State<Arc<Hall>>, Path(game): Path<String>, tokens: Tokens) -> Answer<DiceProof> {
    let room = hall.room(&game).await?;
    let play = room.play().await?;
    room.admit(&play, &tokens)?;
    room.work(play, |_, play| play.dice()).await?.1.map(Json)
}

// ---------------------------------------------------------------------------------------------- description

/// The machine-readable description of all this.
#[derive(Debug, OpenApi)]
#[openapi(
    info(title = "Linstock", description = "Games over HTTP. docs/api.md explains what the types alone do not say."),
    paths(
        systems, rules, rule, scenarios, preview, read_scenario, demonstrate, commitment, create, import, list, mine, face, board, position, act,
        undo, answer_undo, resign, go_on, invitation, claim, rename, read_chat, say, overlay, check, odds, sealed_odds, lesson, luck, journal, dice,
        analysis::hint, analysis::review,
        lobby::list, lobby::accept, lobby::of_game, lobby::put_up, lobby::withdraw, lobby::rematch,
        accounts::face, accounts::register, accounts::end_register, accounts::sign_in, accounts::end_sign_in, accounts::recover, accounts::sign_out,
        accounts::rename, accounts::add, accounts::end_add, accounts::remove, accounts::renew_codes, accounts::end_others, accounts::end_session,
        accounts::adopt, accounts::games, accounts::resume, accounts::export, accounts::delete,
        order::look, order::report, order::report_challenge, order::tied, order::tie, order::own, order::untie, order::appeal,
        order::reports, order::settle, order::accounts, order::take, order::appeals, order::answer, order::lift,
        order::remove_challenge, order::remove_line, order::audit,
        ratings::of_system, ratings::own, ratings::agree, ratings::accept,
        clocks::at_zero, clocks::zone, orders::look, orders::give,
        studies::terms, studies::begin, studies::look, studies::stop, studies::go_on, studies::report, studies::table
    ),
    modifiers(&SeatToken)
)]
struct Description;

struct SeatToken;

impl utoipa::Modify for SeatToken {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
        let scheme =
            HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("A seat's token.")).build();
        let components = openapi.components.get_or_insert_with(Default::default);
        components.add_security_scheme("seat", SecurityScheme::Http(scheme));
        let cookie =
            ApiKeyValue::with_description("linstock", "Who is signed in; `__Host-linstock` over HTTPS.");
        components.add_security_scheme("session", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
    }
}

async fn openapi() -> Json<impl Serialize> {
    let description = Description::openapi();
    #[cfg(feature = "notices")]
    let description = description.merge_from(notices::Addresses::openapi());
    Json(description)
}
