//! Broken scenarios: each is refused at its place with a message that helps.

use american_revolution::AmericanRevolution;

const SOUND: &str = r#"
title = "Sound"
turns = 5

[map]
cols = 8
rows = 8

[[side]]
id = "crown"
name = "The Crown"
home = "south"

[[side]]
id = "american"
name = "The Americans"
home = "north"

[[unit]]
id = "foot"
side = "crown"
strength = [4, 2]
morale = [1, 0]
mp = 5
hex = "0406"

[[unit]]
id = "guns"
side = "crown"
arm = "artillery"
strength = 1
morale = 0
mp = 4
hex = "0506"

[[unit]]
id = "line"
side = "american"
strength = [4, 2]
morale = [1, 0]
mp = 5
hex = "0403"

[[leader]]
id = "howe"
side = "crown"
seniority = 1
hex = "0406"

[[leader]]
id = "grey"
side = "crown"
seniority = 2
hex = "0406"

[[objective]]
hex = "0404"
vp = [2, 1]

[victory]
marginal = { crown = 2, american = 3 }
decisive = [{ side = "crown", lead = 5 }]
"#;

fn faults(source: &str) -> Vec<String> {
    suite::faults::<AmericanRevolution>(source)
}

#[track_caller]
fn refused(part: &str, broken: &str, message: &str) {
    suite::refused::<AmericanRevolution>(SOUND, part, broken, message);
}

#[test]
fn the_manuals_example_is_sound() {
    suite::manual_is_sound::<AmericanRevolution>("american-revolution.md");
}

#[test]
fn every_scenario_that_ships_is_sound() {
    suite::shipped_are_sound::<AmericanRevolution>("american-revolution");
}

#[test]
fn the_sound_one_is_sound() {
    assert_eq!(faults(SOUND), Vec::<String>::new());
}

#[test]
fn units_stand_where_they_may() {
    refused("hex = \"0403\"", "hex = \"0406\"", "`line` stands in the hex of `foot`, an enemy");
    refused("hex = \"0403\"", "enters = { turn = 6, hex = \"0401\" }", "`turn` is 6; 1 to 5");
    refused(
        "hex = \"0403\"",
        "hex = \"0403\"\nenters = { turn = 2, hex = \"0401\" }",
        "it both stands on the map and enters; either `hex` or `enters`",
    );
    refused("hex = \"0403\"", "", "it has no place");
    refused("strength = [4, 2]", "strength = [9, 2]", "over the stacking limit; at most 6 SP");
    refused("strength = [4, 2]", "strength = [2, 4]", "the back is stronger than the front");
    refused("seniority = 2", "seniority = 1", "`grey` has the seniority of `howe`");
}

#[test]
fn ids_are_ids() {
    for wrong in ["", "a b", "a+b", "Foot", "a\\nb"] {
        refused("id = \"foot\"", &format!("id = \"{wrong}\""), "is no id; small letters");
    }
    refused("id = \"guns\"", "id = \"foot\"", "there are two units or leaders `foot`");
    refused("id = \"american\"", "id = \"crown\"", "both sides have the same id");
}

#[test]
fn lists_and_tables_say_what_they_must() {
    for wrong in ["3", "[]", "[3, 3, 3]"] {
        refused("vp = [2, 1]", &format!("vp = {wrong}"), "the points of an objective are two numbers");
    }
    refused("crown = 2", "frnch = 2", "there is no side `frnch`; crown or american");
    refused("{ side = \"crown\", lead = 5 }", "{ side = \"crown\" }", "nothing is asked for this victory");
    refused("home = \"north\"", "home = \"south\"", "both sides have the same home");
    refused("side = \"american\"", "side = \"crown\"", "`american` has no units");
}
