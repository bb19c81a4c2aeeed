//! What players are told, sentence by sentence with the rules it rests on.

use battle_hymn::BattleHymn;
use game::dice::ScriptedDice;
use game::log::Chronicle;
use game::{Files, Fx, Notation, Options, Rules};

/// Plays the orders and gives the log: `text [rules]`.
fn told(units: &str, rest: &str, orders: &[&str], dice: &[u8]) -> Vec<String> {
    let source = format!(
        "title = \"Log\"\nhours = {{ first = 1, last = 2, night = [2], initiative = {{ \"1\" = \"usa\" }} }}\n\
         unit = [{units}]\n{rest}"
    );
    let battle = BattleHymn::compile(&source, &suite::Shelf, &Options::new());
    let battle = battle.unwrap_or_else(|faults| panic!("\n{}", faults.report("the case", &source)));
    let position = BattleHymn::position(&battle, &source);
    let mut state = position.unwrap_or_else(|faults| panic!("\n{}", faults.report("the case", &source)));
    let mut fx = Fx { dice: ScriptedDice::new(dice.to_vec()), log: Chronicle::default() };
    BattleHymn::settle(&battle, &mut state, &mut fx);
    for order in orders {
        let action = BattleHymn::read(&battle, &state, order).expect(order);
        BattleHymn::check(&battle, &state, &action).unwrap_or_else(|refusal| panic!("{order}: {refusal:?}"));
        BattleHymn::play_unchecked(&battle, &mut state, &action, &mut fx);
    }
    assert_eq!(fx.dice.asked_for(), dice.len(), "dice asked for");
    let line = |entry: &game::Entry| {
        let rules: Vec<&str> = entry.rules.iter().map(|rule| rule.id()).collect();
        format!("{} [{}]", entry.text, rules.join(" "))
    };
    fx.log.entries.iter().map(line).collect()
}

const COMBAT: &str = "[map]\ncols = 9\nrows = 9\n[position]\nturn = \"combat usa\"\ncup = [\"move day\"]\n";

#[test]
fn a_combat_turn() {
    let units = r#"
  { id = "weed", side = "usa", sp = 3, at = "0505" },
  { id = "day", side = "usa", sp = 3, at = "0909" },
  { id = "davis", side = "csa", sp = 2, at = "0504" },
  { id = "lane", side = "csa", sp = 3, at = "0503" }"#;
    // Weed hits twice, Davis once. Davis fails and shatters, Weed passes and advances, then falls to Lane.
    let log =
        told(units, COMBAT, &["pass", "advance weed 0504"], &[1, 1, 10, 1, 10, 1, 9, 10, 10, 1, 1, 1, 1]);
    assert_eq!(
        log,
        [
            "Weed attacks Davis. [6.1.5.a]",
            "Weed fires on Davis: 2 of 3 hit. [6.2.3.a]",
            "Davis fires on Weed: 1 of 2 hit. [6.2.3.a]",
            "Davis checks morale after 2 hits: failed. [10.4.1.a]",
            "Davis: 1 SP lost. [10.4.1.c]",
            "Davis: 1 SP demoralised. [10.4.1.c]",
            "Davis is shattered. [10.2.2.a]",
            "Weed checks morale after 1 hit: passed. [10.4.1.a]",
            "Weed: 1 SP demoralised. [10.4.1.b]",
            "Weed advances to 0504. [8.1.a]",
            "Weed fires on Lane: 0 of 2 hit. [6.2.3.a]",
            "Lane fires on Weed: 3 of 3 hit. [6.2.3.a]",
            "Weed checks morale after 3 hits: failed. [10.4.1.a]",
            "Weed: 1 SP lost. [10.4.1.c]",
            "Weed: 1 SP demoralised. [10.4.1.c]",
            "Weed is shattered. [10.2.2.a]",
            "Day moves. [4.e]"
        ]
    );
}

