//! What players are told: the words of the log, and the rules it cites.

use brigade_battles::BrigadeBattles;
use game::dice::ScriptedDice;
use game::log::Chronicle;
use game::situation::question;
use game::{Fx, Ruleset};
use suite::Shelf;

/// The log of the last action of a case, each line with the rules it cites.
fn log(position: &str, play: &str, dice: &[u8]) -> Vec<String> {
    let case = format!(
        r#"
title = "A case"
unit = [
  {{ id = "gibbon", side = "usa", sp = 17, independent = true, at = "0107" }},
  {{ id = "hood", side = "csa", sp = 12, independent = true, at = "0106" }},
  {{ id = "law", side = "csa", sp = 12, independent = true, at = "0105" }},
]
retreat = {{ csa = ["0101"] }}
[map]
cols = 1
rows = 9
[position]
phase = "offensive"
tide = {{ usa = false, csa = false }}
{position}
[[step]]
play = "{play}"
"#
    );
    let asked = question::<BrigadeBattles>(&case, &Shelf)
        .unwrap_or_else(|faults| panic!("\n{}", faults.report("the case", &case)));
    let mut state = asked.state;
    let dice = ScriptedDice::new(dice.to_vec());
    let mut fx = Fx { dice, log: Chronicle::default() };
    BrigadeBattles::play_unchecked(&asked.battle, &mut state, &asked.action, &mut fx);
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
