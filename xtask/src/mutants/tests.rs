//! Runs the tests: first as they are, to learn which come by which mutant and how long they take, then against each mutant
//! until one fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use serde::Deserialize;

use super::Mutant;
use super::build::{Binary, Built};
use super::report::Fate;

/// Tests quicker than this, in seconds, run together.
const QUICK: f64 = 2.0;

/// Memory that a test may take, in kilobytes: a mutant may ask for all there is.
const MEMORY: u64 = 6_000_000;

/// What the run without a mutant has taught of one program of tests.
#[derive(Debug, Default)]
struct Known {
    seconds: BTreeMap<String, f64>,
    /// The tests that come by each mutant.
    reached: BTreeMap<u32, BTreeSet<String>>,
    /// What it comes by is not known: all its tests judge all mutants.
    blind: bool,
}

pub(crate) fn judge(ground: &Path, built: &Built, jobs: usize) -> anyhow::Result<Vec<Fate>> {
    let known = first_run(ground, &built.binaries)?;
    let (turn, done) = (AtomicUsize::new(0), Mutex::new(0));
    let fates = Mutex::new(vec![Fate::Unreached; built.mutants.len()]);
    let fault = Mutex::new(None);
    std::thread::scope(|scope| {
        for job in 0..jobs {
            let (turn, done, fates, fault, known) = (&turn, &done, &fates, &fault, &known);
            scope.spawn(move || {
                loop {
                    let index = turn.fetch_add(1, Ordering::Relaxed);
                    let Some(mutant) = built.mutants.get(index) else { break };
                    match try_one(ground, job, mutant, &built.binaries, known) {
                        Ok(fate) => {
                            let mut count = done.lock().expect("no job dies");
                            *count += 1;
                            tell(*count, built.mutants.len(), mutant, &fate);
                            fates.lock().expect("no job dies")[index] = fate;
                        }
                        Err(error) => {
                            *fault.lock().expect("no job dies") = Some(error);
                            break;
                        }
                    }
                }
            });
        }
    });
    match fault.into_inner().expect("no job dies") {
        Some(error) => Err(error),
        None => Ok(fates.into_inner().expect("no job dies")),
    }
}

fn tell(count: usize, of: usize, mutant: &Mutant, fate: &Fate) {
    eprintln!("{count}/{of} {}:{} {}", mutant.file, mutant.line, fate.words());
    if !fate.is_caught() {
        eprintln!("  - {}\n  + {}", mutant.original, mutant.mutated);
    }
}

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    event: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    exec_time: f64,
}

fn first_run(ground: &Path, binaries: &[Binary]) -> anyhow::Result<Vec<Known>> {
    let mut all = Vec::new();
    for (number, binary) in binaries.iter().enumerate() {
        let reached = ground.join(format!("reached-{number}.tsv"));
        let began = Instant::now();
        let (mut known, failed) = run_clean(ground, binary, Some(&reached))?;
        if !failed.is_empty() {
            // Writing down what is reached may be what they fail of.
            let (blind, failed) = run_clean(ground, binary, None)?;
            known = Known { blind: true, ..blind };
            let (whose, tests) = (format!("{} {}", binary.package, binary.name), failed.join(", "));
            if binary.name == "situations" && !failed.is_empty() {
                bail!("{whose} fails without any mutant: mend {tests} first");
            } else if !failed.is_empty() {
                eprintln!("{whose} fails without any mutant, so it judges without {tests}");
            }
        }
        for (id, test) in
            fs::read_to_string(&reached).unwrap_or_default().lines().filter_map(|l| l.split_once('\t'))
        {
            let Ok(id) = id.parse() else { continue };
            let tests = known.reached.entry(id).or_default();
            if known.seconds.contains_key(test) {
                tests.insert(test.to_owned());
            } else {
                // A thread that a test has started: any of them.
                tests.extend(known.seconds.keys().cloned());
            }
        }
        eprintln!(
            "{} {}: {} tests, {:.1} s",
            binary.package,
            binary.name,
            known.seconds.len(),
            began.elapsed().as_secs_f64()
        );
        all.push(known);
    }
    Ok(all)
}

/// What a program of tests does when nothing is broken, and the tests that fail.
fn run_clean(
    ground: &Path,
    binary: &Binary,
    reached: Option<&PathBuf>,
) -> anyhow::Result<(Known, Vec<String>)> {
    let log = ground.join("clean.log");
    let mut command = command(binary, 1_000_000);
    // The harness writes times only when asked in its own unstable words.
    command.env("RUSTC_BOOTSTRAP", "1").args(["-Zunstable-options", "--format=json", "--report-time"]);
    // Two at least: a test that runs alone has no thread of its own to be known by.
    command.arg("--test-threads=2");
    if let Some(path) = reached {
        let _ = fs::remove_file(path);
        command.env("LINSTOCK_MUTANTS_REACHED", path);
    }
    command
        .stdout(File::create(&log)?)
        .stderr(Stdio::null())
        .status()
        .with_context(|| format!("{} runs", binary.program.display()))?;
    let (mut known, mut failed) = (Known::default(), Vec::new());
    for line in fs::read_to_string(&log)?.lines() {
        let Ok(event) = serde_json::from_str::<Event>(line) else { continue };
        match (event.kind.as_str(), event.event.as_str()) {
            ("test", "ok") => _ = known.seconds.insert(event.name, event.exec_time),
            ("test", "failed") => failed.push(event.name),
            _ => {}
        }
    }
    Ok((known, failed))
}

