use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use catalogue::Scenario;
use game::Options;

use crate::Failure;

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path)
        .with_context(|| format!("{} cannot be read; is the path right?", path.display()))
        .map_err(Failure::Machine)?;
    String::from_utf8(bytes).map_err(|_| {
        Failure::Input(anyhow!("{} is not a text file (UTF-8); nothing was done", path.display()))
    })
}

/// A scenario by its id in the library or by its file.
pub(crate) fn scenario(name: &str, options: &Options) -> Result<Arc<dyn Scenario>, Failure> {
    let path = Path::new(name);
    let opened = if path.is_file() {
        catalogue::open_text(name, &read(path)?, options)
    } else {
        catalogue::open(name, options)
    };
    opened.map_err(|e| Failure::Input(e.into()))
}

/// The TOML files below a path, or the path itself.
pub(crate) fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries = fs::read_dir(path)
                .with_context(|| format!("{} cannot be listed", path.display()))
                .map_err(Failure::Machine)?;
            let mut inner: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
            inner.retain(|p| p.is_dir() || p.extension().is_some_and(|e| e == "toml"));
            inner.sort();
            files.extend(expand(&inner)?);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}
