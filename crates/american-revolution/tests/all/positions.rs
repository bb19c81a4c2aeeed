//! Impossible positions are refused, each at its place, with what would be possible.

use american_revolution::{AmericanRevolution, Battle};
use game::{Facts, Files, Library, Options};

const SOUND: &str = r#"
[position]
turn = 2
phase = "close-combat"
phasing = "crown"
others = "gone"
morale = { crown = 12, american = 20 }
chits = { crown = 2, american = 3 }
pins = [["gren", "howe", "second"]]
unit.gren = "0409"
unit.foot = { hex = "0409", order = "disrupted" }
unit.guns = "0409"
unit.howe = "0409"
unit.horse = { hex = "0710", withdrawn = true }
unit.second = "0408"
unit.third = { hex = "0408", reduced = true }
unit.rifles = { hex = "0901", fired = true }
unit.fresh = { box = "to-come" }
"#;

fn drill() -> Battle {
    let text = suite::Shelf.scenario("american-revolution/drill").expect("it is there");
    AmericanRevolution::compile(&text, &suite::Shelf, &Options::new()).expect("it compiles")
}

fn faults(position: &str) -> String {
    AmericanRevolution::position(&drill(), position)
        .err()
        .map_or(String::new(), |f| f.to_string().replace(" (expected: ", "; "))
}

/// The sound position with a part of it changed is refused: at that line, in these words.
#[track_caller]
fn refused(part: &str, broken: &str, message: &str) {
    assert!(SOUND.contains(part), "`{part}` is not in the sound position");
    let text = SOUND.replace(part, broken);
    let told = faults(&text);
    assert!(told.contains(message), "`{broken}`: expected `{message}`, told: {told}");
}

#[test]
fn the_sound_one_is_sound() {
    assert_eq!(faults(SOUND), "");
}

#[test]
fn pieces_stand_where_they_may() {
    refused(
        "unit.second = \"0408\"",
        "unit.second = \"1601\"\nunit.line = \"1602\"",
        "water is prohibited to it",
    );
    refused(
        "unit.guns = \"0409\"",
        "unit.guns = \"1002\"",
        "`guns` stands in 1002: heavy forest is prohibited",
    );
    refused(
        "unit.rifles = { hex = \"0901\"",
        "unit.rifles = { hex = \"0409\"",
        "`rifles` stands in the hex of `gren`, an enemy",
    );
    refused(
        "unit.rifles = { hex",
        "unit.knox = \"0710\"\nunit.rifles = { hex",
        "`knox` stands in the hex of `horse`, an enemy",
    );
    refused(
        "unit.rifles = { hex",
        "unit.line = \"0409\"\nunit.rifles = { hex",
        "0409 is over the stacking limit; at most 6 SP",
    );
    refused(
        "unit.fresh = { box = \"to-come\" }",
        "unit.light = { box = \"to-come\" }",
        "`light` is no reinforcement",
    );
    refused("box = \"to-come\"", "hex = \"0712\", box = \"to-come\"", "it is both on the map and beside it");
}

/// A fault of one unit is told at its own line.
#[test]
fn faults_are_told_at_their_place() {
    let text = SOUND.replace("unit.guns = \"0409\"", "unit.guns = \"1002\"");
    let line = 1 + text.lines().position(|l| l.starts_with("unit.guns")).expect("it is there");
    let told =
        AmericanRevolution::position(&drill(), &text).expect_err("it is impossible").report("it", &text);
    assert!(told.starts_with(&format!("it:{line}:")), "{told}");
}

#[test]
fn six_points_fit_and_seven_do_not() {
    // Grenadiers and foot are six; a light company is one more.
    refused(
        "unit.rifles = { hex",
        "unit.light = \"0409\"\nunit.rifles = { hex",
        "0409 is over the stacking limit",
    );
    // The second regiment's three and the third's one leave room for two.
    assert_eq!(
        faults(&SOUND.replace("unit.rifles = { hex", "unit.mixed = \"0408\"\nunit.rifles = { hex")),
        ""
    );
    refused(
        "unit.rifles = { hex",
        "unit.first = \"0408\"\nunit.rifles = { hex",
        "0408 is over the stacking limit",
    );
}

#[test]
fn reinforcements_may_crowd_their_entry_hex_while_they_move() {
    let crowd = "[position]\nturn = 2\nothers = \"gone\"\nphasing = \"crown\"\nphase = \"PHASE\"\nunit.gren = \"0712\"\nunit.foot = \"0712\"\nunit.fresh = \"0712\"\n";
    assert_eq!(faults(&crowd.replace("PHASE", "movement")), "");
    assert!(faults(&crowd.replace("PHASE", "rally")).contains("0712 is over the stacking limit"));
    assert!(
        faults(&crowd.replace("PHASE", "movement").replace("0712", "0711"))
            .contains("over the stacking limit")
    );
}

