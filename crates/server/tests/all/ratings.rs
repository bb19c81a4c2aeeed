//! Ratings: what counts and what does not, and that a game counts once whatever crashes.

use crate::common;

use crate::common::authenticator::{Authenticator, Browser};
use crate::common::client::{Answer, Client};
use crate::common::{Game, Running, computer, here, id, link, salt};
use serde_json::{Value, json};
use server::{Config, Standard};
use sqlx::ConnectOptions as _;
use std::sync::Arc;
use std::time::Duration;

/// Only battles of the real library count.
const BATTLE: &str = "battle-hymn/mcphersons-ridge";

fn config(folder: &tempfile::TempDir) -> Config {
    Config { data: folder.path().to_owned(), books: Arc::new(Standard), ..common::config() }
}

fn token(digit: char) -> String {
    digit.to_string().repeat(64)
}

async fn member(server: &Running, name: &str, number: u8) -> Browser {
    let mut browser = Browser::new(server.addr);
    browser.register(name, &mut Authenticator::new(number)).await;
    browser
}

/// A game by the clock with a seat for somebody else.
async fn by_clock(client: &mut Client) -> Game {
    let seats = json!({ "first": here("Ada"), "second": link() });
    let clock = json!({ "pace": "fast" });
    Game::with(client, json!({ "scenario": BATTLE, "seats": seats, "salt": salt(), "clock": clock })).await
}

async fn against(client: &mut Client, level: &str) -> Game {
    let seats = json!({ "first": here("Ada"), "second": computer(level) });
    Game::with(client, json!({ "scenario": BATTLE, "seats": seats, "salt": salt() })).await
}

/// A game by the clock with somebody at each seat, of which nobody has said that it counts.
async fn both_seated(client: &mut Client) -> Game {
    let mut game = by_clock(client).await;
    let invitation = game.created["seats"]["second"]["invitation"].clone();
    let claim = json!({ "invitation": invitation, "name": "Eve", "token": token('c') });
    assert_eq!(client.post(&game.path("claim"), None, &claim).await.code(), "ok");
    game.tokens[1] = token('c');
    game
}

async fn rate(browser: &mut Browser, game: &Game, token: &str) -> Answer {
    browser.post("/rated", &json!({ "game": game.id, "token": token })).await
}

/// A rated game between two members; the second sits there with this token.
async fn rated_game(client: &mut Client, ada: &mut Browser, eve: &mut Browser, digit: char) -> Game {
    let mut game = by_clock(client).await;
    assert_eq!(rate(ada, &game, &game.tokens[0].clone()).await.code(), "ok");
    let invitation = game.created["seats"]["second"]["invitation"].clone();
    let claim = json!({ "invitation": invitation, "name": "Eve", "token": token(digit) });
    assert_eq!(client.post(&game.path("claim"), None, &claim).await.code(), "ok");
    game.tokens[1] = token(digit);
    let agreed = rate(eve, &game, &token(digit)).await;
    assert_eq!(agreed.json()["rated"]["agreed"], json!({ "first": true, "second": true }), "{}", agreed.text);
    game
}

async fn resign(client: &mut Client, game: &Game, side: usize) {
    // A computer may decide in between.
    for _ in 0..50 {
        let resign = json!({ "id": id(), "state": game.state(client).await });
        let answer = client.post(&game.path("resign"), Some(&game.tokens[side]), &resign).await;
        if answer.code() != "stale" {
            assert_eq!(answer.code(), "ok", "{}", answer.text);
            return;
        }
    }
    panic!("the computer does not stop");
}

