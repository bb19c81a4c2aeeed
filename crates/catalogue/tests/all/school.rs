//! Every situation of every system opens on the board, holds as a demonstration, and goes on as a game.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use catalogue::{NewDice, demonstrate, open_text};
use game::journal::{self, Line};
use game::session::{Throw, Verified};
use game::{BySide, Eyes, Options};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every TOML file below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            found.push(path);
        }
    }
}

/// Does the same with every file, on every core; what went wrong, by file.
fn with_each(files: &[PathBuf], check: impl Fn(&str, &str) -> Result<(), String> + Sync) -> Vec<String> {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let name = file.strip_prefix(root()).unwrap_or(file).display().to_string();
            let text = fs::read_to_string(file).expect("text");
            if let Err(why) = check(&name, &text) {
                wrong.lock().unwrap().push(format!("{name}: {why}"));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    wrong.into_inner().unwrap()
}

/// The situation opens as a scenario, and a game of it stands where the situation begins.
fn opens(text: &str) -> Result<(), String> {
    let scenario = open_text("situation", text, &Options::new()).map_err(|error| error.to_string())?;
    if !scenario.is_situation() {
        return Err("it is taken for a scenario".into());
    }
    let nobody = BySide::from_fn(|_| String::new());
    let table = scenario.start(nobody, NewDice::Seed([0; 32]), &Throw::default())?;
    table.view(Eyes::All, None).ok_or("nothing is seen").map(drop)?;
    Ok(())
}

/// It holds step by step, and its journal replays to the same positions, whole and cut after every step.
fn is_shown(text: &str) -> Result<bool, String> {
    let shown = demonstrate("situation", text).map_err(|error| error.to_string())?;
    if !shown.holds() {
        return Err(format!("{:?}", shown.steps.last().map(|step| &step.failures)));
    }
    if shown.steps.iter().any(|step| step.words.is_empty()) {
        return Err("a step has no words".into());
    }
    let Some(journal) = &shown.journal else {
        return match shown.steps.iter().any(|step| step.moment.is_some()) {
            true => Err("there are decisions, and no journal".into()),
            false => Ok(false),
        };
    };
    let parsed = journal::parse(journal).map_err(|broken| broken.to_string())?;
    let scenario =
        open_text(&parsed.header.scenario, text, &Options::new()).map_err(|error| error.to_string())?;
    let (table, broken) = scenario.resume(parsed.clone(), None).map_err(|broken| broken.to_string())?;
    if let Some(broken) = broken {
        return Err(format!("the journal breaks: {broken}"));
    }
    match table.verify() {
        Ok(Verified::HoldsAfter(lines)) if lines == parsed.lines.len() as u64 => {}
        other => return Err(format!("the journal does not verify: {other:?}")),
    }
    for step in &shown.steps {
        let Some(moment) = step.moment else { continue };
        let view = table.view(Eyes::All, Some(moment)).ok_or("the journal is too short")?;
        let (drawn, due) = (serde_json::to_value(view), serde_json::to_value(&step.position.view));
        if drawn.unwrap() != due.unwrap() {
            return Err(format!("the journal leads elsewhere than the step at line {}", step.line));
        }
        let mut cut = parsed.clone();
        cut.lines.retain(|line| matches!(line, Line::Act { n, .. } if *n <= moment));
        let (table, broken) = scenario.resume(cut, None).map_err(|broken| broken.to_string())?;
        if broken.is_some() || table.moment() != moment {
            return Err(format!("it cannot be taken over at line {}", step.line));
        }
    }
    Ok(true)
}

fn all_situations_of(system: &str) {
    let mut found = Vec::new();
    files(&root().join("crates").join(system).join("situations"), &mut found);
    assert!(found.len() > 200, "{} situations of {system}", found.len());
    let journals = AtomicUsize::new(0);
    let wrong = with_each(&found, |_, text| {
        opens(text)?;
        journals.fetch_add(usize::from(is_shown(text)?), Ordering::Relaxed);
        Ok(())
    });
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), found.len(), wrong.join("\n"));
    // Only a few stop before anybody has decided.
    let journals = journals.into_inner();
    assert!(journals * 10 > found.len() * 9, "only {journals} of {} can be taken over", found.len());
}

#[test]
fn battle_hymn_opens_on_the_board() {
    all_situations_of("battle-hymn");
}

#[test]
fn brigade_battles_opens_on_the_board() {
    all_situations_of("brigade-battles");
}

#[test]
fn american_revolution_opens_on_the_board() {
    all_situations_of("american-revolution");
}

#[test]
fn hallowed_ground_opens_on_the_board() {
    all_situations_of("hallowed-ground");
}

#[test]
fn fields_of_honor_opens_on_the_board() {
    all_situations_of("fields-of-honor");
}
