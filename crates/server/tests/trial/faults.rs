//! Three servers on one PostgreSQL, under games of random acts, while servers are killed, the database crashes, and the
//! connections between them are cut. What was acknowledged must be there, once; every journal must verify; and every game must
//! go on soon.
#![allow(dead_code, unreachable_pub)]

use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use game::Dice;
use game::dice::QuickDice;
use game::journal::{self, Line};
use game::session::Verified;
use hyper::Method;
use serde_json::{Value, json};
use server::Books;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tokio_tungstenite::tungstenite::Message;

use crate::cluster::Cluster;
use crate::common::client::{Answer, Client};

/// How hard to try.
#[derive(Debug, Clone)]
pub struct Trial {
    pub games: u64,
    /// One game in so many is against a computer.
    pub computers: u64,
    /// Servers killed with `kill -9`.
    pub kills: u64,
    /// Crashes of PostgreSQL.
    pub crashes: u64,
    /// Cuts between a server and PostgreSQL.
    pub cuts: u64,
    /// Servers told to end and started again, one after the other.
    pub rolled: u64,
    /// The time between two faults.
    pub between: Duration,
    /// How long a player waits between two acts.
    pub breath: Duration,
    pub scenario: String,
    pub seed: u64,
}

/// What was found.
#[derive(Debug)]
pub struct Findings {
    /// Games whose journals hold all that was acknowledged, once and in order, and verify; one that does not ends the trial.
    pub games: u64,
    pub acknowledged: u64,
    pub retried: u64,
    pub lines: u64,
    /// The longest that a request was insisted on until it was granted, and that a computer was waited for.
    pub longest_wait: Duration,
    pub longest_thought: Duration,
    /// The longest that somebody who looks on was without a connection.
    pub longest_silence: Duration,
    pub seconds: f64,
}

impl std::fmt::Display for Findings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Findings { games, acknowledged, retried, lines, seconds, .. } = self;
        writeln!(
            f,
            "{acknowledged} acts acknowledged in {seconds:.0} s; {retried} attempts failed and were repeated"
        )?;
        writeln!(f, "lost 0, played twice 0, forks 0; {games} journals with {lines} lines verified")?;
        writeln!(
            f,
            "longest wait for an act, whatever had failed: {:.1} s",
            self.longest_wait.as_secs_f64()
        )?;
        writeln!(f, "longest wait for a computer: {:.1} s", self.longest_thought.as_secs_f64())?;
        write!(
            f,
            "longest that somebody looked on without a connection: {:.1} s",
            self.longest_silence.as_secs_f64()
        )
    }
}

/// How the line between a server and the database is.
const HOLDS: u8 = 0;
const SWALLOWS: u8 = 1;
const BREAKS: u8 = 2;

/// A line that can be cut.
struct Wire {
    port: u16,
    state: Arc<AtomicU8>,
}

impl Wire {
    async fn new(to: u16) -> Wire {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::new(AtomicU8::new(HOLDS));
        let shared = state.clone();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(carry(near, to, shared.clone()));
            }
        });
        Wire { port, state }
    }
}

async fn carry(mut near: TcpStream, to: u16, state: Arc<AtomicU8>) {
    if state.load(Ordering::Relaxed) == BREAKS {
        return;
    }
    let Ok(mut far) = TcpStream::connect(("127.0.0.1", to)).await else { return };
    let _ = (near.set_nodelay(true), far.set_nodelay(true));
    let (mut here, mut there) = ([0; 16384], [0; 16384]);
    loop {
        let (from_near, result) = tokio::select! {
            n = tokio::io::AsyncReadExt::read(&mut near, &mut here) => (true, n),
            n = tokio::io::AsyncReadExt::read(&mut far, &mut there) => (false, n),
            () = tokio::time::sleep(Duration::from_millis(50)) => {
                if state.load(Ordering::Relaxed) == BREAKS { return }
                continue;
            }
        };
        let Ok(n) = result else { return };
        match state.load(Ordering::Relaxed) {
            _ if n == 0 => return,
            BREAKS => return,
            // Neither an answer nor an end: the worst that a network does. What was swallowed never comes.
            SWALLOWS => loop {
                tokio::time::sleep(Duration::from_millis(50)).await;
                if state.load(Ordering::Relaxed) != SWALLOWS {
                    return;
                }
            },
            _ if from_near => drop(far.write_all(&here[..n]).await),
            _ => drop(near.write_all(&there[..n]).await),
        }
    }
}

struct Node {
    addr: SocketAddr,
    url: String,
    wire: Wire,
    child: Option<Child>,
}

