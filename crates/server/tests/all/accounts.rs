//! Accounts: passkeys, sessions, adopted seats, export, deletion; and those who try to get in without being asked.

use crate::common;

use crate::common::authenticator::{Authenticator, Browser};
use crate::common::{Game, Running, computer, here, id, link, salt};
use crate::lobby::cluster::Cluster;
use serde_json::{Value, json};
use server::{Config, Rate};
use sqlx::ConnectOptions as _;

fn seat(game: &Game, side: usize) -> Value {
    json!({ "seats": [{ "game": game.id, "token": game.tokens[side] }] })
}

fn token(digit: char) -> String {
    digit.to_string().repeat(64)
}

/// Ada with an account, and her passkey.
async fn ada(server: &Running) -> (Browser, Authenticator) {
    let (mut browser, mut key) = (Browser::new(server.addr), Authenticator::new(1));
    browser.register("Ada", &mut key).await;
    (browser, key)
}

async fn resign(game: &Game, client: &mut common::client::Client, side: usize) {
    let state = game.state(client).await;
    let resign = json!({ "id": id(), "state": state });
    assert_eq!(client.post(&game.path("resign"), Some(&game.tokens[side]), &resign).await.code(), "ok");
}

#[tokio::test]
async fn an_account_is_made_left_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let (mut browser, mut key) = (Browser::new(server.addr), Authenticator::new(1));
    assert_eq!(browser.get("").await.code(), "sign_in_needed");
    let codes = browser.register("Ada", &mut key).await;
    assert_eq!(codes.len(), 10);
    let face = browser.get("").await.json();
    assert_eq!((&face["name"], &face["codes"], &face["fresh"]), (&json!("Ada"), &json!(10), &json!(true)));
    assert_eq!(face["sessions"].as_array().unwrap().len(), 1);
    assert!(face["sessions"][0]["here"].as_bool().unwrap());
    // A restart forgets nobody.
    server.stop().await;
    let server = Running::start(folder.path()).await;
    let mut browser = Browser { cookie: browser.cookie, ..Browser::new(server.addr) };
    assert_eq!(browser.post("/name", &json!({ "name": "Ada L." })).await.json()["name"], "Ada L.");
    assert_eq!(browser.post("/sign-out", &json!({})).await.status.as_u16(), 204);
    assert_eq!(browser.cookie, None, "the browser is told to forget it");
    let answer = browser.sign_in(&mut key).await;
    assert_eq!(answer.json()["name"], "Ada L.", "{}", answer.text);
    let cookie = answer.headers["set-cookie"].to_str().unwrap();
    for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "over plain HTTP it would be lost: {cookie}");
    // Another device, with a code; it works once.
    let mut phone = Browser::new(server.addr);
    assert_eq!(phone.post("/recover", &json!({ "code": codes[3].to_uppercase() })).await.json()["codes"], 9);
    let used = Browser::new(server.addr).post("/recover", &json!({ "code": codes[3] })).await;
    assert_eq!(used.code(), "sign_in_failed");
    // New codes take the place of the old ones; a second passkey opens it too, and then the first can go.
    let new = phone.post("/codes", &json!({})).await.json();
    assert_eq!(new["codes"].as_array().unwrap().len(), 10);
    assert_eq!(phone.post("/recover", &json!({ "code": codes[0] })).await.code(), "sign_in_failed");
    let mut second = Authenticator::new(2);
    let begun = phone.post("/passkeys", &json!({})).await.json();
    assert_eq!(begun["options"]["publicKey"]["excludeCredentials"].as_array().unwrap().len(), 1);
    let credential = second.create(&begun["options"], &phone.origin);
    let end = json!({ "ceremony": begun["ceremony"], "credential": credential });
    let keys = phone.post("/passkeys/end", &end).await.json()["passkeys"].clone();
    let remove = |key: &Value| format!("/passkeys/{}/remove", key["id"].as_str().unwrap());
    assert_eq!(phone.post(&remove(&keys[0]), &json!({})).await.code(), "ok");
    assert_eq!(phone.post(&remove(&keys[1]), &json!({})).await.code(), "last_passkey");
    assert_eq!(browser.sign_in(&mut key).await.code(), "sign_in_failed", "a removed key opens nothing");
    assert_eq!(Browser::new(server.addr).sign_in(&mut second).await.code(), "ok");
    // The lost device is put out.
    assert_eq!(phone.post("/sessions/end", &json!({})).await.json()["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(browser.get("").await.code(), "sign_in_needed");
    server.stop().await;
}

#[tokio::test]
async fn games_are_kept_with_the_account_and_found_by_search() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let (mut browser, _) = ada(&server).await;
    let going = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    let lost = Game::create(&mut client, [here("Ada"), here("Cara")]).await;
    resign(&lost, &mut client, 0).await;
    let won = Game::create(&mut client, [here("Ada"), here("Dora")]).await;
    resign(&won, &mut client, 1).await;
    for game in [&going, &lost, &won] {
        let adopted = browser.post("/seats", &seat(game, 0)).await.json();
        assert_eq!(adopted, json!({ "kept": [game.id], "left": [] }));
    }
    assert_eq!(
        browser.post("/seats", &seat(&going, 0)).await.json()["kept"],
        json!([going.id]),
        "twice is once"
    );
    let list = browser.get("/games").await.json();
    assert_eq!((&list["count"], &list["games"][0]["game"]["id"]), (&json!(1), &json!(going.id)));
    assert_eq!(list["games"][0]["game"]["yours"], "first");
    assert!(list["games"][0]["turn"].is_boolean() && list["games"][0]["result"].is_null());
    assert_eq!(list["statistics"], json!([{ "system": "parley", "won": 1, "lost": 1, "drawn": 0 }]));
    for (query, found) in [
        ("stage=over", vec![&won, &lost]),
        ("stage=over&result=won", vec![&won]),
        ("stage=over&result=drawn", vec![]),
        ("stage=over&opponent=cAr", vec![&lost]),
        ("stage=over&system=parley&scenario=oak", vec![&won, &lost]),
        ("stage=over&system=chess", vec![]),
        ("stage=over&scenario=nowhere", vec![]),
        ("stage=over&from=1", vec![&lost]),
    ] {
        let list = browser.get(&format!("/games?{query}")).await.json();
        let ids: Vec<&Value> = list["games"].as_array().unwrap().iter().map(|g| &g["game"]["id"]).collect();
        let mut expected: Vec<Value> = found.iter().map(|game| json!(game.id)).collect();
        let mut ids: Vec<Value> = ids.into_iter().cloned().collect();
        expected.sort_by_key(Value::to_string);
        ids.sort_by_key(Value::to_string);
        assert_eq!(ids, expected, "{query}");
    }
    assert_eq!(browser.get("/games?stage=lost").await.code(), "malformed");
    server.stop().await;
}

