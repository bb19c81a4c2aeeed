//! Dice over HTTP, against a host and a player who cheat: each is refused, caught, or gains nothing. `docs/dice.md` has
//! the scheme; `crates/catalogue/tests/honest_dice.rs` tries every line of a journal.

use crate::common;

use crate::common::client::Client;
use crate::common::{Game, Running, here, id, salt};
use game::dice::{Dice, Die, SeededDice};
use game::journal;
use game::session::commitment;
use serde_json::{Value, json};

async fn act(client: &mut Client, game: &Game, side: usize, action: &str, salt: Option<&str>) -> String {
    let state = game.state(client).await;
    let mut act = json!({ "id": id(), "state": state, "action": action });
    if let Some(salt) = salt {
        act["salt"] = json!(salt);
    }
    client.post(&game.path("acts"), Some(&game.tokens[side]), &act).await.code()
}

/// Plays to the end; every act with the salt that `of` gives.
async fn play_out(client: &mut Client, game: &Game, of: impl Fn(u64) -> String) {
    for n in 0.. {
        let Some(side) = game.decides(client).await else { return };
        let position = game.position(client, side).await;
        let offers = position["offers"].as_array().expect("offers");
        let action = offers.last().expect("one offer")["action"].as_str().expect("notation").to_owned();
        assert_eq!(act(client, game, side, &action, Some(&of(n))).await, "ok");
    }
}

async fn proof(client: &mut Client, game: &Game) -> Value {
    client.get(&game.path("dice"), None).await.json()
}

fn secret(proof: &Value) -> [u8; 32] {
    let bytes = journal::unhex(proof["secret"].as_str().expect("revealed")).expect("hexadecimal");
    bytes.try_into().expect("32 bytes")
}

#[tokio::test]
async fn a_player_who_replays_its_randomness_gains_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    let stale = "5a".repeat(16);
    play_out(&mut client, &game, |_| stale.clone()).await;
    let proof = proof(&mut client, &game).await;
    assert_eq!(proof["verdict"], "holds");
    // Every throw follows from the secret, its line and that salt, and from nothing else; no two lines fall alike.
    let secret = secret(&proof);
    let mut thrown = Vec::new();
    for throw in proof["throws"].as_array().unwrap() {
        let line = throw["line"].as_u64().unwrap();
        let salt = journal::unhex(throw["salt"].as_str().unwrap()).unwrap();
        let mut dice = SeededDice::for_moment(&secret, line, &salt);
        let faces: Vec<u64> =
            throw["faces"].as_array().unwrap().iter().map(|f| f.as_u64().unwrap()).collect();
        let again: Vec<u64> = faces.iter().map(|_| u64::from(dice.roll(Die::D6))).collect();
        assert_eq!(faces, again, "line {line}");
        let more: Vec<u8> = (0..24).map(|_| dice.roll(Die::D6)).collect();
        thrown.push(more);
    }
    thrown.sort();
    thrown.dedup();
    assert_eq!(thrown.len(), proof["throws"].as_array().unwrap().len(), "two lines have the same dice");
    server.stop().await;
}

#[tokio::test]
async fn a_player_who_withholds_its_randomness_does_not_play() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let seats = json!({ "first": here("Ada"), "second": here("Bertram") });
    let unsalted = json!({ "scenario": common::parley::OAK, "seats": seats });
    assert_eq!(client.post("/api/v1/games", None, &unsalted).await.code(), "salt_needed");
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    let both = game.tokens.join(" ");
    let before = client.get(&game.path("journal"), Some(&both)).await.text;
    for bad in
        [None, Some(""), Some("00"), Some("not hexadecimal, though it is quite long"), Some(&"0".repeat(200))]
    {
        assert_eq!(act(&mut client, &game, 0, "seal 1", bad).await, "salt_needed", "{bad:?}");
    }
    assert_eq!(client.get(&game.path("journal"), Some(&both)).await.text, before, "nothing was written");
    server.stop().await;
}

