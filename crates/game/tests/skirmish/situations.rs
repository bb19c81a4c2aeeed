//! Situations: what holds, what is told of one that does not, and what is refused before anything is played.

use game::situation::{self, Report};

use crate::system::{Nothing, ROW, Skirmish};

const HEAD: &str = "system = \"skirmish\"\ntitle = \"A test\"\nscenario = \"skirmish/row\"\n";

fn tried(steps: &str) -> Report {
    let source = format!("{HEAD}{steps}");
    situation::run::<Skirmish>(&source, &Nothing)
        .unwrap_or_else(|faults| panic!("\n{}", faults.report("test", &source)))
}

fn holds(steps: &str) {
    let report = tried(steps);
    assert!(report.holds() && report.untried == 0, "{}", report.lines().join("\n"));
}

/// Each step must fail alone and say this.
fn fails(steps: &str, said: &[&str]) {
    let report = tried(steps);
    assert!(!report.holds(), "it holds:\n{steps}");
    let lines = report.lines().join("\n");
    for said in said {
        assert!(lines.contains(said), "`{said}` is not said:\n{lines}");
    }
}

fn faults(steps: &str) -> String {
    let source = format!("{HEAD}{steps}");
    let check = situation::check::<Skirmish>(&source, &Nothing).unwrap_err();
    let run = situation::run::<Skirmish>(&source, &Nothing).unwrap_err();
    assert_eq!(check, run, "`check` and `try` must refuse the same");
    run.report("test", &source)
}

#[test]
fn a_volley_its_rolls_and_its_facts() {
    holds(
        r#"
proves = ["1.a", "2.a"]
[[step]]
dice = [1]
by = "north"
decision = "fire"
offered = ["fire ames cole", "pass"]
not_offered = ["fire bell dunn"]
offers = { "fire ames" = ["cole", "dunn"], "fire bell" = ["cole"] }
"#,
    );
    holds(
        r#"
[[step]]
dice = [1]
refused = { "fire bell dunn" = "1.c", "fire cole ames" = "1.a", "rally ames" = "no rule" }
[[step]]
play = "fire ames cole"
dice = [5, 6, 1, 2]
rolls = [
  { by = "ames", at = "cole", rule = "1.a", dice = 3, need = 5, faces = [5, 6, 1], result = 2, modifiers = {} },
  { by = "cole", at = "nobody", rule = "2.a", result = 0 },
]
only_rolls = true
expect = { cole.men = 1, "cole.hex" = "7", "cole.routed" = true, score.north = 2 }
decides = "south"
then = "fire"
"#,
    );
    holds(
        r#"
[[step]]
dice = [1]
[[step]]
play = "fire ames dunn"
dice = [1, 2, 3]
rolls = [{ modifiers = { "1.b" = 1 }, need = 6 }]
"#,
    );
}

#[test]
fn a_clause_is_proved_by_its_number() {
    holds("proves = [\"1.c/2\", \"1.c/1\", \"1.a\"]\n[[step]]\ndice = [1]\n");
    for wrong in ["1.c/3", "1.c/0", "1.c/", "1.a/1"] {
        let told = faults(&format!("proves = [\"{wrong}\"]\n[[step]]\ndice = [1]\n"));
        assert!(told.starts_with("test:4:11: ") && told.contains(wrong), "{told}");
    }
}

#[test]
fn a_battle_written_in_the_file_starts_in_its_position() {
    let source = format!(
        "title = \"Own\"\n{ROW}[options]\nshort = true\n[position]\nbell = {{ men = 1, routed = true }}\n\
         [[step]]\ndice = [1]\nexpect = {{ bell.men = 1, bell.routed = true }}\nrefused = {{ \"fire bell cole\" = \"3.a\" }}\n"
    );
    let report = situation::run::<Skirmish>(&source, &Nothing).unwrap();
    assert!(report.holds(), "{}", report.lines().join("\n"));
}

