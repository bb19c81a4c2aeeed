//! Broken scenarios and positions: each is refused with a message that helps.

use battle_hymn::BattleHymn;
use game::{Files, Options};
use suite::Shelf;

const SOUND: &str = r#"
system = "battle-hymn"
title = "Sound"
areas = { A = ["0101"] }
hours = { first = 1, last = 3, night = [3], initiative = { "1" = "usa" } }
objective = [{ hex = "0303", points = 10 }]
unit = [
  { id = "weed", side = "usa", sp = 4, formation = "ayres", at = "0205" },
  { id = "gamble", side = "usa", type = "cavalry", sp = 4, formation = "buford", at = "2A" },
  { id = "davis", side = "csa", sp = 6, at = "0302" },
]

[map]
cols = 5
rows = 6
terrain = { woods = ["0404"] }
sides = { stream = ["0303/0304"] }

[victory]
draw_within = 10
"#;

fn faults(source: &str) -> Vec<String> {
    suite::faults::<BattleHymn>(source)
}

#[track_caller]
fn refused(part: &str, broken: &str, message: &str) {
    suite::refused::<BattleHymn>(SOUND, part, broken, message);
}

#[test]
fn every_scenario_that_ships_is_sound() {
    suite::shipped_are_sound::<BattleHymn>("battle-hymn");
}

#[test]
fn the_sound_one_is_sound() {
    assert_eq!(faults(SOUND), Vec::<String>::new());
}

#[test]
fn broken_scenarios_say_what_is_wrong() {
    refused("sp = 4, formation = \"ayres\"", "formation = \"ayres\"", "`sp` is missing");
    refused("sp = 6", "sp = 60", "`sp` is 60; 1 to 40");
    refused("at = \"0302\"", "at = \"0902\"", "there is no hex 0902");
    refused("at = \"0302\"", "at = \"0205\"", "`weed` stands there already; one unit a hex (3.7.c)");
    refused("at = \"2A\"", "at = \"2B\"", "`2B` is no set-up");
    refused("at = \"2A\"", "at = \"9A\"", "`9A` is no set-up");
    refused("id = \"davis\"", "id = \"weed\"", "there are two units `weed`");
    refused("id = \"davis\"", "id = \"Davis\"", "`Davis` is no id; small letters, figures and hyphens");
    refused("side = \"csa\"", "side = \"cas\"", "`cas` is not known here; one of usa, csa");
    refused("type = \"cavalry\"", "type = \"horse\"", "`horse` is not known here; one of infantry, cavalry");
    refused("formation = \"buford\"", "formation = \"davis\"", "Formation `davis` belongs to the other side");
    refused("last = 3", "last = 0", "Hour 1 is after Hour 0");
    refused("\"1\" = \"usa\"", "\"1\" = \"nobody\"", "`nobody` is not known here; one of usa, csa, none");
    refused("hex = \"0303\"", "hex = \"0707\"", "there is no hex 0707");
    refused(
        "woods = [\"0404\"]",
        "jungle = [\"0404\"]",
        "`jungle` is no hex terrain; one of clear, marsh, town, woods",
    );
    refused("stream = ", "brook = ", "`brook` is no hexside terrain; one of stream, creek");
    refused("0303/0304", "0303/0505", "0303 and 0505 do not touch");
    refused("draw_within = 10", "draw_within = 200", "`draw_within` is 200; 0 to 100");
    refused("cols = 5", "colums = 5", "`cols` is missing");
    refused("title = \"Sound\"", "titel = \"Sound\"", "unknown key `titel`");
    refused("cols = 5\nrows = 6", "survey = \"atlantis\"", "there is no survey `atlantis`");
    refused("[map]", "[map", "");
}

#[test]
fn hours_are_hours_that_are_played() {
    refused("night = [3]", "pause = [1, 3]", "no Hour is played; a pause that leaves an Hour");
    refused("night = [3]", "pause = [3, 2]", "Hour 3 is after Hour 2");
    refused("night = [3]", "pause = [2]", "a pause is two Hours");
    refused("night = [3]", "night = [99]", "`night` is 99; 1 to 3");
    refused("night = [3]", "check = [4]", "`check` is 4; 1 to 3");
    refused("\"1\" = \"usa\"", "\"99\" = \"usa\"", "Hour 99 is not played; 1 to 3");
}

