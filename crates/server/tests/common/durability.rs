//! Games of random actions on a server that is killed again and again: what was acknowledged must be there, once.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use game::Dice;
use game::dice::QuickDice;
use game::journal::{self, Line};
use game::session::Verified;
use hyper::Method;
use serde_json::{Value, json};
use server::Books;
use tokio::process::{Child, Command};

use super::client::{Answer, Client};

/// How hard to try.
#[derive(Debug, Clone)]
pub struct Trial {
    pub games: u64,
    pub kills: u64,
    /// The longest time between two kills.
    pub between: Duration,
    pub scenario: String,
    pub seed: u64,
}

/// What was found.
#[derive(Debug)]
pub struct Findings {
    pub acknowledged: u64,
    pub retried: u64,
    pub kills: u64,
    pub seconds: f64,
}

/// Runs the trial. `serve` makes the command that serves `folder` on `addr`.
pub async fn run(
    trial: Trial,
    folder: &Path,
    addr: SocketAddr,
    books: Arc<dyn Books>,
    serve: impl Fn() -> Command,
) -> Findings {
    let started = Instant::now();
    let stop = Arc::new(AtomicBool::new(false));
    let retried = Arc::new(AtomicU64::new(0));
    let mut child = spawn(&serve, addr).await;
    let players: Vec<_> = (0..trial.games)
        .map(|n| {
            let player =
                Player::new(addr, trial.scenario.clone(), trial.seed + n, stop.clone(), retried.clone());
            tokio::spawn(player.play())
        })
        .collect();
    let mut dice = QuickDice::new(trial.seed ^ 0x6b69_6c6c);
    for _ in 0..trial.kills {
        let wait = trial.between.as_millis() as u32;
        tokio::time::sleep(Duration::from_millis(u64::from(wait / 4 + dice.below(wait * 3 / 4 + 1)))).await;
        // `kill -9`.
        child.kill().await.expect("killed");
        child = spawn(&serve, addr).await;
    }
    tokio::time::sleep(trial.between / 2).await;
    stop.store(true, Ordering::Relaxed);
    let mut acknowledged = 0;
    let mut games = Vec::new();
    for player in players {
        let played = player.await.expect("a player's account");
        acknowledged += played.acted.len() as u64;
        games.push(played);
    }
    child.kill().await.expect("killed");
    // A trial in which hardly anything was played proves nothing, whatever is found on disk.
    let played = games.iter().filter(|game| !game.acted.is_empty()).count() as u64;
    assert!(
        played * 10 >= trial.games * 9,
        "only {played} of {} games were played: kill less often",
        trial.games
    );
    assert!(
        acknowledged >= trial.games * 5,
        "only {acknowledged} actions were acknowledged: kill less often"
    );
    let store = store::Store::open(folder, store::Limits::default()).await.expect("the store");
    for game in games {
        let kept = store
            .game(&game.id)
            .await
            .expect("readable")
            .unwrap_or_else(|| panic!("game {} is gone", game.id));
        verify(&game, kept, books.as_ref());
    }
    store.close().await;
    let retried = retried.load(Ordering::Relaxed);
    Findings { acknowledged, retried, kills: trial.kills, seconds: started.elapsed().as_secs_f64() }
}

/// Every acknowledged action is in the journal, once and in order, and the journal verifies.
fn verify(played: &Played, kept: store::Kept, books: &dyn Books) {
    let parsed = journal::parse(&kept.lines.join("\n")).expect("a journal");
    assert_eq!(parsed.broken, None, "{}", played.id);
    let mut acts = Vec::new();
    for line in &parsed.lines {
        match line {
            Line::Act { side: Some(_), act, .. } => acts.push(act.clone()),
            Line::Back { .. } => acts.push("undo".to_owned()),
            Line::Act { side: None, .. } | Line::Resign { .. } | Line::End { .. } => {}
        }
    }
    assert_eq!(acts, played.acted, "game {}", played.id);
    let header = parsed.header.clone();
    let scenario = books.open(&header.scenario, &header.options).expect("the scenario");
    let secret = journal::unhex(&kept.game.secret).and_then(|s| s.try_into().ok());
    let (mut table, broken) = scenario.resume(parsed, secret).expect("replays");
    assert_eq!(broken, None, "game {}", played.id);
    // Given up, if it is not over, and closed with its secret, so that the dice can be checked.
    let _ = table.resign(game::Side::First);
    table.reveal();
    assert_eq!(table.verify().expect("verifies"), Verified::Holds);
}

