//! What one address, and one game, may make and keep.

use crate::common;

use std::time::Duration;

use crate::common::client::{Answer, Client};
use crate::common::{Game, Running, computer, here, id, salt};
use hyper::Method;
use serde_json::{Value, json};
use server::{Config, Quotas};

/// Asks for somebody behind the proxy on this machine.
async fn post_for(client: &mut Client, who: &str, path: &str, body: &Value) -> Answer {
    let mut request = client.request(Method::POST, path, None, Some(body));
    request.headers_mut().insert("x-forwarded-for", who.parse().unwrap());
    client.send(request).await.unwrap()
}

fn new_game() -> Value {
    json!({ "scenario": common::parley::OAK, "salt": salt(), "seats": { "first": here("Ada"), "second": here("Bertram") } })
}

async fn server(folder: &std::path::Path, quotas: Quotas) -> Running {
    let proxies = vec!["127.0.0.0/8".parse().unwrap()];
    // It is not the rate that is tried here.
    let rate = server::Rate { per_second: 1e4, burst: 100_000 };
    Running::with(Config { data: folder.to_owned(), quotas, proxies, rate, ..common::config() }).await
}

#[tokio::test]
async fn an_address_makes_and_keeps_so_many_games() {
    let folder = tempfile::tempdir().unwrap();
    let quotas = Quotas { games_an_hour: 8, games: 3, ..Quotas::default() };
    let running = server(folder.path(), quotas).await;
    let mut client = running.client();
    let eve = "203.0.113.7";
    let mut codes = Vec::new();
    for _ in 0..4 {
        codes.push(post_for(&mut client, eve, "/api/v1/games", &new_game()).await.code());
    }
    assert_eq!(codes, ["ok", "ok", "ok", "quota"]);
    // Others are not told to wait for her, nor does a restart forget her.
    assert_eq!(post_for(&mut client, "203.0.113.8", "/api/v1/games", &new_game()).await.code(), "ok");
    running.stop().await;
    let running = server(folder.path(), quotas).await;
    let mut client = running.client();
    assert_eq!(post_for(&mut client, eve, "/api/v1/games", &new_game()).await.code(), "quota");
    running.stop().await;
}

#[tokio::test]
async fn an_address_makes_so_many_games_an_hour() {
    let folder = tempfile::tempdir().unwrap();
    let running = server(folder.path(), Quotas { games_an_hour: 4, ..Quotas::default() }).await;
    let mut client = running.client();
    let mut codes = Vec::new();
    for _ in 0..3 {
        codes.push(post_for(&mut client, "203.0.113.7", "/api/v1/games", &new_game()).await.code());
    }
    assert_eq!(codes, ["ok", "ok", "too_many"], "half of them at once");
    assert!(running.metric("linstock_over_quota_total").await >= 1.0);
    running.stop().await;
}

#[tokio::test]
async fn an_hour_of_the_worst_that_is_allowed_stays_within_bounds() {
    let folder = tempfile::tempdir().unwrap();
    // In small: 256 KiB for an address, and scenarios as long as they may be.
    let quotas = Quotas { games_an_hour: 1000, bytes: 256 << 10, ..Quotas::default() };
    let running = server(folder.path(), quotas).await;
    let mut client = running.client();
    let mut made = 0;
    for _ in 0..40 {
        let text = format!("system = \"parley\"\nrounds = 12\n# {} {}", id(), "x".repeat(60_000));
        let mut new = new_game();
        (new["scenario"], new["text"]) = (json!("parley/mine"), json!(text));
        let answer = post_for(&mut client, "203.0.113.7", "/api/v1/games", &new).await;
        match answer.code().as_str() {
            "ok" => made += 1,
            code => assert_eq!(code, "quota", "{}", answer.text),
        }
    }
    // The one that steps over the bound is the last.
    assert_eq!(made, 5);
    let disk = running.metric("linstock_database_bytes").await;
    assert!(disk < 6.0 * 1024.0 * 1024.0, "{disk}");
    running.stop().await;
}

#[tokio::test]
async fn a_game_has_so_many_lines() {
    let folder = tempfile::tempdir().unwrap();
    let running = server(folder.path(), Quotas { lines: 5, chat: 2, ..Quotas::default() }).await;
    let mut client = running.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    game.round(&mut client).await;
    assert_eq!(game.act(&mut client, 0, "seal 1").await.code(), "ok");
    let full = game.act(&mut client, 1, "seal 1").await;
    assert_eq!((full.code().as_str(), full.status.as_u16()), ("full", 409));
    assert_eq!(game.state(&mut client).await, 5, "nothing was changed");
    let mut codes = Vec::new();
    for _ in 0..3 {
        let say = json!({ "id": id(), "text": "hello" });
        codes.push(client.post(&game.path("chat"), Some(&game.tokens[0]), &say).await.code());
    }
    assert_eq!(codes, ["ok", "ok", "full"]);
    running.stop().await;
}

