//! The long trial: 200 games of random actions, the server killed ten times.
//!
//! `cargo run --release -p server --example durability -- [--games 200] [--kills 10] [--scenario ID]`

#[path = "../tests/common/mod.rs"]
mod common;

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use common::durability::{Trial, run};
use server::{Books, Config, Standard};
use tokio::process::Command;

fn option(name: &str) -> Option<String> {
    let mut args = std::env::args().skip_while(|arg| arg != name);
    args.next()?;
    args.next()
}

/// The library of the program, or the tests' own system where the scenario is of that.
fn books(scenario: &str) -> Arc<dyn Books> {
    if scenario == common::parley::OAK { Arc::new(common::parley::Oak) } else { Arc::new(Standard) }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scenario = option("--scenario").unwrap_or_else(|| "battle-hymn/mcphersons-ridge".into());
    if let Some(folder) = option("--serve") {
        let addr = option("--addr").ok_or("--addr is missing")?.parse()?;
        server::serve(Config { data: folder.into(), addr, books: books(&scenario), ..Config::default() })
            .await?;
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let addr: SocketAddr = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let program = std::env::current_exe()?;
    let serve = || {
        let mut command = Command::new(&program);
        command.arg("--serve").arg(folder.path()).args([
            "--addr",
            &addr.to_string(),
            "--scenario",
            &scenario,
        ]);
        command.env("LINSTOCK_LOG", "error");
        command
    };
    let number = |name: &str, default: u64| option(name).and_then(|n| n.parse().ok()).unwrap_or(default);
    let trial = Trial {
        games: number("--games", 200),
        kills: number("--kills", 10),
        between: Duration::from_secs(number("--between", 6)),
        scenario: scenario.clone(),
        seed: number("--seed", 1),
    };
    let games = trial.games;
    let found = run(trial, folder.path(), addr, books(&scenario), serve).await;
    writeln!(
        std::io::stdout(),
        "{games} games of {scenario}, {} kills, {:.0} s: {} acknowledged actions, all there, in order and once; \
         {} requests sent again; every journal verifies.",
        found.kills,
        found.seconds,
        found.acknowledged,
        found.retried,
    )?;
    Ok(())
}