#[test]
fn empty_and_unknown_rows_are_refused() {
    let with = |row: &str| format!("[victory]\ndraw_within = 10\n{row}\n");
    let last = "[victory]\ndraw_within = 10\n";
    let row = |row: &str, message: &str| refused(last, &with(row), message);
    row("[[fatigue]]\nside = \"csa\"\nfrom = 2\ntypes = [\"camel\"]", "`camel` is not known here");
    row("[[sudden]]\nat = 2\nside = \"csa\"\nhexes = []\nholds = 1", "no hex is listed");
    row(
        "[[sudden]]\nat = 2\nside = \"csa\"\nhexes = [\"0303\"]\nholds = 0",
        "`holds` does not fit the number of hexes, 1; 1 to 1",
    );
    row(
        "[[sudden]]\nat = 2\nside = \"csa\"\nhexes = [\"0303\"]\nholds = 9",
        "`holds` does not fit the number of hexes, 1; 1 to 1",
    );
    row(
        "[[exit]]\nside = \"csa\"\nhexes = [\"0101\"]\nrule = \"pea-ridge.z\"",
        "there is no rule `pea-ridge.z`",
    );
    let mishap = "[[mishap]]\nformation = \"davis\"\nhours = [2]\nat_most = 1\n";
    row(&mishap.repeat(9), "there are 9 mishaps; at most 8");
    row("[[condition]]", "`units` is missing");
    row("[[condition]]\nside = \"csa\"\nhours = [2]\nunits = []", "`units` is empty");
    row("[[formation]]\nside = \"csa\"\nid = \"heth\"", "no unit belongs to it; the `formation` of a unit");
    refused("id = \"davis\"", "id = \"0505\"", "`0505` would be read as a hex");
    refused("formation = \"ayres\"", "formation = \"Ayres Brigade\"", "`Ayres Brigade` is no id");
    refused("side = \"csa\"", "side = \"usa\"", "`csa` has no unit");
}

/// No table takes a key it does not know.
#[test]
fn unknown_keys_are_refused_everywhere() {
    let unknown = |part: &str, broken: &str| refused(part, broken, "unknown key `colour`");
    unknown("last = 3", "last = 3, colour = 1");
    unknown("points = 10", "points = 10, colour = 1");
    unknown("sp = 6", "sp = 6, colour = 1");
    unknown("sp = 6", "sp = 6, held = { until = 2, colour = 1 }");
    unknown("cols = 5", "cols = 5\ncolour = 1");
    unknown("draw_within = 10", "draw_within = 10\ncolour = 1");
    for row in [
        "[[side]]\nid = \"usa\"\ncolour = 1\n[[side]]\nid = \"csa\"",
        "[[formation]]\nid = \"ayres\"\nside = \"usa\"\ncolour = 1",
        "[[exit]]\nside = \"csa\"\nhexes = [\"0101\"]\ncolour = 1",
        "[[exit]]\nside = \"csa\"\nhexes = [\"0101\"]\nback = { area = \"A\", after = 1, colour = 1 }",
        "[[sudden]]\nat = 2\nside = \"csa\"\nhexes = [\"0303\"]\nholds = 1\ncolour = 1",
        "[[award]]\nhex = \"0303\"\npoints = 1\nhours = [2]\ncolour = 1",
        "[[condition]]\nside = \"csa\"\nhours = [2]\nunits = [\"davis\"]\ncolour = 1",
        "[[mishap]]\nformation = \"davis\"\nhours = [2]\nat_most = 1\ncolour = 1",
        "[[fatigue]]\nside = \"csa\"\nfrom = 2\nmr = -1\ncolour = 1",
        "[charts.hex.clear]\ncolour = 1",
        "[charts.hex.clear]\ncost = { infantry = 2, colour = 1 }",
        "[charts.side.road]\ncolour = 1",
        "[charts.situation]\ncolour = 1",
        "[charts.range]\ncolour = 1",
        "[charts.rally]\ncolour = 1",
        "[charts.allowance]\ncolour = 1",
        "[charts.points]\ncolour = 1",
        "[charts]\ncolour = 1",
    ] {
        unknown("[victory]\ndraw_within = 10\n", &format!("[victory]\ndraw_within = 10\n{row}\n"));
    }
    impossible("unit.weed = { colour = 1 }", "colour", "unknown key `colour`");
    let retreat = "turn = \"combat usa\"\nstep = \"end\"\nretreat = { unit = \"weed\", colour = 1 }";
    impossible(retreat, "colour", "unknown key `colour`");
}