/// Runs the trial. `serve` makes the command that serves the database of this address at that one.
pub async fn run(
    trial: Trial,
    books: Arc<dyn Books>,
    serve: impl Fn(&str, SocketAddr) -> Command,
) -> Findings {
    let started = Instant::now();
    let cluster = Arc::new(Cluster::new());
    let starting = cluster.clone();
    tokio::task::spawn_blocking(move || starting.start(&["-c", "max_connections=200"]))
        .await
        .expect("starts");
    cluster.execute("postgres", "CREATE DATABASE games").await;
    let mut nodes = Vec::new();
    for _ in 0..3 {
        let wire = Wire::new(cluster.port).await;
        let url = format!("postgres://linstock@127.0.0.1:{}/games", wire.port);
        let addr =
            std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
        nodes.push(Node { addr, url, wire, child: None });
    }
    for node in &mut nodes {
        spawn(node, &serve).await;
    }
    let shared = Arc::new(Shared {
        addrs: nodes.iter().map(|node| node.addr).collect(),
        stop: AtomicBool::new(false),
        faults_over: AtomicBool::new(false),
        retried: AtomicU64::new(0),
        wait: AtomicU64::new(0),
        thought: AtomicU64::new(0),
        silence: AtomicU64::new(0),
        trial: trial.clone(),
    });
    let players: Vec<_> =
        (0..trial.games).map(|n| tokio::spawn(Player::new(n, shared.clone()).play())).collect();
    torment(&trial, &cluster, &mut nodes, &serve).await;
    shared.faults_over.store(true, Ordering::Relaxed);
    // Long enough for every game to go on once more.
    tokio::time::sleep(trial.between).await;
    shared.stop.store(true, Ordering::Relaxed);
    let mut games = Vec::new();
    for player in players {
        games.push(player.await.expect("a player's account"));
    }
    for node in &mut nodes {
        if let Some(mut child) = node.child.take() {
            child.kill().await.expect("killed");
        }
    }
    let acknowledged: u64 = games.iter().map(|game| game.acted.len() as u64).sum();
    // A trial in which hardly anything was played proves nothing, whatever is found in the database.
    let played = games.iter().filter(|game| !game.acted.is_empty()).count() as u64;
    assert!(played * 10 >= trial.games * 9, "only {played} of {} games were played", trial.games);
    let store =
        store::Store::connect(&cluster.url("games"), store::Limits::default()).await.expect("the store");
    let mut lines = 0;
    for game in &games {
        let kept = store.game(&game.id).await.expect("readable");
        let kept = kept.unwrap_or_else(|| panic!("game {} is gone", game.id));
        lines += kept.lines.len() as u64;
        verify(game, kept, books.as_ref());
    }
    store.close().await;
    let most = |millis: &AtomicU64| Duration::from_millis(millis.load(Ordering::Relaxed));
    Findings {
        games: games.len() as u64,
        acknowledged,
        retried: shared.retried.load(Ordering::Relaxed),
        lines,
        longest_wait: most(&shared.wait),
        longest_thought: most(&shared.thought),
        longest_silence: most(&shared.silence),
        seconds: started.elapsed().as_secs_f64(),
    }
}

/// All the faults, in an order that the seed chooses.
async fn torment(
    trial: &Trial,
    cluster: &Arc<Cluster>,
    nodes: &mut [Node],
    serve: &impl Fn(&str, SocketAddr) -> Command,
) {
    let mut dice = QuickDice::new(trial.seed ^ 0x6661_756c);
    let counts = [trial.kills, trial.crashes, trial.cuts];
    let mut faults: Vec<usize> =
        (0..3).flat_map(|kind| std::iter::repeat_n(kind, counts[kind] as usize)).collect();
    for last in (1..faults.len()).rev() {
        faults.swap(last, dice.below(last as u32 + 1) as usize);
    }
    for fault in faults {
        tokio::time::sleep(trial.between).await;
        let node = &mut nodes[dice.below(3) as usize];
        match fault {
            0 => {
                if let Some(mut child) = node.child.take() {
                    child.kill().await.expect("killed");
                }
                tokio::time::sleep(Duration::from_millis(u64::from(dice.below(2000)))).await;
                spawn(node, serve).await;
            }
            1 => {
                let cluster = cluster.clone();
                let crash = move || {
                    cluster.crash();
                    std::thread::sleep(Duration::from_millis(500));
                    cluster.start(&["-c", "max_connections=200"]);
                };
                tokio::task::spawn_blocking(crash).await.expect("crashes and starts again");
            }
            _ => {
                let state = if dice.below(2) == 0 { SWALLOWS } else { BREAKS };
                node.wire.state.store(state, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(500 + u64::from(dice.below(2500)))).await;
                node.wire.state.store(HOLDS, Ordering::Relaxed);
            }
        }
    }
    for n in 0..trial.rolled {
        tokio::time::sleep(trial.between).await;
        let node = &mut nodes[n as usize % 3];
        if let Some(mut child) = node.child.take() {
            let pid = child.id().expect("it runs").to_string();
            assert!(Command::new("kill").args(["-TERM", &pid]).status().await.expect("kill").success());
            child.wait().await.expect("it ends");
        }
        spawn(node, serve).await;
    }
}

