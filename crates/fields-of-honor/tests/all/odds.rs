//! Enumerated odds against seeded plays of the same decision.

#[test]
fn odds_agree_with_play() {
    let (decisions, plays) =
        (suite::short_or_long(40, 200) as usize, suite::short_or_long(4_000, 100_000) as u32);
    let too_large = suite::odds_against_play::<fields_of_honor::FieldsOfHonor>(
        "fields-of-honor/drill-ground",
        decisions,
        plays,
    );
    assert!(too_large * 10 <= decisions, "{too_large} of {decisions} decisions were too large to enumerate");
}

#[test]
fn odds_are_quick() {
    suite::odds_speed::<fields_of_honor::FieldsOfHonor>(
        "fields-of-honor/drill-ground",
        suite::short_or_long(200, 2_000) as usize,
    );
}

#[test]
fn luck_evens_out() {
    suite::luck_evens_out::<fields_of_honor::FieldsOfHonor>(
        "fields-of-honor/drill-ground",
        suite::short_or_long(16, 1_000),
    );
}

/// Asked to the end, the odds of a charge go past the decisions of its target, though it is only about to be declared.
#[test]
fn a_charge_is_weighed_to_its_end() {
    use fields_of_honor::FieldsOfHonor as S;
    use fields_of_honor::action::Action;
    use game::dice::{Dice, QuickDice};
    use game::odds::{Budget, Horizon, of_action};
    use game::{Fx, Now, Odds, Rules, Silent};

    let battle = suite::battle::<S>("fields-of-honor/drill-ground");
    let mut mind = QuickDice::new(1);
    let mut weighed = 0;
    for seed in 0..40 {
        let mut fx = Fx { dice: QuickDice::new(seed), log: Silent };
        let mut state = S::muster(&battle);
        S::settle(&battle, &mut state, &mut fx);
        while let Now::Decides(_) = S::now(&battle, &state) {
            let mut offers = Vec::new();
            S::offers(&battle, &state, &mut offers);
            let charge = offers.iter().find(|offer| matches!(offer, Action::Charge(_)));
            if let Some(charge) = charge.filter(|_| weighed < 5) {
                let odds = of_action::<S>(&battle, &state, charge, Horizon::Affair, Budget::default());
                if odds.sampled.is_none() && odds.last_scene.is_none() {
                    weighed += 1;
                    assert!(odds.ends.iter().all(|(end, _)| S::affair(&battle, end).is_none()));
                }
            }
            let action = offers[mind.below(offers.len() as u32) as usize].clone();
            S::play_unchecked(&battle, &mut state, &action, &mut fx);
        }
    }
    assert_eq!(weighed, 5, "charges that can be weighed to their end");
}

/// A battle at battalion scale, a position in it, and the words of what may become of a unit after an action.
fn words(forces: &str, position: &str, dice: &[u8], play: &str, unit: u16) -> Vec<(String, String, f64)> {
    use fields_of_honor::FieldsOfHonor as S;
    use game::dice::ScriptedDice;
    use game::odds::{Budget, Horizon, report};
    use game::{Files, Fx, Notation, Options, Rules, Silent};
    let source = format!(
        "title = \"A case\"\n[options]\norders = false\npersonalities = false\nopportunity = false\n\
         [battle]\nscale = \"battalion\"\nyear = 1862\ntable = [60, 40]\nturns = 12\n\
         [[side]]\nid = \"a\"\nedge = \"south\"\n[[side]]\nid = \"b\"\nedge = \"north\"\n{forces}\n[position]\n{position}\n"
    );
    let battle = S::compile(&source, &suite::Shelf, &Options::default()).expect("a battle");
    let mut state = S::position(&battle, &source).expect("a position");
    let mut fx = Fx { dice: ScriptedDice::new(dice.to_vec()), log: Silent };
    S::settle(&battle, &mut state, &mut fx);
    let action = S::read(&battle, &state, play).expect("an action");
    S::check(&battle, &state, &action).expect("a legal action");
    let odds = report::<S>(&battle, &state, &action, Horizon::Decision, Budget::default());
    let piece = odds.pieces.iter().find(|p| p.piece.0 == unit).expect("the unit's odds");
    let told = |f: &game::odds::FateOdds| (f.fate.word.to_owned(), format!("{:?}", f.fate.tone), f.share.p);
    piece.fates.iter().map(told).collect()
}

fn share(words: &[(String, String, f64)], word: &str, tone: &str) -> f64 {
    words.iter().filter(|(w, t, _)| w == word && t == tone).map(|w| w.2).sum()
}

const CHARGE: &str = "[[unit]]\nid = \"p\"\nside = \"a\"\nstands = 6\nat = [23, 10]\nweapon = \"rifled musket\"\n\
    [[unit]]\nid = \"q\"\nside = \"b\"\nstands = 6\nat = [23, 15]\nfacing = 180\n\
    [[unit]]\nid = \"v\"\nside = \"a\"\nstands = 4\nat = [50, 10]\n\
    [[unit]]\nid = \"w\"\nside = \"b\"\nstands = 4\nat = [50, 14]\nfacing = 180\n";

