//! Taking back: freely, by consent, or not at all.

use crate::common::client::{Answer, Client};
use crate::common::{Game, Running, computer, here, id, parley, salt};
use serde_json::{Value, json};

async fn undo(client: &mut Client, game: &Game, side: usize) -> Answer {
    let state = game.state(client).await;
    client.post(&game.path("undo"), Some(&game.tokens[side]), &json!({ "id": id(), "state": state })).await
}

fn set_up([first, second]: [Value; 2], rolls_back: bool) -> Value {
    json!({ "scenario": parley::OAK, "seats": { "first": first, "second": second }, "salt": salt(), "rolls_back": rolls_back })
}

async fn answer(client: &mut Client, game: &Game, side: usize, ask: &Value, agree: bool) -> Answer {
    let body = json!({ "id": id(), "ask": ask, "agree": agree });
    client.post(&game.path("undo/answer"), Some(&game.tokens[side]), &body).await
}

#[tokio::test]
async fn free_until_a_die_falls_then_by_consent() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    assert_eq!(undo(&mut client, &game, 0).await.code(), "nothing_to_undo");
    game.act(&mut client, 0, "seal 1").await;
    assert_eq!(game.position(&mut client, 0).await["undo"], "free");
    let freely = undo(&mut client, &game, 0).await.json();
    assert_eq!(
        (freely["done"].clone(), freely["position"]["moment"].clone()),
        (json!("taken_back"), json!(0))
    );
    assert_eq!(freely["state"], 3, "the state number grows even so");

    game.act(&mut client, 0, "seal 1").await;
    game.act(&mut client, 1, "seal 2").await;
    assert_eq!(game.position(&mut client, 1).await["undo"], "byconsent");
    let asked = undo(&mut client, &game, 1).await.json();
    assert_eq!(asked["done"], "asked");
    let ask = game.position(&mut client, 0).await["asked"].clone();
    assert_eq!(ask["by"], "second");
    // Not one's own request, not somebody else's number, and not twice.
    assert_eq!(answer(&mut client, &game, 1, &ask["ask"], true).await.code(), "not_asked");
    assert_eq!(answer(&mut client, &game, 0, &json!(7), true).await.code(), "not_asked");
    assert_eq!(answer(&mut client, &game, 0, &ask["ask"], false).await.json()["done"], "declined");
    assert_eq!(answer(&mut client, &game, 0, &ask["ask"], true).await.code(), "not_asked");

    undo(&mut client, &game, 1).await;
    let ask = game.position(&mut client, 0).await["asked"].clone();
    let agreed = answer(&mut client, &game, 0, &ask["ask"], true).await.json();
    assert_eq!(
        (agreed["done"].clone(), agreed["position"]["moment"].clone()),
        (json!("taken_back"), json!(1))
    );
    assert_eq!(game.decides(&mut client).await, Some(1));
    server.stop().await;
}

#[tokio::test]
async fn an_act_answers_a_request_with_no_and_a_request_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    game.act(&mut client, 0, "seal 1").await;
    game.act(&mut client, 1, "seal 2").await;
    undo(&mut client, &game, 1).await;
    server.stop().await;

    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let ask = game.position(&mut client, 0).await["asked"].clone();
    assert_eq!(ask["by"], "second");
    let winner = game.decides(&mut client).await.unwrap();
    game.act(&mut client, winner, "go").await;
    assert_eq!(game.position(&mut client, 0).await["asked"], Value::Null);
    assert_eq!(answer(&mut client, &game, 0, &ask["ask"], true).await.code(), "not_asked");
    server.stop().await;
}

#[tokio::test]
async fn what_a_standing_order_answers_is_marked_in_log_and_journal() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    let act = json!({ "id": id(), "state": 1, "action": "seal 1", "salt": salt(), "ordered": true });
    assert_eq!(client.post(&game.path("acts"), Some(&game.tokens[0]), &act).await.code(), "ok");
    game.act(&mut client, 1, "seal 2").await;
    server.stop().await;
    // Out of memory and back, the log still tells.
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let log = game.position(&mut client, 0).await["log"].clone();
    let ordered: Vec<bool> = log.as_array().unwrap().iter().map(|line| line["ordered"] == true).collect();
    assert_eq!(ordered, [false, true, false]);
    server.stop().await;
}

#[tokio::test]
async fn alone_a_roll_stays_unless_the_battle_was_set_up_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    for rolls_back in [false, true] {
        let game = Game::with(&mut client, set_up([here("Ada"), computer("random")], rolls_back)).await;
        let face = client.get(&format!("/api/v1/games/{}", game.id), Some(&game.tokens[0])).await.json();
        assert_eq!(face["rolls_back"], rolls_back);
        game.act(&mut client, 0, "seal 1").await;
        // The computer seals as well, and the dice fall.
        while game.position(&mut client, 0).await["moment"].as_u64() < Some(2) {
            tokio::task::yield_now().await;
        }
        let told = game.position(&mut client, 0).await["undo"].clone();
        let answer = undo(&mut client, &game, 0).await;
        if rolls_back {
            assert_eq!((told, answer.json()["done"].clone()), (json!("free"), json!("taken_back")));
        } else {
            assert_eq!((told, answer.code()), (json!("rolled"), "settled".into()));
            assert!(answer.text.contains("The dice have fallen; this battle was set up so that rolls stay."));
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn who_holds_both_seats_asks_nobody_and_nothing_is_taken_back_after_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::with(&mut client, set_up([here("Ada"), here("Bertram")], true)).await;
    game.act(&mut client, 0, "seal 1").await;
    game.act(&mut client, 1, "seal 2").await;
    let both = format!("{} {}", game.tokens[0], game.tokens[1]);
    let request = json!({ "id": id(), "state": 3 });
    let undone = client.post(&game.path("undo"), Some(&both), &request).await.json();
    assert_eq!(undone["done"], "taken_back");
    assert_eq!(
        client.post(&game.path("undo"), Some(&both), &request).await.json()["state"],
        undone["state"],
        "once"
    );

    let state = game.state(&mut client).await;
    let resign = json!({ "id": id(), "state": state });
    let resigned = client.post(&game.path("resign"), Some(&game.tokens[1]), &resign).await.json();
    assert_eq!(resigned["done"], "resigned");
    let over = json!({ "kind": "over", "outcome": { "won": "first" }, "resigned": "second" });
    assert_eq!(resigned["position"]["status"], over);
    assert_eq!(
        client.post(&game.path("resign"), Some(&game.tokens[1]), &resign).await.json()["done"],
        "resigned"
    );
    assert_eq!(undo(&mut client, &game, 0).await.code(), "over");
    assert_eq!(client.get(&game.path("dice"), None).await.json()["verdict"], "holds");
    server.stop().await;
}
