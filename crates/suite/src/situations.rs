use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use game::System;
use game::situation;

use crate::Shelf;
use crate::proofs::record;
use crate::shelf::root;

/// Runs the situation `file` (from `home`, the crate's folder) and records what it proves.
///
/// # Panics
/// With a report, if it does not hold.
pub fn situation<S: System>(home: &str, file: &str) {
    if let Err(report) = run::<S>(&Path::new(home).join(file)) {
        panic!("\n{report}");
    }
}

/// Runs every situation below `folder` that is not among `listed`.
///
/// # Panics
/// With a report of each one that does not hold, and where the folder holds none at all.
pub fn situations_but<S: System>(home: &str, folder: &str, listed: &[&str]) {
    let listed: BTreeSet<PathBuf> = listed.iter().map(|file| Path::new(home).join(file)).collect();
    let files = files_below(&Path::new(home).join(folder));
    assert!(!files.is_empty(), "there is no situation below {folder}");
    let reports: Vec<String> =
        files.iter().filter(|file| !listed.contains(*file)).filter_map(|file| run::<S>(file).err()).collect();
    assert!(reports.is_empty(), "\n{}", reports.join("\n"));
}

fn run<S: System>(path: &Path) -> Result<(), String> {
    let root = root().canonicalize().unwrap_or_default();
    let name = path.strip_prefix(&root).unwrap_or(path).display().to_string();
    let source = fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
    let report = situation::run::<S>(&source, &Shelf).map_err(|faults| faults.report(&name, &source))?;
    if report.holds() {
        record(S::book().system, &report.proves, &name);
        return Ok(());
    }
    let mut out = format!("{name}: {}\n", report.title);
    report.lines().iter().for_each(|line| out += &format!("  {line}\n"));
    Err(out)
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.filter_map(|e| Some(e.ok()?.path())) {
        if path.is_dir() {
            found.extend(files_below(&path));
        } else if path.extension().is_some_and(|e| e == "toml") {
            found.push(path);
        }
    }
    found.sort();
    found
}
