//! The invariant that random games are checked with notices what it is for.

use game::Files;
use hallowed_ground::{
    Battle, BrigadeId, Contact, Formation, HallowedGround, State, UnitId, Whereabouts, invariant,
};
use table::{Side as Edge, Spot};

fn battle() -> Battle {
    suite::battle::<HallowedGround>("hallowed-ground/drill")
}

fn unit(battle: &Battle, slug: &str) -> usize {
    battle.units.iter().position(|u| u.slug == slug).expect("a unit")
}

/// A sound position, changed by hand.
fn told(change: impl Fn(&Battle, &mut State)) -> String {
    let battle = battle();
    let text = "phase = \"orders a\"\nunit.a1 = { at = [20, 20] }\nunit.a2 = { at = [40, 20] }\nunit.x1 = { at = [40, 20] }\nunit.x2 = { at = [60, 60] }\ncontact = [{ a = \"a2\", b = \"x1\" }]\ncommander.ames = { attached = \"a2\" }";
    let mut state = HallowedGround::position(&battle, text).expect("a position");
    assert_eq!(invariant(&battle, &state), Ok(()));
    change(&battle, &mut state);
    invariant(&battle, &state).expect_err("a fault")
}

#[track_caller]
fn notices(message: &str, change: impl Fn(&Battle, &mut State)) {
    let said = told(change);
    assert!(said.contains(message), "{said}");
}

#[test]
fn places() {
    notices("a1 is off the table", |b, s| s.units[unit(b, "a1")].pose.at = Spot::new(1_000, 20_000));
    notices("a1 stands in impassable", |b, s| s.units[unit(b, "a1")].pose.at = Spot::new(95_000, 56_000));
    notices("a1 and a2 overlap", |b, s| s.units[unit(b, "a1")].pose.at = Spot::new(39_000, 20_000));
}

#[test]
fn states() {
    notices("a1 has 20 hits and stands", |b, s| {
        s.units[unit(b, "a1")].hits = 20;
        s.units[unit(b, "a1")].shaken = true;
    });
    notices("a1 has 18 hits and is Steady", |b, s| s.units[unit(b, "a1")].hits = 18);
    notices("formation it cannot take", |b, s| s.units[unit(b, "a1")].formation = Formation::Limbered);
    notices("a is Broken, or not", |_, s| s.broken_brigades.insert(BrigadeId(0)));
}

#[test]
fn contacts() {
    let contact = |a: usize, b: usize| Contact {
        a: UnitId(a as u8),
        b: UnitId(b as u8),
        side_of_a: Edge::Front,
        side_of_b: Edge::Front,
        defended: false,
    };
    notices("a1 and x2 are said to touch", |b, s| s.contacts.push(contact(unit(b, "a1"), unit(b, "x2"))));
    notices("a1 and a2 cannot be in contact", |b, s| s.contacts.push(contact(unit(b, "a1"), unit(b, "a2"))));
    notices("a1 and x3 cannot be in contact", |b, s| s.contacts.push(contact(unit(b, "a1"), unit(b, "x3"))));
    notices("x1 and a2 are in contact twice", |b, s| s.contacts.push(contact(unit(b, "x1"), unit(b, "a2"))));
}

#[test]
fn commanders() {
    notices("ames is attached to a unit that is gone", |b, s| {
        s.units[unit(b, "a2")].place = Whereabouts::Left;
        s.contacts.clear();
    });
    notices("grant is off the table", |b, s| {
        let grant = b.officers.iter().position(|o| o.slug == "grant").expect("a general");
        s.commanders[grant].at = Spot::new(-5, 20_000);
    });
}
