//! A thousand open games, each with a player listening, and a steady stream of random acts.
//!
//! `cargo run --release -p server --example load -- [--games 1000] [--rate 300] [--seconds 60] [--scenario ID] [--program linstock]`
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
use server::{Books, Config, Standard};
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

#[tokio::main]
async fn main() -> Result<(), Failed> {
    let scenario = option("--scenario").unwrap_or_else(|| "battle-hymn/mcphersons-ridge".into());
    if let Some(folder) = option("--serve") {
        let addr = option("--addr").ok_or("--addr is missing")?.parse()?;
        server::serve(Config { data: folder.into(), addr, books: books(&scenario), ..Config::default() })
            .await?;
        return Ok(());
    }
    let number = |name: &str, default: u64| option(name).and_then(|n| n.parse().ok()).unwrap_or(default);
    let (games, rate, seconds) = (number("--games", 1000), number("--rate", 300), number("--seconds", 60));
    let folder = tempfile::tempdir()?;
    let addr: SocketAddr = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let mut command = match option("--program") {
        Some(program) => {
            let mut command = Command::new(program);
            command.args(["serve", "--data"]).arg(folder.path());
            command
        }
        None => {
            let mut command = Command::new(std::env::current_exe()?);
            command.arg("--serve").arg(folder.path()).args(["--scenario", &scenario]);
            command
        }
    };
    command.args(["--addr", &addr.to_string()]);
    command.env("LINSTOCK_LOG", "warn").stdout(Stdio::null()).kill_on_drop(true);
    let mut child = command.spawn()?;
    let crowd = Arc::new(Crowd { addr, idle: Mutex::default(), sent: AtomicU64::new(0) });
    for _ in 0..1000 {
        if tokio::net::TcpStream::connect(addr).await.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // The first game brings the scenario into memory; it counts for none.
    crowd.create(&scenario).await?;
    let empty = memory(&child);
    let mut table = Vec::new();
    for _ in 0..games {
        table.push(crowd.create(&scenario).await?);
    }
    let created = memory(&child);
    for game in &table {
        crowd.listen(game).await?;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let open = memory(&child);

    let table: Arc<Vec<Mutex<Game>>> = Arc::new(table.into_iter().map(Mutex::new).collect());
    let total = rate * seconds;
    let began = Instant::now();
    let mut acts = Vec::new();
    let late = Arc::new(AtomicU64::new(0));
    for n in 0..total {
        let due = began + Duration::from_nanos(n * 1_000_000_000 / rate);
        tokio::time::sleep_until(due.into()).await;
        let (crowd, table, scenario, late) = (crowd.clone(), table.clone(), scenario.clone(), late.clone());
        acts.push(tokio::spawn(async move {
            let mut game = table[(n % table.len() as u64) as usize].lock().await;
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
    let played = memory(&child);
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
    child.kill().await?;
    Ok(())
}