#[test]
fn decisions_that_no_step_names_are_answered_otherwise() {
    holds(
        "otherwise = \"pass\"\n[[step]]\ndice = [1]\nuntil = \"seal\"\nexpect = { score.north = 0 }\nthen = \"seal\"\n",
    );
    fails("[[step]]\ndice = [1]\nuntil = \"seal\"\n", &["nobody answers this decision on the way to `seal`"]);
    holds(
        "otherwise = \"first\"\n[[step]]\ndice = [1]\nplay = [\"pass\", \"pass\"]\nuntil = \"seal\"\n\
         [[step]]\nplay = \"seal 1\"\nuntil = \"fire\"\ndice = [3, 3, 1, 6]\nexpect = { score.south = 1 }\n",
    );
    let over = "otherwise = \"pass\"\n[options]\nshort = true\n[[step]]\ndice = [1]\nuntil = \"seal\"\n\
                [[step]]\nplay = [\"seal 3\", \"seal 1\"]\ndice = [2, 2]\n";
    holds(&format!("{over}over = \"north\"\n[[step]]\nuntil = \"over\"\n"));
    fails(&format!("{over}over = \"south\"\n"), &["the game is north, expected south", "the game is over"]);
    fails(&format!("{over}[[step]]\nuntil = \"fire\"\n"), &["the game ended before a decision `fire`"]);
    fails(&format!("{over}[[step]]\nbefore = \"lots\"\n"), &["the game ended before `lots`"]);
    fails(&format!("{over}[[step]]\nplay = \"pass\"\n"), &["`pass` cannot be played: the game is over"]);
    fails(&format!("{over}[[step]]\nby = \"north\"\n"), &["a decision was expected"]);
}

#[test]
fn play_stops_before_a_check_and_goes_on_from_there() {
    holds(
        r#"
[[step]]
dice = [1]
[[step]]
play = "fire ames cole"
before = "morale"
dice = [5, 1, 1]
expect = { cole.men = 2, cole.hex = "6", cole.routed = false }
[[step]]
expect = { cole.hex = "6" }
[[step]]
dice = [1]
expect = { cole.hex = "7", cole.routed = true }
then = "fire"
"#,
    );
    // Hits are read, then play goes on with the next action.
    holds(
        "[[step]]\ndice = [1]\n[[step]]\nplay = \"fire ames cole\"\nbefore = \"morale\"\ndice = [5, 1, 1]\n[[step]]\nplay = \"pass\"\ndice = [6]\nthen = \"seal\"\n",
    );
}

#[test]
fn a_phase_with_nothing_to_do_can_be_looked_at() {
    holds(
        r#"
[[step]]
dice = [1]
[[step]]
play = "pass"
before = "rally"
[[step]]
refused = { "rally ames" = "3.a", "fire ames cole" = "no rule" }
offers = { rally = [] }
[[step]]
then = "fire"
decides = "south"
"#,
    );
    // Before anything has run, and once more before the next of its name.
    holds(
        "otherwise = \"pass\"\n[[step]]\nbefore = \"lots\"\n[[step]]\nbefore = \"rally\"\ndice = [2]\n\
         [[step]]\nbefore = \"rally\"\n[[step]]\nthen = \"seal\"\ndecides = \"south\"\n",
    );
}

#[test]
fn a_stop_that_does_not_come_is_told() {
    fails(
        "[[step]]\nbefore = \"morale\"\ndice = [1]\n",
        &[
            "a decision comes before `morale`, and nobody answers it",
            "At this point north decides `fire`: Who fires?",
        ],
    );
    let stopped = "[[step]]\nbefore = \"lots\"\n";
    fails(
        &format!("{stopped}[[step]]\nby = \"north\"\n"),
        &["play is stopped before `lots`", "a decision was expected"],
    );
    fails("[[step]]\nbefore = \"lots\"\nthen = \"fire\"\n", &["play is stopped before `lots`"]);
}

#[test]
fn the_first_step_that_fails_is_the_last_that_is_told() {
    let report = tried(
        r#"
[[step]]
dice = [1]
[[step]]
play = "fire ames cole"
dice = [5, 6, 1, 6]
rolls = [{ by = "ames", need = 6, result = 2 }]
expect = { cole.men = 9 }
[[step]]
play = "pass"
expect = { cole.men = 8 }
"#,
    );
    assert_eq!((report.steps.len(), report.untried), (2, 1));
    assert_eq!(report.steps[1].line, 7);
    let lines = report.lines();
    assert_eq!(lines[0], "step 1 holds");
    assert_eq!(lines[1], "step 2 (line 7)");
    assert_eq!(*lines.last().unwrap(), "1 later step not tried");
    let told = lines.join("\n");
    assert!(told.contains("roll 1 of `rolls` was not made. The nearest that was: ames fires"), "{told}");
    for field in ["by: ames\n", "need: expected 6, was 5\n", "result: 2"] {
        assert!(told.contains(field), "{field} in:\n{told}");
    }
    assert!(!told.contains("cole.men"), "what follows from the first failure is not told:\n{told}");
    assert_eq!(report.steps[1].failures.len(), 1);
}

