//! Finding an opponent: challenges that anybody may accept, once, and rematches.

#[path = "../../../store/tests/cluster/mod.rs"]
pub(crate) mod cluster;
use crate::common;

use crate::common::client::{Answer, Client};
use crate::common::{Game, Running, computer, here, id, link, salt};
use cluster::Cluster;
use hyper::Method;
use serde_json::{Value, json};
use server::{Config, Quotas};

fn token(digit: char) -> String {
    digit.to_string().repeat(64)
}

fn accept(name: &str, digit: char) -> Value {
    json!({ "name": name, "token": token(digit) })
}

async fn put_up(client: &mut Client, game: &Game, side: usize, body: &Value) -> Answer {
    client.post(&game.path("challenge"), Some(&game.tokens[side]), body).await
}

async fn listed(client: &mut Client) -> Vec<Value> {
    client.get("/api/v1/challenges", None).await.json()["challenges"].as_array().unwrap().clone()
}

fn path(challenge: &Value) -> String {
    format!("/api/v1/challenges/{}/accept", challenge["id"].as_str().unwrap())
}

async fn two_nodes() -> [Running; 2] {
    let url = tokio::task::spawn_blocking(Cluster::shared).await.unwrap().database().await;
    let config = || Config { database: Some(url.clone()), ..common::config() };
    [Running::with(config()).await, Running::with(config()).await]
}

#[tokio::test]
async fn a_challenge_is_listed_accepted_and_gone() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), link()]).await;
    assert!(listed(&mut client).await.is_empty(), "no game is offered that nobody has put up");
    let made = put_up(&mut client, &game, 0, &json!({ "note": "new player, be kind", "hours": 2 })).await;
    assert_eq!(made.status.as_u16(), 201, "{}", made.text);
    let one = listed(&mut client).await.remove(0);
    assert_eq!(
        (&one["name"], &one["system"], &one["side"], &one["note"], &one["here"]),
        (&json!("Ada"), &json!("parley"), &json!("second"), &json!("new player, be kind"), &json!(false))
    );
    assert_eq!(one["until"].as_u64().unwrap() - one["made"].as_u64().unwrap(), 2 * 3_600_000);
    assert!(
        !client.get("/api/v1/challenges", None).await.text.contains(&game.id),
        "the game's id is not told"
    );
    assert_eq!(client.get("/api/v1/challenges?system=chess", None).await.json()["challenges"], json!([]));
    assert_eq!(client.get("/api/v1/challenges?system=parley", None).await.json()["challenges"], json!([one]));
    let mine = client.get(&game.path("challenge"), Some(&game.tokens[0])).await;
    assert_eq!(mine.json()["id"], one["id"]);
    // A restart forgets nothing.
    server.stop().await;
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    assert_eq!(listed(&mut client).await, std::slice::from_ref(&one));
    let sat = client.post(&path(&one), None, &accept("Bertram", 'b')).await;
    assert_eq!(sat.json(), json!({ "game": game.id, "side": "second" }));
    let face = client.get(&format!("/api/v1/games/{}", game.id), Some(&token('b'))).await.json();
    assert_eq!((&face["seats"]["second"]["name"], &face["yours"]), (&json!("Bertram"), &json!("second")));
    assert!(listed(&mut client).await.is_empty());
    // Sent again after a lost answer it finds its own seat; anybody else is told.
    assert_eq!(client.post(&path(&one), None, &accept("Bertram", 'b')).await.json(), sat.json());
    assert_eq!(client.post(&path(&one), None, &accept("Eve", 'e')).await.code(), "challenge_gone");
    assert_eq!(client.get(&game.path("challenge"), Some(&game.tokens[0])).await.json(), Value::Null);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_who_accept_at_once_one_gets_the_seat() {
    let [a, b] = two_nodes().await;
    let (mut at_a, mut at_b) = (a.client(), b.client());
    for _ in 0..6 {
        let game = Game::create(&mut at_a, [here("Ada"), link()]).await;
        assert_eq!(put_up(&mut at_b, &game, 0, &json!({})).await.code(), "ok");
        let one = listed(&mut at_b).await.remove(0);
        let (bertram, eve) = (accept("Bertram", 'b'), accept("Eve", 'e'));
        let address = path(&one);
        let (first, second) =
            tokio::join!(at_a.post(&address, None, &bertram), at_b.post(&address, None, &eve));
        let mut codes = [first.code(), second.code()];
        codes.sort();
        assert_eq!(codes, ["challenge_gone", "ok"]);
        let (winner, name) = if first.code() == "ok" { ('b', "Bertram") } else { ('e', "Eve") };
        for client in [&mut at_a, &mut at_b] {
            let face = client.get(&format!("/api/v1/games/{}", game.id), Some(&token(winner))).await.json();
            assert_eq!(face["seats"]["second"]["name"], name);
        }
        assert!(listed(&mut at_a).await.is_empty());
    }
    a.stop().await;
    b.stop().await;
}

