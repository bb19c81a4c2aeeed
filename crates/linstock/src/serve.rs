use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use crate::{Failure, Outcome, place};

/// Serve the board. Every option can also be given as an environment variable; `docs/hosting.md` explains them.
#[derive(Args)]
pub(crate) struct Serve {
    /// Where the games are kept; the folder `data` if not given, with --window your own folder for programs' data.
    #[arg(long, env = "LINSTOCK_DATA")]
    data: Option<PathBuf>,
    /// Keep the games in PostgreSQL instead, which several servers may share: postgres://user:password@host:5432/name.
    #[arg(long, env = "LINSTOCK_DATABASE", value_name = "URL", hide_env_values = true)]
    database: Option<String>,
    /// Address and port; 127.0.0.1:1863 if not given, or the next free port when another Linstock has that one.
    #[arg(long, env = "LINSTOCK_ADDR")]
    addr: Option<SocketAddr>,
    /// Open the board in the browser.
    #[arg(long)]
    open: bool,
    /// Open the board in a window of its own, where a browser can do that.
    #[arg(long, conflicts_with = "open")]
    window: bool,
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
    /// Send traces to this collector of OpenTelemetry's, over HTTP; OTEL_EXPORTER_OTLP_ENDPOINT does the same.
    #[arg(long, env = "LINSTOCK_OTLP", value_name = "URL")]
    otlp: Option<String>,
    /// Where players open the board, as https://linstock.example; with it people who have an account can be sent notices.
    #[arg(long, env = "LINSTOCK_URL", value_name = "URL")]
    url: Option<String>,
    /// The mail server for letters: smtps://user:password@mail.example, or smtp://mail.example:587?tls=required.
    #[arg(
        long,
        env = "LINSTOCK_SMTP",
        value_name = "URL",
        hide_env_values = true,
        requires = "url",
        requires = "mail_from"
    )]
    smtp: Option<String>,
    /// Whom letters come from, as "Linstock <linstock@example.org>".
    #[arg(long, env = "LINSTOCK_MAIL_FROM", value_name = "ADDRESS")]
    mail_from: Option<String>,
    /// The private key for messages to browsers (VAPID), 32 bytes in base64url; one is made and kept with the games if not given.
    #[arg(long, env = "LINSTOCK_VAPID_KEY", value_name = "KEY", hide_env_values = true, requires = "url")]
    vapid_key: Option<String>,
    /// An internal network that notices may reach all the same, as when a chat server stands beside; may be given several times.
    #[arg(long = "notice-network", env = "LINSTOCK_NOTICE_NETWORKS", value_name = "NETWORK", value_delimiter = ',', value_parser = network)]
    notice_networks: Vec<ipnet::IpNet>,
    /// An administrator's account, by its id (`linstock admin accounts` shows it); may be given several times.
    #[arg(long = "admin", env = "LINSTOCK_ADMINS", value_name = "ACCOUNT", value_delimiter = ',')]
    admins: Vec<String>,
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
    /// Studies a day from one address; 0 turns studies off.
    #[arg(long, env = "LINSTOCK_STUDIES_A_DAY", value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    studies_a_day: u32,
    /// Minutes that a study may be played.
    #[arg(long, env = "LINSTOCK_STUDY_MINUTES", value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    study_minutes: u64,
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
    /// Move the journals of finished games out of the database into this folder or bucket (s3://bucket/prefix).
    #[arg(long, env = "LINSTOCK_ARCHIVE", value_name = "PLACE")]
    archive: Option<PathBuf>,
    /// Days after which a finished journal goes to the archive.
    #[arg(
        long,
        env = "LINSTOCK_ARCHIVE_AFTER",
        value_name = "DAYS",
        default_value_t = 30,
        requires = "archive"
    )]
    archive_after: u64,
    /// Computers that may think at once; half the cores if not given. With a shared database 0 leaves it to other servers.
    #[arg(long, env = "LINSTOCK_THINKERS", value_name = "N")]
    thinkers: Option<usize>,
    /// Serve nobody, and only think for the computers of a shared database.
    #[arg(long, env = "LINSTOCK_THINK_ONLY")]
    think_only: bool,
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

impl Serve {
    /// Where the games are kept.
    pub(crate) fn data(&self) -> PathBuf {
        let own = || place::own_folder().filter(|_| self.window);
        self.data.clone().or_else(own).unwrap_or_else(|| "data".into())
    }

    /// Where somebody wants it to listen.
    pub(crate) fn given_addr(&self) -> Option<SocketAddr> {
        self.addr
    }

    /// The names it goes by.
    pub(crate) fn hosts(&self) -> &[String] {
        &self.hosting.hosts
    }
}

/// What comes of a place that may be taken.
#[cfg(feature = "serve")]
enum Stand {
    /// Listen here.
    At(SocketAddr),
    /// The same games are served there already.
    Already(SocketAddr),
}