/// What is missing is one fault, not two.
#[test]
fn a_missing_key_is_one_fault() {
    let last = "[victory]\ndraw_within = 10\n";
    for row in [
        "[[mishap]]\nhours = [2]\nat_most = 1",
        "[[award]]\npoints = 1\nhours = [2]",
        "[[sudden]]\nside = \"csa\"\nhexes = [\"0303\"]\nholds = 1",
        "[[condition]]\nside = \"csa\"\nhours = [2]",
    ] {
        let broken = SOUND.replace(last, &format!("{last}{row}\n"));
        assert_eq!(faults(&broken).len(), 1, "{row}: {:#?}", faults(&broken));
    }
}

#[test]
fn every_fault_is_reported_at_once() {
    let broken = SOUND
        .replace("sp = 6", "sp = 60")
        .replace("side = \"usa\", sp", "side = \"us\", sp")
        .replace("rows = 6", "rows = 6\ncolour = 1");
    assert_eq!(faults(&broken).len(), 3, "{:#?}", faults(&broken));
}

#[test]
fn house_rules_are_known_or_refused() {
    let options = Options::from([("at_whim".to_owned(), true)]);
    let error = BattleHymn::compile(SOUND, &Shelf, &options).expect_err("there is no such rule");
    assert!(error.to_string().contains("there is no option `at_whim`"), "{error}");
}

/// A field on which positions are tried: guns, horse, a marsh, works, a river, a reinforcement.
const FIELD: &str = r#"
title = "Field"
areas = { A = ["0101"] }
hours = { first = 1, last = 4, night = [3], initiative = { "1" = "usa" } }
objective = [{ hex = "0303", points = 10 }]
unit = [
  { id = "weed", side = "usa", sp = 4, formation = "ayres", at = "0205" },
  { id = "calef", side = "usa", type = "artillery", sp = 2, formation = "ayres", at = "0105" },
  { id = "gamble", side = "usa", type = "cavalry", sp = 4, formation = "buford", at = "0207" },
  { id = "late", side = "usa", sp = 4, formation = "slocum", at = "4A" },
  { id = "davis", side = "csa", sp = 6, at = "0302" },
  { id = "stuart", side = "csa", type = "cavalry", sp = 3, at = "0701" },
]

[map]
cols = 7
rows = 8
off = ["0602"]
terrain = { marsh = ["0404", "0405"] }
levels = { "1" = ["0506"] }
sides = { road = ["0405/0406"], escarpment = ["0506/0507"] }
"#;

/// The position has exactly this fault, on this line.
#[track_caller]
fn impossible(position: &str, at: &str, message: &str) {
    let battle = BattleHymn::compile(FIELD, &Shelf, &Options::new()).expect("sound");
    let Err(faults) = BattleHymn::position(&battle, position) else { panic!("`{position}` is read") };
    let said = faults.report("test", position);
    assert!(said.contains(message), "expected `{message}` for `{position}`, found\n{said}");
    assert_eq!(faults.0.len(), 1, "{said}");
    let span = faults.0[0].span.clone();
    assert!(position[span.clone()].contains(at), "the fault lies at {:?}, not at {at:?}", &position[span]);
}

#[track_caller]
fn possible(position: &str) {
    let battle = BattleHymn::compile(FIELD, &Shelf, &Options::new()).expect("sound");
    if let Err(faults) = BattleHymn::position(&battle, position) {
        panic!("\n{}", faults.report("test", position));
    }
}