#[tokio::test]
async fn a_challenge_is_withdrawn_by_those_who_sit_there_alone() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), link()]).await;
    let other = Game::create(&mut client, [here("Eve"), link()]).await;
    let withdraw = game.path("challenge/withdraw");
    assert_eq!(client.post(&withdraw, Some(&game.tokens[0]), &json!({})).await.code(), "challenge_gone");
    assert_eq!(put_up(&mut client, &game, 0, &json!({})).await.code(), "ok");
    for path in ["challenge", "challenge/withdraw", "rematch"].map(|rest| game.path(rest)) {
        let body = json!({ "token": token('1'), "salt": salt() });
        let body = if path.ends_with("rematch") { body } else { json!({}) };
        assert_eq!(client.post(&path, None, &body).await.code(), "seat_needed", "{path}");
        assert_eq!(client.post(&path, Some(&other.tokens[0]), &body).await.code(), "forged_seat", "{path}");
    }
    assert_eq!(client.get(&game.path("challenge"), None).await.code(), "seat_needed");
    let one = listed(&mut client).await.remove(0);
    let gone = client.post(&withdraw, Some(&game.tokens[0]), &json!({})).await;
    assert_eq!(gone.status.as_u16(), 204);
    assert!(listed(&mut client).await.is_empty());
    assert_eq!(client.post(&path(&one), None, &accept("Eve", 'e')).await.code(), "no_such_challenge");
    // The link still opens the seat, and a seat that is taken so is no longer offered.
    assert_eq!(put_up(&mut client, &game, 0, &json!({})).await.code(), "ok");
    let one = listed(&mut client).await.remove(0);
    let invitation = game.created["seats"]["second"]["invitation"].clone();
    let claim = json!({ "invitation": invitation, "name": "Bertram", "token": token('b') });
    assert_eq!(client.post(&game.path("claim"), None, &claim).await.code(), "ok");
    assert!(listed(&mut client).await.is_empty());
    assert_eq!(client.post(&path(&one), None, &accept("Eve", 'e')).await.code(), "challenge_gone");
    server.stop().await;
}

