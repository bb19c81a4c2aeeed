//! A private PostgreSQL for the tests of one program, and a database of its own for each test.
#![allow(dead_code, unreachable_pub)]

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use sqlx::{ConnectOptions, Connection, Executor};

/// A running PostgreSQL. It ends with the program that started it.
pub struct Cluster {
    folder: PathBuf,
    pub port: u16,
    running: Mutex<Option<Child>>,
}

impl Cluster {
    /// The one that the tests of this program share. Nothing in it outlives the program, so it need not reach the disk.
    pub fn shared() -> &'static Cluster {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(|| {
            let cluster = Cluster::new();
            cluster.start(&["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "max_connections=400"]);
            cluster
        })
    }

    /// One that is not yet running.
    pub fn new() -> Cluster {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("linstock-postgres-{}-{n}", std::process::id()));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Cluster { folder, port, running: Mutex::new(None) }
    }

    /// Starts it, with these options of PostgreSQL's.
    pub fn start(&self, options: &[&str]) {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/cluster");
        let folder = &self.folder;
        // It ends when its standard input does: with this program, however that ends.
        let tidy = format!(
            "'{script}' \"$@\"; status=$?; [ -e \"$1.keep\" ] || rm -rf \"$1\" \"$1.log\"; exit $status"
        );
        let mut command = Command::new("bash");
        command.args(["-c", &tidy, "cluster"]).arg(folder).arg(self.port.to_string()).args(options);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        assert_eq!(said, "ready\n", "PostgreSQL starts: run scripts/setup");
        *self.running.lock().unwrap() = Some(child);
    }

    /// Ends it as a loss of power would: nothing is finished, and the next start recovers what was committed.
    pub fn crash(&self) {
        let mut child = self.running.lock().unwrap().take().unwrap();
        let pid = std::fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap();
        let pid = pid.lines().next().unwrap().to_owned();
        std::fs::write(self.folder.with_extension("keep"), "").unwrap();
        assert!(Command::new("kill").args(["-QUIT", &pid]).status().unwrap().success());
        drop(child.stdin.take());
        child.wait().unwrap();
        std::fs::remove_file(self.folder.with_extension("keep")).unwrap();
    }

    /// The address of a new, empty database.
    pub async fn database(&self) -> String {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("test{}", NEXT.fetch_add(1, Ordering::Relaxed));
        self.execute("postgres", &format!("CREATE DATABASE {name}")).await;
        self.url(&name)
    }

    pub fn url(&self, name: &str) -> String {
        format!("postgres://linstock@127.0.0.1:{}/{name}", self.port)
    }

    /// Runs statements by hand.
    pub async fn execute(&self, database: &str, statements: &str) {
        let options: sqlx::postgres::PgConnectOptions = self.url(database).parse().unwrap();
        let mut connection = options.connect().await.unwrap();
        connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(statements.to_owned()))).await.unwrap();
        connection.close().await.unwrap();
    }
}
