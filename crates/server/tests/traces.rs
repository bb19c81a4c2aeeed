//! Traces reach a collector: a stand-in on the loopback, and the server as a program of its own.

mod common;

use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::routing::post;
use common::client::Client;
use common::{Game, here};
use tokio::process::Command;

const FOLDER: &str = "LINSTOCK_TEST_FOLDER";
const ADDR: &str = "LINSTOCK_TEST_ADDR";
const COLLECTOR: &str = "LINSTOCK_TEST_COLLECTOR";

type Received = Arc<Mutex<Vec<u8>>>;

async fn collect(State(received): State<Received>, headers: HeaderMap, body: Bytes) {
    assert_eq!(headers[header::CONTENT_TYPE], "application/x-protobuf");
    received.lock().unwrap().extend_from_slice(&body);
}

/// Names are written in the message as they are.
fn told(received: &Received, name: &str) -> bool {
    received.lock().unwrap().windows(name.len()).any(|bytes| bytes == name.as_bytes())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_acts_and_transactions_are_traced() {
    let received = Received::default();
    let collector = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", collector.local_addr().unwrap());
    let router = Router::new().route("/v1/traces", post(collect)).with_state(received.clone());
    tokio::spawn(async move { axum::serve(collector, router).await.unwrap() });

    let folder = tempfile::tempdir().unwrap();
    let addr: SocketAddr = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "the_server_that_is_traced", "--ignored", "--nocapture", "--quiet"]);
    command.env(FOLDER, folder.path()).env(ADDR, addr.to_string()).env(COLLECTOR, url);
    let mut child = command.stdout(Stdio::null()).kill_on_drop(true).spawn().unwrap();
    let mut client = Client::new(addr);
    loop {
        let request = client.request(hyper::Method::GET, "/healthz", None, None);
        if client.send(request).await.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let game = Game::create(&mut client, [here("Ada"), here("Bertram")]).await;
    assert_eq!(game.act(&mut client, 0, "seal 1").await.code(), "ok");
    // What was not sent yet is sent when the server goes down.
    let pid = child.id().unwrap().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().await.unwrap().success());
    child.wait().await.unwrap();
    let names = ["POST /api/v1/games/{game}/acts", "act", "transaction", "linstock", "http.route", &game.id];
    for name in names {
        assert!(told(&received, name), "no {name} in {} bytes", received.lock().unwrap().len());
    }
    assert!(!told(&received, &game.tokens[0]), "no secrets are told");
}

/// Not a test: this program again, as a server.
#[test]
#[ignore = "run by requests_acts_and_transactions_are_traced"]
fn the_server_that_is_traced() {
    let (Some(folder), Ok(addr)) = (std::env::var_os(FOLDER), std::env::var(ADDR)) else { return };
    let otlp = std::env::var(COLLECTOR).ok();
    let addr = addr.parse().unwrap();
    server::run(server::Config { data: folder.into(), addr, ops: None, otlp, ..common::config() }).unwrap();
    std::process::exit(0);
}