#[tokio::test]
async fn intruders_find_no_way_through_the_lobby() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("<b>Ada</b>"), link()]).await;
    for (note, code) in
        [("x".repeat(121), "bad_text"), ("a\u{202e}b".into(), "bad_text"), ("a\nb".into(), "bad_text")]
    {
        assert_eq!(put_up(&mut client, &game, 0, &json!({ "note": note })).await.code(), code);
    }
    for hours in [json!(0), json!(337), json!(-1), json!("many")] {
        assert_eq!(
            put_up(&mut client, &game, 0, &json!({ "hours": hours })).await.code(),
            "malformed",
            "{hours}"
        );
    }
    let huge = json!({ "note": "x".repeat(100 << 10) });
    assert_eq!(put_up(&mut client, &game, 0, &huge).await.code(), "too_large");
    let evil = "<img src=x onerror=alert(1)>";
    let made = put_up(&mut client, &game, 0, &json!({ "note": evil })).await;
    assert_eq!(
        (made.json()["note"].clone(), made.headers["content-type"].clone()),
        (json!(evil), "application/json".parse().unwrap())
    );
    assert_eq!(listed(&mut client).await[0]["name"], "<b>Ada</b>", "data, not markup");
    let one = made.json();
    assert_eq!(put_up(&mut client, &game, 0, &json!({})).await.code(), "no_free_seat", "once at a time");
    // Nobody sits down opposite themselves with the token they hold.
    let own = json!({ "name": "Ada", "token": game.tokens[0] });
    assert_eq!(client.post(&path(&one), None, &own).await.code(), "own_challenge");
    for (name, token, code) in [
        ("", token('e'), "bad_name"),
        ("E\u{200b}", token('e'), "bad_name"),
        ("Eve", "weak".into(), "malformed"),
    ] {
        let body = json!({ "name": name, "token": token });
        assert_eq!(client.post(&path(&one), None, &body).await.code(), code);
    }
    for guess in ["a", "../games", "aaaaaaaaaaaaaaaa", game.id.as_str()] {
        let answer =
            client.post(&format!("/api/v1/challenges/{guess}/accept"), None, &accept("Eve", 'e')).await;
        assert!(
            ["no_such_challenge", "no_such_page", "wrong_method"].contains(&answer.code().as_str()),
            "{guess}: {}",
            answer.code()
        );
    }
    // A page of another site neither offers, accepts nor withdraws.
    for (address, body) in [
        (path(&one), accept("Eve", 'e')),
        (game.path("challenge"), json!({})),
        (game.path("challenge/withdraw"), json!({})),
        (game.path("rematch"), json!({ "token": token('1'), "salt": salt() })),
    ] {
        let mut foreign = client.request(Method::POST, &address, Some(&game.tokens[0]), Some(&body));
        foreign.headers_mut().insert("origin", "https://evil.example".parse().unwrap());
        assert_eq!(client.send(foreign).await.unwrap().code(), "foreign_origin", "{address}");
    }
    assert_eq!(listed(&mut client).await.len(), 1);
    // Only a free seat by link can be put up.
    for seats in [[here("Ada"), here("Bertram")], [here("Ada"), computer("random")]] {
        let game = Game::create(&mut client, seats).await;
        assert_eq!(put_up(&mut client, &game, 0, &json!({})).await.code(), "no_free_seat");
    }
    server.stop().await;
}

#[tokio::test]
async fn an_address_puts_up_so_many() {
    let folder = tempfile::tempdir().unwrap();
    let proxies = vec!["127.0.0.0/8".parse().unwrap()];
    let quotas = Quotas { challenges: 2, ..Quotas::default() };
    let config = Config { data: folder.path().to_owned(), quotas, proxies, ..common::config() };
    let server = Running::with(config).await;
    let mut client = server.client();
    let mut codes = Vec::new();
    for who in ["203.0.113.7", "203.0.113.7", "203.0.113.7", "203.0.113.8"] {
        let game = Game::create(&mut client, [here("Ada"), link()]).await;
        let mut request =
            client.request(Method::POST, &game.path("challenge"), Some(&game.tokens[0]), Some(&json!({})));
        request.headers_mut().insert("x-forwarded-for", who.parse().unwrap());
        codes.push(client.send(request).await.unwrap().code());
    }
    assert_eq!(codes, ["ok", "ok", "quota", "ok"]);
    // One that is taken counts no longer.
    let one = listed(&mut client).await.pop().unwrap();
    assert_eq!(client.post(&path(&one), None, &accept("Bertram", 'b')).await.code(), "ok");
    let game = Game::create(&mut client, [here("Ada"), link()]).await;
    let mut request =
        client.request(Method::POST, &game.path("challenge"), Some(&game.tokens[0]), Some(&json!({})));
    request.headers_mut().insert("x-forwarded-for", "203.0.113.7".parse().unwrap());
    assert_eq!(client.send(request).await.unwrap().code(), "ok");
    server.stop().await;
}

