//! The decisions and their offers in words, as the board shows them.

use brigade_battles::BrigadeBattles;
use game::board::Offer;
use game::situation::question;
use game::{Display, Facts, Files, Options};
use suite::Shelf;

const FORCES: &str = r#"
unit = [
  { id = "gibbon", side = "usa", sp = 9, independent = true, at = "0505" },
  { id = "patrick", side = "usa", sp = 9, independent = true, at = "0605" },
  { id = "horse", side = "usa", type = "cavalry", sp = 9, independent = true, at = "0909" },
  { id = "hood", side = "csa", sp = 12, independent = true, at = "0504" },
  { id = "law", side = "csa", sp = 12, independent = true, at = "0904" },
]
leader = [{ id = "hill", side = "csa", at = "0405" }]
[map]
cols = 9
rows = 9
"#;

/// The prompt before the last action of a case and the offer of that action.
fn asked(position: &str, plays: &[&str]) -> (String, Offer) {
    let steps: String =
        plays.iter().map(|play| format!("[[step]]\nplay = \"{play}\"\ndice = [4]\n")).collect();
    let case = format!("title = \"A case\"\n{FORCES}\n[position]\n{position}\n{steps}");
    let asked = question::<BrigadeBattles>(&case, &Shelf)
        .unwrap_or_else(|faults| panic!("\n{}", faults.report("the case", &case)));
    let prompt = BrigadeBattles::prompt(&asked.battle, &asked.state);
    let kinds = BrigadeBattles::kinds();
    assert!(kinds.contains(&prompt.kind.as_str()), "{} is not a kind", prompt.kind);
    let said = format!("{}: {} ({}) [{}]", prompt.kind, prompt.sentence, prompt.detail, prompt.rule.id());
    (said, BrigadeBattles::offer(&asked.battle, &asked.state, &asked.action))
}

const FIRES: &str = "phase = \"offensive\"";

#[test]
fn a_fire_is_declared_joined_and_opened() {
    let (said, offer) = asked(FIRES, &["fire gibbon at hood"]);
    assert_eq!(
        said,
        "fire: The Union fires offensively. (turn 1, Combat Phase, offensive fire of the Union.) [9.3.a]"
    );
    assert_eq!((offer.label.as_str(), offer.rolls, offer.button), ("Fire at Hood", false, false));
    assert_eq!(offer.notes[0].text, "9 SP, column 9-12");
    let (_, alone) = asked(FIRES, &["fire gibbon at hill"]);
    assert_eq!((alone.label.as_str(), alone.rolls), ("Fire at Hill", true), "nobody else reaches Hill");
    let (said, join) = asked(FIRES, &["fire gibbon at hood", "join patrick"]);
    assert!(said.starts_with("volley: The Union says who else fires at Hood."), "{said}");
    assert_eq!((join.label.as_str(), join.rolls), ("Patrick fires too", true));
    assert_eq!(join.notes[0].text, "18 SP, column 17-20");
    let (_, open) = asked(FIRES, &["fire gibbon at hood", "open"]);
    assert_eq!((open.label.as_str(), open.rolls, open.button), ("Open fire", true, true));
}

#[test]
fn a_die_on_the_table_says_what_it_comes_to() {
    let (said, keep) = asked(FIRES, &["fire gibbon at hood", "open", "keep"]);
    assert!(said.starts_with("tide: A 4 on Hood comes to a morale check. Roll again?"), "{said}");
    assert!(said.ends_with("[12.0.a]"), "{said}");
    assert_eq!((keep.label.as_str(), keep.button, keep.main), ("Let the die stand", true, true));
    let (said, tide) = asked(FIRES, &["fire gibbon at hill", "tide"]);
    assert!(said.starts_with("tide: A 4 misses Hill. Roll again?"), "{said}");
    assert_eq!((tide.label.as_str(), tide.rolls), ("Roll again with the Tide of Battle", true));
    let (said, keep) =
        asked("phase = \"offensive\"\ntide = { usa = false }", &["fire gibbon at hood", "open", "keep"]);
    assert!(said.starts_with("tide: Hood passes on a 4. Roll again?"), "{said}");
    assert!(keep.main);
}

#[test]
fn marches_and_changes_say_what_they_cost() {
    let moves = "phase = \"movement\"";
    let (said, march) = asked(moves, &["march gibbon 0507"]);
    assert!(said.starts_with("march: The Union moves."), "{said}");
    assert_eq!((march.label.as_str(), march.cost.as_deref()), ("March to 0507", Some("3")));
    assert_eq!(march.path.len(), 3);
    assert!(march.notes.is_empty());
    let (_, zone) = asked(moves, &["march horse 0804"]);
    assert!(
        zone.notes.iter().any(|note| note.stop && note.text == "Stops in an enemy zone"),
        "{:?}",
        zone.notes
    );
    let (_, change) = asked(moves, &["dismount horse"]);
    assert_eq!((change.label.as_str(), change.cost.as_deref()), ("Dismount", Some("2")));
    let (_, done) = asked(moves, &["done"]);
    assert_eq!((done.label.as_str(), done.button), ("End the movement", true));
}

#[test]
fn a_board_without_a_survey_is_drawn_square() {
    let text = format!("title = \"Plain\"\n{FORCES}");
    let battle = BrigadeBattles::compile(&text, &Shelf, &Options::new()).expect("sound");
    assert_eq!((battle.inset, battle.hex_yards), ([0, 0], 250));
}
