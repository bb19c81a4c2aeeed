//! A game of an earlier edition stays readable, its players are told why it cannot go on, and may go on if it replays.

use std::path::Path;

use crate::common::{Game, Running, here, id};
use serde_json::json;
use sqlx::ConnectOptions;

/// Changes the database while no server runs.
async fn by_hand(folder: &Path, statement: &str) {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join("linstock.sqlite"));
    let mut connection = options.connect().await.unwrap();
    let done =
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement.to_owned())).execute(&mut connection).await.unwrap();
    assert!(done.rows_affected() > 0, "{statement}");
}

const EARLIER: &str =
    "UPDATE lines SET line = replace(line, '\"edition\":\"1\"', '\"edition\":\"0\"') WHERE seq = 0";

/// A game with two rounds and some chat, and what Ada sees of it.
async fn played(folder: &Path) -> (Game, serde_json::Value) {
    let server = Running::start(folder).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    game.round(&mut client).await;
    game.round(&mut client).await;
    let say = json!({ "id": id(), "text": "Well met." });
    assert_eq!(client.post(&game.path("chat"), Some(&game.tokens[0]), &say).await.code(), "ok");
    let seen = game.position(&mut client, 0).await;
    server.stop().await;
    (game, seen)
}

#[tokio::test]
async fn one_that_replays_is_read_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let (game, before) = played(folder.path()).await;
    // The edition writes positions down in another way, so that no digest is what it was.
    by_hand(folder.path(), EARLIER).await;
    by_hand(
        folder.path(),
        "UPDATE lines SET line = replace(line, '\"state\":\"', '\"state\":\"f') WHERE seq > 0",
    )
    .await;

    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let token = Some(game.tokens[0].as_str());
    let face = client.get(&format!("/api/v1/games/{}", game.id), token).await.json();
    assert_eq!(face["closed"]["may_continue"], true, "{face}");
    let why = face["closed"]["why"].as_str().unwrap();
    assert!(why.contains("edition 0 of Parley") && why.contains("edition 1"), "{why}");
    let now = game.position(&mut client, 0).await;
    assert_eq!((&now["view"], &now["log"]), (&before["view"], &before["log"]));
    assert_eq!((&now["offers"], &now["prompt"], &now["undo"]), (&json!([]), &json!(null), &json!("nothing")));
    assert_eq!(client.get(&game.path("chat"), token).await.json()[0]["text"], "Well met.");
    assert_eq!(client.get(&game.path("board"), token).await.code(), "ok");
    assert_eq!(client.get(&game.path("journal"), token).await.text.lines().count(), 8);
    assert_eq!(game.act(&mut client, 0, "seal 1").await.code(), "outdated");
    assert_eq!(client.post(&game.path("continue"), None, &json!({})).await.code(), "seat_needed");

    let face = client.post(&game.path("continue"), token, &json!({})).await;
    assert_eq!((face.code().as_str(), &face.json()["closed"]), ("ok", &json!(null)));
    assert_eq!(client.post(&game.path("continue"), token, &json!({})).await.code(), "ok", "sent twice");
    assert_eq!(game.position(&mut client, 0).await["offers"].as_array().unwrap().len(), 3);
    assert_eq!(game.act(&mut client, 0, "seal 1").await.code(), "ok");
    server.stop().await;

    // From now on it is a game of this edition: the journal holds, digests and dice.
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let face = client.get(&format!("/api/v1/games/{}", game.id), token).await.json();
    assert_eq!(face["closed"], json!(null));
    let state = game.state(&mut client).await;
    let resign = json!({ "id": id(), "state": state });
    assert_eq!(client.post(&game.path("resign"), token, &resign).await.code(), "ok");
    assert_eq!(client.get(&game.path("dice"), token).await.json()["verdict"], "holds");
    server.stop().await;
}

