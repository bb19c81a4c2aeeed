//! Games from creation to their end, as clients play them.

use crate::common;

use crate::common::{Game, Running, computer, here, id, link, salt};
use serde_json::{Value, json};

#[tokio::test]
async fn two_people_at_one_screen_play_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    let face = client.get(&format!("/api/v1/games/{}", game.id), Some(&game.tokens[0])).await.json();
    assert_eq!(face["seats"]["second"]["name"], "Bertram");
    assert_eq!(face["yours"], "first");
    let commitment = face["commitment"].as_str().unwrap().to_owned();

    let board = client.get(&game.path("board"), Some(&game.tokens[0])).await;
    assert_eq!(board.json()["title"], "The Oak");
    for _ in 0..12 {
        game.round(&mut client).await;
    }
    let position = game.position(&mut client, 0).await;
    assert_eq!(position["status"]["kind"], "over");
    assert_eq!(position["sight"], "all");
    assert_eq!(game.act(&mut client, 0, "seal 1").await.code(), "over");

    // The secret is out, fits the commitment, and every roll follows from it.
    let proof = client.get(&game.path("dice"), None).await.json();
    assert_eq!(proof["verdict"], "holds", "{proof}");
    let secret = game::journal::unhex(proof["secret"].as_str().unwrap()).unwrap();
    assert_eq!(game::session::commitment(&secret.try_into().unwrap()), commitment);
    assert_eq!(proof["throws"].as_array().unwrap().len(), 37);

    // The score without luck is told now, and not before.
    let score = client.get(&game.path("luck"), None).await.json()["score"].clone();
    assert!(score["fair"].is_number() && score["sampled"] == 0, "{score}");

    // Replay from anybody's eyes.
    for sight in ["first", "second", "bystander", "all"] {
        let answer = client.get(&game.path(&format!("position?at=1&sight={sight}")), None).await;
        assert_eq!(answer.json()["at"], 1, "{}", answer.text);
    }
    assert_eq!(client.get(&game.path("position?at=99"), None).await.code(), "no_such_moment");
    server.stop().await;
}

#[tokio::test]
async fn a_computer_answers_in_the_background() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), computer("random")]).await;
    assert_eq!(game.act(&mut client, 0, "seal 3").await.code(), "ok");
    for _ in 0..200 {
        if game.decides(&mut client).await == Some(0) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(game.decides(&mut client).await, Some(0));
    server.stop().await;
}

#[tokio::test]
async fn two_computers_finish_by_themselves_and_the_dice_hold() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::public(&mut client, [computer("captain"), computer("random")]).await;
    let mut face = Value::Null;
    for _ in 0..500 {
        face = client.get(&format!("/api/v1/games/{}", game.id), None).await.json();
        if face["status"]["kind"] == "over" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(face["status"]["kind"], "over", "{face}");
    assert_eq!(client.get(&game.path("dice"), None).await.json()["verdict"], "holds");
    server.stop().await;
}

#[tokio::test]
async fn an_invitation_seats_whoever_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), link()]).await;
    let invitation = game.created["seats"]["second"]["invitation"].as_str().unwrap();
    let claim = |token: &str, name: &str| json!({ "invitation": invitation, "token": token.repeat(32), "name": name });
    let claimed = client.post(&game.path("claim"), None, &claim("b1", "Bertram")).await;
    assert_eq!(claimed.json()["side"], "second");
    // The same claimant again (the answer was lost): the same seat. Somebody else: too late.
    assert_eq!(client.post(&game.path("claim"), None, &claim("b1", "Bertram")).await.code(), "ok");
    assert_eq!(client.post(&game.path("claim"), None, &claim("c2", "Cyril")).await.code(), "seat_taken");
    let face = client.get(&format!("/api/v1/games/{}", game.id), Some(&"b1".repeat(32))).await.json();
    assert_eq!(face["yours"], "second");
    assert_eq!(face["seats"]["second"]["name"], "Bertram");

    let mine = json!({ "seats": [{ "game": game.id, "token": "b1".repeat(32) }, { "game": game.id, "token": "00".repeat(32) }] });
    let mine = client.post("/api/v1/games/mine", None, &mine).await.json();
    assert_eq!(mine.as_array().unwrap().len(), 1);
    assert_eq!(mine[0]["yours"], "second");
    server.stop().await;
}

