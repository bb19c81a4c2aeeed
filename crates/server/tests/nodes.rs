//! Several servers on one database: any of them serves any game.

#[path = "../../store/tests/cluster/mod.rs"]
mod cluster;
mod common;

use std::time::{Duration, Instant};

use cluster::Cluster;
use common::{Game, Running, computer, here, id, link, salt};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use server::Config;
use tokio_tungstenite::tungstenite::Message;

async fn database() -> String {
    tokio::task::spawn_blocking(Cluster::shared).await.unwrap().database().await
}

fn config(url: &str) -> Config {
    Config { database: Some(url.to_owned()), ..common::config() }
}

async fn nodes<const N: usize>() -> ([Running; N], String) {
    let url = database().await;
    let mut running = Vec::new();
    for _ in 0..N {
        running.push(Running::with(config(&url)).await);
    }
    (running.try_into().unwrap_or_else(|_| panic!("as many as were asked for")), url)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_node_serves_any_game() {
    let ([a, b], _) = nodes().await;
    let (mut at_a, mut at_b) = (a.client(), b.client());
    let game = Game::create(&mut at_a, [here("Ada"), here("Bertram")]).await;
    // Act by act on the other node; each sees at once what the other has done.
    for round in 0..3 {
        let before = game.state(&mut at_a).await;
        assert_eq!(game.act(&mut at_b, 0, "seal 1").await.code(), "ok", "round {round}");
        assert_eq!(game.act(&mut at_a, 1, "seal 2").await.code(), "ok");
        let Some(winner) = game.decides(&mut at_b).await else { break };
        assert_eq!(game.act(&mut at_b, winner, "go").await.code(), "ok");
        assert!(game.state(&mut at_a).await >= before + 3);
        assert_eq!(game.position(&mut at_a, 0).await, game.position(&mut at_b, 0).await);
        if game.decides(&mut at_b).await.is_none() {
            break;
        }
    }
    a.stop().await;
    b.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_comes_second_is_told_that_the_position_has_moved_on() {
    let ([a, b], _) = nodes().await;
    let (mut at_a, mut at_b) = (a.client(), b.client());
    let mut late = 0;
    for _ in 0..8 {
        let game = Game::create(&mut at_a, [here("Ada"), here("Bertram")]).await;
        assert_eq!(game.state(&mut at_b).await, 1);
        let act = |action: &str| json!({ "id": id(), "state": 1, "action": action, "salt": salt() });
        let (path, token) = (game.path("acts"), Some(game.tokens[0].as_str()));
        let (one, two) = (act("seal 1"), act("seal 2"));
        let (first, second) = tokio::join!(at_a.post(&path, token, &one), at_b.post(&path, token, &two));
        let mut codes = [first.code(), second.code()];
        codes.sort();
        assert_eq!(codes, ["ok", "stale"]);
        let stale = if first.code() == "stale" { first } else { second };
        assert_eq!(stale.json()["position"]["state"], 2, "{}", stale.text);
        late += 1;
        // The same request at both nodes is one request.
        let same = json!({ "id": id(), "state": 2, "action": "seal 3", "salt": salt() });
        let token = Some(game.tokens[1].as_str());
        let (first, second) = tokio::join!(at_a.post(&path, token, &same), at_b.post(&path, token, &same));
        assert_eq!((first.code().as_str(), second.code().as_str()), ("ok", "ok"));
        assert_eq!(game.state(&mut at_a).await, 3);
    }
    assert_eq!(late, 8);
    a.stop().await;
    b.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn seats_chat_names_and_promises_are_the_same_everywhere() {
    let ([a, b], _) = nodes().await;
    let (mut at_a, mut at_b) = (a.client(), b.client());
    let promised = at_a.post("/api/v1/commitments", None, &json!({})).await.json();
    let seats = json!({ "first": here("Ada"), "second": link() });
    let new = json!({ "scenario": common::parley::OAK, "seats": seats, "salt": salt(), "commitment": promised["commitment"] });
    let game = Game::with(&mut at_b, new.clone()).await;
    assert_eq!(at_a.post("/api/v1/games", None, &new).await.code(), "no_such_commitment", "used");
    // Both nodes have the game in memory before anything changes.
    game.position(&mut at_a, 0).await;
    let invitation = game.created["seats"]["second"]["invitation"].as_str().unwrap().to_owned();
    let token = "5".repeat(64);
    let claim = json!({ "invitation": invitation, "name": "Bertram", "token": token });
    assert_eq!(at_a.post(&game.path("claim"), None, &claim).await.code(), "ok");
    let other = json!({ "invitation": invitation, "name": "Eve", "token": "6".repeat(64) });
    assert_eq!(at_b.post(&game.path("claim"), None, &other).await.code(), "seat_taken");
    for n in 0..4 {
        let (one, two) = (
            json!({ "id": id(), "text": format!("from a {n}") }),
            json!({ "id": id(), "text": format!("from b {n}") }),
        );
        let path = game.path("chat");
        let (said_a, said_b) =
            tokio::join!(at_a.post(&path, Some(&game.tokens[0]), &one), at_b.post(&path, Some(&token), &two));
        assert_eq!((said_a.code().as_str(), said_b.code().as_str()), ("ok", "ok"));
    }
    let lines = at_a.get(&game.path("chat"), Some(&token)).await.json();
    let numbers: Vec<u64> =
        lines.as_array().unwrap_or(&Vec::new()).iter().map(|line| line["n"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=8).collect::<Vec<_>>(), "{lines}");
    let name = json!({ "name": "Bert" });
    assert_eq!(at_b.post(&game.path("name"), Some(&token), &name).await.code(), "ok");
    let face = at_a.get(&format!("/api/v1/games/{}", game.id), Some(&token)).await.json();
    assert_eq!(face["seats"]["second"]["name"], "Bert");
    a.stop().await;
    b.stop().await;
}

async fn next(
    socket: &mut (impl StreamExt<Item = Result<Message, tokio_tungstenite::tungstenite::Error>> + Unpin),
    kind: &str,
) -> Value {
    loop {
        let message = tokio::time::timeout(Duration::from_secs(5), socket.next()).await.expect("in time");
        let Some(Ok(Message::Text(text))) = message else { panic!("{message:?} where {kind} was due") };
        let value: Value = serde_json::from_str(&text).unwrap();
        if value["type"] == kind {
            return value;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_looks_on_hears_what_happens_on_other_nodes() {
    let ([a, b], _) = nodes().await;
    let mut at_a = a.client();
    let game = Game::create(&mut at_a, [here("Ada"), here("Bertram")]).await;
    let url = format!("ws://{}{}", b.addr, game.path("live"));
    let mut socket = tokio_tungstenite::connect_async(url).await.unwrap().0;
    let hello = json!({ "type": "hello", "token": game.tokens[0] }).to_string();
    socket.send(Message::text(hello)).await.unwrap();
    next(&mut socket, "welcome").await;
    let mut slowest = Duration::ZERO;
    for action in ["seal 1", "seal 2"] {
        let side = game.decides(&mut at_a).await.unwrap();
        let started = Instant::now();
        assert_eq!(game.act(&mut at_a, side, action).await.code(), "ok");
        next(&mut socket, "position").await;
        slowest = slowest.max(started.elapsed());
    }
    assert!(slowest < Duration::from_secs(4), "{slowest:?}");
    let chat = json!({ "id": id(), "text": "Your move." });
    assert_eq!(at_a.post(&game.path("chat"), Some(&game.tokens[0]), &chat).await.code(), "ok");
    assert_eq!(next(&mut socket, "chat").await["line"]["text"], "Your move.");
    a.stop().await;
    b.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_only_thinks_plays_for_the_computers() {
    let url = database().await;
    let server = Running::with(Config { thinkers: 0, ..config(&url) }).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [computer("random"), here("Bertram")]).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let state = async |client: &mut common::client::Client| {
        let answer = client.get(&game.path("position"), Some(&game.tokens[1])).await;
        answer.json()["state"].as_u64().unwrap()
    };
    assert_eq!(state(&mut client).await, 1, "nobody thinks");
    let thinker = Running::with(Config { think_only: true, ..config(&url) }).await;
    let started = Instant::now();
    while state(&mut client).await == 1 {
        assert!(started.elapsed() < Duration::from_secs(10), "the computer has decided");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // It serves nobody else.
    assert!(tokio::net::TcpStream::connect(thinker.addr).await.is_err());
    thinker.stop().await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_review_is_made_by_whoever_thinks_and_shown_by_all() {
    let url = database().await;
    let asked = Running::with(Config { thinkers: 0, ..config(&url) }).await;
    let mut client = asked.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    game.round(&mut client).await;
    let state = game.state(&mut client).await;
    let token = Some(game.tokens[0].as_str());
    let resign = json!({ "id": id(), "state": state });
    assert_eq!(client.post(&game.path("resign"), token, &resign).await.code(), "ok");
    let told = client.get(&game.path("review"), token).await.json();
    assert_eq!(
        (&told["done"], &told["of"], told["review"].is_null()),
        (&json!(0), &json!(3), true),
        "{told}"
    );

    let thinks = Running::with(Config { think_only: true, ..config(&url) }).await;
    let mut told = Value::Null;
    for _ in 0..600 {
        told = client.get(&game.path("review"), token).await.json();
        if !told["review"].is_null() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(told["review"]["decisions"].as_array().map(Vec::len), Some(3), "{told}");
    assert_eq!(thinks.metric("linstock_reviews_total").await, 1.0);
    thinks.stop().await;
    asked.stop().await;

    // It is kept: a node that never made it shows it.
    let other = Running::with(Config { thinkers: 0, ..config(&url) }).await;
    assert_eq!(other.client().get(&game.path("review"), None).await.json(), told);
    other.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn untouched_games_are_deleted_once_and_by_another_if_a_node_dies() {
    let url = database().await;
    let first = Running::with(config(&url)).await;
    let game = Game::create(&mut first.client(), [here("Ada"), here("Bertram")]).await;
    first.stop().await;
    // A node takes the work, and dies over it.
    let store = store::Store::connect(&url, store::Limits::default()).await.unwrap();
    // Whether the first node had come to it or not, it is due now.
    store.enqueue(store::Kind::Expiry, store::NO_GAME, 0, 1).await.unwrap();
    store.postpone(store::Kind::Expiry, vec![store::NO_GAME.to_owned()], 1).await.unwrap();
    assert_eq!(store.take(store::Kind::Expiry, 1, 1, 2).await.unwrap().len(), 1);

    let quotas = server::Quotas { untouched: Duration::from_millis(1), ..server::Quotas::default() };
    let quick = || Config { quotas, idle: Duration::from_millis(100), ..config(&url) };
    let (a, b) = (Running::with(quick()).await, Running::with(quick()).await);
    let mut there = true;
    for _ in 0..600 {
        there = store.summary(&game.id).await.unwrap().is_some();
        if !there {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(!there, "nobody took over");
    a.stop().await;
    b.stop().await;
    assert_eq!(
        store.take(store::Kind::Expiry, 3, 1, 4).await.unwrap(),
        [],
        "it comes round again much later"
    );
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_move_from_a_folder_into_a_database_and_go_on_there() {
    let folder = tempfile::tempdir().unwrap();
    let alone = Running::start(folder.path()).await;
    let mut client = alone.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    let against = Game::create(&mut client, [here("Ada"), computer("random")]).await;
    game.round(&mut client).await;
    let chat = json!({ "id": id(), "text": "We move house." });
    assert_eq!(client.post(&game.path("chat"), Some(&game.tokens[0]), &chat).await.code(), "ok");
    let request = json!({ "id": id(), "state": 4, "action": "seal 3", "salt": salt() });
    let token = Some(game.tokens[0].as_str());
    assert_eq!(client.post(&game.path("acts"), token, &request).await.code(), "ok");
    let (before, talk) = (game.position(&mut client, 0).await, client.get(&game.path("chat"), token).await);
    let url = database().await;
    let migrate = async |data: &std::path::Path, to: &str| {
        let (data, to) = (data.to_owned(), to.to_owned());
        let moved = tokio::task::spawn_blocking(move || server::migrate(&data, None, &to, |_| {}));
        moved.await.unwrap().map_err(|error| error.to_string())
    };
    let refused = migrate(folder.path(), &url).await.unwrap_err();
    assert!(refused.contains("in use by another server"), "{refused}");
    alone.stop().await;
    let refused = migrate(&folder.path().join("elsewhere"), &url).await.unwrap_err();
    assert!(refused.contains("--data"), "{refused}");
    let refused = migrate(folder.path(), "sqlite://here").await.unwrap_err();
    assert!(refused.contains("postgres://user:password@host"), "{refused}");

    let copied = migrate(folder.path(), &url).await.unwrap();
    assert_eq!((copied.games, copied.already), (2, 0));
    let node = Running::with(config(&url)).await;
    let mut client = node.client();
    assert_eq!(game.position(&mut client, 0).await, before);
    assert_eq!(client.get(&game.path("chat"), token).await.text, talk.text);
    // A request that was granted before is known here too, and both games go on.
    assert_eq!(client.post(&game.path("acts"), token, &request).await.json()["state"], 5);
    assert_eq!(game.act(&mut client, 1, "seal 1").await.code(), "ok");
    let state = against.state(&mut client).await;
    assert_eq!(against.act(&mut client, 0, "seal 1").await.code(), "ok");
    let started = Instant::now();
    while against.state(&mut client).await < state + 2 {
        assert!(started.elapsed() < Duration::from_secs(10), "the computer answers");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // What has gone on is not set back.
    let copied = migrate(folder.path(), &url).await.unwrap();
    assert_eq!((copied.games, copied.already), (0, 2));
    assert!(game.state(&mut client).await >= 6);
    node.stop().await;
}

#[tokio::test]
async fn only_a_shared_database_can_be_thought_for() {
    let folder = tempfile::tempdir().unwrap();
    let alone = Config { think_only: true, data: folder.path().to_owned(), ..common::config() };
    let error = server::Server::bind(alone).await.unwrap_err().to_string();
    assert!(error.contains("--database"), "{error}");
    let nonsense = Config { database: Some("mysql://somewhere".into()), ..common::config() };
    let error = server::Server::bind(nonsense).await.unwrap_err().to_string();
    assert!(error.contains("postgres://user:password@host"), "{error}");
}
