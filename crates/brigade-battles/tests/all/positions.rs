//! Impossible positions: each is refused at its place with a remedy.

use brigade_battles::{Battle, BrigadeBattles};
use game::{Facts, Files, Options};
use suite::Shelf;

const GROUND: &str = r#"
title = "Positions"
options = { breastworks = true, burning = true, fords = true }
unit = [
  { id = "gibbon", side = "usa", sp = 9, independent = true, at = "0505" },
  { id = "guns", side = "usa", type = "artillery", sp = 6, independent = true, at = "0506" },
  { id = "horse", side = "usa", type = "cavalry", sp = 6, independent = true, at = "0507" },
  { id = "later", side = "usa", sp = 6, division = "meade", at = "T2 south" },
  { id = "hood", side = "csa", sp = 9, independent = true, at = "0501" },
]
leader = [
  { id = "meade", side = "usa", at = "0505" },
  { id = "hill", side = "csa", at = "0501" },
]
objective = [{ hex = "0505", points = 5 }, { hex = "0303", points = 5 }]
burnable = [{ bridge = "0505/0605", name = "the bridge" }, { depot = "0808" }]
ford = [{ side = "0505/0606" }]
turns = { count = 3, night = [3] }
areas = { south = ["0509"] }
[map]
cols = 9
rows = 9
off = ["0909"]
terrain = { water = ["0101"], marsh = ["0102"] }
sides = { river = ["0505/0605", "0505/0606"], bridge = ["0505/0605"] }
"#;

fn ground() -> Battle {
    BrigadeBattles::compile(GROUND, &Shelf, &Options::new()).expect("a sound scenario")
}

fn faults(position: &str) -> Vec<String> {
    let Err(found) = BrigadeBattles::position(&ground(), &format!("[position]\n{position}")) else {
        return Vec::new();
    };
    let told = found.0.into_iter().map(|fault| {
        assert!(fault.span.start > 0, "no place: {}", fault.message);
        format!("{}; {}", fault.message, fault.expected)
    });
    told.collect()
}

#[track_caller]
fn refused(position: &str, message: &str) {
    let found = faults(position);
    assert!(found.len() == 1 && found[0].contains(message), "{message}\n{found:#?}");
}

#[track_caller]
fn sound(position: &str) {
    assert_eq!(faults(position), Vec::<String>::new());
}

#[test]
fn pieces_stand_where_they_may() {
    refused("unit.gibbon = { hex = \"0909\" }", "the hex is not in play");
    refused(
        "unit.gibbon = { hex = \"0101\" }",
        "water is prohibited to it; a hex that it may enter (8.1.4.b)",
    );
    refused("leader.meade = { hex = \"0101\" }", "water is prohibited to it");
    refused("unit.guns = { hex = \"0102\" }", "marsh is prohibited to it");
    sound("unit.gibbon = { hex = \"0102\" }");
    refused(
        "unit.gibbon = { hex = \"0506\" }",
        "guns stands in 0506 already; one combat unit a hex (1.1.1.a)",
    );
    sound("unit.gibbon = { hex = \"0506\" }\nunit.guns = { hex = \"0505\" }");
    refused("leader.hill = { hex = \"0505\" }", "hill and gibbon share a hex");
    refused(
        "unit.gibbon = { hex = \"0501\" }\nunit.hood = { hex = \"0502\" }",
        "hill and gibbon share a hex",
    );
    refused("unit.gibbon = { box = \"due\" }", "does not bring this piece in later");
    sound("unit.later = { box = \"due\" }");
    refused("unit.gibbon = { hex = \"0505\", box = \"gone\" }", "`hex` or `box`, not both");
}

#[test]
fn strength_and_states_are_within_their_bounds() {
    refused("unit.gibbon = { sp = 10 }", "1 to 9");
    refused("unit.gibbon = { sp = 0 }", "1 to 9");
    refused("unit.gibbon = { lost = 9 }", "0 to 8");
    sound("unit.gibbon = { lost = 8 }");
    refused("unit.gibbon = { sp = 3, lost = 3 }", "`sp` or `lost`, not both");
    refused("unit.gibbon = { box = \"gone\", sp = 3 }", "a unit that is gone has no SP");
    refused("unit.later = { routed = true }", "only a unit on the map is routed");
    refused("unit.gibbon = { mounted = true }", "`mounted` is not for this arm");
    refused("unit.horse = { limbered = true }", "`limbered` is not for this arm");
    refused("unit.guns = { routed = true, unlimbered = true }", "routed guns are limbered");
    let battle = ground();
    let state =
        BrigadeBattles::position(&battle, "[position]\nunit.guns = { routed = true }").expect("sound");
    assert_eq!(BrigadeBattles::fact(&battle, &state, "guns.formation").unwrap().to_string(), "\"limbered\"");
    refused("losses = { usa = 3 }\nunit.gibbon = { lost = 4 }", "its units have lost 4 SP; 4 or more");
    sound("losses = { usa = 4 }\nunit.gibbon = { lost = 4 }");
    refused("out_of_command = [\"gibbon\"]", "gibbon: it is independent and always in command");
}