#[tokio::test]
async fn a_journal_goes_out_and_comes_in_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    game.round(&mut client).await;
    let journal = client.get(&game.path("journal"), Some(&game.tokens[0])).await.text;
    assert!(!journal.contains("secret"), "{journal}");
    let seats = json!({ "first": here("Ada"), "second": here("Bertram") });
    let imported =
        client.post("/api/v1/games/import", None, &json!({ "journal": journal, "seats": seats })).await;
    assert_eq!(imported.status.as_u16(), 201, "{}", imported.text);
    let again = Game::of(imported.json());
    let (old, new) = (game.position(&mut client, 0).await, again.position(&mut client, 0).await);
    assert_eq!(old["view"], new["view"]);
    for _ in 1..12 {
        again.round(&mut client).await;
    }
    // The part that was taken over stands as written, the rest follows from the new secret.
    assert_eq!(client.get(&again.path("dice"), None).await.json()["verdict"], "holds");

    // A finished journal comes in as it is, and a broken one up to where it breaks.
    let finished = client.get(&again.path("journal"), None).await.text;
    let imported = client
        .post("/api/v1/games/import", None, &json!({ "journal": finished, "seats": seats }))
        .await
        .json();
    let looked_at = Game::of(imported);
    assert_eq!(client.get(&looked_at.path("dice"), None).await.json()["verdict"], "holds");
    let cut = journal[..journal.len() - 10].to_owned();
    let imported =
        client.post("/api/v1/games/import", None, &json!({ "journal": cut, "seats": seats })).await.json();
    assert!(imported["broken"].as_str().unwrap().contains("line 5"), "{imported}");
    // What is written after the end spoils nothing before it.
    let more = finished.clone() + "and so on\n";
    let imported =
        client.post("/api/v1/games/import", None, &json!({ "journal": more, "seats": seats })).await.json();
    assert!(imported["broken"].is_string(), "{imported}");
    assert_eq!(client.get(&Game::of(imported).path("dice"), None).await.json()["verdict"], "holds");
    // A finished one that is damaged in the middle goes on from there with dice of its own.
    let at = finished.find("{\"n\":7,").unwrap();
    let damaged = finished[..at].to_owned() + &finished[at..].replacen("\"do\":\"", "\"do\":\"x", 1);
    let imported = client
        .post("/api/v1/games/import", None, &json!({ "journal": damaged, "seats": seats }))
        .await
        .json();
    assert!(imported["broken"].is_string(), "{imported}");
    let mended = Game::of(imported);
    assert_eq!(mended.position(&mut client, 0).await["moment"], 6);
    let side = usize::from(mended.position(&mut client, 0).await["status"]["side"] == "second");
    let first = mended.position(&mut client, side).await["offers"][0]["action"].as_str().unwrap().to_owned();
    assert_eq!(mended.act(&mut client, side, &first).await.code(), "ok");
    let rubbish =
        client.post("/api/v1/games/import", None, &json!({ "journal": "rubbish", "seats": seats })).await;
    assert_eq!(rubbish.code(), "faulty_journal");
    server.stop().await;
}

