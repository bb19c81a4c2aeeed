//! Situations in which a person would call the right choice obvious; the General finds it in every one.
//!
//! Each file in `tactics` is a situation whose last step plays the right action. What else is right stands there as
//! `offered`, or makes what the step expects come true as well.

use std::fs;
use std::path::{Path, PathBuf};

use players::General;
use toml::{Table, Value};

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let mut files: Vec<PathBuf> =
        paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    files.sort();
    files
}

/// The General's choice where a situation plays its last action, and that action.
fn choice(name: &str, text: &str) -> (String, String) {
    let analysed = catalogue::analyse(name, text, General::GENERAL).unwrap_or_else(|e| panic!("{e}"));
    let best = analysed.hint.and_then(|hint| hint.choices.into_iter().next()).expect("somebody decides");
    (best.offer.action, analysed.action)
}

/// Whether a choice other than the one that the situation plays is as good.
fn as_good(name: &str, text: &str, choice: &str) -> bool {
    let mut situation: Table = text.parse().expect("it was read before");
    let steps = situation.get_mut("step").and_then(Value::as_array_mut).expect("it has steps");
    let last = steps.last_mut().and_then(Value::as_table_mut).expect("a step is a table");
    let listed = last.get("offered").and_then(Value::as_array);
    if listed.is_some_and(|listed| listed.iter().any(|one| one.as_str() == Some(choice))) {
        return true;
    }
    let Some(expected) = last.get("expect").cloned() else { return false };
    let play = Value::String(choice.to_owned());
    *last = Table::from_iter([("play".to_owned(), play), ("expect".to_owned(), expected)]);
    let text = toml::to_string(&situation).expect("it came from a file");
    catalogue::try_situation(name, &text).is_ok_and(|report| report.holds())
}

#[test]
fn the_general_sees_the_obvious() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tactics");
    let mut missed = Vec::new();
    for path in files(&folder) {
        let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
        let text = fs::read_to_string(&path).expect("it can be read");
        let report = catalogue::try_situation(&name, &text).unwrap_or_else(|e| panic!("{e}"));
        assert!(report.holds(), "{name}:\n{}", report.lines().join("\n"));
        let (choice, right) = choice(&name, &text);
        if choice != right && !as_good(&name, &text, &choice) {
            missed.push(format!("{name}: {choice} instead of {right}"));
        }
    }
    assert!(missed.is_empty(), "the General missed\n{}", missed.join("\n"));
}

#[test]
fn a_hint_calls_a_turn_what_the_board_calls_it() {
    let until = |file: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tactics").join(file);
        let text = fs::read_to_string(path).expect("it can be read");
        let quick = General { rollouts: 4, ..General::GENERAL };
        let analysed = catalogue::analyse(file, &text, quick).unwrap_or_else(|e| panic!("{e}"));
        analysed.hint.expect("somebody decides").until
    };
    assert_eq!(until("battle-hymn/keep-the-hill.toml"), "Hour 3");
    assert_eq!(until("american-revolution/take-the-house.toml"), "Turn 4");
}
