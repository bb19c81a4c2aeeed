//! The special rules of the scenarios that ship: each row has its number, and the log cites it.

use battle_hymn::BattleHymn;
use game::dice::ScriptedDice;
use game::log::Chronicle;
use game::situation::Fact;
use game::{Facts, Files, Fx, Notation, Rules};

/// The rules that the log cites when this order is carried out.
fn cited(scenario: &str, position: &str, order: &str, dice: &[u8]) -> Vec<String> {
    let battle = suite::battle::<BattleHymn>(scenario);
    let mut state = BattleHymn::position(&battle, position)
        .unwrap_or_else(|faults| panic!("\n{}", faults.report("the position", position)));
    let mut fx = Fx { dice: ScriptedDice::new(dice.to_vec()), log: Chronicle::default() };
    let order = BattleHymn::read(&battle, &state, order).expect("an order");
    BattleHymn::check(&battle, &state, &order).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    BattleHymn::play_unchecked(&battle, &mut state, &order, &mut fx);
    fx.log.entries.iter().flat_map(|entry| &entry.rules).map(|rule| rule.id().to_owned()).collect()
}

#[track_caller]
fn cites(scenario: &str, position: &str, order: &str, rule: &str) {
    let found = cited(scenario, position, order, &[4, 1]);
    assert!(found.iter().any(|r| r == rule), "{rule} is not among {found:?}");
}

#[test]
fn the_log_cites_the_scenario() {
    let at = |hour: u8, rest: &str| {
        format!("hour = {hour}\nturn = \"move carr\"\ncup = []\nheld = \"none\"\n{rest}")
    };
    let pea = "battle-hymn/pea-ridge";
    cites(pea, &at(19, "").replace("held = \"none\"\n", ""), "done", "pea-ridge.b");
    let taken = "control = { \"2510\" = \"csa\", \"1916\" = \"csa\" }\nunit.dodge = { hex = \"1915\" }\n\
                 unit.weston = { hex = \"2511\" }";
    cites(pea, &at(18, taken), "done", "pea-ridge.c");
    cites(pea, &at(18, "control = { \"1210\" = \"usa\" }"), "done", "pea-ridge.d");
    cites(
        pea,
        &at(15, "unit.little = { hex = \"2702\" }\nunit.slack = { hex = \"2602\" }"),
        "done",
        "pea-ridge.e",
    );
    cites(pea, &at(12, ""), "done", "pea-ridge.f");
    let price = "hour = 33\nturn = \"move price\"\ncup = []\nunit.little = { hex = \"3111\" }";
    cites(pea, price, "exit little 3211", "pea-ridge.j");
    let sims = "hour = 10\nturn = \"move mcintosh\"\ncup = []\nunit.sims = { hex = \"0208\" }";
    cites(pea, sims, "exit sims 0108", "pea-ridge.k");
    let day = "battle-hymn/the-first-day";
    let buford = |hour: u8, rest: &str| at(hour, rest).replace("move carr", "move buford");
    cites(day, &buford(15, ""), "done", "the-first-day.a");
    let taken = "control = { \"1816\" = \"csa\", \"1811\" = \"csa\", \"1311\" = \"csa\" }";
    cites(day, &buford(16, taken), "done", "the-first-day.b");
    cites(day, &buford(16, ""), "done", "the-first-day.c");
}

/// Who left around the mountain is due at the three hexes of Area N two Hours later, not earlier.
#[test]
fn around_the_mountain_takes_two_hours() {
    suite::proves!("battle-hymn", "pea-ridge.k");
    let battle = suite::battle::<BattleHymn>("battle-hymn/pea-ridge");
    let position = "hour = 10\nturn = \"move mcintosh\"\ncup = []\nunit.sims = { hex = \"0208\" }";
    let mut state = BattleHymn::position(&battle, position).expect("it is possible");
    let mut fx = Fx { dice: ScriptedDice::new(Vec::new()), log: Chronicle::default() };
    let order = BattleHymn::read(&battle, &state, "exit sims 0108").expect("an order");
    BattleHymn::play_unchecked(&battle, &mut state, &order, &mut fx);
    let entry = |state: &_| BattleHymn::fact(&battle, state, "entry.sims.2701").expect("a fact");
    for (later, open) in [(0, false), (1, false), (2, true), (3, true)] {
        let mut then = state.clone();
        then.hour += later;
        assert_eq!(matches!(entry(&then), Fact::Number(_)), open, "{later} Hours later");
    }
}
