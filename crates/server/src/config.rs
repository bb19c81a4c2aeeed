use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;

use host::{Books, Standard};

use crate::notices::NoticeConfig;

/// How a server is set up.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where the games are kept.
    pub data: PathBuf,
    /// The PostgreSQL database that keeps them instead, shared with other servers: `postgres://user@host/name`.
    pub database: Option<String>,
    /// The folder, or bucket (`s3://bucket/prefix`), that the journals of finished games go to, out of the database.
    pub archive: Option<PathBuf>,
    /// How long after their end.
    pub archive_after: Duration,
    /// It serves nobody, and only thinks for the computers of a shared database.
    pub think_only: bool,
    /// Where it listens.
    pub addr: SocketAddr,
    /// Where metrics and readiness are told, apart from the players; nowhere if none.
    pub ops: Option<SocketAddr>,
    /// The collector of OpenTelemetry's that traces are sent to, over HTTP: `http://collector:4318`; none if none.
    pub otlp: Option<String>,
    /// How notices are sent; none are if none.
    pub notices: Option<NoticeConfig>,
    /// Names it goes by besides the loopback's; a server on the loopback answers to no other, one on an open
    /// address to any if none is given.
    pub hosts: Vec<String>,
    /// Proxies that are believed when they say for whom they ask.
    pub proxies: Vec<IpNet>,
    /// The systems and scenarios it offers.
    pub books: Arc<dyn Books>,
    /// Accounts of administrators, by their ids.
    pub administrators: Vec<String>,
    /// How fast one address may ask.
    pub rate: Rate,
    /// What one address, and one game, may keep here.
    pub quotas: Quotas,
    /// How many computer players may think at once.
    pub thinkers: usize,
    /// How long computers go on playing each other when nobody looks.
    pub unwatched: Duration,
    /// How many games may be worked on at once: an act played, a position drawn.
    pub workers: usize,
    /// How many scenarios of players' own may be set up at once.
    pub compilers: usize,
    /// How long setting up a scenario of a player's own may take.
    pub compile_within: Duration,
    /// The command that tries such a scenario in a program of its own, where it can be ended; see [`crate::trial()`].
    pub trial: Option<Vec<OsString>>,
    /// The command that plays a study in a program of its own: it is given the file, `--out` with a folder, and
    /// `--progress`. None plays none.
    pub study: Option<Vec<OsString>>,
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
    pub burst: u32,
}

/// What one address, and one game, may keep. The machine itself is allowed fifty times as much.
#[derive(Debug, Clone, Copy)]
pub struct Quotas {
    /// New games in an hour, on average.
    pub games_an_hour: u32,
    /// Games kept.
    pub games: u64,
    /// Bytes that they take, journals, chat and last views together.
    pub bytes: u64,
    /// Promises of dice that wait for their games.
    pub commitments: usize,
    /// Open challenges in the lobby.
    pub challenges: u64,
    /// Lines of one journal.
    pub lines: u64,
    /// Lines of one game's chat.
    pub chat: u64,
    /// Studies begun in a day; none are played if zero.
    pub studies_a_day: u32,
    /// How long a study may be played.
    pub study_time: Duration,
    /// Bytes of the whole database; as much as the disk holds if none.
    pub disk: Option<u64>,
    /// Games that nobody has touched for so long are deleted; never if zero.
    pub untouched: Duration,
    /// The same for games in which nobody has decided anything.
    pub unbegun: Duration,
    /// The same for games among computers.
    pub machines: Duration,
}

const DAY: Duration = Duration::from_secs(24 * 3600);

impl Default for Quotas {
    fn default() -> Self {
        Quotas {
            games_an_hour: 60,
            games: 500,
            bytes: 64 << 20,
            commitments: 20,
            challenges: 10,
            lines: 20_000,
            chat: 2_000,
            studies_a_day: 5,
            study_time: Duration::from_secs(30 * 60),
            disk: None,
            untouched: 365 * DAY,
            unbegun: 30 * DAY,
            machines: 7 * DAY,
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Config {
            data: "data".into(),
            database: None,
            archive: None,
            archive_after: 30 * DAY,
            think_only: false,
            addr: SocketAddr::from(([127, 0, 0, 1], 1863)),
            ops: None,
            otlp: None,
            notices: None,
            hosts: Vec::new(),
            proxies: Vec::new(),
            books: Arc::new(Standard),
            administrators: Vec::new(),
            rate: Rate { per_second: 40.0, burst: 200 },
            quotas: Quotas::default(),
            thinkers: (cores / 2).max(1),
            unwatched: Duration::from_secs(60),
            // More than there are cores, so that a few heavy positions leave room for the light ones.
            workers: 4 * cores.max(2),
            compilers: 1,
            compile_within: Duration::from_secs(3),
            trial: None,
            study: None,
            connections: 10_000,
            head_within: Duration::from_secs(10),
            idle: Duration::from_secs(300),
            games_in_memory: 4096,
        }
    }
}