#[test]
fn works_are_where_they_can_have_been_built() {
    refused("works = [\"0101\"]", "no unit can have built there");
    refused("works = [\"0909\"]", "no unit can have built there");
    refused("works = [\"0505\", \"0505\"]", "a second breastwork in the hex");
    refused("unit.horse = { building = true }", "it cannot build");
    sound("unit.horse = { building = true, dismounted = true }");
    refused("works = [\"0505\"]\nunit.gibbon = { building = true }", "a breastwork in its hex already");
    refused("unit.gibbon = { building = true, routed = true }", "a routed unit has no work in hand");
    refused("unit.horse = { burning = \"0505/0605\" }", "it cannot burn that");
    sound("unit.gibbon = { burning = \"0505/0605\" }");
    sound("unit.horse = { hex = \"0808\", burning = \"0808\" }");
    refused("unit.guns = { hex = \"0605\", burning = \"0505/0605\" }", "it cannot burn that");
    refused("burned = [\"0505/0605\"]\nunit.gibbon = { burning = \"0505/0605\" }", "it is burned already");
    refused(
        "unit.gibbon = { building = true, burning = \"0505/0605\" }",
        "`building` or `burning`, not both",
    );
    refused("burned = [\"0101/0102\"]", "nothing to burn at `0101/0102`");
    refused("fords = { \"0505/0605\" = \"yes\" }", "no ford marker at `0505/0605`");
}

#[test]
fn objectives_belong_to_whoever_stands_there() {
    refused("control = { \"0505\" = \"csa\" }", "a unit of usa stands there; \"usa\" (14.0.b)");
    refused("control = { \"0505\" = \"none\" }", "a unit of usa stands there");
    refused("control = { \"0404\" = \"csa\" }", "0404 is not an objective");
    sound("control = { \"0505\" = \"usa\", \"0303\" = \"csa\" }");
    let battle = ground();
    let state =
        BrigadeBattles::position(&battle, "[position]\nunit.hood = { hex = \"0303\" }").expect("sound");
    assert_eq!(BrigadeBattles::fact(&battle, &state, "control.0303").unwrap().to_string(), "\"csa\"");
}

#[test]
fn names_are_known() {
    refused("leader.nobody = { hex = \"0303\" }", "no leader `nobody`; the id of a leader, and a table");
    refused("unit.nobody = { hex = \"0303\" }", "no unit `nobody`; the id of a unit, and a table");
    refused("unit.gibbon = { hexx = \"0303\" }", "unknown key `hexx`");
    refused("leader.meade = { hexx = \"0303\" }", "unknown key `hexx`");
    refused("nonsense = 1", "unknown key `nonsense`");
    refused("phase = \"movement\"\nmover = { piece = \"gibbon\", spnt = 1 }", "unknown key `spnt`");
    let fire = "phase = \"offensive\"\nfire = { at = \"0501\", by = [\"gibbon\"], nonsense = 1 }";
    refused(fire, "unknown key `nonsense`");
    refused("losses = { uk = 3 }", "no side `uk`");
    refused("tide = { uk = true }", "no side `uk`");
    refused("phase = \"offensive\"\nfired = [\"nobody\"]", "no unit `nobody`; the id of a unit");
    refused("phase = \"movement\"\nmover = { piece = \"nobody\" }", "no such unit or leader");
    // Two that are put on each other are one fault.
    refused("unit.gibbon = { hex = \"0303\" }\nunit.guns = { hex = \"0303\" }", "one combat unit a hex");
}

#[test]
fn what_is_written_is_what_stands() {
    let battle = ground();
    let fact = |position: &str, name: &str| {
        let state = BrigadeBattles::position(&battle, &format!("[position]\n{position}")).expect("sound");
        BrigadeBattles::fact(&battle, &state, name).expect("a fact").to_string()
    };
    assert_eq!(
        fact("unit.horse = { dismounted = true, routed = true }", "horse.formation"),
        "\"dismounted\""
    );
    assert_eq!(fact("turn = 3\nbegan_next_to_enemy = [\"gibbon\"]", "gibbon.began_next_to_enemy"), "true");
    assert_eq!(fact("turn = 3", "gibbon.began_next_to_enemy"), "false");
    assert_eq!(fact("phase = \"movement\"\nmoved = [\"gibbon\"]", "gibbon.moved"), "true");
    assert_eq!(fact("phase = \"rally\"\nacted = [\"gibbon\"]", "gibbon.rallied"), "true");
    assert_eq!(fact("leader.meade = { replaced = true }", "meade.radius"), "3");
    assert_eq!(fact("tide = { usa = false }", "tide.usa"), "false");
    assert_eq!(fact("losses = { csa = 7 }", "losses.csa"), "7");
    assert_eq!(fact("turn = 3", "hours"), "4");
    assert_eq!(fact("turn = 2", "hours"), "1");
    let routed = "phase = \"movement\"\nunit.gibbon = { routed = true }\n";
    sound(&format!("{routed}mover = {{ piece = \"gibbon\", stopped = true }}"));
    refused("phase = \"movement\"\nmoved = [\"hood\"]", "it cannot have moved");
    refused("phase = \"rally\"\nacted = [\"hood\"]", "it cannot have tried to rally");
}

