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

/// The sound one with something changed is still sound.
#[track_caller]
fn sound(part: &str, other: &str) {
    assert!(SOUND.contains(part), "{part} is not in the sound scenario");
    assert_eq!(faults(&SOUND.replacen(part, other, 1)), Vec::<String>::new(), "{other}");
}

/// With more at its end, the sound one is refused.
#[track_caller]
fn refused_with(more: &str, message: &str) {
    let found = faults(&format!("{SOUND}\n{more}"));
    assert!(found.iter().any(|fault| fault.contains(message)), "expected `{message}`, found {found:#?}");
}

#[track_caller]
fn sound_with(more: &str) {
    assert_eq!(faults(&format!("{SOUND}\n{more}")), Vec::<String>::new(), "{more}");
}

#[test]
fn numbers_have_bounds() {
    let rodes = "sp = 8\nat = \"0508\"";
    refused(rodes, "sp = 0\nat = \"0508\"", "1 to 99");
    refused(rodes, "sp = 100\nat = \"0508\"", "1 to 99");
    sound(rodes, "sp = 1\nat = \"0508\"");
    sound(rodes, "sp = 99\nat = \"0508\"");
    refused(rodes, "sp = 9\nback = 5\nat = \"0508\"", "the back has more than half the SP of the front");
    sound(rodes, "sp = 10\nback = 5\nat = \"0508\"");
    refused("points = 5", "points = -1", "0 to 999");
    refused("points = 5", "points = 1000", "0 to 999");
    sound("points = 5", "points = 0");
    sound("points = 5", "points = 999");
}

#[test]
fn the_track_has_bounds() {
    for (turns, wrong) in [("count = 0", "1 to 60"), ("count = 61", "1 to 60"), ("night_hours = 2", "3 to 4")]
    {
        refused_with(&format!("[turns]\n{turns}"), wrong);
    }
    refused_with("[turns]\nnight_hours = 5", "3 to 4");
    for turns in ["count = 1", "count = 60", "night_hours = 3", "night_hours = 4"] {
        sound_with(&format!("[turns]\n{turns}"));
    }
}

#[test]
fn leaders_stand_in_their_chain() {
    let leader = |rank: &str, side: &str, superior: &str| {
        format!(
            "[[leader]]\nid = \"new\"\nside = \"{side}\"\nrank = \"{rank}\"\nat = \"0501\"\nsuperior = \"{superior}\""
        )
    };
    refused_with(&leader("division", "usa", "hancock"), "the superior has no higher rank in the same army");
    refused_with(&leader("corps", "usa", "hancock"), "the superior has no higher rank in the same army");
    refused_with(&leader("division", "usa", "nobody"), "no leader `nobody`; the id of a leader");
    let corps = "[[leader]]\nid = \"sumner\"\nside = \"usa\"\nrank = \"corps\"\nat = \"0501\"\n";
    sound_with(&format!("{corps}{}", leader("division", "usa", "sumner")));
    refused_with(&format!("{corps}{}", leader("division", "csa", "sumner")), "in the same army");
    refused(
        "division = \"hancock\"",
        "division = \"nobody\"",
        "`nobody` is not a division leader of that side",
    );
    refused("division = \"hancock\"", "corps = \"hancock\"", "`hancock` is not a corps leader of that side");
    refused(
        "sp = 8\nat = \"0508\"",
        "sp = 8\ndivision = \"hancock\"\nat = \"0508\"",
        "`hancock` is not a division leader of that side",
    );
}

#[test]
fn pieces_start_somewhere() {
    let areas = "[areas]\nsouth = [\"0509\"]\n[turns]\ncount = 3\n";
    let unit = |at: &str| format!("{areas}[[unit]]\nid = \"new\"\nside = \"usa\"\nsp = 3\nat = \"{at}\"");
    sound_with(&unit("T3 south"));
    sound_with(&unit("off"));
    refused_with(&unit("T4 south"), "`T4 south` is not a turn and an entry area");
    refused_with(&unit("T0 south"), "`T0 south` is not a turn and an entry area");
    refused_with(&unit("T3 north"), "`T3 north` is not a turn and an entry area");
    refused_with(&unit("die south"), "`die south`");
    refused("at = \"0508\"", "at = \"1008\"", "1008");
    refused("rows = 9", "rows = 9\noff = [\"0508\"]", "0508 is not in play");
}

