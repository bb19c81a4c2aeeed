use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::library::{Books, Standard};

/// How a server is set up.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where the games are kept.
    pub data: PathBuf,
    /// Where it listens.
    pub addr: SocketAddr,
    /// Names it goes by besides the loopback's; a server on the loopback answers to no other, one on an open
    /// address to any if none is given.
    pub hosts: Vec<String>,
    /// The systems and scenarios it offers.
    pub books: Arc<dyn Books>,
    /// How fast one address may ask.
    pub rate: Rate,
    /// How many computer players may think at once.
    pub thinkers: usize,
    /// How many games may be worked on at once: an act played, a position drawn.
    pub workers: usize,
    /// How many connections may be open at once.
    pub connections: usize,
    /// How long a client may take to send the head of a request.
    pub head_within: Duration,
    /// How long a game nobody looks at stays in memory.
    pub idle: Duration,
    /// How many games stay in memory at the most, if nobody looks at them.
    pub games_in_memory: usize,
}

/// How fast one address may ask. The machine itself (the loopback) is allowed fifty times as much.
#[derive(Debug, Clone, Copy)]
pub struct Rate {
    /// On average in a second.
    pub per_second: f64,
    /// At once.
    pub burst: f64,
}

impl Default for Config {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Config {
            data: "data".into(),
            addr: SocketAddr::from(([127, 0, 0, 1], 1863)),
            hosts: Vec::new(),
            books: Arc::new(Standard),
            rate: Rate { per_second: 40.0, burst: 200.0 },
            thinkers: (cores / 2).max(1),
            // More than there are cores, so that a few heavy positions leave room for the light ones.
            workers: 4 * cores.max(2),
            connections: 10_000,
            head_within: Duration::from_secs(10),
            idle: Duration::from_secs(300),
            games_in_memory: 4096,
        }
    }
}
