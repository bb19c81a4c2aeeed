//! Every lesson is played by its solution and by its wrong tries, and every decision of a system has a coach.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use catalogue::lessons::is_lesson;
use catalogue::{NewDice, open_text, try_lesson};
use game::session::{ActError, Throw, Verified};
use game::{BySide, Now, Options};
use players::Player;

fn folder(system: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lessons").join(system)
}

/// The lessons of a system in the order of its course.
fn lessons(system: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = fs::read_dir(folder(system))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .filter(|(name, _)| name.ends_with(".toml") && name != "coach.toml")
        .map(|(name, path)| (format!("{system}/{name}"), fs::read_to_string(path).expect("text")))
        .collect();
    found.sort();
    found
}

fn every_try_comes_out(system: &str) {
    let mut wrong = Vec::new();
    for (name, text) in lessons(system) {
        match try_lesson(&name, &text) {
            Ok(report) if report.holds() => {}
            Ok(report) => wrong.push(format!("{name}\n{}", report.lines().join("\n"))),
            Err(error) => wrong.push(format!("{name}\n{error}")),
        }
        if !is_lesson(&text) {
            wrong.push(format!("{name} is no lesson"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A table of `coach.toml`.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Advice {
    why: String,
    rules: Vec<String>,
}

/// The kinds of decision that random games of the system's scenarios meet.
fn kinds_met(system: &str) -> BTreeSet<String> {
    let mut met = BTreeSet::new();
    for id in catalogue::scenario_ids().iter().filter(|id| id.starts_with(&format!("{system}/"))) {
        let scenario = catalogue::open(id, &Options::new()).expect("opens");
        for seed in 0..3 {
            let nobody = BySide::from_fn(|_| String::new());
            let mut table =
                scenario.start(nobody, NewDice::Seed([seed; 32]), &Throw::default()).expect("musters");
            for choice in 0..400 {
                let Now::Decides(side) = table.now() else { break };
                met.extend(table.prompt().map(|prompt| prompt.kind));
                let Some(action) = table.thinker()(Player::Random, choice * 31 + u64::from(seed)) else {
                    break;
                };
                table.act(side, &action, &Throw::default()).expect("an offer is legal");
            }
        }
    }
    met
}

fn the_coach_knows_every_decision(system: &str) {
    let Ok(text) = fs::read_to_string(folder(system).join("coach.toml")) else { return };
    let coach: std::collections::BTreeMap<String, Advice> =
        toml::from_str(&text).unwrap_or_else(|error| panic!("{system}/coach.toml: {error}"));
    let book = catalogue::system(system).expect("a system").book();
    let mut wrong: Vec<String> = kinds_met(system)
        .into_iter()
        .filter(|kind| !coach.contains_key(kind))
        .map(|kind| format!("[{kind}] is missing"))
        .collect();
    for (kind, advice) in &coach {
        wrong.extend(
            advice
                .rules
                .iter()
                .filter(|id| book.find(id).is_none())
                .map(|id| format!("[{kind}] names {id}, which is no rule")),
        );
        if advice.rules.is_empty() || advice.why.trim().is_empty() {
            wrong.push(format!("[{kind}] needs `why` and `rules`"));
        }
        if advice.why.split_whitespace().count() > 45 {
            wrong.push(format!("[{kind}] has more than 45 words"));
        }
    }
    assert!(wrong.is_empty(), "{system}/coach.toml:\n{}", wrong.join("\n"));
}

macro_rules! school_of {
    ($($name:ident = $system:literal),* $(,)?) => { $(
        mod $name {
            #[test]
            fn every_try_comes_out() {
                super::every_try_comes_out($system);
            }
            #[test]
            fn the_coach_knows_every_decision() {
                super::the_coach_knows_every_decision($system);
            }
        }
    )* };
}
school_of! {
    battle_hymn = "battle-hymn",
    brigade_battles = "brigade-battles",
    american_revolution = "american-revolution",
    hallowed_ground = "hallowed-ground",
    fields_of_honor = "fields-of-honor",
}

fn model() -> String {
    fs::read_to_string(folder("battle-hymn").join("03-zone-of-control.toml")).expect("the model lesson")
}

#[test]
fn a_lesson_opens_within_a_second() {
    let text = model();
    let begun = Instant::now();
    let scenario = open_text("lesson", &text, &Options::new()).expect("opens");
    let lesson = scenario.lesson().expect("a lesson").clone();
    let nobody = BySide::from_fn(|_| String::new());
    let table = scenario.start(nobody, NewDice::Fixed(lesson.seed), &Throw::default()).expect("begins");
    let standing = table.lesson(None).expect("a lesson").standing;
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    assert!(!standing.solved && standing.goals == [false]);
}

#[test]
fn a_lesson_answers_what_is_done_and_tried() {
    let scenario = open_text("lesson", &model(), &Options::new()).expect("opens");
    let lesson = scenario.lesson().expect("a lesson").clone();
    let nobody = BySide::from_fn(|_| String::new());
    let mut table = scenario.start(nobody, NewDice::Fixed(lesson.seed), &Throw::default()).expect("begins");
    let said =
        |table: &dyn catalogue::Table, tried: Option<&str>| table.lesson(tried).unwrap().standing.verdict;
    use catalogue::lessons::Verdict;
    assert_eq!(said(table.as_ref(), None), Verdict::Silent);
    assert!(matches!(
        table.act(lesson.side, "march weed 0603", &Throw::default()),
        Err(ActError::Refused(_))
    ));
    assert_eq!(said(table.as_ref(), Some("march weed 0603")), Verdict::Answered(0));
    table.act(lesson.side, "march weed 0705", &Throw::default()).expect("legal");
    assert_eq!(said(table.as_ref(), None), Verdict::Answered(1));
    table.undo(lesson.side, true).expect("taken back");
    assert_eq!(said(table.as_ref(), None), Verdict::Silent);
    table.act(lesson.side, "march weed 0605", &Throw::default()).expect("legal");
    assert_eq!(said(table.as_ref(), None), Verdict::Solved);
    assert_eq!(table.verify(), Ok(Verified::Holds));
}

#[test]
fn a_try_does_not_go_on_after_it_is_taken_back() {
    let text = model().replacen(
        "play = [\"march weed 0605\"]",
        "play = [\"march weed 0705\", \"march weed 0605\"]",
        1,
    );
    let report = try_lesson("lesson", &text).expect("reads");
    assert!(!report.holds());
    let told = report.lines().join("\n");
    assert!(told.contains("answer 2 takes back what came before `march weed 0605`"), "{told}");
}

#[test]
fn what_was_never_played_is_asked_of_all_that_was() {
    let answer = "[[answer]]\nwhen = { played = \"march tilton*\", never_played = \"march weed*\" }\nsays = \"First Weed.\"\n\n";
    let tries = "[[try]]\nname = \"first\"\nplay = [\"march tilton 0206\"]\nexpect = \"answer 1\"\n\n\
        [[try]]\nname = \"second\"\nplay = [\"march weed 0606\", \"march tilton 0206\"]\nexpect = \"unsolved\"\n";
    let text = model();
    let (head, rest) = text.split_at(text.find("[[answer]]").expect("answers"));
    let solution = &rest[rest.find("[[try]]").expect("tries")..];
    let solution = &solution[..solution[7..].find("[[try]]").expect("another") + 7];
    let report = try_lesson("lesson", &format!("{head}{answer}{solution}{tries}")).expect("reads");
    assert!(report.holds(), "{}", report.lines().join("\n"));
}

#[test]
fn dice_of_a_lesson_fall_the_same_again() {
    let scenario = open_text("lesson", &model(), &Options::new()).expect("opens");
    let nobody = || BySide::from_fn(|_| String::new());
    let played = |salt: &[u8], back: bool| {
        let mut table = scenario.start(nobody(), NewDice::Fixed([5; 32]), &Throw::default()).expect("begins");
        let throw = Throw { salt: salt.to_vec(), typed: Vec::new() };
        let mut choice = 0;
        for _ in 0..40 {
            let Now::Decides(side) = table.now() else { break };
            let action = table.offers().first().expect("an offer").action.clone();
            table.act(side, &action, &throw).expect("an offer is legal");
            choice += 1;
            if back && choice == 20 {
                for _ in 0..3 {
                    let Now::Decides(side) = table.now() else { break };
                    let _ = table.undo(side, true);
                }
            }
        }
        while matches!(table.now(), Now::Decides(_)) && table.moment() < 40 {
            let Now::Decides(side) = table.now() else { break };
            let action = table.offers().first().expect("an offer").action.clone();
            table.act(side, &action, &throw).expect("an offer is legal");
        }
        assert_eq!(table.verify(), Ok(Verified::Holds));
        let rolls = table
            .scenes(game::Eyes::All, 0)
            .iter()
            .flat_map(|s| &s.entries)
            .filter(|e| e.roll.is_some())
            .count();
        (table.digest(), rolls)
    };
    let (there, rolls) = played(b"one", false);
    assert!(rolls > 3, "only {rolls} rolls were made");
    assert_eq!(played(b"another", true).0, there);
}

#[test]
fn faults_of_a_lesson_are_told_at_their_place() {
    let text = model();
    let long = ["word"; 21].join(" ");
    for (from, to, told) in [
        ("plays = \"usa\"", "plays = \"uk\"", "there is no side `uk`"),
        ("opponent = \"pass\"", "opponent = \"marshal\"", "there is no player `marshal`"),
        ("learnt = [\"5.3.a\"", "learnt = [\"99.a\"", "`99.a` is not a rule"),
        ("hints = [\"Select Weed and look where he can go.\", ", "hints = [", "there are 1 hints"),
        ("piece = \"weed\"", "piece = \"wed\"", "did you mean `weed`?"),
        ("hex = \"0605\", label", "hex = \"9905\", label", "`9905` is not a hex of the map"),
        ("facts = { \"weed.hex\" = \"0605\" }", "facts = { \"wed.hex\" = \"0605\" }", "`wed` is not a unit"),
        ("expect = \"answer 4\"", "expect = \"answer 9\"", "nothing that can come of a try"),
        ("name = \"solution\"", "name = \"best\"", "there are 0 tries with the name `solution`"),
        ("[5.3.h]. So choose", "[5.3.hh]. So choose", "`5.3.hh` is not a rule"),
        ("task = \"March", &format!("task = \"{long} March"), "words"),
        ("play = [\"done\"]", "play = [\"dance\"]", "cannot be read"),
        ("[[goal]]", "[[gaol]]", "unknown key `gaol`"),
        ("[lesson]\n", "[[step]]\nby = \"usa\"\n[lesson]\n", "a lesson has no steps"),
    ] {
        let broken = text.replacen(from, to, 1);
        assert_ne!(broken, text, "{from}");
        let error = try_lesson("lesson", &broken).map(drop).expect_err(told).to_string();
        assert!(error.contains(told), "{told}: {error}");
    }
}