#[tokio::test]
async fn a_seat_is_played_on_another_device_and_the_first_holds_it_no_longer() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let (mut browser, mut key) = ada(&server).await;
    let game = Game::create(&mut client, [here("Ada"), link()]).await;
    browser.post("/seats", &seat(&game, 0)).await;
    let mut phone = Browser::new(server.addr);
    phone.sign_in(&mut key).await;
    let path = format!("/games/{}/seat", game.id);
    let resume = json!({ "side": "first", "token": token('a') });
    for _ in 0..2 {
        // Sent again after a lost answer it finds its own seat.
        let resumed = phone.post(&path, &resume).await.json();
        assert_eq!(resumed, json!({ "game": game.id, "side": "first" }));
    }
    let face = format!("/api/v1/games/{}", game.id);
    assert_eq!(client.get(&face, Some(&token('a'))).await.json()["yours"], "first");
    assert_eq!(client.get(&face, Some(&game.tokens[0])).await.code(), "forged_seat");
    assert_eq!(phone.post(&path, &json!({ "side": "first", "token": "short" })).await.code(), "malformed");
    // Not one's own: the other seat, a game of others, and one that is not there.
    for (path, side) in [(path.as_str(), "second"), ("/games/aaaaaaaaaaaaaaaa/seat", "first")] {
        let other = json!({ "side": side, "token": token('b') });
        assert_eq!(phone.post(path, &other).await.code(), "no_such_game");
    }
    server.stop().await;
}

