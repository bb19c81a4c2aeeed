//! Facts by name, and what is told about a part of a name that is unknown; names of stops and decisions.

use game::Words;
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
        ("score.uas", "`uas` is not a side; known: usa, csa"),
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
            "a charge that is allowed now: The target is farther away than twice the rate.",
        ),
        ("shot.a1.x1.need", "a shot that is allowed now: The target is out of range."),
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
