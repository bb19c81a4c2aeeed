//! Finished journals outside the database, in a folder of their own.
//!
//! A journal is written there under a name that nothing else ever gets; then the database forgets its lines, in a transaction
//! that fails if the game has changed meanwhile. So what is under a name never changes, and a journal is always in one place.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::StoreError;

/// Where finished journals go.
#[derive(Debug)]
pub struct Archive {
    folder: PathBuf,
}

/// The name of a journal of so many lines, as the game was at this version.
pub(crate) fn name(game: &str, lines: usize, version: i64) -> String {
    format!("{game}/{lines}-{version}.journal")
}

/// How many lines the journal of this name has.
fn lines_of(name: &str) -> Option<usize> {
    name.rsplit_once('/')?.1.split_once('-')?.0.parse().ok()
}

fn failed(name: &str, why: impl std::fmt::Display) -> StoreError {
    StoreError::Archive(format!("{name}: {why}"))
}

impl Archive {
    /// Makes the folder if it is not there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn open(folder: &Path) -> Result<Archive, StoreError> {
        fs::create_dir_all(folder).map_err(|error| failed(&folder.display().to_string(), error))?;
        Ok(Archive { folder: folder.to_owned() })
    }

    /// Keeps a journal; when this is done it is on disk.
    pub(crate) async fn put(&self, name: &str, lines: &[String]) -> Result<(), StoreError> {
        let (path, text) = (self.folder.join(name), lines.join("\n") + "\n");
        away(move || write(&path, &text)).await.map_err(|error| failed(name, error))
    }

    /// The lines of a journal.
    pub(crate) async fn get(&self, name: &str) -> Result<Vec<String>, StoreError> {
        let path = self.folder.join(name);
        let text = away(move || fs::read_to_string(path)).await.map_err(|error| failed(name, error))?;
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // Half a journal would be taken for an earlier position.
        let written = lines_of(name).unwrap_or(0);
        if lines.len() != written {
            return Err(failed(name, format!("it has {} lines where {written} were written", lines.len())));
        }
        Ok(lines)
    }

    /// Forgets a journal. One that stays is in nobody's way.
    pub(crate) async fn forget(&self, name: &str) {
        let path = self.folder.join(name);
        let gone = away(move || {
            fs::remove_file(&path)?;
            // The game's own folder too, unless another journal of it is there.
            let _ = path.parent().map(fs::remove_dir);
            Ok(())
        });
        if let Err(error) = gone.await {
            tracing::warn!(name, %error, "a journal stays in the archive though its game is deleted");
        }
    }
}

async fn away<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

/// Whole, or not at all; and there after a loss of power.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let half = path.with_extension("half");
    let mut file = File::create(&half)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&half, path)?;
    for folder in [Some(folder), folder.parent()].into_iter().flatten() {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}
