//! Studies in the background: progress, report, quotas, stopping and going on. A shell script stands in for the program
//! that plays.
#![cfg(unix)]

use crate::common;

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use crate::common::client::{Answer, Client};
use crate::common::{Running, parley};
use hyper::Method;
use serde_json::{Value, json};
use server::{Config, Quotas};

/// Tells its progress and writes a report; `$1` is the study, `$3` the folder.
const QUICK: &str = r#"echo '{"done":0,"of":100}'; echo 'something else'; echo '{"done":100,"of":100}'
    mkdir -p "$3/batches"; cp "$1" "$3/summary.csv"; echo '<h1>Fair</h1>' > "$3/report.html""#;
/// The first time it plays until somebody ends it, the next time it comes to a report.
const SLOW: &str = r#"mkdir -p "$3"; echo '{"done":40,"of":100}'
    if [ -e "$3/pid" ]; then echo '<h1>Fair</h1>' > "$3/report.html"; exit; fi
    echo $$ > "$3/pid"; exec sleep 600"#;
const FAILING: &str = "echo 'linstock: the study file: no' >&2; exit 2";

fn script(text: &str) -> Option<Vec<OsString>> {
    Some(["sh", "-c", text, "study"].map(OsString::from).into())
}

async fn server(folder: &Path, study: Option<Vec<OsString>>, quotas: Quotas) -> Running {
    let proxies = vec!["127.0.0.0/8".parse().unwrap()];
    Running::with(Config { data: folder.to_owned(), study, quotas, proxies, ..common::config() }).await
}

fn ask() -> Value {
    json!({ "scenario": parley::OAK, "players": { "first": "captain", "second": "random" }, "games": 100 })
}

async fn send(client: &mut Client, method: Method, path: &str, body: Option<&Value>) -> Answer {
    let mut request = client.request(method, path, None, body);
    request.headers_mut().insert("x-forwarded-for", "203.0.113.7".parse().unwrap());
    client.send(request).await.unwrap()
}

async fn begin(client: &mut Client) -> String {
    let answer = send(client, Method::POST, "/api/v1/studies", Some(&ask())).await;
    assert_eq!(answer.status.as_u16(), 201, "{}", answer.text);
    answer.json()["id"].as_str().unwrap().to_owned()
}

