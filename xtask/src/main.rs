//! `cargo xtask rules`: how many rules of each system are proved by a test that ran, and which are not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use clap::{Parser, Subcommand};
use serde::Deserialize;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Count the rules proved.
    Rules {
        /// As JSON.
        #[arg(long)]
        json: bool,
        /// Believe the proofs that an earlier test run recorded in this folder instead of running the tests.
        #[arg(long)]
        recorded: Option<PathBuf>,
        /// Write `rules/<system>/proofs.tsv`, which `linstock rules` shows.
        #[arg(long)]
        write: bool,
        /// Fail unless these systems are proved to the last rule.
        #[arg(long, value_delimiter = ',')]
        complete: Vec<String>,
    },
}

#[derive(Deserialize)]
struct Inventory {
    rule: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    id: String,
}

/// The rules of a system, and for each what proves it.
struct Coverage {
    system: String,
    rules: Vec<String>,
    proofs: BTreeMap<String, BTreeSet<String>>,
}

impl Coverage {
    fn missing(&self) -> Vec<&str> {
        self.rules.iter().filter(|id| !self.proofs.contains_key(*id)).map(String::as_str).collect()
    }

    fn proved(&self) -> usize {
        self.rules.len() - self.missing().len()
    }
}

fn main() -> anyhow::Result<()> {
    let Chore::Rules { json, recorded, write, complete } = Arguments::parse().chore;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask lies in the project")?;
    let folder = match recorded {
        Some(folder) => folder,
        None => run_tests(root)?,
    };
    let coverage = measure(root, &folder)?;
    if write {
        for system in &coverage {
            record(root, system)?;
        }
    }
    print(&coverage, json);
    for system in complete {
        match coverage.iter().find(|c| c.system == system) {
            Some(c) if c.missing().is_empty() => {}
            Some(c) => bail!("{system} has {} rules without proof", c.missing().len()),
            None => bail!("there is no system {system}"),
        }
    }
    Ok(())
}

fn systems(root: &Path) -> anyhow::Result<Vec<String>> {
    let mut found: Vec<String> = fs::read_dir(root.join("rules"))?
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter(|name| root.join("crates").join(name).join("tests").is_dir())
        .collect();
    found.sort();
    Ok(found)
}

fn run_tests(root: &Path) -> anyhow::Result<PathBuf> {
    let folder = std::env::temp_dir().join(format!("linstock-proofs-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.current_dir(root).env("LINSTOCK_PROOFS", &folder).args([
        "test",
        "--quiet",
        "--profile",
        "checked",
        "--no-fail-fast",
    ]);
    for system in systems(root)? {
        cargo.args(["-p", &system]);
    }
    // The report belongs on standard output alone.
    cargo.stdout(std::process::Stdio::null());
    let status = cargo.status().context("cargo runs the tests")?;
    if !status.success() {
        eprintln!("some tests fail; what they would prove does not count");
    }
    Ok(folder)
}

fn measure(root: &Path, folder: &Path) -> anyhow::Result<Vec<Coverage>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(root.join("rules"))? {
        let entry = entry?;
        if !entry.path().is_dir() {
            continue;
        }
        let system = entry.file_name().to_string_lossy().into_owned();
        let text = fs::read_to_string(root.join("rules").join(&system).join("rules.toml"))?;
        let rules: Vec<String> = toml::from_str::<Inventory>(&text)?.rule.into_iter().map(|r| r.id).collect();
        let recorded = fs::read_to_string(folder.join(format!("{system}.tsv"))).unwrap_or_default();
        let mut proofs = BTreeMap::<String, BTreeSet<String>>::new();
        for (id, by) in recorded.lines().filter_map(|l| l.split_once('\t')) {
            if rules.iter().any(|r| r == id) {
                proofs.entry(id.to_owned()).or_default().insert(by.to_owned());
            }
        }
        all.push(Coverage { system, rules, proofs });
    }
    all.sort_by(|a, b| a.system.cmp(&b.system));
    Ok(all)
}

fn record(root: &Path, coverage: &Coverage) -> anyhow::Result<()> {
    let mut text = String::new();
    for id in &coverage.rules {
        for by in coverage.proofs.get(id).into_iter().flatten() {
            text += &format!("{id}\t{by}\n");
        }
    }
    let path = root.join("rules").join(&coverage.system).join("proofs.tsv");
    if text.is_empty() { Ok(()) } else { fs::write(path, text).context("the proofs can be written") }
}

#[allow(clippy::print_stdout, reason = "the answer belongs on standard output")]
fn print(coverage: &[Coverage], json: bool) {
    if json {
        let rows: Vec<_> = coverage
            .iter()
            .map(|c| serde_json::json!({ "system": c.system, "rules": c.rules.len(), "proved": c.proved(), "missing": c.missing() }))
            .collect();
        println!("{:#}", serde_json::json!(rows));
        return;
    }
    for c in coverage {
        println!("{}: {} of {} proved", c.system, c.proved(), c.rules.len());
        if !c.missing().is_empty() && c.proved() > 0 {
            println!("  not proved: {}", c.missing().join(", "));
        }
    }
}
