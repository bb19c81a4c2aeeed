//! Keeping order: reports with what belongs to them, blocking and muting, what administrators do, and those who would like to.

use crate::common;

use crate::common::authenticator::{Authenticator, Browser};
use crate::common::client::{Answer, Client};
use crate::common::{Game, Running, here, id, link};
use hyper::Method;
use serde_json::{Value, json};
use server::Config;
use sqlx::ConnectOptions as _;

/// A browser that is signed in, and its account's id.
struct Person {
    browser: Browser,
    id: String,
}

async fn database(folder: &std::path::Path) -> sqlx::sqlite::SqliteConnection {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join("linstock.sqlite"));
    options.connect().await.unwrap()
}

impl Person {
    async fn join(server: &Running, folder: &std::path::Path, name: &str, key: u8) -> Person {
        let mut browser = Browser::new(server.addr);
        browser.register(name, &mut Authenticator::new(key)).await;
        let id = sqlx::query_scalar("SELECT id FROM accounts WHERE name = $1").bind(name);
        let id: String = id.fetch_one(&mut database(folder).await).await.unwrap();
        Person { browser, id }
    }

    async fn grant(&self, folder: &std::path::Path) {
        let grant = sqlx::query("INSERT INTO administrators (account, made) VALUES ($1, 1)").bind(&self.id);
        grant.execute(&mut database(folder).await).await.unwrap();
    }

    async fn admin(&mut self, path: &str) -> Answer {
        self.browser.send(Method::GET, &format!("/api/v1/admin{path}"), None).await
    }

    async fn acts(&mut self, path: &str, body: &Value) -> Answer {
        self.browser.send(Method::POST, &format!("/api/v1/admin{path}"), Some(body)).await
    }

    async fn adopt(&mut self, game: &Game, side: usize) {
        let seats = json!({ "seats": [{ "game": game.id, "token": game.tokens[side] }] });
        assert_eq!(self.browser.post("/seats", &seats).await.json()["kept"], json!([game.id]));
    }

    async fn order(&mut self) -> Value {
        self.browser.get("/order").await.json()
    }
}

async fn say(client: &mut Client, game: &Game, side: usize, text: &str) -> Answer {
    let say = json!({ "id": id(), "text": text });
    client.post(&game.path("chat"), Some(&game.tokens[side]), &say).await
}

async fn heard(client: &mut Client, game: &Game, side: usize) -> Vec<String> {
    let lines = client.get(&game.path("chat"), Some(&game.tokens[side])).await.json();
    lines.as_array().unwrap().iter().map(|line| line["text"].as_str().unwrap().to_owned()).collect()
}

async fn tie(client: &mut Client, game: &Game, side: usize, tie: Value) -> Answer {
    client.post(&game.path("tie"), Some(&game.tokens[side]), &json!({ "tie": tie })).await
}

/// Every address of administrators, with what would be good enough for one.
fn addresses(account: &str) -> Vec<(Method, String, Value)> {
    let because = json!({ "why": "because" });
    let measure = json!({ "kind": "warned", "why": "because" });
    let answer = json!({ "answer": "no", "lift": false });
    let get =
        ["/reports", "/accounts", "/appeals", "/audit"].map(|path| (Method::GET, path.into(), Value::Null));
    let post = [
        ("/reports/x/settle".into(), because.clone()),
        (format!("/accounts/{account}/measures"), measure),
        ("/measures/x/answer".into(), answer),
        ("/measures/x/lift".into(), because.clone()),
        ("/challenges/x/remove".into(), because.clone()),
        ("/games/x/chat/1/remove".into(), because),
    ];
    get.into_iter().chain(post.map(|(path, body)| (Method::POST, path, body))).collect()
}

async fn refused_everywhere(browser: &mut Browser, account: &str, who: &str) {
    for (method, path, body) in addresses(account) {
        let body = (method == Method::POST).then_some(&body);
        let answer = browser.send(method, &format!("/api/v1/admin{path}"), body).await;
        assert_eq!((answer.code().as_str(), answer.status.as_u16()), ("no_such_page", 404), "{who}: {path}");
        let nowhere = browser.send(Method::GET, "/api/v1/nowhere", None).await;
        assert_eq!(answer.text, nowhere.text, "{who}: {path} reads like an address that is not there");
    }
}

