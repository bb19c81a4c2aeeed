//! What becomes of units and leaders in the odds of a decision, in the game's own words.

use std::collections::BTreeMap;

use brigade_battles::BrigadeBattles;
use game::odds::{self, Budget, Horizon, Tone};
use game::situation::question;
use suite::Shelf;

/// The fates of a piece, each with its tone and its chance in thousandths.
fn fates(case: &str, piece: &str) -> BTreeMap<&'static str, (Tone, i64)> {
    let text = format!("title = \"A case\"\n{case}");
    let asked = question::<BrigadeBattles>(&text, &Shelf)
        .unwrap_or_else(|faults| panic!("\n{}", faults.report("the case", &text)));
    let (battle, budget) = (&asked.battle, Budget::default());
    let report = odds::report::<BrigadeBattles>(battle, &asked.state, &asked.action, Horizon::Affair, budget);
    let piece = battle.piece_id(battle.piece_named(piece).expect("a piece"));
    let told = report.pieces.iter().find(|odds| odds.piece == piece).map(|odds| {
        let share = |f: &odds::FateOdds| (f.share.p * 1000.0).round() as i64;
        odds.fates.iter().map(|f| (f.fate.word, (f.fate.tone, share(f)))).collect()
    });
    told.unwrap_or_default()
}

fn fire(sp: u8, morale: &str, more: &str, position: &str) -> String {
    format!(
        r#"
unit = [
  {{ id = "gibbon", side = "usa", sp = {sp}, independent = true, at = "0506" }},
  {{ id = "hood", side = "csa", sp = 12, morale = "{morale}", independent = true, at = "0505" }},
]
{more}
retreat = {{ csa = ["0501"] }}
[map]
cols = 9
rows = 9
[position]
phase = "offensive"
tide = {{ usa = false, csa = false }}
{position}
[[step]]
play = "fire gibbon at hood"
"#
    )
}

#[test]
fn a_target_stands_loses_or_routs() {
    // 12 SP, column 9-12: nothing up to 3, a check on 4 to 7, one SP on 8 and 9, two on 10; black fails on 8, 9, 10.
    let told = fates(&fire(12, "black", "", ""), "hood");
    let expected = BTreeMap::from([
        ("stands", (Tone::Holds, 580)),
        ("loses SP", (Tone::Hurt, 210)),
        ("routs", (Tone::Yields, 210)),
    ]);
    assert_eq!(told, expected);
}

#[test]
fn a_target_retreats_or_is_eliminated() {
    // 40 SP, column 37+: a retreat on 5 and more. Hood has 3 SP left: gone from 3R on, that is from 6.
    let told = fates(&fire(40, "gold", "", "unit.hood = { sp = 3 }"), "hood");
    assert_eq!(told["retreats"], (Tone::Yields, 90));
    assert_eq!(told["eliminated"], (Tone::Gone, 500));
    // 1 SP on 1 and 2, 2 SP on 3 and 4: of 12 he stays whole, of 7 he is shattered.
    let told = fates(&fire(40, "gold", "", "unit.hood = { sp = 7 }"), "hood");
    assert_eq!(told["shattered"], (Tone::Hurt, 180));
    assert_eq!(told["loses SP"], (Tone::Hurt, 180));
}

#[test]
fn a_routed_target_routs_on() {
    let told = fates(&fire(12, "black", "", "unit.hood = { routed = true }"), "hood");
    assert_eq!(
        told,
        BTreeMap::from([("stands", (Tone::Holds, 300)), ("routs on", (Tone::Yields, 700))]),
        "a dash on 1 to 3"
    );
}

#[test]
fn whoever_fires_may_advance() {
    let told = fates(&fire(40, "gold", "", "unit.hood = { sp = 3 }"), "gibbon");
    assert_eq!(told.keys().copied().collect::<Vec<_>>(), ["advances", "stands"]);
    assert_eq!(told["advances"].0, Tone::Gains);
}

#[test]
fn leaders_fall_or_fall_back() {
    let leader = r#"leader = [{ id = "lee", side = "csa", rank = "army", at = "0505" }]"#;
    let told = fates(&fire(12, "black", leader, ""), "lee");
    // A ten, then 7 or more.
    assert_eq!(told["falls"], (Tone::Hurt, 40));
    assert_eq!(told["falls back"].0, Tone::Yields);
    assert_eq!(told["stays"].0, Tone::Holds);
}

#[test]
fn a_routed_unit_rallies_or_stays_routed() {
    let rally = r#"
unit = [
  { id = "gibbon", side = "usa", sp = 12, independent = true, at = "0506" },
  { id = "hood", side = "csa", sp = 12, independent = true, at = "0501" },
]
[map]
cols = 9
rows = 9
[position]
phase = "rally"
tide = { usa = false, csa = false }
unit.gibbon = { routed = true }
[[step]]
play = "rally gibbon"
"#;
    let expected = BTreeMap::from([("rallies", (Tone::Gains, 700)), ("stays routed", (Tone::Holds, 300))]);
    assert_eq!(fates(rally, "gibbon"), expected);
}