#[test]
fn a_situation_that_holds_tells_its_whole_story() {
    let lines =
        tried("[[step]]\ndice = [1]\n[[step]]\nplay = \"fire ames cole\"\ndice = [5, 1, 1, 6]\n").lines();
    assert_eq!(lines[0], "step 1 (line 4)");
    assert!(!lines.iter().any(|line| line.contains("not tried") || line.contains("At this point")));
    let told = lines.join("\n");
    for said in [
        "> fire ames cole",
        "ames fires: 1 of 3 hit. [ames], 5 or more: [5, 1, 1] -> 1 ()",
        "tests: passed. [cole], 3 or more: [6] -> 1",
    ] {
        assert!(told.contains(said), "{said} in:\n{told}");
    }
}

#[test]
fn the_nearest_roll_is_the_one_that_differs_least() {
    let shot = "[[step]]\ndice = [1]\n[[step]]\nplay = \"fire ames cole\"\ndice = [5, 6, 1, 6]\n";
    fails(
        &format!("{shot}rolls = [{{ by = \"cole\", rule = \"2.a\", result = 0 }}]\n"),
        &["The nearest that was: tests", "result: expected 0, was 1"],
    );
    fails(
        &format!("{shot}rolls = [{{ by = \"cole\" }}, {{ by = \"ames\" }}]\n"),
        &["roll 2 of `rolls` was not made, and no other roll after the ones before it"],
    );
    fails(
        &format!("{shot}rolls = [{{ by = \"ames\" }}]\nonly_rolls = true\n"),
        &["2 rolls were made, expected 1: tests"],
    );
    fails(
        &format!("{shot}rolls = [{{ modifiers = {{ \"1.b\" = 1 }} }}]\n"),
        &["modifiers: expected (1.b +1), was ()"],
    );
    fails(
        &format!("{shot}rolls = [{{ dice = 2, at = \"dunn\", faces = [5, 6] }}]\n"),
        &["dice: expected 2, was 3", "at: expected dunn, was cole", "faces: expected [5, 6], was [5, 6, 1]"],
    );
}

#[test]
fn what_does_not_hold_is_told_with_the_decision_at_hand() {
    let hand = "At this point north decides `fire`: Who fires?";
    for (step, said) in [
        ("by = \"south\"", "north decides, expected south"),
        ("decision = \"seal\"", "the decision is `fire`, expected `seal`"),
        ("offered = [\"fire bell dunn\"]", "`fire bell dunn` is not offered; offered: fire ames cole |"),
        ("not_offered = [\"pass\"]", "`pass` is offered"),
        (
            "offers = { \"fire bell\" = [\"dunn\"] }",
            "offers of `fire bell` are [\"cole\"], expected [\"dunn\"]",
        ),
        ("refused = { pass = \"1.a\" }", "`pass` is allowed; it should be refused under 1.a"),
        ("refused = { \"fire bell dunn\" = \"1.a\" }", "`fire bell dunn` is refused under 1.c, expected 1.a"),
        ("play = \"fire bell dunn\"", "`fire bell dunn` is refused: Not now. That is too far. (1.c)"),
        ("expect = { ames.men = 4 }", "ames.men is 3, expected 4"),
        ("decides = \"south\"", "north decides, expected south"),
        ("over = \"draw\"", "the game is still going on, expected draw"),
    ] {
        fails(&format!("[[step]]\ndice = [1]\n[[step]]\n{step}\n"), &[said, hand]);
    }
    fails("[[step]]\ndice = [1, 2]\n", &["1 dice were asked for, `dice` has 2"]);
    fails("[[step]]\ndecides = \"north\"\n", &["1 dice were asked for, `dice` has 0"]);
    fails("[[step]]\ndice = [3]\n", &["die 1 shows 3, but it can only show 1 to 2"]);
    fails("", &["the situation has no step"]);
}

