//! Facts by name, and what is told about a part of a name that is unknown; names of stops and decisions.

use game::{Display, Facts, Files, Notation};
use hallowed_ground::HallowedGround;

fn told(name: &str) -> String {
    let battle = suite::battle::<HallowedGround>("hallowed-ground/drill");
    let text = "phase = \"orders a\"\nunit.a1 = { at = [20, 20] }\nunit.x1 = { at = [20, 60] }";
    let state = HallowedGround::position(&battle, text).expect("a position");
    match HallowedGround::fact(&battle, &state, name) {
        Ok(fact) => fact.to_string(),
        Err(unknown) => unknown.to_string(),
    }
}

#[test]
fn the_unknown_part_is_named() {
    for (name, message) in [
        ("a9.hits", "`a9` is not a unit or a commander"),
        ("a1.hit", "`hit` is not a fact; did you mean `hits`?"),
        ("ames.attachd", "`attachd` is not a fact; did you mean `attached`?"),
        ("score.france", "`france` is not a side; known: usa, csa"),
        ("score.usa.gun", "`gun` is not a fact; did you mean `guns`?"),
        ("army.usa.lost", "`lost` is not a fact; known: broken, commander"),
        ("brigade.q.broken", "`q` is not a brigade"),
        ("brigade.a.unit", "`unit` is not a fact; did you mean `units`?"),
        ("objective.7", "`7` is not the number of an objective"),
        ("distance.a1.q", "`q` is not a unit"),
        ("range.q.a1", "`q` is not a unit"),
        ("arc.a1.x.9", "`x` is not a number of whole inches"),
        ("terrain.marsh.type", "`marsh` is not a kind of terrain"),
        ("terrain.river.depth", "`depth` is not a fact; known: type, cover, obscures, blocks"),
        ("melee.a1.need", "`need` is not a fact; known: dice"),
        ("melee.a1.x1.dice", "`dice` is not a fact; known: need"),
        ("morale.a1.total", "`total` is not a fact; known: sum"),
        (
            "charge.a1.x1.pose",
            "a charge that is allowed now: The target is farther away than twice the rate (40 in",
        ),
        ("shot.a1.x1.need", "a shot that is allowed now: The target is out of range ("),
        ("wether.a.b.c", "`wether` is not a fact"),
    ] {
        let said = told(name);
        assert!(said.contains(message), "{name}: {said}");
    }
    assert_eq!((told("a1.hits").as_str(), told("ames.radius").as_str()), ("0", "1181"));
}

#[test]
fn names_of_stops_and_decisions_are_listed_once() {
    for names in [HallowedGround::stops(), HallowedGround::kinds()] {
        let mut sorted = names.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), names.len());
    }
}

