//! What must not work: each attempt is refused with a code of its own, and changes nothing.

use crate::common;

use crate::common::client::Client;
use crate::common::{Game, Running, computer, here, id, link, salt};
use hyper::{Method, Request};
use serde_json::{Value, json};

async fn table() -> (tempfile::TempDir, Running, Client, Game) {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    (folder, server, client, game)
}

fn act(state: u64, action: &str) -> Value {
    json!({ "id": id(), "state": state, "action": action, "salt": salt() })
}

/// Sends raw bytes as a body of JSON.
async fn raw(client: &mut Client, path: &str, token: Option<&str>, body: Vec<u8>) -> String {
    let mut request = client.request(Method::POST, path, token, Some(&Value::Null));
    *request.body_mut() = http_body_util::Full::new(body.into());
    client.send(request).await.map_or_else(|_| "connection closed".into(), |answer| answer.code())
}

#[tokio::test]
async fn a_forged_seat_is_no_seat() {
    let (_folder, server, mut client, game) = table().await;
    let other = Game::create(&mut client, [here("Cyril"), here("Dora")]).await;
    let acts = game.path("acts");
    assert_eq!(client.post(&acts, None, &act(1, "seal 1")).await.code(), "seat_needed");
    for token in ["0", &"0".repeat(64), &other.tokens[0], "'OR'1=1--"] {
        assert_eq!(client.post(&acts, Some(token), &act(1, "seal 1")).await.code(), "forged_seat", "{token}");
        assert_eq!(client.get(&game.path("position"), Some(token)).await.code(), "forged_seat");
        assert_eq!(client.get(&game.path("journal"), Some(token)).await.code(), "forged_seat");
    }
    for path in ["position", "board", "journal", "dice", "chat"] {
        assert_eq!(client.get(&game.path(path), None).await.code(), "seat_needed", "{path}");
    }
    let mut odd = client.request(Method::GET, &game.path("position"), None, None);
    odd.headers_mut().insert("authorization", "Basic YTpi".parse().unwrap());
    assert_eq!(client.send(odd).await.unwrap().code(), "malformed");
    assert_eq!(client.get("/api/v1/games/nosuchgame/position", None).await.code(), "no_such_game");
    assert_eq!(client.get("/api/v1/games/%00%ff/position", None).await.code(), "malformed");
    assert_eq!(game.state(&mut client).await, 1);
    server.stop().await;
}

#[tokio::test]
async fn nobody_acts_for_the_other_side() {
    let (_folder, server, mut client, game) = table().await;
    let theirs = client.post(&game.path("acts"), Some(&game.tokens[1]), &act(1, "seal 1")).await;
    assert_eq!(theirs.code(), "not_your_decision");
    assert_eq!(game.act(&mut client, 0, "seal 1").await.code(), "ok");
    assert_eq!(game.act(&mut client, 0, "seal 1").await.code(), "not_your_decision");
    server.stop().await;
}

#[tokio::test]
async fn what_was_never_offered_is_refused_under_its_rule() {
    let (_folder, server, mut client, game) = table().await;
    let refused = game.act(&mut client, 0, "seal 9").await;
    assert_eq!((refused.code().as_str(), refused.status.as_u16()), ("refused", 422));
    assert_eq!(refused.json()["refusal"]["rule"], "1.1");
    assert_eq!(game.act(&mut client, 0, "rest").await.json()["refusal"]["rule"], Value::Null);
    for nonsense in
        ["", "castle", "seal", "seal 999999999999999999999", "seal \u{202e}1", &"x".repeat(5000), "seal\n1"]
    {
        assert_eq!(game.act(&mut client, 0, nonsense).await.code(), "unreadable", "{nonsense:?}");
    }
    assert_eq!(game.state(&mut client).await, 1);
    server.stop().await;
}

#[tokio::test]
async fn a_mistake_in_the_rules_harms_one_request_alone() {
    let (_folder, server, mut client, game) = table().await;
    assert_eq!(game.act(&mut client, 0, "explode").await.code(), "internal");
    assert_eq!(game.act(&mut client, 0, "seal 1").await.code(), "ok");
    assert_eq!(client.get("/healthz", None).await.code(), "ok");
    server.stop().await;
}