#[tokio::test]
async fn everything_is_exported_and_deletion_leaves_the_opponents_game_intact() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let (mut browser, mut key) = ada(&server).await;
    let game = Game::create(&mut client, [here("Ada Lovelace"), here("Bertram")]).await;
    game.round(&mut client).await;
    let said = json!({ "id": id(), "text": "good luck" });
    assert_eq!(client.post(&game.path("chat"), Some(&game.tokens[0]), &said).await.code(), "ok");
    browser.post("/seats", &seat(&game, 0)).await;
    let export = browser.get("/export").await;
    assert!(export.headers["content-disposition"].to_str().unwrap().contains("attachment"));
    let export = export.json();
    assert_eq!((&export["account"]["name"], &export["games"][0]["side"]), (&json!("Ada"), &json!("first")));
    assert_eq!(export["games"][0]["chat"][0]["text"], "good luck");
    assert!(!export.to_string().contains(browser.cookie.as_ref().unwrap().split_once('=').unwrap().1));
    let state = game.state(&mut client).await;
    assert_eq!(browser.post("/delete", &json!({})).await.status.as_u16(), 204);
    assert_eq!(browser.cookie, None);
    assert_eq!(browser.sign_in(&mut key).await.code(), "sign_in_failed");
    // The game goes on as it was, without the name.
    assert_eq!(game.state(&mut client).await, state);
    let face = client.get(&format!("/api/v1/games/{}", game.id), Some(&game.tokens[1])).await.json();
    assert_eq!(face["seats"]["first"]["name"], "Former member");
    assert_eq!(face["seats"]["second"]["name"], "Bertram");
    let chat = client.get(&game.path("chat"), Some(&game.tokens[1])).await;
    assert!(!chat.text.contains("Lovelace") && chat.text.contains("good luck"), "{}", chat.text);
    // The same after a restart.
    server.stop().await;
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    assert_eq!(game.state(&mut client).await, state);
    resign(&game, &mut client, 1).await;
    let journal = client.get(&game.path("journal"), Some(&game.tokens[1])).await.text;
    assert!(journal.contains("Former member") && journal.contains("Bertram"), "{journal}");
    assert!(!journal.contains("Lovelace"), "{journal}");
    assert_eq!(
        client.get(&game.path("dice"), Some(&game.tokens[1])).await.code(),
        "ok",
        "the dice still prove"
    );
    server.stop().await;
}

#[tokio::test]
async fn what_a_browser_brings_along_opens_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let (mut browser, mut key) = ada(&server).await;
    // Fixation: a token that somebody has planted is not taken over.
    let planted = format!("linstock={}", token('f'));
    let mut victim = Browser { cookie: Some(planted.clone()), ..Browser::new(server.addr) };
    assert_eq!(victim.sign_in(&mut key).await.code(), "ok");
    assert_ne!(victim.cookie.as_ref(), Some(&planted));
    let mut thief = Browser { cookie: Some(planted), ..Browser::new(server.addr) };
    assert_eq!(thief.get("").await.code(), "sign_in_needed");
    // Rotation: whoever signs in again has a new token, and a stolen copy of the old one is worthless.
    let mut thief = Browser { cookie: victim.cookie.clone(), ..Browser::new(server.addr) };
    assert_eq!(thief.get("").await.code(), "ok");
    assert_eq!(victim.sign_in(&mut key).await.code(), "ok");
    assert_eq!(thief.get("").await.code(), "sign_in_needed");
    // The same after signing out.
    let mut thief = Browser { cookie: browser.cookie.clone(), ..Browser::new(server.addr) };
    browser.post("/sign-out", &json!({})).await;
    assert_eq!(thief.get("").await.code(), "sign_in_needed");
    // What is kept is a hash: the database opens nothing by itself.
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.path().join("linstock.sqlite"));
    let mut database = options.connect().await.unwrap();
    let kept: String =
        sqlx::query_scalar("SELECT token FROM sessions").fetch_one(&mut database).await.unwrap();
    let mut thief = Browser { cookie: Some(format!("linstock={kept}")), ..Browser::new(server.addr) };
    assert_eq!(thief.get("").await.code(), "sign_in_needed");
    server.stop().await;
}

