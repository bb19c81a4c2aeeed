//! A thousand open games, each with a player listening, and a steady stream of random acts.
//!
//! `cargo run --release -p server --example load -- [--games 1000] [--rate 300] [--seconds 60] [--scenario ID] [--program linstock]
//! [--database postgres://… [--nodes 3]]`: without a database it is SQLite in a temporary folder; with several nodes each game has
//! one that it goes to, as a proxy would do it.
//!
//! The stream does not wait for answers: each act is due at its own time, and its latency counts from then on.

#[path = "../tests/common/mod.rs"]
mod common;

use std::io::Write;
use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use common::client::Client;
use futures_util::{SinkExt, StreamExt};
use hyper::Method;
use serde::Deserialize;
use serde_json::json;
use server::{Books, Config, Quotas, Rate, Standard};
use tokio::process::{Child, Command};
use tokio::sync::Mutex;
use tokio_tungstenite::tungstenite::Message;

type Failed = Box<dyn std::error::Error + Send + Sync>;

fn option(name: &str) -> Option<String> {
    let mut args = std::env::args().skip_while(|arg| arg != name);
    args.next()?;
    args.next()
}

fn books(scenario: &str) -> Arc<dyn Books> {
    if scenario == common::parley::OAK { Arc::new(common::parley::Oak) } else { Arc::new(Standard) }
}

#[derive(Deserialize)]
struct Acted {
    position: Position,
}

#[derive(Deserialize)]
struct Position {
    state: u64,
    offers: Vec<Offer>,
}

#[derive(Deserialize)]
struct Offer {
    action: String,
}

struct Game {
    id: String,
    tokens: [String; 2],
    state: u64,
    actions: Vec<String>,
}

impl Game {
    fn both(&self) -> String {
        self.tokens.join(" ")
    }

    fn take(&mut self, position: Position) {
        self.state = position.state;
        self.actions = position.offers.into_iter().map(|offer| offer.action).collect();
    }
}

struct Crowd {
    addr: SocketAddr,
    idle: Mutex<Vec<Client>>,
    sent: AtomicU64,
}

impl Crowd {
    async fn client(&self) -> Client {
        self.idle.lock().await.pop().unwrap_or_else(|| Client::new(self.addr))
    }

    async fn back(&self, client: Client) {
        self.idle.lock().await.push(client);
    }

    fn next(&self) -> u64 {
        self.sent.fetch_add(1, Ordering::Relaxed)
    }

    async fn create(&self, scenario: &str) -> Result<Game, Failed> {
        let mut client = self.client().await;
        let here = json!({ "kind": "here", "name": "Ada" });
        let salt = format!("{:032x}", self.next());
        let new = json!({ "scenario": scenario, "salt": salt, "seats": { "first": here, "second": here } });
        let request = client.request(Method::POST, "/api/games", None, Some(&new));
        let created = client.send(request).await?.json();
        let token = |side: &str| created["seats"][side]["token"].as_str().unwrap_or("").to_owned();
        let id = created["game"].as_str().ok_or_else(|| created.to_string())?.to_owned();
        let mut game = Game { id, tokens: [token("first"), token("second")], state: 0, actions: Vec::new() };
        let request = client.request(
            Method::GET,
            &format!("/api/games/{}/position", game.id),
            Some(&game.both()),
            None,
        );
        game.take(serde_json::from_str(&client.send(request).await?.text)?);
        self.back(client).await;
        Ok(game)
    }

    /// Plays one random act.
    async fn act(&self, game: &mut Game) -> Result<(), Failed> {
        let n = self.next();
        let pick = (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) as usize % game.actions.len();
        let body = json!({ "id": format!("load-{n:010}"), "state": game.state, "action": game.actions[pick], "salt": format!("{n:032x}") });
        let mut client = self.client().await;
        let request = client.request(
            Method::POST,
            &format!("/api/games/{}/acts", game.id),
            Some(&game.both()),
            Some(&body),
        );
        let answer = client.send(request).await?;
        if answer.code() != "ok" {
            return Err(answer.text.into());
        }
        self.back(client).await;
        let acted: Acted = serde_json::from_str(&answer.text)?;
        game.take(acted.position);
        Ok(())
    }

