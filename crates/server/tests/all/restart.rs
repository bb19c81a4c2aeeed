//! Restarts, idle games, and the WebSocket across them.

use crate::common;

use std::time::Duration;

use crate::common::{Game, Running, here, id, salt};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

async fn connect(server: &Running, game: &Game) -> Socket {
    let url = format!("ws://{}{}", server.addr, game.path("live"));
    tokio_tungstenite::connect_async(url).await.expect("connects").0
}

async fn say(socket: &mut Socket, message: Value) {
    socket.send(Message::text(message.to_string())).await.expect("sent");
}

/// The next message of one of these types.
async fn next(socket: &mut Socket, kind: &str) -> Value {
    loop {
        let message = tokio::time::timeout(Duration::from_secs(5), socket.next()).await.expect("in time");
        let Some(Ok(Message::Text(text))) = message else { panic!("{message:?} where {kind} was due") };
        let value: Value = serde_json::from_str(&text).unwrap();
        if value["type"] == kind {
            return value;
        }
    }
}

#[tokio::test]
async fn a_game_is_the_same_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    game.round(&mut client).await;
    let request = json!({ "id": id(), "state": 4, "action": "seal 3", "salt": salt() });
    assert_eq!(client.post(&game.path("acts"), Some(&game.tokens[0]), &request).await.code(), "ok");
    let before = game.position(&mut client, 0).await;
    server.stop().await;

    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    assert_eq!(game.position(&mut client, 0).await, before);
    // The answer was lost in the restart: sent again it is still played once.
    let again = client.post(&game.path("acts"), Some(&game.tokens[0]), &request).await;
    assert_eq!((again.code().as_str(), again.json()["state"].clone()), ("ok", json!(5)));
    server.stop().await;
}

#[tokio::test]
async fn idle_games_leave_memory_and_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let idle = Duration::from_millis(100);
    let config = server::Config { data: folder.path().to_owned(), idle, ..common::config() };
    let server = Running::with(config).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    game.act(&mut client, 0, "seal 1").await;
    let before = game.position(&mut client, 0).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(server.metric("linstock_games_in_memory").await, 0.0);
    assert_eq!(server.metric("linstock_games_drawn_total").await, 1.0, "its last view was kept");
    assert_eq!(game.position(&mut client, 0).await, before);
    server.stop().await;
}

#[tokio::test]
async fn a_finished_journal_goes_to_the_archive_and_is_shown_from_there() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let games = [(); 2].map(|()| [here("Ada"), here("Bertram")]);
    let [over, open] = games;
    let over = Game::create(&mut client, over).await;
    let open = Game::create(&mut client, open).await;
    over.round(&mut client).await;
    open.round(&mut client).await;
    let state = over.state(&mut client).await;
    let resign = json!({ "id": id(), "state": state });
    let token = Some(over.tokens[1].as_str());
    assert_eq!(client.post(&over.path("resign"), token, &resign).await.code(), "ok");
    let before = over.position(&mut client, 0).await;
    let journal = client.get(&over.path("journal"), token).await.text;
    server.stop().await;

    let archive = folder.path().join("archive");
    let config = server::Config {
        data: folder.path().to_owned(),
        archive: Some(archive.clone()),
        archive_after: Duration::ZERO,
        ..common::config()
    };
    let server = Running::with(config.clone()).await;
    let there = archive.join(&over.id);
    for _ in 0..500 {
        if there.exists() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    server.stop().await;
    let files: Vec<_> = std::fs::read_dir(&there).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    assert_eq!(std::fs::read_to_string(&files[0]).unwrap().trim_end(), journal.trim_end());
    assert!(!archive.join(&open.id).exists(), "a game under way stays");

    let server = Running::with(config).await;
    let mut client = server.client();
    assert_eq!(over.position(&mut client, 0).await, before);
    assert_eq!(client.get(&over.path("journal"), token).await.text, journal);
    server.stop().await;
}