#[test]
fn broken_positions_say_what_is_wrong() {
    impossible("hour = 9", "9", "Hour 9 is not played");
    impossible("turn = \"move heth\"", "move heth", "there is no marker `move heth`");
    impossible("unit.hood = { hex = \"0101\" }", "hex", "there is no unit `hood`");
    impossible("control = { \"0101\" = \"usa\" }", "usa", "0101 is no Objective");
    impossible("weather = \"fine\"", "weather", "unknown key `weather`");
}

#[test]
fn units_stand_on_the_map_and_alone() {
    possible("unit.weed = { hex = \"0101\" }");
    impossible("unit.weed = { hex = \"0901\" }", "0901", "there is no hex 0901");
    impossible("unit.weed = { hex = \"0602\" }", "0602", "hex 0602 is not on the map");
    impossible("unit.late = { hex = \"0602\" }", "0602", "hex 0602 is not on the map");
    impossible("unit.weed = { hex = \"0302\" }", "0302", "`davis` stands there already");
    impossible("unit.weed = { hex = \"0105\" }", "0105", "`calef` stands there already");
    impossible(
        "unit.weed = { hex = \"0101\" }\nunit.davis = { hex = \"0101\" }",
        "0101",
        "`davis` stands there already",
    );
    // They may change places.
    possible("unit.weed = { hex = \"0105\" }\nunit.calef = { hex = \"0205\" }");
    // Marsh is open to infantry, and by road to guns and horse.
    possible("unit.weed = { hex = \"0404\" }");
    possible("unit.calef = { hex = \"0405\" }");
    impossible("unit.calef = { hex = \"0404\" }", "0404", "marsh is closed to artillery");
    impossible("unit.gamble = { hex = \"0404\" }", "0404", "marsh is closed to cavalry");
    impossible("unit.weed = { hex = \"0101\", box = \"exited\" }", "exited", "it is in a hex and in a box");
    impossible("unit.weed = { box = \"due\" }", "due", "it is no reinforcement");
    possible("unit.late = { box = \"due\" }");
}

#[test]
fn strength_follows_from_losses() {
    possible("unit.weed = { lost = 3 }");
    impossible("unit.weed = { lost = 4 }", "4", "a unit on the map has an intact SP");
    impossible("unit.weed = { lost = 5 }", "lost", "it has lost more than it had");
    possible("unit.weed = { lost = 1, demoralised = 2 }");
    impossible("unit.weed = { lost = 1, demoralised = 3 }", "3", "a unit on the map has an intact SP");
    impossible("unit.weed = { demoralised = 5 }", "5", "more SPs are demoralised than it has");
    possible("unit.weed = { box = \"shattered\", lost = 3 }");
    impossible("unit.weed = { box = \"shattered\", lost = 4 }", "4", "no SP is left to it");
    impossible(
        "unit.weed = { box = \"shattered\", demoralised = 2 }",
        "2",
        "all SPs of a Shattered unit are demoralised",
    );
    possible("unit.weed = { box = \"rallied\", demoralised = 3 }");
    let rallied = "a rallied unit has intact and demoralised SPs";
    impossible("unit.weed = { box = \"rallied\" }", "box", rallied);
    impossible("unit.weed = { box = \"rallied\", demoralised = 4 }", "4", rallied);
}

#[test]
fn horses_are_where_they_can_be() {
    let foot = |rest: &str| format!("unit.gamble = {{ dismounted = true, {rest} }}");
    possible(&foot("horses = \"0208\""));
    possible(&foot("horses = \"0208\", holders = 1"));
    possible(&foot("horses = \"0208\", holders = 1, lost = 2"));
    possible(&foot("horses = \"lost\", lost = 2"));
    impossible("unit.gamble = { dismounted = true }", "dismounted", "its horses are nowhere");
    impossible("unit.weed = { dismounted = true, horses = \"0208\" }", "true", "only cavalry dismounts");
    impossible("unit.gamble = { horses = \"0208\" }", "0208", "it is not dismounted");
    impossible(&foot("horses = \"0208\", holders = 0"), "0", "0 SP cannot hold its horses");
    impossible(&foot("horses = \"0208\", holders = 2"), "2", "2 SP cannot hold its horses");
    impossible(&foot("horses = \"lost\", holders = 1"), "1", "the holders were lost with the horses");
    impossible(&foot("horses = \"0602\""), "0602", "hex 0602 is not on the map");
    impossible(&foot("horses = \"0303\""), "0303", "the enemy would have taken them there");
    impossible(&foot("horses = \"0302\""), "0302", "the enemy would have taken them there");
    impossible(&foot("horses = \"0404\""), "0404", "cavalry cannot enter that hex");
    impossible(
        &foot("box = \"shattered\", horses = \"0208\""),
        "true",
        "a unit off the map has no horses out",
    );
}