#[tokio::test]
async fn nobody_but_an_administrator_finds_the_desk() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut ada = Person::join(&server, folder.path(), "Ada", 1).await;
    let mut eve = Person::join(&server, folder.path(), "Eve", 2).await;
    // Without an administrator there is no sign of any.
    let order = server.client().get("/api/v1/order", None).await.json();
    assert_eq!(order, json!({ "reports": false }));
    assert_eq!(eve.order().await, json!({ "administrator": false, "measures": [], "ties": [] }));
    ada.grant(folder.path()).await;
    assert!(ada.order().await["administrator"].as_bool().unwrap());
    refused_everywhere(&mut eve.browser, &ada.id, "a plain account").await;
    refused_everywhere(&mut Browser::new(server.addr), &ada.id, "nobody").await;
    let mut forger =
        Browser { cookie: Some(format!("linstock={}", "f".repeat(64))), ..Browser::new(server.addr) };
    refused_everywhere(&mut forger, &ada.id, "a made-up session").await;
    // Another site cannot use the administrator's session.
    let own = ada.browser.origin.clone();
    for (_, path, body) in addresses(&eve.id).into_iter().filter(|(method, ..)| *method == Method::POST) {
        for origin in ["https://evil.example", "null", ""] {
            ada.browser.origin = origin.into();
            assert_eq!(ada.acts(&path, &body).await.code(), "foreign_origin", "{path} from {origin:?}");
        }
    }
    ada.browser.origin = own;
    assert!(eve.order().await["measures"].as_array().unwrap().is_empty());
    // A session that was left open looks on and changes nothing.
    sqlx::query("UPDATE sessions SET made = made - 900000")
        .execute(&mut database(folder.path()).await)
        .await
        .unwrap();
    assert_eq!(ada.admin("/reports").await.code(), "ok");
    for (_, path, body) in addresses(&eve.id).into_iter().filter(|(method, ..)| *method == Method::POST) {
        assert_eq!(ada.acts(&path, &body).await.code(), "sign_in_again", "{path}");
    }
    // Suspended, an administrator is none; neither is one who was.
    sqlx::query("INSERT INTO measures (id, account, kind, why, made) VALUES ('m', $1, 'closed', 'why', 1)")
        .bind(&ada.id)
        .execute(&mut database(folder.path()).await)
        .await
        .unwrap();
    refused_everywhere(&mut ada.browser, &eve.id, "a suspended administrator").await;
    sqlx::query("DELETE FROM measures").execute(&mut database(folder.path()).await).await.unwrap();
    assert_eq!(ada.admin("/reports").await.code(), "ok");
    sqlx::query("DELETE FROM administrators").execute(&mut database(folder.path()).await).await.unwrap();
    refused_everywhere(&mut ada.browser, &eve.id, "a former administrator").await;
    server.stop().await;
}

