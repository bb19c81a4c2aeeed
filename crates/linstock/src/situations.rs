use std::path::{Path, PathBuf};

use anyhow::anyhow;
use game::Options;
use game::situation::Report;
use serde_json::json;

use crate::{Failure, Outcome, files};

#[allow(clippy::print_stdout, reason = "the answer belongs on standard output")]
pub(crate) fn run(paths: &[PathBuf], as_json: bool) -> Outcome {
    let files = files::expand(paths)?;
    let (mut passed, mut failed, mut rows) = (0, 0, Vec::new());
    for file in &files {
        let text = files::read(file)?;
        let name = file.display().to_string();
        let result = catalogue::try_situation(&name, &text);
        let holds = result.as_ref().is_ok_and(Report::holds);
        if holds {
            passed += 1
        } else {
            failed += 1
        }
        match result {
            _ if as_json => rows.push(row(&name, holds, result)),
            Ok(report) => explain(&name, &report),
            Err(error) => println!("{name}\n{error}\n"),
        }
    }
    if as_json {
        println!("{:#}", json!({ "situations": rows, "passed": passed, "failed": failed }));
    } else {
        println!("{passed} passed, {failed} failed");
    }
    if failed == 0 { Ok(()) } else { Err(Failure::DoesNotHold) }
}

fn row(name: &str, holds: bool, result: Result<Report, catalogue::OpenError>) -> serde_json::Value {
    match result {
        Ok(report) => {
            let steps: Vec<_> =
                report.steps.iter().map(|s| json!({ "story": s.story, "failures": s.failures })).collect();
            json!({ "file": name, "title": report.title, "proves": report.proves, "holds": holds, "steps": steps })
        }
        Err(error) => json!({ "file": name, "holds": false, "fault": error.to_string() }),
    }
}

#[allow(clippy::print_stdout, reason = "the answer belongs on standard output")]
fn explain(name: &str, report: &Report) {
    let verdict = if report.holds() { "holds" } else { "FAILS" };
    println!("{name}: {verdict}\n  {} ({})", report.title, report.proves.join(", "));
    for (index, step) in report.steps.iter().enumerate() {
        println!("  step {}", index + 1);
        step.story.iter().for_each(|line| println!("    {line}"));
        step.failures.iter().for_each(|line| println!("    FAILS: {line}"));
    }
    println!();
}

#[allow(clippy::print_stdout, reason = "the answer belongs on standard output")]
pub(crate) fn check(paths: &[PathBuf]) -> Outcome {
    let mut bad = 0;
    let files = files::expand(paths)?;
    for file in &files {
        match check_one(file)? {
            Ok(what) => println!("{}: {what}", file.display()),
            Err(error) => {
                bad += 1;
                println!("{error}");
            }
        }
    }
    match bad {
        0 => Ok(()),
        n => Err(Failure::Input(anyhow!("{n} of {} files have faults", files.len()))),
    }
}

fn check_one(file: &Path) -> Result<Result<&'static str, catalogue::OpenError>, Failure> {
    let text = files::read(file)?;
    let name = file.display().to_string();
    let is_situation = text.lines().any(|line| line.trim_start().starts_with("[[step]]"));
    Ok(if is_situation {
        catalogue::check_situation(&name, &text).map(|()| "a sound situation")
    } else {
        catalogue::open_text(&name, &text, &Options::new()).map(|_| "a sound scenario")
    })
}
