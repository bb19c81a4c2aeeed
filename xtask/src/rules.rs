//! How many rules of each system are proved by a test that ran, and which are not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use serde::Deserialize;

#[derive(clap::Args)]
pub(crate) struct Rules {
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
    /// Look only at the handbooks: each rule must be named by a passage, and each name must be a rule's.
    #[arg(long)]
    handbook: bool,
    /// Look only at what can be shown: each rule must have a situation, in `proofs.tsv` or `shows.tsv`, that is there.
    #[arg(long)]
    shown: bool,
}

pub(crate) fn run(root: &Path, asked: Rules) -> anyhow::Result<()> {
    let Rules { json, recorded, write, complete, handbook, shown } = asked;
    if handbook {
        return handbooks(root);
    }
    if shown {
        return situations(root);
    }
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
            Some(c) => bail!("{system} has {} rules or clauses without proof", c.missing().len()),
            None => bail!("there is no system {system}"),
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct Inventory {
    rule: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    id: String,
    /// How many clauses it has that are proved one by one.
    #[serde(default = "one")]
    clauses: u8,
}

fn one() -> u8 {
    1
}

impl Rule {
    /// What must be proved: the rule, or each of its clauses, as `proves` names them.
    fn parts(&self) -> Vec<String> {
        match self.clauses {
            0 | 1 => vec![self.id.clone()],
            n => (1..=n).map(|clause| format!("{}/{clause}", self.id)).collect(),
        }
    }
}

/// The rules of a system, and for each rule or clause what proves it.
struct Coverage {
    system: String,
    rules: Vec<Rule>,
    proofs: BTreeMap<String, BTreeSet<String>>,
}

impl Coverage {
    /// The rules, and clauses of rules, that nothing proves.
    fn missing(&self) -> Vec<String> {
        self.rules.iter().flat_map(Rule::parts).filter(|part| !self.proofs.contains_key(part)).collect()
    }

    /// The rules that are proved to the last clause.
    fn proved(&self) -> usize {
        self.rules
            .iter()
            .filter(|rule| rule.parts().iter().all(|part| self.proofs.contains_key(part)))
            .count()
    }
}

fn systems(root: &Path) -> anyhow::Result<Vec<String>> {
    let mut found: Vec<String> = fs::read_dir(root.join("rules"))?
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter(|name| root.join("crates").join(name).join("tests").is_dir())
        .collect();
    found.sort();
    Ok(found)
}

fn inventory(root: &Path, system: &str) -> anyhow::Result<Vec<Rule>> {
    let path = root.join("rules").join(system).join("rules.toml");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(toml::from_str::<Inventory>(&text).with_context(|| path.display().to_string())?.rule)
}

/// The rules that a text names in brackets: `[5.3.a, 5.3.b]`.
fn named(text: &str) -> BTreeSet<&str> {
    let brackets = text.split('[').skip(1).filter_map(|rest| {
        let (inside, after) = rest.split_once(']')?;
        // A link is not a rule.
        (!after.starts_with('(') && !inside.contains('\n')).then_some(inside)
    });
    brackets.flat_map(|inside| inside.split(',')).map(str::trim).collect()
}

/// How much of each inventory its handbook covers.
#[allow(clippy::print_stdout, reason = "the answer belongs on standard output")]
fn handbooks(root: &Path) -> anyhow::Result<()> {
    let mut faults = 0;
    for system in systems(root)? {
        let path = root.join("docs/handbook").join(format!("{system}.md"));
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let (named, rules) = (named(&text), inventory(root, &system)?);
        let known: BTreeSet<&str> = rules.iter().map(|rule| rule.id.as_str()).collect();
        println!("{system}: {} of {} rules in the handbook", known.intersection(&named).count(), known.len());
        for id in known.difference(&named) {
            println!("  {id} is missing");
        }
        for id in named.difference(&known) {
            println!("  {id} is no rule of the inventory");
        }
        faults += known.symmetric_difference(&named).count();
    }
    if faults > 0 {
        bail!("{faults} rules are missing from the handbooks or unknown");
    }
    Ok(())
}

/// How many rules of each inventory have a situation that shows them on the board.
#[allow(clippy::print_stdout, reason = "the answer belongs on standard output")]
fn situations(root: &Path) -> anyhow::Result<()> {
    let mut faults = 0;
    for system in systems(root)? {
        let folder = root.join("rules").join(&system);
        let proofs = folder.join("proofs.tsv");
        let mut written = fs::read_to_string(&proofs).with_context(|| proofs.display().to_string())?;
        // A rule that no situation proves may be seen at work in one.
        written += &fs::read_to_string(folder.join("shows.tsv")).unwrap_or_default();
        let rules = inventory(root, &system)?;
        let ids: BTreeSet<&str> = rules.iter().map(|rule| rule.id.as_str()).collect();
        let shown = shown(&written);
        let found: BTreeSet<&str> = ids.iter().copied().filter(|id| shown.contains_key(id)).collect();
        println!("{system}: {} of {} rules have a situation", found.len(), ids.len());
        let gone = shown.values().flatten().filter(|path| !root.join(path).is_file());
        let told = ids.difference(&found).map(|id| format!("{id} has no situation"));
        let told =
            told.chain(shown.keys().filter(|id| !ids.contains(*id)).map(|id| format!("{id} is no rule")));
        for fault in told.chain(gone.map(|path| format!("{path} is not there"))) {
            println!("  {fault}");
            faults += 1;
        }
    }
    if faults > 0 {
        bail!(
            "{faults} rules or situations are missing; a rule without one needs a row in rules/<system>/shows.tsv"
        );
    }
    Ok(())
}

/// The situations of each rule, its clauses together.
fn shown(written: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut shown = BTreeMap::<&str, BTreeSet<&str>>::new();
    for (part, by) in written.lines().filter_map(|line| line.split_once('\t')) {
        if by.ends_with(".toml") {
            let rule = part.split_once('/').map_or(part, |(rule, _)| rule);
            shown.entry(rule).or_default().insert(by);
        }
    }
    shown
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
        let rules = inventory(root, &system)?;
        let recorded = fs::read_to_string(folder.join(format!("{system}.tsv"))).unwrap_or_default();
        let mut proofs = BTreeMap::<String, BTreeSet<String>>::new();
        let parts: BTreeSet<String> = rules.iter().flat_map(Rule::parts).collect();
        for (part, by) in recorded.lines().filter_map(|l| l.split_once('\t')) {
            if parts.contains(part) {
                proofs.entry(part.to_owned()).or_default().insert(by.to_owned());
            }
        }
        all.push(Coverage { system, rules, proofs });
    }
    all.sort_by(|a, b| a.system.cmp(&b.system));
    Ok(all)
}