async fn spawn(serve: &impl Fn() -> Command, addr: SocketAddr) -> Child {
    let mut command = serve();
    command.stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
    let child = command.spawn().expect("the server starts");
    let mut client = Client::new(addr);
    for _ in 0..2_000 {
        let request = client.request(Method::GET, "/healthz", None, None);
        if client.send(request).await.is_ok() {
            return child;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the server does not answer");
}

/// What one player did, as acknowledged.
struct Played {
    id: String,
    acted: Vec<String>,
}

struct Player {
    client: Client,
    scenario: String,
    dice: QuickDice,
    seed: u64,
    sent: u64,
    stop: Arc<AtomicBool>,
    retried: Arc<AtomicU64>,
}

impl Player {
    fn new(
        addr: SocketAddr,
        scenario: String,
        seed: u64,
        stop: Arc<AtomicBool>,
        retried: Arc<AtomicU64>,
    ) -> Self {
        Player {
            client: Client::new(addr),
            scenario,
            dice: QuickDice::new(seed),
            seed,
            sent: 0,
            stop,
            retried,
        }
    }

    /// Sends until it is answered, as a client must: the same id, the same salt.
    async fn insist(
        &mut self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Answer {
        loop {
            let request = self.client.request(method.clone(), path, token, body);
            match self.client.send(request).await {
                Ok(answer) if answer.status.as_u16() < 500 => return answer,
                _ => {
                    self.retried.fetch_add(1, Ordering::Relaxed);
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            }
        }
    }

    fn salt(&mut self) -> String {
        (0..4).map(|_| format!("{:08x}", self.dice.below(u32::MAX))).collect()
    }

    async fn play(mut self) -> Played {
        let here = json!({ "kind": "here", "name": "Ada" });
        let new = json!({ "scenario": self.scenario, "salt": self.salt(), "seats": { "first": here, "second": here } });
        let created = self.insist(Method::POST, "/api/v1/games", None, Some(&new)).await.json();
        let id = created["game"].as_str().unwrap_or_else(|| panic!("{created}")).to_owned();
        let token = |side: &str| created["seats"][side]["token"].as_str().expect("a token").to_owned();
        let both = format!("{} {}", token("first"), token("second"));
        let mut acted: Vec<String> = Vec::new();
        let mut position =
            self.insist(Method::GET, &format!("/api/v1/games/{id}/position"), Some(&both), None).await.json();
        while !self.stop.load(Ordering::Relaxed) {
            let Some(offers) = position["offers"].as_array().filter(|offers| !offers.is_empty()) else {
                break;
            };
            let state = position["state"].as_u64().expect("a number");
            self.sent += 1;
            let request_id = format!("request-{}-{}", self.seed, self.sent);
            let (path, body, record) = if position["undo"] == "free" && self.dice.below(8) == 0 {
                (
                    format!("/api/v1/games/{id}/undo"),
                    json!({ "id": request_id, "state": state }),
                    "undo".to_owned(),
                )
            } else {
                let action = offers[self.dice.below(offers.len() as u32) as usize]["action"]
                    .as_str()
                    .expect("an action")
                    .to_owned();
                let body = json!({ "id": request_id, "state": state, "action": action, "salt": self.salt() });
                (format!("/api/v1/games/{id}/acts"), body, action)
            };
            let answer = self.insist(Method::POST, &path, Some(&both), Some(&body)).await;
            assert_eq!(answer.code(), "ok", "{}", answer.text);
            acted.push(record);
            position = answer.json()["position"].clone();
            let grown = position["state"].as_u64().expect("a number") - state;
            assert!(
                grown == 1 || (grown == 2 && position["status"]["kind"] == "over"),
                "{state} grew by {grown}"
            );
        }
        Played { id, acted }
    }
}