#[tokio::test]
async fn a_report_is_judged_told_and_appealed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let mut ada = Person::join(&server, folder.path(), "Ada", 1).await;
    let mut eve = Person::join(&server, folder.path(), "Eve", 2).await;
    let game = Game::create(&mut client, [here("Bertram"), here("Eve")]).await;
    let report = |about: Value, words: &str| json!({ "about": about, "words": words });
    let line = |n: u64| json!({ "kind": "line", "n": n });
    let path = game.path("report");
    let token = Some(game.tokens[0].as_str());
    let early = client.post(&path, token, &report(line(1), "rude")).await;
    assert_eq!(early.code(), "no_such_record", "nobody would read it");
    ada.grant(folder.path()).await;
    eve.adopt(&game, 1).await;
    for n in 1..=9 {
        say(&mut client, &game, n % 2, &format!("line {n}")).await;
    }
    // Only who sits there, only about the other side, and only what is there.
    assert_eq!(client.post(&path, None, &report(line(7), "rude")).await.code(), "seat_needed");
    assert_eq!(client.post(&path, Some(&"0".repeat(64)), &report(line(7), "x")).await.code(), "forged_seat");
    for n in [0, 8, 10, u64::MAX] {
        assert_eq!(client.post(&path, token, &report(line(n), "rude")).await.code(), "no_such_record", "{n}");
    }
    for words in ["", "a\nb", "\u{202e}", &"x".repeat(1_001)] {
        assert_eq!(client.post(&path, token, &report(line(7), words)).await.code(), "bad_text");
    }
    assert_eq!(client.post(&path, token, &report(json!({ "kind": "king" }), "x")).await.code(), "malformed");
    let marked = "<img src=x onerror=alert(1)>";
    assert_eq!(client.post(&path, token, &report(line(7), marked)).await.status.as_u16(), 204);
    let reports = ada.admin("/reports").await.json();
    let told = &reports[0];
    assert_eq!(
        (reports.as_array().unwrap().len(), &told["words"]),
        (1, &json!(marked)),
        "data, never markup"
    );
    assert_eq!((&told["name"], &told["account"], &told["by"]), (&json!("Eve"), &json!(eve.id), &Value::Null));
    let around: Vec<u64> =
        told["lines"].as_array().unwrap().iter().map(|l| l["n"].as_u64().unwrap()).collect();
    assert_eq!(around, [2, 3, 4, 5, 6, 7, 8, 9], "the line and those around it");
    // The line goes, for everybody, and its writer is told.
    let remove = format!("/games/{}/chat/7/remove", game.id);
    assert_eq!(ada.acts(&remove, &json!({ "why": "an insult" })).await.status.as_u16(), 204);
    assert_eq!(ada.acts(&remove, &json!({ "why": "an insult" })).await.code(), "no_such_record");
    assert_eq!(heard(&mut client, &game, 0).await[6], "[removed by an administrator]");
    // Suspended: no chat and nothing in the lobby; the game goes on.
    let measures = format!("/accounts/{}/measures", eve.id);
    for (kind, more) in [
        ("suspended", json!({})),
        ("suspended", json!({ "days": 0 })),
        ("renamed", json!({})),
        ("warned", json!({ "days": 3 })),
        ("line_removed", json!({})),
    ] {
        let mut body = json!({ "kind": kind, "why": "insults" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(ada.acts(&measures, &body).await.code(), "malformed", "{body}");
    }
    let suspend = json!({ "kind": "suspended", "why": "insults", "days": 3 });
    assert_eq!(ada.acts(&measures, &suspend).await.status.as_u16(), 204);
    assert_eq!(say(&mut client, &game, 1, "me again").await.code(), "suspended");
    assert_eq!(eve.browser.post("/name", &json!({ "name": "Innocent" })).await.code(), "suspended");
    assert_eq!(game.act(&mut client, 0, "seal 1").await.code(), "ok");
    assert_eq!(game.act(&mut client, 1, "seal 2").await.code(), "ok", "nobody's opponent is punished");
    let open = Game::create(&mut client, [here("Eve"), link()]).await;
    eve.adopt(&open, 0).await;
    let put_up = client.post(&open.path("challenge"), Some(&open.tokens[0]), &json!({})).await;
    assert_eq!(put_up.code(), "suspended");
    // She is told what and why, and may write one note, to what concerns her.
    let own = eve.order().await;
    let kinds: Vec<&str> =
        own["measures"].as_array().unwrap().iter().map(|m| m["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"suspended") && kinds.contains(&"line_removed") && kinds.len() == 2, "{own}");
    let suspension = own["measures"].as_array().unwrap().iter().find(|m| m["kind"] == "suspended").unwrap();
    assert_eq!(suspension["why"], "insults");
    let appeal = format!("/measures/{}/appeal", suspension["id"].as_str().unwrap());
    let note = |text: &str| json!({ "text": text });
    assert_eq!(ada.browser.post(&appeal, &note("not mine")).await.code(), "already_done");
    assert_eq!(eve.browser.post(&appeal, &note(&"x".repeat(1_001))).await.code(), "bad_text");
    assert_eq!(eve.browser.post(&appeal, &note("It was a joke.")).await.code(), "ok");
    assert_eq!(eve.browser.post(&appeal, &note("Really.")).await.code(), "already_done");
    let waiting = ada.admin("/appeals").await.json();
    assert_eq!(
        (&waiting[0]["name"], &waiting[0]["measure"]["appeal"]),
        (&json!("Eve"), &json!("It was a joke."))
    );
    let answer = format!("/measures/{}/answer", suspension["id"].as_str().unwrap());
    let lifted = json!({ "answer": "Not again.", "lift": true });
    assert_eq!(ada.acts(&answer, &lifted).await.status.as_u16(), 204);
    assert_eq!(ada.acts(&answer, &lifted).await.code(), "no_such_record");
    assert_eq!(say(&mut client, &game, 1, "thank you").await.code(), "ok");
    let own = eve.order().await;
    let suspension = own["measures"].as_array().unwrap().iter().find(|m| m["kind"] == "suspended").unwrap();
    assert_eq!(suspension["answer"], "Not again.");
    assert!(suspension["lifted"].is_u64());
    // The report is answered once; all of it is in the list, which knows no other method.
    let settle = format!("/reports/{}/settle", told["id"].as_str().unwrap());
    assert_eq!(ada.acts(&settle, &json!({ "why": "removed, and suspended" })).await.status.as_u16(), 204);
    assert_eq!(ada.acts(&settle, &json!({ "why": "again" })).await.code(), "no_such_record");
    let audit = ada.admin("/audit").await.json();
    let mut acts: Vec<&str> = audit.as_array().unwrap().iter().map(|a| a["act"].as_str().unwrap()).collect();
    acts.sort_unstable();
    assert_eq!(acts, ["answered and lifted", "line removed", "settled", "suspended"]);
    assert!(audit.as_array().unwrap().iter().all(|entry| entry["author"] == json!(ada.id)));
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        let answer = ada.browser.send(method.clone(), "/api/v1/admin/audit", Some(&json!({}))).await;
        assert_eq!(answer.status.as_u16(), 405, "{method}");
    }
    // What is kept of her is in her export, and goes with her account.
    let export = eve.browser.get("/export").await.json();
    assert_eq!(export["order"]["measures"].as_array().unwrap().len(), 2);
    assert_eq!(eve.browser.post("/delete", &json!({})).await.status.as_u16(), 204);
    assert_eq!(ada.admin("/reports").await.json(), json!([]));
    server.stop().await;
}

#[tokio::test]
async fn a_name_is_changed_everywhere_and_administrators_are_protected() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let mut ada = Person::join(&server, folder.path(), "Ada", 1).await;
    let mut eve = Person::join(&server, folder.path(), "Rude", 2).await;
    let named = Person::join(&server, folder.path(), "Zoe", 3).await;
    server.stop().await;
    let config =
        Config { data: folder.path().to_owned(), administrators: vec![named.id.clone()], ..common::config() };
    let server = Running::with(config).await;
    for person in [&mut ada, &mut eve] {
        person.browser = Browser { cookie: person.browser.cookie.clone(), ..Browser::new(server.addr) };
    }
    let mut client_now = server.client();
    std::mem::swap(&mut client, &mut client_now);
    assert_eq!(client.get("/api/v1/order", None).await.json()["reports"], true, "named on the command line");
    ada.grant(folder.path()).await;
    let game = Game::create(&mut client, [here("Rude"), link()]).await;
    eve.adopt(&game, 0).await;
    let put_up =
        client.post(&game.path("challenge"), Some(&game.tokens[0]), &json!({ "note": "come on" })).await;
    assert_eq!(put_up.code(), "ok", "{}", put_up.text);
    let challenge = put_up.json()["id"].as_str().unwrap().to_owned();
    // Anybody may report what they see in the lobby.
    let report = format!("/api/v1/challenges/{challenge}/report");
    assert_eq!(client.post(&report, None, &json!({ "words": "that name" })).await.status.as_u16(), 204);
    let told = ada.admin("/reports").await.json();
    assert_eq!((&told[0]["about"]["kind"], &told[0]["note"]), (&json!("challenge"), &json!("come on")));
    assert_eq!((&told[0]["account"], &told[0]["name"]), (&json!(eve.id), &json!("Rude")));
    let found = ada.admin("/accounts?name=rUd").await.json();
    assert_eq!((&found[0]["id"], found.as_array().unwrap().len()), (&json!(eve.id), 1));
    let rename = |name: &str| json!({ "kind": "renamed", "why": "an insult", "name": name });
    let path = format!("/accounts/{}/measures", eve.id);
    for name in ["", "a\nb", "\u{202e}x", &"x".repeat(41)] {
        assert_eq!(ada.acts(&path, &rename(name)).await.code(), "bad_name", "{name:?}");
    }
    assert_eq!(ada.acts(&path, &rename("Member 7")).await.status.as_u16(), 204);
    let face = client.get(&format!("/api/v1/games/{}", game.id), Some(&game.tokens[0])).await.json();
    assert_eq!(face["seats"]["first"]["name"], "Member 7");
    let kept: String = sqlx::query_scalar("SELECT line FROM lines WHERE game = $1 AND seq = 0")
        .bind(&game.id)
        .fetch_one(&mut database(folder.path()).await)
        .await
        .unwrap();
    assert!(kept.contains("Member 7") && !kept.contains("Rude"), "{kept}");
    assert_eq!(eve.browser.get("").await.json()["name"], "Member 7");
    assert_eq!(
        client.get("/api/v1/challenges", None).await.json()["challenges"],
        json!([]),
        "the old name is gone"
    );
    // A challenge by somebody without an account is removed as well.
    let other = Game::create(&mut client, [here("Cyril"), link()]).await;
    let put_up = client.post(&other.path("challenge"), Some(&other.tokens[0]), &json!({})).await.json();
    let remove = format!("/challenges/{}/remove", put_up["id"].as_str().unwrap());
    assert_eq!(ada.acts(&remove, &json!({ "why": "a trap" })).await.status.as_u16(), 204);
    assert_eq!(ada.acts(&remove, &json!({ "why": "a trap" })).await.code(), "no_such_record");
    // Administrators leave each other, and themselves, alone.
    for id in [ada.id.clone(), named.id.clone()] {
        let answer = ada.acts(&format!("/accounts/{id}/measures"), &rename("Nobody")).await;
        assert_eq!(answer.code(), "protected");
    }
    let nobody = ada.acts("/accounts/nobody/measures", &rename("Nobody")).await;
    assert_eq!(nobody.code(), "no_such_record");
    server.stop().await;
}

#[tokio::test]
async fn whoever_is_muted_is_not_heard_and_whoever_is_blocked_is_not_met() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    // By seats alone: it holds in this game.
    let game = Game::create(&mut client, [here("Bertram"), here("Eve")]).await;
    say(&mut client, &game, 0, "good luck").await;
    say(&mut client, &game, 1, "boo").await;
    assert_eq!(tie(&mut client, &game, 0, json!("mute")).await.status.as_u16(), 204);
    assert_eq!(heard(&mut client, &game, 0).await, ["good luck"]);
    assert_eq!(heard(&mut client, &game, 1).await, ["good luck", "boo"], "the other does not notice");
    assert_eq!(say(&mut client, &game, 1, "boo again").await.code(), "ok");
    let tied = client.get(&game.path("tie"), Some(&game.tokens[0])).await.json();
    assert_eq!(tied, json!({ "tie": "mute" }));
    assert_eq!(tie(&mut client, &game, 0, json!("block")).await.status.as_u16(), 204);
    for side in 0..2 {
        assert_eq!(say(&mut client, &game, side, "hello?").await.code(), "blocked", "{side}");
    }
    assert_eq!(tie(&mut client, &game, 0, Value::Null).await.status.as_u16(), 204);
    assert_eq!(heard(&mut client, &game, 0).await.len(), 3);
    assert_eq!(say(&mut client, &game, 0, "peace").await.code(), "ok");
    assert_eq!(client.post(&game.path("tie"), None, &json!({ "tie": "mute" })).await.code(), "seat_needed");
    let eyes = client.get(&game.path("tie"), Some(&"0".repeat(64))).await;
    assert_eq!(eyes.code(), "forged_seat");
    assert_eq!(tie(&mut client, &game, 0, json!("kill")).await.code(), "malformed");
    // By accounts: in all their games, and in the lobby.
    let mut ada = Person::join(&server, folder.path(), "Ada", 1).await;
    let mut eve = Person::join(&server, folder.path(), "Eve", 2).await;
    let played = Game::create(&mut client, [here("Ada"), here("Eve")]).await;
    ada.adopt(&played, 0).await;
    eve.adopt(&played, 1).await;
    assert_eq!(tie(&mut client, &played, 0, json!("block")).await.status.as_u16(), 204);
    let another = Game::create(&mut client, [here("Eve"), here("Ada")]).await;
    eve.adopt(&another, 0).await;
    ada.adopt(&another, 1).await;
    assert_eq!(say(&mut client, &another, 0, "hello").await.code(), "blocked");
    let offered = Game::create(&mut client, [here("Eve"), link()]).await;
    eve.adopt(&offered, 0).await;
    let put_up = client.post(&offered.path("challenge"), Some(&offered.tokens[0]), &json!({})).await.json();
    let accept = format!("/api/v1/challenges/{}/accept", put_up["id"].as_str().unwrap());
    let sit = json!({ "name": "Ada", "token": "a".repeat(64) });
    assert_eq!(ada.browser.send(Method::POST, &accept, Some(&sit)).await.code(), "blocked");
    let list = "/api/v1/challenges";
    assert_eq!(ada.browser.send(Method::GET, list, None).await.json()["challenges"], json!([]));
    assert_eq!(
        eve.browser.send(Method::GET, list, None).await.json()["challenges"].as_array().unwrap().len(),
        1
    );
    // Ada sees whom she has blocked and takes it back; Eve sees nothing of it.
    assert_eq!(eve.order().await["ties"], json!([]));
    let ties = ada.order().await["ties"].clone();
    assert_eq!((&ties[0]["name"], &ties[0]["tie"]), (&json!("Eve"), &json!("block")));
    let end = format!("/ties/{}/end", ties[0]["id"].as_str().unwrap());
    eve.browser.post(&end, &json!({})).await;
    assert_eq!(ada.order().await["ties"].as_array().unwrap().len(), 1, "nobody ends another's");
    assert_eq!(ada.browser.post(&end, &json!({})).await.json()["ties"], json!([]));
    assert_eq!(ada.browser.send(Method::POST, &accept, Some(&sit)).await.code(), "ok");
    server.stop().await;
}

