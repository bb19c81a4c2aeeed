//! Scenarios that take too long, as strangers may send them, stop nobody.

mod common;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use common::client::Client;
use common::{Game, Running, here, salt};
use serde_json::{Value, json};
use tokio::process::Command;

const FOLDER: &str = "LINSTOCK_TEST_FOLDER";
const ADDR: &str = "LINSTOCK_TEST_ADDR";

fn this_program(test: &str) -> Vec<std::ffi::OsString> {
    let program = std::env::current_exe().unwrap().into_os_string();
    let arguments = ["--exact", test, "--ignored", "--nocapture", "--quiet"];
    std::iter::once(program).chain(arguments.map(Into::into)).collect()
}

fn slow(seconds: u64) -> Value {
    let text = format!("system = \"parley\"\nrounds = 12\nslow = {seconds}\n# {}", common::id());
    json!({ "scenario": "parley/mine", "text": text, "salt": salt(),
        "seats": { "first": here("Eve"), "second": here("Mallory") } })
}

fn config(folder: &std::path::Path) -> server::Config {
    server::Config {
        data: folder.to_owned(),
        trial: Some(this_program("the_program_that_tries_a_scenario")),
        compile_within: Duration::from_secs(1),
        ..common::config()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_plays_on_while_it_is_attacked() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::with(config(folder.path())).await;
    let mut client = server.client();
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    let attack: Vec<_> = (0..8)
        .map(|_| {
            let mut client = server.client();
            tokio::spawn(async move { client.post("/api/v1/games", None, &slow(3600)).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let mut times = Vec::new();
    for _ in 0..12 {
        let started = Instant::now();
        game.round(&mut client).await;
        times.push(started.elapsed() / 7);
        tokio::time::sleep(Duration::from_millis(50)).await;
        if game.decides(&mut client).await.is_none() {
            break;
        }
    }
    times.sort();
    let slowest = times.last().unwrap();
    assert!(*slowest < Duration::from_millis(1000), "a request took {slowest:?}");
    assert_eq!(client.get("/healthz", None).await.code(), "ok");
    let mut codes = Vec::new();
    for attempt in attack {
        let answer = attempt.await.unwrap();
        if answer.code() == "faulty_scenario" {
            assert!(answer.text.contains("takes too long"), "{}", answer.text);
        }
        codes.push(answer.code());
    }
    assert!(codes.iter().all(|code| code == "faulty_scenario" || code == "busy"), "{codes:?}");
    assert!(codes.iter().any(|code| code == "busy"), "{codes:?}");
    assert!(server.metric("linstock_busy_total").await >= 1.0);
    // A scenario that holds is set up all the same, and told of its faults when it does not.
    assert_eq!(client.post("/api/v1/games", None, &slow(0)).await.status.as_u16(), 201);
    let mut faulty = slow(0);
    faulty["text"] = json!("system = \"parley\"\n");
    let told = client.post("/api/v1/games", None, &faulty).await;
    assert!(told.code() == "faulty_scenario" && told.text.contains("rounds"), "{}", told.text);
    faulty["text"] = json!("#".repeat(300_000));
    assert_eq!(client.post("/api/v1/games", None, &faulty).await.code(), "too_large");
    server.stop().await;
}

/// Not a test: this program again, as the one that tries a scenario out.
#[test]
#[ignore = "run by the_server_plays_on_while_it_is_attacked"]
fn the_program_that_tries_a_scenario() {
    use std::io::IsTerminal;
    if std::io::stdin().is_terminal() || std::env::args().all(|argument| argument != "--exact") {
        return;
    }
    server::trial(&common::parley::Oak).unwrap();
    // The verdict stands alone on the standard output.
    std::process::exit(0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_ends_in_five_seconds_whatever_it_does() {
    let folder = tempfile::tempdir().unwrap();
    let addr: SocketAddr = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let program = this_program("the_server_that_is_told_to_end");
    let mut command = Command::new(&program[0]);
    command.args(&program[1..]).env(FOLDER, folder.path()).env(ADDR, addr.to_string()).kill_on_drop(true);
    // What it logs can be read by a machine.
    let log = folder.path().join("log");
    command.env("LINSTOCK_LOG_JSON", "1").stderr(std::fs::File::create(&log).unwrap());
    let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    let mut client = Client::new(addr);
    loop {
        let request = client.request(hyper::Method::GET, "/healthz", None, None);
        if client.send(request).await.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    for _ in 0..3 {
        let mut client = Client::new(addr);
        tokio::spawn(async move {
            let request = client.request(hyper::Method::POST, "/api/v1/games", None, Some(&slow(60)));
            let _ = client.send(request).await;
        });
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let started = Instant::now();
    let pid = child.id().unwrap().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().await.unwrap().success());
    let ended = tokio::time::timeout(Duration::from_secs(8), child.wait()).await;
    assert!(ended.is_ok(), "it still runs");
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    let log = std::fs::read_to_string(log).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let said = |line: &Value| line["level"] == "INFO" && line["fields"]["message"] == "going down";
    assert!(lines.iter().any(said), "{log}");
}

/// Not a test: this program again, as a server without a program for trials: the work itself cannot be ended.
#[test]
#[ignore = "run by the_server_ends_in_five_seconds_whatever_it_does"]
fn the_server_that_is_told_to_end() {
    let (Some(folder), Ok(addr)) = (std::env::var_os(FOLDER), std::env::var(ADDR)) else { return };
    let config =
        server::Config { data: folder.into(), addr: addr.parse().unwrap(), ops: None, ..common::config() };
    server::run(config).unwrap();
    // As a program does whose work is done.
    std::process::exit(0);
}
