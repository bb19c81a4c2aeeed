use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use crate::{Failure, Outcome};

/// Serve the board.
#[derive(Args)]
pub(crate) struct Serve {
    /// Where the games are kept.
    #[arg(long, default_value = "data")]
    data: PathBuf,
    /// Address and port.
    #[arg(long, default_value = "127.0.0.1:1863")]
    addr: SocketAddr,
    /// Open the board in the browser.
    #[arg(long)]
    open: bool,
}

impl Default for Serve {
    fn default() -> Self {
        Serve { data: "data".into(), addr: SocketAddr::from(([127, 0, 0, 1], 1863)), open: false }
    }
}

#[cfg(feature = "serve")]
impl Serve {
    pub(crate) fn run(self) -> Outcome {
        let runtime = tokio::runtime::Runtime::new().map_err(|e| Failure::Machine(e.into()))?;
        if self.open {
            std::thread::spawn(move || open_in_browser(self.addr));
        }
        let config = server::Config { data: self.data, addr: self.addr, ..server::Config::default() };
        runtime.block_on(server::serve(config)).map_err(|e| Failure::Machine(anyhow::anyhow!(e)))
    }
}

#[cfg(not(feature = "serve"))]
impl Serve {
    pub(crate) fn run(self) -> Outcome {
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
