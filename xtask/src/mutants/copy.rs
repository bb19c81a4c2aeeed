//! The copy of the workspace in which the mutants live. The project's own files are never touched.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;

use super::Mutant;
use super::sites::SWITCH;

/// The crate that answers whether a mutant is on. In the copy alone.
const MANIFEST: &str = r#"[package]
name = "mutant"
version = "0.0.0"
edition = "2024"
publish = false
"#;
const SOURCE: &str = include_str!("switch.rs.txt");

/// Where each mutant lies in the copy's files: the file, the bytes, its number.
#[derive(Debug, Default)]
pub(crate) struct Placed(BTreeMap<String, Vec<(Range<usize>, u32)>>);

impl Placed {
    /// The mutant that these bytes of a file touch.
    pub(crate) fn at(&self, file: &str, bytes: &Range<usize>) -> Option<u32> {
        let of_file = self.0.get(file)?;
        of_file
            .iter()
            .find(|(r, _)| r.start < bytes.end.max(bytes.start + 1) && bytes.start < r.end)
            .map(|(_, id)| *id)
    }
}

/// Brings the copy up to date with the project and writes the mutants into it.
pub(crate) fn write(root: &Path, copy: &Path, mutants: &[Mutant]) -> anyhow::Result<Placed> {
    let mut of_file = BTreeMap::<&str, Vec<&Mutant>>::new();
    let mut packages = BTreeSet::new();
    for mutant in mutants {
        of_file.entry(&mutant.file).or_default().push(mutant);
        packages.insert(format!("crates/{}/Cargo.toml", mutant.package));
    }
    let mut placed = Placed::default();
    let files = tracked(root)?;
    for file in &files {
        let mut content = fs::read(root.join(file)).with_context(|| format!("{file} can be read"))?;
        if let Some(mutants) = of_file.get(file.as_str()) {
            let (text, places) = instrument(std::str::from_utf8(&content)?, mutants);
            placed.0.insert(file.clone(), places);
            content = text.into_bytes();
        } else if file == "Cargo.toml" {
            content = workspace(&String::from_utf8(content)?, &files).into_bytes();
        } else if packages.contains(file) {
            let manifest = String::from_utf8(content)?;
            let with = "[dependencies]\nmutant = { path = \"../mutant\" }\n";
            content = manifest.replacen("[dependencies]\n", with, 1).into_bytes();
        }
        keep(&copy.join(file), &content)?;
    }
    keep(&copy.join("crates/mutant/Cargo.toml"), MANIFEST.as_bytes())?;
    keep(&copy.join("crates/mutant/src/lib.rs"), SOURCE.as_bytes())?;
    let kept: BTreeSet<PathBuf> = files.iter().map(|f| copy.join(f)).collect();
    sweep(copy, &kept)?;
    Ok(placed)
}

/// The workspace's manifest, under another version: cargo knows a crate by its name, its version and its place in the
/// workspace, and would take the copy's crates, built into the same folder, for the project's own. And optimised less: the
/// build takes longer than the tests.
fn workspace(manifest: &str, files: &[String]) -> String {
    let own =
        |line: &str| line.strip_prefix("version = \"").and_then(|v| v.strip_suffix('"')).map(str::to_owned);
    let mut text: String = manifest
        .lines()
        .map(|line| match own(line) {
            Some(version) => format!("version = \"{version}-mutants\"\n"),
            None => format!("{line}\n"),
        })
        .collect();
    let crates = files.iter().filter_map(|f| f.strip_prefix("crates/")?.strip_suffix("/Cargo.toml"));
    for package in crates.filter(|p| !manifest.contains(&format!("\n{p}.opt-level"))) {
        text += &format!("\n[profile.checked.package.{package}]\nopt-level = 1\ndebug = false\n");
    }
    text
}

fn instrument(source: &str, mutants: &[&Mutant]) -> (String, Vec<(Range<usize>, u32)>) {
    let mut sorted = mutants.to_vec();
    sorted.sort_by_key(|m| m.site.range.start);
    let (mut out, mut places, mut done) = (String::with_capacity(source.len() * 2), Vec::new(), 0);
    for mutant in sorted {
        out += &source[done..mutant.site.range.start];
        let start = out.len();
        out += &mutant.site.template.replace(SWITCH, &format!("::mutant::on({})", mutant.id));
        places.push((start..out.len(), mutant.id));
        done = mutant.site.range.end;
    }
    out += &source[done..];
    (out, places)
}

/// The project's files as git knows them, and those it does not yet, without the board.
fn tracked(root: &Path) -> anyhow::Result<Vec<String>> {
    let out = Command::new("git")
        .current_dir(root)
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .output()
        .context("git lists the files")?;
    anyhow::ensure!(
        out.status.success(),
        "git cannot list the files: {}",
        String::from_utf8_lossy(&out.stderr)
    );
    let mut files: Vec<String> = String::from_utf8(out.stdout)?
        .split('\0')
        .filter(|f| !f.is_empty() && !f.starts_with("web/") && root.join(f).is_file())
        .map(str::to_owned)
        .collect();
    files.sort();
    files.dedup();
    Ok(files)
}

/// Writes only what is new, so that cargo builds only what is new.
fn keep(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
    fs::write(path, content).with_context(|| format!("{} can be written", path.display()))
}

/// Removes what the project no longer has.
fn sweep(folder: &Path, kept: &BTreeSet<PathBuf>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.ends_with("crates/mutant") || path.ends_with("Cargo.lock") {
            continue;
        }
        if path.is_dir() {
            sweep(&path, kept)?;
        } else if !kept.contains(&path) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}