#[test]
fn marks_belong_to_their_bearers_and_phases() {
    refused(
        "unit.gren = \"0409\"",
        "unit.gren = { hex = \"0409\", fired = true }",
        "only rifles have a first fire",
    );
    refused(
        "unit.gren = \"0409\"",
        "unit.gren = { hex = \"0409\", withdrawn = true }",
        "cannot have withdrawn before combat",
    );
    refused("unit.gren = \"0409\"", "unit.gren = { hex = \"0409\", volleyed = true }", "has no fence");
    refused(
        "unit.gren = \"0409\"",
        "unit.gren = { hex = \"0409\", moved = true }",
        "cannot be `moved` in this phase",
    );
    refused(
        "unit.gren = \"0409\"",
        "unit.gren = { hex = \"0409\", acted = true }",
        "cannot be `acted` in this phase",
    );
    refused(
        "unit.gren = \"0409\"",
        "unit.gren = { hex = \"0409\", targeted = true }",
        "cannot be `targeted` in this phase",
    );
    refused(
        "unit.howe = \"0409\"",
        "unit.howe = { hex = \"0409\", order = \"disrupted\" }",
        "is a leader: he is never disrupted",
    );
    refused(
        "unit.rifles = { hex = \"0901\"",
        "unit.rifles = { hex = \"0901\", reduced = true",
        "has one step and is reduced",
    );
    refused("box = \"to-come\"", "box = \"captured\", order = \"shattered\"", "`fresh` is not on the map");
}

#[test]
fn numbers_stay_on_their_tracks() {
    refused("turn = 2", "turn = 5", "turn 5 is after the last; 1 to 4");
    refused("american = 20", "american = 21", "army morale of `american` is 21; 1 to 20");
    refused("crown = 12", "crown = 0", "army morale of `crown` is 0; 1 to 20");
    refused(
        "chits = { crown = 2",
        "chits = { crown = 3",
        "6 momentum chits are held and there are 5; at most 5 in all",
    );
}

#[test]
fn pins_have_two_sides_that_touch() {
    let pins = "pins = [[\"gren\", \"howe\", \"second\"]]";
    refused(pins, "pins = [[\"gren\", \"howe\"]]", "units of one side alone are pinned");
    refused(pins, "pins = [[\"gren\", \"knox\"]]", "units of one side alone are pinned");
    refused(pins, "pins = [[\"gren\", \"second\", \"foot\"]]", "`foot` is not in Parade Order");
    refused(pins, "pins = [[\"gren\", \"second\", \"horse\"]]", "`horse` is next to no enemy of this pin");
    refused(pins, "pins = [[\"gren\", \"second\", \"line\"]]", "`line` is not on the map");
    let knox = "unit.knox = \"0508\"\nunit.guns";
    assert!(
        faults(&SOUND.replace(pins, "pins = [[\"gren\", \"second\", \"knox\"]]").replace("unit.guns", knox))
            .contains("`knox` is in none of the pinned hexes")
    );
    let two = "unit.line = \"0309\"\nunit.minute = \"0308\"\nunit.guns";
    let both = SOUND
        .replace(pins, "pins = [[\"gren\", \"line\", \"second\", \"minute\"]]")
        .replace("unit.guns", two);
    assert!(faults(&both).contains("several hexes are pinned against several"), "{}", faults(&both));
}

#[test]
fn attacks_could_have_been_announced() {
    let with = |attacks: &str| faults(&SOUND.replace("pins = [[\"gren\", \"howe\", \"second\"]]", attacks));
    assert_eq!(with("attacks = [{ by = [\"gren\"], at = [\"0408\"] }]"), "");
    assert!(
        with("attacks = [{ by = [\"foot\"], at = [\"0408\"] }]")
            .contains("`foot` cannot attack: it is disrupted")
    );
    assert!(with("attacks = [{ by = [\"guns\"], at = [\"0408\"] }]").contains("`guns` cannot attack"));
    assert!(
        with("attacks = [{ by = [\"horse\"], at = [\"0408\"] }]")
            .contains("cannot attack: it is under a withdrawal marker")
    );
    assert!(
        with("attacks = [{ by = [\"second\"], at = [\"0409\"] }]").contains("nobody is there to be attacked")
    );
    assert!(
        with("attacks = [{ by = [\"gren\"], at = [\"0901\"] }]")
            .contains("`gren` is not next to every hex it attacks")
    );
    assert!(
        with("attacks = [{ by = [\"gren\"], at = [\"0408\"] }, { by = [\"gren\"], at = [\"0408\"] }]")
            .contains("is in two close combats")
    );
    assert!(
        with("attacks = [{ by = [\"gren\"], at = [\"0410\"] }]").contains("nobody is there to be attacked")
    );
    assert!(with("diverted = \"0410\"").contains("nobody can be diverted there now"));
    let early = SOUND.replace("close-combat", "rifle").replace(
        "pins = [[\"gren\", \"howe\", \"second\"]]",
        "attacks = [{ by = [\"gren\"], at = [\"0408\"] }]",
    );
    assert!(faults(&early).contains("close combats are announced in their phase"));
}

