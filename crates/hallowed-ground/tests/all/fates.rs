//! What becomes of units in the odds of a decision, in the game's own words.

use std::collections::BTreeMap;

use game::odds::{self, Budget, Horizon, Tone};
use game::situation::question;
use hallowed_ground::HallowedGround;
use suite::Shelf;

/// The fates of a unit after an action, each with its tone and its chance in thousandths.
fn fates(unit: &str, position: &str, play: &str) -> BTreeMap<&'static str, (Tone, i64)> {
    let text = format!(
        "title = \"A case\"\nscenario = \"hallowed-ground/drill\"\n[position]\n{position}\n[[step]]\nplay = \"{play}\"\n"
    );
    let asked = question::<HallowedGround>(&text, &Shelf)
        .unwrap_or_else(|faults| panic!("\n{}", faults.report("the case", &text)));
    let report = odds::report::<HallowedGround>(
        &asked.battle,
        &asked.state,
        &asked.action,
        Horizon::Affair,
        Budget::default(),
    );
    let piece = asked.battle.units.iter().position(|u| u.slug == unit).expect("a unit");
    let odds = report.pieces.iter().find(|p| usize::from(p.piece.0) == piece);
    let told = odds.map(|odds| {
        let share = |f: &odds::FateOdds| (f.share.p * 1000.0).round() as i64;
        odds.fates.iter().map(|f| (f.fate.word, (f.fate.tone, share(f)))).collect()
    });
    told.unwrap_or_default()
}

const FAR: &str = "commander.grant = { at = [150, 2] }\ncommander.lee = { at = [150, 118] }\n";

#[test]
fn an_order_is_obeyed_or_not() {
    let position = format!(
        "{FAR}phase = \"orders a\"\nunit.a1 = {{ at = [20, 20], hits = 7 }}\nunit.a2 = {{ at = [60, 20] }}\ncommander.ames = {{ at = [20, 10] }}"
    );
    // Two dice, +1 for the commander, +1 Steady, more than 7: six or more, 26 of 36.
    let expected = BTreeMap::from([("obeys", (Tone::Holds, 722)), ("disobeys", (Tone::Yields, 278))]);
    assert_eq!(fates("a1", &position, "advance a1 forward 4"), expected);
    assert_eq!(fates("a1", &position, "march a1 8"), expected);
}

#[test]
fn a_rally_brings_hits_back_and_makes_steady() {
    let position = |shaken: bool| {
        format!(
            "{FAR}phase = \"orders a\"\nunit.a1 = {{ at = [20, 20], hits = 5, shaken = {shaken} }}\nunit.a2 = {{ at = [60, 20] }}\ncommander.ames = {{ attached = \"a1\" }}"
        )
    };
    let steady = fates("a1", &position(false), "rally a1");
    assert_eq!(steady.keys().collect::<Vec<_>>(), [&"disobeys", &"rallies"]);
    let shaken = fates("a1", &position(true), "rally a1");
    assert_eq!(shaken["is Steady again"].0, Tone::Gains);
}

#[test]
fn a_charge_reaches_contact_halts_or_loses_heart() {
    let position = format!(
        "{FAR}phase = \"charges\"\nunit.a1 = {{ at = [20, 24] }}\nunit.x1 = {{ at = [20, 32] }}\ncommander.ames = {{ at = [20, 18] }}"
    );
    // From 8 in: no fire. Two dice: 2 in 1 of 36, 3 to 6 in 14, 7 and more in 21.
    let found = fates("a1", &position, "charge a1 at x1");
    assert_eq!(found["Yellow Bellied"], (Tone::Yields, 28));
    assert_eq!(found["halts short"], (Tone::Holds, 389));
    assert_eq!(found["contact"], (Tone::Gains, 583));
    let target = fates("x1", &position, "charge a1 at x1");
    assert!(target.is_empty(), "nothing has become of the target before the melee: {target:?}");
}

#[test]
fn a_volley_hurts_shakes_and_sends_back() {
    let position = format!(
        "{FAR}phase = \"shooting\"\nunit.a1 = {{ at = [20, 20] }}\nunit.x1 = {{ at = [20, 30], hits = 14 }}\ncommander.xavier = {{ at = [150, 110] }}"
    );
    let found = fates("x1", &position, "shoot a1 at x1");
    for (word, tone) in
        [("hurt", Tone::Hurt), ("retires", Tone::Yields), ("breaks", Tone::Gone), ("unhurt", Tone::Holds)]
    {
        assert_eq!(found.get(word).map(|(tone, _)| *tone), Some(tone), "{word}: {found:?}");
    }
}

