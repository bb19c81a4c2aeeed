//! The long trial: three servers on one PostgreSQL, 500 games of random acts, servers killed, the database crashed, connections
//! cut, then one server after the other replaced. Prints what was found.
//!
//! `faults [--games 500] [--kills 20] [--crashes 3] [--cuts 6] [--rolled 3] [--scenario ID]`

#[path = "../../store/tests/cluster/mod.rs"]
mod cluster;
#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/trial/faults.rs"]
mod trial;

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use server::{Books, Config, Standard};
use tokio::process::Command;
use trial::{Trial, run};

fn option(name: &str) -> Option<String> {
    let mut args = std::env::args().skip_while(|arg| arg != name);
    args.next()?;
    args.next()
}

/// The library of the program, or the tests' own system where the scenario is of that.
fn books(scenario: &str) -> Arc<dyn Books> {
    if scenario.starts_with("parley/") { Arc::new(common::parley::Oak) } else { Arc::new(Standard) }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scenario = option("--scenario").unwrap_or_else(|| "battle-hymn/drill".into());
    if let Some(url) = option("--serve") {
        let addr = option("--addr").ok_or("--addr is missing")?.parse()?;
        let config = Config { database: Some(url), addr, books: books(&scenario), ..Config::default() };
        server::serve(Config { rate: server::Rate { per_second: 1e5, burst: 100_000 }, ..config }).await?;
        return Ok(());
    }
    let program = std::env::current_exe()?;
    let serve = |url: &str, addr: SocketAddr| {
        let mut command = Command::new(&program);
        command.args(["--serve", url, "--addr", &addr.to_string(), "--scenario", &scenario]);
        command.env("LINSTOCK_LOG", "off");
        command
    };
    let number = |name: &str, default: u64| option(name).and_then(|n| n.parse().ok()).unwrap_or(default);
    let trial = Trial {
        games: number("--games", 500),
        computers: number("--computers", 10),
        kills: number("--kills", 20),
        crashes: number("--crashes", 3),
        cuts: number("--cuts", 6),
        rolled: number("--rolled", 0),
        between: Duration::from_secs(number("--between", 8)),
        breath: Duration::from_millis(number("--breath", 2000)),
        scenario: scenario.clone(),
        seed: number("--seed", 1),
    };
    let mut out = std::io::stdout();
    writeln!(out, "{trial:?}")?;
    let found = run(trial, books(&scenario), serve).await;
    writeln!(out, "{found}")?;
    Ok(())
}
