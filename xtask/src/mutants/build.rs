//! Builds the tests with all mutants in them, and drops the mutants that do not compile.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use serde::Deserialize;

use super::Mutant;
use super::copy::{self, Placed};

/// The mutants that compile, and the tests that judge them.
#[derive(Debug)]
pub(crate) struct Built {
    pub mutants: Vec<Mutant>,
    pub binaries: Vec<Binary>,
}

/// A program of tests.
#[derive(Debug, Clone)]
pub(crate) struct Binary {
    pub package: String,
    /// `situations`, `contract`, or the crate's own name for the tests in its sources.
    pub name: String,
    pub program: PathBuf,
    /// The folder it runs in.
    pub folder: PathBuf,
    /// The crates whose mutants it judges.
    pub judges: Vec<String>,
}

pub(crate) fn build(
    root: &Path,
    ground: &Path,
    packages: &[(&str, &[&str])],
    mut mutants: Vec<Mutant>,
) -> anyhow::Result<Built> {
    let work = ground.join("work");
    std::fs::create_dir_all(&work)?;
    loop {
        let placed = copy::write(root, &work, &mutants)?;
        match compile(root, &work, packages, &placed)? {
            Ok(binaries) => return Ok(Built { mutants, binaries }),
            Err(faulty) => {
                eprintln!("{} mutants do not compile and are dropped", faulty.len());
                mutants.retain(|m| !faulty.contains(&m.id));
            }
        }
    }
}

/// The programs of tests, or the mutants that do not compile.
fn compile(
    root: &Path,
    work: &Path,
    packages: &[(&str, &[&str])],
    placed: &Placed,
) -> anyhow::Result<Result<Vec<Binary>, BTreeSet<u32>>> {
    let own: BTreeSet<&str> = packages.iter().map(|(name, _)| *name).collect();
    let dependants: BTreeSet<&str> =
        packages.iter().flat_map(|(_, by)| by.iter().copied()).filter(|p| !own.contains(p)).collect();
    let mut binaries = Vec::new();
    for (group, targets) in [(&own, &["--lib", "--tests"][..]), (&dependants, &["--test", "all"][..])] {
        if group.is_empty() {
            continue;
        }
        match cargo(root, work, group, targets, placed)? {
            Ok(more) => binaries.extend(more),
            Err(faulty) => return Ok(Err(faulty)),
        }
    }
    for binary in &mut binaries {
        let shared = binary.name == "all";
        let judged = packages
            .iter()
            .filter(|(name, by)| *name == binary.package || shared && by.contains(&binary.package.as_str()));
        binary.judges = judged.map(|(name, _)| (*name).to_owned()).collect();
    }
    Ok(Ok(binaries))
}

#[derive(Deserialize)]
struct Line {
    reason: String,
    #[serde(default)]
    executable: Option<PathBuf>,
    #[serde(default)]
    manifest_path: PathBuf,
    #[serde(default)]
    target: Option<Target>,
    #[serde(default)]
    profile: Option<Profile>,
    #[serde(default)]
    message: Option<Message>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

#[derive(Deserialize)]
struct Message {
    level: String,
    rendered: Option<String>,
    spans: Vec<Span>,
    #[serde(default)]
    children: Vec<Message>,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
}

impl Message {
    fn spans(&self) -> impl Iterator<Item = &Span> {
        self.spans.iter().chain(self.children.iter().flat_map(|c| &c.spans))
    }
}

fn cargo(
    root: &Path,
    work: &Path,
    packages: &BTreeSet<&str>,
    targets: &[&str],
    placed: &Placed,
) -> anyhow::Result<Result<Vec<Binary>, BTreeSet<u32>>> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo
        .current_dir(work)
        // What others have built already need not be built again.
        .env("CARGO_TARGET_DIR", root.join("target"))
        .args(["test", "--no-run", "--profile", "checked", "--no-fail-fast", "--message-format=json"])
        .args(targets)
        .stderr(Stdio::inherit());
    for package in packages {
        cargo.args(["-p", package]);
    }
    let out = cargo.output().context("cargo builds the tests")?;
    let (mut binaries, mut faulty, mut unplaced) = (Vec::new(), BTreeSet::new(), Vec::new());
    for line in String::from_utf8_lossy(&out.stdout).lines() {
        let Ok(line) = serde_json::from_str::<Line>(line) else { continue };
        match line.reason.as_str() {
            "compiler-artifact" if line.profile.as_ref().is_some_and(|p| p.test) => {
                let (Some(program), Some(target)) = (line.executable, line.target) else { continue };
                let folder = line.manifest_path.parent().unwrap_or(work).to_owned();
                let package = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
                binaries.push(Binary { package, name: target.name, program, folder, judges: Vec::new() });
            }
            "compiler-message" => {
                let Some(message) = line.message.filter(|m| m.level == "error") else { continue };
                let hit: BTreeSet<u32> = message
                    .spans()
                    .filter_map(|s| placed.at(&s.file_name.replace('\\', "/"), &(s.byte_start..s.byte_end)))
                    .collect();
                if hit.is_empty() && !message.spans.is_empty() {
                    unplaced.push(message.rendered.unwrap_or_default());
                }
                faulty.extend(hit);
            }
            _ => {}
        }
    }
    if out.status.success() {
        return Ok(Ok(binaries));
    }
    if faulty.is_empty() {
        bail!("the tests do not build, and no mutant is to blame:\n{}", unplaced.join("\n"));
    }
    Ok(Err(faulty))
}