/// A position with something of everything, and every fact of it.
#[test]
fn every_fact_has_its_value() {
    let battle = suite::battle::<HallowedGround>("hallowed-ground/drill");
    let text = r#"
turn = 3
side = "csa"
first = "usa"
phase = "melee"
unit.a1 = { at = [20, 32], facing = 180, hits = 4, moved = true }
unit.x1 = { at = [20, 32], facing = 0, charging = true, order = "charge" }
unit.a2 = { at = [60, 20], shaken = true, smoke = true }
unit.x2 = { at = [60, 30] }
unit.ag = { at = [95, 74], formation = "limbered" }
unit.x3 = { place = "broken" }
unit.xg = { place = "broken" }
unit.b1 = { place = "left" }
contact = [{ a = "x1", b = "a1" }]
commander.ames = { attached = "a1", rallied = true }
commander.burns = { at = [60, 10] }
"#;
    let mut state = HallowedGround::position(&battle, text).expect("a position");
    let fact = |state: &hallowed_ground::State, name: &str| {
        HallowedGround::fact(&battle, state, name).unwrap_or_else(|why| panic!("{name}: {why}")).to_string()
    };
    let expected = [
        ("turn", "3"),
        ("phase", "\"command\""),
        ("active", "\"csa\""),
        ("first", "\"usa\""),
        ("score.usa", "5"),
        ("score.csa", "1"),
        ("score.usa.troops", "3"),
        ("score.usa.guns", "2"),
        ("score.usa.shaken", "0"),
        ("score.csa.shaken", "1"),
        ("score.csa.objectives", "0"),
        ("score.csa.scenario", "0"),
        ("army.usa.broken", "false"),
        ("army.csa.commander", "\"lee\""),
        ("brigade.x.broken", "false"),
        ("brigade.w.units", "[\"w1\", \"w2\"]"),
        ("brigade.w.commander", "\"walker\""),
        ("objective.0", "\"nobody\""),
        ("distance.a1.x1", "0"),
        ("distance.a2.x2", "10000"),
        ("distance.burns.a2", "7244"),
        ("distance.ames.a1", "0"),
        ("range.a2.x2", "10000"),
        ("arc.a2.x2", "\"front\""),
        ("arc.a2.50.20", "\"left\""),
        ("arc.a2.70.20", "\"right\""),
        ("arc.a2.60.10", "\"rear\""),
        ("sight.a2.x2", "\"full\""),
        ("sight.a2.a1", "\"none\""),
        ("visible.a2.x2", "8858"),
        ("cover.a2.x2", "false"),
        ("obscured.a2.x2", "false"),
        ("melee.a1.dice", "5"),
        ("melee.x1.a1.need", "3"),
        ("melee.a1.x1.need", "4"),
        ("orders.a2.sum", "-6"),
        ("morale.a1.sum", "1"),
        ("charge.x2.a2.distance", "10000"),
        ("charge.x2.a2.side", "\"front\""),
        ("charge.x2.a2.difficult", "false"),
        ("charge.x2.a2.pose", "\"60 20 f 180\""),
        ("shot.x2.a2.dice", "10"),
        ("shot.x2.a2.need", "3"),
        ("shot.x2.a2.sum", "0"),
        ("terrain.obstacle.type", "\"difficult\""),
        ("terrain.obstacle.cover", "true"),
        ("terrain.obstacle.obscures", "true"),
        ("terrain.obstacle.blocks", "\"no\""),
        ("terrain.river.type", "\"impassable\""),
        ("terrain.building.blocks", "\"yes\""),
        ("terrain.gentle_hill.blocks", "\"hill\""),
        ("terrain.road.type", "\"open\""),
        ("a1.pose", "\"20 32 f 180\""),
        ("a1.x", "20000"),
        ("a1.y", "32000"),
        ("a1.facing", "18000"),
        ("a1.ulp", "\"20 32\""),
        ("a2.centre", "\"60 19.213\""),
        ("a2.front-left", "\"55.571 20\""),
        ("a2.front-right", "\"64.429 20\""),
        ("a2.rear-left", "\"55.571 18.425\""),
        ("a2.rear-right", "\"64.429 18.425\""),
        ("a2.width", "8858"),
        ("a2.depth", "1575"),
        ("a2.bases", "5"),
        ("a2.formation", "\"line\""),
        ("a2.arm", "\"infantry\""),
        ("a2.brigade", "\"a\""),
        ("a1.hits", "4"),
        ("a1.state", "\"steady\""),
        ("a2.state", "\"shaken\""),
        ("x3.state", "\"broken\""),
        ("b1.state", "\"left\""),
        ("b2.state", "\"reserve\""),
        ("x1.order", "\"charge\""),
        ("a1.order", "\"none\""),
        ("a1.moved", "true"),
        ("a2.moved", "false"),
        ("a2.smoke", "true"),
        ("x1.charging", "true"),
        ("a1.charging", "false"),
        ("a1.engaged", "true"),
        ("a2.engaged", "false"),
        ("a1.foes", "[\"x1\"]"),
        ("a1.defends", "false"),
        ("ag.on-road", "true"),
        ("a2.on-road", "false"),
        ("a2.rate", "8000"),
        ("ag.rate", "12000"),
        ("a2.shooting", "10"),
        ("a2.shooting-half", "10"),
        ("a2.shooting-long", "10"),
        ("bs.shooting-long", "4"),
        ("a2.melee", "4"),
        ("a2.shaken-at", "18"),
        ("a2.break-at", "20"),
        ("bl.shaken-at", "12"),
        ("b1.break-at", "16"),
        ("a2.reach", "30"),
        ("a1.commanders", "[\"ames\"]"),
        ("ames.attached", "\"a1\""),
        ("ames.rallied", "true"),
        ("burns.attached", "\"nobody\""),
        ("burns.at", "\"60 10\""),
        ("burns.x", "60000"),
        ("burns.y", "10000"),
        ("burns.radius", "1181"),
        ("grant.radius", "1575"),
        ("burns.brigade-broken", "false"),
    ];
    let found = expected.map(|(name, _)| (name, fact(&state, name)));
    assert_eq!(found, expected.map(|(name, value)| (name, value.to_owned())));
    for (phase, word) in [
        (hallowed_ground::Phase::Start, "\"start\""),
        (hallowed_ground::Phase::Shooting, "\"shooting\""),
        (hallowed_ground::Phase::Melee, "\"melee\""),
        (hallowed_ground::Phase::End, "\"end\""),
    ] {
        state.phase = phase;
        assert_eq!(fact(&state, "phase"), word);
    }
}