fn record(root: &Path, coverage: &Coverage) -> anyhow::Result<()> {
    let mut text = String::new();
    for part in coverage.rules.iter().flat_map(Rule::parts) {
        for by in coverage.proofs.get(&part).into_iter().flatten() {
            text += &format!("{part}\t{by}\n");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_named_in_brackets_and_links_are_not() {
        let text = "Stop [5.3.a, 5.3.b], see [the map](map.md) and [6.1].";
        assert_eq!(named(text), BTreeSet::from(["5.3.a", "5.3.b", "6.1"]));
    }

    #[test]
    fn a_rule_is_shown_by_situations_and_not_by_other_tests() {
        let written = "1.a\ta Rust test\n1.b/1\tx.toml\n1.b/2\ty.toml\n1.c\ty.toml\n";
        let expected = [("1.b", BTreeSet::from(["x.toml", "y.toml"])), ("1.c", BTreeSet::from(["y.toml"]))];
        assert_eq!(shown(written), BTreeMap::from(expected));
    }

    fn coverage(proved: &[&str]) -> Coverage {
        let inventory: Inventory = toml::from_str(
            "[[rule]]\nid = \"1.a\"\n[[rule]]\nid = \"1.b\"\nclauses = 2\n[[rule]]\nid = \"freemans-farm.a\"\n",
        )
        .expect("an inventory");
        let by = BTreeSet::from(["a situation".to_owned()]);
        let proofs = proved.iter().map(|p| ((*p).to_owned(), by.clone())).collect();
        Coverage { system: "test".into(), rules: inventory.rule, proofs }
    }

    #[test]
    fn a_rule_is_proved_when_every_clause_is() {
        let half = coverage(&["1.a", "1.b/2", "freemans-farm.a"]);
        assert_eq!((half.proved(), half.missing()), (2, vec!["1.b/1".to_owned()]));
        let whole = coverage(&["1.a", "1.b/1", "1.b/2", "freemans-farm.a"]);
        assert_eq!((whole.proved(), whole.missing().len()), (3, 0));
    }
}