#[test]
fn every_unknown_name_is_refused_at_its_place() {
    for (step, said) in [
        ("proves = [\"1.z\"]\n[[step]]\ndice = [1]", "1.z"),
        ("[[step]]\nby = \"nroth\"", "there is no side `nroth`"),
        ("[[step]]\ndecision = \"fier\"", "`fier` is not a kind of decision; did you mean `fire`?"),
        ("[[step]]\nthen = \"sael\"", "`sael` is not a kind of decision; did you mean `seal`?"),
        ("[[step]]\nuntil = \"march\"", "`march` is not a kind of decision"),
        (
            "[[step]]\nbefore = \"moral\"",
            "`moral` is not a phase or check to stop before; did you mean `morale`?",
        ),
        ("[[step]]\nover = \"nobody\"", "there is no side `nobody`"),
        ("[[step]]\nrefused = { pass = \"9.9\" }", "`9.9` is not a rule of Skirmish"),
        ("[[step]]\nrolls = [{ rule = \"1.q\" }]", "`1.q` is not a rule of Skirmish"),
        ("[[step]]\nrolls = [{ modifiers = { \"7.b\" = 1 } }]", "`7.b` is not a rule of Skirmish"),
        ("[[step]]\ndice = [1]\nrolls = [{ by = \"aimes\" }]", "`aimes` is not a unit; did you mean `ames`?"),
        (
            "[[step]]\ndice = [1]\nrolls = [{ at = \"zouaves\" }]",
            "`zouaves` is not a unit; known: ames, bell, cole, dunn",
        ),
        (
            "[[step]]\ndice = [1]\nexpect = { aimes.men = 1 }",
            "there is no fact `aimes.men`: `aimes` is not a unit; did you mean `ames`?",
        ),
        (
            "[[step]]\ndice = [1]\nexpect = { ames.mem = 1 }",
            "there is no fact `ames.mem`: `mem` is not a fact of a unit; did you mean `men`?",
        ),
        (
            "[[step]]\ndice = [1]\nplay = \"fire aimes cole\"",
            "`fire aimes cole` cannot be read: `aimes` is not a unit",
        ),
        ("[[step]]\ndice = [1]\nplay = \"charge\"", "`charge` cannot be read: expected `fire UNIT TARGET`"),
        ("[[step]]\ndice = [1]\noffered = [\"charge\"]", "`charge` cannot be read"),
        ("[[step]]\ndice = [1]\nnot_offered = [\"charge\"]", "`charge` cannot be read"),
        ("[[step]]\ndice = [1]\nrefused = { charge = \"1.a\" }", "`charge` cannot be read"),
        ("[[step]]\nuntil = \"fire\"\nbefore = \"morale\"", "a step cannot stop both `before` and `until`"),
        ("[[step]]\nnote = \"nothing\"", "the step plays nothing and asks for nothing"),
        ("[[step]]\nplays = \"pass\"", "unknown key `plays`"),
    ] {
        let told = faults(&format!("{step}\n"));
        assert!(told.contains(said), "`{said}` in:\n{told}");
    }
}

#[test]
fn a_fault_stands_where_the_name_stands() {
    let told = faults("[[step]]\ndice = [1]\nexpect = { ames.men = 3, bell.mem = 2 }\n");
    assert!(told.starts_with("test:6:31: "), "{told}");
    let told = faults("[[step]]\nrefused = { pass = \"9.9\" }\n");
    assert!(told.starts_with("test:5:20: "), "{told}");
}

#[test]
fn facts_of_steps_not_come_to_are_looked_up_too() {
    let told = faults("[[step]]\ndice = [1]\nby = \"south\"\n[[step]]\nexpect = { aimes.men = 1 }\n");
    assert!(told.contains("`aimes` is not a unit"), "{told}");
}

