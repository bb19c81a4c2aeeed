//! Impossible positions: each is refused at its place with a remedy.

use game::{Facts, Files};
use hallowed_ground::{Battle, HallowedGround};

fn drill() -> Battle {
    suite::battle::<HallowedGround>("hallowed-ground/drill")
}

fn faults(position: &str) -> Vec<String> {
    match HallowedGround::position(&drill(), position) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.0.into_iter().map(|f| format!("{}; {}", f.message, f.expected)).collect(),
    }
}

#[track_caller]
fn refused(position: &str, message: &str) {
    let found = faults(&format!("phase = \"orders a\"\n{position}"));
    assert!(found.iter().any(|f| f.contains(message)), "{message}\n{found:#?}");
}

#[track_caller]
fn sound(position: &str) {
    assert_eq!(faults(&format!("phase = \"orders a\"\n{position}")), Vec::<String>::new());
}

#[test]
fn units_stand_on_the_table() {
    refused("unit.a1 = { at = [2, 20] }", "`a1` stands off the table; its whole base on the table");
    refused("unit.a1 = { at = [20, 1.5] }", "`a1` stands off the table");
    sound("unit.a1 = { at = [20, 1.575] }");
    refused("unit.a1 = { at = [500, 20] }", "no place on or near a table");
}

#[test]
fn units_stand_on_passable_ground() {
    refused("unit.a1 = { at = [95, 55] }", "`a1` stands in impassable terrain; passable ground");
    refused("unit.a1 = { at = [130, 41] }", "`a1` stands in impassable terrain");
    // The bridge road carries a column over the river.
    sound("unit.a1 = { at = [95, 84], formation = \"march_column\" }");
    refused("unit.a1 = { at = [102, 84], formation = \"march_column\" }", "impassable");
}

#[test]
fn units_stand_apart() {
    let pair = |x: &str| format!("unit.a1 = {{ at = [20, 20] }}\nunit.a2 = {{ at = [{x}, 20] }}");
    refused(&pair("28.8"), "`a1` and `a2` overlap; places apart");
    sound(&pair("28.859"));
    let enemies = "unit.a1 = { at = [20, 20] }\nunit.x1 = { at = [20, 20] }";
    refused(enemies, "`a1` and `x1` touch, but no contact is written; a line in `contact`");
    sound(&format!("{enemies}\ncontact = [{{ a = \"a1\", b = \"x1\" }}]"));
}

#[test]
fn states_follow_from_hits() {
    refused("unit.a1 = { at = [20, 20], hits = 20 }", "at 20 hits the unit is Broken; 0 to 19");
    refused("unit.ag = { at = [20, 20], hits = 14 }", "at 14 hits the unit is Broken; 0 to 13");
    refused("unit.b1 = { at = [20, 20], hits = 16 }", "at 16 hits the unit is Broken; 0 to 15");
    refused("unit.a1 = { at = [20, 20], hits = 18, shaken = false }", "at 18 hits the unit is Shaken");
    let state = |hits: u8| {
        let text = format!("phase = \"orders a\"\nunit.a1 = {{ at = [20, 20], hits = {hits} }}");
        let state = HallowedGround::position(&drill(), &text).expect("a position");
        HallowedGround::fact(&drill(), &state, "a1.state").expect("a fact").to_string()
    };
    assert_eq!((state(17).as_str(), state(18).as_str()), ("\"steady\"", "\"shaken\""));
    sound("unit.a1 = { place = \"broken\", hits = 25 }");
}

#[test]
fn formations_are_those_of_the_arm() {
    refused(
        "unit.a1 = { at = [20, 20], formation = \"limbered\" }",
        "infantry has no such formation; one of line, supported_line, march_column",
    );
}