/// A game of two people, each with a seat of their own, that Bertram has given up.
async fn finished(client: &mut Client) -> Game {
    let mut game = Game::create(client, [here("Ada"), link()]).await;
    let invitation = game.created["seats"]["second"]["invitation"].clone();
    let claim = json!({ "invitation": invitation, "name": "Bertram", "token": token('b') });
    assert_eq!(client.post(&game.path("claim"), None, &claim).await.code(), "ok");
    game.tokens[1] = token('b');
    let asks = json!({ "token": token('1'), "salt": salt() });
    let early = client.post(&game.path("rematch"), Some(&game.tokens[0]), &asks).await;
    assert_eq!(early.code(), "not_over");
    let resign = json!({ "id": id(), "state": game.state(client).await });
    assert_eq!(client.post(&game.path("resign"), Some(&token('b')), &resign).await.code(), "ok");
    game
}

#[tokio::test]
async fn a_rematch_changes_the_sides() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = finished(&mut client).await;
    let asks = |digit| json!({ "token": token(digit), "salt": salt() });
    let rematch = game.path("rematch");
    let first = client.post(&rematch, Some(&game.tokens[0]), &asks('1')).await;
    assert_eq!((first.code().as_str(), &first.json()["side"]), ("ok", &json!("second")), "{}", first.text);
    let next = first.json()["game"].as_str().unwrap().to_owned();
    // Those who played see it; others do not, though the game is over and open to them.
    let old = format!("/api/v1/games/{}", game.id);
    assert_eq!(client.get(&old, Some(&game.tokens[1])).await.json()["rematch"], json!(next));
    assert_eq!(client.get(&old, None).await.json()["rematch"], Value::Null);
    let mine = client
        .post("/api/v1/games/mine", None, &json!({ "seats": [{ "game": game.id, "token": game.tokens[1] }] }))
        .await;
    assert_eq!(mine.json()[0]["rematch"], json!(next));
    // Asked again it is the same game, also after a restart.
    assert_eq!(client.post(&rematch, Some(&game.tokens[0]), &asks('1')).await.json(), first.json());
    assert_eq!(client.post(&rematch, Some(&game.tokens[0]), &asks('3')).await.code(), "seat_taken");
    server.stop().await;
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    assert_eq!(
        client.post(&rematch, Some(&game.tokens[1]), &asks('1')).await.code(),
        "seat_taken",
        "her token"
    );
    let second = client.post(&rematch, Some(&game.tokens[1]), &asks('2')).await;
    assert_eq!(second.json(), json!({ "game": next, "side": "first" }));
    let face = client.get(&format!("/api/v1/games/{next}"), Some(&token('2'))).await.json();
    assert_eq!(
        (&face["seats"]["first"]["name"], &face["seats"]["second"]["name"], &face["scenario"]),
        (&json!("Bertram"), &json!("Ada"), &json!(common::parley::OAK))
    );
    // Against a computer, or both seats at one screen, there is nobody to ask.
    for seats in [[here("Ada"), computer("random")], [here("Ada"), here("Bertram")]] {
        let game = Game::create(&mut client, seats).await;
        let both = game.tokens.join(" ");
        let both = both.trim();
        let state =
            client.get(&format!("/api/v1/games/{}", game.id), Some(both)).await.json()["state"].clone();
        client.post(&game.path("resign"), Some(both), &json!({ "id": id(), "state": state })).await;
        let answer = client.post(&game.path("rematch"), Some(both), &asks('4')).await;
        assert!(["no_rematch", "not_over"].contains(&answer.code().as_str()), "{}", answer.text);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_who_ask_at_once_meet_in_one_game() {
    let [a, b] = two_nodes().await;
    let (mut at_a, mut at_b) = (a.client(), b.client());
    for _ in 0..4 {
        let game = finished(&mut at_a).await;
        let (one, two) =
            (json!({ "token": token('1'), "salt": salt() }), json!({ "token": token('2'), "salt": salt() }));
        let address = game.path("rematch");
        let (first, second) = tokio::join!(
            at_a.post(&address, Some(&game.tokens[0]), &one),
            at_b.post(&address, Some(&game.tokens[1]), &two)
        );
        assert_eq!(
            (first.code().as_str(), second.code().as_str()),
            ("ok", "ok"),
            "{} {}",
            first.text,
            second.text
        );
        assert_eq!(first.json()["game"], second.json()["game"]);
        assert_eq!((&first.json()["side"], &second.json()["side"]), (&json!("second"), &json!("first")));
    }
    a.stop().await;
    b.stop().await;
}