#[tokio::test]
async fn other_sites_cannot_use_a_session() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let (mut browser, _) = ada(&server).await;
    let own = browser.origin.clone();
    for path in
        ["/name", "/sign-out", "/codes", "/sessions/end", "/passkeys", "/seats", "/delete", "/recover"]
    {
        for origin in ["https://evil.example", "null", ""] {
            browser.origin = origin.into();
            let answer = browser.post(path, &json!({ "name": "Eve" })).await;
            assert_eq!(answer.code(), "foreign_origin", "{path} from {origin:?}");
        }
        browser.origin = own.clone();
        browser.more = vec![("sec-fetch-site", "cross-site".into())];
        assert_eq!(browser.post(path, &json!({})).await.code(), "foreign_origin", "{path}");
        assert_eq!(browser.get("/export").await.code(), "foreign_origin");
        browser.more.clear();
    }
    // A form can be sent from anywhere, but not as JSON.
    browser.more = vec![("content-type", "text/plain".into())];
    assert_eq!(browser.post("/name", &json!({ "name": "Eve" })).await.code(), "not_json");
    browser.more.clear();
    assert_eq!(browser.get("").await.json()["name"], "Ada");
    server.stop().await;
}

#[tokio::test]
async fn a_ceremony_holds_once_and_tells_nobody_who_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let (_, mut key) = ada(&server).await;
    let mut eve = Browser::new(server.addr);
    // Replayed.
    let end = eve.begin_sign_in(&mut key).await;
    assert_eq!(eve.post("/sign-in/end", &end).await.code(), "ok");
    let replayed = Browser::new(server.addr).post("/sign-in/end", &end).await;
    assert_eq!(replayed.code(), "sign_in_failed");
    // Signed by another key, for a key nobody has, made for another site, or by a copy of the key that is behind: all the same.
    let mut answers = vec![replayed.text];
    let mut copy = key.clone();
    assert_eq!(eve.sign_in(&mut key).await.code(), "ok");
    for forger in [&mut key.forged(), &mut key.unknown(), &mut copy] {
        answers.push(Browser::new(server.addr).sign_in(forger).await.text);
    }
    let mut phisher = Browser::new(server.addr);
    let begun = phisher.post("/sign-in", &json!({})).await.json();
    let credential = key.get(&begun["options"], "https://linstock.evil.example");
    let end = json!({ "ceremony": begun["ceremony"], "credential": credential });
    answers.push(phisher.post("/sign-in/end", &end).await.text);
    let nothing = json!({ "ceremony": token('0'), "credential": {} });
    answers.push(phisher.post("/sign-in/end", &nothing).await.text);
    answers.push(phisher.post("/recover", &json!({ "code": "abcd-efgh-abcd-efgh" })).await.text);
    answers.push(phisher.post("/recover", &json!({ "code": "nonsense" })).await.text);
    for answer in &answers {
        assert_eq!(answer, &answers[0], "every failure reads the same");
    }
    assert!(answers[0].contains("sign_in_failed"));
    // One half of one ceremony does not fit another kind.
    let begun = phisher.post("/register", &json!({ "name": "Eve" })).await.json();
    let end = json!({ "ceremony": begun["ceremony"], "credential": key.get(&eve.post("/sign-in", &json!({})).await.json()["options"], &eve.origin) });
    assert_eq!(phisher.post("/sign-in/end", &end).await.code(), "sign_in_failed");
    // A key that opens one account opens no second.
    let begun = phisher.post("/register", &json!({ "name": "Eve" })).await.json();
    let credential = Authenticator::new(1).create(&begun["options"], &phisher.origin);
    let end = json!({ "ceremony": begun["ceremony"], "credential": credential });
    assert_eq!(phisher.post("/register/end", &end).await.code(), "sign_in_failed");
    assert_eq!(phisher.get("").await.code(), "sign_in_needed");
    // An address is no name.
    let mut nameless = Browser::new(server.addr);
    nameless.host = server.addr.to_string();
    nameless.origin = format!("http://{}", nameless.host);
    assert_eq!(nameless.post("/register", &json!({ "name": "Eve" })).await.code(), "no_passkeys");
    server.stop().await;
}

