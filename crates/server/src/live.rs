//! The WebSocket: the server tells, each through its own eyes, what has changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{
    CloseFrame, Message, WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection,
};
use axum::response::Response;
use futures_util::StreamExt;
use game::Side;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use crate::api::Path;
use crate::chat;
use crate::door::Place;
use crate::hall::Hall;
use crate::notices;
use crate::room::{News, Room};
use host::Failure;
use host::Play;
use host::seats::{Held, Tokens};
use host::wire::{ClientMessage, Code, Problem, ServerMessage};

const LARGEST_FRAME: usize = 4 << 10;
const HELLO_WITHIN: Duration = Duration::from_secs(10);
const SEND_WITHIN: Duration = Duration::from_secs(20);
/// A connection that has been silent so long is asked whether it lives, and dropped when it does not answer.
const SILENCE: Duration = Duration::from_secs(45);
const MISTAKES: u8 = 3;
/// Hellos that one connection may say at once.
const HELLOS: u32 = 5;
const PER_SEAT: usize = 20;
const BYSTANDERS: usize = 200;

/// `GET /api/v1/games/{game}/live`
pub(crate) async fn open(
    State(hall): State<Arc<Hall>>,
    Path(game): Path<String>,
    place: Option<Extension<Arc<Place>>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Failure> {
    let upgrade = upgrade.map_err(|_| Failure::new(Code::Malformed, "This address is for a WebSocket."))?;
    let room = hall.room(&game).await?;
    // Clients say little: small buffers, for there is one for each who looks on.
    let upgrade = upgrade
        .read_buffer_size(LARGEST_FRAME)
        .write_buffer_size(0)
        .max_message_size(LARGEST_FRAME)
        .max_frame_size(LARGEST_FRAME);
    Ok(upgrade.on_upgrade(move |socket| async move {
        room.shared.metrics.connections.increment(1);
        converse(&room, socket).await;
        room.shared.metrics.connections.decrement(1);
        drop(place);
    }))
}

/// Why a connection ends.
enum End {
    /// The other end has gone.
    Gone,
    /// We close it, with a code and a reason.
    Close(u16, &'static str),
}

/// Somebody connected: counted as present while this lives.
struct Presence {
    room: Arc<Room>,
    side: Option<Side>,
}

impl Presence {
    fn new(room: &Arc<Room>, side: Option<Side>) -> Result<Self, Failure> {
        let (count, most) = counter(room, side);
        if count.fetch_add(1, Ordering::AcqRel) >= most {
            count.fetch_sub(1, Ordering::AcqRel);
            return Err(Failure::new(Code::TooMany, "Too many connections look on already."));
        }
        let presence = Presence { room: room.clone(), side };
        room.look();
        room.tell(News::Face);
        Ok(presence)
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        counter(&self.room, self.side).0.fetch_sub(1, Ordering::AcqRel);
        self.room.tell(News::Face);
    }
}

fn counter(room: &Room, side: Option<Side>) -> (&AtomicUsize, usize) {
    match side {
        Some(side) => (&room.present[side], PER_SEAT),
        None => (&room.bystanders, BYSTANDERS),
    }
}

/// One who looks on.
struct Onlooker {
    tokens: Tokens,
    held: Held,
    /// The state that this connection knows.
    state: u64,
    _presence: Presence,
}

async fn converse(room: &Arc<Room>, mut socket: WebSocket) {
    let end = match listen(room, &mut socket).await {
        Ok(()) => End::Close(1001, "the server is going down"),
        Err(end) => end,
    };
    if let End::Close(code, reason) = end {
        let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        let _ = timeout(SEND_WITHIN, socket.send(close)).await;
    }
}

/// Talks until the server goes down.
async fn listen(room: &Arc<Room>, socket: &mut WebSocket) -> Result<(), End> {
    let mut news = room.news.subscribe();
    let mut down = room.shared.down.subscribe();
    let mut onlooker: Option<Onlooker> = None;
    let mut mistakes = 0;
    let mut hellos = Hellos { left: HELLOS, since: Instant::now() };
    let mut heard = Instant::now();
    let mut pinged = false;
    loop {
        let silence = if onlooker.is_none() { HELLO_WITHIN } else { SILENCE };
        tokio::select! {
            () = gone_down(&mut down) => {
                send(socket, &ServerMessage::Bye).await?;
                return Ok(());
            }
            message = socket.next() => {
                heard = Instant::now();
                pinged = false;
                let text = match message {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Close(_))) | None => return Err(End::Gone),
                    Some(Ok(Message::Binary(_))) => return Err(End::Close(1003, "text frames only")),
                    Some(Err(error)) => {
                        tracing::debug!(%error, "a connection broke");
                        return Err(End::Close(1002, "malformed frame, or larger than 4096 bytes"));
                    }
                };
                if let Err(failure) = hear(room, socket, &mut onlooker, &mut hellos, &text).await? {
                    mistakes += 1;
                    send(socket, &ServerMessage::Problem { problem: problem(failure) }).await?;
                    if mistakes >= MISTAKES {
                        return Err(End::Close(1008, "too many mistakes"));
                    }
                }
            }
            told = news.recv(), if onlooker.is_some() => {
                let Some(onlooker) = &mut onlooker else { continue };
                let told = match told {
                    Ok(news) => vec![news],
                    // Too slow to hear each of them: the present state is what matters.
                    Err(RecvError::Lagged(_)) => vec![News::Changed, News::Face],
                    Err(RecvError::Closed) => return Ok(()),
                };
                for news in told {
                    tell(room, socket, onlooker, news).await?;
                }
            }
            () = tokio::time::sleep_until(heard + silence) => {
                if onlooker.is_none() || pinged {
                    return Err(End::Close(1008, "silence"));
                }
                pinged = true;
                heard = Instant::now();
                let ping = timeout(SEND_WITHIN, socket.send(Message::Ping(Bytes::new()))).await;
                ping.map_err(|_| End::Gone)?.map_err(|_| End::Gone)?;
            }
        }
    }
}

