use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use catalogue::Scenario;
use game::Options;

use crate::Failure;

/// The largest file that is read, in bytes. The longest journals are far below it.
const LARGEST: u64 = 64 << 20;
/// The most folders that are looked into: more are not somebody's situations but somebody's disk.
const MOST_FOLDERS: usize = 10_000;

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let name = path.display();
    if path.is_dir() {
        return Err(Failure::Input(anyhow!("{name} is a folder; name a file in it")));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes))
        .with_context(|| format!("{name} cannot be read; is the path right?"))
        .map_err(Failure::Machine)?;
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::Input(anyhow!("{name} has more than {} MB; nothing was done", LARGEST >> 20)));
    }
    String::from_utf8(bytes)
        .map_err(|_| Failure::Input(anyhow!("{name} is not a text file (UTF-8); nothing was done")))
}

/// A scenario by its id in the library or by its file.
pub(crate) fn scenario(name: &str, options: &Options) -> Result<Arc<dyn Scenario>, Failure> {
    let path = Path::new(name);
    if !path.exists() || path.is_dir() && catalogue::scenario_ids().iter().any(|id| id == name) {
        let opened = catalogue::open(name, options);
        let with_ending = PathBuf::from(format!("{name}.toml"));
        return opened.map_err(|e| {
            Failure::Input(match with_ending.is_file() {
                true => {
                    anyhow!("there is no scenario `{name}`; did you mean the file {}?", with_ending.display())
                }
                false => e.into(),
            })
        });
    }
    let scenario = catalogue::open_text(name, &read(path)?, options).map_err(|e| Failure::Input(e.into()))?;
    if scenario.is_situation() {
        return Err(Failure::Input(anyhow!(
            "{name} is a situation, and computers play a scenario from its start; `linstock try` plays situations"
        )));
    }
    Ok(scenario)
}

/// The TOML files below each path, or the path itself.
pub(crate) fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        below(path, &mut 0, &mut files)?;
        if files.len() == before {
            return Err(Failure::Input(anyhow!("{} holds no .toml file", path.display())));
        }
    }
    Ok(files)
}

/// The TOML files below a folder, in order. Links to folders are not followed: they may lead back.
fn below(folder: &Path, looked_into: &mut usize, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    *looked_into += 1;
    if *looked_into > MOST_FOLDERS {
        return Err(Failure::Input(anyhow!(
            "there are more than {MOST_FOLDERS} folders; name a smaller one"
        )));
    }
    let entries = fs::read_dir(folder)
        .with_context(|| format!("{} cannot be listed", folder.display()))
        .map_err(Failure::Machine)?;
    let mut inner: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    inner.sort();
    for path in inner {
        if path.is_dir() {
            if !path.is_symlink() {
                below(&path, looked_into, files)?;
            }
        } else if path.extension().is_some_and(|ending| ending == "toml") {
            files.push(path);
        }
    }
    Ok(())
}