#[test]
fn markers_are_those_of_the_hour() {
    possible("cup = [\"move ayres\", \"combat csa\"]");
    impossible("cup = [\"move slocum\"]", "move slocum", "no unit of this Formation has come yet");
    possible("hour = 4\ncup = [\"move slocum\"]");
    impossible("turn = \"move slocum\"", "move slocum", "no unit of this Formation has come yet");
    impossible("cup = [\"combat usa\"]", "combat usa", "the Initiative side holds its Combat marker");
    impossible("cup = [\"move ayres\", \"move ayres\"]", "move ayres", "this marker is named twice");
    impossible("turn = \"move ayres\"\ncup = [\"move ayres\"]", "move ayres", "this marker has been drawn");
    impossible("hour = 3\ncup = [\"combat csa\"]", "combat csa", "there is no combat at night");
    impossible("hour = 3\nturn = \"combat csa\"", "combat csa", "there is no combat at night");
    impossible("hour = 3\ninitiative = \"usa\"", "usa", "nobody has the Initiative at night");
    impossible("held = \"combat csa\"", "combat csa", "only the Initiative side holds its Combat marker");
    impossible("held = \"move ayres\"", "move ayres", "only the Initiative side holds its Combat marker");
    impossible(
        "control = { \"0303\" = \"usa\" }\nunit.davis = { hex = \"0303\" }",
        "usa",
        "a unit of csa stands on 0303 and controls it",
    );
}

#[test]
fn moves_belong_to_a_movement_turn() {
    possible("turn = \"move ayres\"\nunit.weed = { moved = true }");
    impossible(
        "unit.weed = { moved = true }",
        "true",
        "`moved` belongs to the Movement Turn of its Formation",
    );
    impossible(
        "turn = \"move buford\"\nunit.weed = { mp = 2 }",
        "2",
        "`mp` belongs to the Movement Turn of its Formation",
    );
    possible("turn = \"move ayres\"\nunit.weed = { mp = 8 }");
    impossible("turn = \"move ayres\"\nunit.weed = { mp = 9 }", "9", "`mp` is 9");
    impossible(
        "turn = \"move ayres\"\nunit.weed = { mp = 2 }\nunit.calef = { mp = 2 }",
        "2",
        "another unit's move is under way",
    );
    impossible("turn = \"move ayres\"\nunit.weed = { mp = 2, moved = true }", "2", "its move is over");
    // On its way in it may stand on a friend for a moment.
    possible("turn = \"move ayres\"\nunit.weed = { hex = \"0105\", mp = 2 }");
    impossible("entered = { \"0101\" = 1 }", "1", "`entered` belongs to a Movement Turn");
    impossible(
        "turn = \"move ayres\"\nentered = { \"0404\" = 1 }",
        "1",
        "0404 is not at the edge of the map",
    );
    impossible("turn = \"move ayres\"\nentered = { \"9999\" = 1 }", "1", "there is no hex 9999");
}