#[test]
fn a_melee_is_won_drawn_or_lost() {
    let position = format!(
        "{FAR}side = \"csa\"\nphase = \"melee\"\nunit.x1 = {{ at = [20, 32], facing = 0, charging = true }}\nunit.a1 = {{ at = [20, 32], facing = 180, hits = 10 }}\nunit.x2 = {{ at = [60, 32], facing = 0 }}\nunit.a2 = {{ at = [60, 32], facing = 180 }}\ncontact = [{{ a = \"x1\", b = \"a1\" }}, {{ a = \"x2\", b = \"a2\" }}]\ncommander.ames = {{ at = [150, 8] }}"
    );
    let loser = fates("a1", &position, "pick a1");
    for word in ["fights on", "fights on, hurt", "retires", "breaks", "wins the round"] {
        assert!(loser.contains_key(word), "{word}: {loser:?}");
    }
    let winner = fates("x1", &position, "pick a1");
    assert_eq!(winner["wins the round"].0, Tone::Gains);
    assert!(winner.contains_key("holds the field"), "{winner:?}");
}

#[test]
fn a_charge_under_fire_fails_in_several_ways() {
    let position = format!(
        "{FAR}phase = \"charges\"\nunit.a1 = {{ at = [20, 20], hits = 9 }}\nunit.x1 = {{ at = [20, 32] }}\ncommander.ames = {{ at = [20, 14] }}"
    );
    let found = fates("a1", &position, "charge a1 at x1");
    for (word, tone) in [
        ("contact", Tone::Gains),
        ("halts short", Tone::Holds),
        ("Yellow Bellied", Tone::Yields),
        ("disobeys", Tone::Yields),
        ("retires", Tone::Yields),
        ("breaks", Tone::Gone),
    ] {
        assert_eq!(found.get(word).map(|(tone, _)| *tone), Some(tone), "{word}: {found:?}");
    }
}

#[test]
fn cavalry_that_is_charged_meets_the_charge() {
    let position = format!(
        "{FAR}phase = \"charges\"\nunit.b1 = {{ at = [20, 10] }}\nunit.y1 = {{ at = [20, 30] }}\ncommander.burns = {{ at = [20, 2] }}"
    );
    let found = fates("b1", &position, "charge b1 at y1");
    assert_eq!(found["contact"].0, Tone::Gains);
}

#[test]
fn who_loses_at_a_wall_recoils() {
    let position = format!(
        "{FAR}side = \"csa\"\nphase = \"melee\"\nunit.a1 = {{ at = [130, 30.2], facing = 180 }}\nunit.x1 = {{ at = [130, 30.2], facing = 0 }}\nunit.x2 = {{ at = [60, 32], facing = 0 }}\nunit.a2 = {{ at = [60, 32], facing = 180 }}\ncontact = [{{ a = \"x1\", b = \"a1\" }}, {{ a = \"x2\", b = \"a2\" }}]\ncommander.ames = {{ at = [150, 8] }}"
    );
    assert_eq!(fates("a1", &position, "pick a1")["recoils"].0, Tone::Yields);
    assert_eq!(fates("x1", &position, "pick a1")["pushes on"].0, Tone::Gains);
}

#[test]
fn a_shaken_unit_that_fails_retires_again_and_guns_are_lost() {
    let position = format!(
        "{FAR}phase = \"shooting\"\nunit.a1 = {{ at = [20, 20] }}\nunit.xg = {{ at = [20, 30], hits = 3, shaken = true }}\ncommander.xavier = {{ at = [150, 110] }}"
    );
    let found = fates("xg", &position, "shoot a1 at xg");
    for word in ["unhurt", "hurt", "retires", "breaks"] {
        assert!(found.contains_key(word), "{word}: {found:?}");
    }
}

#[test]
fn a_shaken_unit_that_is_told_to_retire_obeys() {
    let position = format!(
        "{FAR}phase = \"orders a\"\nunit.a1 = {{ at = [20, 20], hits = 5, shaken = true }}\nunit.a2 = {{ at = [60, 20] }}\ncommander.ames = {{ at = [20, 10] }}"
    );
    let found = fates("a1", &position, "advance a1 retire");
    assert_eq!(found.keys().collect::<Vec<_>>(), [&"disobeys", &"obeys"]);
    let exit = position.replace("[20, 20]", "[20, 4]").replace("[20, 10]", "[40, 10]");
    let found = fates("a1", &exit, "advance a1 retire exit");
    assert_eq!(found.keys().collect::<Vec<_>>(), [&"breaks", &"disobeys"]);
    let steady = exit.replace("shaken = true", "shaken = false");
    let found = fates("a1", &steady, "advance a1 retire exit");
    assert_eq!(found["leaves the table"].0, Tone::Gone);
}
