//! Broken scenarios: each is refused at its place with a message that helps.

use game::{Files, Options};
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
    row("turn = 0, edge = \"south\", from = 3, to = 9", "1 to 30");
    let sound =
        |row: &str| assert_eq!(faults(&SOUND.replacen("facing = 0", &arrives(row), 1)), Vec::<String>::new());
    sound("turn = 1, edge = \"south\", from = 0, to = 72");
    sound("turn = 6, edge = \"south\", from = 9, to = 9");
    sound("turn = 30, edge = \"north\", from = 3, to = 9");
    row("turn = 31, edge = \"south\", from = 3, to = 9", "1 to 30");
    row("turn = 2, edge = \"south\", from = 3, to = 72.001", "0 to 72");
    row("turn = 2, edge = \"east\", from = 9, to = 60", "0 to 48");
}

#[test]
fn numbers_have_their_limits() {
    let sound = |part: &str, other: &str| {
        assert!(SOUND.contains(part), "{part}");
        assert_eq!(faults(&SOUND.replacen(part, other, 1)), Vec::<String>::new(), "{other}");
    };
    for (part, least, most, below, above, said) in [
        ("turns = 6", "turns = 1", "turns = 30", "turns = 0", "turns = 31", "1 to 30"),
        (
            "turns = 6",
            "turns = 6\nsecond_points = 0",
            "turns = 6\nsecond_points = 50",
            "turns = 6\nsecond_points = -1",
            "turns = 6\nsecond_points = 51",
            "0 to 50",
        ),
        (
            "own_edge = \"south\"",
            "own_edge = \"south\"\npoints = 0",
            "own_edge = \"south\"\npoints = 100",
            "own_edge = \"south\"\npoints = -1",
            "own_edge = \"south\"\npoints = 101",
            "0 to 100",
        ),
        (
            "facing = 180",
            "facing = -360",
            "facing = 360",
            "facing = -360.001",
            "facing = 360.001",
            "-360 to 360",
        ),
        (
            "facing = 180",
            "facing = 180\nhits = 0",
            "facing = 180\nhits = 19",
            "facing = 180\nhits = -1",
            "facing = 180\nhits = 20",
            "0 to 19",
        ),
        (
            "points = [4, 4]",
            "points = [0, 4]",
            "points = [50, 4]",
            "points = [-1, 4]",
            "points = [51, 4]",
            "0 to 50",
        ),
        (
            "name = \"Rufus King\"\nat = [24, 6]",
            "name = \"Rufus King\"\nat = [24, 6]\narrives = 2",
            "name = \"Rufus King\"\nat = [24, 6]\narrives = 30",
            "name = \"Rufus King\"\nat = [24, 6]\narrives = 1",
            "name = \"Rufus King\"\nat = [24, 6]\narrives = 31",
            "2 to 30",
        ),
        (
            "[[objective]]",
            "[[dusk]]\nturn = 1\nsight = 10\n[[objective]]",
            "[[dusk]]\nturn = 30\nsight = 10\n[[objective]]",
            "[[dusk]]\nturn = 0\nsight = 10\n[[objective]]",
            "[[dusk]]\nturn = 31\nsight = 10\n[[objective]]",
            "1 to 30",
        ),
    ] {
        sound(part, least);
        sound(part, most);
        refused(part, below, said);
        refused(part, above, said);
    }
    sound("at = [24, 6]", "at = [0, 0]");
    sound("at = [24, 6]", "at = [72, 48]");
    refused("at = [24, 6]", "at = [72.001, 6]", "off the table");
    refused("at = [24, 6]", "at = [24, 48.001]", "off the table");
    refused("[[10, 10], [20, 10], [20, 20]]", "[[10, 10], [20, 10]]", "these points make no such terrain");
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