#[tokio::test]
async fn a_player_cannot_shop_for_dice() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    assert_eq!(game.act(&mut client, 0, "seal 1").await.code(), "ok");
    let both = game.tokens.join(" ");
    // Refused acts roll nothing, however often and with whatever salt they are tried.
    let before = client.get(&game.path("journal"), Some(&both)).await.text;
    for n in 0..5 {
        assert_eq!(act(&mut client, &game, 1, "seal 9", Some(&format!("{n:032x}"))).await, "refused");
    }
    assert_eq!(client.get(&game.path("journal"), Some(&both)).await.text, before);
    // Played, the dice lie: the same act with other randomness is another act, and too late.
    let state = game.state(&mut client).await;
    let mut request = json!({ "id": id(), "state": state, "action": "seal 2", "salt": salt() });
    let path = game.path("acts");
    assert_eq!(client.post(&path, Some(&game.tokens[1]), &request).await.code(), "ok");
    let after = client.get(&game.path("journal"), Some(&both)).await.text;
    request["salt"] = json!("c0ffee".repeat(6));
    assert_eq!(client.post(&path, Some(&game.tokens[1]), &request).await.code(), "id_reused");
    request["id"] = json!(id());
    assert_eq!(client.post(&path, Some(&game.tokens[1]), &request).await.code(), "stale");
    assert_eq!(client.get(&game.path("journal"), Some(&both)).await.text, after);
    server.stop().await;
}

#[tokio::test]
async fn a_commitment_changed_late_is_caught() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let promised = client.post("/api/v1/commitments", None, &json!({})).await.json();
    let promised = promised["commitment"].as_str().unwrap().to_owned();
    let seats = json!({ "first": here("Ada"), "second": here("Bertram") });
    let new =
        json!({ "scenario": common::parley::OAK, "seats": seats, "salt": salt(), "commitment": promised });
    let game = Game::with(&mut client, new).await;
    // The player copies the first line before anything is decided; it stays what it is to the end.
    let both = game.tokens.join(" ");
    let journal = client.get(&game.path("journal"), Some(&both)).await.text;
    let first = journal.lines().next().unwrap().to_owned();
    assert!(first.contains(&promised) && !journal.contains("secret"));
    play_out(&mut client, &game, |n| format!("{n:032x}")).await;
    let found = proof(&mut client, &game).await;
    assert_eq!((&found["commitment"], &found["verdict"]), (&json!(promised), &json!("holds")));
    assert_eq!(commitment(&secret(&found)), promised);
    let played = client.get(&game.path("journal"), None).await.text;
    assert_eq!(played.lines().next(), Some(first.as_str()));
    // A host that would rather have committed to something else is found out by whoever looks the journal over, and
    // its first line is not the one that was copied.
    let [other, others] = [journal::hex(&[9; 32]), commitment(&[9; 32])];
    let own = found["secret"].as_str().unwrap();
    for (forged, words) in [
        (played.replace(own, &other), "not the one committed to"),
        (played.replace(&promised, &others), "not the one committed to"),
        (played.replace(own, &other).replace(&promised, &others), "the secret gives"),
    ] {
        let import =
            json!({ "journal": forged, "seats": { "first": here("Ada"), "second": here("Bertram") } });
        let looked_at = Game::of(client.post("/api/v1/games/import", None, &import).await.json());
        let found = proof(&mut client, &looked_at).await;
        assert_eq!(found["verdict"], "broken");
        assert!(found["broken"].as_str().unwrap().contains(words), "{found}");
    }
    server.stop().await;
}

#[tokio::test]
async fn what_was_taken_over_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    game.round(&mut client).await;
    let journal = client.get(&game.path("journal"), Some(&game.tokens.join(" "))).await.text;
    let lines = journal.lines().count() as u64 - 1;
    let import = json!({ "journal": journal, "seats": { "first": here("Ada"), "second": here("Bertram") } });
    let on = Game::of(client.post("/api/v1/games/import", None, &import).await.json());
    play_out(&mut client, &on, |n| format!("{n:032x}")).await;
    let found = proof(&mut client, &on).await;
    assert_eq!((&found["verdict"], &found["taken_over"]), (&json!("holds"), &json!(lines)));
    play_out(&mut client, &game, |n| format!("{n:032x}")).await;
    assert_eq!(proof(&mut client, &game).await["taken_over"], 0);
    server.stop().await;
}
