use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use crate::{Failure, Outcome};

/// Serve the board. Every option can also be given as an environment variable; `docs/hosting.md` explains them.
#[derive(Args)]
pub(crate) struct Serve {
    /// Where the games are kept.
    #[arg(long, env = "LINSTOCK_DATA", default_value = "data")]
    data: PathBuf,
    /// Address and port.
    #[arg(long, env = "LINSTOCK_ADDR", default_value = "127.0.0.1:1863")]
    addr: SocketAddr,
    /// Open the board in the browser.
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    hosting: Hosting,
}

/// For those who let others in.
#[derive(Args)]
#[command(next_help_heading = "Hosting")]
struct Hosting {
    /// A name the server goes by, as browsers write it; may be given several times.
    #[arg(long = "host", env = "LINSTOCK_HOSTS", value_name = "NAME", value_delimiter = ',')]
    hosts: Vec<String>,
    /// A proxy, or a network of them, that is believed when it says for whom it asks; may be given several times.
    #[arg(long = "trusted-proxy", env = "LINSTOCK_TRUSTED_PROXIES", value_name = "NETWORK", value_delimiter = ',', value_parser = network)]
    trusted_proxies: Vec<ipnet::IpNet>,
    /// Where metrics and readiness are told, apart from the players; nowhere if not given.
    #[arg(long, env = "LINSTOCK_METRICS_ADDR", value_name = "ADDRESS")]
    metrics_addr: Option<SocketAddr>,
    /// Requests a second from one address, on average; five times as many at once.
    #[arg(long, env = "LINSTOCK_RATE", value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rate: u32,
    /// New games an hour from one address.
    #[arg(long, env = "LINSTOCK_GAMES_AN_HOUR", value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games_an_hour: u32,
    /// Games kept of one address.
    #[arg(long, env = "LINSTOCK_MAX_GAMES", value_name = "N", default_value_t = 500)]
    max_games: u64,
    /// Megabytes kept of one address.
    #[arg(long, env = "LINSTOCK_MAX_MEGABYTES", value_name = "MB", default_value_t = 64)]
    max_megabytes: u64,
    /// Lines of one journal.
    #[arg(long, env = "LINSTOCK_MAX_LINES", value_name = "N", default_value_t = 20_000)]
    max_lines: u64,
    /// Lines of one game's chat.
    #[arg(long, env = "LINSTOCK_MAX_CHAT", value_name = "N", default_value_t = 2_000)]
    max_chat: u64,
    /// Megabytes of the whole database; as much as the disk holds if not given.
    #[arg(long, env = "LINSTOCK_MAX_DISK", value_name = "MB")]
    max_disk: Option<u64>,
    /// Days after which a game that nobody has touched is deleted; 0 for never.
    #[arg(long, env = "LINSTOCK_EXPIRE", value_name = "DAYS", default_value_t = 365)]
    expire: u64,
    /// The same for games in which nobody has decided anything.
    #[arg(long, env = "LINSTOCK_EXPIRE_UNBEGUN", value_name = "DAYS", default_value_t = 30)]
    expire_unbegun: u64,
    /// The same for games of computers alone.
    #[arg(long, env = "LINSTOCK_EXPIRE_MACHINES", value_name = "DAYS", default_value_t = 7)]
    expire_machines: u64,
    /// Computers that may think at once; half the cores if not given.
    #[arg(long, env = "LINSTOCK_THINKERS", value_name = "N")]
    thinkers: Option<usize>,
}

/// A network, or an address as a network of one.
fn network(text: &str) -> Result<ipnet::IpNet, String> {
    let one = |ip: std::net::IpAddr| ipnet::IpNet::from(ip);
    text.parse()
        .or_else(|_| text.parse().map(one))
        .map_err(|_| "an address such as 127.0.0.1, or a network such as 10.0.0.0/8, is expected".to_owned())
}

impl Default for Serve {
    fn default() -> Self {
        /// What `linstock serve` would be without an option.
        #[derive(clap::Parser)]
        struct Bare {
            #[command(flatten)]
            serve: Serve,
        }
        <Bare as clap::Parser>::parse_from(["linstock"]).serve
    }
}

#[cfg(feature = "serve")]
impl Serve {
    pub(crate) fn run(self) -> Outcome {
        if self.open {
            std::thread::spawn(move || open_in_browser(self.addr));
        }
        server::run(self.config()).map_err(|e| Failure::Machine(anyhow::anyhow!(e)))
    }

    fn config(self) -> server::Config {
        use std::time::Duration;
        let days = |n: u64| Duration::from_secs(n.saturating_mul(24 * 3600));
        let Hosting { hosts, trusted_proxies, metrics_addr, rate, .. } = self.hosting;
        let usual = server::Config::default();
        let itself = std::env::current_exe().ok();
        server::Config {
            data: self.data,
            addr: self.addr,
            ops: metrics_addr,
            hosts,
            proxies: trusted_proxies,
            rate: server::Rate { per_second: f64::from(rate), burst: rate.saturating_mul(5) },
            quotas: server::Quotas {
                games_an_hour: self.hosting.games_an_hour,
                games: self.hosting.max_games,
                bytes: self.hosting.max_megabytes.saturating_mul(1 << 20),
                lines: self.hosting.max_lines,
                chat: self.hosting.max_chat,
                disk: self.hosting.max_disk.map(|mb| mb.saturating_mul(1 << 20)),
                untouched: days(self.hosting.expire),
                unbegun: days(self.hosting.expire_unbegun),
                machines: days(self.hosting.expire_machines),
                ..usual.quotas
            },
            thinkers: self.hosting.thinkers.unwrap_or(usual.thinkers),
            trial: itself.map(|program| vec![program.into(), "trial".into()]),
            ..server::Config::default()
        }
    }
}

/// Sets one scenario up for a server that waits for the verdict.
#[cfg(feature = "serve")]
pub(crate) fn trial() -> Outcome {
    server::trial(&server::Standard).map_err(|e| Failure::Machine(e.into()))
}

#[cfg(not(feature = "serve"))]
pub(crate) fn trial() -> Outcome {
    Err(Failure::Input(anyhow::anyhow!("this build has no board; build it with the feature `serve`")))
}

#[cfg(not(feature = "serve"))]
impl Serve {
    pub(crate) fn run(self) -> Outcome {
        let _ = self.hosting;
        Err(Failure::Input(anyhow::anyhow!(
            "this build has no board; build it with the feature `serve`, or see --help"
        )))
    }
}
/// Waits until the server answers, then asks the desktop for a browser. Without a desktop the printed address must do.
#[cfg(feature = "serve")]
fn open_in_browser(addr: SocketAddr) {
    use std::net::TcpStream;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let patience = Duration::from_millis(100);
    let up = (0..100).any(|_| {
        std::thread::sleep(patience);
        TcpStream::connect_timeout(&addr, patience).is_ok()
    });
    let address = format!("http://{addr}");
    let openers = if cfg!(target_os = "macos") { ["open", "xdg-open"] } else { ["xdg-open", "wslview"] };
    let quiet = |opener: &str| {
        Command::new(opener).arg(&address).stdout(Stdio::null()).stderr(Stdio::null()).status()
    };
    let _ = up && openers.iter().any(|opener| quiet(opener).is_ok_and(|status| status.success()));
}
