//! Hints and reviews over the wire.

use crate::common;

use std::time::Duration;

use crate::common::client::Client;
use crate::common::{Game, Running, computer, here};
use serde_json::{Value, json};

async fn hint(client: &mut Client, game: &Game, token: Option<&str>, state: u64) -> (String, Value) {
    let answer = client.post(&game.path("hint"), token, &json!({ "state": state })).await;
    (answer.code(), answer.json())
}

#[tokio::test]
async fn a_hint_is_for_the_seat_that_decides_and_not_against_people() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), computer("captain")]).await;
    let ada = game.tokens[0].clone();
    let state = game.state(&mut client).await;
    let (code, told) = hint(&mut client, &game, Some(&ada), state).await;
    assert_eq!(code, "ok", "{told}");
    assert_eq!(told["side"], "first");
    assert_eq!(told["question"], "Which number do you seal?");
    let choices = told["choices"].as_array().unwrap();
    assert_eq!(choices.len(), 3);
    assert!(choices[0]["margin"].as_f64() >= choices[2]["margin"].as_f64(), "{told}");
    assert_eq!(choices[0]["line"][0]["action"], choices[0]["offer"]["action"]);
    // Asked again, it says the same.
    assert_eq!(hint(&mut client, &game, Some(&ada), state).await.1, told);
    assert_eq!(hint(&mut client, &game, Some(&ada), state + 7).await.0, "stale");
    assert_eq!(hint(&mut client, &game, None, state).await.0, "seat_needed");

    let people = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    let [ada, bertram] = &people.tokens;
    let state = people.state(&mut client).await;
    assert_eq!(hint(&mut client, &people, Some(ada), state).await.0, "no_hints");
    assert_eq!(hint(&mut client, &people, Some(bertram), state).await.0, "not_your_decision");
    // Who plays both sides plays against nobody.
    assert_eq!(hint(&mut client, &people, Some(&format!("{ada} {bertram}")), state).await.0, "ok");
    server.stop().await;
}

#[tokio::test]
async fn a_finished_game_is_reviewed_once_for_all() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    let ada = game.tokens[0].clone();
    let early = client.get(&game.path("review"), Some(&ada)).await;
    assert_eq!(early.code(), "concealed", "{}", early.text);
    for _ in 0..12 {
        game.round(&mut client).await;
    }
    assert_eq!(game.decides(&mut client).await, None);
    let mut told = Value::Null;
    for _ in 0..300 {
        told = client.get(&game.path("review"), Some(&ada)).await.json();
        if !told["review"].is_null() {
            break;
        }
        assert!(told["done"].as_u64() <= told["of"].as_u64(), "{told}");
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    let review = &told["review"];
    assert_eq!(told["of"], 36);
    assert_eq!(review["decisions"].as_array().unwrap().len(), 36, "{told}");
    let shares = &review["shares"];
    let number = |value: &Value| value.as_f64().unwrap();
    let changes =
        number(&shares["choices"]["first"]) + number(&shares["choices"]["second"]) + number(&shares["dice"]);
    assert!((number(&shares["start"]) + changes - number(&shares["result"])).abs() < 1e-6, "{shares}");
    // It is over: everybody may read it, and nobody makes it again.
    assert_eq!(client.get(&game.path("review"), None).await.json(), told);
    server.stop().await;
}

#[tokio::test]
async fn every_level_can_be_sat_down_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let systems = client.get("/api/v1/systems", None).await.json();
    let levels: Vec<String> = systems[0]["levels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|level| level["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(levels, ["random", "ensign", "sergeant", "lieutenant", "captain", "colonel", "general"]);
    for level in levels {
        let game = Game::create(&mut client, [computer(&level), here("Ada")]).await;
        for _ in 0..100 {
            let position = client.get(&game.path("position"), Some(&game.tokens[1])).await.json();
            if position["status"]["side"] == "second" {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let position = client.get(&game.path("position"), Some(&game.tokens[1])).await.json();
        assert_eq!(position["status"]["side"], "second", "{level} has not decided");
    }
    // A server does not think for an hour because somebody asks for it.
    let seats = json!({ "first": computer("general:rollouts=1000000"), "second": here("Ada") });
    let new = json!({ "scenario": common::parley::OAK, "seats": seats, "salt": common::salt() });
    assert_eq!(client.post("/api/v1/games", None, &new).await.code(), "no_such_level");
    server.stop().await;
}
