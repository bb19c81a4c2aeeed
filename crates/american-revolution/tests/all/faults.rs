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

/// A number is let pass at both ends of its range and refused one beyond.
#[track_caller]
fn ranges(part: &str, with: &str, least: i64, most: i64) {
    assert!(SOUND.contains(part), "`{part}` is not in the sound one");
    let told = |n: i64| faults(&SOUND.replacen(part, &with.replace("{n}", &n.to_string()), 1)).join("\n");
    let range = format!("{least} to {most}");
    for n in [least, most] {
        assert!(!told(n).contains(&range), "{with}: {n} is refused: {}", told(n));
    }
    for n in [least - 1, most + 1] {
        assert!(told(n).contains(&range), "{with}: {n} is let pass: {}", told(n));
    }
}

#[test]
fn numbers_keep_to_their_ranges() {
    ranges("turns = 5", "turns = {n}", 1, 30);
    ranges("mp = 5\nhex = \"0406\"", "mp = {n}\nhex = \"0406\"", 0, 9);
    ranges("strength = 1\n", "strength = {n}\n", 0, 20);
    ranges("morale = 0\n", "morale = {n}\n", -5, 5);
    for (key, most) in [
        ("fire", 20),
        ("shy_until", 99),
        ("road_bound_until", 99),
        ("captured_vp", 20),
        ("bonus_vp", 20),
        ("free", 99),
    ] {
        ranges("mp = 4\nhex = \"0506\"", &format!("mp = 4\nhex = \"0506\"\n{key} = {{n}}"), 0, most);
    }
    for key in ["north", "south", "west"] {
        let leash = format!("mp = 4\nleash = {{ until = 2, {key} = {{n}} }}\nhex = \"0506\"");
        ranges("mp = 4\nhex = \"0506\"", &leash, 1, 99);
    }
    ranges("seniority = 2", "seniority = {n}", 1, 99);
    for (key, least, most) in
        [("close_combat", -5, 5), ("leadership", -5, 5), ("mp", 0, 9), ("bonus_vp", 0, 20)]
    {
        ranges("seniority = 2", &format!("seniority = 2\n{key} = {{n}}"), least, most);
    }
    ranges("home = \"south\"", "home = \"south\"\nmorale = {n}", 1, 40);
    ranges("home = \"south\"", "home = \"south\"\nchits = {n}", 0, 5);
    ranges("vp = [2, 1]", "vp = [{n}, 1]", 0, 30);
    ranges("crown = 2,", "crown = {n},", 1, 99);
    for key in ["lead", "enemy_lost", "own_lost"] {
        ranges("lead = 5", &format!("{key} = {{n}}"), 0, 99);
    }
}

#[test]
fn numbers_of_special_rules_keep_to_their_ranges() {
    let anchor = "side = \"crown\", units = [\"foot\"], hex = \"0404\"";
    for (line, least, most) in [
        ("home_check = {n}", -9, 9),
        ("fence = {n}", -9, 9),
        ("dusk_fire = {n}", -9, 9),
        ("check = {n}", -9, 9),
        ("shelter = {n}", 0, 20),
        ("chit_buys_morale = {n}", 0, 9),
        (&format!("anchor = {{ {anchor}, within = 2, sp = {{n}} }}"), 0, 99),
        (&format!("anchor = {{ {anchor}, within = {{n}}, sp = 3 }}"), 0, 20),
        (&format!("anchor = {{ {anchor}, within = 2, sp = 3, from = {{n}} }}"), 1, 30),
        ("exit = { side = \"crown\", hexes = [\"0404\"], army = [\"foot\"], from = {n} }", 1, 30),
        ("grape = { gun = \"guns\", within = {n} }", 1, 9),
        ("hasten = { leader = \"howe\", turns = [3], price = {n} }", 0, 9),
        ("hasten = { leader = \"howe\", turns = [{n}] }", 2, 30),
        ("alarm = [{ side = \"crown\", of = [\"0404\"], within = {n} }]", 0, 20),
        ("brigade = [{ leader = \"howe\", units = [\"foot\"], check = {n} }]", -9, 9),
        ("call = { leader = \"howe\", rally = {n} }", -9, 9),
    ] {
        ranges("lead = 5 }]\n", &format!("lead = 5 }}]\n[special]\n{line}\n"), least, most);
    }
    ranges("lead = 5 }]\n", "lead = 5 }]\n[charts]\nartillery_range = {n}\n", 1, 6);
    for key in ["leader", "army_commander"] {
        let line = format!("lead = 5 }}]\n[charts.victory_points]\n{key} = {{n}}\n");
        ranges("lead = 5 }]\n", &line, 0, 20);
    }
}

