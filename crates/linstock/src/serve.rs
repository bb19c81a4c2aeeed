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
}

impl Default for Serve {
    fn default() -> Self {
        Serve { data: "data".into(), addr: SocketAddr::from(([127, 0, 0, 1], 1863)) }
    }
}

impl Serve {
    pub(crate) fn run(self) -> Outcome {
        let runtime = tokio::runtime::Runtime::new().map_err(|e| Failure::Machine(e.into()))?;
        let config = server::Config { data: self.data, addr: self.addr, ..server::Config::default() };
        runtime.block_on(server::serve(config)).map_err(|e| Failure::Machine(anyhow::anyhow!(e)))
    }
}