#[tokio::test]
async fn replayed_and_reordered_requests_play_once_and_in_order() {
    let (_folder, server, mut client, game) = table().await;
    let acts = game.path("acts");
    let first = act(1, "seal 1");
    let one = client.post(&acts, Some(&game.tokens[0]), &first).await.json();
    // Replayed, also at once from several connections.
    let again = client.post(&acts, Some(&game.tokens[0]), &first).await.json();
    assert_eq!((one["done"].clone(), one["state"].clone()), (again["done"].clone(), again["state"].clone()));
    let second = act(2, "seal 2");
    let racers: Vec<_> = (0..8)
        .map(|_| {
            let (mut racer, acts, token, second) =
                (server.client(), acts.clone(), game.tokens[1].clone(), second.clone());
            tokio::spawn(async move { racer.post(&acts, Some(&token), &second).await })
        })
        .collect();
    for racer in racers {
        let answer = racer.await.unwrap();
        assert_eq!(
            (answer.code().as_str(), answer.json()["state"].clone()),
            ("ok", json!(3)),
            "{}",
            answer.text
        );
    }
    // Reordered: what answers a later state is as stale as what answers an earlier one.
    for state in [0, 1, 2, 4, u64::MAX] {
        let answer = client.post(&acts, Some(&game.tokens[0]), &act(state, "seal 1")).await;
        assert_eq!(answer.code(), "stale", "{state}");
        assert_eq!(answer.json()["position"]["state"], 3);
    }
    // The same id for something else.
    let mut other = first.clone();
    other["action"] = json!("seal 3");
    assert_eq!(client.post(&acts, Some(&game.tokens[0]), &other).await.code(), "id_reused");
    let winner = game.decides(&mut client).await.unwrap();
    let mut fresh_state = other.clone();
    fresh_state["state"] = json!(3);
    fresh_state["action"] = json!("rest");
    assert_eq!(client.post(&acts, Some(&game.tokens[winner]), &fresh_state).await.code(), "id_reused");
    assert_eq!(game.state(&mut client).await, 3);
    for bad in ["short", "with blank", &"x".repeat(65), "<script>"] {
        let mut request = act(3, "rest");
        request["id"] = json!(bad);
        assert_eq!(client.post(&acts, Some(&game.tokens[winner]), &request).await.code(), "bad_id", "{bad}");
    }
    server.stop().await;
}

#[tokio::test]
async fn withheld_or_short_randomness_is_refused() {
    let (_folder, server, mut client, game) = table().await;
    for salt in [Value::Null, json!(""), json!("abcd"), json!("zz".repeat(16)), json!("ab".repeat(65))] {
        let request = json!({ "id": id(), "state": 1, "action": "seal 1", "salt": salt });
        assert_eq!(
            client.post(&game.path("acts"), Some(&game.tokens[0]), &request).await.code(),
            "salt_needed",
            "{salt}"
        );
    }
    let mut typed = act(1, "seal 1");
    typed["faces"] = json!([6, 6]);
    assert_eq!(client.post(&game.path("acts"), Some(&game.tokens[0]), &typed).await.code(), "wrong_faces");
    server.stop().await;
}

#[tokio::test]
async fn large_and_malformed_bodies_are_turned_away() {
    let (_folder, server, mut client, game) = table().await;
    let acts = game.path("acts");
    let token = game.tokens[0].clone();
    let ten_megabytes = vec![b' '; 10 << 20];
    for path in [acts.as_str(), "/api/v1/games", "/api/v1/games/import", "/api/v1/games/mine"] {
        let code = raw(&mut client, path, Some(&token), ten_megabytes.clone()).await;
        assert!(code == "too_large" || code == "connection closed", "{path}: {code}");
    }
    let deep = "[".repeat(60_000);
    let bodies: [&[u8]; 8] = [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"{\"id\":1}",
        deep.as_bytes(),
        b"{\"id\":\"12345678\",\"state\":-1,\"action\":\"\"}",
    ];
    for body in bodies {
        let code = raw(&mut client, &acts, Some(&token), body.to_vec()).await;
        assert_eq!(code, "malformed", "{:?}", String::from_utf8_lossy(&body[..body.len().min(40)]));
    }
    let mut unknown = act(1, "seal 1");
    unknown["side"] = json!("second");
    assert_eq!(client.post(&acts, Some(&token), &unknown).await.code(), "malformed");
    let mut plain = client.request(Method::POST, &acts, Some(&token), Some(&act(1, "seal 1")));
    plain.headers_mut().insert("content-type", "text/plain".parse().unwrap());
    assert_eq!(client.send(plain).await.unwrap().code(), "not_json");
    assert_eq!(client.get(&acts, Some(&token)).await.code(), "wrong_method");
    assert_eq!(client.get("/api/v1/nothing", None).await.code(), "no_such_page");
    assert_eq!(client.get("/../../etc/passwd", None).await.code(), "no_such_page");
    assert_eq!(client.get(&game.path("position?at=x"), Some(&token)).await.code(), "malformed");
    assert_eq!(game.state(&mut client).await, 1);
    server.stop().await;
}

