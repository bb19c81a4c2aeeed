//! The program as a person at a terminal meets it: what it prints, and the code it ends with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn linstock(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linstock")).args(arguments).output().expect("the program starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn project(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path).display().to_string()
}

/// A file or a folder that is gone when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Scratch {
        let scratch = Scratch::not_yet(name);
        fs::write(&scratch.0, text).expect("the file is written");
        scratch
    }

    fn folder(name: &str) -> Scratch {
        let scratch = Scratch::not_yet(name);
        fs::create_dir(&scratch.0).expect("the folder is made");
        scratch
    }

    /// A name for a file to come.
    fn not_yet(name: &str) -> Scratch {
        Scratch(std::env::temp_dir().join(format!("linstock-{}-{name}", std::process::id())))
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = if self.0.is_dir() { fs::remove_dir_all(&self.0) } else { fs::remove_file(&self.0) };
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
    let journal = Scratch::not_yet("game.jsonl");
    let output = linstock(&["play", "battle-hymn/drill", "--seed", "7", "--journal", journal.path()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let output = linstock(&["replay", journal.path(), "--verify"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("without luck"), "the adjusted score is not told:\n{}", said(&output));

    let text = fs::read_to_string(journal.path()).expect("it is there");
    let cut = Scratch::new("cut.jsonl", &text[..text.len() * 2 / 3]);
    let output = linstock(&["replay", cut.path(), "--verify"]);
    assert_ne!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("line"), "the broken line is not named:\n{}", said(&output));
}

fn check_refused(arguments: &[&str], words: &str) {
    let output = linstock(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
    assert!(said(&output).contains(words), "`{words}` is not in: {}", said(&output));
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    for seconds in ["nan", "inf", "1e300", "-1", "0"] {
        check_refused(&["bench", "battle-hymn/drill", &format!("--seconds={seconds}")], "0.01 to 3600");
    }
    check_refused(&["bench", "battle-hymn/drill", "--odds", "0"], "1..");
    check_refused(&["perft", "battle-hymn/drill", "0"], "1..");
    check_refused(&["play", "battle-hymn/drill", "--games", "0"], "1..");
    check_refused(
        &["play", "battle-hymn/drill", "--seat", "usa=random", "--seat", "usa=captain"],
        "taken already",
    );
}

#[test]
fn a_reader_who_leaves_early_is_no_fault() {
    for arguments in
        [&["list"][..], &["rules", "battle-hymn"], &["play", "battle-hymn/drill", "--seat", "usa=random"]]
    {
        let mut program = Command::new(env!("CARGO_BIN_EXE_linstock"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(program.stdout.take());
        let output = program.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn nothing_is_overwritten_by_a_journal() {
    let text = fs::read_to_string(project("scenarios/battle-hymn/drill.toml")).expect("the drill");
    let mine = Scratch::new("mine.toml", &text);
    check_refused(&["play", mine.path(), "--journal", mine.path()], "nothing is overwritten");
    assert_eq!(fs::read_to_string(mine.path()).expect("still there"), text);
    check_refused(&["play", mine.path(), "--journal", "/no-such-folder/game.jsonl"], "no such folder");
}

#[test]
fn folders_are_searched_to_an_end() {
    let folder = Scratch::folder("situations");
    for command in ["check", "try"] {
        check_refused(&[command, folder.path()], "holds no .toml file");
    }
    check_refused(&["play", folder.path()], "is a folder");
    let drill = fs::read_to_string(project("scenarios/battle-hymn/drill.toml")).expect("the drill");
    fs::write(folder.0.join("drill.toml"), drill).expect("written");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&folder.0, folder.0.join("again")).expect("linked");
    let output = linstock(&["check", folder.path()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(said(&output).lines().count(), 1, "{}", said(&output));
    check_refused(&["play", &format!("{}/drill", folder.path())], "did you mean the file");
}

#[cfg(unix)]
#[test]
fn a_file_without_end_is_refused() {
    check_refused(&["check", "/dev/zero"], "more than 64 MB");
}

#[test]
fn every_file_is_looked_at_and_faults_are_the_inputs() {
    let drill = project("scenarios/battle-hymn/drill.toml");
    let output = linstock(&["check", "no-such-file.toml", &drill]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("drill.toml: a sound scenario"), "{}", said(&output));
    let faulty = Scratch::new("faulty.toml", "system = \"battle-hymn\"\n[[step]]\n");
    let output = linstock(&["try", faulty.path()]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("0 passed, 1 failed"), "{}", said(&output));
}

#[test]
fn a_journal_that_breaks_off_says_so_in_words() {
    let journal = Scratch::not_yet("whole.jsonl");
    let output = linstock(&["play", "battle-hymn/drill", "--seed", "8", "--journal", journal.path()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let text = fs::read_to_string(journal.path()).expect("it is there");
    let lines: Vec<&str> = text.lines().collect();
    for (kept, words) in
        [(lines.len() / 2, "not finished ("), (lines.len() - 1, "the line of the end is missing")]
    {
        let cut = Scratch::new("part.jsonl", &lines[..kept].join("\n"));
        let output = linstock(&["replay", cut.path(), "--verify"]);
        assert!(said(&output).contains(words), "`{words}` is not in: {}", said(&output));
        assert!(!said(&output).contains("First"), "{}", said(&output));
    }
}

#[test]
fn a_match_is_played_kept_and_gone_on_with() {
    let folder = Scratch::folder("matches");
    let play = |pairs: &str| {
        let output = linstock(&[
            "match",
            "general:candidates=3,rollouts=6",
            "random",
            "--scenario",
            "battle-hymn/drill",
            "--pairs",
            pairs,
            "--keep",
            folder.path(),
            "--json",
        ]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        told[0].clone()
    };
    let kept = || {
        let file =
            fs::read_dir(&folder.0).expect("a folder").next().expect("a file").expect("it can be read");
        fs::read_to_string(file.path()).expect("text")
    };
    assert_eq!(play("1")["games"], 2);
    let first = kept();
    let two = play("2");
    assert_eq!(two["games"], 4);
    assert!(two["share"].as_f64() > Some(0.5), "{two}");
    assert!(kept().starts_with(&first) && kept().lines().count() == 3, "{}", kept());
}

#[test]
fn a_match_says_what_is_wrong_with_its_players_and_its_file() {
    check_refused(&["match", "marshal", "captain"], "there is no player `marshal`");
    check_refused(&["match", "general:speed=9", "captain"], "is not a setting");
    check_refused(&["match", "captain", "random", "--sprt", "50:0"], "the lower first");
    let folder = Scratch::folder("other-match");
    let file = folder.0.join("random-v-random-battle-hymn-drill.jsonl");
    fs::write(&file, "{\"something\":\"else\"}\n").expect("the file is written");
    let keep = ["--scenario", "battle-hymn/drill", "--pairs", "1", "--keep", folder.path()];
    check_refused(&[&["match", "random", "random"][..], &keep].concat(), "belongs to another match");
}

#[test]
fn a_game_is_analysed_at_a_moment_and_reviewed() {
    let journal = Scratch::not_yet("analysed.jsonl");
    let output = linstock(&["play", "battle-hymn/drill", "--seed", "8", "--journal", journal.path()]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let output = linstock(&["analyse", journal.path(), "--at", "3", "--plays", "24", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let hint: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(!hint["choices"].as_array().expect("a list").is_empty(), "{hint}");
    check_refused(&["analyse", journal.path()], "the game is over");
    check_refused(&["analyse", journal.path(), "--at", "9999"], "the journal has");
    check_refused(&["analyse", &project("scenarios/battle-hymn/drill.toml"), "--review"], "is for journals");
    let output = linstock(&["analyse", journal.path(), "--review"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("accuracy of the second side"), "{}", said(&output));
}

#[test]
fn completions_and_manual_know_the_commands() {
    for (shell, word) in [("bash", "doctor"), ("zsh", "doctor"), ("fish", "doctor")] {
        let output = linstock(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert!(said(&output).contains(word), "{shell}");
    }
    let page = linstock(&["man"]);
    assert!(said(&page).contains(".TH linstock 1"), "{}", said(&page));
    let folder = Scratch::folder("man");
    assert_eq!(linstock(&["man", folder.path()]).status.code(), Some(0));
    assert!(folder.0.join("linstock-serve.1").is_file());
}

/// A server that is ended with the test.
struct Running(std::process::Child);

impl Running {
    fn new(arguments: &[&str], directory: &Path) -> Running {
        let child = Command::new(env!("CARGO_BIN_EXE_linstock"))
            .args(arguments)
            .current_dir(directory)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        Running(child.expect("the program starts"))
    }

    /// What it prints up to the line with its address, and the address.
    fn address(&mut self) -> (String, String) {
        use std::io::BufRead as _;
        let mut told = String::new();
        for line in std::io::BufReader::new(self.0.stdout.take().expect("piped")).lines() {
            let line = line.expect("text");
            if let Some(at) = line.strip_prefix("Linstock is at http://") {
                return (told, at.to_owned());
            }
            told += &line;
        }
        panic!("it ended and said {told}");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_server_tells_that_it_is_well_and_a_doctor_finds_it() {
    let folder = Scratch::folder("well");
    let mut server = Running::new(&["serve", "--addr", "127.0.0.1:0"], &folder.0);
    let (_, addr) = server.address();
    let health = linstock(&["health", "--addr", &addr]);
    assert_eq!((health.status.code(), said(&health).as_str()), (Some(0), "ok\n"));
    let data = folder.0.join("data").display().to_string();
    let doctor = linstock(&["doctor", "--addr", &addr, "--data", &data]);
    let told = said(&doctor);
    assert!(told.contains(&format!("a Linstock is running at http://{addr}")), "{told}");
    assert!(told.contains("is in use by a Linstock that runs now"), "{told}");
    drop(server);
    assert_eq!(linstock(&["health", "--addr", &addr]).status.code(), Some(3));
}

#[test]
fn a_study_tells_programs_how_far_it_is() {
    let text = "scenarios = [\"american-revolution/the-cabin\"]\nplayers = [\"random\"]\ngames = 20\n";
    let (file, out) = (Scratch::new("study.toml", text), Scratch::not_yet("study"));
    let output = linstock(&["study", file.path(), "--out", out.path(), "--progress"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(
        told.lines().all(|line| line.starts_with("{\"done\":") && line.ends_with("\"of\":20}")),
        "{told}"
    );
    assert_eq!(told.lines().last(), Some("{\"done\":20,\"of\":20}"));
    assert!(out.0.join("report.html").is_file());
}