    /// Listens to a game as its first side, for as long as the program runs.
    async fn listen(&self, game: &Game) -> Result<(), Failed> {
        let url = format!("ws://{}/api/games/{}/live", self.addr, game.id);
        let (mut socket, _) = tokio_tungstenite::connect_async(url).await?;
        let hello = json!({ "type": "hello", "token": game.tokens[0] });
        socket.send(Message::text(hello.to_string())).await?;
        tokio::spawn(async move { while let Some(Ok(_)) = socket.next().await {} });
        Ok(())
    }
}

/// Resident memory of a process, in bytes.
fn memory(child: &Child) -> u64 {
    let id = child.id().unwrap_or(0);
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// Seconds of processor time that a process has had; the kernel counts in hundredths.
fn processor(child: &Child) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id().unwrap_or(0))).unwrap_or_default();
    let after_name = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let ticks: u64 = after_name.split(' ').skip(11).take(2).filter_map(|n| n.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}

/// What SQLite has on disk.
fn disk(folder: &std::path::Path) -> u64 {
    ["linstock.sqlite", "linstock.sqlite-wal"]
        .iter()
        .filter_map(|name| std::fs::metadata(folder.join(name)).ok())
        .map(|file| file.len())
        .sum()
}

/// A server, and whoever plays there.
async fn start(folder: &std::path::Path, scenario: &str) -> Result<(Child, Arc<Crowd>), Failed> {
    let addr: SocketAddr = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let mut command = match option("--program") {
        Some(program) => {
            let mut command = Command::new(program);
            command.args([
                "serve",
                "--rate",
                "100000",
                "--max-games",
                "1000000",
                "--games-an-hour",
                "1000000",
            ]);
            command.args(["--max-megabytes", "1000000", "--data"]).arg(folder);
            command
        }
        None => {
            let mut command = Command::new(std::env::current_exe()?);
            command.arg("--serve").arg(folder).args(["--scenario", scenario]);
            command
        }
    };
    if let Some(database) = option("--database") {
        command.args(["--database", &database]);
    }
    command.args(["--addr", &addr.to_string()]);
    command.env("LINSTOCK_LOG", "warn").stdout(Stdio::null()).kill_on_drop(true);
    let child = command.spawn()?;
    for _ in 0..1000 {
        if tokio::net::TcpStream::connect(addr).await.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok((child, Arc::new(Crowd { addr, idle: Mutex::default(), sent: AtomicU64::new(0) })))
}

#[tokio::main]
async fn main() -> Result<(), Failed> {
    let scenario = option("--scenario").unwrap_or_else(|| "battle-hymn/mcphersons-ridge".into());
    if let Some(folder) = option("--serve") {
        let addr = option("--addr").ok_or("--addr is missing")?.parse()?;
        let (data, database) = (folder.into(), option("--database"));
        let quotas = Quotas { games: 1 << 40, bytes: 1 << 50, games_an_hour: 1_000_000, ..Quotas::default() };
        let rate = Rate { per_second: 1e5, burst: 100_000 };
        let config =
            Config { data, database, addr, books: books(&scenario), quotas, rate, ..Config::default() };
        server::serve(Config { connections: 100_000, ..config }).await?;
        return Ok(());
    }
    let number = |name: &str, default: u64| option(name).and_then(|n| n.parse().ok()).unwrap_or(default);
    let (games, rate, seconds) = (number("--games", 1000), number("--rate", 300), number("--seconds", 60));
    let folder = tempfile::tempdir()?;
    let (mut children, mut crowds) = (Vec::new(), Vec::new());
    for _ in 0..number("--nodes", 1) {
        let (child, crowd) = start(folder.path(), &scenario).await?;
        children.push(child);
        crowds.push(crowd);
    }
    let memory = || children.iter().map(memory).sum::<u64>();
    // The first game brings the scenario into memory; it counts for none.
    for crowd in &crowds {
        crowd.create(&scenario).await?;
    }
    let empty = memory();
    let mut table = Vec::new();
    let places: Vec<Arc<Crowd>> = crowds.iter().cycle().take(games as usize).cloned().collect();
    for some in places.chunks(16) {
        let create = |crowd: &Arc<Crowd>| {
            let (crowd, scenario) = (crowd.clone(), scenario.clone());
            tokio::spawn(async move { crowd.create(&scenario).await })
        };
        let created: Vec<_> = some.iter().map(create).collect();
        for game in created {
            table.push(game.await??);
        }
    }
    let (created, on_disk) = (memory(), disk(folder.path()));
    for (crowd, game) in crowds.iter().cycle().zip(&table) {
        crowd.listen(game).await?;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let open = memory();
    let processor = || children.iter().map(processor).sum::<f64>();
    let idle = processor();
    tokio::time::sleep(Duration::from_secs(5)).await;
    let (before, idle) = (processor(), (processor() - idle) / 5.0);

    let table: Arc<Vec<Mutex<Game>>> = Arc::new(table.into_iter().map(Mutex::new).collect());
    let total = rate * seconds;
    let began = Instant::now();
    let mut acts = Vec::new();
    let late = Arc::new(AtomicU64::new(0));
    for n in 0..total {
        let due = began + Duration::from_nanos(n * 1_000_000_000 / rate);
        tokio::time::sleep_until(due.into()).await;
        let index = (n % table.len() as u64) as usize;
        let crowd = crowds[index % crowds.len()].clone();
        let (table, scenario, late) = (table.clone(), scenario.clone(), late.clone());
        acts.push(tokio::spawn(async move {
            let mut game = table[index].lock().await;
            if game.actions.is_empty() {
                *game = crowd.create(&scenario).await?;
                late.fetch_add(1, Ordering::Relaxed);
                return Ok(None);
            }
            crowd.act(&mut game).await?;
            Ok::<_, Failed>(Some(due.elapsed()))
        }));
    }
    let mut times = Vec::with_capacity(acts.len());
    for act in acts {
        times.extend(act.await??);
    }
    let took = began.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    let played = memory();
    let busy = processor() - before;
    let kib = |bytes: u64| bytes as f64 / 1024.0;
    let mut out = std::io::stdout();
    writeln!(
        out,
        "{scenario}: {games} open games, each with a listener; {} acts in {took:.1} s ({:.0} a second)",
        times.len(),
        times.len() as f64 / took
    )?;
    writeln!(
        out,
        "latency ms: 50 % {:.2}  90 % {:.2}  99 % {:.2}  99.9 % {:.2}  most {:.2}",
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999),
        at(1.0)
    )?;
    writeln!(
        out,
        "memory: {:.1} MiB with one game; {:.1} KiB a new game; {:.1} KiB more with its listener; {:.1} KiB a game after {:.0} acts each",
        kib(empty) / 1024.0,
        kib(created.saturating_sub(empty)) / games as f64,
        kib(open.saturating_sub(created)) / games as f64,
        kib(played.saturating_sub(open)) / games as f64,
        times.len() as f64 / games as f64,
    )?;
    writeln!(
        out,
        "processor: {:.2} ms an act; {:.1} % of a core with all games open and nobody acting",
        busy * 1000.0 / times.len() as f64,
        idle * 100.0
    )?;
    if option("--database").is_none() {
        writeln!(
            out,
            "disk: {:.1} KiB a new game, {:.2} KiB an act",
            kib(on_disk) / games as f64,
            kib(disk(folder.path()).saturating_sub(on_disk)) / times.len() as f64
        )?;
    }
    for mut child in children {
        child.kill().await?;
    }
    Ok(())
}