/// How often one connection may still ask for everything: a few times at once, then once a second.
struct Hellos {
    left: u32,
    since: Instant,
}

impl Hellos {
    fn allows_one(&mut self) -> bool {
        let seconds = self.since.elapsed().as_secs();
        if seconds > 0 {
            self.left = self.left.saturating_add(u32::try_from(seconds).unwrap_or(u32::MAX)).min(HELLOS);
            self.since = Instant::now();
        }
        let some = self.left > 0;
        self.left = self.left.saturating_sub(1);
        some
    }
}

async fn gone_down(down: &mut watch::Receiver<bool>) {
    let _ = down.wait_for(|down| *down).await;
}

/// Does what the client says; the inner failure is its own, the outer ends the connection.
async fn hear(
    room: &Arc<Room>,
    socket: &mut WebSocket,
    onlooker: &mut Option<Onlooker>,
    hellos: &mut Hellos,
    text: &str,
) -> Result<Result<(), Failure>, End> {
    let message: ClientMessage = match serde_json::from_str(text) {
        Ok(message) => message,
        Err(error) => return Ok(Err(Failure::new(Code::Malformed, error.to_string()))),
    };
    match message {
        ClientMessage::Ping => send(socket, &ServerMessage::Pong).await.map(Ok),
        ClientMessage::Hello { .. } if !hellos.allows_one() => {
            Ok(Err(Failure::new(Code::TooMany, "One hello a second is enough.")))
        }
        ClientMessage::Hello { token, state, chat_after } => {
            match greet(room, Tokens::one(token), state, chat_after).await {
                Err(failure) => Ok(Err(failure)),
                Ok((new, welcome)) => {
                    *onlooker = Some(new);
                    send_text(socket, welcome).await.map(Ok)
                }
            }
        }
    }
}

async fn greet(
    room: &Arc<Room>,
    tokens: Tokens,
    known: u64,
    chat_after: u64,
) -> Result<(Onlooker, String), Failure> {
    let (held, side) = {
        let play = room.play().await?;
        let held = room.admit(&play, &tokens)?;
        (held, held.speaks_for(None))
    };
    let presence = Presence::new(room, side)?;
    let chat = chat::read(room, held, chat_after).await?;
    let drawn = move |room: &Room, play: &mut Play| {
        let position = play.present(held, known)?;
        let (state, game, position) = (position.state, Box::new(room.face(play, held)), Box::new(position));
        Ok::<_, Failure>((state, written(&ServerMessage::Welcome { game, position, chat })?))
    };
    let play = room.seen().await?;
    let version = room.version();
    let (state, welcome) = room.work(play, drawn).await?.1?;
    notices::seen(room, held, version);
    Ok((Onlooker { tokens, held, state, _presence: presence }, welcome))
}

async fn tell(
    room: &Arc<Room>,
    socket: &mut WebSocket,
    onlooker: &mut Onlooker,
    news: News,
) -> Result<(), End> {
    let (held, known) = (onlooker.held, onlooker.state);
    let message = match news {
        News::Chat(line) if !held.none() || room.about.public => {
            match room.hidden(held).await {
                Ok(hidden) if hidden != Some(line.side) => ServerMessage::Chat { line },
                // What cannot be looked up is better not shown; it is there when the page is opened again.
                Ok(_) | Err(_) => return Ok(()),
            }
        }
        News::Chat(_) => return Ok(()),
        News::Face => {
            let Ok(play) = room.seen().await else { return Ok(()) };
            if onlooker.tokens.seats(&play.seats).is_err() {
                return Err(End::Close(1008, "the seat is held elsewhere now"));
            }
            // Who sits down, and what the clock says, is seen here; what is on the board comes with the position.
            notices::seen(room, held, room.version());
            ServerMessage::Game { game: Box::new(room.face(&play, held)) }
        }
        News::Changed => {
            let Ok(play) = room.seen().await else { return Ok(()) };
            let drawn = move |_: &Room, play: &mut Play| {
                let position = play.present(held, known)?;
                let (state, position) = (position.state, Box::new(position));
                Ok::<_, Failure>((state, written(&ServerMessage::Position { position })?))
            };
            let version = room.version();
            let Ok((_, Ok((state, text)))) = room.work(play, drawn).await else { return Ok(()) };
            onlooker.state = state;
            send_text(socket, text).await?;
            notices::seen(room, held, version);
            return Ok(());
        }
    };
    send(socket, &message).await
}

fn written(message: &ServerMessage) -> Result<String, Failure> {
    serde_json::to_string(message).map_err(|_| Failure::internal("a message cannot be written"))
}

async fn send(socket: &mut WebSocket, message: &ServerMessage) -> Result<(), End> {
    let text = written(message).map_err(|_| End::Close(1011, "internal"))?;
    send_text(socket, text).await
}

async fn send_text(socket: &mut WebSocket, text: String) -> Result<(), End> {
    match timeout(SEND_WITHIN, socket.send(Message::Text(text.into()))).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(End::Gone),
    }
}

fn problem(failure: Failure) -> Problem {
    *failure.0
}
