//! What players are told: the words of the log, and the rules it cites.

use brigade_battles::BrigadeBattles;
use game::dice::ScriptedDice;
use game::log::Chronicle;
use game::situation::question;
use game::{Fx, Notation, Rules};
use suite::Shelf;

/// The log of a case, each line with the rules it cites.
fn log(position: &str, play: &str, dice: &[u8]) -> Vec<String> {
    log_of("", &format!("tide = {{ usa = false, csa = false }}\n{position}"), play, dice)
}

/// The same with more in the scenario, and with several plays.
fn log_of(more: &str, position: &str, plays: &str, dice: &[u8]) -> Vec<String> {
    let phase = if position.contains("phase") { "" } else { "phase = \"offensive\"" };
    let case = format!(
        r#"
title = "A case"
unit = [
  {{ id = "gibbon", side = "usa", sp = 17, independent = true, at = "0107" }},
  {{ id = "hood", side = "csa", sp = 12, independent = true, at = "0106" }},
  {{ id = "law", side = "csa", sp = 12, independent = true, at = "0105" }},
]
retreat = {{ csa = ["0101"] }}
{more}
[map]
cols = 1
rows = 9
[position]
{phase}
{position}
[[step]]
play = "done"
"#
    );
    let asked = question::<BrigadeBattles>(&case, &Shelf)
        .unwrap_or_else(|faults| panic!("\n{}", faults.report("the case", &case)));
    let mut state = asked.state;
    let mut fx = Fx { dice: ScriptedDice::new(dice.to_vec()), log: Chronicle::default() };
    for play in plays.split("\", \"") {
        let action = BrigadeBattles::read(&asked.battle, &state, play).expect("an action");
        BrigadeBattles::play(&asked.battle, &mut state, &action, &mut fx).expect("a legal action");
    }
    let line = |entry: game::Entry| {
        let rules: Vec<&str> = entry.rules.iter().map(|rule| rule.id()).collect();
        format!("{} [{}]", entry.text, rules.join(" "))
    };
    fx.log.entries.into_iter().map(line).collect()
}

#[test]
fn a_routed_target_is_told_no_check_and_no_retreat() {
    let told =
        log("unit.hood = { routed = true }\nunit.law = { hex = \"0101\" }", "fire gibbon at hood", &[6]);
    assert!(
        told.iter().any(|line| line.contains("6 in column 17-20: 1 SP lost and three hexes further back.")),
        "{told:#?}"
    );
    assert!(told.iter().all(|line| !line.contains("check")), "{told:#?}");
    let fire = told.iter().find(|line| line.contains("further back")).expect("a line");
    assert!(fire.contains("9.5.f") && fire.contains("9.8.v"), "{fire}");
}

#[test]
fn a_steady_target_is_told_both() {
    let told = log("", "fire gibbon at hood", &[6, 1]);
    assert!(
        told.iter().any(|line| line.contains("6 in column 17-20: 1 SP lost and a morale check.")),
        "{told:#?}"
    );
}

#[test]
fn a_routed_unit_routs_on_under_its_own_rule() {
    let told = log("unit.law = { routed = true }", "fire gibbon at hood", &[3, 8, 8]);
    assert!(told.iter().any(|line| line == "Hood routs. [9.8.n]"), "{told:#?}");
    assert!(told.iter().any(|line| line == "Law routs on. [9.8.ab]"), "{told:#?}");
    assert!(
        told.iter().any(|line| line.starts_with("Law checks morale: a routing unit came through")),
        "{told:#?}"
    );
}

#[test]
fn a_lone_leader_is_hit_or_missed() {
    let case = |tide: bool, die: u8| {
        let more = "leader = [{ id = \"hill\", side = \"csa\", at = \"0108\" }]\n";
        let position = format!("tide = {{ usa = {tide}, csa = false }}\nunit.hood = {{ hex = \"0101\" }}");
        log_of(more, &position, "fire gibbon at hill", &[die])
    };
    for tide in [false, true] {
        assert!(case(tide, 4)[0].starts_with("Hill is fired on: missed."), "{:?}", case(tide, 4));
        for die in [5, 10] {
            assert!(case(tide, die)[0].starts_with("Hill is fired on: hit."), "{:?}", case(tide, die));
        }
    }
}

