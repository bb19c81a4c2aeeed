use std::path::PathBuf;

use clap::Args;

use crate::Outcome;

/// Copy the games of a data directory into PostgreSQL. Stop the server first; run it again if it was interrupted.
#[derive(Args)]
pub(crate) struct Migrate {
    /// The data directory.
    #[arg(long, env = "LINSTOCK_DATA", default_value = "data")]
    data: PathBuf,
    /// The archive of finished journals, if that server has one: a folder, or s3://bucket/prefix.
    #[arg(long, env = "LINSTOCK_ARCHIVE", value_name = "PLACE")]
    archive: Option<PathBuf>,
    /// The database: postgres://user:password@host:5432/name.
    #[arg(long, env = "LINSTOCK_DATABASE", value_name = "URL", hide_env_values = true)]
    database: String,
}

#[cfg(feature = "serve")]
impl Migrate {
    pub(crate) fn run(self) -> Outcome {
        use crate::{Failure, say};
        let copied = server::migrate(&self.data, self.archive.as_deref(), &self.database, |copied| {
            if (copied.games + copied.already) % 1000 == 0 {
                say::complain(format_args!("{} games so far", copied.games + copied.already));
            }
        });
        let copied = copied.map_err(|error| Failure::Machine(anyhow::anyhow!(error)))?;
        let server::Copied { games, already, lines } = copied;
        say::line(format_args!(
            "Copied {games} games with {lines} lines of journal; {already} were there already."
        ));
        Ok(())
    }
}

#[cfg(not(feature = "serve"))]
impl Migrate {
    pub(crate) fn run(self) -> Outcome {
        let _ = (self.data, self.archive, self.database);
        Err(crate::Failure::Input(anyhow::anyhow!(
            "this build has no server; build it with the feature `serve`"
        )))
    }
}
