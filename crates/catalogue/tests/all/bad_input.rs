//! Broken scenarios, situations and journals: each gets a message with its place and what was expected, and opens as
//! far as it can.

use catalogue::{NewDice, OpenError, Table};
use game::session::Throw;
use game::{BySide, Library, Now, Options, journal};

const DRILL: &str = "battle-hymn/drill";

fn drill() -> String {
    catalogue::Shelf.scenario(DRILL).expect("the drill is in the library")
}

/// The drill with one piece of text replaced; the message must name the place and hold these words.
fn check_scenario(from: &str, to: &str, words: &[&str]) {
    let text = drill();
    assert!(text.contains(from), "the drill has no `{from}`");
    let broken = text.replacen(from, to, 1);
    let error = match catalogue::open_text("mine.toml", &broken, &Options::new()) {
        Err(error @ OpenError::Faults { .. }) => error.to_string(),
        other => panic!("`{to}` gives {other:?}"),
    };
    assert!(error.contains("mine.toml:"), "no place in: {error}");
    assert!(error.contains("expected:"), "no remedy in: {error}");
    for word in words {
        assert!(error.contains(word), "`{word}` is not in: {error}");
    }
}

#[test]
fn broken_scenarios() {
    check_scenario("cols = 10", "cols = ", &["mine.toml:12"]);
    check_scenario("cols = 10", "cols = \"ten\"", &["`cols`", "a whole number"]);
    check_scenario("cols = 10", "cols = 400", &["400"]);
    check_scenario("cols = 10", "kols = 10", &["`cols` is missing"]);
    check_scenario("woods =", "jungle =", &["jungle", "woods"]);
    check_scenario("\"0303\"", "\"9999\"", &["9999"]);
    check_scenario("road =", "canal =", &["canal", "stream"]);
    check_scenario("side = \"usa\"", "side = \"uk\"", &["uk", "usa, csa"]);
    check_scenario("sp = 5", "sp = 500", &["500", "1 to 40"]);
    check_scenario("mr = 1", "mr = 7", &["7", "-3 to 3"]);
    check_scenario("type = \"artillery\"", "type = \"archers\"", &["archers", "infantry"]);
    check_scenario("at = \"0407\"", "at = \"0607\"", &["stands there already"]);
    check_scenario("at = \"0407\"", "at = \"77Q\"", &["77Q", "no set-up"]);
    check_scenario("id = \"weed\"", "id = \"tilton\"", &["two units `tilton`"]);
    check_scenario("first = 9", "first = 12", &["Hour 12 is after Hour 11"]);
    check_scenario("hex = \"0504\"", "hex = \"0405\"", &["an Objective already"]);
    check_scenario("\"10\" = \"csa\"", "\"10\" = \"cse\"", &["cse", "usa, csa, none"]);
    check_scenario("draw_within = 10", "draw_within = 10, draw = 3", &["unknown key `draw`"]);
}

/// A table whose terrain has so many points, in one outline or in many.
fn terrain(id: &str, key: &str, kind: &str, outlines: usize, corners: usize) -> Result<(), String> {
    let text = catalogue::Shelf.scenario(id).expect("in the library");
    let outline = |n: usize| {
        // A comb: simple, and the slowest there is to cut up.
        let corner = |i: usize| {
            let x = 1.0 + 30.0 * i as f64 / corners as f64;
            format!("[{x:.3}, {:.3}]", if i.is_multiple_of(2) { 2.0 } else { 9.0 + 0.01 * n as f64 })
        };
        (0..corners - 2)
            .map(corner)
            .chain(["[31.5, 1.0]".to_owned(), "[1.0, 1.0]".to_owned()])
            .collect::<Vec<_>>()
    };
    let more: String = (0..outlines)
        .map(|n| {
            format!(
                "\n[[terrain]]\nname = \"comb {n}\"\nkind = \"{kind}\"\n{key} = [{}]\n",
                outline(n).join(", ")
            )
        })
        .collect();
    // Before the units, so that the terrain of the scenario itself is counted too.
    let opened = catalogue::open_text("mine.toml", &format!("{text}{more}"), &Options::new());
    opened.map(drop).map_err(|error| error.to_string())
}

