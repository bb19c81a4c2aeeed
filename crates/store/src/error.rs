//! Why the store did not do what was asked.

use std::path::PathBuf;

/// Why the store did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Somebody else was faster, or it is there already.
    #[error("this is there already, or somebody else was faster")]
    Conflict,
    /// There is no room left.
    #[error("the disk is full")]
    Full,
    /// Another program holds the database.
    #[error("the database is held by another program")]
    Locked,
    /// The data directory is in use by another server.
    #[error("the data directory {} is in use by another server", .0.display())]
    InUse(PathBuf),
    /// A later version of the program has written it.
    #[error("the database was written by a newer version of this program: {0}")]
    Newer(String),
    /// The database does not answer. Whether what was asked has been done is not known; whoever asks again finds out.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// The address of the database says nothing.
    #[error("cannot read the database address: {0}")]
    Address(String),
    /// The archive of finished journals.
    #[error("the archive of finished journals failed: {0}")]
    Archive(String),
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
    /// Anything else, in the database's words.
    #[error("the database failed: {0}")]
    Failed(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        if let sqlx::Error::Database(db) = &error {
            if db.is_unique_violation() {
                return StoreError::Conflict;
            }
            if let Some(known) = db.code().and_then(|code| by_code(&code)) {
                return known(db.message());
            }
        }
        match error {
            sqlx::Error::PoolTimedOut => StoreError::Unreachable("no connection became free in time".into()),
            sqlx::Error::Io(error) => StoreError::Unreachable(error.to_string()),
            sqlx::Error::Tls(error) => StoreError::Unreachable(error.to_string()),
            sqlx::Error::WorkerCrashed => StoreError::Unreachable("the connection has ended".into()),
            sqlx::Error::Protocol(what) => StoreError::Unreachable(what),
            sqlx::Error::PoolClosed => StoreError::Closed,
            sqlx::Error::Configuration(error) => StoreError::Address(error.to_string()),
            other => StoreError::Failed(other.to_string()),
        }
    }
}

/// What the codes of the databases mean: five letters are a state of PostgreSQL's, a number a result of SQLite's, whose
/// extended ones carry the primary one in their low byte.
fn by_code(code: &str) -> Option<fn(&str) -> StoreError> {
    const BUSY: u32 = 5;
    const TABLE_LOCKED: u32 = 6;
    const FULL: u32 = 13;
    if code.len() == 5 {
        return match code {
            // Out of disk; too many connections; shutting down, crashed, starting up; a connection that broke.
            "53100" => Some(|_| StoreError::Full),
            "53300" | "57P01" | "57P02" | "57P03" => Some(|what| StoreError::Unreachable(what.to_owned())),
            // Two changes of one game at once: the second is too late.
            "40001" | "40P01" => Some(|_| StoreError::Conflict),
            _ if code.starts_with("08") => Some(|what| StoreError::Unreachable(what.to_owned())),
            _ => None,
        };
    }
    match code.parse::<u32>().ok()? & 0xff {
        BUSY | TABLE_LOCKED => Some(|_| StoreError::Locked),
        FULL => Some(|_| StoreError::Full),
        _ => None,
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull => StoreError::Full,
            _ => StoreError::Failed(error.to_string()),
        }
    }
}

impl From<sqlx::migrate::MigrateError> for StoreError {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        use sqlx::migrate::MigrateError;
        match error {
            MigrateError::Execute(error) => error.into(),
            MigrateError::VersionMissing(version) => StoreError::Newer(format!("it has schema {version}")),
            other => StoreError::Failed(other.to_string()),
        }
    }
}
