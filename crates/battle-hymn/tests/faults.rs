//! Broken scenarios and positions: each is refused with a message that helps.

use battle_hymn::BattleHymn;
use game::{Options, Words};
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
    row("[[condition]]", "`units` is missing");
    row("[[condition]]\nside = \"csa\"\nhours = [2]\nunits = []", "`units` is empty");
    row("[[formation]]\nside = \"csa\"\nid = \"heth\"", "no unit belongs to it; the `formation` of a unit");
    refused("id = \"davis\"", "id = \"0505\"", "`0505` would be read as a hex");
    refused("formation = \"ayres\"", "formation = \"Ayres Brigade\"", "`Ayres Brigade` is no id");
    refused("side = \"csa\"", "side = \"usa\"", "`csa` has no unit");
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
    assert!(error.to_string().contains("`at_whim` is no house rule"), "{error}");
}

#[test]
fn broken_positions_say_what_is_wrong() {
    let battle = BattleHymn::compile(SOUND, &Shelf, &Options::new()).expect("sound");
    let refused = |position: &str, message: &str| {
        let Err(faults) = BattleHymn::position(&battle, position) else { panic!("`{position}` is read") };
        assert!(
            faults.to_string().contains(message),
            "expected `{message}` for `{position}`, found {faults}"
        );
    };
    refused("hour = 9", "Hour 9 is not played");
    refused("turn = \"move heth\"", "there is no marker `move heth`");
    refused("unit.hood = { hex = \"0101\" }", "there is no unit `hood`");
    refused("unit.weed = { lost = 9 }", "it has lost more than it had");
    refused("unit.weed = { demoralised = 9 }", "more SPs are demoralised than it has");
    refused("unit.gamble = { hex = \"0101\", dismounted = true }", "its horses are nowhere");
    refused("control = { \"0101\" = \"usa\" }", "0101 is no Objective");
    refused("approach = [\"weed>davis\"]", "firer and target do not touch");
    refused("weather = \"fine\"", "unknown key `weather`");
}