/// What came of a rated game, once it is settled.
async fn settled(client: &mut Client, game: &Game) -> Value {
    for _ in 0..1_000 {
        let face = client.get(&format!("/api/v1/games/{}", game.id), Some(&game.tokens[0])).await.json();
        if face["rated"]["settled"].is_object() {
            return face["rated"]["settled"].clone();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the game is not settled");
}

/// One's rating and how many games have counted.
async fn rating(browser: &mut Browser) -> (i64, u64) {
    let own = browser.get("/ratings").await.json();
    let standing = &own["systems"][0]["standing"];
    (standing["rating"].as_i64().unwrap_or(0), standing["games"].as_u64().unwrap_or(0))
}

#[tokio::test]
async fn a_rated_game_is_offered_accepted_played_and_counted_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::with(config(&folder)).await;
    let mut client = server.client();
    let (mut ada, mut eve) = (member(&server, "Ada", 1).await, member(&server, "Eve", 2).await);
    let mut game = by_clock(&mut client).await;
    let first = game.tokens[0].clone();
    let put_up = |within: Value| json!({ "note": "rated", "within": within });
    let path = game.path("challenge");
    let early = client.post(&path, Some(&first), &put_up(json!(200))).await;
    assert_eq!(early.code(), "malformed", "a window is for rated games");
    assert_eq!(rate(&mut ada, &game, &first).await.code(), "ok");
    assert_eq!(rate(&mut ada, &game, &first).await.code(), "ok", "twice is once");
    assert_eq!(client.post(&path, Some(&first), &put_up(json!(10))).await.code(), "malformed");
    let made = client.post(&path, Some(&first), &put_up(json!(200))).await.json();
    assert_eq!(made["rated"], json!({ "rating": 1500, "deviation": 350, "games": 0 }));
    assert_eq!(made["window"], json!({ "from": 1300, "to": 1700 }));
    let challenge = made["id"].as_str().unwrap();
    let body = json!({ "name": "Eve", "token": token('e') });
    let anonymous = client.post(&format!("/api/v1/challenges/{challenge}/accept"), None, &body).await;
    assert_eq!(anonymous.code(), "sign_in_needed");
    let own = ada.post(&format!("/challenges/{challenge}/accept"), &body).await;
    assert_eq!(own.code(), "not_rated", "{}", own.text);
    let accepted = eve.post(&format!("/challenges/{challenge}/accept"), &body).await;
    assert_eq!(accepted.json(), json!({ "game": game.id, "side": "second" }), "{}", accepted.text);
    let again = eve.post(&format!("/challenges/{challenge}/accept"), &body).await;
    assert_eq!(again.json(), accepted.json(), "sent again after a lost answer");
    game.tokens[1] = token('e');
    let list = eve.get("/games").await.json();
    assert_eq!(list["games"][0]["game"]["id"], json!(game.id), "the seat is with the account");
    resign(&mut client, &game, 0).await;
    let told = settled(&mut client, &game).await;
    assert_eq!(told["why_not"], Value::Null);
    assert!(told["after"]["first"]["rating"].as_i64().unwrap() < 1500, "{told}");
    assert!(told["after"]["second"]["rating"].as_i64().unwrap() > 1500, "{told}");
    let (lost, won) = (rating(&mut ada).await, rating(&mut eve).await);
    assert!(lost.0 < 1500 && won.0 > 1500 && lost.1 == 1 && won.1 == 1, "{lost:?} {won:?}");
    // What the sides are worth is told to everybody, and the levels' ratings.
    let system = client.get("/api/v1/ratings/battle-hymn", None).await.json();
    assert_eq!(system["levels"][3], json!({ "level": "captain", "rating": 1500, "deviation": 50 }));
    assert_eq!(client.get("/api/v1/ratings/chess", None).await.code(), "no_such_system");
    // A rematch counts as well, with the sides changed.
    let again = json!({ "token": token('1'), "salt": salt() });
    let next = client.post(&game.path("rematch"), Some(&game.tokens[0]), &again).await.json();
    let face =
        client.get(&format!("/api/v1/games/{}", next["game"].as_str().unwrap()), Some(&token('1'))).await;
    assert_eq!(face.json()["rated"]["agreed"], json!({ "first": true, "second": true }), "{}", face.text);
    assert_eq!(face.json()["yours"], "second");
    server.stop().await;
    // Killed before the game was entered, or before anybody had noted that it was: it counts once.
    let database = folder.path().join("linstock.sqlite");
    let open =
        || async { sqlx::sqlite::SqliteConnectOptions::new().filename(&database).connect().await.unwrap() };
    let forget_slip = "UPDATE slips SET due = 1, body = json_set(body, '$.settled', NULL) WHERE name = 'rated' AND game = $1";
    for forget in [
        &[forget_slip][..],
        &[forget_slip, "DELETE FROM ratings WHERE $1 = $1", "DELETE FROM rated_games WHERE game = $1"],
    ] {
        let mut connection = open().await;
        for statement in forget {
            sqlx::query(*statement).bind(&game.id).execute(&mut connection).await.unwrap();
        }
        drop(connection);
        let server = Running::with(config(&folder)).await;
        assert_eq!(settled(&mut server.client(), &game).await, told);
        for (browser, expected) in [(&ada, lost), (&eve, won)] {
            let mut browser = Browser { cookie: browser.cookie.clone(), ..Browser::new(server.addr) };
            assert_eq!(rating(&mut browser).await, expected);
        }
        server.stop().await;
    }
}

#[tokio::test]
async fn what_cannot_count_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::with(config(&folder)).await;
    let mut client = server.client();
    let mut ada = member(&server, "Ada", 1).await;
    let new = |seats: [Value; 2], more: Value| {
        let mut new =
            json!({ "scenario": BATTLE, "seats": { "first": seats[0], "second": seats[1] }, "salt": salt() });
        new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        new
    };
    let clock = json!({ "clock": { "pace": "slow" } });
    for (what, new) in [
        ("no clock", new([here("Ada"), link()], json!({}))),
        ("one screen", new([here("Ada"), here("Bob")], clock.clone())),
        ("no rating", new([here("Ada"), computer("random")], json!({}))),
        ("rolls are taken back", new([here("Ada"), computer("captain")], json!({ "rolls_back": true }))),
    ] {
        let game = Game::with(&mut client, new).await;
        let refused = rate(&mut ada, &game, &game.tokens[0]).await;
        assert_eq!(refused.code(), "not_rated", "{what}: {}", refused.text);
    }
    // Nobody agrees for a seat that is not theirs.
    let game = against(&mut client, "ensign").await;
    assert_eq!(rate(&mut ada, &game, &token('f')).await.code(), "forged_seat");
    assert_eq!(rate(&mut Browser::new(server.addr), &game, &game.tokens[0]).await.code(), "sign_in_needed");
    // Once somebody has acted they cannot wait to see how the dice fall.
    let acted = both_seated(&mut client).await;
    let side = acted.decides(&mut client).await.unwrap();
    let offered = acted.position(&mut client, side).await["offers"][0]["action"].clone();
    assert_eq!(acted.act(&mut client, side, offered.as_str().unwrap()).await.code(), "ok");
    assert_eq!(rate(&mut ada, &acted, &acted.tokens[side]).await.code(), "not_rated");
    // Against computers there is one at a time, without hints, and to leave it is to resign it.
    assert_eq!(rate(&mut ada, &game, &game.tokens[0]).await.code(), "ok");
    let state = game.state(&mut client).await;
    let hint = client.post(&game.path("hint"), Some(&game.tokens[0]), &json!({ "state": state })).await;
    assert_eq!(hint.code(), "no_hints");
    let second = against(&mut client, "captain").await;
    assert_eq!(rate(&mut ada, &second, &second.tokens[0]).await.code(), "not_rated");
    resign(&mut client, &game, 0).await;
    settled(&mut client, &game).await;
    assert_eq!(rate(&mut ada, &second, &second.tokens[0]).await.code(), "ok");
    let (rating, games) = rating(&mut ada).await;
    assert!(rating < 1500 && games == 1, "{rating} after {games}");
    server.stop().await;
}

