//! What is concealed leaves the server for nobody who may not know it.

use crate::common;

use crate::common::{Game, Running, here, id};
use serde_json::json;

/// All that a token (or nobody) can get out of a game, as one text.
async fn everything(client: &mut common::client::Client, game: &Game, token: Option<&str>) -> String {
    let mut all = String::new();
    for path in ["position", "position?at=0", "position?at=1", "journal", "dice", "chat", "board"] {
        all += &client.get(&game.path(path), token).await.text;
    }
    for sight in ["first", "second", "bystander", "all"] {
        all += &client.get(&game.path(&format!("position?sight={sight}")), token).await.text;
    }
    all += &client.get(&format!("/api/v1/games/{}", game.id), token).await.text;
    all += &client
        .post(
            &game.path("overlay"),
            token,
            &json!({ "overlay": "zones", "side": null, "place": null, "piece": null }),
        )
        .await
        .text;
    let stale = json!({ "id": id(), "state": 0, "action": "seal 1", "salt": common::salt() });
    all += &client.post(&game.path("acts"), token, &stale).await.text;
    let early = json!({ "id": id(), "state": 2, "action": "seal 9", "salt": common::salt() });
    if token != Some(game.tokens[1].as_str()) {
        all += &client.post(&game.path("acts"), token, &early).await.text;
    }
    all += &client.post(&game.path("undo"), token, &json!({ "id": id(), "state": 0 })).await.text;
    all
}

#[tokio::test]
async fn a_sealed_choice_looks_the_same_whatever_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let mut seen = Vec::new();
    for choice in ["seal 1", "seal 3"] {
        let game = Game::public(&mut client, [here("Ada"), here("Bertram")]).await;
        assert_eq!(game.act(&mut client, 0, choice).await.code(), "ok");
        let own = everything(&mut client, &game, Some(&game.tokens[0])).await;
        assert!(own.contains(&format!("\"{choice}\"")), "who chose may know: {own}");
        let mut of_others = Vec::new();
        for token in [Some(game.tokens[1].as_str()), None] {
            let text = everything(&mut client, &game, token).await;
            assert!(!text.contains("You seal"), "{text}");
            assert!(!text.contains("\"act\":\"seal"), "{text}");
            // All but the ids, times and dice of the game must be equal.
            let face = client.get(&format!("/api/v1/games/{}", game.id), Some(&game.tokens[0])).await.json();
            let mut plain =
                text.replace(&game.id, "GAME").replace(face["commitment"].as_str().unwrap(), "COMMITMENT");
            for time in ["created", "touched"] {
                plain = plain.replace(&face[time].to_string(), "TIME");
            }
            of_others.push(plain);
        }
        seen.push(of_others);
    }
    assert_eq!(seen[0], seen[1], "the other side and bystanders could tell the choices apart");
    server.stop().await;
}

#[tokio::test]
async fn what_the_enemy_did_is_told_by_the_log_and_not_by_his_order() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::public(&mut client, [here("Ada"), here("Bertram")]).await;
    game.round(&mut client).await;
    // Nothing in it was sealed, and still the order itself is for who gave it.
    let went = |position: &serde_json::Value| {
        let log = position["log"].as_array().unwrap();
        log.iter().map(|line| (line["side"].clone(), line["act"].clone())).collect::<Vec<_>>()
    };
    let (ada, bertram) = (game.position(&mut client, 0).await, game.position(&mut client, 1).await);
    let crowd = client.get(&game.path("position"), None).await.json();
    assert_eq!(went(&ada).len(), 4);
    for (moment, (side, act)) in went(&ada).into_iter().enumerate() {
        assert_eq!(act.is_null(), side != "first", "moment {moment} for Ada");
    }
    for (moment, (side, act)) in went(&bertram).into_iter().enumerate() {
        assert_eq!(act.is_null(), side != "second", "moment {moment} for Bertram");
    }
    assert!(went(&crowd).iter().all(|(_, act)| act.is_null()));
    server.stop().await;
}

#[tokio::test]
async fn offers_and_prompts_are_for_the_seat_that_decides() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::public(&mut client, [here("Ada"), here("Bertram")]).await;
    let own = game.position(&mut client, 0).await;
    assert_eq!(own["offers"].as_array().unwrap().len(), 3);
    assert_eq!(own["prompt"]["kind"], "seal");
    let others = [game.position(&mut client, 1).await, client.get(&game.path("position"), None).await.json()];
    for other in others {
        assert_eq!(other["offers"], json!([]));
        assert_eq!(other["prompt"], json!(null));
        assert_eq!(other["status"], json!({ "kind": "deciding", "side": "first", "thinking": false }));
    }
    let earlier = client.get(&game.path("position?at=0"), Some(&game.tokens[0])).await.json();
    assert_eq!(earlier["at"], 0);
    server.stop().await;
}

#[tokio::test]
async fn the_journal_goes_out_only_while_nothing_is_concealed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::public(&mut client, [here("Ada"), here("Bertram")]).await;
    let journal = game.path("journal");
    assert_eq!(client.get(&journal, Some(&game.tokens[1])).await.code(), "ok");
    game.act(&mut client, 0, "seal 2").await;
    assert_eq!(client.get(&journal, Some(&game.tokens[0])).await.code(), "ok");
    assert_eq!(client.get(&journal, Some(&game.tokens[1])).await.code(), "concealed");
    assert_eq!(client.get(&journal, None).await.code(), "concealed");
    // What was sealed and taken back stays in the journal, so the journal stays shut.
    let request = json!({ "id": id(), "state": 2 });
    assert_eq!(client.post(&game.path("undo"), Some(&game.tokens[0]), &request).await.code(), "ok");
    assert_eq!(client.get(&journal, Some(&game.tokens[0])).await.code(), "ok");
    assert_eq!(client.get(&journal, Some(&game.tokens[1])).await.code(), "concealed");
    // At one screen whoever holds both seats may take it along.
    let both = format!("{} {}", game.tokens[0], game.tokens[1]);
    assert_eq!(client.get(&journal, Some(&both)).await.code(), "ok");
    server.stop().await;
}
