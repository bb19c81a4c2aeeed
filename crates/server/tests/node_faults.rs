//! Servers that die, a database that crashes, connections that are cut; the long run is `make faults`.

#[path = "../../store/tests/cluster/mod.rs"]
mod cluster;
mod common;
#[path = "trial/faults.rs"]
mod trial;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::process::Command;
use trial::{Trial, run};

const DATABASE: &str = "LINSTOCK_TEST_DATABASE";
const ADDR: &str = "LINSTOCK_TEST_ADDR";

fn serve(url: &str, addr: SocketAddr) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "the_server_that_suffers", "--ignored", "--nocapture"]);
    command.env(DATABASE, url).env(ADDR, addr.to_string()).env("LINSTOCK_LOG", "off");
    command
}

fn calm() -> Trial {
    Trial {
        games: 30,
        computers: 5,
        kills: 0,
        crashes: 0,
        cuts: 0,
        rolled: 0,
        between: Duration::from_secs(2),
        breath: Duration::from_millis(20),
        scenario: common::parley::LONG.into(),
        seed: 1863,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_and_every_game_goes_on() {
    let trial = Trial { kills: 4, crashes: 1, cuts: 2, ..calm() };
    let found = run(trial, Arc::new(common::parley::Oak), serve).await;
    eprintln!("{found}");
    assert!(found.acknowledged > 300, "{found:?}");
    assert!(found.longest_wait < Duration::from_secs(20), "{found:?}");
    assert!(found.longest_thought < Duration::from_secs(20), "{found:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_server_after_the_other_is_replaced_under_load() {
    let trial = Trial { rolled: 3, seed: 1815, ..calm() };
    let found = run(trial, Arc::new(common::parley::Oak), serve).await;
    eprintln!("{found}");
    assert!(found.acknowledged > 300, "{found:?}");
    assert!(found.longest_silence < Duration::from_secs(5), "{found:?}");
}

/// Not a test: this program again, as one of the servers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by the tests above"]
async fn the_server_that_suffers() {
    let (Ok(url), Ok(addr)) = (std::env::var(DATABASE), std::env::var(ADDR)) else { return };
    let config =
        server::Config { database: Some(url), addr: addr.parse().unwrap(), ops: None, ..common::config() };
    server::serve(config).await.unwrap();
}