#[test]
fn variants_can_be_played() {
    let variant =
        |more: &str| format!("[turns]\ncount = 3\n[[variant]]\nid = \"late\"\nname = \"Late\"\n{more}");
    sound_with(&variant("die = { T2 = 5, T3 = 10 }"));
    refused_with(&variant("die = { T2 = 5, T3 = 9 }"), "not every face has one turn");
    refused_with(&variant("die = { T2 = 10, T3 = 10 }"), "not every face has one turn");
    refused_with(&variant("die = { T1 = 5, T2 = 10 }"), "`T1` is not a later turn");
    refused_with(&variant("die = { T4 = 10 }"), "`T4` is not a later turn");
    refused_with(&variant("die = { T2 = 11 }"), "1 to 10");
    sound_with(&variant("prize = { hex = \"0505\", side = \"usa\", points = 1 }"));
    refused_with(&variant("prize = { hex = \"0505\", side = \"usa\", points = 0 }"), "1 to 999");
    refused_with(&variant("prize = { hex = \"0505\", side = \"usa\", points = 1000 }"), "1 to 999");
    refused_with(&variant("at = { nobody = \"0505\" }"), "no unit or leader `nobody`");
    sound_with(&variant("at = { rodes = \"0707\", hancock = \"off\" }"));
    refused_with(&variant("rule = \"nowhere.a\""), "no rule `nowhere.a`");
    sound_with(&variant("rule = \"antietam.c\""));
    refused_with(&variant("points = { csa = -1 }"), "0 to 999");
    let many = |n: usize, what: &str| {
        let one = |i| format!("[[variant]]\nid = \"v{i}\"\nname = \"V\"\non = true\n{what}\n");
        format!("[turns]\ncount = 3\n{}", (0..n).map(one).collect::<String>())
    };
    sound_with(&many(4, "die = { T2 = 10 }"));
    refused_with(&many(5, "die = { T2 = 10 }"), "too many dice or prizes; at most 4 dice and 8 prizes");
    sound_with(&many(8, "prize = { hex = \"0505\", side = \"usa\", points = 1 }"));
    refused_with(
        &many(9, "prize = { hex = \"0505\", side = \"usa\", points = 1 }"),
        "too many dice or prizes",
    );
}

#[test]
fn objectives_have_who_stands_there() {
    refused(
        "hex = \"0504\"",
        "hex = \"0402\"\ncontrol = \"csa\"",
        "a unit of usa stands there; \"usa\" (14.0.b)",
    );
    sound("hex = \"0504\"", "hex = \"0402\"\ncontrol = \"usa\"");
    sound("hex = \"0504\"", "hex = \"0402\"\ncontrol = \"none\"");
}

#[test]
fn lists_have_bounds() {
    let places = |n: usize| -> String {
        (0..n)
            .map(|i| format!("[[objective]]\nhex = \"{:02}{:02}\"\npoints = 1\n", i / 9 + 6, i % 9 + 1))
            .collect()
    };
    sound_with(&places(22));
    refused_with(&places(23), "25 objectives; at most 24");
    let leaders = |n: usize| -> String {
        (0..n).map(|i| format!("[[leader]]\nid = \"l{i}\"\nside = \"usa\"\nat = \"off\"\n")).collect()
    };
    sound_with(&leaders(63));
    refused_with(&leaders(64), "65 leaders; at most 64");
    let units = |n: usize| -> String {
        (0..n).map(|i| format!("[[unit]]\nid = \"u{i}\"\nside = \"usa\"\nsp = 3\nat = \"off\"\n")).collect()
    };
    sound_with(&units(79));
    refused_with(&units(80), "81 units of usa; at most 80");
}

