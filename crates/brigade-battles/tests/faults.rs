//! Broken scenarios: each is refused at its place with a message that helps.

use brigade_battles::BrigadeBattles;

const SOUND: &str = r#"
title = "Sound"

[map]
cols = 9
rows = 9
sides = { river = ["0505/0605", "0505/0606"], bridge = ["0505/0605"] }

[retreat]
usa = ["0501"]

[[ford]]
side = "0505/0606"

[[burnable]]
bridge = "0505/0605"

[[objective]]
hex = "0504"
points = 5

[[objective]]
hex = "0305"
points = 5

[[leader]]
id = "hancock"
side = "usa"
at = "0502"

[[unit]]
id = "caldwell"
side = "usa"
sp = 8
division = "hancock"
at = "0402"

[[unit]]
id = "rodes"
side = "csa"
sp = 8
at = "0508"
"#;

fn faults(source: &str) -> Vec<String> {
    suite::faults::<BrigadeBattles>(source)
}

#[track_caller]
fn refused(part: &str, broken: &str, message: &str) {
    suite::refused::<BrigadeBattles>(SOUND, part, broken, message);
}

#[test]
fn the_manuals_example_is_sound() {
    suite::manual_is_sound::<BrigadeBattles>("brigade-battles.md");
}

#[test]
fn every_scenario_that_ships_is_sound() {
    suite::shipped_are_sound::<BrigadeBattles>("brigade-battles");
}

#[test]
fn the_sound_one_is_sound() {
    assert_eq!(faults(SOUND), Vec::<String>::new());
}

#[test]
fn ids_are_ids() {
    for wrong in ["", "a b", "a+b", "Rodes", "a\\nb"] {
        refused("id = \"rodes\"", &format!("id = \"{wrong}\""), "is no id; small letters");
        refused("id = \"hancock\"", &format!("id = \"{wrong}\""), "is no id; small letters");
    }
    refused("id = \"rodes\"", "id = \"caldwell\"", "a second `caldwell`");
    refused("id = \"rodes\"", "id = \"hancock\"", "a second `hancock`");
}

#[test]
fn things_are_where_they_can_be() {
    refused("hex = \"0305\"", "hex = \"0504\"", "this hex is an objective already");
    refused("side = \"0505/0606\"", "side = \"0102/0103\"", "there is no river there");
    refused("bridge = \"0505/0605\"\n", "bridge = \"0505/0606\"\n", "there is no bridge there");
    refused("cols = 9", "raster = \". . .\"\ncols = 9", "3 cells are drawn; a cell a hex, 81 in all");
    refused("at = \"0508\"", "at = \"0402\"", "a second combat unit in the hex");
}

#[test]
fn both_sides_are_there() {
    refused("side = \"csa\"", "side = \"usa\"", "`csa` has no units");
    let many: String = (0..200)
        .map(|i| format!("[[unit]]\nid = \"u{i}\"\nside = \"usa\"\nsp = 3\nat = \"off\"\n"))
        .collect();
    let found = faults(&format!("{SOUND}\n{many}"));
    assert!(found.iter().any(|f| f.starts_with("202 units; at most")), "{found:#?}");
}