#[tokio::test]
async fn real_dice_are_asked_for_one_roll_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let seats = json!({ "first": here("Ada"), "second": here("Bertram") });
    let game =
        Game::with(&mut client, json!({ "scenario": common::parley::OAK, "seats": seats, "dice": "table" }))
            .await;
    let act = |state: u64, action: &str, faces: &[u8]| json!({ "id": id(), "state": state, "action": action, "faces": faces });
    let first = client.post(&game.path("acts"), Some(&game.tokens[0]), &act(1, "seal 1", &[])).await;
    assert_eq!(first.code(), "ok");
    let seal = |faces: &[u8]| act(2, "seal 2", faces);
    let one = client.post(&game.path("acts"), Some(&game.tokens[1]), &seal(&[])).await;
    assert_eq!(one.code(), "roll_needed");
    assert_eq!(one.json()["roll"]["dice"], 1);
    assert_eq!(
        client.post(&game.path("acts"), Some(&game.tokens[1]), &seal(&[3])).await.code(),
        "roll_needed"
    );
    assert_eq!(
        client.post(&game.path("acts"), Some(&game.tokens[1]), &seal(&[3, 7])).await.code(),
        "wrong_faces"
    );
    assert_eq!(client.post(&game.path("acts"), Some(&game.tokens[1]), &seal(&[3, 6])).await.code(), "ok");
    assert_eq!(game.decides(&mut client).await, Some(1));
    let against = json!({ "first": here("Ada"), "second": computer("random") });
    let new = json!({ "scenario": common::parley::OAK, "seats": against, "dice": "table" });
    assert_eq!(client.post("/api/v1/games", None, &new).await.code(), "malformed");
    server.stop().await;
}

#[tokio::test]
async fn dice_can_be_promised_before_the_client_shows_its_salt() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let promised = client.post("/api/v1/commitments", None, &json!({})).await.json();
    let seats = json!({ "first": here("Ada"), "second": here("Bertram") });
    let new = json!({ "scenario": common::parley::OAK, "seats": seats, "salt": salt(), "commitment": promised["commitment"] });
    let game = Game::with(&mut client, new.clone()).await;
    let face = client.get(&format!("/api/v1/games/{}", game.id), Some(&game.tokens[0])).await.json();
    assert_eq!(face["commitment"], promised["commitment"]);
    assert_eq!(client.post("/api/v1/games", None, &new).await.code(), "no_such_commitment");
    server.stop().await;
}

#[tokio::test]
async fn the_library_is_open_to_all() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    assert_eq!(client.get("/api/v1/systems", None).await.json()[0]["id"], "parley");
    assert_eq!(client.get("/api/v1/scenarios", None).await.json()[0]["title"], "The Oak");
    assert_eq!(client.get("/api/v1/scenarios/parley/oak", None).await.json()["view"]["score"]["first"], 0);
    assert_eq!(client.get("/api/v1/scenarios/parley/elm", None).await.code(), "no_such_scenario");
    assert_eq!(client.get("/api/v1/systems/parley/rules/1.1", None).await.json()["name"], "Sealing");
    assert_eq!(client.get("/api/v1/systems/parley/rules/9", None).await.code(), "no_such_rule");
    assert_eq!(client.get("/api/v1/systems/chess/rules", None).await.code(), "no_such_system");
    assert_eq!(client.get("/healthz", None).await.text, "ok\n");
    assert_eq!(server.metric("linstock_games_in_memory").await, 0.0);
    let description = client.get("/api/v1/openapi.json", None).await.json();
    assert!(description["paths"]["/api/v1/games/{game}/acts"]["post"].is_object());
    let page = client.get("/", None).await;
    assert_eq!(page.status.as_u16(), 200);
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"), "{policy}");
    // A scenario of one's own, and one with a fault in it.
    let seats = json!({ "first": here("Ada"), "second": here("Bertram") });
    let own = |text: &str| json!({ "scenario": "parley/mine", "text": text, "seats": seats, "salt": salt() });
    assert_eq!(client.post("/api/v1/games", None, &own("rounds = 2")).await.code(), "ok");
    assert_eq!(client.post("/api/v1/games", None, &own("rounds")).await.code(), "faulty_scenario");
    server.stop().await;
}

#[tokio::test]
async fn any_action_can_be_checked_by_the_seat_that_decides_and_nothing_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::public(&mut client, [here("Ada"), here("Bertram")]).await;
    let ask = |state: u64, action: &str| json!({ "state": state, "action": action });
    let path = game.path("check");
    let may = client.post(&path, Some(&game.tokens[0]), &ask(1, "seal 1")).await;
    assert_eq!(may.code(), "ok", "{}", may.text);
    assert_eq!(may.json()["action"], "seal 1");
    assert_eq!(
        client.post(&path, Some(&game.tokens[1]), &ask(1, "seal 1")).await.code(),
        "not_your_decision"
    );
    assert_eq!(client.post(&path, None, &ask(1, "seal 1")).await.code(), "seat_needed");
    assert_eq!(client.post(&path, Some(&game.tokens[0]), &ask(0, "seal 1")).await.code(), "stale");
    assert_eq!(client.post(&path, Some(&game.tokens[0]), &ask(1, "castle")).await.code(), "unreadable");
    assert_eq!(client.post(&path, Some(&game.tokens[0]), &ask(1, "seal 9")).await.code(), "refused");
    game.act(&mut client, 0, "seal 1").await;
    server.stop().await;
}