async fn spawn(node: &mut Node, serve: &impl Fn(&str, SocketAddr) -> Command) {
    let mut command = serve(&node.url, node.addr);
    command.stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
    node.child = Some(command.spawn().expect("the server starts"));
    for _ in 0..2_000 {
        let mut client = Client::new(node.addr);
        let request = client.request(Method::GET, "/healthz", None, None);
        if client.send(request).await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the server does not answer");
}

/// Every acknowledged action is in the journal, once and in order, and the journal verifies.
fn verify(played: &Played, kept: store::Kept, books: &dyn Books) {
    let parsed = journal::parse(&kept.lines.join("\n")).expect("a journal");
    assert_eq!(parsed.broken, None, "{}", played.id);
    let own = |side: game::Side| !played.computer || side == game::Side::First;
    let mut acts = Vec::new();
    for line in &parsed.lines {
        match line {
            Line::Act { side: Some(side), act, .. } if own(*side) => acts.push(act.clone()),
            Line::Back { .. } => acts.push("undo".to_owned()),
            Line::Act { .. } | Line::Resign { .. } | Line::End { .. } => {}
        }
    }
    // The last may have been played without its author having heard of it.
    assert!(acts.starts_with(&played.acted), "game {}: {acts:?}, {:?}", played.id, played.acted);
    assert!(acts.len() <= played.acted.len() + 1, "game {}: more than was asked for", played.id);
    let header = parsed.header.clone();
    let scenario = books.open(&header.scenario, &header.options).expect("the scenario");
    let secret = journal::unhex(&kept.game.secret).and_then(|s| s.try_into().ok());
    let (mut table, broken) = scenario.resume(parsed, secret).expect("replays");
    assert_eq!(broken, None, "game {}", played.id);
    let _ = table.resign(game::Side::First);
    table.reveal();
    assert_eq!(table.verify().expect("verifies"), Verified::Holds);
}

struct Shared {
    addrs: Vec<SocketAddr>,
    stop: AtomicBool,
    faults_over: AtomicBool,
    retried: AtomicU64,
    wait: AtomicU64,
    thought: AtomicU64,
    silence: AtomicU64,
    trial: Trial,
}

fn note(most: &AtomicU64, since: Instant) {
    most.fetch_max(since.elapsed().as_millis() as u64, Ordering::Relaxed);
}

/// What one player did, as acknowledged.
struct Played {
    id: String,
    computer: bool,
    acted: Vec<String>,
}

struct Player {
    clients: Vec<Client>,
    at: usize,
    dice: QuickDice,
    n: u64,
    sent: u64,
    shared: Arc<Shared>,
}

/// How long one attempt may take before another server is asked.
const ATTEMPT: Duration = Duration::from_secs(6);

impl Player {
    fn new(n: u64, shared: Arc<Shared>) -> Self {
        let clients = shared.addrs.iter().map(|addr| Client::new(*addr)).collect();
        let dice = QuickDice::new(shared.trial.seed + n);
        Player { clients, at: n as usize % 3, dice, n, sent: 0, shared }
    }

    fn salt(&mut self) -> String {
        (0..4).map(|_| format!("{:08x}", self.dice.below(u32::MAX))).collect()
    }

    async fn attempt(
        &mut self,
        at: usize,
        method: &Method,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Option<Answer> {
        let client = &mut self.clients[at];
        let request = client.request(method.clone(), path, token, body);
        match tokio::time::timeout(ATTEMPT, client.send(request)).await {
            Ok(Ok(answer)) if answer.status.as_u16() < 500 => Some(answer),
            Ok(_) => None,
            Err(_) => {
                self.clients[at] = Client::new(self.shared.addrs[at]);
                None
            }
        }
    }

    /// Sends until it is answered, as a client must: the same id, the same salt, now here and now there.
    async fn insist(
        &mut self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Answer {
        let started = Instant::now();
        // Any server will do, at any time.
        if self.dice.below(10) == 0 {
            self.at = self.dice.below(3) as usize;
        }
        // The same request twice, as when a network repeats itself.
        let twice = body.is_some() && path.contains("/acts") && self.dice.below(20) == 0;
        loop {
            let at = self.at;
            let answer = self.attempt(at, &method, path, token, body).await;
            if twice {
                let _ = self.attempt((at + 1) % 3, &method, path, token, body).await;
            }
            if let Some(answer) = answer {
                note(&self.shared.wait, started);
                return answer;
            }
            self.shared.retried.fetch_add(1, Ordering::Relaxed);
            self.at = (self.at + 1) % 3;
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert!(started.elapsed() < Duration::from_secs(120), "{path} is never answered");
        }
    }

    async fn play(mut self) -> Played {
        let computer = self.shared.trial.computers > 0 && self.n.is_multiple_of(self.shared.trial.computers);
        let here = json!({ "kind": "here", "name": "Ada" });
        let other = if computer { json!({ "kind": "computer", "level": "random" }) } else { here.clone() };
        let scenario = self.shared.trial.scenario.clone();
        let new =
            json!({ "scenario": scenario, "salt": self.salt(), "seats": { "first": here, "second": other } });
        let created = self.insist(Method::POST, "/api/v1/games", None, Some(&new)).await.json();
        let id = created["game"].as_str().unwrap_or_else(|| panic!("{created}")).to_owned();
        let token = |side: &str| created["seats"][side]["token"].as_str().unwrap_or("").to_owned();
        let both = format!("{} {}", token("first"), token("second")).trim().to_owned();
        if self.n.is_multiple_of(5) {
            tokio::spawn(look_on(self.shared.clone(), self.at, id.clone(), token("first")));
        }
        let mut acted: Vec<String> = Vec::new();
        let path = format!("/api/v1/games/{id}/position");
        let mut position = self.insist(Method::GET, &path, Some(&both), None).await.json();
        let mut waits: Option<Instant> = None;
        while !self.shared.stop.load(Ordering::Relaxed) {
            tokio::time::sleep(self.shared.trial.breath).await;
            if position["status"]["kind"] == "over" {
                break;
            }
            let Some(offers) = position["offers"].as_array().filter(|offers| !offers.is_empty()) else {
                assert!(computer, "{position}");
                let since = *waits.get_or_insert_with(Instant::now);
                assert!(since.elapsed() < Duration::from_secs(120), "the computer never decides");
                position = self.insist(Method::GET, &path, Some(&both), None).await.json();
                continue;
            };
            if let Some(since) = waits.take() {
                note(&self.shared.thought, since);
            }
            let state = position["state"].as_u64().expect("a number");
            self.sent += 1;
            let request_id = format!("request-{}-{}", self.n, self.sent);
            let (to, body, record) = if !computer && position["undo"] == "free" && self.dice.below(8) == 0 {
                ("undo", json!({ "id": request_id, "state": state }), "undo".to_owned())
            } else {
                let pick = self.dice.below(offers.len() as u32) as usize;
                let action = offers[pick]["action"].as_str().expect("an action").to_owned();
                let body = json!({ "id": request_id, "state": state, "action": action, "salt": self.salt() });
                ("acts", body, action)
            };
            let to = format!("/api/v1/games/{id}/{to}");
            let answer = self.insist(Method::POST, &to, Some(&both), Some(&body)).await;
            assert_eq!(answer.code(), "ok", "{} at {state} of {id}: {body}", answer.text);
            acted.push(record);
            position = answer.json()["position"].clone();
            let now = position["state"].as_u64().expect("a number");
            assert!(now > state, "{state} was answered with {now}");
        }
        Played { id, computer, acted }
    }
}

/// Looks on at one server, and at the next as soon as the connection ends.
async fn look_on(shared: Arc<Shared>, mut at: usize, game: String, token: String) {
    let mut lost: Option<Instant> = None;
    while !shared.stop.load(Ordering::Relaxed) {
        let url = format!("ws://{}/api/v1/games/{game}/live", shared.addrs[at]);
        let connect =
            tokio::time::timeout(Duration::from_secs(2), tokio_tungstenite::connect_async(url)).await;
        if let Ok(Ok((mut socket, _))) = connect {
            let hello = json!({ "type": "hello", "token": token }).to_string();
            let _ = socket.send(Message::text(hello)).await;
            while let Ok(Some(Ok(message))) =
                tokio::time::timeout(Duration::from_secs(60), socket.next()).await
            {
                let Message::Text(text) = message else { continue };
                if text.contains("\"type\":\"welcome\"")
                    && let Some(since) = lost.take()
                {
                    note(&shared.silence, since);
                }
                if text.contains("\"type\":\"bye\"") || shared.stop.load(Ordering::Relaxed) {
                    break;
                }
            }
        }
        lost.get_or_insert_with(Instant::now);
        at = (at + 1) % shared.addrs.len();
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