#[tokio::test]
async fn markup_in_names_is_data() {
    let (_folder, server, mut client, game) = table().await;
    let evil = "<img src=x onerror=alert(1)>";
    let named = client.post(&game.path("name"), Some(&game.tokens[0]), &json!({ "name": evil })).await;
    assert_eq!(named.json()["seats"]["first"]["name"], evil);
    assert_eq!(named.headers["content-type"], "application/json");
    assert_eq!(named.headers["x-content-type-options"], "nosniff");
    for bad in ["", "a\u{7}b", &"n".repeat(41), "\u{202e}evil", "\u{200b}", "\u{2800}", "Ada\u{2060}"] {
        let named = client.post(&game.path("name"), Some(&game.tokens[0]), &json!({ "name": bad })).await;
        assert_eq!(named.code(), "bad_name", "{bad:?}");
    }
    let say = json!({ "id": id(), "text": evil });
    let said = client.post(&game.path("chat"), Some(&game.tokens[0]), &say).await;
    assert_eq!(said.json()["text"], evil);
    assert_eq!(
        client.post(&game.path("chat"), Some(&game.tokens[0]), &say).await.json()["n"],
        1,
        "said once"
    );
    let read = client.get(&game.path("chat"), Some(&game.tokens[1])).await.json();
    assert_eq!(read.as_array().unwrap().len(), 1);
    assert_eq!(
        client.post(&game.path("chat"), None, &json!({ "id": id(), "text": "x" })).await.code(),
        "seat_needed"
    );
    let long = json!({ "id": id(), "text": "x".repeat(1001) });
    assert_eq!(client.post(&game.path("chat"), Some(&game.tokens[0]), &long).await.code(), "bad_text");
    let seats = json!({ "first": here("\u{0}"), "second": link() });
    let new = json!({ "scenario": common::parley::OAK, "seats": seats, "salt": salt() });
    assert_eq!(client.post("/api/v1/games", None, &new).await.code(), "bad_name");
    let seats = json!({ "first": here("Ada"), "second": computer("marshal") });
    let new = json!({ "scenario": common::parley::OAK, "seats": seats, "salt": salt() });
    assert_eq!(client.post("/api/v1/games", None, &new).await.code(), "no_such_level");
    server.stop().await;
}

#[tokio::test]
async fn invitations_are_not_to_be_guessed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), link()]).await;
    let claim =
        |invitation: &str, token: &str| json!({ "invitation": invitation, "token": token, "name": "Eve" });
    let token = "ee".repeat(32);
    for guess in ["", "0", &"0".repeat(64), &game.tokens[0]] {
        assert_eq!(
            client.post(&game.path("claim"), None, &claim(guess, &token)).await.code(),
            "forged_invitation"
        );
    }
    let real = game.created["seats"]["second"]["invitation"].as_str().unwrap();
    assert_eq!(client.post(&game.path("claim"), None, &claim(real, "weak")).await.code(), "malformed");
    // Nobody takes both seats with one token.
    assert_eq!(
        client.post(&game.path("claim"), None, &claim(real, &game.tokens[0])).await.code(),
        "seat_taken"
    );
    server.stop().await;
}

#[tokio::test]
async fn other_pages_and_other_names_stay_outside() {
    let (_folder, server, mut client, game) = table().await;
    let mut foreign =
        client.request(Method::POST, &game.path("acts"), Some(&game.tokens[0]), Some(&act(1, "seal 1")));
    foreign.headers_mut().insert("origin", "https://evil.example".parse().unwrap());
    assert_eq!(client.send(foreign).await.unwrap().code(), "foreign_origin");
    let mut bent: Request<_> = client.request(Method::GET, "/api/v1/systems", None, None);
    bent.headers_mut().insert("host", "evil.example".parse().unwrap());
    assert_eq!(client.send(bent).await.unwrap().code(), "foreign_host");
    server.stop().await;
}

#[tokio::test]
async fn who_asks_too_often_waits() {
    let folder = tempfile::tempdir().unwrap();
    // Fifty times as much for the loopback: 50 at once.
    let rate = server::Rate { per_second: 0.02, burst: 1 };
    let config = server::Config { data: folder.path().to_owned(), rate, ..common::config() };
    let server = Running::with(config).await;
    let mut client = server.client();
    let mut codes = Vec::new();
    for _ in 0..60 {
        codes.push(client.get("/api/v1/systems", None).await.code());
    }
    assert_eq!(codes[0], "ok");
    let last = client.get("/api/v1/systems", None).await;
    assert_eq!(last.code(), "too_many");
    assert_eq!(last.headers["retry-after"], "1");
    assert_eq!(client.get("/healthz", None).await.code(), "too_many", "this is metered too");
    assert_eq!(Client::new(server.ops).get("/healthz", None).await.code(), "ok");
    server.stop().await;
}
