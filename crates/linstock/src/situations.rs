use std::path::PathBuf;

use anyhow::anyhow;
use catalogue::OpenError;
use catalogue::lessons::{LessonReport, is_lesson};
use game::Options;
use game::situation::Report;
use serde_json::{Value, json};

use crate::say::say;
use crate::{Failure, Outcome, files};

pub(crate) fn run(paths: &[PathBuf], as_json: bool) -> Outcome {
    let files = files::expand(paths)?;
    let (mut passed, mut failed, mut faulty, mut rows) = (0, 0, 0, Vec::new());
    for file in &files {
        let text = files::read(file)?;
        let name = file.display().to_string();
        let result = Tried::of(&name, &text);
        let holds = result.as_ref().is_ok_and(Tried::holds);
        if holds {
            passed += 1
        } else {
            failed += 1
        }
        faulty += usize::from(result.is_err());
        match result {
            _ if as_json => rows.push(row(&name, holds, result)),
            Ok(report) => explain(&name, &report),
            Err(error) => say!("{name}\n{error}\n"),
        }
    }
    if as_json {
        say!("{:#}", json!({ "situations": rows, "passed": passed, "failed": failed }));
    } else {
        say!("{passed} passed, {failed} failed");
    }
    match (failed, faulty) {
        (0, _) => Ok(()),
        (_, 0) => Err(Failure::DoesNotHold),
        (_, n) => Err(faults(n, files.len())),
    }
}

fn faults(faulty: usize, files: usize) -> Failure {
    match (faulty, files) {
        (_, 1) => Failure::Input(anyhow!("the file has faults")),
        (1, n) => Failure::Input(anyhow!("1 of {n} files has faults")),
        (faulty, n) => Failure::Input(anyhow!("{faulty} of {n} files have faults")),
    }
}

/// What came of a file: a situation or a lesson.
enum Tried {
    Situation(Report),
    Lesson(LessonReport),
}

impl Tried {
    fn of(name: &str, text: &str) -> Result<Tried, OpenError> {
        match is_lesson(text) {
            true => catalogue::try_lesson(name, text).map(Tried::Lesson),
            false => catalogue::try_situation(name, text).map(Tried::Situation),
        }
    }

    fn holds(&self) -> bool {
        match self {
            Tried::Situation(report) => report.holds(),
            Tried::Lesson(report) => report.holds(),
        }
    }
}

fn row(name: &str, holds: bool, result: Result<Tried, OpenError>) -> Value {
    match result {
        Ok(Tried::Lesson(report)) => {
            let tries: Vec<_> = report
                .tries
                .iter()
                .map(|t| json!({ "name": t.name, "line": t.line, "story": t.story, "failures": t.failures }))
                .collect();
            json!({ "file": name, "title": report.title, "learnt": report.learnt, "holds": holds, "tries": tries })
        }
        Ok(Tried::Situation(report)) => {
            let steps: Vec<_> =
                report.steps.iter().map(|s| json!({ "line": s.line, "story": s.story, "at_hand": s.at_hand, "failures": s.failures })).collect();
            json!({
                "file": name,
                "title": report.title,
                "proves": report.proves,
                "holds": holds,
                "steps": steps,
                "untried": report.untried,
            })
        }
        Err(error) => json!({ "file": name, "holds": false, "fault": error.to_string() }),
    }
}

fn explain(name: &str, tried: &Tried) {
    let verdict = if tried.holds() { "holds" } else { "FAILS" };
    let (title, rules, lines) = match tried {
        Tried::Situation(report) => (&report.title, &report.proves, report.lines()),
        Tried::Lesson(report) => (&report.title, &report.learnt, report.lines()),
    };
    say!("{name}: {verdict}\n  {title} ({})", rules.join(", "));
    lines.iter().for_each(|line| say!("  {line}"));
    say!("");
}

pub(crate) fn check(paths: &[PathBuf]) -> Outcome {
    let files = files::expand(paths)?;
    let (mut faulty, mut unread) = (0, None);
    for file in &files {
        let text = match files::read(file) {
            Ok(text) => text,
            // The others are looked at all the same; the last complaint is repeated at the end.
            Err(failure) => {
                say!("{failure}");
                unread = Some(failure);
                continue;
            }
        };
        match check_one(&file.display().to_string(), &text) {
            Ok(what) => say!("{}: {what}", file.display()),
            Err(error) => {
                faulty += 1;
                say!("{error}");
            }
        }
    }
    match (unread, faulty) {
        (Some(failure), _) => Err(failure),
        (None, 0) => Ok(()),
        (None, n) => Err(faults(n, files.len())),
    }
}

fn check_one(name: &str, text: &str) -> Result<&'static str, OpenError> {
    if is_lesson(text) {
        return catalogue::try_lesson(name, text).map(|_| "a sound lesson");
    }
    let is_situation = text.lines().any(|line| line.trim_start().starts_with("[[step]]"));
    match is_situation {
        true => catalogue::check_situation(name, text).map(|()| "a sound situation"),
        false => catalogue::open_text(name, text, &Options::new()).map(|_| "a sound scenario"),
    }
}