#[test]
fn terrain_has_so_many_points_and_no_more() {
    for (id, key, kind) in [
        ("fields-of-honor/drill-ground", "area", "rough"),
        ("hallowed-ground/drill", "points", "light_woods"),
    ] {
        assert_eq!(terrain(id, key, kind, 1, 200), Ok(()), "{id}");
        let error = terrain(id, key, kind, 1, 201).unwrap_err();
        assert!(error.contains("mine.toml:") && error.contains("201 points"), "{id}: {error}");
        assert!(error.contains("200 at the most"), "{id}: {error}");
        let error = terrain(id, key, kind, 1, 3_000).unwrap_err();
        assert!(error.contains("3000 points"), "{id}: {error}");
        let error = terrain(id, key, kind, 21, 200).unwrap_err();
        assert!(error.contains("too many points by here") && error.contains("4000 in all"), "{id}: {error}");
    }
}

#[test]
fn all_faults_come_at_once() {
    let broken = drill().replace("sp = 5", "sp = 0").replace("mr = 1", "mr = 9").replace("woods", "wood");
    let Err(OpenError::Faults { faults, .. }) = catalogue::open_text("mine.toml", &broken, &Options::new())
    else {
        panic!("a broken scenario opened");
    };
    assert!(faults.0.len() >= 3, "{faults}");
}