#[tokio::test]
async fn everybody_hears_what_happens_with_their_own_eyes() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::public(&mut client, [here("Ada"), here("Bertram")]).await;
    let (mut ada, mut bertram, mut crowd) =
        (connect(&server, &game).await, connect(&server, &game).await, connect(&server, &game).await);
    say(&mut ada, json!({ "type": "hello", "token": game.tokens[0] })).await;
    let welcome = next(&mut ada, "welcome").await;
    assert_eq!(welcome["position"]["offers"].as_array().unwrap().len(), 3);
    say(&mut bertram, json!({ "type": "hello", "token": game.tokens[1] })).await;
    next(&mut bertram, "welcome").await;
    say(&mut crowd, json!({ "type": "hello" })).await;
    assert_eq!(next(&mut crowd, "welcome").await["position"]["sight"], "bystander");
    let face = loop {
        let game = next(&mut ada, "game").await;
        if game["game"]["seats"]["second"]["present"] == true {
            break game;
        }
    };
    assert_eq!(face["game"]["yours"], "first");

    game.act(&mut client, 0, "seal 3").await;
    let own = next(&mut ada, "position").await;
    assert_eq!(own["position"]["log"][0]["act"], "seal 3");
    assert_eq!(own["position"]["log"][0]["moment"], 1);
    for socket in [&mut bertram, &mut crowd] {
        let told = next(socket, "position").await.to_string();
        assert!(!told.contains("\"act\":\"seal 3\"") && !told.contains("You seal"), "{told}");
    }
    // After an undo the log begins where the line was cut.
    let state = game.state(&mut client).await;
    client.post(&game.path("undo"), Some(&game.tokens[0]), &json!({ "id": id(), "state": state })).await;
    let cut = next(&mut ada, "position").await;
    assert_eq!((cut["position"]["moment"].clone(), cut["position"]["log"].clone()), (json!(0), json!([])));
    game.act(&mut client, 0, "seal 2").await;
    assert_eq!(next(&mut ada, "position").await["position"]["log"][0]["moment"], 1);

    let chat = json!({ "id": id(), "text": "Your move." });
    client.post(&game.path("chat"), Some(&game.tokens[0]), &chat).await;
    assert_eq!(next(&mut bertram, "chat").await["line"]["text"], "Your move.");
    // Hot-seat: the same connection looks with the other's eyes.
    say(&mut ada, json!({ "type": "hello", "token": game.tokens[1] })).await;
    assert_eq!(next(&mut ada, "welcome").await["position"]["sight"], "second");

    let stopping = tokio::spawn(server.stop());
    next(&mut bertram, "bye").await;
    stopping.await.unwrap();
}

#[tokio::test]
async fn malformed_frames_are_answered_and_then_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;

    let mut socket = connect(&server, &game).await;
    say(&mut socket, json!({ "type": "ping" })).await;
    next(&mut socket, "pong").await;
    say(&mut socket, json!({ "type": "hello" })).await;
    assert_eq!(next(&mut socket, "problem").await["problem"]["code"], "seat_needed");
    say(&mut socket, json!({ "type": "hello", "token": "0".repeat(64) })).await;
    assert_eq!(next(&mut socket, "problem").await["problem"]["code"], "forged_seat");
    socket.send(Message::text("{\"type\":")).await.unwrap();
    assert_eq!(next(&mut socket, "problem").await["problem"]["code"], "malformed");
    assert_eq!(closed_with(&mut socket).await, 1008);

    // To ask for everything again and again is a mistake too.
    let mut socket = connect(&server, &game).await;
    for _ in 0..8 {
        say(&mut socket, json!({ "type": "hello", "token": game.tokens[0] })).await;
    }
    next(&mut socket, "welcome").await;
    assert_eq!(next(&mut socket, "problem").await["problem"]["code"], "too_many");

    let mut socket = connect(&server, &game).await;
    socket.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    assert_eq!(closed_with(&mut socket).await, 1003);

    let mut socket = connect(&server, &game).await;
    socket.send(Message::text("x".repeat(100_000))).await.unwrap();
    assert_eq!(closed_with(&mut socket).await, 1002);

    // No WebSocket at all; a game that does not exist; raw rubbish after the handshake.
    assert_eq!(client.get(&game.path("live"), None).await.code(), "malformed");
    let nowhere = format!("ws://{}/api/v1/games/nowhere/live", server.addr);
    assert!(tokio_tungstenite::connect_async(nowhere).await.is_err());
    let mut socket = connect(&server, &game).await;
    if let MaybeTlsStream::Plain(stream) = socket.get_mut() {
        tokio::io::AsyncWriteExt::write_all(stream, &[0xff; 64]).await.unwrap();
    }
    assert_eq!(closed_with(&mut socket).await, 1002);
    assert_eq!(client.get("/healthz", None).await.code(), "ok");
    server.stop().await;
}

async fn closed_with(socket: &mut Socket) -> u16 {
    loop {
        match tokio::time::timeout(Duration::from_secs(5), socket.next()).await.expect("in time") {
            Some(Ok(Message::Close(Some(frame)))) => return frame.code.into(),
            Some(Ok(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn so_many_connections_look_on_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    let mut open = Vec::new();
    for _ in 0..20 {
        let mut socket = connect(&server, &game).await;
        say(&mut socket, json!({ "type": "hello", "token": game.tokens[0] })).await;
        next(&mut socket, "welcome").await;
        open.push(socket);
    }
    let mut late = connect(&server, &game).await;
    say(&mut late, json!({ "type": "hello", "token": game.tokens[0] })).await;
    assert_eq!(next(&mut late, "problem").await["problem"]["code"], "too_many");
    // The other seat has its own; and who leaves makes room.
    let mut other = connect(&server, &game).await;
    say(&mut other, json!({ "type": "hello", "token": game.tokens[1] })).await;
    next(&mut other, "welcome").await;
    open.pop().unwrap().close(None).await.unwrap();
    let mut tries = 0;
    loop {
        let mut again = connect(&server, &game).await;
        say(&mut again, json!({ "type": "hello", "token": game.tokens[0] })).await;
        let message =
            tokio::time::timeout(Duration::from_secs(5), again.next()).await.unwrap().unwrap().unwrap();
        if message.to_string().contains("welcome") {
            break;
        }
        tries += 1;
        assert!(tries < 50, "{message}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    server.stop().await;
}
