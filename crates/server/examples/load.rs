//! A thousand open games, each with a player listening, and a steady stream of random acts.
//!
//! `cargo run --release -p server --example load -- [--games 1000] [--rate 300] [--seconds 60] [--scenario ID] [--program linstock]
//! [--database postgres://… [--nodes 3]] [--within MS] [--confined PERCENT]`: without a database it is SQLite in a temporary folder;
//! with several nodes each game has one that it goes to, as a proxy would do it.
//!
//! The stream does not wait for answers: each act is due at its own time, and its latency counts from then on. With `--within` it
//! fails unless the rate is reached and 99 of 100 acts take no longer than that. With `--confined` each server has so much of a core
//! and no more, and players act as fast as they are answered instead: that shows whether several servers do more than one.

#[path = "../tests/common/mod.rs"]
mod common;

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
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

/// Acts a second, if nobody says.
const RATE: u64 = 300;
/// Players at each server who act as fast as they can.
const PLAYERS: usize = 8;

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
        let request = client.request(Method::POST, "/api/v1/games", None, Some(&new));
        let created = client.send(request).await?.json();
        let token = |side: &str| created["seats"][side]["token"].as_str().unwrap_or("").to_owned();
        let id = created["game"].as_str().ok_or_else(|| created.to_string())?.to_owned();
        let mut game = Game { id, tokens: [token("first"), token("second")], state: 0, actions: Vec::new() };
        let request = client.request(
            Method::GET,
            &format!("/api/v1/games/{}/position", game.id),
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
            &format!("/api/v1/games/{}/acts", game.id),
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

    /// Plays one random act, or begins anew where the game is over; answers whether there was something to play.
    async fn act_or_begin(&self, game: &Mutex<Game>, scenario: &str) -> Result<bool, Failed> {
        let mut game = game.lock().await;
        if game.actions.is_empty() {
            *game = self.create(scenario).await?;
            return Ok(false);
        }
        self.act(&mut game).await.map(|()| true)
    }

    /// Listens to a game as its first side, for as long as the program runs.
    async fn listen(&self, game: &Game) -> Result<(), Failed> {
        let url = format!("ws://{}/api/v1/games/{}/live", self.addr, game.id);
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
fn disk(folder: &Path) -> u64 {
    ["linstock.sqlite", "linstock.sqlite-wal"]
        .iter()
        .filter_map(|name| std::fs::metadata(folder.join(name)).ok())
        .map(|file| file.len())
        .sum()
}

/// A server, and whoever plays there.
async fn start(folder: &Path, scenario: &str) -> Result<(Child, Arc<Crowd>), Failed> {
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

/// What the kernel calls a group of processes that may use so much of the processors, for as long as this lives.
struct Confined(Vec<(PathBuf, u32)>);

impl Confined {
    /// Each server has this much of a core to itself and no more, as on a small machine of its own.
    fn new(children: &[Child], percent: u64) -> Result<Confined, Failed> {
        let mut confined = Confined(Vec::new());
        for child in children {
            let id = child.id().ok_or("a server has ended")?;
            // The second version of control groups, or the first.
            let (root, limits) = match Path::new("/sys/fs/cgroup/cgroup.controllers").exists() {
                true => ("/sys/fs/cgroup", vec![("cpu.max", format!("{} 100000", percent * 1000))]),
                false => (
                    "/sys/fs/cgroup/cpu",
                    vec![
                        ("cpu.cfs_period_us", "100000".into()),
                        ("cpu.cfs_quota_us", (percent * 1000).to_string()),
                    ],
                ),
            };
            let group = Path::new(root).join(format!("linstock-load-{id}"));
            std::fs::create_dir(&group)?;
            confined.0.push((group.clone(), id));
            for (file, limit) in limits {
                std::fs::write(group.join(file), limit)?;
            }
            std::fs::write(group.join("cgroup.procs"), id.to_string())?;
        }
        Ok(confined)
    }
}

impl Drop for Confined {
    fn drop(&mut self) {
        // A group can only go when nobody is in it.
        for (group, id) in &self.0 {
            let above = group.parent().map(|above| above.join("cgroup.procs"));
            let _ = above.map(|above| std::fs::write(above, id.to_string()));
            let _ = std::fs::remove_dir(group);
        }
    }
}

fn number(name: &str, default: u64) -> u64 {
    option(name).and_then(|n| n.parse().ok()).unwrap_or(default)
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
    let folder = tempfile::tempdir()?;
    let (mut children, mut crowds) = (Vec::new(), Vec::new());
    for _ in 0..number("--nodes", 1) {
        let (child, crowd) = start(folder.path(), &scenario).await?;
        children.push(child);
        crowds.push(crowd);
    }
    let held = run(&children, &crowds, folder.path(), &scenario).await;
    for mut child in children {
        child.kill().await?;
    }
    held
}

/// Opens the games, and has them played.
async fn run(children: &[Child], crowds: &[Arc<Crowd>], folder: &Path, scenario: &str) -> Result<(), Failed> {
    let games = number("--games", 1000);
    let memory = || children.iter().map(memory).sum::<u64>();
    // The first game brings the scenario into memory; it counts for none.
    for crowd in crowds {
        crowd.create(scenario).await?;
    }
    let empty = memory();
    let table = open_games(crowds, games, scenario).await?;
    let (created, on_disk) = (memory(), disk(folder));
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
    if let Some(percent) = option("--confined") {
        let confined = Confined::new(children, percent.parse()?)?;
        let played = as_fast_as_they_can(crowds, &table, scenario).await;
        drop(confined);
        return played;
    }
    let (times, took) = at_a_rate(crowds, &table, scenario).await?;
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    let (played, busy) = (memory(), processor() - before);
    let kib = |bytes: u64| bytes as f64 / 1024.0;
    let reached = times.len() as f64 / took;
    let mut out = std::io::stdout();
    writeln!(
        out,
        "{scenario}: {games} open games, each with a listener; {} acts in {took:.1} s ({reached:.0} a second)",
        times.len()
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
        "processor: {:.2} ms an act in the servers, {:.0} % of a core in all; {:.1} % of a core with all games open and nobody acting",
        busy * 1000.0 / times.len() as f64,
        busy / took * 100.0,
        idle * 100.0
    )?;
    if option("--database").is_none() {
        writeln!(
            out,
            "disk: {:.1} KiB a new game, {:.2} KiB an act",
            kib(on_disk) / games as f64,
            kib(disk(folder).saturating_sub(on_disk)) / times.len() as f64
        )?;
    }
    let Some(bar) = option("--within") else { return Ok(()) };
    let (bar, wanted): (f64, f64) = (bar.parse()?, number("--rate", RATE) as f64);
    let holds = at(0.99) <= bar && reached >= wanted * 0.98;
    let verdict = if holds { "holds" } else { "does not hold" };
    writeln!(out, "bar: {wanted:.0} acts a second, 99 % within {bar:.0} ms: {verdict}")?;
    if holds { Ok(()) } else { Err("the bar does not hold".into()) }
}

/// Makes so many games, in turn on each server.
async fn open_games(crowds: &[Arc<Crowd>], games: u64, scenario: &str) -> Result<Vec<Game>, Failed> {
    let mut table = Vec::new();
    let places: Vec<Arc<Crowd>> = crowds.iter().cycle().take(games as usize).cloned().collect();
    for some in places.chunks(16) {
        let create = |crowd: &Arc<Crowd>| {
            let (crowd, scenario) = (crowd.clone(), scenario.to_owned());
            tokio::spawn(async move { crowd.create(&scenario).await })
        };
        let created: Vec<_> = some.iter().map(create).collect();
        for game in created {
            table.push(game.await??);
        }
    }
    Ok(table)
}

/// A steady stream of acts: how long each took, in order, and how long all of them.
async fn at_a_rate(
    crowds: &[Arc<Crowd>],
    table: &Arc<Vec<Mutex<Game>>>,
    scenario: &str,
) -> Result<(Vec<Duration>, f64), Failed> {
    let (rate, seconds) = (number("--rate", RATE), number("--seconds", 60));
    let began = Instant::now();
    let mut acts = Vec::new();
    for n in 0..rate * seconds {
        let due = began + Duration::from_nanos(n * 1_000_000_000 / rate);
        tokio::time::sleep_until(due.into()).await;
        let index = (n % table.len() as u64) as usize;
        let (table, crowd) = (table.clone(), crowds[index % crowds.len()].clone());
        let scenario = scenario.to_owned();
        acts.push(tokio::spawn(async move {
            let played = crowd.act_or_begin(&table[index], &scenario).await?;
            Ok::<_, Failed>(played.then(|| due.elapsed()))
        }));
    }
    let mut times = Vec::with_capacity(acts.len());
    for act in acts {
        times.extend(act.await??);
    }
    let took = began.elapsed().as_secs_f64();
    times.sort_unstable();
    Ok((times, took))
}

/// Players who act again as soon as they are answered: how many acts a second the servers can do.
async fn as_fast_as_they_can(
    crowds: &[Arc<Crowd>],
    table: &Arc<Vec<Mutex<Game>>>,
    scenario: &str,
) -> Result<(), Failed> {
    let seconds = number("--seconds", 60);
    let began = Instant::now();
    let players = (0..PLAYERS * crowds.len()).map(|player| {
        let (table, crowds, scenario) = (table.clone(), crowds.to_vec(), scenario.to_owned());
        tokio::spawn(async move {
            let mut played = 0;
            for index in (player..table.len()).step_by(PLAYERS * crowds.len()).cycle() {
                if began.elapsed().as_secs() >= seconds {
                    break;
                }
                let crowd = &crowds[index % crowds.len()];
                played += u64::from(crowd.act_or_begin(&table[index], &scenario).await?);
            }
            Ok::<_, Failed>(played)
        })
    });
    let mut played = 0;
    for player in players.collect::<Vec<_>>() {
        played += player.await??;
    }
    let a_second = played as f64 / began.elapsed().as_secs_f64();
    writeln!(std::io::stdout(), "as fast as they can: {a_second:.0} acts a second")?;
    Ok(())
}
