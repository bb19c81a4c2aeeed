//! The program as a person at a terminal meets it: what it prints, and the code it ends with.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn linstock(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linstock")).args(arguments).output().expect("the program starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn project(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path).display().to_string()
}

/// A file that is gone when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("linstock-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("the file is written");
        Scratch(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn lists_every_system() {
    let output = linstock(&["list"]);
    assert_eq!(output.status.code(), Some(0));
    for id in [
        "battle-hymn/mcphersons-ridge",
        "brigade-battles/sunken-road",
        "american-revolution/the-cabin",
        "hallowed-ground/crossroads",
        "fields-of-honor/drill-ground",
    ] {
        assert!(said(&output).contains(id), "{id} is missing from\n{}", said(&output));
    }
}

#[test]
fn tries_situations_and_counts_them() {
    let output = linstock(&["try", &project("crates/battle-hymn/situations")]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = text.lines().last().expect("it says something");
    assert!(last.ends_with(" passed, 0 failed"), "{last}");
}

#[test]
fn a_broken_scenario_is_refused_at_its_place() {
    let broken = Scratch::new("broken.toml", "system = \"battle-hymn\"\n[map]\ncols = \"ten\"\n");
    let output = linstock(&["check", broken.path()]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains(":3:"), "the line is not named:\n{}", said(&output));
}

#[test]
fn a_file_that_is_not_there_is_the_machines_fault() {
    let output = linstock(&["check", "no-such-file.toml"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("no-such-file.toml"));
}

#[test]
fn an_unknown_scenario_is_the_inputs_fault() {
    let output = linstock(&["play", "battle-hymn/waterloo"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("battle-hymn/waterloo"));
}

#[test]
fn a_journal_is_written_replayed_and_caught_when_it_lies() {
    let journal = Scratch::new("game.jsonl", "");
    let output = linstock(&["play", "battle-hymn/drill", "--seed", "7", "--journal", journal.path()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let output = linstock(&["replay", journal.path(), "--verify"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("without luck"), "the adjusted score is not told:\n{}", said(&output));

    let text = std::fs::read_to_string(journal.path()).expect("it is there");
    let cut = Scratch::new("cut.jsonl", &text[..text.len() * 2 / 3]);
    let output = linstock(&["replay", cut.path(), "--verify"]);
    assert_ne!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("line"), "the broken line is not named:\n{}", said(&output));
}
