//! School over the wire: situations that are shown and taken over, and lessons.

use crate::common;

use std::sync::Arc;

use crate::common::{Game, Running, computer, config, here, id};
use serde_json::{Value, json};
use server::Config;

const LESSON: &str = include_str!("../../../../lessons/battle-hymn/03-zone-of-control.toml");
const SITUATION: &str = include_str!("../../../battle-hymn/situations/05-movement/5.3.a-zone-stops.toml");

async fn school(folder: &std::path::Path) -> Running {
    // A computer that was thinking when the server stopped holds the folder until it has done.
    let lock = std::fs::File::create(folder.join("linstock.lock")).unwrap();
    for _ in 0..100 {
        if lock.try_lock().is_ok() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    drop(lock);
    let books = Arc::new(host::Standard);
    Running::with(Config { data: folder.to_owned(), books, ..config() }).await
}

fn lesson(salt: &str) -> Value {
    json!({ "scenario": "battle-hymn/zone-of-control", "text": LESSON, "salt": salt,
        "seats": { "first": computer("random"), "second": here("Ada") } })
}

#[tokio::test]
async fn a_situation_is_shown_and_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let server = school(folder.path()).await;
    let mut client = server.client();
    let answer = client.post("/api/v1/situations", None, &json!({ "text": SITUATION })).await;
    assert_eq!(answer.code(), "ok", "{}", answer.text);
    let shown = answer.json();
    assert_eq!(shown["proves"], json!(["5.3.a", "5.3.h"]));
    assert_eq!(shown["start"]["prompt"]["kind"], "march");
    let [tried, marched] = &shown["steps"].as_array().unwrap()[..] else { panic!("{shown}") };
    assert_eq!(tried["asks"][0]["rule"], "5.3.a");
    assert!(tried["asks"][0]["why"].as_str().unwrap().len() > 5, "{tried}");
    assert_eq!(tried["note"], "Davis' zone covers 0201, 0301 and 0401.");
    assert_eq!((&tried["holds"], &tried["moment"]), (&json!(true), &json!(0)));
    assert_eq!(marched["play"].as_array().unwrap().len(), 1);
    assert!(marched["expects"].as_array().unwrap().contains(&json!("Weed: hex is 0201")), "{marched}");
    assert_eq!(marched["moment"], 1);

    let journal = shown["journal"].as_str().expect("a journal");
    for (lines, moment) in [(2, 0), (3, 1)] {
        let cut: String = journal.lines().take(lines).map(|line| format!("{line}\n")).collect();
        let seats = json!({ "first": here("Ada"), "second": computer("captain") });
        let taken =
            client.post("/api/v1/games/import", None, &json!({ "journal": cut, "seats": seats })).await;
        assert_eq!(taken.status.as_u16(), 201, "{}", taken.text);
        let game = Game::of(taken.json());
        assert_eq!(game.created["broken"], Value::Null);
        let position = game.position(&mut client, 0).await;
        assert_eq!(position["moment"], moment);
        assert!(!position["offers"].as_array().unwrap().is_empty(), "it goes on");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_game_begins_at_a_situation() {
    let folder = tempfile::tempdir().unwrap();
    let server = school(folder.path()).await;
    let mut client = server.client();
    let seats = json!({ "first": here("Ada"), "second": computer("captain") });
    let new =
        json!({ "scenario": "battle-hymn/zone", "text": SITUATION, "salt": common::salt(), "seats": seats });
    let game = Game::with(&mut client, new).await;
    let position = game.position(&mut client, 0).await;
    assert_eq!(position["prompt"]["kind"], "march");
    assert_eq!(game.act(&mut client, 0, "march weed 0301").await.code(), "refused");
    assert_eq!(game.act(&mut client, 0, "march weed 0201").await.code(), "ok");
    let none = client.post(&game.path("lesson"), Some(&game.tokens[0]), &json!({})).await;
    assert_eq!(none.code(), "no_lesson");
    server.stop().await;
    // It is the same game after a restart.
    let server = school(folder.path()).await;
    let position = game.position(&mut server.client(), 0).await;
    assert_eq!(position["moment"], 1);
    server.stop().await;
}

#[tokio::test]
async fn a_lesson_is_played_and_answers() {
    let folder = tempfile::tempdir().unwrap();
    let server = school(folder.path()).await;
    let mut client = server.client();
    let game = Game::with(&mut client, lesson(&common::salt())).await;
    let ada = game.tokens[0].clone();
    assert!(!ada.is_empty() && game.tokens[1].is_empty(), "the learner sits where the lesson says");
    let ask = async |client: &mut common::client::Client, body: Value| {
        let answer = client.post(&game.path("lesson"), Some(&ada), &body).await;
        assert_eq!(answer.code(), "ok", "{}", answer.text);
        answer.json()
    };
    let face = ask(&mut client, json!({})).await;
    assert_eq!(face["solved"], false);
    assert_eq!(face["said"], Value::Null);
    assert_eq!(face["solution"], json!([]));
    assert_eq!(face["pages"][0]["look"][0], json!({ "n": 1, "at": { "piece": "weed" }, "label": null }));
    assert_eq!(ask(&mut client, json!({ "solution": true })).await["solution"], json!(["march weed 0605"]));

    assert_eq!(game.act(&mut client, 0, "march weed 0603").await.code(), "refused");
    let face = ask(&mut client, json!({ "tried": "march weed 0603" })).await;
    assert_eq!(face["said"]["kind"], "wrong");
    assert_eq!(face["said"]["rule"], "5.3.a");

    assert_eq!(game.act(&mut client, 0, "march weed 0705").await.code(), "ok");
    let face = ask(&mut client, json!({})).await;
    assert_eq!(face["said"]["undo"], true, "{}", face["said"]);
    let state = game.state(&mut client).await;
    let back = client.post(&game.path("undo"), Some(&ada), &json!({ "id": id(), "state": state })).await;
    assert_eq!(back.json()["done"], "taken_back");

    assert_eq!(game.act(&mut client, 0, "march weed 0605").await.code(), "ok");
    let face = ask(&mut client, json!({})).await;
    assert_eq!((&face["solved"], &face["said"]["kind"]), (&json!(true), &json!("right")));
    assert_eq!(face["goals"][0]["met"], true);
    let stranger = client.post(&game.path("lesson"), None, &json!({})).await;
    assert_eq!(stranger.code(), "seat_needed");
    server.stop().await;
    let server = school(folder.path()).await;
    assert_eq!(ask(&mut server.client(), json!({})).await["solved"], true, "after a restart");
    server.stop().await;
}

#[tokio::test]
async fn a_hint_weighs_what_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let server = school(folder.path()).await;
    let mut client = server.client();
    let game = Game::with(&mut client, lesson(&common::salt())).await;
    let state = game.state(&mut client).await;
    let mut hint = async |also: &str| {
        let body = json!({ "state": state, "also": also });
        client.post(&game.path("hint"), Some(&game.tokens[0]), &body).await
    };
    let told = hint("march weed 0608").await;
    assert_eq!(told.code(), "ok", "{}", told.text);
    let told = told.json();
    let mut offers = told["choices"].as_array().unwrap().iter().map(|choice| &choice["offer"]["action"]);
    assert!(offers.any(|action| action.as_str().unwrap().ends_with("0608")), "{told}");
    assert_eq!(hint("march weed 0603").await.code(), "refused");
    assert_eq!(hint("dance").await.code(), "unreadable");
    server.stop().await;
}

#[tokio::test]
async fn faults_and_sizes_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let server = school(folder.path()).await;
    let mut client = server.client();
    let mut shown = async |text: String| {
        let answer = client.post("/api/v1/situations", None, &json!({ "text": text })).await;
        (answer.code(), answer.json())
    };
    let (code, told) = shown(SITUATION.replace("weed.hex", "wed.hex")).await;
    assert_eq!(code, "faulty_scenario");
    assert!(told["faults"][0]["message"].as_str().unwrap().contains("did you mean `weed`?"), "{told}");
    assert_eq!(shown(format!("{SITUATION}\n#{}", "x".repeat(210 << 10))).await.0, "too_large");
    let many = format!("{SITUATION}{}", "[[step]]\nby = \"usa\"\n".repeat(200));
    let (code, told) = shown(many).await;
    assert_eq!(code, "faulty_scenario");
    assert!(told["message"].as_str().unwrap().contains("202 steps"), "{told}");
    // A step that does not hold is shown, and says so.
    let (code, told) = shown(SITUATION.replace("\"weed.mp\" = 0", "\"weed.mp\" = 3")).await;
    assert_eq!(code, "ok");
    assert_eq!((&told["steps"][1]["holds"], &told["journal"]), (&json!(false), &Value::Null));
    server.stop().await;
}
