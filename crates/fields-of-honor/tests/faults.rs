//! Broken scenarios: each is refused at its place with a message that helps.

use fields_of_honor::FieldsOfHonor;

const SOUND: &str = include_str!("../../../scenarios/fields-of-honor/drill-ground.toml");

fn faults(source: &str) -> Vec<String> {
    suite::faults::<FieldsOfHonor>(source)
}

#[track_caller]
fn refused(part: &str, broken: &str, message: &str) {
    suite::refused::<FieldsOfHonor>(SOUND, part, broken, message);
}

#[test]
fn the_manuals_example_is_sound() {
    suite::manual_is_sound::<FieldsOfHonor>("fields-of-honor.md");
}

#[test]
fn every_scenario_that_ships_is_sound() {
    suite::shipped_are_sound::<FieldsOfHonor>("fields-of-honor");
}

#[test]
fn the_sound_one_is_sound() {
    assert_eq!(faults(SOUND), Vec::<String>::new());
}

#[test]
fn places_are_on_the_table() {
    let off = "off the table; 0 to 48 across and 0 to 36 up";
    refused("at = [29.5, 7]", "at = [65535, 7]", off);
    refused("at = [29.5, 7]", "at = [29.5, -1]", off);
    refused("at = [29.5, 7]", "at = [1, 7]", "`r1` stands partly off the table");
    refused("at = [29.5, 7]", "at = [18.5, 7]", "`r2` stands on `r1`");
    refused("at = [29.5, 7]", "at = [29.5]", "a place is two numbers");
    refused("at = [19, 4]", "at = [19, 4000]", off);
    refused("marker = [24, 14]", "marker = [240, 14]", off);
    refused("[30, 11], [36, 11]", "[30, 11], [65535, 11]", off);
    refused("[6, 15], [12, 14]", "[-6, 15], [12, 14]", off);
    refused("livery = \"crown\"", "rally = [[100, 1]]", off);
    refused("table = [48, 36]", "table = [48, 99999]", "two numbers from 12 to 240");
    refused("table = [48, 36]", "table = [-48, 36]", "two numbers from 12 to 240");
    refused("table = [48, 36]", "table = [1, 2]", "two numbers from 12 to 240");
    refused("facing = 180", "facing = 99999999999", "-360 to 360");
    refused(
        "at = [29.5, 7]",
        "arrives = { turn = 2, edge = \"south\", from = 9, to = 3 }",
        "`to` is before `from`",
    );
    refused("at = [29.5, 7]", "arrives = { turn = 2, edge = \"south\", from = 9, to = 60 }", "0 to 48");
    refused(
        "at = [29.5, 7]",
        "arrives = { turn = 13, edge = \"south\", from = 9, to = 12 }",
        "`turn` is 13; 1 to 12",
    );
}

#[test]
fn ids_and_references_hold() {
    refused("id = \"r1\"", "id = \"\"", "`` is no id");
    refused("id = \"r1\"", "id = \"R 1\"", "`R 1` is no id");
    refused("id = \"r1\"", "id = \"r2\"", "there are two units `r2`");
    refused("id = \"r1\"", "id = \"general-red\"", "a leader is called `general-red`");
    refused("id = \"brigadier-red\"", "id = \"general-red\"", "there are two leaders `general-red`");
    refused("id = \"blue\"", "id = \"red\"", "both sides have the same id");
    refused(
        "leader = \"brigadier-red\"",
        "leader = \"brigadier-blue\"",
        "no leader `brigadier-blue` on its side",
    );
    refused("marker = [24, 14]", "with = \"ghost\"", "no unit `ghost` on his side");
    refused("marker = [24, 14]", "bodyguard = \"b1\"", "no unit `b1` on his side");
    refused("overall = true", "overall = false", "`red` needs exactly one overall commander");
    refused("edge = \"north\"", "edge = \"south\"", "both sides have the same edge");
    let one_side = SOUND.replace("side = \"blue\"", "side = \"red\"").replace("-blue\"", "-blue2\"");
    assert!(faults(&one_side).iter().any(|f| f.contains("`blue` has no units")));
}

#[test]
fn arms_have_their_weapons_and_formations() {
    refused("weapon = \"6 pdr smoothbore\"", "weapon = \"rifled musket\"", "artillery does not fight with");
    refused("weapon = \"rifled musket\"", "weapon = \"6 pdr smoothbore\"", "infantry does not fight with");
    refused("melee = \"D\"", "formation = \"line\"", "artillery has no such formation");
    refused("morale = \"B\"", "formation = \"limbered\"", "infantry has no such formation");
}

#[test]
fn scores_say_what_they_count() {
    refused("areas = [\"its top\"]", "areas = [\"ghost\"]", "there is no ground `ghost`");
    refused("areas = [\"its top\"]", "areas = []", "no ground is named");
    refused("areas = [\"its top\"]\npoints = 3", "areas = [\"its top\"]", "the score has no points");
    refused("points = 3", "for = { green = 3 }", "there is no side `green`; red or blue");
    refused("what = \"broken\"", "what = \"broken\"\nturn = 3", "unknown key `turn`");
    refused("what = \"broken\"", "what = \"hold point\"", "`at` is missing");
    refused("what = \"broken\"", "what = \"kept\"\nnames = [\"ghost\"]", "no ground to hold called `ghost`");
    refused("what = \"broken\"", "what = \"entered\"\narea = [[1, 1], [2, 1], [2, 2]]", "`for` is missing");
    let sudden = |row: &str| faults(&format!("{SOUND}\n[[sudden]]\nwinner = \"red\"\n{row}"));
    assert_eq!(sudden("holds = [\"the hill top\"]"), Vec::<String>::new());
    assert!(sudden("")[0].contains("one of alone_in, stands_left, holds"));
    assert!(sudden("holds = []")[0].contains("too few names are listed"));
    assert!(sudden("holds = [\"the hill top\"]\nof_the_others = 1")[0].contains("too few names"));
    assert!(sudden("holds = [\"ghost\"]")[0].contains("no ground to hold called `ghost`"));
}
