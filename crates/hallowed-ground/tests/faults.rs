//! Broken scenarios: each is refused at its place with a message that helps.

use game::{Options, Words};
use hallowed_ground::HallowedGround;
use suite::Shelf;

const SOUND: &str = r#"
title = "Sound"
turns = 6

[[side]]
id = "usa"
name = "Union"
own_edge = "south"

[[side]]
id = "csa"
name = "Confederates"
own_edge = "north"

[[brigade]]
name = "Gibbon"
side = "usa"
commander = { name = "John Gibbon", at = [30, 10] }

[[brigade]]
name = "Taliaferro"
side = "csa"
commander = { name = "William Taliaferro", at = [30, 40] }

[[general]]
side = "usa"
name = "Rufus King"
at = [24, 6]

[[general]]
side = "csa"
name = "Stonewall"
at = [24, 44]

[[unit]]
name = "2nd Wisconsin"
brigade = "Gibbon"
type = "infantry"
formation = "line"
at = [36, 12]
facing = 0

[[unit]]
name = "4th Virginia"
brigade = "Taliaferro"
type = "infantry"
formation = "line"
at = [36, 36]
facing = 180

[[objective]]
name = "The farm"
at = [36, 24]
points = [4, 4]

[[terrain]]
kind = "light_woods"
points = [[10, 10], [20, 10], [20, 20]]
"#;

fn faults_with(source: &str, options: &Options) -> Vec<String> {
    match HallowedGround::compile(source, &Shelf, options) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.0.into_iter().map(|f| format!("{}; {}", f.message, f.expected)).collect(),
    }
}

fn faults(source: &str) -> Vec<String> {
    suite::faults::<HallowedGround>(source)
}

#[track_caller]
fn refused(part: &str, broken: &str, message: &str) {
    suite::refused::<HallowedGround>(SOUND, part, broken, message);
}

#[test]
fn the_manuals_example_is_sound() {
    suite::manual_is_sound::<HallowedGround>("hallowed-ground.md");
}

#[test]
fn every_scenario_that_ships_is_sound() {
    suite::shipped_are_sound::<HallowedGround>("hallowed-ground");
}

#[test]
fn the_sound_one_is_sound() {
    assert_eq!(faults(SOUND), Vec::<String>::new());
}

#[test]
fn places_are_on_the_table() {
    let off = "off the table; 0 to 72 across and 0 to 48 up";
    refused("at = [30, 10]", "at = [30, 1000]", off);
    refused("at = [24, 6]", "at = [-1, 6]", off);
    refused("at = [36, 24]", "at = [99, 24]", off);
    refused("[20, 10]", "[200, 10]", off);
    refused("at = [36, 12]", "at = [36, 0]", "`2nd-wisconsin` stands off the table");
    refused("at = [36, 12]", "at = [36, 37]", "`2nd-wisconsin` and `4th-virginia` overlap");
    refused("at = [36, 12]", "at = 36", "a place is two numbers");
    refused("facing = 180", "facing = 99999999999", "-360 to 360");
    let table = |size: &str| format!("turns = 6\n[table]\n{size}\n");
    refused("turns = 6\n", &table("width = -72"), "6 to 200");
    refused("turns = 6\n", &table("height = 300"), "6 to 200");
}

#[test]
fn reserves_come_in_time_and_along_the_edge() {
    let arrives = |row: &str| format!("facing = 0\narrives = {{ {row} }}");
    let row = |row: &str, message: &str| refused("facing = 0", &arrives(row), message);
    row(
        "turn = 7, edge = \"south\", from = 3, to = 9",
        "the battle is over by then; 1 to 6, or 30 for never",
    );
    row("turn = 2, edge = \"south\", from = 9, to = 3", "`to` is before `from`");
    row("turn = 2, edge = \"east\", from = 9, to = 60", "0 to 48");
}

#[test]
fn lists_have_their_length() {
    for wrong in ["5", "[]", "[5]", "[5, 5, 5]"] {
        refused("points = [4, 4]", &format!("points = {wrong}"), "two numbers; a list like [3, 3]");
    }
    refused("points = [4, 4]", "points = [4, 99]", "`points` is 99; 0 to 50");
}

#[test]
fn options_are_known_or_refused() {
    refused("turns = 6", "turns = 6\noptions = { fog = true }", "there is no option `fog`; dusk");
    let fog = Options::from([("fog".to_owned(), true)]);
    assert_eq!(faults_with(SOUND, &fog), ["there is no option `fog`; dusk"]);
}

#[test]
fn both_sides_are_there() {
    refused("brigade = \"Taliaferro\"", "brigade = \"Gibbon\"", "`csa` has no units");
    refused("own_edge = \"north\"", "own_edge = \"south\"", "both sides have the same edge");
    refused("id = \"csa\"", "id = \"usa\"", "both sides have the same id");
    refused("[[general]]\nside = \"usa\"", "[[general]]\nside = \"csa\"", "`usa` needs exactly one army");
    refused("name = \"4th Virginia\"", "name = \"2nd Wisconsin\"", "two pieces are called `2nd-wisconsin`");
    refused("name = \"4th Virginia\"", "name = \"?\"", "no id can be made of this name");
    refused("name = \"4th Virginia\"", "name = \"x\"\nid = \"a b\"", "`a b` is no id");
}

#[test]
fn five_thousand_units_are_too_many() {
    let unit = "[[unit]]\nname = \"x\"\nbrigade = \"Gibbon\"\ntype = \"infantry\"\nformation = \"line\"\nat = [36, 12]\nfacing = 0\n";
    let found = faults(&format!("{SOUND}\n{}", unit.repeat(5000)));
    assert!(found.iter().any(|f| f.contains("too many units; 48 at the most")), "{found:#?}");
}