#[tokio::test]
async fn nobody_raises_a_rating_by_resigning_to_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let proxies = vec!["127.0.0.1/32".parse().unwrap()];
    let server = Running::with(Config { proxies, ..config(&folder) }).await;
    let mut client = server.client();
    let (mut ada, mut alt) = (member(&server, "Ada", 1).await, member(&server, "Ada's other", 2).await);
    let from = |who: &str| vec![("x-forwarded-for", who.to_owned())];
    // The same account at both sides.
    let game = by_clock(&mut client).await;
    assert_eq!(rate(&mut ada, &game, &game.tokens[0]).await.code(), "ok");
    let invitation = game.created["seats"]["second"]["invitation"].clone();
    let claim = json!({ "invitation": invitation, "name": "Ada", "token": token('a') });
    assert_eq!(client.post(&game.path("claim"), None, &claim).await.code(), "ok");
    assert_eq!(rate(&mut ada, &game, &token('a')).await.code(), "not_rated");
    // Another account on the same network; one on another network may.
    (ada.more, alt.more) = (from("203.0.113.7"), from("203.0.113.7"));
    let game = by_clock(&mut client).await;
    assert_eq!(rate(&mut ada, &game, &game.tokens[0]).await.code(), "ok");
    let invitation = game.created["seats"]["second"]["invitation"].clone();
    let claim = json!({ "invitation": invitation, "name": "Alt", "token": token('b') });
    assert_eq!(client.post(&game.path("claim"), None, &claim).await.code(), "ok");
    assert_eq!(rate(&mut alt, &game, &token('b')).await.code(), "not_rated");
    alt.more = from("198.51.100.9");
    assert_eq!(rate(&mut alt, &game, &token('b')).await.code(), "ok");
    // From anywhere, the fifth game of the same two within thirty days changes nothing.
    let mut reached = 0;
    for (n, digit) in ['1', '2', '3', '4', '5'].into_iter().enumerate() {
        let game = rated_game(&mut client, &mut ada, &mut alt, digit).await;
        resign(&mut client, &game, 1).await;
        let told = settled(&mut client, &game).await;
        let (now, games) = rating(&mut ada).await;
        if n < 4 {
            assert!(told["why_not"].is_null() && now > reached && games == n as u64 + 1, "{n}: {told}");
            reached = now;
        } else {
            assert!(told["why_not"].is_string(), "{told}");
            assert_eq!((now, games), (reached, 4));
        }
    }
    // Whoever leaves takes the ratings along; the other's stay.
    assert_eq!(alt.post("/delete", &json!({})).await.status.as_u16(), 204);
    assert_eq!(rating(&mut ada).await, (reached, 4));
    server.stop().await;
}