#[tokio::test]
async fn nobody_reaches_into_anothers_account() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let (mut browser, _) = ada(&server).await;
    let mut eve = Browser::new(server.addr);
    eve.register("Eve", &mut Authenticator::new(5)).await;
    let game = Game::create(&mut client, [here("Ada"), computer("random")]).await;
    browser.post("/seats", &seat(&game, 0)).await;
    let face = browser.get("").await.json();
    let session = face["sessions"][0]["id"].as_str().unwrap();
    eve.post(&format!("/sessions/{session}/end"), &json!({})).await;
    eve.post("/sessions/end", &json!({})).await;
    let key = face["passkeys"][0]["id"].as_str().unwrap();
    assert_eq!(eve.post(&format!("/passkeys/{key}/remove"), &json!({})).await.code(), "last_passkey");
    // She has overheard the token, but the seat is Ada's; and a token she has made up holds nothing.
    assert_eq!(eve.post("/seats", &seat(&game, 0)).await.json(), json!({ "kept": [], "left": [game.id] }));
    let made_up = json!({ "seats": [{ "game": game.id, "token": token('e') }] });
    assert_eq!(eve.post("/seats", &made_up).await.json()["left"], json!([game.id]));
    let resume = json!({ "side": "first", "token": token('e') });
    assert_eq!(eve.post(&format!("/games/{}/seat", game.id), &resume).await.code(), "no_such_game");
    assert_eq!(eve.get("/games").await.json()["count"], 0);
    assert!(!eve.get("/export").await.text.contains("Ada"));
    // A ceremony that Eve has begun adds no key to Ada's account.
    let begun = eve.post("/passkeys", &json!({})).await.json();
    let credential = Authenticator::new(6).create(&begun["options"], &eve.origin);
    let end = json!({ "ceremony": begun["ceremony"], "credential": credential });
    assert_eq!(browser.post("/passkeys/end", &end).await.code(), "sign_in_failed");
    assert_eq!(eve.post("/delete", &json!({})).await.status.as_u16(), 204);
    assert_eq!(browser.get("/games").await.json()["count"], 1);
    // More than may be asked for, and what is no name.
    for name in ["x".repeat(41), "a\u{202e}b".into(), "  ".into(), "a\nb".into()] {
        assert_eq!(browser.post("/name", &json!({ "name": name })).await.code(), "bad_name");
        assert_eq!(browser.post("/register", &json!({ "name": name })).await.code(), "bad_name");
    }
    let many = json!({ "seats": vec![json!({ "game": game.id, "token": token('a') }); 201] });
    assert_eq!(browser.post("/seats", &many).await.code(), "malformed");
    assert_eq!(browser.post("/recover", &json!({ "code": "a".repeat(70_000) })).await.code(), "too_large");
    let marked = "<img src=x onerror=alert(1)>";
    let renamed = browser.post("/name", &json!({ "name": marked })).await;
    assert_eq!(renamed.json()["name"], marked, "data, never markup");
    assert!(renamed.headers["content-type"].to_str().unwrap().starts_with("application/json"));
    server.stop().await;
}

#[tokio::test]
async fn an_old_session_changes_nothing_that_opens_the_account() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let (browser, mut key) = ada(&server).await;
    server.stop().await;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.path().join("linstock.sqlite"));
    let mut database = options.connect().await.unwrap();
    sqlx::query("UPDATE sessions SET made = made - 900000").execute(&mut database).await.unwrap();
    drop(database);
    let server = Running::start(folder.path()).await;
    let mut browser = Browser { cookie: browser.cookie, ..Browser::new(server.addr) };
    let face = browser.get("").await.json();
    assert_eq!(face["fresh"], false);
    let remove = format!("/passkeys/{}/remove", face["passkeys"][0]["id"].as_str().unwrap());
    for path in ["/codes", "/passkeys", "/delete", &remove] {
        assert_eq!(browser.post(path, &json!({})).await.code(), "sign_in_again", "{path}");
    }
    assert_eq!(browser.sign_in(&mut key).await.json()["fresh"], true);
    assert_eq!(browser.post("/delete", &json!({})).await.status.as_u16(), 204);
    server.stop().await;
}

