//! `kill -9` at random moments; the long run is `cargo run --release -p server --example durability`.

use crate::common;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use crate::common::durability::{Trial, run};
use tokio::process::Command;

const FOLDER: &str = "LINSTOCK_TEST_FOLDER";
const ADDR: &str = "LINSTOCK_TEST_ADDR";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let addr = free_address();
    let program = std::env::current_exe().unwrap();
    let serve = || {
        let mut command = Command::new(&program);
        command.args(["--exact", "durability::the_server_that_is_killed", "--ignored", "--nocapture"]);
        command.env(FOLDER, folder.path()).env(ADDR, addr.to_string());
        command
    };
    let trial = Trial {
        games: 24,
        kills: 3,
        between: Duration::from_millis(600),
        scenario: common::parley::OAK.into(),
        seed: 1863,
    };
    let found = run(trial, folder.path(), addr, Arc::new(common::parley::Oak), serve).await;
    assert!(found.acknowledged > 100, "{found:?}");
}

/// Not a test: this program again, as the server that the test kills.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by nothing_acknowledged_is_lost"]
async fn the_server_that_is_killed() {
    let (Some(folder), Ok(addr)) = (std::env::var_os(FOLDER), std::env::var(ADDR)) else { return };
    let config = server::Config { data: folder.into(), addr: addr.parse().unwrap(), ..common::config() };
    server::serve(config).await.unwrap();
}

fn free_address() -> SocketAddr {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}
