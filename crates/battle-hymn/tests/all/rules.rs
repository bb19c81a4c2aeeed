//! Rules that no situation can show: scenario files that must be refused, and ground read off a survey.

use battle_hymn::BattleHymn;
use game::situation::Fact;
use game::{Facts as _, Faults, Files as _, Library, Options, Rules as _};

/// A library with one survey.
struct OneSurvey(&'static str);

impl Library for OneSurvey {
    fn survey(&self, _name: &str) -> Option<String> {
        Some(self.0.to_owned())
    }

    fn scenario(&self, _id: &str) -> Option<String> {
        None
    }
}

fn compile(source: &str) -> Result<<BattleHymn as game::Rules>::Battle, Faults> {
    BattleHymn::compile(source, &OneSurvey(""), &Options::new())
}

/// Two units on a small map; `first` completes the first unit, `map` the ground.
fn scenario(first: &str, map: &str) -> String {
    format!(
        r#"
title = "Test"
hours = {{ first = 1, last = 2 }}
unit = [
  {{ id = "weed", side = "usa", sp = 4, at = "0101"{first} }},
  {{ id = "davis", side = "csa", sp = 4, at = "0505" }},
]

[map]
cols = 5
rows = 5
{map}
"#
    )
}

fn allowed(first: &str, map: &str) {
    let source = scenario(first, map);
    if let Err(faults) = compile(&source) {
        panic!("\n{}", faults.report("test", &source));
    }
}

/// The file has exactly one fault, and it lies on this text.
fn faulty(first: &str, map: &str, at: &str) {
    let source = scenario(first, map);
    let faults = compile(&source).expect_err("the file should be refused");
    assert_eq!(faults.0.len(), 1, "{}", faults.report("test", &source));
    let span = faults.0[0].span.clone();
    let line = source[..span.start].rfind('\n').map_or(0, |n| n + 1)
        ..source[span.end..].find('\n').map_or(source.len(), |n| span.end + n);
    assert!(source[line.clone()].contains(at), "the fault lies at {:?}, not at {at:?}", &source[line]);
}

#[test]
fn a_hex_has_one_terrain() {
    suite::proves!("battle-hymn", "2.1.1.a");
    allowed("", r#"terrain = { woods = ["0303"], marsh = ["0304"] }"#);
    faulty("", r#"terrain = { woods = ["0303"], marsh = ["0303"] }"#, "marsh");
}

#[test]
fn there_are_four_types_of_units() {
    suite::proves!("battle-hymn", "2.2.1.a");
    for kind in ["infantry", "cavalry", "artillery", "horse-artillery"] {
        allowed(&format!(r#", type = "{kind}""#), "");
    }
    faulty(r#", type = "dragoons""#, "", "dragoons");
}

#[test]
fn morale_runs_from_minus_three_to_three() {
    suite::proves!("battle-hymn", "2.2.1.c");
    for rating in -3..=3 {
        allowed(&format!(", mr = {rating}"), "");
    }
    faulty(", mr = 4", "", "mr = 4");
    faulty(", mr = -4", "", "mr = -4");
    faulty(", mr = 1.5", "", "mr = 1.5");
}

#[test]
fn a_set_up_entry_is_a_hex_or_an_hour_with_areas() {
    suite::proves!("battle-hymn", "2.2.1.d");
    let at = |code: &str| {
        let ours = scenario("", "").replace("\"0101\"", &format!("\"{code}\""));
        compile(&format!("areas = {{ C = [\"0101\"], D = [\"0105\"] }}\n{ours}")).is_ok()
    };
    for good in ["0101", "2C", "1C/D"] {
        assert!(at(good), "{good} should be read");
    }
    for bad in ["0909", "2E", "C", "1C/E", "0505"] {
        assert!(!at(bad), "{bad} should be refused");
    }
}

/// A lane cuts twenty yards off the lower corner of 0201 on its way from 0101 by 0102 to 0202: it serves the hexes
/// that are quicker, and 0201 has no lane.
#[test]
fn a_clipped_corner_is_no_detour() {
    suite::proves!("battle-hymn", "2.1.b");
    let survey = OneSurvey(
        r#"
title = "Test"
size = [460, 450]
[[road]]
name = "Lane"
kind = "road"
line = [[58, 400], [58, 330], [122, 298], [145, 250]]
"#,
    );
    let source = r#"
title = "Test"
hours = { first = 1, last = 2 }
unit = [
  { id = "weed", side = "usa", sp = 4, at = "0101" },
  { id = "davis", side = "csa", sp = 4, at = "0504" },
]

[map]
survey = "test"
hex = 100
columns = 5
rows = 4
"#;
    let battle = BattleHymn::compile(source, &survey, &Options::new())
        .unwrap_or_else(|faults| panic!("\n{}", faults.report("test", source)));
    let state = BattleHymn::muster(&battle);
    let cost = |step: &str| BattleHymn::fact(&battle, &state, &format!("cost.weed.{step}"));
    assert_eq!(cost("0101.0102"), Ok(Fact::Number(1)));
    assert_eq!(cost("0102.0202"), Ok(Fact::Number(1)));
    assert_eq!(cost("0102.0201"), Ok(Fact::Number(2)));
    assert_eq!(cost("0201.0202"), Ok(Fact::Number(2)));
}