#[test]
fn what_a_table_does_not_know_is_refused() {
    let special =
        |line: &str| SOUND.replacen("lead = 5 }]\n", &format!("lead = 5 }}]\n[special]\n{line}\n"), 1);
    let texts = [
        SOUND.replacen("turns = 5", "turns = 5\nnonsense = 1", 1),
        SOUND.replacen("cols = 8", "cols = 8\nnonsense = 1", 1),
        SOUND.replacen("home = \"south\"", "home = \"south\"\nnonsense = 1", 1),
        SOUND.replacen("hex = \"0506\"", "hex = \"0506\"\nnonsense = 1", 1),
        SOUND.replacen("hex = \"0506\"", "enters = { turn = 1, hex = \"0506\", nonsense = 1 }", 1),
        SOUND.replacen("mp = 4\nhex", "leash = { until = 2, nonsense = 1 }\nmp = 4\nhex", 1),
        SOUND.replacen("seniority = 2", "seniority = 2\nnonsense = 1", 1),
        SOUND.replacen("vp = [2, 1]", "vp = [2, 1]\nnonsense = 1", 1),
        SOUND.replacen("marginal = {", "nonsense = 1\nmarginal = {", 1),
        SOUND.replacen("lead = 5 }", "lead = 5, nonsense = 1 }", 1),
        SOUND.replacen("lead = 5 }]\n", "lead = 5 }]\n[options]\nnonsense = true\n", 1),
        SOUND.replacen("lead = 5 }]\n", "lead = 5 }]\n[charts]\nnonsense = 1\n", 1),
        special("nonsense = 1"),
        special(
            "anchor = { side = \"crown\", units = [\"foot\"], hex = \"0404\", within = 2, sp = 3, nonsense = 1 }",
        ),
        special("exit = { side = \"crown\", hexes = [\"0404\"], army = [\"foot\"], nonsense = 1 }"),
        special("grape = { gun = \"guns\", nonsense = 1 }"),
        special("hasten = { leader = \"howe\", turns = [3], nonsense = 1 }"),
        special("alarm = [{ side = \"crown\", of = [\"0404\"], within = 1, nonsense = 1 }]"),
        special("brigade = [{ leader = \"howe\", units = [\"foot\"], check = 1, nonsense = 1 }]"),
        special("call = { leader = \"howe\", rally = 1, nonsense = 1 }"),
    ];
    for text in texts {
        let told = faults(&text);
        let line = text.lines().find(|line| line.contains("nonsense"));
        assert!(told.iter().any(|fault| fault.contains("nonsense")), "{line:?}: {told:?}");
    }
}

#[test]
fn a_scenario_keeps_within_what_there_is() {
    let both = SOUND.replacen("home = \"south\"", "home = \"south\"\nchits = 3", 1).replacen(
        "home = \"north\"",
        "home = \"north\"\nchits = 3",
        1,
    );
    assert!(faults(&both).iter().any(|f| f.contains("more momentum chits are held than there are")));
    assert_eq!(faults(&both.replacen("chits = 3", "chits = 2", 1)), Vec::<String>::new());
    refused(
        "rows = 8",
        "rows = 8\nterrain = { swamp = [\"0506\"] }",
        "`guns` stands where swamp is prohibited to it",
    );
    refused(
        "hex = \"0506\"",
        "hex = \"0406\"\n[[unit]]\nid = \"more\"\nside = \"crown\"\narm = \"artillery\"\nstrength = 1\nmorale = 0\nmp = 4\nhex = \"0406\"",
        "at most 6 SP and 1 artillery unit",
    );
}