#[test]
fn approach_fire_comes_from_a_zone() {
    let at = "unit.weed = { hex = \"0303\" }\n";
    possible(&format!("approach = [\"davis>weed\"]\n{at}"));
    impossible("approach = [\"weed>davis\"]", "weed>davis", "firer and target do not touch");
    impossible("approach = [\"weed>calef\"]", "weed>calef", "firer and target are on the same side");
    impossible("approach = [\"weed\"]", "weed", "`weed` names no two units");
    impossible(
        &format!("hour = 3\napproach = [\"davis>weed\"]\n{at}"),
        "davis>weed",
        "there is no approach fire at night",
    );
    let cliff = "unit.weed = { hex = \"0506\" }\nunit.davis = { hex = \"0507\" }";
    possible(&format!("approach = [\"weed>davis\"]\n{cliff}"));
    impossible(
        &format!("approach = [\"davis>weed\"]\n{cliff}"),
        "davis>weed",
        "the target is not in the firer's zone of control",
    );
}

#[test]
fn combat_turns_hang_together() {
    let facing = "unit.weed = { hex = \"0303\" }\n";
    let turn = |rest: &str| format!("turn = \"combat usa\"\n{rest}\n{facing}");
    impossible("step = \"engage\"", "engage", "`step` belongs to a Combat Turn");
    impossible(&turn("hits = { weed = 1 }"), "weed", "`hits` does not belong to this step");
    impossible(&turn("options = [\"weed>davis\"]"), "weed", "`options` does not belong to this step");
    impossible(&turn("step = \"engage\"\nround = 1"), "1", "`round` does not belong to this step");
    impossible(&turn("step = \"round 1\""), "", "no engagement is under way");
    impossible(&turn("step = \"round 1\"\nengagement = [\"weed\"]"), "weed", "no engagement is under way");
    possible(&turn("step = \"round 1\"\nengagement = [\"weed\", \"davis\"]"));
    possible(&turn("bombarded = [\"calef\"]"));
    impossible(&turn("bombarded = [\"weed\"]"), "weed", "`weed` cannot be among `bombarded`");
    impossible(&turn("advanced = [\"davis\"]"), "davis", "`davis` cannot be among `advanced`");
    possible(&turn("tried = [\"stuart\"]"));
    impossible(&turn("tried = [\"gamble\"]"), "gamble", "`gamble` cannot be among `tried`");
    let checks = |rest: &str| turn(&format!("step = \"checks\"\nengagement = [\"weed\", \"davis\"]\n{rest}"));
    possible(&checks("fired = [\"davis>weed\"]\nhits = { weed = 1 }"));
    impossible(&checks("hits = { weed = 1 }"), "1", "nobody fired at `weed`");
    impossible(&checks("fired = [\"davis>calef\"]"), "davis>calef", "firer and target do not touch");
    impossible(&checks("fired = [\"weed>calef\"]"), "weed>calef", "on the same side");
    impossible(&checks("vacated = [\"0302\"]"), "0302", "a unit stands in 0302");
    let cliff = "turn = \"combat usa\"\nstep = \"round 1\"\nengagement = [\"weed\", \"davis\"]\n\
                 unit.weed = { hex = \"0506\" }\nunit.davis = { hex = \"0507\" }\n";
    possible(&format!("options = [\"weed>davis\"]\n{cliff}"));
    impossible(
        &turn("step = \"round 1\"\nengagement = [\"weed\", \"davis\"]\noptions = [\"weed>davis\"]"),
        "weed>davis",
        "it stands in that defender's zone of control",
    );
}

#[test]
fn retreats_have_a_path() {
    let retreat = |rest: &str| {
        format!(
            "turn = \"combat usa\"\nstep = \"end\"\nretreat = {{ {rest} }}\nunit.weed = {{ hex = \"0303\" }}\n"
        )
    };
    possible(&retreat("unit = \"weed\", causes = [\"0302\"]"));
    impossible(&retreat("unit = \"late\""), "late", "it is not on the map");
    impossible(&retreat("unit = \"weed\", causes = [\"0505\"]"), "unit", "a cause is not next to the start");
    possible(&retreat("unit = \"weed\", path = [\"0203\", \"0303\"]"));
    let path = "the path does not lead to the unit's hex";
    impossible(&retreat("unit = \"weed\", path = [\"0205\", \"0303\"]"), "0205", path);
    impossible(&retreat("unit = \"weed\", path = [\"0303\", \"0204\"]"), "0204", path);
}
