//! `cargo xtask mutants`: breaks the code in random places, one at a time, and counts the breaks that tests notice.
//!
//! All mutants are built at once, into a copy of the workspace, and switched on one by one by an environment variable.

mod build;
mod copy;
mod report;
mod sites;
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use report::{Explained, Fate};
use sites::Site;

/// What is broken when nobody says otherwise, each with the crates whose situations and contract tests judge it besides
/// its own tests.
const PACKAGES: &[(&str, &[&str])] = &[
    ("battle-hymn", &[]),
    ("brigade-battles", &[]),
    ("american-revolution", &[]),
    ("hallowed-ground", &[]),
    ("fields-of-honor", &[]),
    (
        "game",
        &["battle-hymn", "brigade-battles", "american-revolution", "hallowed-ground", "fields-of-honor"],
    ),
    ("hexmap", &["battle-hymn", "brigade-battles", "american-revolution"]),
    ("table", &["hallowed-ground", "fields-of-honor"]),
];

/// The explained survivors and the files that hold no rules.
const EXPLAINED: &str = "xtask/mutants-explained.toml";

#[derive(clap::Args)]
pub(crate) struct Mutants {
    /// Break only this crate (again for more); all of them without it.
    #[arg(long)]
    package: Vec<String>,
    /// Break only files whose path holds this text.
    #[arg(long)]
    file: Option<String>,
    /// How many mutants to try.
    #[arg(long, default_value_t = 300)]
    count: usize,
    /// Choose the same mutants again; chosen anew without it.
    #[arg(long)]
    seed: Option<u64>,
    /// How many mutants to try at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// List the mutants and try none.
    #[arg(long)]
    list: bool,
    /// Judge each crate by its own tests alone, not by those of the crates built on it.
    #[arg(long)]
    alone: bool,
    /// Break also the files that hold no rules.
    #[arg(long)]
    everything: bool,
    /// Fail when a smaller share of the mutants, in percent, is caught.
    #[arg(long)]
    at_least: Option<f64>,
}

/// A place chosen to be broken.
#[derive(Debug, Clone)]
pub(crate) struct Mutant {
    /// Its number, from 1.
    pub id: u32,
    pub package: String,
    /// From the project's root.
    pub file: String,
    pub line: usize,
    pub site: Site,
    /// The line as it is, and as it is when broken.
    pub original: String,
    pub mutated: String,
}

pub(crate) fn run(root: &Path, asked: &Mutants) -> anyhow::Result<()> {
    let mut packages = packages(&asked.package)?;
    if asked.alone {
        packages.iter_mut().for_each(|(_, dependants)| *dependants = &[]);
    }
    let explained = Explained::read(&root.join(EXPLAINED))?;
    let seed = asked.seed.unwrap_or_else(fresh_seed);
    let every = candidates(root, &packages, asked, &explained)?;
    let places = every.len();
    // Some will not compile: a few are chosen beyond those asked for.
    let spare = if asked.list { 0 } else { asked.count / 6 + 4 };
    let chosen = choose(every, asked.count + spare, seed);
    eprintln!("{places} breaks are possible; seed {seed}");
    if asked.list {
        chosen.iter().for_each(report::list);
        return Ok(());
    }
    let ground = root.join("target/mutants");
    let mut built = build::build(root, &ground, &packages, chosen)?;
    built.mutants.truncate(asked.count);
    let fates = tests::judge(&ground, &built, asked.jobs.max(1))?;
    let rows: Vec<(Mutant, Fate)> = built.mutants.into_iter().zip(fates).collect();
    let share = report::print(&ground, &rows, &explained, seed)?;
    match asked.at_least {
        Some(bar) if share < bar => bail!("{share:.1} % of the mutants are caught, {bar} % should be"),
        _ => Ok(()),
    }
}

/// The crates to break and for each who else judges it.
fn packages(asked: &[String]) -> anyhow::Result<Vec<(&'static str, &'static [&'static str])>> {
    for name in asked {
        if !PACKAGES.iter().any(|(known, _)| known == name) {
            let known: Vec<&str> = PACKAGES.iter().map(|(name, _)| *name).collect();
            bail!("there is no crate {name} to break; there are {}", known.join(", "));
        }
    }
    Ok(PACKAGES
        .iter()
        .filter(|(name, _)| asked.is_empty() || asked.iter().any(|a| a == name))
        .copied()
        .collect())
}

fn candidates(
    root: &Path,
    packages: &[(&str, &[&str])],
    asked: &Mutants,
    explained: &Explained,
) -> anyhow::Result<Vec<Mutant>> {
    let mut found = Vec::new();
    for (package, _) in packages {
        let folder = root.join("crates").join(package).join("src");
        let files = rust_files(&folder)?;
        let of_tests: Vec<PathBuf> = files.iter().flat_map(|f| test_files(f)).collect();
        for path in files.iter().filter(|f| !of_tests.contains(f)) {
            let file = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            let wanted = asked.file.as_ref().is_none_or(|part| file.contains(part));
            if !wanted || !asked.everything && explained.skips(&file) {
                continue;
            }
            let source = fs::read_to_string(path)?;
            let sites = sites::sites(&source).with_context(|| format!("{file} is Rust"))?;
            found.extend(sites.into_iter().map(|site| mutant(package, &file, &source, site)));
        }
    }
    Ok(found)
}

fn mutant(package: &str, file: &str, source: &str, site: Site) -> Mutant {
    let line = source[..site.range.start].matches('\n').count() + 1;
    let start = source[..site.range.start].rfind('\n').map_or(0, |n| n + 1);
    let end = source[site.range.end..].find('\n').map_or(source.len(), |n| site.range.end + n);
    let tidy = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let original = tidy(&source[start..end]);
    let mutated = tidy(&format!(
        "{}{}{}",
        &source[start..site.range.start],
        site.mutated,
        &source[site.range.end..end]
    ));
    Mutant { id: 0, package: package.into(), file: file.into(), line, site, original, mutated }
}

fn rust_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("{} is a folder", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The files of the modules that `file` declares for tests alone.
fn test_files(file: &Path) -> Vec<PathBuf> {
    let modules = sites::test_modules(&fs::read_to_string(file).unwrap_or_default());
    let stem = file.file_stem().unwrap_or_default();
    let folder = if stem == "lib" || stem == "mod" || stem == "main" {
        file.with_file_name("")
    } else {
        file.with_extension("")
    };
    modules.iter().map(|m| folder.join(format!("{m}.rs"))).collect()
}

/// A random choice of which no two lie on each other; the same seed chooses the same.
fn choose(mut every: Vec<Mutant>, count: usize, seed: u64) -> Vec<Mutant> {
    let mut random = seed;
    for i in (1..every.len()).rev() {
        every.swap(i, (next(&mut random) % (i as u64 + 1)) as usize);
    }
    let mut taken = BTreeMap::<String, Vec<std::ops::Range<usize>>>::new();
    let mut chosen = Vec::new();
    for mut mutant in every {
        let (of_file, range) = (taken.entry(mutant.file.clone()).or_default(), mutant.site.range.clone());
        if of_file.iter().any(|r| r.start <= range.end && range.start <= r.end) {
            continue;
        }
        of_file.push(range);
        mutant.id = chosen.len() as u32 + 1;
        chosen.push(mutant);
        if chosen.len() == count {
            break;
        }
    }
    chosen
}

/// SplitMix64.
fn next(random: &mut u64) -> u64 {
    *random = random.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *random;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    now.as_millis() as u64 % 1_000_000
}
