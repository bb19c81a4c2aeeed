//! Finished journals outside the database: in a folder, or in a bucket.
//!
//! A journal is written there under a name that nothing else ever gets; then the database forgets its lines, in a transaction
//! that fails if the game has changed meanwhile. So what is under a name never changes, and a journal is always in one place.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::StoreError;
#[cfg(feature = "s3")]
use crate::bucket::Bucket;

/// How the address of a bucket begins.
const BUCKET: &str = "s3://";

/// Where finished journals go.
#[derive(Debug)]
pub struct Archive(Place);

#[derive(Debug)]
enum Place {
    Folder(PathBuf),
    #[cfg(feature = "s3")]
    Bucket(Box<Bucket>),
}

/// The name of a journal of so many lines, as the game was at this version.
pub(crate) fn name(game: &str, lines: usize, version: i64) -> String {
    format!("{game}/{lines}-{version}.journal")
}

/// How many lines the journal of this name has.
fn lines_of(name: &str) -> Option<usize> {
    name.rsplit_once('/')?.1.split_once('-')?.0.parse().ok()
}

pub(crate) fn failed(name: &str, why: impl std::fmt::Display) -> StoreError {
    StoreError::Archive(format!("{name}: {why}"))
}

impl Archive {
    /// Opens a folder, which is made if it is not there, or a bucket: `s3://bucket/prefix`, with the settings of `variables`
    /// that begin with `AWS_`. Whether a bucket can be reached shows when it is used.
    ///
    /// # Errors
    /// When the folder cannot be made, or the address or the settings of the bucket say nothing.
    pub fn open(
        place: &Path,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Archive, StoreError> {
        if let Some(address) = place.to_str().filter(|address| address.starts_with(BUCKET)) {
            return bucket(address, variables).map(Archive);
        }
        fs::create_dir_all(place).map_err(|error| failed(&place.display().to_string(), error))?;
        Ok(Archive(Place::Folder(place.to_owned())))
    }

    /// Keeps a journal; when this is done it survives a loss of power.
    pub(crate) async fn put(&self, name: &str, lines: &[String]) -> Result<(), StoreError> {
        let text = lines.join("\n") + "\n";
        match &self.0 {
            Place::Folder(folder) => {
                let path = folder.join(name);
                away(move || write(&path, &text)).await.map_err(|error| failed(name, error))
            }
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.put(name, text).await,
        }
    }

    /// The lines of a journal.
    pub(crate) async fn get(&self, name: &str) -> Result<Vec<String>, StoreError> {
        let text = match &self.0 {
            Place::Folder(folder) => {
                let path = folder.join(name);
                away(move || fs::read_to_string(path)).await.map_err(|error| failed(name, error))?
            }
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.get(name).await?,
        };
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
        let gone = match &self.0 {
            Place::Folder(folder) => {
                let path = folder.join(name);
                away(move || remove(&path)).await.map_err(|error| failed(name, error))
            }
            #[cfg(feature = "s3")]
            Place::Bucket(bucket) => bucket.forget(name).await,
        };
        if let Err(error) = gone {
            tracing::warn!(name, %error, "a journal stays in the archive though its game is deleted");
        }
    }
}

#[cfg(feature = "s3")]
fn bucket(address: &str, variables: impl IntoIterator<Item = (String, String)>) -> Result<Place, StoreError> {
    Bucket::open(address, variables).map(|bucket| Place::Bucket(Box::new(bucket)))
}

#[cfg(not(feature = "s3"))]
fn bucket(address: &str, _: impl IntoIterator<Item = (String, String)>) -> Result<Place, StoreError> {
    Err(failed(
        address,
        "this program cannot use buckets; build it with the feature `hosting`, or name a folder",
    ))
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

/// The game's own folder goes too, unless another journal of it is there.
fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    let _ = path.parent().map(fs::remove_dir);
    Ok(())
}
