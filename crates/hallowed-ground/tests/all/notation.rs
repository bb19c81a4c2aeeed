//! Actions as they are written: what is read is written again, and what cannot be read says why.

use game::{Files, Notation};
use hallowed_ground::{Battle, HallowedGround, State};

fn ground() -> (Battle, State) {
    let battle = suite::battle::<HallowedGround>("hallowed-ground/drill");
    let text = "phase = \"orders a\"\nunit.a1 = { at = [20, 20] }\nunit.b1 = { at = [60, 20] }\nunit.x1 = { at = [20, 60] }";
    let state = HallowedGround::position(&battle, text).expect("a position");
    (battle, state)
}

#[test]
fn what_is_read_is_written_again() {
    let (battle, state) = ground();
    for text in [
        "pass",
        "go first",
        "go second",
        "attach ames a1",
        "detach ames 20 16.244",
        "charge a1 a2 at x1",
        "countercharge",
        "activate a",
        "hold a1",
        "rally a1",
        "advance a1 forward 8",
        "advance a1 forward 3 right 90 5",
        "advance a1 forward 0 left 12.34 0",
        "advance a1 oblique left 8",
        "advance a1 oblique right 7.5",
        "advance a1 back 4",
        "advance a1 back left 3.25",
        "advance a1 back right 4",
        "advance a1 sidestep left 4",
        "advance a1 sidestep right 0.001",
        "advance a1 retire",
        "advance a1 retire left 15",
        "advance a1 retire right 45",
        "advance a1 retire exit",
        "advance b1 mount retire",
        "advance b1 retire left 5 dismount",
        "advance b1 dismount forward 6",
        "advance b1 back 3 dismount",
        "advance b1 sidestep right 3 dismount",
        "advance bl limber forward 2",
        "advance bl forward 6 deploy",
        "march a1 16",
        "march a1 16 exit",
        "march a1 oblique left 16",
        "march a1 oblique right 8",
        "march a1 road 24",
        "reform a1 march_column 90",
        "reform a1 line 359.99",
        "ride ames 20 10",
        "shoot a1 at x1",
        "pick x1",
        "reroll",
        "aside left",
        "aside right",
        "break-through a1 a2",
    ] {
        let action =
            HallowedGround::read(&battle, &state, text).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(HallowedGround::write(&battle, &action), text);
    }
}

#[test]
fn shorter_forms_are_read() {
    let (battle, state) = ground();
    let read = |text: &str| {
        let action =
            HallowedGround::read(&battle, &state, text).unwrap_or_else(|why| panic!("{text}: {why}"));
        HallowedGround::write(&battle, &action)
    };
    assert_eq!(read("advance b1 dismount"), "advance b1 dismount forward 0");
    assert_eq!(read("shoot a1 x1"), "shoot a1 at x1");
    assert_eq!(read("advance a1 forward 3 0"), "advance a1 forward 3");
    assert_eq!(read("advance a1 forward 0 left 90"), "advance a1 forward 0 left 90 0");
    assert_eq!(read("reform a1 line -90"), "reform a1 line 270");
    assert_eq!(read("reform a1 line 360"), "reform a1 line 0");
}

#[test]
fn what_cannot_be_read_says_why() {
    let (battle, state) = ground();
    for (text, why) in [
        ("", "expected an action at the end"),
        ("dance a1", "`dance` is not an action of this game"),
        ("hold", "expected a unit at the end"),
        ("hold q", "there is no unit `q`"),
        ("hold a1 a2", "nothing may follow here; remove `a2`"),
        ("go third", "`third` is neither first nor second"),
        ("attach q a1", "there is no commander `q`"),
        ("activate q", "there is no brigade `q`"),
        ("advance a1", "expected forward, oblique, back, sidestep or retire"),
        ("advance a1 forward", "expected a length in inches at the end"),
        (
            "advance a1 forward far",
            "`far` is not a length in inches; expected a number with at most three decimals",
        ),
        (
            "advance a1 forward 1001",
            "`1001` is not a length in inches; expected a number with at most three decimals",
        ),
        ("advance a1 oblique up 3", "`up` is neither left nor right"),
        ("advance a1 forward 3 left", "expected degrees at the end"),
        ("advance a1 forward 3 left 361", "`361` is not a number of degrees"),
        ("advance a1 retire left 200", "a Retire goes up to 45 degrees aside"),
        ("advance b1 mount forward 3 dismount", "at most one change of formation"),
        ("reform a1 wedge 0", "there is no formation `wedge`"),
        ("charge a1 a2 a3 a4 c1 c2 c3 c4 c5 at x1", "at most eight units"),
        ("aside up", "`up` is neither left nor right"),
    ] {
        assert_eq!(HallowedGround::read(&battle, &state, text).expect_err(text), why, "{text}");
    }
}