/// A charge as it is declared: the charger's test, then the target's.
#[test]
fn a_charge_home_in_words() {
    let setup = "phase = \"charge\"\n";
    let found = words(CHARGE, setup, &[6, 1], "charge p at q", 0);
    // Seven or more of two dice: 21 of 36; else it does not charge.
    assert!((share(&found, "does not charge", "Hurt") - 15.0 / 36.0).abs() < 1e-9, "{found:?}");
    let target = words(CHARGE, setup, &[6, 1], "charge p at q", 1);
    // It needs eight: missed by four or more (2 to 4) it routs, by three (5) it runs Shaken.
    let charged = 21.0 / 36.0;
    assert!((share(&target, "routs", "Yields") - charged * 6.0 / 36.0).abs() < 1e-9, "{target:?}");
    assert!((share(&target, "runs Shaken", "Yields") - charged * 4.0 / 36.0).abs() < 1e-9, "{target:?}");
    assert!(
        (share(&target, "falls back Suppressed", "Yields") - charged * 5.0 / 36.0).abs() < 1e-9,
        "{target:?}"
    );
    let contact = share(&found, "makes contact", "Gains");
    // In contact with those who stand, and with those it catches.
    let met = share(&target, "is met in melee", "Hurt");
    assert!((met - charged * 6.0 / 36.0).abs() < 1e-9 && contact > met, "{found:?} {target:?}");
}

/// A unit out of command obeys its Reaction Test: 1 and 2 withdraw, 3 halts, 4 is cautious, 5 and 6 carry on.
#[test]
fn a_reaction_test_in_words() {
    let forces = "[[leader]]\nid = \"m\"\nside = \"a\"\nat = [20, 2]\n\
        [[unit]]\nid = \"p\"\nside = \"a\"\nstands = 6\nat = [20, 20]\nleader = \"m\"\n\
        [[unit]]\nid = \"r\"\nside = \"a\"\nstands = 6\nat = [30, 20]\nleader = \"m\"\n\
        [[unit]]\nid = \"q\"\nside = \"b\"\nstands = 6\nat = [23, 38]\nfacing = 180\n";
    let position = "phase = \"reaction\"\nleader.m = { moved = true }";
    let found = words(forces, position, &[6, 1], "test p", 0);
    for (word, tone, sixths) in [
        ("falls back Suppressed", "Yields", 2.0),
        ("halts", "Hurt", 1.0),
        ("is cautious", "Hurt", 1.0),
        ("carries on", "Holds", 2.0),
    ] {
        assert!((share(&found, word, tone) - sixths / 6.0).abs() < 1e-9, "{word}: {found:?}");
    }
}

/// What a fire that is about to be declared says of itself: dice, numbers with their terms, and the odds of its losses.
#[test]
fn a_declared_fire_shows_its_dice_and_odds() {
    use fields_of_honor::FieldsOfHonor as S;
    use game::{Display, Files, Notation, Options, Rules, Silent};
    let source = "title = \"A case\"\n[options]\norders = false\n[battle]\nscale = \"battalion\"\ntable = [60, 40]\n\
        [[side]]\nid = \"a\"\n[[side]]\nid = \"b\"\n\
        [[unit]]\nid = \"p\"\nside = \"a\"\nstands = 2\nat = [20, 10]\nweapon = \"smoothbore musket\"\n\
        [[unit]]\nid = \"q\"\nside = \"b\"\nstands = 4\nat = [20, 12]\nfacing = 180\n\
        [position]\nphase = \"fire\"\nunit.p = { has_fired = true, state = \"suppressed\" }\n";
    let battle = S::compile(source, &suite::Shelf, &Options::default()).expect("a battle");
    let mut state = S::position(&battle, source).expect("a position");
    let mut fx = game::Fx { dice: game::dice::QuickDice::new(1), log: Silent };
    S::settle(&battle, &mut state, &mut fx);
    let action = S::read(&battle, &state, "fire p at q").expect("an action");
    let notes: Vec<String> = S::offer(&battle, &state, &action).notes.into_iter().map(|n| n.text).collect();
    assert_eq!(notes[0], "2 dice, hitting on 3 or more (2 at short range, +1 smoothbore)");
    assert_eq!(notes[1], "Dice that hit roll again; their sum over 6 (5, +1 firer suppressed)");
    // Two thirds hit: none 1/9, one 4/9, two 4/9. One die shows six in 1/6; two come to 6 to 11 in 25/36, to 12 in 1/36.
    let two = 4.0 / 9.0 / 36.0;
    let one = 4.0 / 9.0 / 6.0 + 4.0 / 9.0 * 25.0 / 36.0;
    let none = 1.0 - one - two;
    assert_eq!(
        notes[2],
        format!("Losses: none {:.0} %, 1 {:.0} %, 2 {:.0} %", 100.0 * none, 100.0 * one, 100.0 * two)
    );
}

/// A test missed by five is told as that.
#[test]
fn a_miss_is_told_by_how_much() {
    use fields_of_honor::FieldsOfHonor as S;
    use game::dice::ScriptedDice;
    use game::{Chronicle, Files, Fx, Options, Rules};
    let source = "title = \"A case\"\n[options]\norders = false\n[battle]\nscale = \"battalion\"\ntable = [60, 40]\n\
        [[side]]\nid = \"a\"\n[[side]]\nid = \"b\"\n\
        [[unit]]\nid = \"p\"\nside = \"a\"\nstands = 6\nat = [20, 10]\n\
        [[unit]]\nid = \"q\"\nside = \"b\"\nstands = 4\nat = [20, 30]\nfacing = 180\n\
        [position]\nphase = \"morale\"\nunit.p = { fresh = 2 }\n";
    let battle = S::compile(source, &suite::Shelf, &Options::default()).expect("a battle");
    let mut state = S::position(&battle, source).expect("a position");
    let mut fx = Fx { dice: ScriptedDice::new(vec![1, 1, 1, 6, 1, 3, 3]), log: Chronicle::default() };
    S::settle(&battle, &mut state, &mut fx);
    let log = format!("{:?}", fx.log.entries);
    assert!(log.contains("failed by 5"), "{log}");
}