#[tokio::test]
async fn guessing_and_hoarding_are_slowed_down() {
    let folder = tempfile::tempdir().unwrap();
    let proxies = vec!["127.0.0.1/32".parse().unwrap()];
    let server = Running::with(Config { data: folder.path().to_owned(), proxies, ..common::config() }).await;
    let mut guesser = Browser::new(server.addr);
    guesser.more = vec![("x-forwarded-for", "203.0.113.7".into())];
    let mut refused = 0;
    let slowed = loop {
        match guesser.post("/recover", &json!({ "code": "abcd-efgh-abcd-efgh" })).await.code().as_str() {
            "sign_in_failed" if refused < 1_000 => refused += 1,
            other => break other.to_owned(),
        }
    };
    assert!(slowed == "too_many" && refused >= 20, "{slowed} after {refused}");
    let mut made = Vec::new();
    for _ in 0..11 {
        made.push(guesser.post("/register", &json!({ "name": "Eve" })).await.code());
    }
    assert_eq!(made.iter().filter(|code| *code == "ok").count(), 10, "{made:?}");
    // Others are not kept waiting for it.
    let mut other = Browser::new(server.addr);
    other.more = vec![("x-forwarded-for", "198.51.100.9".into())];
    assert_eq!(other.post("/sign-in", &json!({})).await.code(), "ok");
    server.stop().await;
}

#[tokio::test]
async fn an_account_asks_no_faster_than_an_address() {
    let folder = tempfile::tempdir().unwrap();
    let rate = Rate { per_second: 1.0, burst: 5 };
    // The machine itself may ask fifty times as fast; its account may not.
    let server = Running::with(Config { data: folder.path().to_owned(), rate, ..common::config() }).await;
    let (mut browser, mut key) = ada(&server).await;
    let mut granted = 0;
    while granted < 100 && browser.get("").await.code() == "ok" {
        granted += 1;
    }
    assert!((4..100).contains(&granted), "{granted}");
    // Nobody is kept from signing in by that.
    assert_eq!(Browser::new(server.addr).sign_in(&mut key).await.code(), "ok");
    Browser::new(server.addr).register("Eve", &mut Authenticator::new(7)).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_is_the_same_on_every_node() {
    let url = tokio::task::spawn_blocking(Cluster::shared).await.unwrap().database().await;
    let config = || Config { database: Some(url.clone()), ..common::config() };
    let (a, b) = (Running::with(config()).await, Running::with(config()).await);
    let (mut at_a, mut key) = ada(&a).await;
    let mut client = a.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    at_a.post("/seats", &seat(&game, 0)).await;
    // Begun on one node and ended on the other, which is known by the same name.
    let mut at_b = Browser::new(b.addr);
    (at_b.host, at_b.origin) = (at_a.host.clone(), at_a.origin.clone());
    let end = at_a.begin_sign_in(&mut key).await;
    assert_eq!(at_b.post("/sign-in/end", &end).await.json()["name"], "Ada");
    let resume = json!({ "side": "first", "token": token('a') });
    assert_eq!(at_b.post(&format!("/games/{}/seat", game.id), &resume).await.code(), "ok");
    let face = format!("/api/v1/games/{}", game.id);
    assert_eq!(client.get(&face, Some(&game.tokens[0])).await.code(), "forged_seat", "on the other node too");
    assert_eq!(client.get(&face, Some(&token('a'))).await.json()["yours"], "first");
    assert_eq!(at_b.post("/delete", &json!({})).await.status.as_u16(), 204);
    assert_eq!(at_a.get("").await.code(), "sign_in_needed");
    let face = client.get(&face, Some(&game.tokens[1])).await.json();
    assert_eq!(face["seats"]["first"]["name"], "Former member");
    let act = json!({ "id": id(), "state": face["state"], "action": "seal 1", "salt": salt() });
    assert_eq!(client.post(&game.path("acts"), Some(&token('a')), &act).await.code(), "ok", "it goes on");
    a.stop().await;
    b.stop().await;
}
