//! Where a server may listen, who is there already, and how to show the board.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;

use crate::say::say;
use crate::{Failure, Outcome};

/// Where the board is if nobody says otherwise: the year of Gettysburg.
pub(crate) const USUAL: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 1863));

/// How many ports after the usual one are tried.
const TRIED: u16 = 20;
const PATIENCE: Duration = Duration::from_millis(700);

/// What opens an address on a desktop.
pub(crate) const OPENERS: &[&str] = if cfg!(target_os = "macos") {
    &["open"]
} else if cfg!(windows) {
    &["explorer.exe"]
} else {
    &["xdg-open", "wslview"]
};

/// Browsers that can show one address in a window of its own.
pub(crate) const WINDOWS: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "brave-browser",
];

/// Who has a port.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Tenant {
    Linstock,
    Stranger,
}

/// What is answered there: the first kilobytes, head and all.
fn ask(addr: SocketAddr, path: &str) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect_timeout(&addr, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    // An answer that is cut off does as well.
    let _ = stream.take(1 << 14).read_to_end(&mut answer);
    Ok(answer)
}

/// Whether the server at an address is well; for health checks, where there is no other program to ask with.
pub(crate) fn health(addr: Option<SocketAddr>) -> Outcome {
    let mut addr = addr.unwrap_or(USUAL);
    // Who listens everywhere is reached on the loopback.
    match addr.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => addr.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => addr.set_ip(Ipv6Addr::LOCALHOST.into()),
        IpAddr::V4(_) | IpAddr::V6(_) => {}
    }
    match ask(addr, "/healthz") {
        // A server that goes by other names answers 421; it answers.
        Ok(answer) if answer.starts_with(b"HTTP/1.1 200") || answer.starts_with(b"HTTP/1.1 421") => {
            say!("ok");
            Ok(())
        }
        Ok(_) => Err(Failure::Machine(anyhow!("no Linstock answers at {addr}"))),
        Err(error) => Err(Failure::Machine(anyhow!("nothing answers at {addr}: {error}"))),
    }
}

/// Asks whoever listens there for its rule systems: no other program has ours.
pub(crate) fn tenant(addr: SocketAddr) -> Tenant {
    let ours = |answer: &[u8]| {
        catalogue::systems().iter().any(|system| {
            let id = format!("\"{}\"", system.book().system);
            answer.windows(id.len()).any(|part| part == id.as_bytes())
        })
    };
    if ask(addr, "/api/v1/systems").is_ok_and(|answer| ours(&answer)) {
        Tenant::Linstock
    } else {
        Tenant::Stranger
    }
}

/// The first free port after `addr`'s.
pub(crate) fn next_free(addr: SocketAddr) -> Option<SocketAddr> {
    (1..=TRIED)
        .filter_map(|further| Some(SocketAddr::new(addr.ip(), addr.port().checked_add(further)?)))
        .find(|addr| is_free(*addr))
}

pub(crate) fn is_free(addr: SocketAddr) -> bool {
    !matches!(TcpListener::bind(addr), Err(error) if error.kind() == io::ErrorKind::AddrInUse)
}

/// The folder where this user's programs keep their data.
pub(crate) fn own_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        set("APPDATA")
    } else if cfg!(target_os = "macos") {
        set("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        set("XDG_DATA_HOME").or_else(|| set("HOME").map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("linstock"))
}

/// Whether a running server has this data folder. The lock is the store's own.
pub(crate) fn in_use(folder: &Path) -> bool {
    File::open(folder.join("linstock.lock"))
        .is_ok_and(|lock| matches!(lock.try_lock(), Err(std::fs::TryLockError::WouldBlock)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_free_port_is_not_the_one_that_is_taken() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let addr = taken.local_addr().unwrap();
        assert!(!is_free(addr));
        assert!(next_free(addr).is_some_and(|next| next.port() > addr.port() && is_free(next)));
    }

    #[test]
    fn who_answers_with_our_systems_is_one_of_us() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let addr = listener.local_addr().unwrap();
        let answers = std::thread::spawn(move || {
            for said in ["[{\"id\":\"battle-hymn\"}]", "<h1>It works!</h1>"] {
                let (mut stream, _) = listener.accept().unwrap();
                let mut asked = [0; 64];
                let _ = stream.read(&mut asked).unwrap();
                write!(stream, "HTTP/1.1 200 OK\r\n\r\n{said}").unwrap();
            }
        });
        assert_eq!(tenant(addr), Tenant::Linstock);
        assert_eq!(tenant(addr), Tenant::Stranger);
        answers.join().unwrap();
    }
}