#[test]
fn a_scenario_must_be_there_and_of_the_system() {
    let run = |text: &str| situation::run::<Skirmish>(text, &Nothing).unwrap_err().report("test", text);
    assert!(
        run("title = \"A\"\nscenario = \"skirmish/hill\"\n").contains("there is no scenario `skirmish/hill`")
    );
    assert!(run("scenario = \"skirmish/row\"\n").contains("`title` is missing"));
    assert!(run("title = \"A\"\nscenario = \"skirmish/row\"\nturns = 3\n").contains("unknown key `turns`"));
    assert!(
        run("title = \"A\"\nscenario = \"skirmish/row\"\nposition = { zed = { men = 1 } }\n")
            .contains("no unit `zed`")
    );
    assert!(
        run("title = \"A\"\nscenario = \"skirmish/row\"\notherwise = \"roll\"\n")
            .contains("`roll` is not known here")
    );
}

#[test]
fn a_question_is_the_last_action_played() {
    let ask = |steps: &str| situation::question::<Skirmish>(&format!("{HEAD}{steps}"), &Nothing);
    let asked = ask("[[step]]\ndice = [1]\nplay = \"fire ames cole\"\n[[step]]\nexpect = { ames.men = 3 }\n")
        .unwrap();
    assert_eq!(asked.action, crate::system::Action::Fire(0, 2));
    assert_eq!(asked.state.units[2].men, 3, "it is not played");
    let asked = ask(
        "[[step]]\ndice = [1]\n[[step]]\nplay = \"fire ames cole\"\nbefore = \"morale\"\ndice = [5, 1, 1]\n\
         [[step]]\nplay = \"fire cole ames\"\ndice = [6]\n",
    )
    .unwrap();
    assert_eq!((asked.action, asked.state.units[2].men), (crate::system::Action::Fire(2, 0), 2));
    for (steps, said) in [
        ("[[step]]\ndice = [1]\n", "no step plays an action"),
        ("[[step]]\ndice = [1]\nplay = \"charge\"\n", "expected `fire UNIT TARGET`"),
        ("[[step]]\ndice = [1]\nplay = \"fire bell dunn\"\n", "Not now. That is too far."),
    ] {
        let source = format!("{HEAD}{steps}");
        let told = ask(steps).unwrap_err().report("test", &source);
        assert!(told.contains(said), "{said} in:\n{told}");
    }
}

#[test]
fn the_only_offer_is_taken_where_passing_is_not_offered() {
    let alone = "otherwise = \"pass\"\nposition = { ames = { men = 0 }, dunn = { men = 0 } }\n";
    // Nobody tests and nobody fires: each side seals its 1, the dice decide.
    holds(&format!(
        "{alone}[[step]]\ndice = [1]\nuntil = \"seal\"\n[[step]]\nbefore = \"reveal\"\n\
         [[step]]\ndice = [2, 1]\nexpect = {{ score.north = 1 }}\n"
    ));
    // With several offers and no button nobody answers.
    fails(
        "otherwise = \"pass\"\n[[step]]\ndice = [1]\nuntil = \"seal\"\n[[step]]\nbefore = \"reveal\"\n",
        &["nobody answers it"],
    );
}

#[test]
fn a_set_is_the_same_in_any_order_and_a_set_of_one_is_its_word() {
    use game::situation::Fact;
    let shown = [Fact::Number(3), Fact::Truth(true), Fact::from("a"), Fact::from(vec!["b".to_owned()])];
    assert_eq!(shown.map(|fact| fact.to_string()), ["3", "true", "\"a\"", "[\"b\"]"]);
}

#[test]
fn numbers_of_a_roll_have_their_limits() {
    for (key, good, bad) in [
        ("need", [-99, 99], [-100, 100]),
        ("result", [0, 999], [-1, 1000]),
        ("dice", [0, 255], [-1, 256]),
        ("modifiers", [-99, 99], [-100, 100]),
        ("faces", [0, 255], [-1, 256]),
    ] {
        let written = |n: i32| match key {
            "modifiers" => format!("{{ \"1.b\" = {n} }}"),
            "faces" => format!("[{n}]"),
            _ => n.to_string(),
        };
        let step = |n: i32| format!("[[step]]\ndice = [1]\nrolls = [{{ {key} = {} }}]\n", written(n));
        for n in good {
            fails(&step(n), &["was not made", key]);
        }
        for n in bad {
            assert!(faults(&step(n)).contains(&format!(" is {n}\n")), "{key} {n}");
        }
    }
}