#[test]
fn charts_are_charts() {
    let row = "- - - - - - - - - -";
    let rows = |n: usize| format!("rows = [{}]", vec![format!("\"{row}\""); n].join(", "));
    sound_with(&format!("[charts.combat]\n{}", rows(11)));
    refused_with(&format!("[charts.combat]\n{}", rows(10)), "10 rows; 11 rows");
    refused_with(&format!("[charts.combat]\n{}", rows(12)), "12 rows; 11 rows");
    refused_with("[charts.combat]\ncolumns = [2, 5]", "the columns do not rise from 1");
    refused_with("[charts.combat]\ncolumns = [1, 5, 5]", "the columns do not rise from 1");
    refused_with("[charts.combat]\nrows = [\"- M\"]", "not a row of the chart; 10 cells");
    refused_with("[charts.combat]\nrows = [\"- - - - - - - - - X\"]", "not a row of the chart");
    let range = |n: usize| format!("[charts.range]\nartillery = [{}]", vec!["\"x1\""; n].join(", "));
    sound_with(&range(12));
    refused_with(&range(13), "too many ranges; at most 12");
    for (value, wrong) in [
        ("move = 0", "1 to 20"),
        ("move = 21", "1 to 20"),
        ("fire = -10", "-9 to 9"),
        ("fire = 10", "-9 to 9"),
    ] {
        refused_with(&format!("[charts.terrain]\nwoods = {{ {value} }}"), wrong);
    }
    sound_with("[charts.terrain]\nwoods = { move = 20, fire = -9, morale = 9 }\nswamp = { move = 3 }");
    refused_with("[charts.sides]\nclimb = 21", "0 to 20");
    sound_with("[charts.sides]\nclimb = 20\nwall = -9");
}

#[test]
fn ground_is_ground() {
    refused(
        "rows = 9",
        "rows = 9\nterrain = { jungle = [\"0101\"] }",
        "no terrain `jungle`; one of clear, field",
    );
    refused("rows = 9", "rows = 9\nlevels = { high = [\"0101\"] }", "`high` is not a level");
    refused("rows = 9", "rows = 9\nwithout = { moat = [\"0101/0102\"] }", "no feature `moat`");
    refused("hex = \"0305\"", "hex = \"1305\"", "1305");
}

#[test]
fn unknown_keys_are_shown() {
    for table in
        ["charts.combat", "charts.range", "charts.works", "charts.sides", "turns", "options", "points"]
    {
        refused_with(&format!("[{table}]\nnonsense = 1"), "unknown key `nonsense`");
    }
    refused_with("[charts.terrain]\nwoods = { nonsense = 1 }", "unknown key `nonsense`");
    refused_with("[charts]\nnonsense = 1", "unknown key `nonsense`");
    refused("bridge = \"0505/0605\"\n", "bridge = \"0505/0605\"\nnonsense = 1\n", "unknown key `nonsense`");
    refused("usa = [\"0501\"]", "usa = [\"0501\"]\nnonsense = 1", "unknown key `nonsense`");
    let prize = "prize = { hex = \"0505\", side = \"usa\", points = 1, nonsense = 1 }";
    for wrong in ["nonsense = 1", "points = { nonsense = 1 }", prize] {
        let variant = format!("[[variant]]\nid = \"v\"\nname = \"V\"\n{wrong}\n");
        refused_with(&variant, "unknown key `nonsense`");
    }
    refused("points = 5", "points = 5\nnonsense = 1", "unknown key `nonsense`");
    refused("side = \"0505/0606\"", "side = \"0505/0606\"\nnonsense = 1", "unknown key `nonsense`");
    refused("sp = 8", "sp = 8\nnonsense = 1", "unknown key `nonsense`");
    refused("at = \"0502\"", "at = \"0502\"\nnonsense = 1", "unknown key `nonsense`");
}

#[test]
fn a_unit_that_cannot_be_read_is_one_fault() {
    let found = faults(&SOUND.replacen("sp = 8\nat = \"0508\"", "sp = \"many\"\nat = \"0508\"", 1));
    assert_eq!(found.len(), 1, "{found:#?}");
}