#[cfg(feature = "serve")]
impl Serve {
    pub(crate) fn run(self) -> Outcome {
        let addr = match self.stand() {
            Stand::At(addr) => addr,
            Stand::Already(addr) => {
                crate::say::say!("Linstock is running already, with the same games, at http://{addr}");
                self.show(addr);
                return Ok(());
            }
        };
        if self.open || self.window {
            let window = self.window;
            std::thread::spawn(move || show_when_up(addr, window));
        }
        server::run(self.config(addr)).map_err(|e| Failure::Machine(anyhow::anyhow!(e)))
    }

    /// Where to listen. Whoever names an address gets that one or a refusal; else another copy's port is left to it.
    fn stand(&self) -> Stand {
        if let Some(addr) = self.addr {
            return Stand::At(addr);
        }
        let usual = place::USUAL;
        if place::is_free(usual) || place::tenant(usual) == place::Tenant::Stranger {
            return Stand::At(usual);
        }
        if place::in_use(&self.data()) {
            return Stand::Already(usual);
        }
        let next = place::next_free(usual).unwrap_or(usual);
        crate::say::say!("Another Linstock is at http://{usual}; this one takes port {}.", next.port());
        Stand::At(next)
    }

    fn show(&self, addr: SocketAddr) {
        if self.open || self.window {
            show_when_up(addr, self.window);
        }
    }

    fn config(self, addr: SocketAddr) -> server::Config {
        use std::time::Duration;
        let days = |n: u64| Duration::from_secs(n.saturating_mul(24 * 3600));
        let data = self.data();
        let Hosting { hosts, trusted_proxies, metrics_addr, rate, .. } = self.hosting;
        let usual = server::Config::default();
        let (smtp, from, vapid) = (self.hosting.smtp, self.hosting.mail_from, self.hosting.vapid_key);
        let internal = self.hosting.notice_networks;
        let notices = self.hosting.url.map(|url| server::NoticeConfig {
            url,
            smtp,
            from,
            vapid,
            internal,
            ..server::NoticeConfig::default()
        });
        let itself = std::env::current_exe().ok();
        server::Config {
            data,
            database: self.database,
            archive: self.hosting.archive,
            archive_after: days(self.hosting.archive_after),
            think_only: self.hosting.think_only,
            addr,
            ops: metrics_addr,
            otlp: self.hosting.otlp.or_else(usual_collector),
            notices,
            hosts,
            proxies: trusted_proxies,
            administrators: self.hosting.admins,
            rate: server::Rate { per_second: f64::from(rate), burst: rate.saturating_mul(5) },
            quotas: server::Quotas {
                games_an_hour: self.hosting.games_an_hour,
                games: self.hosting.max_games,
                bytes: self.hosting.max_megabytes.saturating_mul(1 << 20),
                lines: self.hosting.max_lines,
                chat: self.hosting.max_chat,
                studies_a_day: self.hosting.studies_a_day,
                study_time: Duration::from_secs(self.hosting.study_minutes * 60),
                disk: self.hosting.max_disk.map(|mb| mb.saturating_mul(1 << 20)),
                untouched: days(self.hosting.expire),
                unbegun: days(self.hosting.expire_unbegun),
                machines: days(self.hosting.expire_machines),
                ..usual.quotas
            },
            thinkers: self.hosting.thinkers.unwrap_or(usual.thinkers),
            trial: itself.clone().map(|program| vec![program.into(), "trial".into()]),
            study: itself.map(|program| vec![program.into(), "study".into()]),
            ..server::Config::default()
        }
    }
}

/// The collector that the environment names for every program; of no use to a build that sends nothing.
#[cfg(feature = "serve")]
fn usual_collector() -> Option<String> {
    let named = std::env::var("OTEL_EXPORTER_OTLP_ENDPOINT").ok();
    named.filter(|url| server::TRACES && !url.is_empty())
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
fn show_when_up(addr: SocketAddr, window: bool) {
    use std::net::TcpStream;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let patience = Duration::from_millis(100);
    let up = (0..100).any(|_| {
        std::thread::sleep(patience);
        TcpStream::connect_timeout(&addr, patience).is_ok()
    });
    if !up {
        return;
    }
    let address = format!("http://{addr}");
    let quiet = |opener: &str, argument: &str| {
        Command::new(opener).arg(argument).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
    };
    if window {
        let own = format!("--app={address}");
        if place::WINDOWS.iter().any(|browser| quiet(browser, &own).is_ok()) {
            return;
        }
    }
    let opened = |mut opener: std::process::Child| opener.wait().is_ok_and(|status| status.success());
    let _ = place::OPENERS.iter().any(|opener| quiet(opener, &address).is_ok_and(opened));
}
