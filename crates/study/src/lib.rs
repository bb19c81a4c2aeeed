//! Studies: many games that answer a question.
//!
//! A [`Study`] is read from a small text file and laid out as cells: a scenario as written or changed, and who plays it.
//! Each cell is played in [batches](batch) of games, which are the unit of work: the same batch has the same content on
//! any machine, so a study can be stopped, resumed, and spread over many machines, and comes to the same tables.
//!
//! | file | what is in it |
//! | --- | --- |
//! | `spec.rs` | the study file |
//! | `patch.rs` | changes to a scenario |
//! | `batch.rs` | games of a cell as rows, on disk |
//! | `run.rs` | which batches are still to be played |
//! | `statistics.rs` | shares, intervals, paired differences |
//! | `summary.rs` | what came of each cell |
//! | `tables.rs` | Parquet and CSV |
//! | `report/` | the page |

mod batch;
mod patch;
mod report;
mod run;
mod spec;
pub mod statistics;
mod summary;
mod tables;

pub use batch::{Batch, GameRow, RollRow, TurnRow};
pub use run::{Job, Progress, Run, Shard};
pub use spec::{Cell, Study};
pub use summary::{CellSummary, Summary};

/// Why a study cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The study file, or a scenario changed by it, is at fault.
    #[error("{0}")]
    Input(String),
    /// A position broke an invariant, and the study was asked to look for that.
    #[error(
        "a position of {scenario} breaks an invariant (seed {seed}, after {decision} decisions): {why}. This is a fault of the rules as built or of a changed scenario; please report it with the study file"
    )]
    Broken {
        /// The scenario.
        scenario: String,
        /// The seed of the game.
        seed: u64,
        /// After how many decisions.
        decision: u64,
        /// What does not hold.
        why: String,
    },
    /// A file cannot be read or written.
    #[error("{what}: {error}")]
    File {
        /// What was tried.
        what: String,
        /// What the system said.
        error: std::io::Error,
    },
}

impl Error {
    pub(crate) fn file(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Error {
        let what = what.into();
        |error| Error::File { what, error }
    }

    pub(crate) fn parquet(error: parquet::errors::ParquetError) -> Error {
        Error::File { what: "the Parquet table".into(), error: std::io::Error::other(error) }
    }
}