#[tokio::test]
async fn one_address_does_not_use_up_the_commitments() {
    let folder = tempfile::tempdir().unwrap();
    let running = server(folder.path(), Quotas { commitments: 3, ..Quotas::default() }).await;
    let mut client = running.client();
    let mut codes = Vec::new();
    for _ in 0..4 {
        codes.push(post_for(&mut client, "203.0.113.7", "/api/v1/commitments", &json!({})).await.code());
    }
    assert_eq!(codes, ["ok", "ok", "ok", "too_many"]);
    assert_eq!(post_for(&mut client, "203.0.113.8", "/api/v1/commitments", &json!({})).await.code(), "ok");
    running.stop().await;
}

#[tokio::test]
async fn games_that_nobody_touches_are_deleted_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let running = server(folder.path(), Quotas::default()).await;
    let mut client = running.client();
    let begun = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    begun.round(&mut client).await;
    let unbegun = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    running.stop().await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    let running =
        server(folder.path(), Quotas { unbegun: Duration::from_millis(20), ..Quotas::default() }).await;
    let mut client = running.client();
    // Asked about in the list, so that nobody looks at it meanwhile.
    let mine = json!({ "seats": [{ "game": unbegun.id, "token": unbegun.tokens[0] }, { "game": begun.id, "token": begun.tokens[0] }] });
    let mut left = 200;
    while client.post("/api/v1/games/mine", None, &mine).await.json().as_array().unwrap().len() > 1 {
        left -= 1;
        assert!(left > 0, "it is still there");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let gone = client.get(&unbegun.path("position"), Some(&unbegun.tokens[0])).await;
    assert_eq!(gone.code(), "no_such_game");
    assert_eq!(begun.state(&mut client).await, 4);
    // It is counted when it is gone, which may be a moment later.
    while running.metric("linstock_games_deleted_total").await < 1.0 {
        left -= 1;
        assert!(left > 0, "it is never counted");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(running.metric("linstock_games_deleted_total").await, 1.0);
    running.stop().await;
}

#[tokio::test]
async fn computers_that_nobody_watches_wait() {
    let folder = tempfile::tempdir().unwrap();
    let unwatched = Duration::from_millis(150);
    // Long enough not to be over when the test looks.
    let config = Config { data: folder.path().to_owned(), unwatched, thinkers: 1, ..common::config() };
    let running = Running::with(config).await;
    let mut client = running.client();
    let text = "system = \"parley\"\nrounds = 250\n";
    let new = |seats: [Value; 2]| {
        json!({ "scenario": "parley/long", "text": text, "salt": salt(), "public": true,
            "seats": { "first": seats[0], "second": seats[1] } })
    };
    let mut machines = Vec::new();
    for _ in 0..40 {
        machines.push(Game::with(&mut client, new([computer("captain"), computer("captain")])).await);
    }
    let game = Game::with(&mut client, new([here("Ada"), computer("captain")])).await;
    // They come to a halt, long before the games are over.
    let mut acts = -1.0;
    for tries in 0.. {
        assert!(tries < 50, "they play on for nobody");
        tokio::time::sleep(Duration::from_millis(400)).await;
        let now = running.metric("linstock_acts_total").await;
        if now == acts {
            break;
        }
        acts = now;
    }
    // Somebody looks: that game goes on.
    let last = machines.last().unwrap().path("position");
    let state = |answer: Answer| {
        (answer.json()["status"]["kind"] == "over", answer.json()["state"].as_u64().unwrap())
    };
    let (over, before) = state(client.get(&last, None).await);
    assert!(!over, "it should have waited");
    let started = std::time::Instant::now();
    while state(client.get(&last, None).await).1 <= before {
        assert!(started.elapsed() < Duration::from_secs(10));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // And who plays is answered at once.
    let started = std::time::Instant::now();
    assert_eq!(game.act(&mut client, 0, "seal 1").await.code(), "ok");
    while game.position(&mut client, 0).await["state"].as_u64().unwrap() < 3 {
        assert!(started.elapsed() < Duration::from_secs(10));
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    running.stop().await;
}