/// Looks until the study is in that state.
async fn until(client: &mut Client, id: &str, state: &str) -> Value {
    let mut last = Value::Null;
    for _ in 0..400 {
        last = send(client, Method::GET, &format!("/api/v1/studies/{id}"), None).await.json();
        if last["state"] == state {
            return last;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("never {state}: {last}")
}

#[tokio::test]
async fn a_study_is_played_in_the_background_and_shown_apart_from_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let running = server(folder.path(), script(QUICK), Quotas::default()).await;
    let mut client = running.client();
    let id = begin(&mut client).await;
    let face = until(&mut client, &id, "done").await;
    assert_eq!((&face["done"], &face["of"], &face["rows"]), (&json!(100), &json!(100), &json!(1)));
    let report = send(&mut client, Method::GET, &format!("/api/v1/studies/{id}/report"), None).await;
    assert!(report.text.contains("<h1>Fair</h1>"));
    let policy = report.headers["content-security-policy"].to_str().unwrap();
    for part in ["default-src 'none'", "frame-ancestors 'self'", "sandbox "] {
        assert!(policy.contains(part), "{policy}");
    }
    // Its charts are drawn by a script that can reach neither the board nor any server.
    for part in ["allow-same-origin", "connect-src", "unsafe-eval", "allow-top"] {
        assert!(!policy.contains(part), "{policy}");
    }
    // The stand-in has copied the study file into the table: what was asked for is what is played.
    let table =
        send(&mut client, Method::GET, &format!("/api/v1/studies/{id}/tables/summary.csv"), None).await;
    for line in ["games = 100", "\"captain\"", "\"random\"", parley::OAK] {
        assert!(table.text.contains(line), "{line} is not in {}", table.text);
    }
    assert!(!folder.path().join(format!("studies/{id}/out/batches")).exists());
    let foreign =
        send(&mut client, Method::GET, &format!("/api/v1/studies/{id}/tables/about.json"), None).await;
    assert_eq!(foreign.code(), "no_such_study");
    running.stop().await;
    // A restart does not forget it.
    let running = server(folder.path(), script(QUICK), Quotas::default()).await;
    until(&mut running.client(), &id, "done").await;
    running.stop().await;
}

#[tokio::test]
async fn a_study_can_be_stopped_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let running = server(folder.path(), script(SLOW), Quotas::default()).await;
    let mut client = running.client();
    let id = begin(&mut client).await;
    let pid = folder.path().join(format!("studies/{id}/out/pid"));
    for _ in 0..400 {
        if std::fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n')) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    let early = send(&mut client, Method::GET, &format!("/api/v1/studies/{id}/report"), None).await;
    assert_eq!(early.code(), "no_such_study");
    let stopped =
        send(&mut client, Method::POST, &format!("/api/v1/studies/{id}/stop"), Some(&json!({}))).await;
    assert_eq!(stopped.json()["state"], "stopped");
    let process = format!("/proc/{}/cmdline", std::fs::read_to_string(&pid).unwrap().trim());
    for _ in 0..400 {
        if std::fs::read(&process).is_ok_and(|line| !line.is_empty()) {
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }
    assert!(!std::fs::read(&process).is_ok_and(|line| !line.is_empty()), "the program is ended");
    let path = format!("/api/v1/studies/{id}/continue");
    assert_eq!(send(&mut client, Method::POST, &path, Some(&json!({}))).await.code(), "ok");
    until(&mut client, &id, "done").await;
    running.stop().await;
}

#[tokio::test]
async fn a_study_that_a_restart_interrupts_goes_on_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let running = server(folder.path(), script(SLOW), Quotas::default()).await;
    let mut client = running.client();
    let id = begin(&mut client).await;
    let pid = folder.path().join(format!("studies/{id}/out/pid"));
    while !pid.exists() {
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    running.stop().await;
    let running = server(folder.path(), script(SLOW), Quotas::default()).await;
    until(&mut running.client(), &id, "done").await;
    running.stop().await;
}

#[tokio::test]
async fn a_study_that_takes_too_long_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let quotas = Quotas { study_time: Duration::from_millis(300), ..Quotas::default() };
    let running = server(folder.path(), script(SLOW), quotas).await;
    let mut client = running.client();
    let id = begin(&mut client).await;
    let face = until(&mut client, &id, "stopped").await;
    let message = face["message"].as_str().unwrap();
    assert!(message.contains("of 100 games played"), "{message}");
    running.stop().await;
}

#[tokio::test]
async fn an_address_begins_so_many_studies_a_day() {
    let folder = tempfile::tempdir().unwrap();
    let quotas = Quotas { studies_a_day: 2, ..Quotas::default() };
    let running = server(folder.path(), script(QUICK), quotas).await;
    let mut client = running.client();
    begin(&mut client).await;
    let id = begin(&mut client).await;
    until(&mut client, &id, "done").await;
    assert_eq!(send(&mut client, Method::POST, "/api/v1/studies", Some(&ask())).await.code(), "quota");
    let terms = send(&mut client, Method::GET, "/api/v1/studies", None).await.json();
    assert_eq!((&terms["a_day"], &terms["left"]), (&json!(2), &json!(0)));
    assert!(terms["more_at"].as_u64().is_some());
    // Not even a restart makes it forget; the machine itself may have more.
    running.stop().await;
    let running = server(folder.path(), script(QUICK), quotas).await;
    let mut client = running.client();
    until(&mut client, &id, "done").await;
    assert_eq!(send(&mut client, Method::POST, "/api/v1/studies", Some(&ask())).await.code(), "quota");
    assert_eq!(client.post("/api/v1/studies", None, &ask()).await.code(), "ok");
    running.stop().await;
}

#[tokio::test]
async fn what_cannot_be_studied_is_told_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let running =
        server(folder.path(), script(FAILING), Quotas { studies_a_day: 100, ..Quotas::default() }).await;
    let mut client = running.client();
    let wrong = [
        ("players", json!({ "first": "captain", "second": "admiral" }), "no_such_level", "captain"),
        ("games", json!(10), "malformed", "50 to 2000"),
        ("changes", json!(["fog"]), "malformed", "fog"),
        ("changes", json!(["fog", "fog"]), "malformed", "once"),
        ("scenario", json!("parley/elm"), "no_such_scenario", "parley/elm"),
    ];
    for (key, value, code, named) in wrong {
        let mut ask = ask();
        ask[key] = value;
        let answer = send(&mut client, Method::POST, "/api/v1/studies", Some(&ask)).await;
        assert_eq!(answer.code(), code);
        let message = answer.json()["message"].as_str().unwrap().to_owned();
        assert!(message.contains(named), "{message}");
    }
    let id = begin(&mut client).await;
    let face = until(&mut client, &id, "failed").await;
    assert_eq!(face["message"], "the study file: no");
    running.stop().await;
    let running = server(folder.path(), None, Quotas::default()).await;
    let mut client = running.client();
    assert_eq!(send(&mut client, Method::POST, "/api/v1/studies", Some(&ask())).await.code(), "quota");
    assert_eq!(send(&mut client, Method::GET, "/api/v1/studies", None).await.json()["a_day"], 0);
    running.stop().await;
}