/// A program of tests under limits of memory and of processor time, in seconds.
fn command(binary: &Binary, seconds: u64) -> Command {
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("ulimit -v {MEMORY}; ulimit -t {seconds}; exec \"$0\" \"$@\""))
        .arg(&binary.program)
        .current_dir(&binary.folder)
        .env("CARGO_MANIFEST_DIR", &binary.folder)
        // Fewer random games.
        .env("LINSTOCK_QUICK", "1")
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null());
    command
}

/// Tests of one program that run together.
struct Batch<'a> {
    binary: &'a Binary,
    tests: Vec<&'a str>,
    seconds: f64,
}

/// The tests that come by a mutant: situations first, then the quick ones of its own crate, then the rest.
fn batches<'a>(mutant: &Mutant, binaries: &'a [Binary], known: &'a [Known]) -> Vec<Batch<'a>> {
    let mut all = Vec::new();
    for (binary, known) in binaries.iter().zip(known) {
        if !binary.judges.contains(&mutant.package) {
            continue;
        }
        let reached = known.reached.get(&mutant.id);
        let tests =
            known.seconds.iter().filter(|(t, _)| known.blind || reached.is_some_and(|r| r.contains(*t)));
        let mut quick = Batch { binary, tests: Vec::new(), seconds: 0.0 };
        for (test, &seconds) in tests {
            if seconds < QUICK {
                quick.tests.push(test);
                quick.seconds += seconds;
            } else {
                all.push(Batch { binary, tests: vec![test], seconds });
            }
        }
        if !quick.tests.is_empty() {
            all.push(quick);
        }
    }
    let rank = |b: &Batch<'_>| match (b.binary.package == mutant.package, b.binary.name == "situations") {
        (true, true) => 0,
        (true, false) if b.seconds < 5.0 => 1,
        (false, true) => 2,
        _ => 3,
    };
    all.sort_by(|a, b| rank(a).cmp(&rank(b)).then(a.seconds.total_cmp(&b.seconds)));
    all
}

fn try_one(
    ground: &Path,
    job: usize,
    mutant: &Mutant,
    binaries: &[Binary],
    known: &[Known],
) -> anyhow::Result<Fate> {
    let batches = batches(mutant, binaries, known);
    if batches.is_empty() {
        return Ok(Fate::Unreached);
    }
    let log = ground.join(format!("job-{job}.log"));
    for batch in &batches {
        let name = || format!("{} {}", batch.binary.package, batch.binary.name);
        let mut command = command(batch.binary, (batch.seconds * 4.0) as u64 + 10);
        command.env("LINSTOCK_MUTANT", mutant.id.to_string());
        command.args(["--exact", "--test-threads=1"]).args(&batch.tests);
        command.stdout(File::create(&log)?).stderr(Stdio::null());
        let patience = Duration::from_secs_f64(batch.seconds * 20.0 + 120.0);
        match wait(&mut command, patience)? {
            Some(status) if status.success() => {}
            Some(status) if status.code() == Some(101) => {
                let failed = fs::read_to_string(&log)?
                    .lines()
                    .find_map(|l| l.strip_prefix("test ")?.strip_suffix(" ... FAILED").map(str::to_owned));
                return Ok(Fate::Caught(format!("{} {}", name(), failed.unwrap_or_default())));
            }
            // Out of time by its own clock, or dead of something else (no memory, stack overflow).
            Some(status) if killed_by_clock(status) => return Ok(Fate::TimedOut(name())),
            Some(_) => return Ok(Fate::Caught(format!("{} (it died)", name()))),
            None => return Ok(Fate::TimedOut(name())),
        }
    }
    Ok(Fate::Survived(batches.iter().map(|b| b.tests.len()).sum()))
}

#[cfg(unix)]
fn killed_by_clock(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    const KILLED: i32 = 9;
    const PROCESSOR_TIME: i32 = 24;
    matches!(status.signal(), Some(KILLED | PROCESSOR_TIME))
}

#[cfg(not(unix))]
fn killed_by_clock(_: ExitStatus) -> bool {
    false
}

/// How the program ends, or none if it had to be stopped.
fn wait(command: &mut Command, patience: Duration) -> anyhow::Result<Option<ExitStatus>> {
    let mut child = command.spawn().context("the tests run")?;
    let end = Instant::now() + patience;
    let mut pause = Duration::from_millis(2);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() > end {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}