#[test]
fn a_movement_turn() {
    let units = r#"
  { id = "weed", side = "usa", sp = 3, formation = "ayres", at = "0505" },
  { id = "gamble", side = "usa", type = "cavalry", sp = 3, formation = "ayres", at = "0208" },
  { id = "late", side = "usa", sp = 3, formation = "ayres", at = "1A" },
  { id = "stuart", side = "csa", type = "cavalry", sp = 3, at = "0601" }"#;
    let rest = "areas = { A = [\"0109\"] }\nexits = { usa = [\"0105\"] }\nobjective = [{ hex = \"0504\", name = \"the barn\" }]\n\
                [map]\ncols = 9\nrows = 9\n[position]\nturn = \"move ayres\"\ncup = []\nheld = \"none\"\n\
                unit.stuart = { dismounted = true, horses = \"0602\" }\n";
    let orders =
        ["march weed 0504 0503", "dismount gamble horses 0308", "mount gamble", "enter late 0109", "done"];
    assert_eq!(
        told(units, rest, &orders, &[1]),
        [
            "Weed marches from 0505 to 0503 for 4 MP. [5.1.a]",
            "Weed takes the barn. [3.6.b]",
            "Weed takes the horses of Stuart and the 1 SP holding them. [11.3.o]",
            "Stuart: 1 SP lost. [11.3.p]",
            "Gamble dismounts; 1 SP hold the horses in 0308. [11.3.g]",
            "Gamble mounts. [11.3.i]",
            "Late enters at 0109 for 2 MP. [12.2.b]",
            "Hour 2. Night falls over the field. [4.a]",
            "A marker is drawn from the cup: the Movement Turn of Ayres. [4.d]",
            "Ayres moves. [4.e]"
        ]
    );
}

#[test]
fn a_night() {
    let units = r#"
  { id = "weed", side = "usa", sp = 4, formation = "ayres", at = "0101" },
  { id = "day", side = "usa", sp = 4, formation = "ayres", at = "0103" },
  { id = "davis", side = "csa", sp = 2, at = "0909" }"#;
    let rest = "exits = { usa = [\"0105\"] }\n[map]\ncols = 9\nrows = 9\n[position]\nhour = 2\nturn = \"move ayres\"\ncup = []\n\
                unit.weed = { box = \"shattered\" }\nunit.day = { demoralised = 3 }\n";
    let log = told(units, rest, &["rally weed", "place weed 0102", "exit day 0105"], &[6]);
    assert_eq!(
        log,
        [
            "Weed tries to rally: passed. [10.5.2.a]",
            "Weed rallies: 1 SP intact again. [10.5.4.a]",
            "Weed is back in line at 0102. [10.5.3.b]",
            "Day leaves the field at 0105. [5.5.a]",
            "The Confederacy has won the day, 6 to 0. [14.a]"
        ]
    );
}

#[test]
fn retreats_and_approach_fire() {
    let units = r#"
  { id = "weed", side = "usa", sp = 3, at = "0401" },
  { id = "tilton", side = "usa", sp = 2, at = "0301" },
  { id = "day", side = "usa", sp = 3, at = "1201" },
  { id = "davis", side = "csa", sp = 2, at = "0501" }"#;
    let rest = "[map]\ncols = 12\nrows = 1\n[position]\nturn = \"combat usa\"\ncup = [\"move day\"]\n\
                approach = [\"davis>weed\"]\n";
    // Davis hits once as Weed comes up, and again in the Round; Weed passes, then fails and falls back on Tilton.
    let log = told(units, rest, &["pass"], &[1, 10, 9, 10, 10, 1, 10, 1, 1]);
    assert_eq!(
        log,
        [
            "Davis fires on the approaching Weed: 1 of 2 hit. [6.1.4.a]",
            "Weed checks morale after 1 hit: passed. [10.4.2.a]",
            "Weed: 1 SP demoralised. [10.4.2.a]",
            "Weed attacks Davis. [6.1.5.a]",
            "Weed fires on Davis: 0 of 2 hit. [6.2.3.a]",
            "Davis fires on Weed: 1 of 2 hit. [6.2.3.a]",
            "Weed checks morale after 1 hit: failed. [10.4.1.a]",
            "Weed: 1 SP lost. [10.4.1.c]",
            "Tilton checks morale as friends fall back on it: failed. [7.8.a]",
            "Tilton: 1 SP demoralised. [7.8.c]",
            "Tilton falls back from 0301 to 0101. [7.a]",
            "Weed falls back from 0401 to 0201. [7.a]",
            "Day moves. [4.e]",
        ]
    );
}

#[test]
fn withdrawing_is_no_falling_back() {
    let units = r#"
  { id = "weed", side = "usa", sp = 3, at = "0401" },
  { id = "day", side = "usa", sp = 3, at = "1201" },
  { id = "davis", side = "csa", sp = 2, at = "0501" }"#;
    let rest = "[map]\ncols = 12\nrows = 1\n[position]\nturn = \"combat usa\"\ncup = [\"move day\"]\n";
    assert_eq!(
        told(units, rest, &["withdraw weed"], &[]),
        ["Weed withdraws from 0401 to 0201. [7.a]", "Day moves. [4.e]"]
    );
    // Two Rounds without a hit: he falls back.
    let log = told(units, rest, &["pass"], &[10; 10]);
    assert_eq!(
        log[log.len() - 3..],
        [
            "Weed falls back: it has not advanced. [6.1.8.b]",
            "Weed falls back from 0401 to 0201. [7.a]",
            "Day moves. [4.e]",
        ]
    );
}