#[tokio::test]
async fn reports_are_slowed_down_by_seat_and_by_account() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut client = server.client();
    let ada = Person::join(&server, folder.path(), "Ada", 1).await;
    ada.grant(folder.path()).await;
    let game = Game::create(&mut client, [here("Bertram"), here("Eve")]).await;
    let other = Game::create(&mut client, [here("Cyril"), here("Dora")]).await;
    let report = json!({ "about": { "kind": "person" }, "words": "slow" });
    let mut granted = 0;
    let token = Some(game.tokens[0].as_str());
    while granted < 100 && client.post(&game.path("report"), token, &report).await.code() == "ok" {
        granted += 1;
    }
    assert_eq!(granted, 10);
    assert_eq!(client.post(&game.path("report"), token, &report).await.code(), "too_many");
    let another = client.post(&other.path("report"), Some(&other.tokens[0]), &report).await;
    assert_eq!(another.code(), "ok", "others are heard");
    // Neither oneself nor a computer can be reported.
    let both = format!("{} {}", game.tokens[0], game.tokens[1]);
    assert_eq!(client.post(&game.path("report"), Some(&both), &report).await.code(), "no_such_record");
    server.stop().await;
}

#[tokio::test]
async fn nobody_is_sent_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let mut ada = Person::join(&server, folder.path(), "Ada", 1).await;
    let evil = "https://evil.example";
    let paths = [
        format!("/?next={evil}"),
        format!("/{evil}"),
        "//evil.example/".into(),
        "/%5C%5Cevil.example".into(),
        format!("/api/v1/account?return_to={evil}"),
        format!("/api/v1/account/order?next={evil}"),
        format!("/api/v1/order?redirect={evil}"),
    ];
    for path in paths {
        let answer = ada.browser.send(Method::GET, &path, None).await;
        assert!(!answer.status.is_redirection(), "{path}: {}", answer.status);
        assert_eq!(answer.headers.get("location"), None, "{path}");
        assert_eq!(answer.headers.get("refresh"), None, "{path}");
    }
    let out = json!({ "next": evil, "return_to": "//evil.example" });
    let answer = ada.browser.post("/sign-out", &out).await;
    assert!(answer.status.as_u16() == 204 && answer.headers.get("location").is_none());
    server.stop().await;
}