fn check_situation(text: &str, words: &[&str]) {
    let said = match catalogue::try_situation("case.toml", text) {
        Err(error) => error.to_string(),
        Ok(report) => {
            assert!(!report.holds(), "a broken situation holds");
            report.steps.iter().flat_map(|s| s.failures.clone()).collect::<Vec<_>>().join("\n")
        }
    };
    for word in words {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
}

#[test]
fn broken_situations() {
    let head = format!("system = \"battle-hymn\"\ntitle = \"x\"\nscenario = \"{DRILL}\"\n");
    check_situation("title = \"x\"\n", &["`system` is missing"]);
    check_situation(
        "system = \"battle-hymn\"\ntitle = \"x\"\nscenario = \"battle-hymn/nowhere\"\n",
        &["case.toml:3", "nowhere"],
    );
    check_situation(&head, &["no step"]);
    check_situation(&format!("{head}proves = [\"99.z\"]\n[[step]]\nexpect = {{ hour = 9 }}\n"), &["99.z"]);
    check_situation(&format!("{head}[[step]]\nplai = \"wait\"\n"), &["unknown key `plai`"]);
    check_situation(&format!("{head}[[step]]\nplay = \"dance weed\"\n"), &["dance"]);
    check_situation(
        &format!("{head}[[step]]\nexpect = {{ \"weed.colour\" = \"blue\" }}\n"),
        &["weed.colour"],
    );
    check_situation(&format!("{head}[[step]]\nplay = \"wait\"\n"), &["dice were asked for"]);
    check_situation(
        &format!("{head}[position]\nunit.nobody = {{ hex = \"0101\" }}\n[[step]]\nexpect = {{}}\n"),
        &["nobody"],
    );
}

#[test]
fn what_a_situation_names_must_be_there() {
    let head = format!("system = \"battle-hymn\"\ntitle = \"x\"\nscenario = \"{DRILL}\"\n");
    for key in ["by", "decides", "over"] {
        check_faulty(
            &format!("{head}[[step]]\n{key} = \"uk\"\n"),
            &["case.toml:5", "no side `uk`", "usa or csa"],
        );
    }
    check_faulty(&format!("{head}proves = [\"99.z\"]\n[[step]]\nby = \"usa\"\n"), &["case.toml:4", "99.z"]);
    check_faulty(&format!("{head}[[step]]\nnote = \"nothing\"\n"), &["case.toml:4", "plays nothing"]);
    check_faulty(
        &format!("{head}[[step]]\nby = \"usa\"\n[map]\ncols = 4\n"),
        &["case.toml:6", "unknown key `map`"],
    );
    check_situation(
        &format!("{head}[[step]]\nnot_offered = [\"fly to the moon\"]\n"),
        &["fly", "cannot be read"],
    );
    check_faulty(
        "system = \"battle-hymn\"\ntitle = \"x\"\nscenario = \"hallowed-ground/drill\"\n[[step]]\nby = \"usa\"\n",
        &["case.toml:3", "belongs to hallowed-ground"],
    );
}

/// Faults that show without playing.
fn check_faulty(text: &str, words: &[&str]) {
    let said = catalogue::check_situation("case.toml", text).expect_err(text).to_string();
    for word in words {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
}

fn played(decisions: usize) -> Box<dyn Table> {
    let scenario = catalogue::open(DRILL, &Options::new()).expect("the drill opens");
    let seats = BySide::from_fn(|_| "test".to_owned());
    let mut table = scenario.start(seats, NewDice::Seed([3; 32]), &Throw::default()).expect("musters");
    for _ in 0..decisions {
        let Now::Decides(side) = table.now() else { break };
        let action = table.offers()[0].action.clone();
        table.act(side, &action, &Throw::default()).expect("an offer is played");
    }
    table
}

/// Opens a journal and gives what was wrong with it, and how many decisions stand.
fn reopened(text: &str) -> (String, u64) {
    let parsed = match journal::parse(text) {
        Ok(parsed) => parsed,
        Err(broken) => return (broken.to_string(), 0),
    };
    let scenario = match catalogue::open(&parsed.header.scenario, &parsed.header.options) {
        Ok(scenario) => scenario,
        Err(error) => return (error.to_string(), 0),
    };
    match scenario.resume(parsed, None) {
        Ok((table, broken)) => (broken.map_or(String::new(), |b| b.to_string()), table.moment()),
        Err(broken) => (broken.to_string(), 0),
    }
}

#[test]
fn broken_journals() {
    let good = played(12).journal();
    let lines: Vec<&str> = good.lines().collect();
    assert_eq!(reopened(&good), (String::new(), 12));

    let check = |text: String, words: &str, stands: u64| {
        let (said, moment) = reopened(&text);
        assert!(said.contains(words), "`{words}` is not in: {said}");
        assert_eq!(moment, stands, "{said}");
    };
    check(String::new(), "empty", 0);
    check("not a journal\n".into(), "line 1", 0);
    check(lines[0].replace("\"linstock\":1", "\"linstock\":2"), "format 2", 0);
    let edition =
        format!("\"edition\":\"{}\"", catalogue::system("battle-hymn").expect("is there").edition());
    check(good.replacen(&edition, "\"edition\":\"0\"", 1), "edition 0 of Battle Hymn", 0);
    check(good.replacen("\"system\":\"battle-hymn\"", "\"system\":\"chess\"", 1), "`system` is `chess`", 0);
    check(good.replacen("\"side\":\"", "\"side\":\"the ", 1), "`side` must be first or second", 0);
    check(good.replacen("\"state\":", "\"stat\":", 2), "`state` is missing", 0);
    check(good.replacen("\"hash\":\"", "\"hash\":\"00", 1), "has changed", 0);
    check(good.replacen("battle-hymn/drill", "battle-hymn/lost", 1), "battle-hymn/lost", 0);
    check(lines[0].to_owned(), "muster is missing", 0);
    check(good[..good.len() - 9].to_owned(), "line 14", 11);
    check(good.replacen("{\"n\":5", "{\"n\":6", 1), "line 7: decision 6, expected 5", 4);
    let back = |to: u64| format!("{good}{{\"back\":{to},\"by\":\"first\",\"agreed\":true}}\n");
    check(back(12), "line 15: there is nothing after decision 12", 12);
    check(back(u64::MAX), "line 15: there is nothing after decision", 12);
    check([&lines[..4], &lines[5..]].concat().join("\n"), "line 5", 2);
    let forged = good.lines().map(|l| {
        if l.starts_with("{\"n\":3,") { l.replace("\"do\":\"", "\"do\":\"fly ") } else { l.to_owned() }
    });
    check(forged.collect::<Vec<_>>().join("\n"), "line 5", 2);
}

#[test]
fn a_changed_roll_is_found_by_verification() {
    let good = played(40).journal();
    let rolled = good.lines().position(|l| l.contains("\"rolls\":[")).expect("something was rolled");
    let changed: Vec<String> = good
        .lines()
        .enumerate()
        .map(|(n, l)| match n == rolled {
            true => l.replacen("\"rolls\":[", "\"rolls\":[1,", 1),
            false => l.to_owned(),
        })
        .collect();
    let (said, _) = reopened(&changed.join("\n"));
    assert!(said.contains(&format!("line {}", rolled + 1)), "{said}");
}
