//! Notices: what goes out, to whom, and once; and those who would use them for something else.

use std::path::Path;
use std::time::Duration;

use aes_gcm::aead::{Aead as _, KeyInit as _};
use aes_gcm::{Aes128Gcm, Nonce};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hkdf::Hkdf;
use hyper::Method;
use p256::ecdsa::signature::Verifier as _;
use p256::ecdsa::{Signature, VerifyingKey};
use p256::elliptic_curve::sec1::ToSec1Point as _;
use p256::{PublicKey, SecretKey};
use serde_json::{Value, json};
use server::{Config, NoticeConfig};
use sha2::Sha256;

mod common;

use common::authenticator::{Authenticator, Browser};
use common::client::Client;
use common::sinks::{Call, Letter, Sink, mail, web};
use common::{Game, Running, here, id, link, salt};

const URL: &str = "https://linstock.example";

fn notices(letters: &Sink<Letter>) -> NoticeConfig {
    NoticeConfig {
        url: URL.into(),
        smtp: Some(format!("smtp://{}", letters.addr)),
        from: Some("Linstock <linstock@example.org>".into()),
        internal: vec!["127.0.0.0/8".parse().unwrap()],
        grace: Duration::from_millis(300),
        beat: Duration::from_millis(20),
        lease: Duration::from_millis(500),
        ..NoticeConfig::default()
    }
}

async fn serve(folder: &Path, notices: NoticeConfig) -> Running {
    Running::with(Config { data: folder.to_owned(), notices: Some(notices), ..common::config() }).await
}

/// Bertram with an account.
async fn bertram(server: &Running) -> Browser {
    let mut browser = Browser::new(server.addr);
    browser.register("Bertram", &mut Authenticator::new(2)).await;
    browser
}

/// The same with an address that counts.
async fn with_address(browser: &mut Browser, letters: &Sink<Letter>) {
    let before = letters.all().len();
    let asked = browser.post("/notices/email", &json!({ "address": "Bertram@Example.org" })).await;
    assert_eq!(asked.status.as_u16(), 204, "{}", asked.text);
    let letter = letters.first(before + 1).await[before].clone();
    assert_eq!(letter.to, ["RCPT TO:<bertram@example.org>"]);
    let token = letter.after("/#/confirm/");
    let face = browser.post("/notices/email/end", &json!({ "token": token })).await;
    assert_eq!(face.json()["channels"][0]["label"], "bertram@example.org", "{}", face.text);
}

/// A game against Ada, whose second seat is kept with the account.
async fn game(browser: &mut Browser, client: &mut Client) -> Game {
    let game = Game::create(client, [here("Ada"), here("Bertram")]).await;
    let seats = json!({ "seats": [{ "game": game.id, "token": game.tokens[1] }] });
    assert_eq!(browser.post("/seats", &seats).await.json()["kept"], json!([game.id]));
    game
}

/// Long enough for a notice that would be sent.
async fn a_while() {
    tokio::time::sleep(Duration::from_millis(900)).await;
}

#[tokio::test]
async fn a_letter_comes_once_until_the_game_was_seen() {
    let (folder, letters) = (tempfile::tempdir().unwrap(), mail().await);
    let server = serve(folder.path(), notices(&letters)).await;
    let (mut client, mut browser) = (server.client(), bertram(&server).await);
    with_address(&mut browser, &letters).await;
    let played = game(&mut browser, &mut client).await;
    assert_eq!(played.act(&mut client, 0, "seal 1").await.code(), "ok");
    let letter = letters.first(2).await[1].clone();
    assert!(letter.header("Subject").unwrap().starts_with("Your turn in "), "{}", letter.text);
    assert!(letter.from.contains("linstock@example.org"));
    assert_eq!(letter.after(&format!("{URL}/#/mine/")), played.id);
    assert_eq!(letter.header("List-Unsubscribe-Post").as_deref(), Some("List-Unsubscribe=One-Click"));
    assert_eq!(letter.header("Auto-Submitted").as_deref(), Some("auto-generated"));
    // He has not looked: what more happens there waits for that, but for the end.
    let state = played.state(&mut client).await;
    a_while().await;
    assert_eq!(letters.all().len(), 2);
    // He looks, and plays on: nobody writes to him of what he has seen.
    assert_eq!(played.act(&mut client, 1, "seal 2").await.code(), "ok");
    assert!(played.state(&mut client).await > state);
    a_while().await;
    assert_eq!(letters.all().len(), 2);
    let winner = played.decides(&mut client).await.unwrap();
    assert_eq!(played.act(&mut client, winner, "go").await.code(), "ok");
    let decides = played.decides(&mut client).await.unwrap();
    if decides == 0 {
        assert_eq!(played.act(&mut client, 0, "seal 1").await.code(), "ok");
    }
    letters.first(3).await;
    let resign = json!({ "id": id(), "state": played.state(&mut client).await });
    assert_eq!(client.post(&played.path("resign"), Some(&played.tokens[0]), &resign).await.code(), "ok");
    let over = letters.first(4).await[3].clone();
    assert!(over.header("Subject").unwrap().ends_with("is over"), "{}", over.text);
    server.stop().await;
}

