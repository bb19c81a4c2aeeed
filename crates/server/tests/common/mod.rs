//! What the tests of the server share.
#![allow(dead_code, unreachable_pub)]

pub mod authenticator;
pub mod client;
pub mod durability;
pub mod parley;
pub mod sinks;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use client::{Answer, Client};
use serde_json::{Value, json};
use server::{Config, Server};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A server with Parley, on a port of its own.
pub struct Running {
    pub addr: SocketAddr,
    /// Where metrics are told.
    pub ops: SocketAddr,
    stop: oneshot::Sender<()>,
    done: JoinHandle<()>,
}

impl Running {
    pub async fn start(folder: &Path) -> Running {
        Running::with(Config { data: folder.to_owned(), ..config() }).await
    }

    pub async fn with(config: Config) -> Running {
        let server = Server::bind(config).await.expect("binds");
        let (addr, ops) = (server.addr(), server.ops().expect("an address for metrics"));
        let (stop, stopped) = oneshot::channel();
        let done = tokio::spawn(async move {
            server.run(async move { drop(stopped.await) }).await.expect("runs");
        });
        Running { addr, ops, stop, done }
    }

    pub async fn stop(self) {
        let _ = self.stop.send(());
        self.done.await.expect("stops");
    }

    pub fn client(&self) -> Client {
        Client::new(self.addr)
    }

    /// A number of the metrics.
    pub async fn metric(&self, name: &str) -> f64 {
        let text = Client::new(self.ops).get("/metrics", None).await.text;
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {name} in {text}")).parse().expect("a number")
    }
}

pub fn config() -> Config {
    let addr = SocketAddr::from(([127, 0, 0, 1], 0));
    Config { addr, ops: Some(addr), books: Arc::new(parley::Oak), ..Config::default() }
}

/// A fresh id.
pub fn id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("test-{:08}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Randomness of a client that is not very random.
pub fn salt() -> String {
    format!("{:032x}", u128::from_le_bytes(*b"sixteen bytes ok") ^ u128::from(id().len() as u64))
}

pub fn here(name: &str) -> Value {
    json!({ "kind": "here", "name": name })
}

pub fn link() -> Value {
    json!({ "kind": "link" })
}

pub fn computer(level: &str) -> Value {
    json!({ "kind": "computer", "level": level })
}

/// A game with the tokens of its seats; empty where there is none.
pub struct Game {
    pub id: String,
    pub tokens: [String; 2],
    pub created: Value,
}

impl Game {
    pub async fn create(client: &mut Client, seats: [Value; 2]) -> Game {
        Game::with(client, json!({ "scenario": parley::OAK, "seats": { "first": seats[0], "second": seats[1] }, "salt": salt() })).await
    }

    pub async fn public(client: &mut Client, seats: [Value; 2]) -> Game {
        let seats = json!({ "first": seats[0], "second": seats[1] });
        Game::with(client, json!({ "scenario": parley::OAK, "seats": seats, "salt": salt(), "public": true }))
            .await
    }

    pub async fn with(client: &mut Client, new: Value) -> Game {
        let answer = client.post("/api/v1/games", None, &new).await;
        assert_eq!(answer.status.as_u16(), 201, "{}", answer.text);
        Game::of(answer.json())
    }

    pub fn of(created: Value) -> Game {
        let token = |side: &str| created["seats"][side]["token"].as_str().unwrap_or("").to_owned();
        let id = created["game"].as_str().expect("an id").to_owned();
        Game { id, tokens: [token("first"), token("second")], created }
    }

    pub fn path(&self, rest: &str) -> String {
        format!("/api/v1/games/{}/{rest}", self.id)
    }

    pub async fn position(&self, client: &mut Client, side: usize) -> Value {
        let answer = client.get(&self.path("position"), Some(&self.tokens[side])).await;
        assert_eq!(answer.code(), "ok", "{}", answer.text);
        answer.json()
    }

    pub async fn state(&self, client: &mut Client) -> u64 {
        self.position(client, 0).await["state"].as_u64().expect("a number")
    }

    /// Plays an action of a side, answering the present state.
    pub async fn act(&self, client: &mut Client, side: usize, action: &str) -> Answer {
        let state = self.position(client, side).await["state"].clone();
        let act = json!({ "id": id(), "state": state, "action": action, "salt": salt() });
        client.post(&self.path("acts"), Some(&self.tokens[side]), &act).await
    }

    /// Who decides: 0, 1, or none when it is over.
    pub async fn decides(&self, client: &mut Client) -> Option<usize> {
        let position = self.position(client, 0).await;
        match position["status"]["side"].as_str() {
            Some("first") => Some(0),
            Some("second") => Some(1),
            _ => None,
        }
    }

    /// Plays a whole round: both seal, the winner goes on.
    pub async fn round(&self, client: &mut Client) {
        assert_eq!(self.act(client, 0, "seal 1").await.code(), "ok");
        assert_eq!(self.act(client, 1, "seal 2").await.code(), "ok");
        let winner = self.decides(client).await.expect("not over");
        assert_eq!(self.act(client, winner, "go").await.code(), "ok");
    }
}
