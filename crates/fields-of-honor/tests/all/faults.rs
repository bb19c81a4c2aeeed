//! Broken scenarios: each is refused at its place with a message that helps.

use fields_of_honor::FieldsOfHonor;

const SOUND: &str = include_str!("../../../../scenarios/fields-of-honor/drill-ground.toml");

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

/// A sound position: two units at blows, a third elsewhere, a leader with one of them.
const POSITION: &str = r#"
system = "fields-of-honor"
title = "A position"
[options]
orders = false
forts = true
[battle]
scale = "battalion"
table = [60, 40]
turns = 12
[[side]]
id = "a"
[[side]]
id = "b"
[[terrain]]
name = "the barn"
kind = "building"
area = [[40, 10], [46, 10], [46, 16], [40, 16]]
[[terrain]]
kind = "wall"
line = [[5, 30], [15, 30]]
[[leader]]
id = "sub"
side = "a"
at = [20, 4]
[[leader]]
id = "chief"
side = "a"
overall = true
at = [30, 4]
[[unit]]
id = "p"
side = "a"
stands = 6
at = [20, 10]
leader = "sub"
[[unit]]
id = "r"
side = "a"
stands = 4
at = [30, 10]
[[unit]]
id = "g"
side = "a"
arm = "artillery"
weapon = "6 pdr rifled"
stands = 2
at = [50, 5]
[[unit]]
id = "q"
side = "b"
stands = 6
at = [20, 30]
facing = 180
[position]
turn = 3
phase = "morale"
unit.p = { at = [20, 20], lost = 4, fresh = 2 }
unit.q = { at = [20, 20], state = "suppressed" }
unit.r = { state = "shaken", formation = "mob", marks = ["moved"] }
leader.sub = { attached = "p" }
[[position.melee]]
attacker = "p"
defender = "q"
rounds = 1
[[position.breach]]
wall = 1
along = 4
"#;

fn position_faults(source: &str) -> Vec<String> {
    use game::{Files, Options};
    let battle = FieldsOfHonor::compile(source, &suite::Shelf, &Options::default()).expect("a battle");
    match FieldsOfHonor::position(&battle, source) {
        Ok(state) => {
            assert_eq!(fields_of_honor::invariant(&battle, &state), Ok(()), "the reader let it pass");
            Vec::new()
        }
        Err(faults) => faults.0.iter().map(|f| format!("{}; {}", f.message, f.expected)).collect(),
    }
}

#[track_caller]
fn impossible(part: &str, broken: &str, message: &str) {
    assert_eq!(POSITION.matches(part).count(), 1, "`{part}` in the sound position");
    let found = position_faults(&POSITION.replace(part, broken));
    assert!(found.iter().any(|f| f.contains(message)), "`{message}` not in {found:#?}");
}

#[test]
fn the_sound_position_is_sound() {
    assert_eq!(position_faults(POSITION), Vec::<String>::new());
}

#[test]
fn a_position_keeps_to_the_table_and_the_calendar() {
    impossible("turn = 3", "turn = 13", "1 to 12");
    impossible("unit.r = {", "unit.r = { at = [60.001, 10],", "off the table; 0 to 60 across and 0 to 40 up");
    impossible("unit.r = {", "unit.r = { at = [0.5, 10],", "`r` stands partly off the table");
    impossible("leader.sub = { attached = \"p\" }", "leader.sub = { at = [20, -1] }", "off the table");
}

#[test]
fn nobody_stands_on_anybody_or_in_closed_ground() {
    impossible("unit.r = {", "unit.r = { at = [22, 19.5],", "`r` stands on `p`");
    impossible("phase = \"morale\"", "phase = \"morale\"\nunit.g = { at = [43, 13] }", "stands in the barn");
}

#[test]
fn hits_and_states_fit_the_unit() {
    impossible(
        "lost = 4, fresh = 2",
        "lost = 16, fresh = 2",
        "with 18 hits `p` has no stand left; 17 in all",
    );
    impossible("lost = 4, fresh = 2", "lost = 19", "0 to 18");
    impossible("lost = 4, fresh = 2", "fresh = 20", "0 to 18");
    impossible(
        "state = \"shaken\", formation = \"mob\"",
        "state = \"shaken\"",
        "`r` is shaken and not a mob",
    );
    impossible(
        "state = \"shaken\", formation = \"mob\"",
        "state = \"routed\"",
        "`r` is routed and not a mob",
    );
    impossible(
        "formation = \"mob\", marks",
        "formation = \"limbered\", marks",
        "infantry has no such formation",
    );
    impossible("state = \"shaken\", formation = \"mob\"", "files = 1", "cannot be 1 stands wide");
    impossible("state = \"shaken\", formation = \"mob\"", "files = 5", "1 to 4");
    impossible(
        "state = \"shaken\", formation = \"mob\"",
        "formation = \"attack\", files = 3",
        "cannot be 3 stands",
    );
    impossible("marks = [\"moved\"]", "marks = [\"prone\"]", "nobody who is Shaken or Routed lies down");
    impossible("marks = [\"moved\"]", "marks = [\"spotted\"]", "go with `hidden`");
    impossible("marks = [\"moved\"]", "marks = [\"dismounted\"]", "only cavalry dismounts");
    impossible("marks = [\"moved\"]", "marks = [\"limbering\"]", "only guns are limbered");
    impossible("marks = [\"moved\"]", "marks = [\"box\"]", "only foot and guns form a box");
    impossible("marks = [\"moved\"]", "marks = [\"mowed\"]", "`mowed` is no mark");
    impossible("marks = [\"moved\"]", "enemy = \"nobody\"", "there is no unit `nobody`");
    impossible("marks = [\"moved\"]", "enemy = \"p\"", "this is a friend");
    impossible("marks = [\"moved\"]", "coming = true", "`r` does not arrive later");
}

#[test]
fn leaders_are_with_their_own() {
    impossible("attached = \"p\"", "attached = \"q\"", "no unit of his side");
    impossible("attached = \"p\"", "attached = \"p\", at = [1, 1]", "he is not where his unit is");
    impossible(
        "leader.sub = { attached = \"p\" }",
        "leader.chief = { attached = \"p\" }",
        "with his bodyguard",
    );
    impossible("attached = \"p\"", "attached = \"x\"", "there is no unit `x`");
}

#[test]
fn melees_and_breaches_are_where_they_can_be() {
    impossible(
        "unit.q = { at = [20, 20]",
        "unit.q = { at = [20, 20.2]",
        "`p` and `q` do not touch; places in contact; they are 0.2 in apart",
    );
    impossible("defender = \"q\"", "defender = \"r\"", "friends do not fight each other");
    impossible("rounds = 1", "rounds = 1\nface = \"left\"", "the attacker's front is against the front");
    impossible("rounds = 1", "rounds = 1\nladders = true", "ladders go up at a wall");
    impossible("rounds = 1", "rounds = 1\nwall = 7", "line 7 is no wall");
    impossible(
        "rounds = 1\n",
        "rounds = 1\n[[position.melee]]\nattacker = \"p\"\ndefender = \"q\"\n",
        "it attacks somebody already",
    );
    impossible("wall = 1\n", "wall = 3\n", "line 3 is no wall");
    impossible("along = 4\n", "along = 10.5\n", "the wall is not so long; 0 to 10");
    impossible("unit.q = {", "unit.q = { gone = true,", "one of them is not on the table");
}