#[tokio::test]
async fn odds_are_for_the_seat_that_decides_and_luck_for_what_one_may_see() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::public(&mut client, [here("Ada"), here("Bertram")]).await;
    game.act(&mut client, 0, "seal 1").await;
    let ask = json!({ "state": 2, "action": "seal 2", "horizon": "decision" });
    let odds = client.post(&game.path("odds"), Some(&game.tokens[1]), &ask).await;
    assert_eq!(odds.code(), "ok", "{}", odds.text);
    assert_eq!(
        client.post(&game.path("odds"), Some(&game.tokens[0]), &ask).await.code(),
        "not_your_decision"
    );
    assert_eq!(client.post(&game.path("odds"), None, &ask).await.code(), "seat_needed");
    let late = json!({ "state": 1, "action": "seal 2" });
    assert_eq!(client.post(&game.path("odds"), Some(&game.tokens[1]), &late).await.code(), "stale");
    let odd = json!({ "state": 2, "action": "castle" });
    assert_eq!(client.post(&game.path("odds"), Some(&game.tokens[1]), &odd).await.code(), "unreadable");
    let forbidden = json!({ "state": 2, "action": "seal 9" });
    let refused = client.post(&game.path("odds"), Some(&game.tokens[1]), &forbidden).await;
    assert_eq!(refused.code(), "refused");
    assert!(refused.json()["refusal"]["rule"].is_string(), "{}", refused.text);
    let luck = client.get(&game.path("luck"), None).await.json();
    assert_eq!((&luck["points"], &luck["score"]), (&json!([]), &Value::Null));
    server.stop().await;
}

#[tokio::test]
async fn a_scenario_of_ones_own_is_read_before_it_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let own = |text: &str| json!({ "name": "my oak", "text": text });
    let read = client.post("/api/v1/scenarios", None, &own("system = \"parley\"\nrounds = 3\n")).await;
    assert_eq!(read.code(), "ok", "{}", read.text);
    let preview = read.json();
    assert_eq!(preview["scenario"]["id"], "parley/my oak");
    assert!(preview["view"]["pieces"].is_array() && preview["board"]["title"].is_string());
    let faulty =
        client.post("/api/v1/scenarios", None, &own("system = \"parley\"\nrounds = \"three\"\n")).await;
    assert_eq!(faulty.code(), "faulty_scenario", "{}", faulty.text);
    let faults = faulty.json()["faults"].clone();
    assert_eq!((faults[0]["line"].as_u64(), faults[0]["column"].as_u64()), (Some(2), Some(10)), "{faults}");
    assert_eq!(faults[0]["width"], 7, "the whole value is marked");
    assert!(!faults[0]["message"].as_str().unwrap().is_empty());
    assert!(!faults[0]["expected"].as_str().unwrap().is_empty());
    server.stop().await;
}

#[tokio::test]
async fn an_invitation_says_what_it_is_for() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), link()]).await;
    let invitation = game.created["seats"]["second"]["invitation"].clone();
    let ask = json!({ "invitation": invitation });
    let invited = client.post(&game.path("invitation"), None, &ask).await;
    assert_eq!(invited.code(), "ok", "{}", invited.text);
    let invited = invited.json();
    assert_eq!(invited["side"], "second");
    assert_eq!(invited["game"]["seats"]["first"]["name"], "Ada");
    assert!(invited["game"]["yours"].is_null(), "nobody has sat down by asking");
    let forged = client.post(&game.path("invitation"), None, &json!({ "invitation": "made-up" })).await;
    assert_eq!(forged.code(), "forged_invitation");
    server.stop().await;
}