#[test]
fn marks_belong_to_their_phase() {
    refused("phase = \"movement\"\nfired_markers = [\"gibbon\"]", "gibbon: it carries no FIRED marker now");
    refused("phase = \"organization\"\nfired_markers = [\"guns\"]", "it carries no FIRED marker now");
    refused(
        "active = \"csa\"\nphase = \"movement\"\nfired_markers = [\"guns\"]",
        "it carries no FIRED marker",
    );
    sound("phase = \"artillery\"\nfired_markers = [\"guns\"]");
    refused("phase = \"movement\"\nfired = [\"gibbon\"]", "it cannot have fired in this phase");
    refused("phase = \"defensive\"\nfired = [\"gibbon\"]", "it cannot have fired in this phase");
    sound("phase = \"defensive\"\nfired = [\"hood\"]\ntargeted = [\"gibbon\"]");
    refused("phase = \"offensive\"\ntargeted = [\"gibbon\"]", "it cannot have been a target");
    refused("phase = \"organization\"\nacted = [\"gibbon\"]", "it cannot have tried to rally");
    sound("phase = \"rally\"\nacted = [\"gibbon\"]");
    refused("phase = \"offensive\"\nmoved = [\"gibbon\"]", "it cannot have moved");
    sound("phase = \"movement\"\nmoved = [\"gibbon\"]");
    refused("turn = 2\nbegan_next_to_enemy = [\"gibbon\"]", "this is not a night turn");
    sound("turn = 3\nbegan_next_to_enemy = [\"gibbon\"]");
}

#[test]
fn a_move_under_way_can_be_under_way() {
    let mover = |phase: &str, rest: &str| format!("phase = \"{phase}\"\nmover = {{ {rest} }}");
    refused(&mover("offensive", "piece = \"gibbon\""), "it does not move now");
    refused(&mover("movement", "piece = \"hood\""), "it does not move now");
    refused(&mover("movement", "piece = \"gibbon\", spent = 6.5"), "halves from 0 to 6");
    refused(&mover("movement", "piece = \"gibbon\", spent = 0.3"), "it cannot have spent that");
    sound(&mover("movement", "piece = \"gibbon\", spent = 6"));
    sound(&mover("movement", "piece = \"horse\", spent = 9"));
    refused(&mover("movement", "piece = \"meade\", spent = 9.5"), "halves from 0 to 9");
    refused(&mover("movement", "piece = \"gibbon\", stopped = true"), "nothing has stopped it");
    let beside = "unit.hood = { hex = \"0504\" }\n";
    sound(&format!("{beside}{}", mover("movement", "piece = \"gibbon\", stopped = true")));
}

#[test]
fn a_combat_under_way_can_be_under_way() {
    let near = "unit.hood = { hex = \"0504\" }\n";
    refused(&format!("{near}phase = \"movement\"\ncheck = \"hood\""), "no fire can have hit it now");
    refused(&format!("{near}phase = \"offensive\"\nretreat = \"gibbon\""), "no fire can have hit it now");
    sound(&format!("{near}phase = \"defensive\"\nrout = \"gibbon\""));
    refused(&format!("{near}phase = \"offensive\"\nadvance = \"0504\""), "nobody advances there");
    refused(&format!("{near}phase = \"defensive\"\nadvance = \"0503\""), "nobody advances there");
    sound(&format!(
        "{near}phase = \"offensive\"\nfire = {{ at = \"0404\", by = [\"gibbon\"] }}\nadvance = \"0404\""
    ));
    let fire = |by: &str, at: &str| {
        format!("{near}phase = \"offensive\"\nfire = {{ at = \"{at}\", by = [\"{by}\"], declared = true }}")
    };
    sound(&fire("gibbon", "0504"));
    refused(&fire("gibbon", "0503"), "that fire cannot have been declared");
    refused(&fire("guns", "0504"), "that fire cannot have been declared");
}