#[test]
fn a_prize_is_told_once() {
    let more = "variant = [{ id = \"v\", name = \"The lane\", on = true, prize = { hex = \"0108\", side = \"usa\", points = 3 } }]\n";
    let position = "phase = \"movement\"\nunit.hood = { hex = \"0101\" }\nunit.law = { hex = \"0102\" }";
    let told = |plays: &str| {
        let all = log_of(more, position, plays, &[]);
        all.iter().filter(|line| line.starts_with("The lane: 3 points for the Union.")).count()
    };
    assert_eq!(told("march gibbon 0108"), 1);
    assert_eq!(told("march gibbon 0108\", \"march gibbon 0109\", \"march gibbon 0108"), 1);
}

#[test]
fn losses_are_told_to_the_last() {
    let hit = |sp: u8| log(&format!("unit.hood = {{ sp = {sp} }}"), "fire gibbon at hood", &[6, 1]);
    let is_told = |told: &[String], line: &str| told.iter().any(|known| known == line);
    assert!(is_told(&hit(12), "Hood loses 1 SP and has 11 left. [1.1.3.c]"), "{:#?}", hit(12));
    for (sp, shattered) in [(8, false), (7, true), (6, false)] {
        assert_eq!(is_told(&hit(sp), "Hood is shattered. [1.1.4.a]"), shattered, "{:#?}", hit(sp));
    }
    let last = log("unit.hood = { sp = 1 }", "fire gibbon at hood", &[6]);
    assert!(is_told(&last, "Hood is eliminated. [1.1.3.d]"), "{last:#?}");
    assert!(!is_told(&hit(2), "Hood is eliminated. [1.1.3.d]"), "{:#?}", hit(2));
    let spared = log("", "fire gibbon at hood", &[2, 1]);
    assert!(spared.iter().all(|line| !line.contains("loses")), "{spared:#?}");
}

#[test]
fn a_march_is_told_with_its_end() {
    let moves = "phase = \"movement\"\nunit.hood = { hex = \"0101\" }\nunit.law = { hex = \"0102\" }";
    let told = log_of("", moves, "march gibbon 0109", &[]);
    assert_eq!(told, ["Gibbon marches to 0109. [8.1.3.a]"]);
}

#[test]
fn a_unit_without_a_way_back_is_told_under_the_rule_of_its_flight() {
    let edge =
        "unit.gibbon = { hex = \"0108\" }\nunit.hood = { hex = \"0109\" }\nunit.law = { hex = \"0101\" }";
    let retreat = log(edge, "fire gibbon at hood", &[10]);
    assert!(retreat.iter().any(|line| line == "Hood has no way back. [9.8.g]"), "{retreat:#?}");
    let rout = log(edge, "fire gibbon at hood", &[2, 10]);
    assert!(rout.iter().any(|line| line == "Hood has no way back. [9.8.r]"), "{rout:#?}");
}

#[test]
fn stragglers_come_back_from_a_six_on() {
    let turns = "turns = { labels = [\"night\", \"day\"], night = [1], stragglers = [1] }\n";
    let position = "phase = \"rally\"\nactive = \"csa\"\nlosses = { usa = 1 }\n\
                    unit.gibbon = { sp = 16 }\nunit.law = { routed = true }";
    for (die, come) in [(5, false), (6, true), (8, true)] {
        let told = log_of(turns, position, "done", &[die]);
        let roll = told.iter().find(|line| line.starts_with("Do stragglers come back to Gibbon?"));
        assert_eq!(roll.map(|line| line.contains("Yes")), Some(come), "{told:#?}");
        let back = "Gibbon recovers 1 SP. [11.0.e 11.0.f]";
        assert_eq!(told.iter().any(|line| line == back), come, "{told:#?}");
    }
}