/// What is asked, or runs by itself, at each phase a position can name.
#[test]
fn a_position_begins_at_its_phase() {
    let battle = suite::battle::<HallowedGround>("hallowed-ground/drill");
    let at = |text: &str| {
        let state = HallowedGround::position(&battle, text).expect("a position");
        let next = HallowedGround::upcoming(&battle, &state);
        next.map_or_else(|| format!("asks {}", HallowedGround::prompt(&battle, &state).kind), str::to_owned)
    };
    let here = "unit.a1 = { at = [20, 20] }\nunit.x1 = { at = [20, 30] }\n";
    for (phase, idle, busy) in [
        ("start", "initiative", "initiative"),
        ("round", "round", "round"),
        ("attach", "asks attach", "asks attach"),
        ("charges", "charges", "asks charge"),
        ("activate", "activate", "activate"),
        ("orders a", "orders", "asks order"),
        ("ride a", "asks ride", "asks ride"),
        ("general", "asks ride", "asks ride"),
        ("shooting", "shooting", "asks shoot"),
        ("tests", "tests", "tests"),
        ("melee", "melee", "melee"),
        ("end", "end", "end"),
    ] {
        assert_eq!(at(&format!("phase = \"{phase}\"")), idle, "{phase}");
        assert_eq!(at(&format!("{here}phase = \"{phase}\"")), busy, "{phase}");
    }
    let two = "unit.b1 = { at = [60, 20] }\n";
    assert_eq!(at(&format!("{here}{two}phase = \"activate\"")), "asks activate");
}

/// The first things that run by themselves after an action, up to the next decision.
#[test]
fn what_runs_by_itself_has_names() {
    use game::{Fx, Now, Rules};
    let battle = suite::battle::<HallowedGround>("hallowed-ground/drill");
    let names = |text: &str, play: &str, faces: &[u8]| {
        let mut state = HallowedGround::position(&battle, text).expect("a position");
        let action = HallowedGround::read(&battle, &state, play).expect("an action");
        let mut fx = Fx { dice: game::dice::ScriptedDice::new(faces.to_vec()), log: game::Silent };
        HallowedGround::check(&battle, &state, &action).expect("allowed");
        HallowedGround::answer(&battle, &mut state, &action, &mut fx);
        let mut names = Vec::new();
        while matches!(HallowedGround::now(&battle, &state), Now::Decides(_)) {
            names.extend(HallowedGround::upcoming(&battle, &state));
            if !HallowedGround::step(&battle, &mut state, &mut fx) {
                break;
            }
        }
        names
    };
    let charge = "phase = \"charges\"\nunit.a1 = { at = [20, 20], hits = 1 }\nunit.x1 = { at = [20, 32] }\ncommander.ames = { at = [20, 14] }";
    let faces = [&[6, 6, 4, 4, 2][..], &[1; 9], &[1, 1, 1]].concat();
    assert_eq!(
        names(charge, "charge a1 at x1", &faces)[..8],
        [
            "charge-orders",
            "charge-home",
            "point-blank",
            "defensive-fire",
            "saves",
            "morale",
            "contact",
            "charges"
        ]
    );
}
