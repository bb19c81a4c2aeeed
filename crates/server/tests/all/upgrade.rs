//! A data directory of the version before this one opens: every game can be read, and those that replay go on.

use crate::common;

use std::sync::Arc;

use crate::common::{Running, id, salt};
use serde_json::{Value, json};
use server::{Books, Config, Standard};
use sqlx::ConnectOptions;

/// Written by the program of commit d3fcc36 itself, which `before/write.py` played against over HTTP: no version in the
/// schema, the editions of its day; games of all five systems begun, under way, over, resigned, taken back, with a
/// computer, with an empty seat, with house rules and with a scenario of their player's own.
const BEFORE: &str = include_str!("../before/linstock.sql");
const GAMES: &str = include_str!("../before/games.json");

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_game_of_the_version_before_can_be_read_and_those_that_replay_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("linstock.sqlite");
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(file).create_if_missing(true);
    let mut database = options.connect().await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(BEFORE.to_owned())).execute(&mut database).await.unwrap();
    drop(database);

    let books: Arc<dyn Books> = Arc::new(Standard);
    let server = Running::with(Config { data: folder.path().to_owned(), books, ..common::config() }).await;
    let mut client = server.client();
    let games: Vec<Value> = serde_json::from_str(GAMES).unwrap();
    let (mut went_on, mut closed) = (0, 0);
    for known in &games {
        let (game, scenario) = (known["game"].as_str().unwrap(), known["scenario"].as_str().unwrap());
        let token = known["token"].as_str();
        let path = |rest: &str| format!("/api/v1/games/{game}{rest}");
        let face = client.get(&path(""), token).await;
        assert_eq!(face.code(), "ok", "{scenario}: {}", face.text);
        let face = face.json();
        assert_eq!(face["moment"], known["moment"], "{scenario}");
        assert_eq!(face["status"]["kind"] == "over", known["over"] == true, "{scenario}");
        let position = client.get(&path("/position"), token).await;
        assert_eq!(position.code(), "ok", "{scenario}: {}", position.text);
        let position = position.json();
        assert_eq!(position["log"].as_array().unwrap().len() as u64, known["moment"].as_u64().unwrap() + 1);
        assert!(
            !position["view"]["pieces"].as_array().unwrap().is_empty(),
            "{scenario}: nothing on the board"
        );
        assert_eq!(client.get(&path("/board"), token).await.code(), "ok", "{scenario}");
        let chat = client.get(&path("/chat"), token).await.json();
        assert_eq!(chat[0]["text"], format!("Well met, {scenario}."));
        let journal = client.get(&path("/journal"), token).await;
        assert!(["ok", "concealed"].contains(&journal.code().as_str()), "{scenario}: {}", journal.text);

        let act = |position: &Value| {
            let action = position["offers"][0]["action"].as_str().unwrap_or("pass");
            json!({ "id": id(), "state": position["state"], "action": action, "salt": salt() })
        };
        if face["closed"].is_null() {
            // Its edition is still played.
            went_on += 1;
            continue;
        }
        closed += 1;
        let why = face["closed"]["why"].as_str().unwrap();
        assert!(why.contains("edition") || why.contains("has changed"), "{scenario}: {why}");
        let refused = client.post(&path("/acts"), token, &act(&position)).await;
        let expected: &[&str] = if known["over"] == true { &["outdated", "over"] } else { &["outdated"] };
        assert!(expected.contains(&refused.code().as_str()), "{scenario}: {}", refused.text);
        let go_on = client.post(&path("/continue"), token, &json!({})).await;
        if face["closed"]["may_continue"] == false {
            assert_eq!(go_on.code(), "outdated", "{scenario}");
            assert_eq!(journal.code(), "ok", "{scenario}: what is closed for good can be taken along");
            continue;
        }
        assert_eq!(go_on.code(), "ok", "{scenario}: {}", go_on.text);
        went_on += 1;
        let position = client.get(&path("/position"), token).await.json();
        if position["offers"].as_array().is_some_and(|offers| !offers.is_empty()) {
            let played = client.post(&path("/acts"), token, &act(&position)).await;
            assert_eq!(played.code(), "ok", "{scenario}: {}", played.text);
        }
    }
    // All that replay go on; where a decision of the old editions is no longer legal the game stays readable.
    eprintln!("{went_on} of {} games go on, {closed} were closed by their edition", games.len());
    assert!(went_on >= 10, "{went_on} of {} games go on, {closed} were closed", games.len());
    server.stop().await;
}