#[tokio::test]
async fn nobody_who_looks_is_told() {
    use futures_util::{SinkExt as _, StreamExt as _};
    use tokio_tungstenite::tungstenite::Message;

    let (folder, letters) = (tempfile::tempdir().unwrap(), mail().await);
    let server = serve(folder.path(), notices(&letters)).await;
    let (mut client, mut browser) = (server.client(), bertram(&server).await);
    with_address(&mut browser, &letters).await;
    let played = game(&mut browser, &mut client).await;
    let url = format!("ws://{}{}", server.addr, played.path("live"));
    let mut socket = tokio_tungstenite::connect_async(url).await.unwrap().0;
    let hello = json!({ "type": "hello", "token": played.tokens[1], "state": 0, "chat_after": 0 });
    socket.send(Message::text(hello.to_string())).await.unwrap();
    assert!(socket.next().await.unwrap().unwrap().to_text().unwrap().contains("welcome"));
    let looking = tokio::spawn(async move { while socket.next().await.is_some_and(|m| m.is_ok()) {} });
    assert_eq!(played.act(&mut client, 0, "seal 1").await.code(), "ok");
    a_while().await;
    assert_eq!(letters.all().len(), 1, "but for the link");
    looking.abort();
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_dies_loses_nothing_and_doubles_nothing() {
    let (folder, letters, calls) = (tempfile::tempdir().unwrap(), mail().await, web().await);
    let server = serve(folder.path(), notices(&letters)).await;
    let (mut client, mut browser) = (server.client(), bertram(&server).await);
    with_address(&mut browser, &letters).await;
    let hook = json!({ "url": format!("http://{}/hook", calls.addr), "format": "json" });
    assert_eq!(browser.post("/notices/webhook", &hook).await.code(), "ok");
    let played = game(&mut browser, &mut client).await;
    server.stop().await;
    // One dies between the act and the sending: it never comes to look for what is due.
    let never = Duration::from_secs(3600);
    let server = serve(folder.path(), NoticeConfig { beat: never, ..notices(&letters) }).await;
    assert_eq!(played.act(&mut server.client(), 0, "seal 1").await.code(), "ok");
    server.stop().await;
    assert_eq!((letters.all().len(), calls.all().len()), (1, 0));
    // The next one dies between the sending and writing it down: nobody has said that it was taken.
    letters.answer(None);
    calls.answer(None);
    let server = serve(folder.path(), notices(&letters)).await;
    let first = letters.first(2).await[1].clone();
    let called = calls.first(1).await[0].clone();
    server.stop().await;
    // The third sends both again, under the same names, so that whoever gets them sees one.
    letters.answer(Some("250 taken"));
    calls.answer(Some("204 No Content"));
    let server = serve(folder.path(), notices(&letters)).await;
    let second = letters.first(3).await[2].clone();
    let again = calls.first(2).await[1].clone();
    assert!(first.header("Message-ID").is_some_and(|id| id.ends_with("@example.org>")), "{}", first.text);
    assert_eq!(first.header("Message-ID"), second.header("Message-ID"));
    assert_eq!(first.header("Subject"), second.header("Subject"));
    assert!(called.header("idempotency-key").is_some_and(|key| key.len() == 16));
    assert_eq!(called.header("idempotency-key"), again.header("idempotency-key"));
    assert_eq!(called.body, again.body);
    a_while().await;
    assert_eq!((letters.all().len(), calls.all().len()), (3, 2), "and that is all");
    server.stop().await;
}

#[tokio::test]
async fn letters_stop_with_one_click_and_without_a_login() {
    let (folder, letters) = (tempfile::tempdir().unwrap(), mail().await);
    let server = serve(folder.path(), notices(&letters)).await;
    let (mut client, mut browser) = (server.client(), bertram(&server).await);
    with_address(&mut browser, &letters).await;
    let played = game(&mut browser, &mut client).await;
    assert_eq!(played.act(&mut client, 0, "seal 1").await.code(), "ok");
    let letter = letters.first(2).await[1].clone();
    let list = letter.header("List-Unsubscribe").unwrap();
    let path = list.trim_matches(['<', '>']).strip_prefix(URL).unwrap().to_owned();
    let page = client.get(&path, None).await;
    assert!(
        page.text.contains("<form")
            && page.headers["content-security-policy"].to_str().unwrap().contains("form-action 'self'")
    );
    assert_eq!(browser.get("/notices").await.json()["channels"][0]["muted"], false, "a look changes nothing");
    let forged = format!("{}{}", &path[..path.len() - 1], if path.ends_with('0') { '1' } else { '0' });
    assert_eq!(client.post(&forged, None, &json!({})).await.code(), "no_such_page");
    // As a mail program sends it.
    let mut click = client.request(Method::POST, &path, None, None);
    click.headers_mut().insert("content-type", "application/x-www-form-urlencoded".parse().unwrap());
    *click.body_mut() = http_body_util::Full::from("List-Unsubscribe=One-Click");
    assert_eq!(client.send(click).await.unwrap().status.as_u16(), 200);
    let face = browser.get("/notices").await.json();
    assert_eq!(face["channels"][0]["muted"], true);
    assert_eq!(played.act(&mut client, 1, "seal 2").await.code(), "ok");
    let state = played.state(&mut client).await;
    let resign = json!({ "id": id(), "state": state });
    assert_eq!(client.post(&played.path("resign"), Some(&played.tokens[0]), &resign).await.code(), "ok");
    a_while().await;
    assert_eq!(letters.all().len(), 2);
    // The address still opens the account.
    let mut phone = Browser::new(server.addr);
    assert_eq!(
        phone.post("/email/sign-in", &json!({ "address": "bertram@example.org" })).await.status.as_u16(),
        204
    );
    letters.first(3).await;
    let channel = face["channels"][0]["id"].as_str().unwrap();
    let on = browser.post(&format!("/notices/channels/{channel}/mute"), &json!({ "muted": false })).await;
    assert_eq!(on.json()["channels"][0]["muted"], false);
    server.stop().await;
}

/// A browser's keys for Web Push.
struct Subscription {
    secret: SecretKey,
    auth: [u8; 16],
}

impl Subscription {
    fn public(&self) -> Vec<u8> {
        self.secret.public_key().to_sec1_point(false).as_bytes().to_vec()
    }

    /// Opens a message as RFC 8291 and RFC 8188 have it.
    fn open(&self, body: &[u8]) -> Value {
        let (salt, rest) = body.split_at(16);
        let length = usize::from(rest[4]);
        let (sender, sealed) = rest[5..].split_at(length);
        let key = PublicKey::from_sec1_bytes(sender).unwrap();
        let shared = p256::ecdh::diffie_hellman(self.secret.to_nonzero_scalar(), key.as_affine());
        let info = [b"WebPush: info\0".as_slice(), &self.public(), sender].concat();
        let mut secret = [0; 32];
        let extracted = Hkdf::<Sha256>::new(Some(&self.auth), shared.raw_secret_bytes());
        extracted.expand(&info, &mut secret).unwrap();
        let derived = Hkdf::<Sha256>::new(Some(salt), &secret);
        let (mut key, mut nonce) = ([0; 16], [0; 12]);
        derived.expand(b"Content-Encoding: aes128gcm\0", &mut key).unwrap();
        derived.expand(b"Content-Encoding: nonce\0", &mut nonce).unwrap();
        let cipher = Aes128Gcm::new_from_slice(&key).unwrap();
        let plain = cipher.decrypt(&Nonce::from(nonce), sealed).unwrap();
        let end = plain.iter().rposition(|byte| *byte == 2).expect("the last record");
        serde_json::from_slice(&plain[..end]).unwrap()
    }
}

/// Whether the call was signed with the key that the server shows.
fn is_signed(call: &Call, key: &str) -> bool {
    let authorization = call.header("authorization").unwrap().strip_prefix("vapid t=").unwrap();
    let (token, own) = authorization.split_once(", k=").unwrap();
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let key_bytes = BASE64.decode(key).unwrap();
    let signature = Signature::from_slice(&BASE64.decode(signature).unwrap()).unwrap();
    let verifier = VerifyingKey::from_sec1_bytes(&key_bytes).unwrap();
    let claims: Value =
        serde_json::from_slice(&BASE64.decode(signed.split('.').nth(1).unwrap()).unwrap()).unwrap();
    assert_eq!(claims["sub"], "mailto:linstock@example.org");
    own == key && verifier.verify(signed.as_bytes(), &signature).is_ok()
}

#[tokio::test]
async fn a_browser_is_told_what_nobody_on_the_way_can_read() {
    let (folder, letters, push) = (tempfile::tempdir().unwrap(), mail().await, web().await);
    let server = serve(folder.path(), notices(&letters)).await;
    let (mut client, mut browser) = (server.client(), bertram(&server).await);
    let subscription = Subscription { secret: SecretKey::from_slice(&[7; 32]).unwrap(), auth: [9; 16] };
    let ask = json!({ "endpoint": format!("http://{}/push/1", push.addr),
        "p256dh": BASE64.encode(subscription.public()), "auth": BASE64.encode(subscription.auth) });
    let face = browser.post("/notices/push", &ask).await.json();
    assert_eq!(face["channels"][0]["kind"], "push", "{face}");
    let bad = json!({ "endpoint": ask["endpoint"], "p256dh": "AAAA", "auth": ask["auth"] });
    assert_eq!(browser.post("/notices/push", &bad).await.code(), "malformed");
    let played = game(&mut browser, &mut client).await;
    assert_eq!(played.act(&mut client, 0, "seal 1").await.code(), "ok");
    let call = push.first(1).await[0].clone();
    let told = subscription.open(&call.body);
    assert_eq!((&told["tag"], &told["hash"]), (&json!(played.id), &json!(format!("#/mine/{}", played.id))));
    assert!(told["title"].as_str().unwrap().starts_with("Your turn in "), "{told}");
    assert!(!String::from_utf8_lossy(&call.body).contains("turn"));
    let terms = client.get("/api/v1/notices", None).await.json();
    assert!(is_signed(&call, terms["push"].as_str().unwrap()));
    assert_eq!(call.header("content-encoding"), Some("aes128gcm"));
    assert_eq!(call.header("topic").map(str::len), Some(16));
    // A browser that is gone is asked once.
    push.answer(Some("410 Gone"));
    assert_eq!(played.act(&mut client, 1, "seal 2").await.code(), "ok");
    let resign = json!({ "id": id(), "state": played.state(&mut client).await });
    assert_eq!(client.post(&played.path("resign"), Some(&played.tokens[0]), &resign).await.code(), "ok");
    push.first(2).await;
    a_while().await;
    assert_eq!(browser.get("/notices").await.json()["channels"], json!([]));
    server.stop().await;
}

#[tokio::test]
async fn webhooks_call_nobody_inside() {
    let (folder, letters, calls) = (tempfile::tempdir().unwrap(), mail().await, web().await);
    let strict = NoticeConfig { internal: Vec::new(), ..notices(&letters) };
    let server = serve(folder.path(), strict).await;
    let mut browser = bertram(&server).await;
    for url in [
        format!("http://{}/", calls.addr),
        format!("https://{}/", calls.addr),
        format!("https://localhost:{}/", calls.addr.port()),
        "https://169.254.169.254/latest/meta-data/".into(),
        "https://[::ffff:10.0.0.1]/".into(),
        "https://0x7f.1/".into(),
        "gopher://127.0.0.1/".into(),
        "https://user:word@1.1.1.1/".into(),
    ] {
        let refused = browser.post("/notices/webhook", &json!({ "url": url, "format": "json" })).await;
        assert_eq!(refused.code(), "malformed", "{url}");
    }
    server.stop().await;
    // One that was allowed is refused when it is called, and a call is followed nowhere.
    let server = serve(folder.path(), notices(&letters)).await;
    let mut browser = Browser { cookie: browser.cookie, ..Browser::new(server.addr) };
    let hook = json!({ "url": format!("http://{}/hook", calls.addr), "format": "discord" });
    assert_eq!(browser.post("/notices/webhook", &hook).await.code(), "ok");
    let mut client = server.client();
    let played = game(&mut browser, &mut client).await;
    calls.answer(Some("302 Found\r\nlocation: /elsewhere"));
    assert_eq!(played.act(&mut client, 0, "seal 1").await.code(), "ok");
    let call = calls.first(1).await[0].clone();
    let said: Value = serde_json::from_slice(&call.body).unwrap();
    assert_eq!(said["allowed_mentions"], json!({ "parse": [] }));
    a_while().await;
    assert_eq!(calls.all().len(), 1, "not followed, and not tried again");
    let fault = browser.get("/notices").await.json()["channels"][0]["fault"].clone();
    assert!(fault.as_str().unwrap().contains("302"), "{fault}");
    server.stop().await;
    let strict = NoticeConfig { internal: Vec::new(), ..notices(&letters) };
    let server = serve(folder.path(), strict).await;
    let mut client = server.client();
    assert_eq!(played.act(&mut client, 1, "seal 2").await.code(), "ok");
    let resign = json!({ "id": id(), "state": played.state(&mut client).await });
    assert_eq!(client.post(&played.path("resign"), Some(&played.tokens[0]), &resign).await.code(), "ok");
    a_while().await;
    assert_eq!(calls.all().len(), 1);
    server.stop().await;
}

#[tokio::test]
async fn what_players_write_stays_out_of_the_head_of_a_letter() {
    let (folder, letters) = (tempfile::tempdir().unwrap(), mail().await);
    let server = serve(folder.path(), notices(&letters)).await;
    let (mut client, mut browser) = (server.client(), bertram(&server).await);
    for address in [
        "b@example.org\r\nBcc: eve@example.org",
        "b@example.org>\r\nDATA",
        "b@example.org,eve@example.org",
        "B <b@example.org>",
    ] {
        let refused = browser.post("/notices/email", &json!({ "address": address })).await;
        assert_eq!(refused.code(), "malformed", "{address}");
        let refused = browser.post("/email/sign-in", &json!({ "address": address })).await;
        assert_eq!(refused.code(), "malformed", "{address}");
    }
    with_address(&mut browser, &letters).await;
    let game = |name: &str| json!({ "scenario": common::parley::OAK, "salt": salt(), "seats": { "first": here(name), "second": here("Bertram") } });
    for name in ["A\r\nBcc: eve@example.org", "A\u{2028}Bcc: eve@example.org", "A\u{0}"] {
        assert_eq!(client.post("/api/v1/games", None, &game(name)).await.code(), "bad_name");
    }
    let played = Game::with(&mut client, game("Änne Bcc: eve@example.org")).await;
    let seats = json!({ "seats": [{ "game": played.id, "token": played.tokens[1] }] });
    browser.post("/seats", &seats).await;
    assert_eq!(played.act(&mut client, 0, "seal 1").await.code(), "ok");
    let letter = letters.first(2).await[1].clone();
    assert_eq!(letter.to, ["RCPT TO:<bertram@example.org>"]);
    assert_eq!(letter.header("Bcc"), None, "{}", letter.text);
    server.stop().await;
}

#[tokio::test]
async fn a_link_signs_in_once_in_the_browser_that_asked() {
    let (folder, letters) = (tempfile::tempdir().unwrap(), mail().await);
    let server = serve(folder.path(), notices(&letters)).await;
    let mut browser = bertram(&server).await;
    with_address(&mut browser, &letters).await;
    let (mut phone, mut thief) = (Browser::new(server.addr), Browser::new(server.addr));
    let asked = phone.post("/email/sign-in", &json!({ "address": " BERTRAM@example.org" })).await;
    let cookie = asked.headers["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    // Nobody can tell that the address is unknown: the same answer, and no letter.
    let unknown = thief.post("/email/sign-in", &json!({ "address": "nobody@example.org" })).await;
    assert_eq!((unknown.status, &unknown.text), (asked.status, &asked.text));
    let token = letters.first(2).await[1].after("/#/enter/");
    let end = json!({ "token": token });
    // Stolen: without the cookie, and with another's.
    assert_eq!(thief.post("/email/sign-in/end", &end).await.code(), "sign_in_failed");
    let other = unknown.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    thief.more = vec![("cookie", other)];
    assert_eq!(thief.post("/email/sign-in/end", &end).await.code(), "sign_in_failed");
    let mut foreign = Browser::new(server.addr);
    foreign.origin = "https://evil.example".into();
    assert_eq!(foreign.post("/email/sign-in/end", &end).await.code(), "foreign_origin");
    // A link to confirm does not sign in, nor the other way round.
    assert_eq!(browser.post("/notices/email/end", &end).await.code(), "sign_in_failed");
    let own = cookie.split(';').next().unwrap().to_owned();
    phone.more = vec![("cookie", own)];
    let entered = phone.post("/email/sign-in/end", &end).await;
    assert_eq!(entered.json()["name"], "Bertram", "{}", entered.text);
    assert_eq!(phone.post("/email/sign-in/end", &end).await.code(), "sign_in_failed", "it was used");
    phone.more.clear();
    assert_eq!(phone.get("").await.json()["name"], "Bertram");
    a_while().await;
    assert_eq!(letters.all().len(), 2);
    // Another account cannot have the address, and follows no link of somebody else's.
    let mut eve = Browser::new(server.addr);
    eve.register("Eve", &mut Authenticator::new(5)).await;
    eve.post("/notices/email", &json!({ "address": "bertram@example.org" })).await;
    let confirm = letters.first(3).await[2].after("/#/confirm/");
    assert_eq!(
        browser.post("/notices/email/end", &json!({ "token": confirm })).await.code(),
        "sign_in_failed"
    );
    assert_eq!(eve.post("/notices/email/end", &json!({ "token": confirm })).await.code(), "quota");
    // Three letters to one address are enough; nobody is told.
    for _ in 0..3 {
        let again = phone.post("/email/sign-in", &json!({ "address": "bertram@example.org" })).await;
        assert_eq!(again.status.as_u16(), 204);
    }
    a_while().await;
    assert_eq!(letters.all().len(), 3);
    server.stop().await;
}

#[tokio::test]
async fn somebody_sits_down_and_wishes_are_heard() {
    let (folder, letters) = (tempfile::tempdir().unwrap(), mail().await);
    let server = serve(folder.path(), notices(&letters)).await;
    let (mut client, mut browser) = (server.client(), bertram(&server).await);
    with_address(&mut browser, &letters).await;
    let mut wishes = browser.get("/notices").await.json()["wishes"].clone();
    wishes["turn"] = json!(false);
    wishes["zone"] = json!("Europe/Berlin");
    assert_eq!(browser.post("/notices", &wishes).await.json()["wishes"], wishes);
    wishes["zone"] = json!("Mars");
    assert_eq!(browser.post("/notices", &wishes).await.code(), "malformed");
    let played = Game::create(&mut client, [link(), here("Bertram")]).await;
    let seats = json!({ "seats": [{ "game": played.id, "token": played.tokens[1] }] });
    browser.post("/seats", &seats).await;
    let invitation = played.created["seats"]["first"]["invitation"].as_str().unwrap();
    let claim = json!({ "invitation": invitation, "name": "Ada", "token": "a".repeat(64) });
    assert_eq!(client.post(&played.path("claim"), None, &claim).await.code(), "ok");
    let letter = letters.first(2).await[1].clone();
    assert!(letter.header("Subject").unwrap().starts_with("Ada has joined"), "{}", letter.text);
    // His turn he does not want to hear of.
    let state = client.get(&played.path("position"), Some(&"a".repeat(64))).await.json()["state"].clone();
    let act = json!({ "id": id(), "state": state, "action": "seal 1", "salt": salt() });
    assert_eq!(client.post(&played.path("acts"), Some(&"a".repeat(64)), &act).await.code(), "ok");
    a_while().await;
    assert_eq!(letters.all().len(), 2);
    let exported = browser.get("/export").await.json();
    assert_eq!(exported["notices"]["channels"][0]["label"], "bertram@example.org");
    server.stop().await;
}

#[tokio::test]
async fn without_a_word_from_the_operator_there_is_no_sign_of_notices() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::start(folder.path()).await;
    let terms = server.client().get("/api/v1/notices", None).await.json();
    assert_eq!(terms, json!({ "email": false, "push": null, "webhooks": false }));
    let mut browser = bertram(&server).await;
    assert_eq!(browser.get("/notices").await.code(), "no_such_page");
    let address = json!({ "address": "bertram@example.org" });
    assert_eq!(browser.post("/email/sign-in", &address).await.code(), "no_such_page");
    server.stop().await;
}