#[test]
fn contacts_are_between_enemies_who_touch() {
    let with = |x: &str, contact: &str| {
        format!("unit.a1 = {{ at = [20, 20] }}\nunit.x1 = {{ at = [{x}] }}\ncontact = [{contact}]")
    };
    let pair = "{ a = \"a1\", b = \"x1\" }";
    refused(&with("20, 20.01", pair), "the two do not touch, or only at a corner");
    refused(&with("28.65, 20", pair), "the two do not touch, or only at a corner");
    sound(&with("28.608, 20", pair));
    refused(&with("20, 20", &format!("{pair}, {pair}")), "this contact is written twice; each pair once");
    refused(&with("20, 20", "{ a = \"a1\", b = \"x9\" }"), "between two units of the scenario");
    let friends = "unit.a1 = { at = [20, 20] }\nunit.a2 = { at = [20, 20], facing = 180 }";
    refused(&format!("{friends}\ncontact = [{{ a = \"a1\", b = \"a2\" }}]"), "the two are of one side");
    refused("unit.a1 = { at = [20, 20] }\ncontact = [{ a = \"a1\", b = \"x1\" }]", "is not on the table");
}

#[test]
fn bonuses_belong_to_a_melee() {
    refused("unit.a1 = { at = [20, 20], charging = true }", "`a1` charged or won, but fights nobody");
    refused("unit.a1 = { at = [20, 20], won = true }", "`a1` charged or won, but fights nobody");
    let both = "unit.a1 = { at = [20, 20], won = true, charging = true }\nunit.x1 = { at = [20, 20] }";
    refused(
        &format!("{both}\ncontact = [{{ a = \"a1\", b = \"x1\" }}]"),
        "`a1` has both charged and won the last round; one of the two",
    );
}

#[test]
fn brigades_are_broken_by_their_losses() {
    let lost = |names: &[&str]| {
        let gone = |u: &&str| format!("unit.{u} = {{ place = \"broken\" }}\n");
        format!(
            "unit.ag = {{ at = [20, 20] }}\nbroken = [\"a\"]\n{}",
            names.iter().map(gone).collect::<String>()
        )
    };
    refused(&lost(&["a1", "a2"]), "brigade `a` has not lost enough to be Broken; more than 2");
    sound(&lost(&["a1", "a2", "a3"]));
    refused("broken = [\"q\"]", "there is no brigade `q`");
    // Losses alone are enough to say so.
    let text = lost(&["a1", "a2", "a3"]).replace("broken = [\"a\"]\n", "phase = \"orders a\"\n");
    let state = HallowedGround::position(&drill(), &text).expect("a position");
    let broken = HallowedGround::fact(&drill(), &state, "brigade.a.broken").expect("a fact");
    assert_eq!(broken.to_string(), "true");
}

#[test]
fn commanders_are_with_their_own() {
    let unit = "unit.a1 = { at = [20, 20] }\nunit.b1 = { at = [60, 20] }\nunit.x1 = { at = [20, 60] }\n";
    let ames = |row: &str| format!("{unit}commander.ames = {{ {row} }}");
    refused(&ames("attached = \"b1\""), "`ames` is attached to a unit of another brigade");
    refused(
        &ames("attached = \"x1\""),
        "`ames` is attached to a unit that is not on the table or not on his side",
    );
    refused(
        &ames("attached = \"a2\""),
        "`ames` is attached to a unit that is not on the table or not on his side",
    );
    refused(&ames("attached = \"a1\", on_table = false"), "`ames` is attached, but not on the table");
    refused(&ames("at = [181, 20]"), "`ames` is off the table; a place on the table");
    sound(&ames("attached = \"a1\""));
    sound(&format!("{unit}commander.grant = {{ attached = \"b1\" }}"));
}

#[test]
fn the_clock_is_that_of_the_battle() {
    refused("turn = 11", "1 to 10");
    let other = faults("phase = \"orders x\"");
    assert!(other.iter().any(|f| f.contains("a brigade of the other side")), "{other:#?}");
    let none = faults("phase = \"lunch\"");
    assert!(none.iter().any(|f| f.contains("`lunch` is not a phase")), "{none:#?}");
}

#[test]
fn a_fault_is_shown_at_its_unit() {
    let text = "phase = \"orders a\"\nunit.a1 = { at = [20, 20] }\nunit.a2 = { at = [22, 20] }";
    let found = HallowedGround::position(&drill(), text).expect_err("they overlap");
    let report = found.report("here", text);
    assert!(report.contains("here:3:11"), "{report}");
}