#[test]
fn what_the_scenario_does_not_know_is_refused() {
    for (line, told) in [
        ("graped = true", "nothing in this scenario can be `graped`"),
        ("alarmed = true", "nothing in this scenario can be `alarmed`"),
        ("mended = true", "nothing in this scenario can be `mended`"),
        ("hastened = 4", "that release cannot be brought forward"),
    ] {
        refused("turn = 2", &format!("turn = 2\n{line}"), told);
    }
}

#[test]
fn what_a_position_does_not_know_is_refused() {
    for (part, with) in [
        ("turn = 2", "turn = 2\nnonsense = 1"),
        ("morale = { crown = 12", "morale = { nonsense = 1, crown = 12"),
        ("unit.horse = { hex", "unit.horse = { nonsense = 1, hex"),
        ("pins = [[\"gren\"", "pins = [[\"nonsense\", \"gren\""),
        ("unit.guns", "unit.nonsense = \"0101\"\nunit.guns"),
        (
            "pins = [[\"gren\", \"howe\", \"second\"]]",
            "attacks = [{ by = [\"gren\"], at = [\"0408\"], nonsense = 1 }]",
        ),
    ] {
        refused(part, with, "nonsense");
    }
}

/// A name that means nothing is refused with the part that is wrong.
#[test]
fn facts_name_what_is_unknown() {
    let battle = drill();
    let state = AmericanRevolution::position(&battle, SOUND).expect("it is sound");
    let told =
        |name: &str| AmericanRevolution::fact(&battle, &state, name).map_err(|unknown| unknown.to_string());
    for (name, part) in [
        ("grem.hex", "`grem` is not a fact, a unit or a leader; did you mean `gren`?"),
        ("gren.hexx", "`hexx` is not a fact of `gren`; did you mean `hex`?"),
        ("gren", "`gren` is not a fact of `gren`"),
        ("gren.seniority", "`gren` is not a leader"),
        ("morale", "`morale` is not a whole fact; morale.SIDE is"),
        ("morale.crwn", "`crwn` is not a side; did you mean `crown`?"),
        ("turn.crown", "`turn.crown` is not a whole fact; turn is"),
        ("held.0101", "`0101` is not the hex of an objective"),
        ("held.9999", "`9999` is not a hex of the map"),
        ("cost.foot.0101.0102", "`foot` is not an arm"),
        ("cost.infantry.0101.0103", "`0103` is not next to 0101"),
        ("table.5-1.3", "`5-1` is not a column of the table"),
        ("matrix.skirmish.charge", "`charge` is not a tactic"),
        ("fight.pins", "`pins` is not a fact of a close combat"),
        ("fight.column.crown", "`column` is not a fact of a side in a close combat"),
        ("seen.crown", "`seen.crown` is not a whole fact; seen.SIDE.WHAT is"),
        ("seen.crown.grem", "`grem` is not a unit or leader"),
        ("retreat.gren.4", "`4` is not a number from 1 to 3"),
        ("retreat.gren.0", "`0` is not a number from 1 to 3"),
        ("to_hit.0.1", "`0` is not a number from 1 to 99"),
        ("to_hit.100.1", "`100` is not a number from 1 to 99"),
        ("to_hit.1.7", "`7` is not a number from 1 to 6"),
        ("odds.100.1", "`100` is not a number from 0 to 99"),
        ("odds.1.0", "`0` is not a number from 1 to 99"),
        ("rifle_damage.10", "`10` is not a number from 0 to 9"),
        ("artillery_damage.10", "`10` is not a number from 0 to 9"),
    ] {
        let said = told(name).expect_err(name);
        assert!(said.starts_with(part), "{name}: {said}");
    }
    for name in
        ["to_hit.99.6", "to_hit.1.1", "odds.0.99", "rifle_damage.9", "retreat.gren.3", "zone.crown", "first"]
    {
        assert!(told(name).is_ok(), "{name}");
    }
}
