use std::fs;
use std::path::{Path, PathBuf};

use game::System;
use game::situation;

use crate::Shelf;
use crate::proofs::record;
use crate::quick;
use crate::shelf::root;

/// Runs every situation below `folder` (from the project's root) and records what those that hold prove.
///
/// # Panics
/// With a report of each one that does not hold.
pub fn situations<S: System>(folder: &str) {
    let files = files_below(&root().join(folder));
    assert!(!files.is_empty(), "there is no situation below {folder}");
    let enough = if quick() { 1 } else { usize::MAX };
    let reports: Vec<String> = files.iter().filter_map(|file| run::<S>(file).err()).take(enough).collect();
    let (all, bad) = (files.len(), reports.len());
    assert!(
        reports.is_empty(),
        "\n{}\n{} of {all} situations hold, {bad} do not",
        reports.join("\n"),
        all - bad
    );
}

fn run<S: System>(path: &Path) -> Result<(), String> {
    let root = root();
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
