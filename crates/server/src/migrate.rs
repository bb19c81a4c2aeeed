//! Moves the games of a data directory into a shared database.

use std::path::Path;

use store::{Archive, Limits, Store};

use crate::serve::{ServeError, environment};

pub use store::Copied;

/// Copies every game of the data directory `from` into the PostgreSQL database `to`, and tells how far it is. What is there
/// already is left alone. Journals in the archive come along; they may be archived again from there.
///
/// # Errors
/// When there is no such directory, a server still uses it, or the database fails.
pub fn migrate(
    from: &Path,
    archive: Option<&Path>,
    to: &str,
    told: impl FnMut(Copied),
) -> Result<Copied, ServeError> {
    if !from.join("linstock.sqlite").is_file() {
        return Err(ServeError::NoData(from.to_owned()));
    }
    tokio::runtime::Runtime::new()?.block_on(async {
        let archive = archive.map(|place| Archive::open(place, environment())).transpose()?;
        let from = Store::open(from, Limits::default()).await?.with_archive(archive);
        let to = Store::connect(to, Limits::default()).await?;
        let copied = store::copy(&from, &to, told).await;
        from.close().await;
        to.close().await;
        Ok::<_, ServeError>(copied?)
    })
}