#[tokio::test]
async fn one_that_does_not_replay_is_read_as_it_was_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let (game, before) = played(folder.path()).await;
    by_hand(folder.path(), EARLIER).await;
    // What was allowed then is not allowed now: a number that can no longer be sealed, in the second round.
    by_hand(folder.path(), "UPDATE lines SET line = replace(line, 'seal 1', 'seal 7') WHERE seq = 5").await;
    for (drawn, keep) in [(true, ""), (false, "DELETE FROM pictures")] {
        if !keep.is_empty() {
            by_hand(folder.path(), keep).await;
        }
        let server = Running::start(folder.path()).await;
        let mut client = server.client();
        let token = Some(game.tokens[0].as_str());
        let face = client.get(&format!("/api/v1/games/{}", game.id), token).await.json();
        assert_eq!(face["closed"]["may_continue"], false, "{face}");
        assert!(face["closed"]["why"].as_str().unwrap().contains("line 6"), "{face}");
        assert_eq!(face["status"]["kind"], "deciding");
        let now = game.position(&mut client, 0).await;
        assert_eq!(now["moment"], before["moment"]);
        assert_eq!(now["log"].as_array().unwrap().len(), before["log"].as_array().unwrap().len());
        if drawn {
            assert_eq!((&now["view"], &now["log"]), (&before["view"], &before["log"]));
            // The other side's picture is its own.
            let theirs = game.position(&mut client, 1).await;
            assert!(!theirs["log"].to_string().contains("You seal 1"), "{theirs}");
        } else {
            assert_eq!(now["log"][4]["act"], "seal 7", "as it was written");
            assert_eq!(now["view"]["score"].as_object().map(|s| s.len()), Some(2), "as far as it replays");
        }
        assert_eq!(client.get(&game.path("chat"), token).await.json()[0]["text"], "Well met.");
        let journal = client.get(&game.path("journal"), token).await;
        assert!(journal.text.contains("seal 7") && journal.text.lines().count() == 8, "{}", journal.text);
        assert_eq!(game.act(&mut client, 0, "seal 1").await.code(), "outdated");
        assert_eq!(client.post(&game.path("continue"), token, &json!({})).await.code(), "outdated");
        let mine = json!({ "seats": [{ "game": game.id, "token": game.tokens[0] }] });
        assert_eq!(client.post("/api/v1/games/mine", None, &mine).await.json().as_array().unwrap().len(), 1);
        server.stop().await;
    }
}

#[tokio::test]
async fn one_whose_scenario_is_gone_is_read_as_it_was_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let (game, before) = played(folder.path()).await;
    // Its text, which the journal carries, can no longer be read.
    by_hand(folder.path(), "UPDATE lines SET line = replace(line, 'rounds = ', 'sounds = ') WHERE seq = 0")
        .await;
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let token = Some(game.tokens[0].as_str());
    let face = client.get(&format!("/api/v1/games/{}", game.id), token).await.json();
    assert_eq!((&face["closed"]["may_continue"], &face["title"]), (&json!(false), &json!("The Oak")));
    let now = game.position(&mut client, 0).await;
    assert_eq!((&now["view"], &now["log"]), (&before["view"], &before["log"]));
    let board = client.get(&game.path("board"), token).await;
    assert_eq!((board.code().as_str(), &board.json()["title"]), ("ok", &json!("The Oak")));
    for path in ["journal", "chat", "luck", "dice"] {
        assert_eq!(client.get(&game.path(path), token).await.code(), "ok", "{path}");
    }
    let ask = json!({ "overlay": "zones", "side": null, "place": null, "piece": null });
    assert_eq!(client.post(&game.path("overlay"), token, &ask).await.code(), "ok");
    assert_eq!(game.act(&mut client, 0, "seal 1").await.code(), "outdated");
    let odds = json!({ "state": now["state"], "action": "seal 1" });
    assert_eq!(client.post(&game.path("odds"), token, &odds).await.code(), "outdated");
    server.stop().await;

    by_hand(folder.path(), "DELETE FROM pictures").await;
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let bare = game.position(&mut client, 0).await;
    assert_eq!(bare["log"].as_array().unwrap().len(), before["log"].as_array().unwrap().len());
    assert_eq!(bare["log"][1]["act"], "seal 1");
    assert_eq!(client.get(&game.path("board"), token).await.code(), "no_such_scenario");
    server.stop().await;
}

#[tokio::test]
async fn a_journal_of_an_earlier_edition_is_imported_as_far_as_it_replays() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    game.round(&mut client).await;
    let journal = client.get(&game.path("journal"), Some(&game.tokens[0])).await.text;
    let earlier = journal.replacen("\"edition\":\"1\"", "\"edition\":\"0\"", 1);
    let import = |journal: &str| json!({ "journal": journal, "seats": { "first": here("Ada"), "second": here("Bertram") } });
    let taken = client.post("/api/v1/games/import", None, &import(&earlier)).await.json();
    assert_eq!(taken["broken"], json!(null));
    let odd = earlier.replace("\"do\":\"go\"", "\"do\":\"fly\"");
    let taken = client.post("/api/v1/games/import", None, &import(&odd)).await.json();
    assert!(taken["broken"].as_str().unwrap().contains("edition 0 of Parley"), "{taken}");
    server.stop().await;
}
